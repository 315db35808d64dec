"""Every statistic on evidence that says little: one unit, equal units, nothing annotated, nothing flagged, undefined values.

A result is a number, an interval, undefined (None or not a number), or an error of errata; a warning of NumPy is an error here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata
from errata import METRICS, Corpus, Edit, ErrataError, GraphBank, Metric, Sentence, System
from errata.metrics import Draws, ExpectedCounts, SingleRow, Strategy
from errata.scoring import Evaluator, Score
from errata.scoring.by_type import compute_type_intervals, count_types, has_types
from errata.settings import CORRECTIONS, METHODS, TESTS
from errata.stats import Bootstrap, Matches, compare, compute_exact_interval, compute_intervals, correlate, rank_systems
from errata.studies import evaluate_faithfulness, measure_agreement
from errata.studies.conservatism import Conservatism
from errata.studies.coverage import (
    CorrectedSentence,
    MatchRule,
    compute_coverage,
    compute_coverage_intervals,
    estimate_sentences,
)
from errata.studies.coverage.estimation import count_accuracy
from errata.studies.coverage.perfect import PerfectCorrector
from errata.studies.detection import (
    MEASURES,
    Answers,
    Cases,
    CorpusCases,
    Labels,
    compare_detectors,
    compute_chance_counts,
    evaluate_detection,
    evaluate_types,
    judge_systems,
    make_curve,
)
from errata.studies.detection.cases import _GRANULARITIES
from errata.studies.detection.measures import JudgedSystem

from graph_notation import toy_parser
from thoroughness import often

QUICK = Bootstrap(replicates=100)
FEWER = settings(max_examples=often(100, 12))
_TINY_SENTENCES = (
    Sentence.of(""),
    Sentence.of("a b"),
    Sentence.of("a b", []),
    Sentence.of("a b", [Edit(0, 1, ("c",), "X")]),
    Sentence.of("a b", [Edit(0, 1, ("c",), "X")], []),
    Sentence.of("a b", [Edit(0, 1, ("",), "X")], [Edit(0, 2, ("c d",), "Y"), Edit(2, 2, ("e",), "")]),
    Sentence.of("", [Edit(0, 0, ("a",), "X")]),
)
_OUTPUTS: tuple[Callable[[Sentence], tuple[str, ...]], ...] = (
    lambda sentence: sentence.tokens,
    lambda sentence: sentence.corrected(sentence.annotations[0]) if sentence.annotations else sentence.tokens,
    lambda _: (),
    lambda _: ("z",),
)


@dataclass(frozen=True)
class Undefined(Metric):
    """A metric whose value is undefined if nothing was counted, and one way to use references."""

    name: ClassVar[str] = "undefined"
    summary: ClassVar[str] = "not a number of nothing"
    columns: ClassVar[tuple[str, ...]] = ("part", "whole")
    strategy: ClassVar[Strategy] = SingleRow()

    def count(self, sentence: Sentence, hypothesis: tuple[str, ...]) -> list[tuple[int, int]]:
        return [(sum(map(str.__eq__, sentence.tokens, hypothesis)), len(hypothesis))]

    def value(self, counts: Sequence[int]) -> float:
        return counts[0] / counts[1] if counts[1] else math.nan


@dataclass(frozen=True)
class UndefinedDraws(Undefined):
    strategy: ClassVar[Strategy] = Draws(times=3)


@dataclass(frozen=True)
class UndefinedMeans(Undefined):
    strategy: ClassVar[Strategy] = ExpectedCounts()


METRICS_HERE: list[Metric] = [*(errata.metric(name) for name in METRICS), Undefined(), UndefinedDraws(), UndefinedMeans()]


def _ready(metric: Metric) -> Metric:
    return metric.with_data(graphs=GraphBank(parser=toy_parser)) if "graphs" in metric.needs else metric


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """One to three sentences that may be empty, equal or without annotations, in one or two documents, or in none."""
    sentences = draw(st.lists(st.sampled_from(_TINY_SENTENCES), min_size=1, max_size=3))
    documents = draw(st.sampled_from([("",), ("x",), ("x", "y"), ("", "x")]))
    return Corpus(tuple(replace(item, document=documents[index % len(documents)]) for index, item in enumerate(sentences)), "tiny")


@st.composite
def outputs(draw: st.DrawFn, corpus: Corpus) -> list[System]:
    kinds = [draw(st.lists(st.sampled_from(_OUTPUTS), min_size=len(corpus), max_size=len(corpus))) for _ in range(draw(st.integers(1, 3)))]
    return [
        System(f"s{number}", tuple(make(sentence) for make, sentence in zip(own, corpus, strict=True))) for number, own in enumerate(kinds)
    ]


def attempt(compute: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """The result, or None if errata refuses."""
    try:
        result = compute(*given, **named)
    except ErrataError:
        return None
    check(result)
    return result


def check(result: Any) -> None:
    """All numbers of a result are finite or undefined, an interval has both ends or none, and a p-value is a probability."""
    if is_dataclass(result) and not isinstance(result, type) and not isinstance(result, Metric | Bootstrap | Corpus):
        result = {name: getattr(result, name) for name in result.__dataclass_fields__ if name not in {"evidence", "output", "metric"}}
    if hasattr(result, "_asdict"):
        result = result._asdict()
    if isinstance(result, dict):
        low, high = result.get("low"), result.get("high")
        if isinstance(low, float) and isinstance(high, float):
            assert math.isnan(low) == math.isnan(high)
            assert math.isnan(low) or low <= high
        for name, value in result.items():
            if name in {"p", "corrected_p"}:
                assert 0 <= value <= 1
            check(value)
    elif isinstance(result, float):
        assert not math.isinf(result)
    elif isinstance(result, list | tuple):
        for item in result:
            check(item)


every_bootstrap = st.builds(
    lambda method, choice, by: attempt(Bootstrap, replicates=100, method=method, choice=choice, by=by) or QUICK,
    st.sampled_from(METHODS),
    st.sampled_from(["kept", "again"]),
    st.sampled_from(["sentence", "document"]),
)


def score_all(corpus: Corpus, systems: Iterable[System], metric: Metric) -> list[Score]:
    evaluate = Evaluator(corpus, _ready(metric))
    return [evaluate(system) for system in systems]


@pytest.mark.parametrize("metric", METRICS_HERE, ids=str)
@given(st.data())
@FEWER
def test_intervals_and_tests_of_every_metric(metric: Metric, data: st.DataObject) -> None:
    corpus = data.draw(corpora())
    systems = data.draw(outputs(corpus))
    bootstrap = data.draw(every_bootstrap)
    scores = attempt(score_all, corpus, systems, metric)
    if scores is None:
        return
    check([(score.value, score.parts, [item.value for item in score.sentences]) for score in scores])
    attempt(compute_intervals, scores, bootstrap)
    for test in TESTS:
        for correction in CORRECTIONS:
            compared = attempt(compare, scores, test, correction, bootstrap)
            if compared is not None:
                assert all(math.isfinite(item.difference) for item in compared)
                check(rank_systems([(score.system_name, score.value) for score in scores], compared))
    attempt(correlate, [score.value for score in scores], [score.value for score in reversed(scores)])


@pytest.mark.parametrize("metric", [metric for metric in METRICS_HERE if isinstance(metric, tuple(METRICS.values()))], ids=str)
@given(st.data())
@FEWER
def test_intervals_of_types(metric: Metric, data: st.DataObject) -> None:
    corpus = data.draw(corpora())
    bootstrap = data.draw(every_bootstrap)
    for score in attempt(score_all, corpus, data.draw(outputs(corpus)), metric) or []:
        if has_types(score):
            counts = attempt(count_types, score)
            attempt(compute_type_intervals, counts, corpus, 0.5, bootstrap)


@st.composite
def tables(draw: st.DrawFn) -> Cases:
    """Cases that may all be alike, judged by one annotator or by shares of several."""
    count = draw(st.integers(0, 4))
    shares = st.sampled_from([0.0, 1.0]) if draw(st.booleans()) else st.sampled_from([0.0, 1 / 3, 0.5, 1.0])

    def column(values: st.SearchStrategy[Any], kind: type) -> Any:
        return np.array(draw(st.lists(values, min_size=count, max_size=count)), dtype=kind)

    error = column(shares, float)
    systems = []
    for name in ("a", "b", "c")[: draw(st.integers(1, 3))]:
        flagged = column(st.booleans(), bool)
        fixed = error * flagged * draw(st.sampled_from([0.0, 1.0])) if draw(st.booleans()) else None
        confidence = column(st.sampled_from([0.0, 0.25, 1.0]), float) if draw(st.booleans()) else None
        systems.append(Answers(name, flagged, fixed, confidence))
    groups = Labels(column(st.integers(0, 2), np.int32), ("1", "2", "3")) if draw(st.booleans()) else None
    negatives = draw(st.booleans())
    return Cases(error, tuple(systems), negatives=negatives, types=groups, units=groups, documents=groups)


def judge_everything(judged: Sequence[JudgedSystem], bootstrap: Bootstrap, by: Any) -> None:
    for item in judged:
        for aspect in item.aspects:
            evaluation = attempt(evaluate_detection, item, aspect, 0.5, bootstrap, by)
            if evaluation is not None:
                check([evaluation.values, evaluation.reasons, evaluation.intervals])
                for name, interval in evaluation.intervals.items():
                    assert interval is None or math.isfinite(interval.low), name
                    assert evaluation.values[name] is not None or interval is None
            for own in (attempt(evaluate_types, item, aspect) or {}).values():
                check([own.values, own.reasons])
        if item.answers.confidence is not None:
            curve = attempt(make_curve, item.cases, item.answers)
            if curve is not None:
                check([curve.areas, attempt(curve.thinned, 2)])
                for measure in MEASURES:
                    assert not np.isinf(curve.values(measure)).any()
                    check(curve.best(measure))


@given(tables(), st.sampled_from(["bca", "percentile"]), st.sampled_from(["case", "sentence", "document"]))
def test_detection_in_tables(cases: Cases, method: Any, by: Any) -> None:
    judge_everything(judge_systems(cases), replace(QUICK, method=method), by)


@pytest.mark.parametrize("measure", MEASURES)
@given(tables(), st.sampled_from(TESTS), st.sampled_from(["case", "sentence"]))
def test_detectors_compared_by_every_measure(measure: str, cases: Cases, test: Any, by: Any) -> None:
    for aspect in ("detection", "correction"):
        attempt(compare_detectors, judge_systems(cases), MEASURES[measure], aspect, 0.5, QUICK, by, test=test)


@pytest.mark.parametrize("case", _GRANULARITIES)
@given(st.data())
@FEWER
def test_detection_in_corpora(case: Any, data: st.DataObject) -> None:
    corpus = data.draw(corpora())
    systems = data.draw(outputs(corpus))
    by = data.draw(st.sampled_from(["sentence", "document", "case"]))
    types = data.draw(st.sampled_from([(), ("X",), ("Y",)]))
    judge = data.draw(st.sampled_from(["chosen", "vote", "graded"]))
    cases = attempt(CorpusCases, corpus, case=case, types=types, judgments=judge)
    if cases is not None:
        found = [own for system in systems if (own := attempt(cases.of, system))]
        judged = [item for own in found for item in judge_systems(own)]
        judge_everything(judged, QUICK, by)
        for measure, test in zip(MEASURES.values(), [*TESTS] * len(MEASURES), strict=False):
            attempt(compare_detectors, judged, measure, "detection", 0.5, QUICK, by, test=test)


@given(st.sampled_from([0.0, 1e-300, 0.5, 1.0]), st.sampled_from([0.0, 1e-300, 0.5, 1.0]), st.sampled_from([0.0, 1.0, 1e300]))
def test_chance(prevalence: float, bias: float, cases: float) -> None:
    counts = compute_chance_counts(prevalence, bias, cases)
    check([measure.value(counts, beta) for measure in MEASURES.values() for beta in (0.5, 1e-9, 1e9)])


@st.composite
def answers(draw: st.DrawFn) -> list[CorrectedSentence]:
    counted = st.dictionaries(st.sampled_from(["", "a b", "a c", "d", "A B"]), st.integers(1, 4), min_size=1, max_size=4)
    sources = st.sampled_from(["", "a b"])
    return [
        CorrectedSentence(str(number), draw(sources), corrections) for number, corrections in enumerate(draw(st.lists(counted, max_size=3)))
    ]


@given(answers(), st.sampled_from(["exact", "index"]), st.lists(st.sampled_from([0, 1, 2, 10, 999_999]), max_size=3))
@settings(max_examples=25)
def test_coverage(sentences: list[CorrectedSentence], match: Any, numbers: list[int]) -> None:
    estimates = attempt(estimate_sentences, sentences, MatchRule(match))
    if estimates is None:
        return
    coverage = compute_coverage(estimates)
    check([coverage.variants(gamma) for gamma in (0.0, 0.5, 1.0)])
    for share in (1e-9, 0.5, 0.999999):
        attempt(coverage.references_for, share)
    for number in numbers:
        attempt(coverage.accuracy, number)
        attempt(coverage.accuracy, number, distinct=True)
        attempt(count_accuracy, estimates, number)
        matches = attempt(coverage.matches, number)
        check([matches.deviation, matches.central(), *(matches.p_value(0, side) for side in ("less", "greater", "two-sided"))])
    attempt(compute_coverage_intervals, estimates, numbers, replicates=20)


@pytest.mark.parametrize("metric", METRICS_HERE, ids=str)
@given(answers(), st.integers(1, 2), st.booleans())
@settings(max_examples=25)
def test_perfect_corrector(metric: Metric, sentences: list[CorrectedSentence], references: int, others: bool) -> None:  # noqa: FBT001
    corrector = attempt(PerfectCorrector, sentences, _ready(metric))
    if corrector is not None:
        for size, without in ((1, 0), (2, 1), (3, 0)):
            simulation = attempt(corrector.simulate, references, sentences=size, without_errors=without, simulations=2, others=others)
            if simulation is not None:
                check([simulation.mean, simulation.central(), simulation.interval])


@given(st.lists(st.sampled_from([0.0, 1e-300, 0.5, 1.0]), max_size=4), st.integers(-1, 5))
def test_matches(chances: list[float], matched: int) -> None:
    matches = attempt(Matches, tuple(chances))
    if matches is not None:
        check([matches.accuracy, matches.deviation, matches.central()])
        attempt(matches.p_value, matched)
    attempt(compute_exact_interval, matched, len(chances))


@given(st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, 1e-300, 1e300, -1.0, math.nan, 0.1, 0.1 + 1e-17])] * 2), max_size=10))
def test_correlation(values: list[tuple[float, float]]) -> None:
    result = attempt(correlate, [one for one, _ in values], [other for _, other in values])
    if result is not None and result.pearson is not None:
        assert all(abs(value) <= 1 for value in (result.spearman, result.pearson) if value is not None)


@given(st.data())
def test_conservatism(data: st.DataObject) -> None:
    corpus = data.draw(corpora())
    references = Conservatism.of_annotators(corpus)
    for system in data.draw(outputs(corpus)):
        own = Conservatism.of(corpus, system)
        check([own.changed, own.words, own.order, own.histogram()])
        attempt(own.find_extremes, references)


@given(st.data())
def test_faithfulness(data: st.DataObject) -> None:
    bank = GraphBank(parser=toy_parser)
    corpus = data.draw(corpora())
    sources = bank.find([sentence.tokens for sentence in corpus], "source")
    (*_, system) = data.draw(outputs(corpus))
    pairs = list(zip(sources, bank.find(system.sentences, "output"), strict=True))
    chosen = data.draw(st.sampled_from([pairs, pairs[:1], []]))
    result = attempt(evaluate_faithfulness, "s", chosen)
    if result is not None:
        check([result.value, result.mean, result.by_category])
        attempt(compute_intervals, [result.evidence()], QUICK)
        for categories in (["A"], ["Z"], [""], result.categories):
            attempt(result.distsim, categories)
            attempt(result.distsim_interval, categories, QUICK)
        for source, _ in chosen:
            attempt(measure_agreement, source, source)
