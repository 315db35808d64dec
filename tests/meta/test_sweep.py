from __future__ import annotations

import numpy as np
import pytest

import errata
from errata.errors import ErrataError
from errata.studies.meta import HumanScores, MetricScores
from errata.studies.meta.evaluation import SweptSetting


def test_ranges_and_lists() -> None:
    assert SweptSetting.parse("beta=0.1:2") == ("beta", [f"{tenth / 10:g}" for tenth in range(1, 21)])
    assert SweptSetting.parse("beta=0.5:1:0.25")[1] == ["0.5", "0.75", "1"]
    assert SweptSetting.parse("order=2:4")[1] == ["2", "3", "4"]


@pytest.mark.parametrize(
    "text", ["beta", "beta=", "=1:2", "beta=1", "beta=2:1", "beta=a:b", "beta=0:1:0", "choice=a,a", "beta=0:1000:0.1", "a=1,"]
)
def test_bad_values(text: str) -> None:
    with pytest.raises(ErrataError, match="--sweep needs"):
        SweptSetting.parse(text)


def test_variants_keep_other_settings() -> None:
    metric = errata.metric("maxmatch(choice=optimal,beta=1)")
    assert SweptSetting("beta", ["0.5", "2"]).write_variants(metric) == [
        "maxmatch(beta=0.5,choice=optimal)",
        "maxmatch(beta=2,choice=optimal)",
    ]
    with pytest.raises(ErrataError, match="maxmatch has no setting 'bet'; choose from beta"):
        SweptSetting("bet", ["1"]).write_variants(metric)


def scores(name: str, *values: float) -> MetricScores:
    return MetricScores(name, dict(zip("ABCDEF", values, strict=True)))


def test_the_value_is_chosen_on_other_systems() -> None:
    """With the second value E and F are in the wrong order; with the first all are."""
    human = HumanScores("people", dict(zip("ABCDEF", range(6), strict=True)))
    good, bad = scores("good", 0, 1, 2, 3, 5, 4), scores("bad", 5, 4, 3, 2, 1, 0)
    sweep = SweptSetting("s", ["1", "2"]).compare(human, [bad, good], list("ABCDEF"), bad)
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
    sweep = SweptSetting("s", [str(index) for index in range(30)]).compare(human, variants, list("ABCDEF"), variants[0])
    assert sweep.held_out < sweep.with_best


def test_few_systems_are_refused() -> None:
    human = HumanScores("people", {"A": 1.0, "B": 2.0, "C": 3.0, "D": 0.0})
    metric = MetricScores("m", human.values)
    with pytest.raises(ErrataError, match="cross-validation over systems needs 5 systems or more, found 4"):
        SweptSetting("s", ["1", "2"]).compare(human, [metric, metric], list("ABCD"), metric)
