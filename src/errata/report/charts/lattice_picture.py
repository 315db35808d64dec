"""A picture (SVG) of an edit lattice: kept tokens to the right, insertions down, deletions up, phrase edits as bows above.

Dahlmeier and Ng 2012, Figure 2.  Positions: a vertex (i, j) is in column i + j and in row j - i, so that equal sentences are one line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.formats.xml import escape_text
from errata.html import printable
from errata.report.edit_texts import EMPTY_SIGN
from errata.report.text import width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.metrics import EditLattice, LatticeArc

_MOST_DRAWN = 1_000
"""Arcs that a picture can hold; more would make it metres high."""
_PATH, _GOLD, _OTHER, _INK = "#2166ac", "#1b7f5c", "#b5b5b5", "#333333"
_PER_CHARACTER, _GAP, _LEAST_STEP = 7.0, 18.0, 44.0
_ROW, _LEVEL, _RADIUS = 84.0, 24.0, 4.5
_MARGIN, _HEAD, _NARROWEST_PAGE = 24.0, 66.0, 760.0
_LEGEND = 30.0
_LONGEST_LABEL = 36
"""Characters of a label; the whole text is in its title."""


class LatticePanel(NamedTuple):
    """A lattice with a heading."""

    heading: str
    lattice: EditLattice


def lattice_lines(panels: Sequence[LatticePanel], title: str) -> Iterator[str]:
    """Yield the lines of an SVG file with lattices of one sentence below each other."""
    if (arcs := max(len(panel.lattice.arcs) for panel in panels)) > _MOST_DRAWN:
        fewer = "a smaller max_unchanged, such as -m 'maxmatch(max_unchanged=0)', has fewer"
        raise RequestError(f"{title}: a picture can hold {_MOST_DRAWN:,} arcs, but the lattice has {arcs:,}; {fewer}, and text shows them")
    drawn = [_Drawing.of(panel.lattice) for panel in panels]
    lattice = panels[0].lattice
    texts = (f"source: {' '.join(lattice.source)}", f"system: {' '.join(lattice.hypothesis) or EMPTY_SIGN}")
    wide = max(_NARROWEST_PAGE, *(item.wide for item in drawn), *(2 * _MARGIN + _PER_CHARACTER * width(_text(text)) for text in texts))
    high = _MARGIN + 58 + _LEGEND + sum(_HEAD + item.high for item in drawn)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" height="{high:.0f}" role="img">'
    yield f"<title>{_text(title)}</title>"
    yield f"<desc>{_text(' / '.join(texts))}</desc>"
    yield (
        f"<style>text{{font-family:'DejaVu Sans',Verdana,sans-serif;font-size:11px;fill:{_INK};text-anchor:middle}}"
        ".w{stroke:#fff;stroke-width:4px}.l{text-anchor:start;font-size:12px}.h{text-anchor:start;font-size:14px;font-weight:bold}.v{font-size:9px;fill:#666}</style>"
    )
    yield '<rect width="100%" height="100%" fill="#fff"/>'
    yield f'<text class="h" x="{_MARGIN}" y="{_MARGIN + 6}">{_text(title)}</text>'
    for number, text in enumerate(texts):
        yield f'<text class="l" x="{_MARGIN}" y="{_MARGIN + 26 + 18 * number}">{_text(text)}</text>'
    yield from _legend(_MARGIN + 68)
    top = _MARGIN + 58 + _LEGEND
    for panel, item in zip(panels, drawn, strict=True):
        yield f'<text class="h" x="{_MARGIN}" y="{top + 24:.1f}">{_text(panel.heading)}</text>'
        yield f'<g transform="translate(0 {top + _HEAD:.1f})">'
        yield from item.lines()
        yield "</g>"
        top += _HEAD + item.high
    yield "</svg>"


def _legend(line: float) -> Iterator[str]:
    left = _MARGIN
    for colour, thick, meaning in (
        (_PATH, 3, "on the path that is scored"),
        (_GOLD, 1.5, "matches gold"),
        (_GOLD, 3, "both"),
        (_OTHER, 1.5, "other arcs"),
    ):
        yield f'<line x1="{left:.1f}" y1="{line}" x2="{left + 26:.1f}" y2="{line}" stroke="{colour}" stroke-width="{thick}"/>'
        yield f'<text class="l" x="{left + 32:.1f}" y="{line + 4}">{meaning}</text>'
        left += 58 + _PER_CHARACTER * len(meaning)
    yield f'<text class="l" x="{left:.1f}" y="{line + 4}">(n): cost of an arc</text>'


@dataclass(frozen=True)
class _Drawing:
    """A lattice with its positions."""

    lattice: EditLattice
    columns: list[float]
    """Horizontal positions of vertices, by i + j."""
    rows: tuple[int, int]
    """The smallest and the largest j - i."""
    levels: dict[LatticeArc, int]
    """How high the labels of phrase edits are, counted from the highest row."""

    @classmethod
    def of(cls, lattice: EditLattice) -> _Drawing:
        offsets = [j - i for i, j in lattice.vertices]
        columns = _place_columns(lattice)
        return cls(lattice, columns, (min(offsets), max(offsets)), _choose_levels(lattice, columns))

    @property
    def wide(self) -> float:
        most = max((_x(self.columns, arc) + _label_width(self.lattice, arc) / 2 for arc in self.lattice.arcs), default=0.0)
        return max(self.columns[-1], most) + _MARGIN + 20

    @property
    def high(self) -> float:
        return self._above + (self.rows[1] - self.rows[0]) * _ROW + 40

    @property
    def _above(self) -> float:
        """The height of the bows above the highest row."""
        return max(self.levels.values(), default=0) * _LEVEL + 16

    def _place(self, vertex: tuple[int, int]) -> tuple[float, float]:
        i, j = vertex
        return self.columns[i + j], self._above + (j - i - self.rows[0]) * _ROW

    def lines(self) -> Iterator[str]:
        lattice = self.lattice
        labels: list[str] = []
        for arc in sorted(lattice.arcs, key=lambda arc: (arc.on_path, arc.gold)):  # what matters is drawn last
            (x1, y1), (x2, y2) = self._place(arc.start), self._place(arc.end)
            colour = _GOLD if arc.gold else _PATH if arc.on_path else _OTHER
            style = f'fill="none" stroke="{colour}" stroke-width="{3 if arc.on_path else 1.5}"'
            whole = _label(lattice, arc)
            if arc in self.levels:
                level = self._above - self.levels[arc] * _LEVEL
                # The middle of such a curve is a quarter of the way from its control points to its ends.
                control = (level - (y1 + y2) / 8) / 0.75
                yield f'<path d="M{x1:.1f} {y1:.1f}C{x1:.1f} {control:.1f} {x2:.1f} {control:.1f} {x2:.1f} {y2:.1f}" {style}/>'
                x, y = (x1 + x2) / 2, level - 4
            else:
                yield f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'
                x, y = (x1 + x2) / 2, (y1 + y2) / 2 - 5
            shown = whole if len(whole) <= _LONGEST_LABEL else f"{whole[: _LONGEST_LABEL - 1]}…"
            weight = ' style="font-weight:bold"' if arc.on_path else ""
            told = f"<title>{_text(f'{arc.start} to {arc.end}: {whole}')}</title>"
            where, label = f'x="{x:.1f}" y="{y:.1f}"{weight}', _text(f"{shown} ({lattice.cost(arc)})")
            labels += [f'<text class="w" {where} aria-hidden="true">{label}</text>', f"<text {where}>{label}{told}</text>"]
        on_path = set(lattice.path)
        for vertex in lattice.vertices:
            x, y = self._place(vertex)
            fill = _PATH if vertex in on_path else "#fff"
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" fill="{fill}" stroke="{_PATH if vertex in on_path else _OTHER}"/>'
            where, label = f'x="{x:.1f}" y="{y + 16:.1f}"', f"{vertex[0]},{vertex[1]}"
            labels += [f'<text class="v w" {where} aria-hidden="true">{label}</text>', f'<text class="v" {where}>{label}</text>']
        yield from labels


def _label(lattice: EditLattice, arc: LatticeArc) -> str:
    """Write an edit as source → system, a kept token alone."""
    original, correction = lattice.original(arc), lattice.correction(arc)
    return f"{original or EMPTY_SIGN} → {correction or EMPTY_SIGN}" if arc.changes else original


def _label_width(lattice: EditLattice, arc: LatticeArc) -> float:
    cost = len(str(lattice.cost(arc))) + 3
    return _PER_CHARACTER * (min(width(printable(_label(lattice, arc))), _LONGEST_LABEL) + cost)


def _place_columns(lattice: EditLattice) -> list[float]:
    """Place columns so far apart that the labels of unit arcs fit."""
    needed: dict[int, list[tuple[int, float]]] = {}
    for arc in lattice.arcs:
        if arc.units == 1:
            needed.setdefault(sum(arc.end), []).append((sum(arc.start), _label_width(lattice, arc) + _GAP))
    columns = [_MARGIN + 20]
    for column in range(1, len(lattice.source) + len(lattice.hypothesis) + 1):
        own = [columns[start] + space for start, space in needed.get(column, ())]
        columns.append(max([columns[-1] + _LEAST_STEP / 2, *own]))
    return columns


def _choose_levels(lattice: EditLattice, columns: list[float]) -> dict[LatticeArc, int]:
    """Give every phrase edit a level on which its label touches no other; shorter edits are lower."""
    levels: dict[LatticeArc, int] = {}
    taken: dict[int, list[tuple[float, float]]] = {}
    phrases = [arc for arc in lattice.arcs if arc.units > 1]
    for arc in sorted(phrases, key=lambda arc: (sum(arc.end) - sum(arc.start), arc.start, arc.end)):
        middle, half = _x(columns, arc), _label_width(lattice, arc) / 2 + _GAP / 4
        level = 1
        while any(low < middle + half and middle - half < high for low, high in taken.get(level, ())):
            level += 1
        taken.setdefault(level, []).append((middle - half, middle + half))
        levels[arc] = level
    return levels


def _x(columns: list[float], arc: LatticeArc) -> float:
    """Return the middle of an arc."""
    return (columns[sum(arc.start)] + columns[sum(arc.end)]) / 2


def _text(text: str) -> str:
    """Escape an untrusted text; what a terminal would obey, or XML cannot express, is shown as an escape."""
    return escape_text(printable(text))
