"""The public scorer of I-measure: counts recorded from its rules on CoNLL-2014."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reproducing.blocks import Recordings, Section
from reproducing.figures import Recording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reproducing.public_data import PublicData

_MODES = {"nomix": "imeasure(references=single)", "mix": "imeasure"}
_COUNTS = 18
"""TP, TN, FP and FN of detection and correction, and FPN, of system and source."""


def make_section(data: PublicData) -> Section:
    """Compare the recorded counts."""
    certified, scored = _count_certified(data)
    text = (
        "Nine counts of the output and of the source, for every sentence.\n"
        "The recordings lack sentences with more than 1,024 combinations of the annotators' corrections, "
        "on which the public scorer does not end.\n"
        f"errata scores them too: {certified:,} of {scored:,} sentences of all outputs are certified to be exact."
    )
    return Section(
        "I-measure: the public scorer",
        "The metric is [`imeasure`](imeasure.md), by default as in the public version, which aligns source and reference anew.",
        [Recordings("Recorded counts of I-measure", list(_compare(data)), text)],
    )


def _compare(data: PublicData) -> Iterator[Recording]:
    for gold, what in (("noalt", "two annotators"), ("alt", "with alternative answers")):
        for mode, metric in _MODES.items():
            pairs: list[tuple[object, object]] = []
            paths = sorted((data.folder / "expected/imeasure").glob(f"*.{gold}.{mode}.tsv"))
            for path in paths:
                rows = data.score(gold, path.name.split(".")[0], metric).evidence.rows
                for row in data.rows(f"expected/imeasure/{path.name}"):
                    if row["sys_dTP"] != "NA":
                        recorded = tuple(int(count) for name, count in row.items() if name not in {"sentence", "references"})
                        pairs.append((recorded, rows[int(row["sentence"])][0][:_COUNTS]))
            yield Recording.of(f"{len(paths)} outputs, {what}, `{metric}`: sentences", pairs)


def _count_certified(data: PublicData) -> tuple[int, int]:
    """Count certified sentences of all outputs that were recorded with mixed references."""
    paths = sorted((data.folder / "expected/imeasure").glob("*.mix.tsv"))
    parts = [data.score(path.name.split(".")[1], path.name.split(".")[0], "imeasure").parts for path in paths]
    return sum(own["certified"] for own in parts), sum(own["sentences"] for own in parts)
