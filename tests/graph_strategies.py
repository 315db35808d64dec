"""Random graphs: trees whose units need not be continuous, with remote edges, implicit units and units above a single one."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from errata.language import Edge, Graph, Unit

LABELS = ("A", "C", "D", "H", "P", "S", "L", "N", "F", "R", "E")
words = st.sampled_from(["a", "b", "cat", "cats", "dog", "run"])


@st.composite
def graphs(draw: st.DrawFn, tokens: tuple[str, ...] | None = None) -> Graph:
    """A graph of some words, or of those given."""
    text = tuple(draw(st.lists(words, max_size=7))) if tokens is None else tokens
    count = draw(st.integers(1, 9))
    parents = [draw(st.integers(0, unit - 1)) for unit in range(1, count)]
    edges = [Edge(parent, unit, (draw(st.sampled_from(LABELS)),)) for unit, parent in enumerate(parents, start=1)]
    for _ in range(draw(st.integers(0, 2)) if count > 2 else 0):
        parent = draw(st.integers(0, count - 2))
        edges.append(Edge(parent, draw(st.integers(parent + 1, count - 1)), (draw(st.sampled_from(LABELS)),), remote=True))
    anchored: list[list[int]] = [[] for _ in range(count)]
    for place in range(len(text)):
        anchored[draw(st.integers(0, count - 1))].append(place)
    inner = {edge.parent for edge in edges}
    units = [
        Unit(str(number), tuple(places), implicit=number > 0 and not places and number not in inner)
        for number, places in enumerate(anchored)
    ]
    marks = {number for number in range(1, count) if number not in inner and draw(st.integers(0, 5)) == 0 and anchored[number]}
    units = [unit._replace(kind="punctuation") if number in marks else unit for number, unit in enumerate(units)]
    edges = [edge._replace(labels=("U",)) if edge.child in marks else edge for edge in edges]
    punctuation = frozenset(place for number in marks for place in anchored[number])
    return Graph("1", text, tuple(units), tuple(edges), punctuation=punctuation)


def renamed(graph: Graph, order: list[int]) -> Graph:
    """The same graph with its units in another order, under other names, and its edges turned round."""
    place = {unit: number for number, unit in enumerate(order)}
    units = tuple(graph.units[unit]._replace(id=f"u{unit}") for unit in order)
    edges = tuple(edge._replace(parent=place[edge.parent], child=place[edge.child]) for edge in reversed(graph.edges))
    return replace(graph, id="other", units=units, edges=edges)
