"""Choshen and Abend, *Conservatism and Over-conservatism in Grammatical Error Correction*: section 2, and all sections together."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from errata.studies.conservatism import Conservatism, SentenceChanges

from reproducing.blocks import Grid, Listing, Missing, Section
from reproducing.coverage_figures import list_coverage_blocks
from reproducing.faithfulness_figures import list_faithfulness_blocks
from reproducing.figures import Absent, Cause, Claim, Figure, require
from reproducing.public_data import SYSTEMS_OF_2014

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reproducing.public_data import PublicData

Row = tuple[str, str, Figure | Claim]
_REFERENCE = "reference"
_MOST_CELLS = 6
_LEMMAS = Cause(
    "not specified",
    "The authors cut the text into sentences anew and compare lemmas; errata compares words, sentence by sentence of the test set "
    "(*larger changes*).",
)
_OWN_TABLE = Cause("error in the paper", "In the authors' own counts one corrector changes a larger share of sentences.")
_NAMES = Cause("error in the paper", "The two names are exchanged: CUUI writes semicolons for commas, which are splits.")
_JOINS = Cause(
    "another method",
    "The authors cut source and reference in different ways, and matched sentences by their last words. "
    "A sentence that is cut only in the source then looks like a join. "
    "errata finds {} joins, all across lines: a full stop at the end became a comma or is gone, and the next line goes on.",
)
_HTML = Cause("another method", "RAC has broken HTML (`&amp; amp ;`) in two lines, in which errata finds ends of sentences.")


def make_section(data: PublicData) -> Section:
    """Compare the figures of the paper."""
    published = {
        row["system"].upper().replace("GOLD", _REFERENCE): row for row in data.rows("published/authors_figure1_wordchange_hist.tsv")
    }
    hidden = [name for name in published if name not in {_REFERENCE, *SYSTEMS_OF_2014}]
    missing = [
        Absent("Figure 1", f"word changes, splits and concatenations of {', '.join(hidden)}", 8 * len(hidden), "their outputs"),
        Absent(
            "Figure 1, bottom",
            "shares of sentences by Spearman's rho",
            None,
            "no numbers in the text; `errata conservatism --chart` draws them",
        ),
        Absent("Section 2", "the Treebank of Learner English: similar results", 1, "the corpus, which needs a licence"),
        Absent(
            "Figure 3", "intervals of nine samples with other numbers of references", 18, "the samples; only that with two was released"
        ),
        Absent("Figure 4", "intervals of the other correctors, RoRo among them, and tests between them", 16, "their outputs"),
        Absent("Table 2", "row SAR15", 2, "the graphs of Sulem et al. (2015)"),
    ]
    return Section(
        "Conservatism and coverage: Choshen and Abend",
        "*Conservatism and Over-conservatism in Grammatical Error Correction*; the commands are "
        "[`errata conservatism`](coverage.md#how-much-systems-change), [`errata coverage`](coverage.md) and "
        "[`errata faithfulness`](faithfulness.md).",
        [
            Grid("Figure 1: sentences by words changed", _COLUMNS, list(_compare_changes(data, published)), _FIGURE_1_TEXT),
            Grid("Figure 1: splits and concatenations", _SPLIT_COLUMNS, list(_compare_splits(data, published)), _SPLIT_TEXT),
            Listing("Section 2", list(_compare_text(data, published))),
            *list_coverage_blocks(data),
            *list_faithfulness_blocks(data),
            Missing("Not recomputed of Choshen and Abend", missing),
        ],
    )


_COLUMNS = ("", *(str(number) for number in range(_MOST_CELLS)))
_SPLIT_COLUMNS = ("", "Splits (published as concatenations)", "Joins (published as splits)")
_FIGURE_1_TEXT = (
    "Published are counts of the authors' files; the paper shows them as a picture, and 44 and 11 in the last column in its text."
)
_SPLIT_TEXT = "`errata conservatism --sentence-ends '.?!;'`: as for the authors, a semicolon ends a sentence too; joins within lines."


@cache
def _measure(data: PublicData) -> dict[str, Conservatism]:
    gold = data.gold("noalt")
    found = {_REFERENCE: Conservatism.of_annotators(gold)[0]}
    return found | {name: Conservatism.of(gold, data.system(name=name)) for name in SYSTEMS_OF_2014}


def _compare_changes(data: PublicData, published: dict[str, dict[str, str]]) -> Iterator[tuple[str, list[Figure]]]:
    for name, own in _measure(data).items():
        cells = own.histogram(apart=True)
        yield name, [Figure(published[name][str(number)], cells[number], _LEMMAS) for number in range(_MOST_CELLS)]


def _compare_splits(data: PublicData, published: dict[str, dict[str, str]]) -> Iterator[tuple[str, list[Figure]]]:
    for name, (split, joined, across) in _count_splits(data).items():
        cause = _JOINS._replace(text=_JOINS.text.format(across))
        yield name, [Figure(published[name]["concatenated"], split, _HTML), Figure(published[name]["split"], joined, cause)]


@cache
def _count_splits(data: PublicData) -> dict[str, tuple[int, int, int]]:
    """Count splits and joins inside lines, and joins across lines; a semicolon ends a sentence too."""
    systems = [data.system(name=name) for name in SYSTEMS_OF_2014]
    reference, _, *found = SentenceChanges.of_all(data.gold("noalt"), systems, ".?!;")
    names = (_REFERENCE, *SYSTEMS_OF_2014)
    return {name: (own.split, own.joined, own.joined_lines) for name, own in zip(names, (reference, *found), strict=True)}


def _compare_text(data: PublicData, published: dict[str, dict[str, str]]) -> Iterator[Row]:
    own = _measure(data)
    systems = [name for name in published if name != _REFERENCE]
    changed = {name: (int(row["pairs"]) - int(row["0"]), int(row["pairs"])) for name, row in published.items()}
    most = max(systems, key=lambda name: changed[name][0] / changed[name][1])
    holds = changed[most][0] / changed[most][1] < changed[_REFERENCE][0] / changed[_REFERENCE][1]
    text = "{}: {:,} of {:,}; reference: {:,} of {:,}".format(most, *changed[most], *changed[_REFERENCE])
    yield "Section 2", "sentences changed, the authors' counts", Claim("reference more than any corrector", text, holds, _OWN_TABLE)
    largest = max(SYSTEMS_OF_2014, key=lambda name: own[name].changed)
    text = f"{largest}: {own[largest].changed:,}; reference: {own[_REFERENCE].changed:,}"
    yield (
        "Section 2",
        "sentences changed, errata",
        Claim("reference more than any corrector", text, own[largest].changed < own[_REFERENCE].changed),
    )
    rho = max(SYSTEMS_OF_2014, key=lambda name: -(require(own[name].order)))
    values = [require(own[name].order) for name in (rho, _REFERENCE)]
    text = f"{rho}: {values[0]:.4f}; reference: {values[1]:.4f}"
    yield (
        "Section 2",
        "mean Spearman's rho, lowest of the correctors",
        Claim("reference lower than any corrector", text, values[1] < values[0]),
    )
    yield "Figure 1", "what is called split and concatenated", _compare_names(data, published)


def _compare_names(data: PublicData, published: dict[str, dict[str, str]]) -> Claim:
    """Find out whether published counts are those of errata as they are named, or with names exchanged."""
    named = exchanged = 0
    counts = _count_splits(data)
    for name, (split, joined, _) in counts.items():
        own = (int(published[name]["split"]), int(published[name]["concatenated"]))
        named += own == (split, joined)
        exchanged += own == (joined, split)
    text = f"{named} of {len(counts)} equal as named, {exchanged} exchanged"
    return Claim("splits and concatenations", text, named >= exchanged, _NAMES)
