"""Pictures (SVG) of two aligned graphs and of an edit lattice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from errata.display import printable
from errata.errors import RequestError
from errata.formats.xml import escape_text
from errata.metrics.meaning import UccaSimValue
from errata.report.tables.edits import EMPTY_SIGN
from errata.report.writers import width
from errata.studies.faithfulness import UnitOutcome, format_unit, judge_units, list_labels

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.graphs import Graph
    from errata.metrics.maxmatch import EditLattice, LatticeArc
    from errata.metrics.meaning import AlignedGraphs
    from errata.studies.faithfulness import UnitStatus


_MOST_WORDS, _MOST_UNITS = 300, 2_000
"""Words and units that a picture can hold; more would make it many metres wide."""
_COLOURS: dict[UnitStatus, str] = {"kept": "#1b7f5c", "relabelled": "#c77700", "lost": "#c0392b", "added": "#2166ac"}
_NAMES: dict[UnitStatus, str] = {"kept": "kept", "relabelled": "best match has another category", "lost": "lost", "added": "added"}
_GRAPH_PER_CHARACTER, _GRAPH_GAP, _NARROWEST = 7.6, 16, 30
_STEP, _GRAPH_RADIUS = 50, 10
_GRAPH_NARROWEST_PAGE = 760
_GRAPH_MARGIN, _GRAPH_HEAD, _BETWEEN = 24, 80, 92
_GRAPH_INK, _FAINT, _REMOTE = "#333333", "#b5b5b5", "#7b5ea7"


@dataclass(frozen=True)
class _Side:
    """One of the two graphs with its positions on the page."""

    graph: Graph
    centres: list[float]
    """Horizontal positions of the words."""
    across: list[float]
    """Horizontal positions of the units."""
    levels: list[float]
    """Levels of the units, counted from the words."""
    up: bool
    """Whether the graph is above its words."""
    line: float = 0
    """Vertical position of the words."""

    @classmethod
    def of(cls, graph: Graph, *, up: bool) -> _Side:
        centres = _centres(graph)
        across = _across(graph, centres)
        return cls(graph, centres, across, _levels(graph, across), up)

    @property
    def highest(self) -> float:
        return max(self.levels, default=0)

    @property
    def wide(self) -> float:
        return max([*self.centres, *self.across], default=0) + 60

    def height(self, unit: int) -> float:
        distance = 22 + _STEP * self.levels[unit]
        return self.line - distance if self.up else self.line + distance - 8


def picture_lines(pair: AlignedGraphs) -> Iterator[str]:
    """Yield the lines of an SVG file."""
    for graph in (pair.source, pair.correction):
        if len(graph.tokens) > _MOST_WORDS:
            raise RequestError(f"a picture can hold {_MOST_WORDS} words, but {graph.name} has {len(graph.tokens):,}; cut it into sentences")
        if len(graph.units) > _MOST_UNITS:
            raise RequestError(f"a picture can hold {_MOST_UNITS:,} units, but {graph.name} has {len(graph.units):,}")
    source, correction = _Side.of(pair.source, up=True), _Side.of(pair.correction, up=False)
    source = replace(source, line=_GRAPH_MARGIN + _GRAPH_HEAD + 30 + _STEP * source.highest)
    correction = replace(correction, line=source.line + _BETWEEN)
    wide = max(source.wide, correction.wide, _GRAPH_NARROWEST_PAGE)
    high = correction.line + 40 + _STEP * correction.highest + _GRAPH_MARGIN
    value = UccaSimValue.of(pair.counts).matched
    rows = judge_units(pair)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" height="{high:.0f}" role="img">'
    yield f"<title>{_text(pair.source.id)} and {_text(pair.correction.id)}: UCCASIM {100 * value.f:.2f}</title>"
    yield f"<desc>{_text(pair.source.text)} / {_text(pair.correction.text)}</desc>"
    yield (
        "<style>text{font-family:'DejaVu Sans',Verdana,sans-serif;font-size:13px;fill:" + _GRAPH_INK + ";text-anchor:middle}"
        ".s{font-size:11px}.l{text-anchor:start;font-size:12px}.h{text-anchor:start;font-size:15px;font-weight:bold}"
        ".n{font-size:10px;fill:#fff}.c{font-size:11px;font-weight:bold}.w{stroke:#fff;stroke-width:4px}</style>"
    )
    yield '<rect width="100%" height="100%" fill="#fff"/>'
    yield from _heading(pair, value.f, value.recall, value.precision)
    yield from _word_alignment(pair, source, correction)
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(row.source for row in rows if row.source is not None), start=1)}
    colours = {unit.unit: UnitOutcome.of_source(unit, pair).outcome for unit in pair.source_units}
    others = {unit.unit: UnitOutcome.of_correction(unit, pair) for unit in pair.correction_units}
    other_numbers = {unit: numbers[row.source] for unit, row in others.items() if row.source is not None}
    other_colours = {unit: row.outcome for unit, row in others.items()}
    yield from _graph(source, colours, numbers)
    yield from _graph(correction, other_colours, other_numbers)
    yield "</svg>"


def _heading(pair: AlignedGraphs, f: float, recall: float, precision: float) -> Iterator[str]:
    name = pair.source.id if pair.source.id == pair.correction.id else f"{pair.source.id} → {pair.correction.id}"
    scores = f"UCCASIM {100 * f:.1f} (R {100 * recall:.1f}, P {100 * precision:.1f})"
    yield f'<text class="h" x="{_GRAPH_MARGIN}" y="{_GRAPH_MARGIN + 8}">{_text(name)}: {scores}</text>'
    position = _GRAPH_MARGIN + 6.0
    for outcome, colour in _COLOURS.items():
        yield f'<circle cx="{position:.1f}" cy="{_GRAPH_MARGIN + 28}" r="6" fill="{colour}"/>'
        yield f'<text class="l" x="{position + 11:.1f}" y="{_GRAPH_MARGIN + 32}">{_NAMES[outcome]}</text>'
        position += 34 + _GRAPH_PER_CHARACTER * len(_NAMES[outcome])
    explained = "A unit below has the number of its best match above.  Dashed: remote edges, implicit units.  Thick lines: changed words."
    yield f'<text class="l" x="{_GRAPH_MARGIN}" y="{_GRAPH_MARGIN + 54}">{explained}</text>'


def _word_alignment(pair: AlignedGraphs, source: _Side, correction: _Side) -> Iterator[str]:
    aligned, other_aligned = {one for one, _ in pair.words}, {other for _, other in pair.words}
    for one, other in pair.words:
        same = pair.source.tokens[one] == pair.correction.tokens[other]
        style = f'stroke="{_FAINT if same else _GRAPH_INK}" stroke-width="{1 if same else 2}"'
        yield _line(source.centres[one], source.line + 8, correction.centres[other], correction.line - 16, style)
    for side, known, lonely in ((source, aligned, "lost"), (correction, other_aligned, "added")):
        for position, token in enumerate(side.graph.tokens):
            colour = "" if position in known else f' style="fill:{_COLOURS[lonely]};font-weight:bold"'  # type: ignore[index]
            yield f'<text x="{side.centres[position]:.1f}" y="{side.line:.1f}"{colour}>{_text(token)}</text>'


def _graph(side: _Side, colours: dict[int, UnitStatus], numbers: dict[int, int]) -> Iterator[str]:
    graph = side.graph
    shown = [unit for unit in range(len(graph.units)) if graph.units[unit].kind != "linkage"]
    across = side.across
    down = {unit: side.height(unit) for unit in shown}
    for unit in shown:
        for anchor in graph.units[unit].anchors:
            yield _line(across[unit], down[unit], side.centres[anchor], side.line + (-14 if side.up else 6), f'stroke="{_FAINT}"')
    labels = []
    for edge in graph.edges:
        if graph.units[edge.parent].kind == "linkage":
            continue
        x1, y1, x2, y2 = across[edge.parent], down[edge.parent], across[edge.child], down[edge.child]
        if edge.remote:
            middle = (y1 + y2) / 2 + (-_STEP if side.up else _STEP) / 2
            yield (
                f'<path d="M{x1:.1f} {y1:.1f}Q{(x1 + x2) / 2:.1f} {middle:.1f} {x2:.1f} {y2:.1f}" '
                f'fill="none" stroke="{_REMOTE}" stroke-dasharray="4 3"/>'
            )
            position = x2 + (x1 - x2) * 0.15, y2 + (middle - y2) * 0.3 + (-3 if side.up else 12)
        else:
            yield f'<path d="M{x1:.1f} {y1:.1f}H{x2:.1f}V{y2:.1f}" fill="none" stroke="{_GRAPH_INK}"/>'
            position = x2, y2 + (-_GRAPH_RADIUS - 5 if side.up else _GRAPH_RADIUS + 13)
        style = f' style="fill:{_REMOTE}"' if edge.remote else ""
        where, label = f'x="{position[0]:.1f}" y="{position[1]:.1f}"', _text("|".join(edge.labels))
        labels += [f'<text class="c w" {where} aria-hidden="true">{label}</text>', f'<text class="c" {where}{style}>{label}</text>']
    for unit in shown:
        outcome = colours.get(unit)
        colour = _COLOURS[outcome] if outcome else _FAINT
        told = (
            f"{', '.join(list_labels(graph, unit)) or 'root'}: {format_unit(graph, unit)} ({_NAMES[outcome] if outcome else 'not counted'})"
        )
        hollow = not graph.yields[unit] and outcome is not None
        fill = f'fill="#fff" stroke="{colour}" stroke-width="2" stroke-dasharray="3 2"' if hollow else f'fill="{colour}"'
        yield (
            f'<circle cx="{across[unit]:.1f}" cy="{down[unit]:.1f}" r="{_GRAPH_RADIUS if outcome else 4}" {fill}>'
            f"<title>{_text(told)}</title></circle>"
        )
        if unit in numbers:
            style = f' style="fill:{colour}"' if hollow else ""
            yield f'<text class="n" x="{across[unit]:.1f}" y="{down[unit] + 3.5:.1f}"{style}>{numbers[unit]}</text>'
    yield from labels


def _levels(graph: Graph, across: list[float]) -> list[float]:
    """Compute the level of each unit: above the units inside it, and above units whose lines it would cross.

    An implicit unit is half a step below its parent.
    """
    levels = [0.0] * len(graph.units)
    taken: dict[float, list[tuple[float, float]]] = {}
    for unit in reversed(graph.order):
        if graph.units[unit].kind == "linkage" or (not graph.yields[unit] and graph.incoming[unit]):
            continue
        children = [child for child in graph.inside[unit] if graph.yields[child]]
        level = 1 + max((levels[child] for child in children), default=0.0)
        ends = [across[unit], *(across[child] for child in children)]
        low, high = min(ends) - _GRAPH_RADIUS, max(ends) + _GRAPH_RADIUS
        while any(low < other_high and other_low < high for other_low, other_high in taken.get(level, ())):
            level += 1
        taken.setdefault(level, []).append((low, high))
        levels[unit] = level
    for unit in graph.order:
        if not graph.yields[unit] and graph.incoming[unit] and graph.units[unit].kind != "linkage":
            levels[unit] = levels[graph.incoming[unit][0].parent] - 0.5
    return levels


def _centres(graph: Graph) -> list[float]:
    """Compute the horizontal positions of words from their widths."""
    centres, left = [], float(_GRAPH_MARGIN)
    for token in graph.tokens:
        wide = max(_GRAPH_PER_CHARACTER * width(_text(token)), _NARROWEST)
        centres.append(left + wide / 2)
        left += wide + _GRAPH_GAP
    return centres


def _across(graph: Graph, centres: list[float]) -> list[float]:
    """Compute the horizontal positions of units: the middle of their first run of words; implicit units are beside their parent."""
    across = [0.0] * len(graph.units)
    for unit, places in enumerate(graph.yields):
        if places:
            last = next((number for number in range(1, len(places)) if places[number] != places[number - 1] + 1), len(places)) - 1
            across[unit] = (centres[places[0]] + centres[places[last]]) / 2
    beside: Counter[int] = Counter()
    for unit in graph.order:
        if not graph.yields[unit] and graph.incoming[unit]:
            parent = graph.incoming[unit][0].parent
            beside[parent] += 1
            across[unit] = across[parent] + 2.6 * _GRAPH_RADIUS * beside[parent]
    return across


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'


def _text(text: str) -> str:
    """Escape an untrusted text; what a terminal would obey, or XML cannot express, is shown as an escape."""
    return escape_text(printable(text))


# --- A picture (SVG) of an edit lattice: kept tokens to the right, insertions down, deletions up, phrase edits as bows above.
#
# Dahlmeier and Ng 2012, Figure 2.  Positions: a vertex (i, j) is in column i + j and in row j - i, so that equal sentences are one line.

_MOST_DRAWN = 1_000
"""Arcs that a picture can hold; more would make it metres high."""
_PATH, _GOLD, _OTHER, _LATTICE_INK = "#2166ac", "#1b7f5c", "#b5b5b5", "#333333"
_LATTICE_PER_CHARACTER, _LATTICE_GAP, _LEAST_STEP = 7.0, 18.0, 44.0
_ROW, _LEVEL, _VERTEX_SIZE = 84.0, 24.0, 4.5
_LATTICE_MARGIN, _LATTICE_HEAD, _LATTICE_NARROWEST_PAGE = 24.0, 66.0, 760.0
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
    wide = max(
        _LATTICE_NARROWEST_PAGE,
        *(item.wide for item in drawn),
        *(2 * _LATTICE_MARGIN + _LATTICE_PER_CHARACTER * width(_text(text)) for text in texts),
    )
    high = _LATTICE_MARGIN + 58 + _LEGEND + sum(_LATTICE_HEAD + item.high for item in drawn)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" height="{high:.0f}" role="img">'
    yield f"<title>{_text(title)}</title>"
    yield f"<desc>{_text(' / '.join(texts))}</desc>"
    yield (
        f"<style>text{{font-family:'DejaVu Sans',Verdana,sans-serif;font-size:11px;fill:{_LATTICE_INK};text-anchor:middle}}"
        ".w{stroke:#fff;stroke-width:4px}.l{text-anchor:start;font-size:12px}.h{text-anchor:start;font-size:14px;font-weight:bold}.v{font-size:9px;fill:#666}</style>"
    )
    yield '<rect width="100%" height="100%" fill="#fff"/>'
    yield f'<text class="h" x="{_LATTICE_MARGIN}" y="{_LATTICE_MARGIN + 6}">{_text(title)}</text>'
    for number, text in enumerate(texts):
        yield f'<text class="l" x="{_LATTICE_MARGIN}" y="{_LATTICE_MARGIN + 26 + 18 * number}">{_text(text)}</text>'
    yield from _legend(_LATTICE_MARGIN + 68)
    top = _LATTICE_MARGIN + 58 + _LEGEND
    for panel, item in zip(panels, drawn, strict=True):
        yield f'<text class="h" x="{_LATTICE_MARGIN}" y="{top + 24:.1f}">{_text(panel.heading)}</text>'
        yield f'<g transform="translate(0 {top + _LATTICE_HEAD:.1f})">'
        yield from item.lines()
        yield "</g>"
        top += _LATTICE_HEAD + item.high
    yield "</svg>"


def _legend(line: float) -> Iterator[str]:
    left = _LATTICE_MARGIN
    for colour, thick, meaning in (
        (_PATH, 3, "on the path that is scored"),
        (_GOLD, 1.5, "matches gold"),
        (_GOLD, 3, "both"),
        (_OTHER, 1.5, "other arcs"),
    ):
        yield f'<line x1="{left:.1f}" y1="{line}" x2="{left + 26:.1f}" y2="{line}" stroke="{colour}" stroke-width="{thick}"/>'
        yield f'<text class="l" x="{left + 32:.1f}" y="{line + 4}">{meaning}</text>'
        left += 58 + _LATTICE_PER_CHARACTER * len(meaning)
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
        return max(self.columns[-1], most) + _LATTICE_MARGIN + 20

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
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_VERTEX_SIZE}" fill="{fill}" stroke="{_PATH if vertex in on_path else _OTHER}"/>'
            where, label = f'x="{x:.1f}" y="{y + 16:.1f}"', f"{vertex[0]},{vertex[1]}"
            labels += [f'<text class="v w" {where} aria-hidden="true">{label}</text>', f'<text class="v" {where}>{label}</text>']
        yield from labels


def _label(lattice: EditLattice, arc: LatticeArc) -> str:
    """Write an edit as source → system, a kept token alone."""
    original, correction = lattice.original(arc), lattice.correction(arc)
    return f"{original or EMPTY_SIGN} → {correction or EMPTY_SIGN}" if arc.changes else original


def _label_width(lattice: EditLattice, arc: LatticeArc) -> float:
    cost = len(str(lattice.cost(arc))) + 3
    return _LATTICE_PER_CHARACTER * (min(width(printable(_label(lattice, arc))), _LONGEST_LABEL) + cost)


def _place_columns(lattice: EditLattice) -> list[float]:
    """Place columns so far apart that the labels of unit arcs fit."""
    needed: dict[int, list[tuple[int, float]]] = {}
    for arc in lattice.arcs:
        if arc.units == 1:
            needed.setdefault(sum(arc.end), []).append((sum(arc.start), _label_width(lattice, arc) + _LATTICE_GAP))
    columns = [_LATTICE_MARGIN + 20]
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
        middle, half = _x(columns, arc), _label_width(lattice, arc) / 2 + _LATTICE_GAP / 4
        level = 1
        while any(low < middle + half and middle - half < high for low, high in taken.get(level, ())):
            level += 1
        taken.setdefault(level, []).append((middle - half, middle + half))
        levels[arc] = level
    return levels


def _x(columns: list[float], arc: LatticeArc) -> float:
    return (columns[sum(arc.start)] + columns[sum(arc.end)]) / 2
