"""Semantic graphs: units that are anchored in words, and labelled edges between them.

A unit spans the words that hang on it or on a unit below it; remote edges lend a unit to a second parent, and do not add to what
that one spans.  An implicit unit has no words.

>>> graph = Graph("1", ("Cats", "sleep"), (Unit("0"), Unit("1", (0,)), Unit("2", (1,))), (Edge(0, 1, ("A",)), Edge(0, 2, ("P",))))
>>> graph.yields
((0, 1), (0,), (1,))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from errata.errors import InputError
from errata.words import pluralise

UnitKind = Literal["unit", "punctuation", "linkage", "root"]
"""A linkage lists units that are linked, and is no part of the tree; a root was added above a graph that has none of its own."""

PropertyValue = str | int | float | bool | None
Properties = tuple[tuple[str, PropertyValue], ...]

FRAMEWORKS = {"ucca": 1, "dm": 0, "psd": 0, "eds": 1, "ptg": 1, "amr": 2, "drg": 2, "ud": 0}
"""Known frameworks with their flavour: 0 nodes are words, 1 nodes are anchored in some, 2 nodes need not be anchored."""
UNANCHORED = 2
MOST_IN_YIELDS = 20_000_000
"""Words in all yields together; only a graph that was made to fill memory has more."""
_MOST_OF_A_CYCLE = 12


class Unit(NamedTuple):
    """A node."""

    id: str
    anchors: tuple[int, ...] = ()
    """The words that hang on it directly, as positions among the tokens."""
    kind: UnitKind = "unit"
    implicit: bool = False
    label: str | None = None
    """What frameworks other than UCCA call a node."""
    properties: Properties = ()
    """What else a file says of it."""


class Edge(NamedTuple):
    """From a unit to one inside it, by their indices among the units."""

    parent: int
    child: int
    labels: tuple[str, ...]
    """Its categories; most have one."""
    remote: bool = False
    properties: Properties = ()


@dataclass(frozen=True)
class Graph:
    """The graph of a text.  An edge to nowhere, a word that is not there and a cycle are an :class:`InputError`."""

    id: str
    tokens: tuple[str, ...]
    units: tuple[Unit, ...] = field(repr=False)
    edges: tuple[Edge, ...] = field(repr=False)
    framework: str = "ucca"
    punctuation: frozenset[int] = field(default=frozenset(), repr=False)
    """The words that are punctuation marks."""
    paragraphs: tuple[int, ...] = field(default=(), repr=False)
    """The paragraph of every word, from 1, if there are several."""
    properties: Properties = field(default=(), repr=False)
    location: str = field(default="", compare=False, repr=False)
    """Where it was read from, for messages."""
    raw: str = field(default="", compare=False, repr=False)
    """The text as it was read, if it is known, with other white space than single spaces between words."""
    spans: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)
    """Where the words are in it."""

    def __post_init__(self) -> None:
        if self.framework not in FRAMEWORKS:
            raise InputError(f"unknown framework {self.framework!r:.40}; known are {', '.join(sorted(FRAMEWORKS))}")
        count = len(self.units)
        for edge in self.edges:
            if not (0 <= edge.parent < count and 0 <= edge.child < count):
                raise InputError(f"an edge from unit {edge.parent} to unit {edge.child} in a graph of {count}")
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
        """What messages call it."""
        return f"{self.location}: graph {self.id}" if self.location else f"graph {self.id}"

    @cached_property
    def inside(self) -> tuple[tuple[int, ...], ...]:
        """For every unit the units right inside it: by edges that are not remote, of units that are not linkages."""
        children: list[list[int]] = [[] for _ in self.units]
        for edge in self.edges:
            if not edge.remote and self.units[edge.parent].kind != "linkage":
                children[edge.parent].append(edge.child)
        return tuple(map(tuple, children))

    @cached_property
    def incoming(self) -> tuple[tuple[Edge, ...], ...]:
        """For every unit the edges to it, remote ones too, except those of linkages."""
        edges: list[list[Edge]] = [[] for _ in self.units]
        for edge in self.edges:
            if self.units[edge.parent].kind != "linkage":
                edges[edge.child].append(edge)
        return tuple(map(tuple, edges))

    @cached_property
    def yields(self) -> tuple[tuple[int, ...], ...]:
        """For every unit the positions of the words that it spans, in order."""
        yields: list[tuple[int, ...]] = [unit.anchors for unit in self.units]
        total = 0
        for unit in reversed(self.order):
            children = self.inside[unit]
            if not children:
                yields[unit] = tuple(sorted(set(yields[unit]))) if len(yields[unit]) > 1 else yields[unit]
            elif len(children) == 1 and not yields[unit]:
                yields[unit] = yields[children[0]]
            else:
                yields[unit] = tuple(sorted(set(yields[unit]).union(*[yields[child] for child in children])))
                total += len(yields[unit])
                if total > MOST_IN_YIELDS:
                    raise InputError(f"{self.name} is so deep that its units have more than {MOST_IN_YIELDS:,} words in all")
        return tuple(yields)

    @cached_property
    def counted(self) -> tuple[int, ...]:
        """The units that measures look at: those with an incoming edge, except punctuation marks and linkages."""
        return tuple(position for position, unit in enumerate(self.units) if unit.kind == "unit" and self.incoming[position])

    @cached_property
    def order(self) -> tuple[int, ...]:
        """All units, every one after its parents."""
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
        """The units of a cycle, in words; all that are left wait for a parent that is left too."""
        unit = next(unit for unit, parents in enumerate(waiting) if parents)
        seen: dict[int, None] = {}
        while unit not in seen:
            seen[unit] = None
            unit = next(edge.parent for edge in self.incoming[unit] if waiting[edge.parent])
        path = [self.units[position].id for position in list(seen)[list(seen).index(unit) :]]
        path = [path[0], *reversed(path)]
        shown = path if len(path) <= _MOST_OF_A_CYCLE else [*path[: _MOST_OF_A_CYCLE - 2], "...", path[-1]]
        return " to ".join(shown)
