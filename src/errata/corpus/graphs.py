"""Semantic graphs: units anchored in words, and labelled edges between them.

A unit spans its words and those of the units below it.  A remote edge gives a unit a second parent, but does not add to the words
of that parent.  An implicit unit has no words.

>>> graph = Graph("1", ("Cats", "sleep"), (Unit("0"), Unit("1", (0,)), Unit("2", (1,))), (Edge(0, 1, ("A",)), Edge(0, 2, ("P",))))
>>> graph.yields
((0, 1), (0,), (1,))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from errata.errors import InputError, pluralise

UnitKind = Literal["unit", "punctuation", "linkage", "root"]
"""A linkage links units and is not a part of the tree; a root is added above a graph without one."""

_PropertyValue = str | int | float | bool | None
Properties = tuple[tuple[str, _PropertyValue], ...]

FRAMEWORKS = {"ucca": 1, "dm": 0, "psd": 0, "eds": 1, "ptg": 1, "amr": 2, "drg": 2, "ud": 0}
"""Frameworks with their flavour: 0, nodes are words; 1, nodes are anchored in words; 2, nodes need not be anchored."""
UNANCHORED = 2
MOST_IN_YIELDS = 5_000_000
"""Words of all units and their children together; only malicious graphs have more."""
_MOST_OF_A_CYCLE = 12


class Unit(NamedTuple):
    """A node."""

    id: str
    anchors: tuple[int, ...] = ()
    """The indices of the tokens that it contains directly."""
    kind: UnitKind = "unit"
    implicit: bool = False
    label: str | None = None
    """The label of a node in frameworks other than UCCA."""
    properties: Properties = ()
    """Other properties in the file."""


class Edge(NamedTuple):
    """An edge from a unit to a unit inside it, by their indices."""

    parent: int
    child: int
    labels: tuple[str, ...]
    """Its categories; most edges have one."""
    remote: bool = False
    properties: Properties = ()


@dataclass(frozen=True)
class Graph:
    """The graph of a text; raises :class:`InputError` if units or words do not exist, or if it has a cycle."""

    id: str
    tokens: tuple[str, ...]
    units: tuple[Unit, ...] = field(repr=False)
    edges: tuple[Edge, ...] = field(repr=False)
    framework: str = "ucca"
    punctuation: frozenset[int] = field(default=frozenset(), repr=False)
    """The indices of punctuation marks."""
    paragraphs: tuple[int, ...] = field(default=(), repr=False)
    """The paragraph of every word, counted from 1, if there are several."""
    properties: Properties = field(default=(), repr=False)
    location: str = field(default="", compare=False, repr=False)
    """The path and line it was read from, for messages."""
    raw: str = field(default="", compare=False, repr=False)
    """The text with its original white space, if it is known."""
    spans: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)
    """The spans of the words in ``raw``."""

    def __post_init__(self) -> None:
        if self.framework not in FRAMEWORKS:
            raise InputError(f"unknown framework {self.framework!r:.40}; choose from {', '.join(sorted(FRAMEWORKS))}")
        count = len(self.units)
        for edge in self.edges:
            if not (0 <= edge.parent < count and 0 <= edge.child < count):
                raise InputError(f"an edge from unit {edge.parent} to unit {edge.child} in a graph of {pluralise(count, 'unit')}")
        for unit in self.units:
            if any(not 0 <= position < len(self.tokens) for position in unit.anchors):
                raise InputError(f"unit {unit.id} is anchored outside the {pluralise(len(self.tokens), 'word')} of its graph")
        _ = self.order  # finds cycles

    @property
    def text(self) -> str:
        """The words, separated by single spaces."""
        return " ".join(self.tokens)

    @property
    def name(self) -> str:
        """The name for messages."""
        return f"{self.location}: graph {self.id}" if self.location else f"graph {self.id}"

    @cached_property
    def inside(self) -> tuple[tuple[int, ...], ...]:
        """The children of every unit, without remote edges and linkages."""
        children: list[list[int]] = [[] for _ in self.units]
        for edge in self.edges:
            if not edge.remote and self.units[edge.parent].kind != "linkage":
                children[edge.parent].append(edge.child)
        return tuple(map(tuple, children))

    @cached_property
    def incoming(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges to every unit, including remote edges, without those of linkages."""
        edges: list[list[Edge]] = [[] for _ in self.units]
        for edge in self.edges:
            if self.units[edge.parent].kind != "linkage":
                edges[edge.child].append(edge)
        return tuple(map(tuple, edges))

    @cached_property
    def yields(self) -> tuple[tuple[int, ...], ...]:
        """The indices of the words that every unit spans, in order."""
        yields: list[tuple[int, ...]] = [unit.anchors for unit in self.units]
        total = 0
        for unit in reversed(self.order):
            children = self.inside[unit]
            total += len(yields[unit]) + sum(len(yields[child]) for child in children)
            if total > MOST_IN_YIELDS:
                raise InputError(f"{self.name} is too deep: its units have more than {MOST_IN_YIELDS:,} words in total")
            if not children:
                yields[unit] = tuple(sorted(set(yields[unit]))) if len(yields[unit]) > 1 else yields[unit]
            elif len(children) == 1 and not yields[unit]:
                yields[unit] = yields[children[0]]
            else:
                yields[unit] = tuple(sorted(set(yields[unit]).union(*[yields[child] for child in children])))
        return tuple(yields)

    @cached_property
    def counted(self) -> tuple[int, ...]:
        """The units that measures count: those with an incoming edge, except punctuation marks and linkages."""
        return tuple(position for position, unit in enumerate(self.units) if unit.kind == "unit" and self.incoming[position])

    @cached_property
    def order(self) -> tuple[int, ...]:
        """All units, each after its parents."""
        waiting = [len(edges) for edges in self.incoming]
        below: list[list[int]] = [[] for _ in self.units]
        for edges in self.incoming:
            for edge in edges:
                below[edge.parent].append(edge.child)
        order = [unit for unit, parents in enumerate(waiting) if not parents]
        for unit in order:  # which grows
            for child in below[unit]:
                waiting[child] -= 1
                if not waiting[child]:
                    order.append(child)
        if len(order) < len(self.units):
            raise InputError(f"the graph has a cycle: {self._cycle(waiting)}")
        return tuple(order)

    def _cycle(self, waiting: list[int]) -> str:
        """Describe a cycle; every remaining unit has a parent among the remaining units."""
        unit = next(unit for unit, parents in enumerate(waiting) if parents)
        seen: dict[int, None] = {}
        while unit not in seen:
            seen[unit] = None
            unit = next(edge.parent for edge in self.incoming[unit] if waiting[edge.parent])
        path = [self.units[position].id for position in list(seen)[list(seen).index(unit) :]]
        path = [path[0], *reversed(path)]
        shown = path if len(path) <= _MOST_OF_A_CYCLE else [*path[: _MOST_OF_A_CYCLE - 2], "...", path[-1]]
        return " to ".join(shown)
