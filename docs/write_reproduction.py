"""Writes ``reproduction.md``: published figures of papers and tools beside those that errata computes, with reasons for differences.

It reads the public data that ``ERRATA_DATA`` names (default ``../shared/data``).  ``make reproduction`` runs it.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from errata.errors import InputWarning

from progress import tell
from reproducing import (
    conll2013,
    conservatism_paper,
    detection_paper,
    errant_tool,
    gleu_tool,
    hoo_tool,
    imeasure_paper,
    imeasure_tool,
    maxmatch_paper,
    meta_tables,
    official_scorer,
)
from reproducing.blocks import Missing, Recordings
from reproducing.figures import KINDS, VERDICTS, Claim, Figure, count_verdicts, list_causes
from reproducing.public_data import PublicData
from study_texts import write_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from reproducing.blocks import Section

PAGE = Path(__file__).parent / "reproduction.md"
SECTIONS: dict[str, Callable[[PublicData], Section]] = {
    "Dahlmeier and Ng": maxmatch_paper.make_section,
    "Ng et al.": conll2013.make_section,
    "Chodorow et al.": detection_paper.make_section,
    "Felice and Briscoe": imeasure_paper.make_section,
    "Choshen and Abend": conservatism_paper.make_section,
    "official scorer": official_scorer.make_section,
    "ERRANT": errant_tool.make_section,
    "GLEU": gleu_tool.make_section,
    "I-measure": imeasure_tool.make_section,
    "HOO": hoo_tool.make_section,
    "meta-evaluation": meta_tables.make_section,
}
"""The sections of the page, papers first."""


def find_data() -> Path:
    """Find the folder of public data."""
    return Path(os.environ.get("ERRATA_DATA", Path(__file__).parents[2] / "shared" / "data"))


def make_section(name: str, data: PublicData) -> Section:
    """Compute one section."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # about outputs that are known
        return SECTIONS[name](data)


def write_page(sections: Sequence[Section]) -> str:
    """Write the page."""
    parts = [_BEGINNING, write_summary(sections), *(section.write() for section in sections)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def write_summary(sections: Sequence[Section]) -> str:
    """Count figures by how they compare: in sections, and by the reason why they differ."""
    rows = [_count_section(section) for section in sections]
    figures = [figure for section in sections for block in section.blocks for figure in block.figures]
    total = ["all", *(f"{sum(counts):,}" for counts in zip(*(row for _, row in rows), strict=True))]
    table = write_table(_COLUMNS, [*([link, *(f"{count:,}" for count in row)] for link, row in rows), total], 1)
    return "\n\n".join(
        [
            _conclude(figures),
            table,
            "Why figures differ:",
            _write_kinds(figures),
            _list_unknown(sections),
            _summarise_recordings(sections),
            _LEGEND.strip("\n"),
        ]
    )


_COLUMNS = ("Section", "Figures", "Equal", "Close", "Different, reason known", "Different, reason unknown", "Not recomputed")


def _count_section(section: Section) -> tuple[str, list[int]]:
    verdicts = count_verdicts(figure for block in section.blocks for figure in block.figures)
    absent = sum(row.number or 0 for block in section.blocks if isinstance(block, Missing) for row in block.rows)
    counts = [verdicts[verdict] for verdict in VERDICTS]
    return f"[{section.title}](#{make_anchor(section.title)})", [sum(counts), *counts, absent]


def make_anchor(title: str) -> str:
    """Make the anchor of a heading, as GitHub and Python-Markdown do.

    >>> make_anchor("I-measure: Felice and Briscoe (2015)")
    'i-measure-felice-and-briscoe-2015'
    """
    return "".join(c for c in title.lower() if c.isalnum() or c in "- ").replace(" ", "-")


def _conclude(figures: Sequence[Figure | Claim]) -> str:
    verdicts = count_verdicts(figures)
    return (
        f"Of {len(figures):,} published figures, {verdicts['equal']:,} are equal "
        f"and {verdicts['close']:,} differ by one unit of the last digit at most; "
        f"{verdicts['explained']:,} differ for a reason that is known, and {verdicts['unexplained']:,} for one that is not."
    )


def _write_kinds(figures: Sequence[Figure | Claim]) -> str:
    counts: Counter[str] = Counter()
    for cause, count in list_causes(figures):
        counts[cause.kind] += count
    return write_table(
        ("Reason", "Figures", "What it means"), [(kind, f"{counts[kind]:,}", _MEANINGS[kind]) for kind in KINDS if counts[kind]], 1
    ).replace("| --- | ---: | ---: |", "| --- | ---: | --- |")


_MEANINGS = {
    "other data": "the paper used data that differ from the public ones",
    "other release": "the tool has another release",
    "another method": "errata computes the quantity in another way",
    "not specified": "the paper leaves out a choice that changes the figure, or describes another one than it made",
    "random numbers": "samples of the authors, and an expectation or other samples of errata",
    "error in the paper": "the paper contradicts itself or its own data",
    "unknown": "listed below",
}


def _list_unknown(sections: Iterable[Section]) -> str:
    lines = [
        f"- [{section.title}](#{make_anchor(section.title)}), {block.title}, {count} {'figure' if count == 1 else 'figures'}: {cause.text}"
        for section in sections
        for block in section.blocks
        for cause, count in list_causes(block.figures)
        if cause.kind == "unknown"
    ]
    return "\n".join(["The reason is unknown of:", "", *lines]) if lines else "No reason is unknown."


_RECORDED = """\
Beside the figures of papers, values were recorded from the tools themselves, most of them counts of single sentences.
Tables of papers that cannot be recomputed are checked against themselves."""


def _summarise_recordings(sections: Sequence[Section]) -> str:
    rows = []
    for section in sections:
        own = [row for block in section.blocks if isinstance(block, Recordings) for row in block.rows]
        if own:
            counts = (sum(row.compared for row in own), sum(row.equal for row in own))
            rows.append((section.title, *(f"{count:,}" for count in counts)))
    table = write_table(("Section", "Compared", "Equal"), rows, 1)
    different = [
        f"- [{section.title}](#{make_anchor(section.title)}), {row.what}: {row.compared - row.equal:,} of {row.compared:,}."
        + (f" {row.cause.text}" if row.cause else "")
        for section in sections
        for block in section.blocks
        if isinstance(block, Recordings)
        for row in block.rows
        if row.equal < row.compared
    ]
    return "\n\n".join([_RECORDED, table, *(["Different are:\n\n" + "\n".join(different)] if different else [])])


_BEGINNING = """\
# Reproduction

This page has the figures of five papers and of the tools of the field beside those that errata computes.
`make reproduction` writes it in one to four minutes.
It needs the public data in the folder that `ERRATA_DATA` names (default `../shared/data`).
Every number of errata is computed by this command; only published figures are constants, with the table or section they stand in.
Random numbers have fixed seeds, so a repetition gives the same page.

Many figures need data that are not in the public folder.
These are above all the corpus NUCLE, and the outputs of five of the twelve systems of CoNLL-2014, of ten systems of SEEDA,
and of all systems of CoNLL-2013 and HOO 2011.
Each section ends with a list of what could not be recomputed, and of what is missing.

## Summary
"""
_LEGEND = """\
How to read the tables:

| | Meaning |
| --- | --- |
| `44.07` | errata's figure is the published one, to its last digit |
| `1351.24 ≈ 1351.249` | published, then errata's: close, one unit of the last digit at most |
| `44.07 → **44.47** (+0.40)` | published, then errata's: different; the reason is below the table |
| `=` | equal, or what the paper says holds |
"""


def main() -> None:
    """Write the page."""
    data = find_data()
    if not data.is_dir():
        raise SystemExit(f"no data at {data}; set ERRATA_DATA")
    sections, public = [], PublicData(data)
    for number, name in enumerate(SECTIONS, start=1):
        tell(f"{name} ({number} of {len(SECTIONS)})")
        sections.append(make_section(name, public))
    PAGE.write_text(write_page(sections), encoding="utf-8")
    tell(f"written: {PAGE.name}")


if __name__ == "__main__":
    main()
