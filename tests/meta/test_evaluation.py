"""Metrics against judgments that are made up, so that every number can be counted by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import errata
from errata.errors import ErrataError
from errata.studies.judgments import HumanJudgments, RankedOutput, RankingItem, read_judgments
from errata.studies.meta import (
    HumanScores,
    JudgedSentences,
    MetaIntervals,
    MetaSettings,
    MetricScores,
    evaluate_metrics,
    score_by_people,
)
from errata.studies.meta.evaluation import _count_by_sentence, _list_decided_pairs, find_common_systems
from errata.studies.meta.systems import _make_sets


def item(sentence: int, ranking: str, judge: str = "j") -> RankingItem:
    outputs = [text.split("=") for text in ranking.split()]
    return RankingItem(sentence, judge, tuple(RankedOutput(tuple(names.split(",")), int(rank)) for names, rank in outputs), None, "f", 1)


def judged(*items: RankingItem, sentences: int = 2) -> JudgedSentences:
    return JudgedSentences.of(HumanJudgments(items), range(1, sentences + 1), 1)


def elsewhere(name: str, **systems: list[float]) -> MetricScores:
    sentences = {system: dict(enumerate(values, start=1)) for system, values in systems.items()}
    return MetricScores(name, {system: float(np.mean(values)) for system, values in systems.items()}, None, sentences)


def count(items: JudgedSentences, metric: MetricScores, systems: str, **settings: Any) -> tuple[int, ...]:
    pairs = _list_decided_pairs(items.items, items.places, list(systems), settings.get("kind", "collapsed"), settings.get("rule", "loss"))
    ranks = metric.rank_sentences(list(systems), items.numbers)
    return (*map(int, _count_by_sentence(pairs, ranks, len(items.numbers)).sum(axis=0)), pairs.tied)


def test_pairs_are_counted_as_collapsed_and_expanded() -> None:
    items = judged(item(1, "A,B=1 C=2 D=2"), item(2, "C=1 A=3"))
    metric = elsewhere("m", A=[3, 1], B=[3, 1], C=[1, 1], D=[5, 0])
    assert count(items, metric, "ABCD") == (1, 1, 0, 1, 1)  # A>C agrees, A>D disagrees, C>A is a tie in which A, the first, is worse
    assert count(items, metric, "ABCD", kind="expanded") == (2, 2, 0, 1, 2)  # with B>C and B>D; A and B, C and D are tied by people
    assert count(items, metric, "CA", rule="loss-given") == (1, 0, 1, 0, 0)  # C is first, and people prefer it
    assert count(items, metric, "BD") == (0, 1, 0, 0, 0)  # B stands for the output of A and B


def test_accuracy_and_tau_by_each_rule() -> None:
    items = judged(item(1, "A=1 B=2 C=3"), item(2, "A=1 C=2"))
    metric = elsewhere("m", A=[2, 1], B=[2, 5], C=[1, 1])
    human = score_by_people(items.items, items.places)
    found = {}
    for rule in ("neither", "drop", "loss"):
        (row,) = evaluate_metrics(human, [metric], items, MetaSettings(intervals=None, ties=rule)).agreements
        found[rule] = (row.accuracy, row.tau)
    assert found == {"neither": (0.5, 0.5), "drop": (1.0, 1.0), "loss": (0.5, 0.0)}


def test_scores_of_sentences_are_those_of_the_best_reference() -> None:
    """MaxMatch chooses the second annotator in the corpus, but the first is best for the first sentence alone."""
    m2 = "S a b c\nA 0 1|||T|||x|||REQUIRED|||-NONE-|||0\nA 1 2|||T|||y|||REQUIRED|||-NONE-|||1\nA 2 3|||T|||z|||REQUIRED|||-NONE-|||1\n"
    gold = errata.read(m2)
    scores = [
        errata.score(gold, errata.System(name, (tuple(text.split()),))) for name, text in (("A", "x b c"), ("B", "a y c"), ("C", "a b c"))
    ]
    assert MetricScores.of(scores).rank_sentences(["A", "B", "C"], [1]).T.tolist() == [[2, 1, 0]]


def test_intervals_are_the_same_for_the_same_seed_and_hold_the_value() -> None:
    gold = errata.read("examples/learner.m2")
    paths = [f"examples/systems/{name}.txt" for name in ("eager", "cautious", "rewriter")]
    scores = MetricScores.of([errata.score(gold, errata.read_system(path)) for path in paths])
    items = JudgedSentences.of(read_judgments("examples/judgments/rankings.tsv"), gold.numbers, 0)
    human = score_by_people(items.items, items.places)
    one, again = (evaluate_metrics(human, [scores], items, MetaSettings(MetaIntervals(replicates=100))) for _ in range(2))
    assert one.correlations == again.correlations
    assert one.agreements == again.agreements
    other = evaluate_metrics(human, [scores], items, MetaSettings(MetaIntervals(replicates=100, seed=1)))
    assert other.correlations != one.correlations
    for method in ("hierarchical", "bca", "percentile"):
        settings = MetaSettings(MetaIntervals(replicates=200, method=method))
        row = evaluate_metrics(human, [scores], items, settings).correlations[0]
        assert row.value is not None
        assert row.low is not None
        assert row.high is not None
        assert row.low <= row.value <= row.high


def test_metrics_are_compared_in_pairs() -> None:
    human = HumanScores("people", dict(zip("ABCDEF", range(6), strict=True)))
    good = MetricScores("good", dict(zip("ABCDEF", (0, 1, 2, 3, 5, 4), strict=True)))
    bad = MetricScores("bad", dict(zip("ABCDEF", (3, 5, 1, 0, 4, 2), strict=True)))
    (row,) = evaluate_metrics(human, [good, bad]).comparisons
    assert (row.metric, row.other, row.size) == ("good", "bad", 6)
    assert row.difference is not None
    assert row.difference > 0.9
    assert (row.low, row.high) == (None, None)  # nothing can be resampled
    assert row.williams is not None
    assert row.permutation is not None


def test_systems_without_scores_are_found() -> None:
    human = HumanScores("people", {"A": 1.0, "B": 2.0, "X": 0.0})
    metric = MetricScores("m", {"A": 1.0, "B": 2.0, "Y": 0.0})
    assert find_common_systems(human, [metric]) == (["A", "B"], {"Y": ["people"], "X": ["m"]})
    with pytest.raises(ErrataError, match="no system has scores by people and by all metrics"):
        find_common_systems(human, [MetricScores("m", {"Z": 1.0})])
    with pytest.raises(ErrataError, match="a correlation needs 3 systems or more, found 2"):
        evaluate_metrics(human, [metric])


def test_undefined_scores_are_refused() -> None:
    values = dict.fromkeys("ABC", 1.0)
    with pytest.raises(ErrataError, match="m of B is undefined"):
        evaluate_metrics(HumanScores("people", values), [MetricScores("m", {**values, "B": float("nan")})])


def test_constant_metrics_have_no_correlation() -> None:
    human = HumanScores("people", {"A": 1.0, "B": 2.0, "C": 3.0, "D": 0.0})
    rows = evaluate_metrics(human, [MetricScores("m", dict.fromkeys("ABCD", 0.3))]).correlations
    assert [row.value for row in rows] == [None, None, None]


def test_sets_without_systems() -> None:
    scores = {"A": 0.5, "B": 0.52, "C": 0.48, "D": 0.51, "E": 0.0}
    assert HumanScores("people", scores).find_outliers(list(scores)) == ["E"]
    assert HumanScores("people", dict.fromkeys("ABC", 1.0)).find_outliers("ABC") == []
    sets = _make_sets(list("ABCDE"), ["A,B", "outliers"], HumanScores("people", scores))
    assert [(own.name, "".join(own.systems)) for own in sets] == [("all", "ABCDE"), ("without A, B", "CDE"), ("without outliers", "ABCD")]
    with pytest.raises(ErrataError, match="--without 'Z': there is no such system"):
        _make_sets(list("ABC"), ["Z"], HumanScores("people", scores))


def test_sentences_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ErrataError, match="f:1: there is no sentence 3: sentences are counted from 1, and there are 2 sentences"):
        judged(item(3, "A=1 B=2"))
    with pytest.raises(ErrataError, match="there is no sentence 0"):
        judged(item(0, "A=1 B=2"))


def test_settings_are_checked() -> None:
    with pytest.raises(ErrataError, match="ties must be one of neither, drop, loss, loss-given, found 'win'"):
        MetaSettings(ties="win")  # type: ignore[arg-type]
