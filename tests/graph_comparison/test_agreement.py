from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import MismatchError, UsageError
from errata.language import Graph, read_graphs
from errata.metrics.meaning import AgreementMatching
from errata.studies import Agreement, MatchCounts, measure_agreement

from graph_notation import graph
from graph_strategies import graphs, renamed

LABELS = get_args(AgreementMatching)


def test_spans_with_the_same_words_and_category_agree() -> None:
    one = graph("[H [A [E the] [C cat]] [P sleeps] [U .]]")
    other = graph("[H [A the cat] [S sleeps] [U .]]")
    # H over three words, A over two, and P and S that count as the same; E and C are only in the one.
    assert measure_agreement(other, one).primary == MatchCounts(3, 5, 3, 3)
    assert measure_agreement(other, one, "strict").primary == MatchCounts(2, 5, 2, 3)
    assert measure_agreement(other, one, "unlabelled").primary == MatchCounts(3, 5, 3, 3)


def test_remote_edges_are_apart() -> None:
    one = graph("[H [A=x Cats] [P sleep]] [H [P eat] [*A x]]")
    other = graph("[H [A=x Cats] [P sleep]] [H [P eat] [*D x]]")
    assert measure_agreement(one, other).remote == MatchCounts(0, 1, 0, 1)
    assert measure_agreement(one, one).remote == MatchCounts(1, 1, 1, 1)


def test_units_of_the_same_words_pool_their_categories() -> None:
    one, other = graph("[H [P go]]"), graph("[A [P go]]")
    assert measure_agreement(one, other, "strict").primary == MatchCounts(1, 1, 1, 1)


def test_categories_of_both_sides() -> None:
    found = measure_agreement(graph("[H [S go] [D home]]"), graph("[H [P go] [A home]]"))
    assert dict(found.categories) == {
        "A": MatchCounts(0, 1, 0, 0),
        "D": MatchCounts(0, 0, 0, 1),
        "H": MatchCounts(1, 1, 1, 1),
        "P": MatchCounts(1, 1, 0, 0),
        "S": MatchCounts(0, 0, 1, 1),
    }


def test_an_implicit_unit_does_not_count() -> None:
    assert measure_agreement(graph("[H [P go] [A]]"), graph("[H [P go]]")).primary == MatchCounts(1, 1, 1, 1)


@given(graphs(), st.sampled_from(LABELS))
def test_a_graph_agrees_with_itself(found: Graph, labels: AgreementMatching) -> None:
    own = measure_agreement(found, found, labels)
    assert own.pooled.f == 1
    assert own.pooled.precise == own.pooled.guessed == own.pooled.expected


@given(st.data(), st.sampled_from(LABELS))
def test_swapping_sides_swaps_precision_and_recall(data: st.DataObject, labels: AgreementMatching) -> None:
    one = data.draw(graphs())
    other = data.draw(graphs(one.tokens))
    ahead, back = measure_agreement(one, other, labels), measure_agreement(other, one, labels)
    for a, b in (
        (ahead.primary, back.primary),
        (ahead.remote, back.remote),
        *zip(dict(ahead.categories).values(), dict(back.categories).values(), strict=True),
    ):
        assert a == MatchCounts(b.recalled, b.expected, b.precise, b.guessed)


@given(st.data())
def test_names_and_the_order_of_units_do_not_matter(data: st.DataObject) -> None:
    one = data.draw(graphs())
    other = data.draw(graphs(one.tokens))
    order = data.draw(st.permutations(range(len(one.units))))
    assert measure_agreement(renamed(one, order), other) == measure_agreement(one, other)


def test_weaker_labels_agree_more() -> None:
    one, other = graph("[H [P go] [A home]]"), graph("[C [S go] [D home]]")
    assert [measure_agreement(one, other, labels).primary.precise for labels in ("strict", "weak", "unlabelled")] == [0, 2, 3]


def test_graphs_of_two_texts() -> None:
    with pytest.raises(MismatchError, match="word 2 is 'sleep' in the first and 'eat' in the second"):
        measure_agreement(graph("[H [A Cats] [P sleep]]"), graph("[H [A Cats] [P eat]]"))
    with pytest.raises(MismatchError, match="the first has 2 words, the second 1"):
        measure_agreement(graph("[H [A Cats] [P sleep]]"), graph("[H [A Cats]]"))
    with pytest.raises(UsageError, match="labels must be weak, strict or unlabelled, found 'loose'"):
        measure_agreement(graph("[H [P go]]"), graph("[H [P go]]"), "loose")  # type: ignore[arg-type]


@pytest.mark.realdata
def test_published_agreement(data: Path) -> None:
    expected = json.loads((data / "expected/coverage-and-meaning.json").read_text(encoding="utf-8"))["f_dag_iaa"]
    pairs = [[read_graphs(data / f"ucca/{who}{number}.xml")[0] for who in ("amittaic", "tree")] for number in expected["passages"]]
    pooled = {labels: Agreement.pool(measure_agreement(tree, amittaic, labels) for amittaic, tree in pairs) for labels in LABELS}
    weak = pooled["weak"]
    for found, counts in (
        (weak.pooled, expected["weak_pooled"]["counts"]),
        (weak.primary, expected["weak_primary"]),
        (weak.remote, expected["weak_remote"]),
        (pooled["strict"].primary, expected["strict_primary"]),
    ):
        assert [found.precise, found.guessed, found.expected] == counts
        assert found.recalled == found.precise
    shares = [weak.pooled.precision, weak.pooled.recall, weak.pooled.f]
    assert shares == pytest.approx([expected["weak_pooled"][name] for name in "PRF"], abs=5e-5)
    assert [round(share, 3) for share in shares] == [0.834, 0.857, 0.845]
