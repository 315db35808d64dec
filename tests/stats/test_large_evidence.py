"""Evidence that is read in parts has the numbers of evidence in memory."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata
from errata import Bootstrap, Corpus, Evidence, RequestError, Sentence, UsageError, compare, compute_intervals
from errata.metrics.evidence import LargeEvidence, RowArrays, find_distinct, sum_times
from errata.metrics.strategies import Chosen
from errata.stats import resampling

from thoroughness import often

SETTINGS = Bootstrap(replicates=200)
METRICS = [
    "maxmatch",
    "maxmatch(beta=0.3333333333333333)",
    "maxmatch(choice=sentence)",
    "errant",
    "accuracy",
    "imeasure(references=single)",
]
Rows = tuple[tuple[tuple[int, ...], ...], ...]


def in_memory(metric: str, rows: Rows, name: str = "x") -> Evidence:
    corpus = Corpus((Sentence(("a",)),) * len(rows))
    return Evidence(errata.metric(metric), corpus, name, rows, tuple(("0",) * len(own) for own in rows))


def in_parts(whole: Evidence, size: int) -> LargeEvidence:
    def parts() -> Iterator[RowArrays]:
        for first in range(0, len(whole.rows), size):
            own = whole.rows[first : first + size]
            counts = np.array([row for rows in own for row in rows], dtype=np.int64)
            yield RowArrays(counts, np.cumsum([0, *map(len, own)]))

    return LargeEvidence(whole.metric, whole.corpus, whole.system_name, (), (), parts=parts, sentences=len(whole.rows))


def make_rows(metric: str, count: int, seed: int) -> Rows:
    draw = np.random.default_rng(seed)
    width = len(errata.metric(metric).columns)
    most = 3 if metric.startswith(("maxmatch", "errant")) else 1
    return tuple(tuple(tuple(sorted(draw.integers(0, 6, width).tolist())) for _ in range(draw.integers(1, most + 1))) for _ in range(count))


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
@pytest.mark.parametrize("metric", METRICS)
def test_parts_have_the_counts_and_the_value_of_the_whole(metric: str, size: int) -> None:
    whole = in_memory(metric, make_rows(metric, 300, 1))
    large = in_parts(whole, size)
    assert (large.size, large.counts, large.value) == (whole.size, whole.counts, whole.value)
    assert int(large.times.sum()) == 300
    kinds = np.concatenate(list(large.iterate_kinds()))
    assert large.kinds.matrix[kinds].tolist() == whole.matrix.tolist()
    assert large.kinds.values[kinds].tolist() == whole.sentence_values.tolist()


@pytest.mark.parametrize("metric", METRICS)
def test_intervals_and_tests_are_the_same_for_any_cut(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "MANY", 100)
    monkeypatch.setattr(errata.stats.resampling, "MANY", 100)
    monkeypatch.setattr(resampling, "_WAITING", 50)
    whole = [in_memory(metric, make_rows(metric, 300, seed), str(seed)) for seed in range(3)]
    expected = compute_intervals(whole, SETTINGS), [compare(whole, test, bootstrap=SETTINGS) for test in errata.settings.TESTS]
    for size in (1, 64, 300):
        large = [in_parts(item, size + number) for number, item in enumerate(whole)]
        assert compute_intervals(large, SETTINGS) == expected[0]
        assert [compare(large, test, bootstrap=SETTINGS) for test in errata.settings.TESTS] == expected[1]


def test_groups_have_the_distribution_of_units(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [in_memory("maxmatch", make_rows("maxmatch", 400, seed), str(seed)) for seed in range(2)]
    more = Bootstrap(replicates=4000)
    alone = compute_intervals(whole, more), compare(whole, bootstrap=more)[0]
    monkeypatch.setattr(resampling, "MANY", 100)
    monkeypatch.setattr(errata.stats.resampling, "MANY", 100)
    grouped = compute_intervals(whole, more), compare(whole, bootstrap=more)[0]
    for one, other in zip(*(item[0] for item in (alone, grouped)), strict=True):
        assert abs(one.low - other.low) < 0.003
        assert abs(one.high - other.high) < 0.003
    assert abs(alone[1].p - grouped[1].p) < 0.05
    assert alone[1].effect == pytest.approx(grouped[1].effect)


def test_too_many_kinds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "MANY", 100)
    monkeypatch.setattr(errata.stats.resampling, "MANY", 100)
    monkeypatch.setattr(resampling, "_MOST_KINDS", 100)
    whole = [in_memory("maxmatch", make_rows("maxmatch", 300, seed), str(seed)) for seed in range(2)]
    with pytest.raises(RequestError, match="2 systems differ in too many sentences to be tested together; take fewer systems"):
        compare(whole, bootstrap=SETTINGS)


def test_other_systems_and_their_order_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "MANY", 100)
    monkeypatch.setattr(errata.stats.resampling, "MANY", 100)
    whole = [in_memory("maxmatch", make_rows("maxmatch", 300, seed), str(seed)) for seed in range(3)]
    intervals, comparisons = compute_intervals(whole, SETTINGS), compare(whole, correction="none", bootstrap=SETTINGS)
    assert compute_intervals(whole[:1], SETTINGS) == intervals[:1]
    assert compute_intervals(whole[::-1], SETTINGS) == intervals[::-1]
    (alone,) = compare([whole[2], whole[0]], correction="none", bootstrap=SETTINGS)
    assert alone.turn() == comparisons[1]


def test_what_needs_every_row_is_refused() -> None:
    large = in_parts(in_memory("maxmatch", make_rows("maxmatch", 300, 1)), 64)
    with pytest.raises(RequestError, match="references cannot be rechosen in evidence of more than 20,000 sentences"):
        compute_intervals([large], Bootstrap(replicates=200, choice="again"))
    with pytest.raises(UsageError, match="the matrix of a long corpus is not kept"):
        _ = large.matrix


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=3), max_size=20), st.data()
)
@settings(max_examples=often(60, 30), deadline=None)
def test_rows_are_picked_as_they_are_chosen(sentences: list[list[tuple[int, int, int]]], data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(["maxmatch", "maxmatch(choice=sentence)", "errant", "errant(choice=sentence)"]))
    strategy = errata.metric(text).strategy
    assert isinstance(strategy, Chosen)
    assert strategy.in_order
    cut = data.draw(st.integers(0, len(sentences)))
    before = (0, 0, 0)
    picked: list[int] = []
    for own in (sentences[:cut], sentences[cut:]):
        counts = np.array([row for rows in own for row in rows], dtype=np.int64).reshape(-1, 3)
        starts = np.cumsum([0, *map(len, own)])
        places = strategy.pick(counts, starts, before)
        before = tuple((counts[places].sum(axis=0) + before).tolist())
        picked += (places - starts[:-1]).tolist()
    assert tuple(picked) == strategy.choose(sentences)


@given(st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, -1.0, float("nan")])] * 2), max_size=20), st.booleans())
@settings(max_examples=often(60, 30), deadline=None)
def test_distinct_rows(rows: list[tuple[float, float]], whole: bool) -> None:  # noqa: FBT001
    matrix = np.array([[0 if number != number else int(number) for number in row] for row in rows] if whole else rows)  # noqa: PLR0124
    matrix = matrix.reshape(-1, 2)
    distinct, places = find_distinct(matrix)
    np.testing.assert_array_equal(distinct[places], matrix)
    assert len({tuple(map(str, row)) for row in (matrix + 0).tolist()}) == len(distinct)
    assert [tuple(map(str, row)) for row in distinct.tolist()] == [tuple(map(str, row)) for row in find_distinct(matrix[::-1])[0].tolist()]
    _, times = sum_times(matrix, np.full(len(matrix), 3))
    assert times.tolist() == (3 * np.bincount(places, minlength=len(distinct))).tolist()
