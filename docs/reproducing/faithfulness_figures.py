"""Choshen and Abend, section 4: agreement on semantic graphs, UCCASIM and DISTSIM."""

from __future__ import annotations

import json
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING

from errata.language import read_graphs
from errata.studies import (
    Agreement,
    UccaSimSettings,
    UccaSimValue,
    align_graphs,
    evaluate_faithfulness,
    measure_agreement,
)

from reproducing.blocks import Grid, Listing, Recordings, Supplement
from reproducing.figures import Cause, Claim, Figure, Recording, require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.language import Graph

    from reproducing.blocks import Block
    from reproducing.public_data import PublicData

Row = tuple[str, str, Figure | Claim]
_ROWS = {
    "Different": ("Different", ("0.85", "0.83", "0.84", "0.96", "0.93")),
    "Same": ("Same", ("0.92", "0.91", "0.92", "0.97", "0.96")),
    "IAA": ("IAA 4 sources", ("0.85", "0.81", "0.83", None, None)),
}
"""Rows of Table 2: the pairs in the data, and UCCASIM s→r, r→s, Avg, DISTSIM A+D and Scene as printed."""
_SHARED = ("1297", "1298", "1300", "1301")
_CORRECTED = ("1197", "1198", "1200")
_UNKNOWN = Cause("unknown", "No combination of settings gives the printed UCCASIM.")
_CLOSEST = UccaSimSettings(word_alignment="monotone")
_DIRECTIONS = ("s→r", "r→s", "Avg")
_PRINTED_FORMULA = Cause(
    "error in the paper",
    "The printed formula, a mean difference of counts, is no share; what reproduces Table 2 is twice the shared units over all units, "
    "of two words or more, with Scenes as units H.",
)


def list_faithfulness_blocks(data: PublicData) -> list[Block]:
    """Compare the figures of section 4."""
    return [
        Listing("Section 4: graphs and agreement", [*_compare_passages(data), *_compare_agreement(data)]),
        Grid("Table 2", ("", *_DIRECTIONS, "DISTSIM A+D", "Scene"), list(_compare_table_2(data)), _describe_table_2(data)),
        Supplement("UCCASIM with other settings", ("Settings", "", *_DIRECTIONS, "both"), list(_try_others(data)), _OTHERS_TEXT, left=2),
        Listing("DISTSIM", list(_compare_formula(data))),
        Recordings("Recorded counts of units", [_compare_units(data)]),
    ]


_OTHERS_TEXT = """\
Directions are `source`, `correction`, `mean` and `both`; the paper has the first three.
Rows with `partner=share` have the formula of the paper.
Those with `word_alignment=assignment` have its alignment of words, here on whole essays, where a word may be aligned far away.
The authors aligned sentence by sentence; cut essays into sentences to do the same."""


def _describe_table_2(data: PublicData) -> str:
    different, people = (_average(data, group, _CLOSEST)[3] for group in ("Different", "IAA 4 sources"))
    return (
        "UCCASIM with `word_alignment=monotone`, which comes closest, as the mean over pairs of essays.\n"
        "In the paper a perfect corrector is as close to its source as a second annotator (.84 and .83). "
        f"Here it is {'further away' if different < people else 'as close'} ({different:.2f} and {people:.2f}, both directions).\n"
        "For two annotators of a source, words align with themselves, so the cause must be the alignment of units or the counting."
    )


@cache
def _read(data: PublicData, name: str) -> Graph:
    return read_graphs(data.folder / f"ucca/{name}.xml")[0]


@cache
def _list_pairs(data: PublicData, group: str) -> list[tuple[Graph, Graph]]:
    """List the pairs of source and correction, or of two annotators."""
    rows = json.loads((data.folder / "published/uccasim_pairs.json").read_text(encoding="utf-8"))
    return [(_read(data, two), _read(data, one)) for kind, own, one, two, *_ in rows if (kind, own) == ("monotone", group)]


def _compare_passages(data: PublicData) -> Iterator[Row]:
    rows = data.rows("ucca/passages.tsv")
    sources = [row for row in rows if row["role"] == "learner source"]
    essays = {row["passage_id"] for row in sources}
    twice = [essay for essay in essays if sum(row["passage_id"] == essay for row in sources) > 1]
    both = {row["partner_passage_id"] for row in rows if row["role"] == "corrected"} & essays
    tokens = fmean({row["passage_id"]: int(row["tokens"]) for row in sources}.values())
    yield "Section 4.2", "essays", Figure("7", len(essays))
    yield "Section 4.2", "tokens of a source, mean", Claim("about 500", f"{tokens:.0f}", round(tokens, -2) == 500)
    yield "Section 4.2", "sources that both annotators have", Figure("4", len(twice))
    yield "Section 4.2", "essays with a corrected version", Figure("6", len(both))


def _measure(data: PublicData, essays: tuple[str, ...]) -> Agreement:
    return Agreement.pool(measure_agreement(_read(data, f"tree{essay}"), _read(data, f"amittaic{essay}"), "weak") for essay in essays)


def _compare_agreement(data: PublicData) -> Iterator[Row]:
    shared = _measure(data, _SHARED).pooled
    for name, text, value in (("F", "0.845", shared.f), ("precision", "0.834", shared.precision), ("recall", "0.857", shared.recall)):
        yield "Section 4.4", f"agreement of annotators, DAG {name}", Figure(text, value)
    corrected = _measure(data, _CORRECTED).pooled.f
    holds = abs(corrected - shared.f) < 0.05
    yield "Section 4.4", "DAG F on 3 corrected essays", Claim("similar", f"{corrected:.3f}", holds)


def _compare_table_2(data: PublicData) -> Iterator[tuple[str, list[Figure | None]]]:
    for row, (group, printed) in _ROWS.items():
        faithfulness = evaluate_faithfulness(group, _list_pairs(data, group), _CLOSEST)
        distsim = [require(faithfulness.distsim(names).overlap) for names in (["A", "D"], ["H"])]
        values = [*_average(data, group, _CLOSEST)[:3], *distsim]
        yield row, [None if text is None else Figure(text, value, _UNKNOWN) for text, value in zip(printed, values, strict=True)]


def _average(data: PublicData, group: str, settings: UccaSimSettings) -> list[float]:
    """Average over pairs F from the source, from the correction, their mean, and F of both directions."""
    found = [UccaSimValue.of(align_graphs(*pair, settings).counts) for pair in _list_pairs(data, group)]
    return [fmean(own) for own in zip(*((one.from_source.f, one.from_correction.f, one.mean, one.matched.f) for one in found), strict=True)]


def _try_others(data: PublicData) -> Iterator[tuple[str, ...]]:
    for words in ("assignment", "monotone"):
        for partner in ("share", "f1"):
            settings = UccaSimSettings(word_alignment=words, partner=partner)
            for row, (group, _) in _ROWS.items():
                yield (f"`word_alignment={words},partner={partner}`", row, *(f"{value:.3f}" for value in _average(data, group, settings)))


def _compare_formula(data: PublicData) -> Iterator[Row]:
    for row in ("Different", "Same"):
        found = evaluate_faithfulness(row, _list_pairs(data, row))
        values = [require(found.distsim(names).difference) for names in (["A", "D"], ["H"])]
        text = "A+D {:.1f}, Scene {:.1f}".format(*values)
        yield "Section 4.3", f"{row}: the printed formula", Claim("gives Table 2", text, max(values) <= 1, _PRINTED_FORMULA)


def _compare_units(data: PublicData) -> Recording:
    rows = json.loads((data.folder / "published/uccasim_pairs.json").read_text(encoding="utf-8"))
    pairs: list[tuple[object, object]] = []
    for kind, group, one, two, second, first in rows:
        if (kind, group) == ("monotone", "IAA all 7"):
            settings = UccaSimSettings(word_alignment="monotone", implicit="none")
            found = UccaSimValue.of(align_graphs(_read(data, two), _read(data, one), settings).counts).matched
            pairs += zip((*first, *second), found, strict=True)
    return Recording.of("units and matched units of two annotators' graphs of seven texts, `implicit=none`", pairs)
