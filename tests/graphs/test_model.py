from __future__ import annotations

import pytest
from hypothesis import given

from errata.corpus import graphs as model
from errata.errors import InputError
from errata.language import Edge, Graph, Unit

from graph_notation import graph
from graph_strategies import graphs


def test_a_unit_spans_what_hangs_on_it_and_below_it() -> None:
    found = graph("[H [A=x Cats] [P sleep]] [L and] [H [P eat] [*A x]] [U .]")
    spans = {found.units[unit].id: found.yields[unit] for unit in range(len(found.units))}
    assert found.tokens == ("Cats", "sleep", "and", "eat", ".")
    assert spans["0"] == (0, 1, 2, 3, 4)
    assert spans["1"] == (0, 1)
    assert spans["5"] == (3,)  # the remote participant adds no words
    assert [found.units[unit].id for unit in found.counted] == ["1", "2", "3", "4", "5", "6"]  # neither the root nor the full stop


def test_a_discontinuous_unit() -> None:
    found = Graph("1", ("take", "it", "off"), (Unit("0"), Unit("1", (0, 2)), Unit("2", (1,))), (Edge(0, 1, ("P",)), Edge(0, 2, ("A",))))
    assert found.yields == ((0, 1, 2), (0, 2), (1,))


def test_a_linkage_is_no_part_of_the_tree() -> None:
    units = (Unit("1"), Unit("2", (0,)), Unit("3", (1,)), Unit("4", kind="linkage"))
    edges = (Edge(0, 1, ("H",)), Edge(0, 2, ("L",)), Edge(3, 2, ("LR",)), Edge(3, 1, ("LA",)))
    found = Graph("1", ("go", "now"), units, edges)
    assert found.counted == (1, 2)
    assert found.yields[3] == ()


@given(graphs())
def test_the_yield_is_the_union_of_what_is_inside(found: Graph) -> None:
    for unit in range(len(found.units)):
        inside = {place for child in found.inside[unit] for place in found.yields[child]} | set(found.units[unit].anchors)
        assert found.yields[unit] == tuple(sorted(inside))


@pytest.mark.parametrize(
    ("units", "edges", "message"),
    [
        ((Unit("0"),), (Edge(0, 1, ("A",)),), "an edge from unit 0 to unit 1 in a graph of 1"),
        ((Unit("0", (5,)),), (), "unit 0 is anchored outside the 1 word of its graph"),
        (
            (Unit("a"), Unit("b"), Unit("c")),
            (Edge(0, 1, ("A",)), Edge(1, 2, ("A",)), Edge(2, 1, ("A",))),
            "the graph has a cycle: b to c to b",
        ),
        ((Unit("a"), Unit("b")), (Edge(0, 1, ("A",)), Edge(1, 0, ("A",), remote=True)), "the graph has a cycle: a to b to a"),
        ((Unit("a"),), (Edge(0, 0, ("A",)),), "the graph has a cycle: a to a"),
    ],
)
def test_what_is_no_graph(units: tuple[Unit, ...], edges: tuple[Edge, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Graph("1", ("word",), units, edges)


def test_an_unknown_framework() -> None:
    with pytest.raises(InputError, match="unknown framework 'sdrt'; choose from amr, dm"):
        Graph("1", (), (), (), "sdrt")


def test_a_long_cycle_is_shown_in_part() -> None:
    count = 500
    units = tuple(Unit(str(number)) for number in range(count))
    edges = tuple(Edge(number, (number + 1) % count, ("A",)) for number in range(count))
    with pytest.raises(InputError, match=r"cycle: 0 to 1 to .* to \.\.\. to 0$"):
        Graph("1", (), units, edges)


def test_a_deep_graph_is_no_trouble() -> None:
    count = 20_000
    units = tuple(Unit(str(number), (0,) if number == count - 1 else ()) for number in range(count))
    found = Graph("1", ("word",), units, tuple(Edge(number, number + 1, ("A",)) for number in range(count - 1)))
    assert found.yields[0] == (0,)


def test_a_graph_made_to_fill_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "MOST_IN_YIELDS", 100)
    count = 50
    units = tuple(Unit(str(number), (number,)) for number in range(count))
    found = Graph("1", ("x",) * count, units, tuple(Edge(number, number + 1, ("A",)) for number in range(count - 1)))
    with pytest.raises(InputError, match="too deep: its units have more than 100 words"):
        _ = found.yields


@pytest.mark.parametrize(
    ("parents", "children", "words"),
    [
        (20, 20, 3),  # each parent joins the words of all children
        (60, 1, 20),  # the words of a child are those of its parents
    ],
)
def test_words_of_children_count_too(monkeypatch: pytest.MonkeyPatch, parents: int, children: int, words: int) -> None:
    anchors = tuple(range(words))
    units = tuple(Unit(str(number), anchors if number >= parents else ()) for number in range(parents + children))
    edges = tuple(Edge(parent, parents + child, ("A",)) for parent in range(parents) for child in range(children))
    found = Graph("1", ("x",) * words, units, edges)
    total = (parents * children + children) * words
    monkeypatch.setattr(model, "MOST_IN_YIELDS", total)
    assert found.yields[0] == anchors
    monkeypatch.setattr(model, "MOST_IN_YIELDS", total - 1)
    with pytest.raises(InputError, match="too deep"):
        _ = Graph("1", ("x",) * words, units, edges).yields
