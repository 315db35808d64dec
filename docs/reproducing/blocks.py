"""Blocks of the page: tables of figures, of recorded values, and of what cannot be recomputed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reproducing.figures import Absent, Cause, Claim, Figure, Recording, list_causes
from study_texts import write_table

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Grid:
    """A table of a paper: a row for each system, a column for each measure; ``None`` is an empty cell."""

    title: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Figure | None]]]
    text: str = ""

    @property
    def figures(self) -> list[Figure]:
        """All figures of the table."""
        return [figure for _, row in self.rows for figure in row if figure is not None]

    def write(self) -> str:
        """Write the table and the reasons of its differences."""
        cells = [(name, *(_write_cell(figure) for figure in row)) for name, row in self.rows]
        return _join(self.title, self.text, write_table(self.columns, cells, 1), _write_causes(self.figures))


@dataclass(frozen=True)
class Listing:
    """Single figures: where they stand, what they are, and the figure or claim."""

    title: str
    rows: Sequence[tuple[str, str, Figure | Claim]]
    text: str = ""

    @property
    def figures(self) -> list[Figure | Claim]:
        """All figures of the table."""
        return [figure for *_, figure in self.rows]

    def write(self) -> str:
        """Write the table; a figure that differs names its reason below."""
        cells = [(where, what, _write_published(own), own.written, _mark(own)) for where, what, own in self.rows]
        header = ("Where", "What", "Published", "errata", "Difference")
        return _join(self.title, self.text, write_table(header, cells, 2), _write_causes(self.figures))


@dataclass(frozen=True)
class Recordings:
    """Recorded values of a tool, counted."""

    title: str
    rows: Sequence[Recording]
    text: str = ""
    figures: tuple[()] = field(default=(), init=False)

    def write(self) -> str:
        """Write how many values were compared, and how many are equal."""
        cells = [(row.what, f"{row.compared:,}", _write_equal(row)) for row in self.rows]
        causes = [f"- {row.what}: {row.cause.text}" for row in self.rows if row.cause and row.equal < row.compared]
        return _join(self.title, self.text, write_table(("What", "Compared", "Equal"), cells, 1), "\n".join(causes))


@dataclass(frozen=True)
class Missing:
    """What cannot be recomputed, and what is missing."""

    title: str
    rows: Sequence[Absent]
    text: str = ""
    figures: tuple[()] = field(default=(), init=False)

    def write(self) -> str:
        """Write the table."""
        cells = [(row.where, row.what, "–" if row.number is None else f"{row.number:,}", row.needs) for row in self.rows]
        lines = write_table(("Where", "What", "Figures", "What is missing"), cells, 2).splitlines()
        lines[1] = "| --- | --- | ---: | --- |"
        return _join(self.title, self.text, "\n".join(lines))


@dataclass(frozen=True)
class Supplement:
    """A table that explains differences; its numbers are errata's, so nothing is compared."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    text: str = ""
    left: int = 1
    """Columns that are aligned to the left."""
    figures: tuple[()] = field(default=(), init=False)

    def write(self) -> str:
        """Write the table."""
        return _join(self.title, self.text, write_table(self.columns, self.rows, self.left))


Block = Grid | Listing | Recordings | Missing | Supplement


@dataclass(frozen=True)
class Section:
    """A paper or a tool."""

    title: str
    text: str
    blocks: Sequence[Block]

    def write(self) -> str:
        """Write the section."""
        return "\n\n".join([f"## {self.title}", self.text, *(block.write() for block in self.blocks)])


def _mark(figure: Figure | Claim) -> str:
    text = figure.written_difference
    return {"equal": text, "close": f"≈ {text}"}.get(figure.verdict, f"**{text}**")


def _write_published(figure: Figure | Claim) -> str:
    """Write what the paper has; numbers with a true minus sign."""
    return figure.published.replace("-", "−") if isinstance(figure, Figure) else figure.published


def _write_cell(figure: Figure | None) -> str:
    """Write a published number; if errata has another one, that too."""
    if figure is None:
        return ""
    published = _write_published(figure)
    if figure.verdict == "equal":
        return published
    if figure.verdict == "close":
        return f"{published} ≈ {figure.written}"
    return f"{published} → **{figure.written}** ({figure.written_difference})"


def _write_equal(row: Recording) -> str:
    return f"{row.equal:,}" if row.equal == row.compared else f"**{row.equal:,}**"


def _write_causes(figures: Sequence[Figure | Claim]) -> str:
    return "\n".join(_write_cause(cause, count) for cause, count in list_causes(figures))


def _write_cause(cause: Cause, count: int) -> str:
    return f"- *{cause.kind[0].upper()}{cause.kind[1:]}*, {count} {'figure' if count == 1 else 'figures'}: {cause.text}"


def _join(title: str, *parts: str) -> str:
    return "\n\n".join([f"### {title}", *(part for part in parts if part)])
