"""The gate: when it holds, what it says, and how often it errs on pairs whose difference is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import errata
from errata import Bootstrap, Corpus, Evaluator, Evidence, RequestError, Sentence, System, UsageError, gate
from errata.stats import compare
from simulated_pairs import exchange_some, find_noticed, simulate, without_difference

from thoroughness import THOROUGH

QUICK = Bootstrap(replicates=500)


def make_evidence(right: np.ndarray, name: str, metric: str = "accuracy") -> Evidence:
    """Sentences that are right or not."""
    sentences = Corpus(tuple(Sentence(("a",), ()) for _ in right))
    rows = tuple(((int(one), 1),) for one in right)
    return Evidence(errata.metric(metric), sentences, name, rows, (("0",),) * len(right))


def make_pair(size: int, lost: int, won: int = 0) -> tuple[Evidence, Evidence]:
    """A baseline that is right in 60% of the sentences, and a new output that has lost and won some."""
    before = np.arange(size) < 0.6 * size
    after = before.copy()
    after[:lost] = False
    after[size - won :] = True
    return make_evidence(before, "old"), make_evidence(after, "young")


def test_an_output_that_is_significantly_worse_fails() -> None:
    found = gate(*make_pair(200, lost=20), bootstrap=QUICK)
    (metric,) = found.metrics
    assert (found.holds, metric.verdict) == (False, "is worse")
    assert metric.comparison.difference == pytest.approx(-0.1)
    assert found.reasons == ["accuracy is significantly worse (-10.00 points, 95% interval -14.50 to -6.00)."]
    assert (metric.baseline.system_name, metric.new.system_name) == ("old", "young")


def test_a_better_output_and_a_small_drop_hold() -> None:
    for pair in (make_pair(200, lost=0, won=30), make_pair(200, lost=11, won=8)):
        found = gate(*pair, bootstrap=QUICK)
        assert (found.holds, found.reasons) == (True, [])
    assert gate(*make_pair(200, lost=0, won=30), drop=0.5, bootstrap=QUICK).holds


def test_a_margin_needs_proof() -> None:
    """A test set that is too small to exclude the drop fails, and says which drop could hide."""
    pair = make_pair(200, lost=11, won=8)
    (metric,) = gate(*pair, drop=0.5, bootstrap=QUICK).metrics
    assert metric.verdict == "not shown"
    assert metric.reason == (
        "accuracy cannot be shown not to be worse by 0.5 points: with 200 sentences a drop of 6.00 points could hide "
        "(-1.50 points, 95% interval -6.00 to 2.50)."
    )
    assert gate(*pair, drop=6.5, bootstrap=QUICK).holds


def test_a_significant_drop_within_the_margin_is_accepted_and_told() -> None:
    pair = make_pair(200, lost=20)
    (metric,) = gate(*pair, drop=20, bootstrap=QUICK).metrics
    assert (metric.verdict, metric.is_significantly_worse) == ("holds", True)
    assert "is not worse by 20 points or more, although it is significantly worse" in metric.reason
    (metric,) = gate(*pair, drop=1, bootstrap=QUICK).metrics
    assert metric.verdict == "is worse"
    assert "is significantly worse, and the drop may be 1 point or more" in metric.reason


def test_the_numbers_are_those_of_a_comparison(gold: Corpus, systems: dict[str, System]) -> None:
    evaluate = Evaluator(gold, "gleu")
    eager, cautious = (evaluate(systems[name]) for name in ("eager", "cautious"))
    (metric,) = gate(eager, cautious, bootstrap=QUICK).metrics
    assert [metric.comparison] == compare([cautious, eager], bootstrap=QUICK)


def test_several_metrics_must_all_hold(gold: Corpus, systems: dict[str, System]) -> None:
    """p is corrected for their number."""
    names = ("maxmatch", "gleu", "imeasure")
    eager, cautious = ([errata.score(gold, systems[name], metric) for metric in names] for name in ("eager", "cautious"))
    found = gate(eager, cautious, bootstrap=QUICK)
    assert [item.verdict for item in found.metrics] == ["holds", "is worse", "holds"]
    assert not found.holds
    assert found.reasons[0].startswith("gleu is significantly worse")
    worst = found.metrics[1].comparison
    assert worst.corrected_p == pytest.approx(3 * worst.p)
    alone = gate(eager[0], cautious[0], bootstrap=QUICK).metrics[0]
    assert (found.metrics[0].noticed_drop or 0) > (alone.noticed_drop or 0)
    margins = [gate(eager[0], cautious[0], drop=5, bootstrap=QUICK), gate(eager, cautious, drop=5, bootstrap=QUICK)]
    assert margins[0].metrics[0].chance_to_pass == margins[1].metrics[0].chance_to_pass  # no correction
    assert "holm correction for 3 metrics" in found.how


def test_equal_outputs_hold() -> None:
    for drop in (None, 0.1):
        (metric,) = gate(*make_pair(50, lost=0), drop=drop, bootstrap=QUICK).metrics
        assert (metric.verdict, metric.comparison.p, metric.noticed_drop, metric.chance_to_pass) == ("holds", 1.0, None, None)
        assert "the same counts in every sentence" in metric.power


def test_too_few_differing_sentences_are_told() -> None:
    """The randomisation test of five sentences has no p below 1/16."""
    for lost, power in ((1, "there is only 1 sentence with"), (5, "there are only 5 sentences with"), (6, "a true drop of")):
        (metric,) = gate(*make_pair(100, lost=lost), bootstrap=QUICK).metrics
        assert metric.differing == lost
        assert power in metric.power


def test_lists_of_sentences_need_no_names(gold: Corpus, systems: dict[str, System]) -> None:
    evaluate = Evaluator(gold)
    before, after = (evaluate(systems[name].sentences) for name in ("eager", "rewriter"))
    assert before.system_name == after.system_name
    found = gate(before, after, bootstrap=QUICK)
    assert not found.holds
    assert (found.metrics[0].baseline.system_name, found.metrics[0].new.system_name) == ("baseline", "new")


@pytest.mark.parametrize("drop", [0, -1, 101, float("nan"), "0.5", True])
def test_a_bad_margin_is_refused(drop: object) -> None:
    with pytest.raises(UsageError, match=r"drop must be a number of points above 0 and up to 100, such as 0\.5, found"):
        gate(*make_pair(20, lost=1), drop=drop)  # type: ignore[arg-type]


def test_what_cannot_be_gated_is_refused() -> None:
    old, young = make_pair(20, lost=1)
    other = make_evidence(np.ones(20), "young", "indexmatch")
    for baseline, new, settings, message in (
        (old, young, Bootstrap(method="exact"), "a difference has no exact interval"),
        ([old], [young, young], None, "must have the same metrics, found 1 and 2 scores"),
        ([old, old], [young, young], None, "every metric must be given once, found accuracy twice"),
        ([], [], None, "a gate needs a metric or more, found none"),
        (old, other, None, "by one metric, found indexmatch and accuracy"),
        (old, make_evidence(np.ones(19), "young"), None, "the same sentences, found young 19, old 20"),
        (old, 3, None, "statistics need a list of scores"),
        (*make_pair(1, lost=0), None, "needs two sentences or more, found 1"),
        (old, young, Bootstrap(level=0.9999, replicates=20_001, seed=0, method="percentile"), None),
    ):
        if message is None:
            assert gate(baseline, new, bootstrap=settings).metrics  # type: ignore[arg-type]
            continue
        with pytest.raises((RequestError, UsageError), match=message):
            gate(baseline, new, bootstrap=settings)  # type: ignore[arg-type]


def test_an_undefined_score_is_an_error() -> None:
    """A gate that cannot be computed neither holds nor fails."""
    old, young = make_pair(20, lost=1)
    vars(young)["value"] = float("nan")  # as that of a plug-in may be
    with pytest.raises(RequestError, match="accuracy of young is undefined, so it cannot be compared"):
        gate(old, young)


@pytest.mark.slow
def test_errors_and_power_are_as_stated() -> None:
    """On 200 sentences: false alarms of pairs without a difference, and the power for the drop that is stated."""
    draw = np.random.default_rng(5)
    better, worse = make_evidence(draw.random(200) < 0.7, "old"), make_evidence(draw.random(200) < 0.2, "young")
    make, stated = find_noticed(better, worse, exchange_some)
    drop = -100 * stated.comparison.difference
    equal = simulate(without_difference(better, worse), 120, drop)
    assert equal.worse <= 0.05
    noticed = simulate(make, 120, drop)
    assert 0.7 <= noticed.worse <= 0.9
    assert noticed.passed <= 0.05


@pytest.mark.realdata
@pytest.mark.slow
@pytest.mark.parametrize("metric", ["maxmatch", *(["gleu", "imeasure"] if THOROUGH else [])])
def test_false_alarms_on_a_test_set(data: Path, metric: str) -> None:
    """Pairs without a difference, from two systems of CoNLL-2014: 1,000 with ERRATA_THOROUGH, else a few."""
    gold = errata.read(data / "conll14" / "gold" / "official-2014.combined.m2")
    pairs, some = (1_000, gold) if THOROUGH else (60, gold.subset("1-300"))
    evaluate = Evaluator(some, metric)
    one, other = (evaluate(errata.read_system(data / "conll14" / "systems" / f"{name}.txt")).evidence for name in ("AMU", "CUUI"))
    found = simulate(without_difference(one, other), pairs, drop=100 * (gate(one, other).metrics[0].noticed_drop or 0))
    assert found.worse <= 0.05
    assert abs(found.passed - found.chance) <= 0.15  # an estimate; that of I-measure is 10 points too high
