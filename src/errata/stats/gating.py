"""Whether a new output may replace a baseline: a gate for continuous integration.

Without a margin, the gate holds unless the new output is significantly worse: the two-sided randomisation test of
:func:`errata.stats.compare` has p <= alpha, and the difference is below 0.  Only one of its two sides is an alarm, so at most alpha / 2
of all pairs without a difference are false alarms.
p is corrected for the number of metrics by Holm's method, so this holds for all metrics together.

With a margin, the gate holds if the interval of the difference at the level 1 - alpha lies above minus the margin (non-inferiority).
Every metric must pass, so an output that is worse by the margin in any metric passes with a chance of about alpha / 2, without a
correction (an intersection-union test; Berger 1982).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from errata.errors import RequestError, UsageError, pluralise
from errata.metrics.evidence import Evidence, collect_evidence
from errata.stats.bootstrap import Bootstrap, format_level
from errata.stats.comparison import POWER, check_replicates_of, compare, correct_comparisons
from errata.stats.resampling import Units

if TYPE_CHECKING:
    from errata.metrics.base import Metric
    from errata.metrics.evidence import HasEvidence
    from errata.stats.bootstrap import Progress
    from errata.stats.comparison import Comparison

_GateVerdict = Literal["holds", "is worse", "not shown"]
"""Of one metric: the gate holds, the new output is significantly worse, or it cannot be shown not to be worse by the margin."""
_BASELINE, _NEW = "baseline", "new"
"""The names of outputs that have the same name."""
_MOST_POINTS = 100
"""The largest margin, in points."""


@dataclass(frozen=True)
class GatedMetric:
    """One metric of a gate.  Scores and differences are fractions: 0.01 is a point."""

    baseline: Evidence = field(repr=False)
    new: Evidence = field(repr=False)
    comparison: Comparison
    """The new output against the baseline; p is corrected for the number of metrics."""
    verdict: _GateVerdict
    margin: float | None
    bootstrap: Bootstrap
    differing: int
    """The number of sentences, or documents, with different counts."""
    noticed_drop: float | None
    """The smallest true drop that the gate notices with 80% power, and the margin that an output without a difference passes with that
    chance; estimated from the standard error of the difference.  None if too few sentences have different counts for any alarm."""
    chance_to_pass: float | None
    """The chance that this metric passes if there is no true difference; None without a margin, or if all counts are the same."""
    sentences_needed: int | None
    """About how many sentences would pass with 80% power if there is no true difference; None as the chance is."""

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.new.metric

    @property
    def is_significantly_worse(self) -> bool:
        """Whether the test found a drop, be it smaller than the margin or not."""
        return self.comparison.corrected_p <= _alpha(self.bootstrap.level) and self.comparison.difference < 0

    @property
    def reason(self) -> str:
        """Why the gate holds or does not, in a sentence."""
        found, name = self.comparison, str(self.metric)
        ends = f"{_points(found.low)} to {_points(found.high)}"
        numbers = f"{_points(found.difference, sign=True)} points, {format_level(self.bootstrap.level)} interval {ends}"
        if self.margin is None:
            is_worse = "is" if self.verdict == "is worse" else "is not"
            return f"{name} {is_worse} significantly worse ({numbers})."
        margin = _write_margin(self.margin)
        if self.verdict == "holds":
            but = ", although it is significantly worse" if self.is_significantly_worse else ""
            return f"{name} is not worse by {margin} or more{but} ({numbers})."
        if self.verdict == "is worse":
            return f"{name} is significantly worse, and the drop may be {margin} or more ({numbers})."
        unknown = f"cannot be shown not to be worse by {margin}"
        if math.isnan(found.low):
            return f"{name} {unknown}: the difference is undefined in all replicates."
        size = pluralise(self.new.size, "sentence")
        return f"{name} {unknown}: with {size} a drop of {_points(-found.low)} points could hide ({numbers})."

    @property
    def power(self) -> str:
        """What the gate can notice, in a sentence."""
        if self.noticed_drop is None and self.differing:
            few = f"only {pluralise(self.differing, self.bootstrap.by)} with different counts"
            return f"{self.metric}: there {'is' if self.differing == 1 else 'are'} {few}, so no drop can be significant; --drop may help."
        if self.noticed_drop is None:
            return f"{self.metric}: both outputs have the same counts in every sentence, so power cannot be estimated."
        noticed, power = f"{_points(self.noticed_drop)} points", f"{POWER:.0%}"
        if self.margin is None or self.chance_to_pass is None:
            return f"{self.metric}: a true drop of {noticed} is noticed with {power} power."
        chance = f"{self.metric}: an output that is truly as good passes with a chance of {_percent(self.chance_to_pass)}"
        if self.chance_to_pass >= POWER:
            return f"{chance}."
        return f"{chance}; {power} needs a margin of {noticed}, or about {self.sentences_needed:,} sentences such as these."


@dataclass(frozen=True)
class Gate:
    """Whether a new output may replace a baseline, by one or several metrics."""

    metrics: tuple[GatedMetric, ...]
    margin: float | None
    """The drop that is accepted, as a fraction."""
    bootstrap: Bootstrap

    @property
    def holds(self) -> bool:
        """Whether all metrics hold."""
        return all(item.verdict == "holds" for item in self.metrics)

    @property
    def reasons(self) -> list[str]:
        """Why the gate does not hold; empty if it does."""
        return [item.reason for item in self.metrics if item.verdict != "holds"]

    @property
    def how(self) -> str:
        """What was computed."""
        correction = f", holm correction for {len(self.metrics)} metrics" if len(self.metrics) > 1 else ""
        margin = f"margin {_write_margin(self.margin)}, " if self.margin is not None else ""
        return f"{margin}randomisation test{correction}, alpha {_alpha(self.bootstrap.level):g}; {self.bootstrap}"


def gate(
    baseline: Evidence | HasEvidence | Sequence[Evidence | HasEvidence],
    new: Evidence | HasEvidence | Sequence[Evidence | HasEvidence],
    *,
    drop: float | None = None,
    bootstrap: Bootstrap | None = None,
    progress: Progress | None = None,
) -> Gate:
    """Decide whether a new output may replace a baseline, given as scores or evidence of one metric, or as lists with several metrics.

    Without ``drop``, the new output must not be significantly worse.  With it, it must be shown not to be worse by so many points:
    0.5 is half a point, as tables show scores.
    The significance level is 1 minus the level of ``bootstrap``, by default 0.05.
    ``progress`` is called with the number of replicates of tests that were just done; every metric counts.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> eager, cautious, rewriter = (
    ...     errata.score(gold, errata.read_system(f"examples/systems/{name}.txt")) for name in ("eager", "cautious", "rewriter")
    ... )
    >>> errata.gate(eager, cautious).holds, errata.gate(eager, cautious, drop=0.5).holds
    (True, False)
    >>> errata.gate(eager, rewriter).reasons
    ['maxmatch is significantly worse (-31.44 points, 95% interval -37.96 to -23.82).']
    """
    settings, margin = bootstrap or Bootstrap(), _check_drop(drop)
    if settings.method == "exact":
        raise UsageError("a difference has no exact interval; use bca or percentile")
    pairs = _pair(baseline, new)
    check_replicates_of(len(pairs), "metric", "randomisation", "holm", settings, _alpha(settings.level))
    compared = [compare([pair[1], pair[0]], bootstrap=settings, progress=progress)[0] for pair in pairs]
    corrected = correct_comparisons(compared, "holm")
    return Gate(
        tuple(_judge(*pair, item, margin, settings, len(pairs)) for pair, item in zip(pairs, corrected, strict=True)),
        margin,
        settings,
    )


def _alpha(level: float) -> float:
    """The significance level; 1 - 0.95 is 0.050000000000000044 in a computer."""
    return round(1 - level, 12)


def _check_drop(drop: float | None) -> float | None:
    if drop is None:
        return None
    if isinstance(drop, bool) or not isinstance(drop, int | float) or not 0 < drop <= _MOST_POINTS:
        raise UsageError(f"drop must be a number of points above 0 and up to {_MOST_POINTS}, such as 0.5, found {drop}")
    return drop / 100


def _pair(baseline: object, new: object) -> list[tuple[Evidence, Evidence]]:
    before, after = (collect_evidence(list(side) if isinstance(side, Sequence) else [side]) for side in (baseline, new))
    if not before and not after:
        raise RequestError("a gate needs a metric or more, found none")
    if len(before) != len(after):
        raise UsageError(f"baseline and new must have the same metrics, found {len(before)} and {len(after)} scores")
    metrics = [item.metric for item in after]
    if repeated := next((metric for index, metric in enumerate(metrics) if metric in metrics[:index]), None):
        raise UsageError(f"every metric must be given once, found {repeated} twice")
    return [_give_names(*pair) for pair in zip(before, after, strict=True)]


def _give_names(baseline: Evidence, new: Evidence) -> tuple[Evidence, Evidence]:
    """Name both, if they have the same name: sentences that were scored as a list have none of their own."""
    if baseline.system_name != new.system_name:
        return baseline, new
    return replace(baseline, system_name=_BASELINE), replace(new, system_name=_NEW)


def _judge(baseline: Evidence, new: Evidence, found: Comparison, margin: float | None, settings: Bootstrap, metrics: int) -> GatedMetric:
    from scipy.special import ndtr, ndtri

    error, alpha = found.standard_error, _alpha(settings.level)
    worse = found.corrected_p <= alpha and found.difference < 0
    verdict: _GateVerdict = "is worse" if worse else "holds" if margin is None else "not shown"
    if margin is not None and found.low > -margin:
        verdict = "holds"
    differing = _count_differing(baseline, new, settings)
    # With several metrics, a drop of one alone is noticed at the smallest level of Holm's method.
    smallest = alpha if margin is not None else alpha / metrics
    noticed = chance = needed = None
    if error and (margin is not None or 2.0 ** (1 - differing) <= smallest):  # the smallest p of so many swaps
        significance = float(ndtri(1 - smallest / 2))
        noticed = (significance + float(ndtri(POWER))) * error
        if margin is not None:
            chance = float(ndtr(margin / error - significance))
            needed = math.ceil(new.size * (noticed / margin) ** 2)
    return GatedMetric(baseline, new, found, verdict, margin, settings, differing, noticed, chance, needed)


def _count_differing(baseline: Evidence, new: Evidence, settings: Bootstrap) -> int:
    units = Units.of([baseline, new], settings.by)
    one, other = units.matrices
    return int(units.times[(one != other).any(axis=1)].sum())


def _points(value: float, *, sign: bool = False) -> str:
    """Write a fraction in points."""
    shown = f"{100 * value:+.2f}" if sign else f"{100 * value:.2f}"
    return "0.00" if shown in {"-0.00", "+0.00"} else shown


def _write_margin(margin: float) -> str:
    """Write a margin as it was given."""
    shown = f"{100 * margin:.12g}"
    return f"{shown} point{'' if shown == '1' else 's'}"


def _percent(chance: float) -> str:
    """Write a chance; a small one is not 0, a large one not 1."""
    shown = f"{chance:.0%}"
    return {"0%": "less than 1%", "100%": "more than 99%"}.get(shown, shown)
