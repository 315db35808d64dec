"""Graphs in brackets, for tests: ``[H [A Cats] [P sleep] [U .]]``; ``[A=x ...]`` names a unit, and ``[*A x]`` is a remote edge to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from errata.corpus.texts import Tokens
from errata.language import Edge, Graph, Unit

_PIECE = re.compile(r"\[\s*(\*?)([^\s\[\]=]+)(?:=(\w+))?|\]|[^\s\[\]]+")


def graph(text: str, name: str = "1") -> Graph:
    """The graph that is written in brackets, below a root."""
    units, edges = [Unit("0")], list[Edge]()
    tokens: list[str] = []
    marks: set[int] = set()
    stack = [0]
    named: dict[str, int] = {}
    remote: list[tuple[int, str, str]] = []
    pieces = list(_PIECE.finditer(text))
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        if piece.group() == "]":
            stack.pop()
        elif piece.group(1):
            remote.append((stack[-1], piece.group(2), pieces[place + 1].group()))
            place += 2
        elif piece.group(2):
            unit = len(units)
            units.append(Unit(str(unit), kind="punctuation" if piece.group(2) == "U" else "unit"))
            edges.append(Edge(stack[-1], unit, tuple(piece.group(2).split("|"))))
            if piece.group(3):
                named[piece.group(3)] = unit
            stack.append(unit)
        else:
            own = units[stack[-1]]
            units[stack[-1]] = own._replace(anchors=(*own.anchors, len(tokens)))
            if own.kind == "punctuation":
                marks.add(len(tokens))
            tokens.append(piece.group())
        place += 1
    edges += [Edge(parent, named[child], (label,), remote=True) for parent, label, child in remote]
    parents = {edge.parent for edge in edges}
    units = [unit._replace(implicit=number > 0 and not unit.anchors and number not in parents) for number, unit in enumerate(units)]
    return Graph(name, tuple(tokens), tuple(units), tuple(edges), punctuation=frozenset(marks))


def toy_parser(sentences: Sequence[Tokens]) -> list[Graph]:
    """A parser: the first word is a relation, pairs of others are participants."""
    found = []
    for number, tokens in enumerate(sentences):
        rest = [f"[A {' '.join(tokens[place : place + 2])}]" for place in range(1, len(tokens), 2)]
        found.append(graph(f"[H [P {tokens[0]}] {' '.join(rest)}]", str(number)))
    return found
