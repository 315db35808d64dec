from __future__ import annotations

import numpy as np
import pytest

import errata
from errata.errors import ErrataError
from errata.studies.meta import HumanScores, MetricScores
from errata.studies.meta.evaluation import parse_sweep, sweep_setting, write_variants


def test_ranges_and_lists() -> None:
    assert parse_sweep("beta=0.1:2") == ("beta", [f"{tenth / 10:g}" for tenth in range(1, 21)])
    assert parse_sweep("beta=0.5:1:0.25")[1] == ["0.5", "0.75", "1"]
    assert parse_sweep("order=2:4")[1] == ["2", "3", "4"]


@pytest.mark.parametrize(
    "text", ["beta", "beta=", "=1:2", "beta=1", "beta=2:1", "beta=a:b", "beta=0:1:0", "choice=a,a", "beta=0:1000:0.1", "a=1,"]
)
def test_bad_values(text: str) -> None:
    with pytest.raises(ErrataError, match="--sweep needs"):
        parse_sweep(text)


def test_variants_keep_other_settings() -> None:
    metric = errata.metric("maxmatch(choice=optimal,beta=1)")
    assert write_variants(metric, "beta", ["0.5", "2"]) == ["maxmatch(beta=0.5,choice=optimal)", "maxmatch(beta=2,choice=optimal)"]
    with pytest.raises(ErrataError, match="maxmatch has no setting 'bet'; choose from beta"):
        write_variants(metric, "bet", ["1"])


def scores(name: str, *values: float) -> MetricScores:
    return MetricScores(name, dict(zip("ABCDEF", values, strict=True)))


def test_the_value_is_chosen_on_other_systems() -> None:
    """With the second value E and F are in the wrong order; with the first all are."""
    human = HumanScores("people", dict(zip("ABCDEF", range(6), strict=True)))
    good, bad = scores("good", 0, 1, 2, 3, 5, 4), scores("bad", 5, 4, 3, 2, 1, 0)
    sweep = sweep_setting(human, [bad, good], ["1", "2"], list("ABCDEF"), bad, setting="s")
    assert (sweep.best, sweep.pairs) == ("2", 15)
    assert [value.chosen for value in sweep.values] == [0, 15]
    assert sweep.held_out == pytest.approx(14 / 15)
    assert sweep.with_best == pytest.approx(14 / 15)
    assert sweep.with_given == 0
    assert sweep.given == "bad"


def test_tuning_on_the_test_looks_better_than_it_is() -> None:
    """Each value is right for some systems only, so what is chosen on the others does worse than the best of all."""
    random = np.random.default_rng(5)
    human = HumanScores("people", dict(zip("ABCDEF", random.normal(size=6), strict=True)))
    variants = [scores(str(index), *random.normal(size=6)) for index in range(30)]
    sweep = sweep_setting(human, variants, [str(index) for index in range(30)], list("ABCDEF"), variants[0], setting="s")
    assert sweep.held_out < sweep.with_best


def test_few_systems_are_refused() -> None:
    human = HumanScores("people", {"A": 1.0, "B": 2.0, "C": 3.0, "D": 0.0})
    metric = MetricScores("m", human.values)
    with pytest.raises(ErrataError, match="cross-validation over systems needs 5 systems or more, found 4"):
        sweep_setting(human, [metric, metric], ["1", "2"], list("ABCD"), metric, setting="s")
