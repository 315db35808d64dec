"""The score of several references, by every strategy."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import Bootstrap, Corpus, Evaluator, Metric, RequestError, Sentence, UsageError, compare, compute_intervals
from errata.corpus.texts import Tokens
from errata.metrics import Choose, Draws, Expectation, ExpectedCounts, RatioMetric, SingleRow, Strategy, draws
from errata.metrics.evidence import Evidence
from errata.metrics.ratios import Ratio, Row


@dataclass(frozen=True)
class Shared(RatioMetric):
    """Shared words of all, with any strategy; several references have different numbers of words."""

    how: Strategy = field(default_factory=SingleRow)

    name: ClassVar[str] = "shared"
    summary: ClassVar[str] = "shared words"
    columns: ClassVar[tuple[str, ...]] = ("shared", "words")

    @property
    def strategy(self) -> Strategy:
        return self.how

    @property
    def ratio(self) -> Ratio:
        return Ratio((1, 0), (0, 1))


@dataclass(frozen=True)
class Linear(Shared):
    """Its value is a sum, so that what is expected of it is known."""

    def value(self, counts: Row) -> float:
        return counts[0] + 2 * counts[1]

    def expected_values(self, means: Any, covariances: Any) -> Any:
        assert covariances.shape == (*means.shape, means.shape[1])
        return means[:, 0] + 2 * means[:, 1]


def evidence_of(metric: Metric, rows: list[list[Row]]) -> Evidence:
    labels = tuple(tuple(str(number) for number in range(len(own))) for own in rows)
    return Evidence(metric, Corpus((Sentence(("a",)),) * len(rows)), "x", tuple(map(tuple, rows)), labels)


corpora = st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 6)), min_size=1, max_size=3), min_size=2, max_size=6)


def test_draws_are_those_of_python_2() -> None:
    """Recorded from Python 2: seed 0 and 101 with two references, seed 0 with four."""
    two = Draws(2).draw([2] * 16)
    assert "".join(map(str, two[0])) == "1100101001110110"
    assert "".join(map(str, two[1])) == "1011010001010001"
    assert "".join(map(str, Draws(1).draw([4] * 12)[0])) == "331121311232"
    mixed = [2, 4, 1, 3] * 5
    own = random.Random(7)
    assert Draws(1, seed=7).draw(mixed)[0].tolist() == [int(own.random() * size) for size in mixed]


@given(corpora, st.integers(1, 5), st.integers(0, 1000))
def test_draws_are_the_mean_of_their_values(rows: list[list[Row]], times: int, seed: int) -> None:
    metric = Shared(Draws(times, seed))
    drawn = Draws(times, seed).draw([len(own) for own in rows])
    sums = [tuple(map(sum, zip(*(own[index] for own, index in zip(rows, indices, strict=True)), strict=True))) for indices in drawn]
    expected = sum(Fraction(metric.value(counts)) for counts in sums) / times
    assert evidence_of(metric, rows).value == pytest.approx(float(expected), abs=1e-12)
    assert evidence_of(metric, rows).chosen is None


@given(corpora)
def test_the_expectation_is_the_mean_over_all_choices(rows: list[list[Row]]) -> None:
    metric = Shared(Expectation())
    every = [metric.value(tuple(map(sum, zip(*choice, strict=True)))) for choice in product(*rows)]
    assert evidence_of(metric, rows).value == pytest.approx(sum(every) / len(every), abs=1e-12)


@given(corpora)
def test_expected_counts_are_the_mean_rows(rows: list[list[Row]]) -> None:
    means = [[Fraction(sum(column), len(own)) for column in zip(*own, strict=True)] for own in rows]
    shared, words = (sum(column) for column in zip(*means, strict=True))
    evidence = evidence_of(Shared(ExpectedCounts()), rows)
    assert evidence.value == pytest.approx(float(shared / words), abs=1e-12)
    assert (evidence.matrix == np.round(evidence.matrix)).all()


def test_where_there_are_too_many_choices_the_metric_says_what_it_expects(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[list[Row]] = [[(k, 9), (0, k + 1)] for k in range(1, 9)]
    exact = evidence_of(Linear(Expectation()), rows).value
    monkeypatch.setattr(draws, "_MOST_EXPECTED_SUMS", 3)
    assert evidence_of(Linear(Expectation()), rows).value == pytest.approx(exact)
    with pytest.raises(RequestError, match="shared has no expected_values, which Expectation needs; use Draws instead"):
        _ = evidence_of(Shared(Expectation()), rows).value


@pytest.mark.parametrize("how", [Draws(20), ExpectedCounts(), Expectation(), Choose("sentence", Ratio((1, 0), (0, 1))), SingleRow()])
@given(rows=corpora)
@settings(max_examples=20)
def test_sums_of_lines_have_the_value_of_the_corpus(how: Strategy, rows: list[list[Row]]) -> None:
    """What intervals and tests rest on: the sum of the lines of all sentences has the value of the corpus."""
    if isinstance(how, SingleRow):
        rows = [own[:1] for own in rows]
    metric = Linear(how) if isinstance(how, Expectation) else Shared(how)
    evidence = evidence_of(metric, rows)
    assert evidence.values(evidence.matrix.sum(axis=0)[None, :])[0] == pytest.approx(evidence.value, abs=1e-9)


@pytest.mark.parametrize("how", [Draws(20), ExpectedCounts()])
def test_intervals_and_tests_of_metrics_that_choose_no_reference(how: Strategy) -> None:
    draw = random.Random(1)
    worse: list[list[Row]] = [[(draw.randint(0, 3), 9), (draw.randint(0, 3), 8)] for _ in range(40)]
    better: list[list[Row]] = [[(first + 3, 9), (second + 4, 8)] for (first, _), (second, _) in worse]
    one, other = (evidence_of(Shared(how), rows) for rows in (better, worse))
    kept, again = (compute_intervals([one, other], Bootstrap(replicates=500, choice=choice))[0] for choice in ("kept", "again"))
    assert kept.low < one.value < kept.high
    assert (kept.low, kept.high) == (again.low, again.high)  # nothing is chosen, so nothing can be chosen again
    (found,) = compare([one, Evidence(other.metric, other.corpus, "y", other.rows, other.labels)], bootstrap=Bootstrap(replicates=500))
    assert found.difference == pytest.approx(one.value - other.value)
    assert found.p < 0.01


def test_a_sentence_alone_is_the_mean_over_its_references() -> None:
    evidence = evidence_of(Shared(Draws(3)), [[(1, 2), (1, 4)], [(3, 3)]])
    assert evidence.sentence(1) == ((1, 3), "mean", 0.375)
    assert evidence.sentence(2) == ((3, 3), "0", 1.0)


def test_a_sentence_of_expected_counts_is_a_corpus_of_one() -> None:
    rows: list[list[Row]] = [[(1, 1), (0, 9)]]
    evidence = evidence_of(Shared(ExpectedCounts()), rows)
    assert evidence.value == evidence.sentence(1).value == pytest.approx(0.1)


@pytest.mark.slow
def test_expectations_of_a_corpus_of_real_size() -> None:
    """2 ** 1312 choices are more than any floating-point number."""
    rows: list[list[Row]] = [[(1, 2), (0, 2)]] * 1312
    assert evidence_of(Shared(Expectation()), rows).value == pytest.approx(0.25)


def test_counts_of_many_references_are_mean_counts() -> None:
    evidence = evidence_of(Shared(Draws(5)), [[(1, 2), (0, 4)], [(3, 3)], [(2, 5), (2, 5), (2, 5)]])
    assert evidence.counts == (round(0.5 + 3 + 2), 3 + 3 + 5)
    with pytest.raises(UsageError, match="exact intervals need a metric whose sentences match or not"):
        compute_intervals([evidence], Bootstrap(method="exact"))


def test_systems_stay_paired_where_units_are_many() -> None:
    """Of more than 20,000 sentences identical ones are grouped, for all systems together."""
    draw = random.Random(3)
    worse: list[list[Row]] = [[(draw.randint(0, 3), 5), (draw.randint(0, 3), 5)] for _ in range(20_001)]
    better: list[list[Row]] = [[(first + (k % 500 == 0), 5), second] for k, ((first, _), second) in enumerate(worse)]
    one = evidence_of(Shared(ExpectedCounts()), better)
    other = Evidence(one.metric, one.corpus, "y", tuple(map(tuple, worse)), one.labels)
    kept, again = (compare([one, other], bootstrap=Bootstrap(replicates=300, choice=choice))[0] for choice in ("kept", "again"))
    assert (kept.low, kept.high) == (again.low, again.high)
    assert kept.low > 0


def test_draws_that_are_none() -> None:
    for times, seed in ((0, 0), (1, -1), (1, 1 << 32)):
        with pytest.raises(UsageError, match="times must be 1 or more and the seed 0 or more"):
            Draws(times, seed)


@pytest.mark.parametrize("how", [Draws(2), Expectation(), ExpectedCounts(), SingleRow(), Choose("official", Ratio((1, 0), (0, 1)))])
def test_nothing_at_all(how: Strategy) -> None:
    assert evidence_of(Shared(how), []).value == 1.0


@dataclass(frozen=True)
class Careless(Shared):
    """Forgets sentences that nobody annotated."""

    def count(self, sentence: Sentence, hypothesis: Tokens) -> list[Row]:
        return [(1, len(hypothesis)) for _ in sentence.annotations]


@pytest.mark.parametrize("how", [Draws(2), SingleRow(), Choose("official", Ratio((1, 0), (0, 1)))])
def test_a_sentence_without_a_row_is_named(how: Strategy) -> None:
    corpus = Corpus((Sentence.of("a b", []), Sentence.of("c d")))
    with pytest.raises(RequestError, match=r"of 2 counts \(shared, words\), found \[\] for sentence 2"):
        Evaluator(corpus, Careless(how))(["a b", "c d"])


def test_a_single_row_means_one() -> None:
    with pytest.raises(ValueError, match="one row per sentence"):
        _ = evidence_of(Shared(), [[(1, 2), (1, 2)]]).value


def test_a_metric_that_counts_nothing_says_so() -> None:
    evaluate = Evaluator(Corpus((Sentence(("a",)),)), Shared())
    with pytest.raises(NotImplementedError, match="Shared must define count or scorer"):
        evaluate(["a"])


@dataclass(frozen=True)
class Narrow(Shared):
    """Its ratio forgets a column."""

    @property
    def ratio(self) -> Ratio:
        return Ratio((1,), (1,))


@dataclass(frozen=True)
class Fractional(Shared):
    """Counts halves."""

    def count(self, sentence: Sentence, hypothesis: Tokens) -> list[Row]:
        return [(len(hypothesis) / 2, len(sentence.tokens))]  # type: ignore[list-item]


@dataclass(frozen=True)
class Failing(Shared):
    """Divides by the length of what may be empty."""

    def count(self, sentence: Sentence, hypothesis: Tokens) -> list[Row]:
        return [(len(sentence.tokens) // len(hypothesis), 1)]


@dataclass(frozen=True)
class Wordless(Shared):
    """Has no number."""

    def count(self, sentence: Sentence, hypothesis: Tokens) -> list[Row]:
        return [(len(sentence.tokens), len(hypothesis))]

    def value(self, counts: Row) -> float:
        return None if counts else 0.0  # type: ignore[return-value]


def test_mistakes_in_a_metric_are_told_where_they_are_made() -> None:
    corpus = Corpus((Sentence(("a",)), Sentence(("b",))))
    with pytest.raises(
        UsageError, match="shared cannot be used: a ratio must have 2 weights, one for each column, in numerator and denominator, found 1"
    ):
        Evaluator(corpus, Narrow())
    with pytest.raises(UsageError, match=r"its strategy must be a Strategy, such as SingleRow\(\) or Choose"):
        Evaluator(corpus, Shared("official"))  # type: ignore[arg-type]
    with pytest.raises(RequestError, match=r"the counts of shared must be whole numbers, found \(0\.5, 1\) for sentence 1"):
        Evaluator(corpus, Fractional())(["a", "b"])
    with pytest.raises(ZeroDivisionError) as caught:
        Evaluator(corpus, Failing())(["a", ""])
    assert caught.value.__notes__ == ["while shared counted sentence 2"]
    with pytest.raises(RequestError, match="the value of shared must be a number, found None"):
        Evaluator(corpus, Wordless())(["a", "b"])


def test_statistics_take_scores_too() -> None:
    corpus = Corpus((Sentence.of("a b", []), Sentence.of("c d", []), Sentence.of("e f", [])))
    evaluate = Evaluator(corpus, "accuracy")
    score = evaluate(["a b", "c d", "x"])
    assert compute_intervals([score], Bootstrap(replicates=200)) == compute_intervals([score.evidence], Bootstrap(replicates=200))
    with pytest.raises(UsageError, match="in a list, found one"):
        compute_intervals(score)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="found an item of type str"):
        compare(["x"])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="hypotheses must be a list of sentences, found NoneType"):
        evaluate(None)  # type: ignore[arg-type]
