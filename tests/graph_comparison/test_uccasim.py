from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from errata.errors import MismatchError, RequestError, UsageError
from errata.language import Edge, Graph, Unit, read_graphs
from errata.metrics import meaning
from errata.metrics.meaning import Distributions, LabelMatching, _Implicit, _Partner, _WordAlignment, compute_distsim, make_distributions
from errata.report.tables import faithfulness as faithfulness_tables
from errata.studies import (
    MatchCounts,
    UccaSimSettings,
    UccaSimValue,
    align_graphs,
    evaluate_faithfulness,
    measure_agreement,
    pair_graphs,
)
from errata.studies.faithfulness import format_unit, judge_units

from graph_notation import graph
from graph_strategies import graphs, renamed
from thoroughness import some
from uccasim_rule import written_out

comparings = st.builds(
    UccaSimSettings,
    st.sampled_from(get_args(_WordAlignment)),
    st.sampled_from(get_args(_Partner)),
    st.sampled_from(get_args(LabelMatching)),
    st.sampled_from(get_args(_Implicit)),
    st.integers(0, 2),
)


@given(graphs(), graphs(), comparings)
def test_the_counts_are_those_of_the_definition(source: Graph, correction: Graph, settings: UccaSimSettings) -> None:
    assert align_graphs(source, correction, settings).counts == written_out(source, correction, settings)


@given(graphs(), comparings)
def test_a_graph_is_faithful_to_itself(found: Graph, settings: UccaSimSettings) -> None:
    assume(settings.implicit == "parents" or settings.min_words > 0 or all(found.yields[unit] for unit in found.counted))
    value = UccaSimValue.of(align_graphs(found, found, settings).counts)
    assert value.matched.f == 1
    assert value.mean == 1


@given(graphs(), graphs(), comparings)
def test_swapping_sides_swaps_precision_and_recall(source: Graph, correction: Graph, settings: UccaSimSettings) -> None:
    ahead, back = align_graphs(source, correction, settings), align_graphs(correction, source, settings)
    assert (ahead.source_units, ahead.correction_units) == (back.correction_units, back.source_units)
    assert (ahead.source_reached, ahead.correction_reached) == (back.correction_reached, back.source_reached)
    assert UccaSimValue.of(ahead.counts).mean == pytest.approx(UccaSimValue.of(back.counts).mean)


def test_ties_between_alignments_do_not_depend_on_the_side() -> None:
    one, other = graph("[H [A a] [P at]]"), graph("[H [A an] [P a]]")
    ahead, back = align_graphs(one, other), align_graphs(other, one)
    assert sorted((b, a) for a, b in ahead.words) == list(back.words)


def test_swapping_a_source_and_its_correction() -> None:
    for source, correction in zip(read_graphs("examples/graphs/source.mrp"), read_graphs("examples/graphs/bold.mrp"), strict=True):
        ahead = UccaSimValue.of(align_graphs(source, correction).counts)
        back = UccaSimValue.of(align_graphs(correction, source).counts)
        assert (ahead.matched.precision, ahead.matched.recall) == (back.matched.recall, back.matched.precision)
        assert ahead.from_source.f == back.from_correction.f


@given(graphs(), graphs(), comparings, st.data())
def test_names_and_the_order_of_units_do_not_matter(
    source: Graph, correction: Graph, settings: UccaSimSettings, data: st.DataObject
) -> None:
    again = renamed(source, data.draw(st.permutations(range(len(source.units)))))
    assert align_graphs(again, correction, settings).counts == align_graphs(source, correction, settings).counts
    assert align_graphs(correction, again, settings).counts == align_graphs(correction, source, settings).counts


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Graph, Graph]:
    """A text of scenes with different words, and the same with one participant less.

    What is left of a scene is still more like it than any part: it has a relation and participants of one or two words.
    """
    texts, shorter = [], []
    count = draw(st.integers(1, 3))
    dropped = draw(st.integers(0, count - 1))
    word = iter(range(1000))
    for number in range(count):
        participants = []
        for _ in range(draw(st.integers(2, 4))):
            inside = f"[E w{next(word)}] [C w{next(word)}]" if draw(st.booleans()) else f"w{next(word)}"
            participants.append(f"[{draw(st.sampled_from('AD'))} {inside}]")
        head = f"[P w{next(word)}] [F w{next(word)}]"
        texts.append(f"[H {' '.join(participants)} {head}]")
        kept = participants[1:] if number == dropped else participants
        shorter.append(f"[H {' '.join(kept)} {head}]")
    return graph(" ".join(texts)), graph(" ".join(shorter))


@given(scenes(), st.sampled_from(get_args(_WordAlignment)), st.sampled_from(get_args(LabelMatching)))
def test_dropping_a_participant_lowers_recall_and_not_precision(
    pair: tuple[Graph, Graph], words: _WordAlignment, tags: LabelMatching
) -> None:
    value = UccaSimValue.of(align_graphs(*pair, UccaSimSettings(word_alignment=words, labels=tags)).counts).matched
    assert value.recall < 1
    assert value.precision == 1


def test_what_is_left_may_be_like_a_part() -> None:
    """Why the law is not one for every graph: without its long participant a scene is more like one of its parts."""
    source, correction = graph("[H [A a b c d e f] [P go]]"), graph("[H [P go]]")
    assert UccaSimValue.of(align_graphs(source, correction).counts).matched == MatchCounts(1, 2, 2, 3)


def test_a_worked_example() -> None:
    source = graph("[H [A I] [F am] [P agree] [A [R with] [E this] [C opinion]] [U .]]")
    correction = graph("[H [A I] [P agree] [A [R with] [C this]] [U .]]")
    pair = align_graphs(source, correction)
    shown = [(row.outcome, format_unit(source, row.source) if row.source is not None else "") for row in judge_units(pair)]
    assert shown == [
        ("kept", "I am agree with this opinion ."),
        ("kept", "I"),
        ("lost", "am"),
        ("kept", "agree"),
        ("kept", "with this opinion"),
        ("kept", "with"),
        ("relabelled", "this"),
        ("lost", "opinion"),
    ]
    assert UccaSimValue.of(pair.counts).matched == MatchCounts(5, 6, 5, 8)


def test_the_match_that_is_shown_is_the_one_that_is_found() -> None:
    pair = align_graphs(graph("[P go]"), graph("[E [S go]]"))
    (row, *_) = judge_units(pair)
    assert row.outcome == "kept"
    assert row.correction is not None
    assert pair.correction.incoming[row.correction][0].labels == ("S",)


def test_added_and_implicit_units() -> None:
    pair = align_graphs(graph("[H [A cats] [P go]]"), graph("[H [A cats] [P go] [D now] [A]]"), UccaSimSettings(word_alignment="monotone"))
    rows = [(row.outcome, format_unit(pair.correction, row.correction)) for row in judge_units(pair) if row.correction is not None]
    assert rows == [("kept", "cats go now"), ("kept", "cats"), ("kept", "go"), ("added", "now"), ("added", "(implicit)")]
    assert format_unit(Graph("1", ("take", "it", "off"), (Unit("0", (0, 2)),), ()), 0) == "take ... off"


def test_units_of_few_words_can_be_left_out() -> None:
    source, correction = graph("[H [A the cat] [P sleeps]]"), graph("[H [A the cats] [S sleep]]")
    counts = align_graphs(source, correction, UccaSimSettings(min_words=2)).counts
    assert UccaSimValue.of(counts).matched == MatchCounts(2, 2, 2, 2)


def test_graphs_without_words_in_their_units() -> None:
    found = Graph("a", ("go",), (Unit("0"), Unit("1")), (Edge(0, 1, ("ARG0",)),), "amr")
    with pytest.raises(RequestError, match=r"graph a has no units with words \(framework amr\)"):
        align_graphs(found, found)


def test_a_graph_of_free_nodes_is_counted() -> None:
    def semantic(text: str) -> Graph:
        """As in DM: modifiers point to what they modify, and nothing points to them."""
        words = text.split()
        units = tuple(Unit(str(place), (place,)) for place in range(len(words)))
        edges = [Edge(place, words.index("cat"), ("ARG1",)) for place in range(len(words)) if words[place] != "cat"]
        root = len(units)
        edges += [Edge(root, place, ("FREE",)) for place in range(len(words)) if words[place] != "cat"]
        return Graph(text, tuple(words), (*units, Unit("TOP", kind="root")), tuple(edges), "dm")

    value = UccaSimValue.of(align_graphs(semantic("the big fierce cat sleeps soundly"), semantic("cat sleeps")).counts).matched
    assert (value.expected, value.guessed) == (6, 2)
    assert value.recall < 0.5


def test_graphs_of_two_frameworks() -> None:
    tree = Graph("t", ("go",), (Unit("0", kind="root"), Unit("1", (0,))), (Edge(0, 1, ("root",)),), "ud")
    with pytest.raises(MismatchError, match="graph 1 is of the framework ucca, but graph t of ud; they cannot be compared"):
        align_graphs(graph("[H [P go]]"), tree)
    with pytest.raises(MismatchError, match="they cannot be compared"):
        measure_agreement(graph("[H [P go]]"), tree)
    assert align_graphs(tree, Graph("", (), (), ())).counts[:4] == (0, 1, 0, 0)


@pytest.mark.slow
def test_many_units_of_the_same_words_are_refused() -> None:
    chain = graph("[A " * 1_500 + "go" + "]" * 1_500)
    with pytest.raises(RequestError, match="too many units have the same words to be aligned"):
        align_graphs(chain, chain)
    empty = graph("[H [P go] " + "[A] " * 1_500 + "]")
    with pytest.raises(RequestError, match="too many units without words to be aligned"):
        align_graphs(empty, empty)


@pytest.mark.slow
def test_work_without_end_is_refused() -> None:
    count = 1_500
    units = tuple(Unit(str(number), (number,)) for number in range(count))
    deep = Graph(
        "deep",
        tuple(f"w{number}" for number in range(count)),
        units,
        tuple(Edge(number, number + 1, ("A",)) for number in range(count - 1)),
    )
    with pytest.raises(
        RequestError, match="graph deep and graph deep: the graphs are too deep to be aligned in seconds; cut them into sentences"
    ):
        align_graphs(deep, deep, UccaSimSettings(word_alignment="monotone"))


def test_texts_too_long_to_be_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = graph("[H [A a] [P bb]]"), graph("[H [A a] [P c]]")
    with monkeypatch.context() as patched:
        patched.setattr(meaning, "_MOST_PAIRS_OF_WORDS", {"assignment": 3, "monotone": 4})
        with pytest.raises(RequestError, match="have 2 and 2 words, too many to be aligned; cut them into sentences"):
            align_graphs(*texts)
        assert align_graphs(*texts, UccaSimSettings(word_alignment="monotone"))
    monkeypatch.setattr(meaning, "_MOST_PAIRS_OF_CHARACTERS", 5)
    with pytest.raises(RequestError, match="have words of 3 and 2 characters together, too many to be aligned"):
        align_graphs(*texts)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"word_alignment": "x"}, "uccasim setting word_alignment must be one of assignment, monotone, found 'x'"),
        ({"partner": "x"}, "uccasim setting partner must be one of f1, share, found 'x'"),
        ({"labels": "none"}, "uccasim setting labels must be one of weak, strict, found 'none'"),
        ({"implicit": "x"}, "uccasim setting implicit must be one of parents, none, found 'x'"),
        ({"min_words": -1}, "uccasim setting min_words must be a whole number from 0 to 1000000, found -1"),
    ],
)
def test_settings_that_are_none(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        UccaSimSettings(**settings)


def test_what_is_no_graph() -> None:
    with pytest.raises(UsageError, match=r"expected graphs, for example from errata\.read_graphs, found str"):
        align_graphs("a", "b")  # type: ignore[arg-type]


def test_pairing() -> None:
    def texts(*names: str) -> list[Graph]:
        return [graph("[H [P go]]", name) for name in names]

    assert [(a.id, b.id) for a, b in pair_graphs(texts("1", "2"), texts("2", "1"), "x")] == [("1", "1"), ("2", "2")]
    assert [(a.id, b.id) for a, b in pair_graphs(texts("1", "2"), texts("a", "b"), "x")] == [("1", "a"), ("2", "b")]
    with pytest.raises(MismatchError, match="x has 1 graph, but the source has 2; x has no graph '2'"):
        pair_graphs(texts("1", "2"), texts("1"), "x")
    with pytest.raises(MismatchError, match="the source has no graph '3'"):
        pair_graphs(texts("1", "2"), texts("1", "2", "3"), "x")
    with pytest.raises(MismatchError, match="x has no graph '2'"):
        pair_graphs(texts("1", "2"), texts("1", "3"), "x")


@given(st.lists(st.tuples(graphs(), graphs()), min_size=1, max_size=3))
def test_pairs_add_up(pairs: list[tuple[Graph, Graph]]) -> None:
    found = evaluate_faithfulness("x", pairs)
    each = [align_graphs(*pair).counts for pair in pairs]
    assert found.counts == tuple(map(sum, zip(*each, strict=True)))
    assert found.evidence().counts == found.counts
    assert found.evidence().value == pytest.approx(found.value.matched.f)
    by_category = [matched for _, matched in found.by_category]
    labels = sum(len({label for edge in source.incoming[unit] for label in edge.labels}) for source, _ in pairs for unit in source.counted)
    assert sum(matched.expected for matched in by_category) == labels


def test_counts_of_categories() -> None:
    source, correction = graph("[H [A the cat] [D very much] [P sleeps]]"), graph("[H [A the cat] [A a dog] [P sleeps]]")
    pair = make_distributions(source, correction)
    assert compute_distsim([pair], ["A", "D"]).overlap == pytest.approx(2 * 1 / 4)
    assert compute_distsim([pair], ["A", "D"]).difference == 0  # two edges on either side
    assert compute_distsim([pair], ["A"]).difference == 1
    assert compute_distsim([pair], ["H"]).overlap == 1
    assert compute_distsim([pair], ["P"]).overlap is None  # of one word only
    assert compute_distsim([make_distributions(source, correction, min_words=1)], ["P"]).overlap == 1
    assert compute_distsim([], ["A"]).difference is None


@given(graphs())
def test_a_graph_has_the_counts_of_itself(found: Graph) -> None:
    pair = make_distributions(found, found)
    for name in pair.source:
        value = compute_distsim([pair], [name])
        assert (value.overlap, value.pooled, value.difference) == (1, 1, 0)


def _recorded(data: Path, kind: str) -> dict[str, list[tuple[str, str, list[int], list[int]]]]:
    rows = json.loads((data / "published/uccasim_pairs.json").read_text(encoding="utf-8"))
    found: dict[str, list[tuple[str, str, list[int], list[int]]]] = {}
    for alignment, group, one, two, *counts in rows:
        if alignment == kind:
            found.setdefault(group, []).append((one, two, *counts))
    return found


def _essay(data: Path, name: str) -> Graph:
    return read_graphs(data / f"ucca/{name}.xml")[0]


@pytest.mark.realdata
@pytest.mark.parametrize("words", get_args(_WordAlignment))
def test_recorded_counts_of_two_annotators(data: Path, words: _WordAlignment) -> None:
    means = json.loads((data / "expected/coverage-and-meaning.json").read_text(encoding="utf-8"))["f_uccasim_all_units_weak"]
    for group, mean in (("IAA 4 sources", means["IAA_F_mean_4_sources"]), ("IAA all 7", means["IAA_F_mean_7"])):
        values = []
        for one, two, second, first in _recorded(data, "monotone")[group]:
            essays = _essay(data, two), _essay(data, one)
            value = UccaSimValue.of(align_graphs(*essays, UccaSimSettings(word_alignment=words, implicit="none")).counts)
            assert value.matched == MatchCounts(*first, *second)
            values.append(value.matched.f)
            by_default = UccaSimValue.of(align_graphs(*essays, UccaSimSettings(word_alignment=words)).counts).matched
            assert all(0 <= own - recorded <= 1 for own, recorded in zip(by_default, value.matched, strict=True))
        assert sum(values) / len(values) == pytest.approx(mean, abs=5e-5)


@pytest.mark.realdata
@pytest.mark.parametrize(("group", "similar"), [("Different", (0.9640, 0.9316)), ("Same", (0.9692, 0.9606))])
def test_recorded_faithfulness_of_references(data: Path, group: str, similar: tuple[float, float]) -> None:
    expected = json.loads((data / "expected/coverage-and-meaning.json").read_text(encoding="utf-8"))["f_uccasim_all_units_weak"]
    pairs = [(_essay(data, two), _essay(data, one)) for one, two, *_ in _recorded(data, "monotone")[group]]
    found = evaluate_faithfulness(group, pairs, UccaSimSettings(word_alignment="monotone"))
    assert found.mean == pytest.approx(expected[f"{group}_F"]["monotone_alignment"], abs=0.01)
    assert evaluate_faithfulness(group, pairs).mean == pytest.approx(expected[f"{group}_F"]["authors_sentencewise"], abs=0.01)
    for pair, (*_, second, first) in zip(found.pairs, _recorded(data, "monotone")[group], strict=True):
        assert (pair.counts[1], pair.counts[3]) == (second[1], first[1])
    assert found.distsim(["A", "D"]).overlap == pytest.approx(similar[0], abs=0.0005)
    assert found.distsim(["H"]).overlap == pytest.approx(similar[1], abs=0.0005)
    differences = [found.distsim(names).difference for names in (["A", "D"], ["H"])]
    assert differences == pytest.approx({"Different": (17.7, 8.3), "Same": (8.4, 4.9)}[group], abs=0.05)


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("settings", "group", "expected"),
    some(
        [
            (UccaSimSettings(word_alignment="monotone"), "Different", (0.847, 0.835, 0.842, 0.839)),
            (UccaSimSettings(word_alignment="monotone"), "Same", (0.899, 0.891, 0.898, 0.895)),
            (UccaSimSettings(word_alignment="monotone"), "IAA 4 sources", (0.898, 0.884, 0.897, 0.891)),
            (UccaSimSettings(word_alignment="monotone", partner="share"), "Different", (0.871, 0.855, 0.866, 0.861)),
            (UccaSimSettings(word_alignment="monotone", partner="share"), "Same", (0.911, 0.896, 0.904, 0.900)),
            (UccaSimSettings(word_alignment="monotone", partner="share"), "IAA 4 sources", (0.919, 0.915, 0.922, 0.919)),
            (UccaSimSettings(), "Different", (0.825, 0.812, 0.818, 0.815)),
            (UccaSimSettings(), "Same", (0.875, 0.865, 0.872, 0.869)),
        ],
        4,
    ),
)
def test_what_the_documentation_says_of_table_2(data: Path, settings: UccaSimSettings, group: str, expected: tuple[float, ...]) -> None:
    values = []
    for one, two, *_ in _recorded(data, "monotone")[group]:
        value = UccaSimValue.of(align_graphs(_essay(data, two), _essay(data, one), settings).counts)
        values.append((value.matched.f, value.from_source.f, value.from_correction.f, value.mean))
    assert [sum(column) / len(values) for column in zip(*values, strict=True)] == pytest.approx(expected, abs=0.0006)


@pytest.mark.realdata
def test_what_tables_say_of_two_people(data: Path) -> None:
    pairs = [(_essay(data, two), _essay(data, one)) for one, two, *_ in _recorded(data, "monotone")["IAA all 7"]]
    found = evaluate_faithfulness("people", pairs)
    values = [100 * UccaSimValue.of(pair.counts).matched.f for pair in found.pairs]
    assert f"{min(values):.0f} to {max(values):.0f}, {sum(values) / len(values):.0f} on average" == faithfulness_tables._PEOPLE


@pytest.mark.realdata
def test_unrelated_essays(data: Path) -> None:
    """What the documentation says for scale."""
    values = [
        UccaSimValue.of(align_graphs(_essay(data, one), _essay(data, two)).counts).matched.f
        for one, two in (("tree1301", "amittaic1203"), ("tree1302", "amittaic1205"), ("tree1297", "tree1198"))
    ]
    assert values == pytest.approx([0.5] * 3, abs=0.05)


def test_units_without_words_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are visited count, though none of them matches."""
    units = (Unit("0"), *(Unit(str(number), (0,)) for number in range(1, 11)), *(Unit(str(number)) for number in range(11, 21)))
    below = tuple(Edge(0, number, ("A",)) for number in range(1, 11))
    source = Graph("1", ("a",), units, below + tuple(Edge(1, number, ("A",)) for number in range(11, 21)))
    monkeypatch.setattr(meaning, "_MOST_VISITED", 200)
    assert align_graphs(source, source)
    monkeypatch.setattr(meaning, "_MOST_VISITED", 199)
    with pytest.raises(RequestError, match="too many units without words to be aligned"):
        align_graphs(source, source)


def test_graphs_without_pairs_are_named_at_once() -> None:
    """Making a set of all ids for each of them would take minutes."""
    found = [Graph(str(number), (), (), ()) for number in range(20_000)]
    with pytest.raises(MismatchError, match="x has 20,000 graphs, but the source has 19,999; the source has no graph '19999'"):
        pair_graphs(found[:-1], found, "x")


def test_a_category_is_counted_only_in_the_pairs_that_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking every pair for every category would be quadratic."""
    found = [graph(f"[L{number} a b] [P c d]", str(number)) for number in range(50)]
    result = evaluate_faithfulness("x", list(zip(found, found, strict=True)))
    expected = [compute_distsim(result.distributions, [name]) for name in result.categories]
    asked = 0

    def counting(self: Distributions, categories: Sequence[str]) -> int:
        nonlocal asked
        asked += 1
        return sum(min(self.source[name], self.correction[name]) for name in categories)

    monkeypatch.setattr(Distributions, "shared", counting)
    assert [result.distsim([name]) for name in result.categories] == expected
    assert asked == 50 + 50
    assert result.distsim(["none"]) == compute_distsim(result.distributions, ["none"])
