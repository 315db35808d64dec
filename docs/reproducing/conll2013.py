"""Ng et al. 2013, *The CoNLL-2013 Shared Task on Grammatical Error Correction*."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import errata
from errata import Corpus, Edit, Sentence
from errata.formats import read_nucle, read_with_mistakes
from errata.formats.essays import _FIVE_TYPES

from reproducing.blocks import Listing, Missing, Recordings, Section
from reproducing.figures import Absent, Claim, Figure, Recording
from reproducing.printed_scores import compare_gold_edits, compare_printed_scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.formats import ProfileName

    from reproducing.public_data import PublicData

_ESSAYS = "conll13/original/data/official.sgml"
_TABLE_3 = {
    "ArtOrDet": ("690", "19.9"),
    "Prep": ("312", "9.0"),
    "Nn": ("396", "11.4"),
    "Vform": ("122", "3.5"),
    "SVA": ("124", "3.6"),
    "5 types": ("1,644", "47.4"),
    "all types": ("3,470", "100.0"),
}
_SOURCE = "There is no a doubt , tracking system has brought many benefits in this information age ."
_OUTPUT = "There is no doubt , tracking system has brought many benefits in this information age ."
_EDITS = (Edit(3, 5, ("doubt",)), Edit(7, 8, ("systems",)), Edit(8, 9, ("have",)))
_FIVE = tuple(_FIVE_TYPES)
_TEAMS = ("UIUC", "UMC", "NTHU", "STEL", "TOR")
_FOLDERS = ("original", "revised")


def make_section(data: PublicData) -> Section:
    """Compare the figures of the paper."""
    missing = [
        Absent("Tables 2 and 3", "essays, sentences, tokens and errors of the training data, with %", 17, "NUCLE, which needs a licence"),
        Absent("Tables 7 and 8", "R, P and F1 of 17 teams", 102, "the teams' outputs; the tables are checked against themselves above"),
        Absent("Tables 9 and 10", "R, P and F1 of 17 teams by error type", 372, "the same"),
    ]
    return Section(
        "CoNLL-2013 shared task: Ng et al. (2013)",
        "*The CoNLL-2013 Shared Task on Grammatical Error Correction*; the metric is [`maxmatch(beta=1)`](maxmatch.md), "
        "the essays are read as [NUCLE SGML](shared-tasks.md).",
        [
            Listing(
                "Test essays", [*_compare_essays(data), ("Tables 3, 7", "5 types: edits that the scorer uses", compare_gold_edits(data))]
            ),
            Listing("The example of section 4", list(_compare_example())),
            Recordings("Scores by team", list(compare_printed_scores(data)), _SCORES_TEXT),
            Recordings("Released M2 files, made from the essays", list(_compare_files(data))),
            Missing("Not recomputed of Ng et al.", missing),
        ],
    )


_SCORES_TEXT = """\
The outputs are not public, but the tables can be checked against themselves and the gold.
A recall must be a whole number of the gold edits; with it, precision gives the number of proposed edits, and these counts give F1.
With alternative answers the number of gold edits is not known, so F1 must lie in the range that rounded R and P leave."""


def _compare_essays(data: PublicData) -> Iterator[tuple[str, str, Figure | Claim]]:
    corpus, mistakes = read_with_mistakes(str(data.folder / _ESSAYS), profile="conll13", warn=lambda _: None)
    yield "Table 2", "essays", Figure("50", mistakes.essays)
    yield "Table 2", "sentences", Figure("1,381", len(corpus))
    yield "Table 2", "word tokens", Figure("29,207", sum(len(sentence.tokens) for sentence in corpus))
    total = mistakes.written.total()
    counts = {**mistakes.written, "5 types": sum(mistakes.written[name] for name in _FIVE), "all types": total}
    for name, (count, share) in _TABLE_3.items():
        yield "Table 3", f"{name}: errors", Figure(count, counts[name])
        yield "Table 3", f"{name}: %", Figure(share, 100 * counts[name] / total)


def _compare_example() -> Iterator[tuple[str, str, Figure | Claim]]:
    split = (Edit(3, 4, ("",)), *_EDITS[1:])
    wide = (Edit(3, 4, ("",)), Edit(7, 9, ("systems have",)))
    for name, edits in (("a doubt → doubt", _EDITS), ("a → ε", split), ("a → ε, system has → systems have", wide)):
        gold = Corpus((Sentence.of(_SOURCE, list(edits)),))
        score = errata.score(gold, [_OUTPUT], "maxmatch(beta=1)")
        found = (score.parts["recall"], score.parts["precision"], score.value)
        if edits is _EDITS:
            text = "R = {:.3f}, P = {:.3f}, F1 = {:.3f}".format(*found)
            yield "Section 4", f"MaxMatch, gold *{name}*", Claim("R = 1/3, P = 1/1, F1 = 1/2", text, found == (1 / 3, 1, 1 / 2))
            wdiff = errata.score(gold, [_OUTPUT], "hoo").parts
            yield "Section 4", f"HOO scorer, gold *{name}*", Figure("0", wdiff["corrected"])
        else:
            right = score.parts["correct"]
            yield "Section 4", f"MaxMatch, equivalent gold *{name}*", Claim("the same edit is right", f"{right} right", right == 1)


def _compare_files(data: PublicData) -> Iterator[Recording]:
    folder = data.folder / "conll13"
    for types in (None, _FIVE):
        name = "data" if types is None else "data_5types"
        end = "" if types is None else ".5types"
        pairs = [
            _make_lines(
                folder / f"{release}/{name}/official{end}.sgml", folder / f"{release}/{name}/official-preprocessed{end}.m2", "conll13"
            )
            for release in _FOLDERS
        ]
        yield _count_lines(f"2013, {'all types' if types is None else 'five types'}, original and revised: lines", pairs)
    answers = folder / "revised/data_5types"
    alternatives = [answers / f"alternatives.{team}.sgml" for team in _TEAMS]
    both = _make_lines(answers / "official.5types.sgml", answers / "combined.5types.m2", "conll13", alternatives)
    yield _count_lines("2013, five types with alternative answers of five teams: lines", [both])
    for name in ("A7", "A10"):
        own = data.folder / f"conll14/annotators/{name}"
        yield _count_lines(
            f"2014, {name} of Bryant and Ng (2015): lines", [_make_lines(own.with_suffix(".sgml"), own.with_suffix(".m2"), "bryant15")]
        )
    first = _make_lines(data.folder / "conll14/annotators/A7.sgml", data.folder / "conll14/gold/official-2014.0.m2", "conll14")
    yield _count_lines("2014, the first annotator of the shared task: lines", [first])


def _make_lines(
    source: Path, target: Path, profile: ProfileName, alternatives: list[Path] | None = None
) -> tuple[list[bytes], list[bytes]]:
    """Give the lines of a released file, and those that errata writes."""
    types = _FIVE if "5types" in source.name else None
    corpus = read_nucle([source], alternatives=alternatives or [], profile=profile, types=types, warn=lambda _: None)
    with TemporaryDirectory() as folder:
        written = Path(folder) / "written.m2"
        errata.write(corpus, written)
        return target.read_bytes().split(b"\n"), written.read_bytes().split(b"\n")


def _count_lines(what: str, files: list[tuple[list[bytes], list[bytes]]]) -> Recording:
    pairs: list[tuple[object, object]] = []
    for recorded, found in files:
        pairs += zip(recorded, found, strict=True) if len(recorded) == len(found) else [(line, None) for line in recorded]
    return Recording.of(what, pairs)
