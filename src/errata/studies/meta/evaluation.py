"""Metrics judged against people: everything that ``errata meta`` reports, from scores and judgments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import MismatchError, RequestError, UsageError, suggest
from errata.formats.tables import find_repeated
from errata.settings import (
    COEFFICIENTS,
    CORRECTIONS,
    PAIR_KINDS,
    TIE_RULES,
    Coefficient,
    Correction,
    PairKind,
    TieRule,
    list_settings,
    write_value,
)
from errata.studies.meta.scores import NO_INTERVALS, Replicates, ScoreIntervals
from errata.studies.meta.sentences import AgreementComparison, JudgeResult, SentenceAgreement, compare_sentences
from errata.studies.meta.systems import (
    MetaIntervals,
    MetricComparison,
    SystemCorrelation,
    SystemSet,
    WindowCorrelation,
    compare_systems,
    compute_many,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.metrics.base import Metric
    from errata.studies.judgments.items import Opponents
    from errata.studies.meta.scores import HumanScores, JudgedSentences, MetricScores, Replicates


@dataclass(frozen=True)
class MetaSettings:
    """What is computed, and how."""

    intervals: MetaIntervals | None = field(default_factory=MetaIntervals)
    """None for no intervals over sentences."""
    level: float = 0.95
    """Of intervals over systems, if there are none over sentences."""
    pairs: PairKind = "collapsed"
    ties: TieRule = "neither"
    coefficient: Coefficient = "pearson"
    """The one by which metrics are compared."""
    correction: Correction = "holm"
    alpha: float = 0.05
    without: tuple[str, ...] = ()
    """Names of systems, separated by commas, or ``outliers``: for each, a further set of systems without these."""
    windows: tuple[int, ...] = ()
    by_judge: bool = False
    opponents: Opponents = "decided"
    """Over which opponents expected wins of single judges are computed."""

    def __post_init__(self) -> None:
        for name, known in (("pairs", PAIR_KINDS), ("ties", tuple(TIE_RULES)), ("coefficient", COEFFICIENTS), ("correction", CORRECTIONS)):
            if getattr(self, name) not in known:
                raise UsageError(f"{name} must be one of {', '.join(known)}, found {getattr(self, name)!r}")

    def describe_sentence_level(self) -> str:
        """Name what the numbers of sentences depend on."""
        return f"pairs={self.pairs},ties={self.ties}"


@dataclass(frozen=True)
class MetaEvaluation:
    """Metrics judged against people."""

    human: HumanScores
    metrics: tuple[MetricScores, ...]
    systems: tuple[str, ...]
    """The systems that people and all metrics scored."""
    sets: tuple[SystemSet, ...]
    settings: MetaSettings
    correlations: list[SystemCorrelation] = field(repr=False)
    comparisons: list[MetricComparison] = field(repr=False)
    """Pairs of metrics on the level of systems."""
    windows: list[WindowCorrelation] = field(repr=False)
    agreements: list[SentenceAgreement] = field(repr=False)
    """Empty without judgments."""
    agreement_comparisons: list[AgreementComparison] = field(repr=False)
    judges: list[JudgeResult] = field(repr=False)
    score_intervals: ScoreIntervals = field(default=NO_INTERVALS, repr=False)
    """Those of single systems."""


def find_common_systems(human: HumanScores, metrics: Sequence[MetricScores]) -> tuple[list[str], dict[str, list[str]]]:
    """Find the systems that people and all metrics scored, and for each other one who did not score it."""
    if not metrics:
        raise UsageError("there is no metric to compare with people")
    if (twice := find_repeated(metric.name for metric in metrics)) is not None:
        raise UsageError(f"two metrics are named {twice!r}; a metric is compared with another")
    named = list(dict.fromkeys([*(name for metric in metrics for name in metric.values), *human.values]))
    missing = {
        name: [*([] if name in human.values else ["people"]), *(metric.name for metric in metrics if name not in metric.values)]
        for name in named
    }
    common = [name for name in named if not missing[name]]
    if not common:
        by_metrics = ", ".join(metrics[0].values)
        raise MismatchError(
            f"no system has scores by people and by all metrics; people: {', '.join(human.values)}; {metrics[0].name}: {by_metrics}"
        )
    return common, {name: who for name, who in missing.items() if who}


def evaluate_metrics(
    human: HumanScores,
    metrics: Sequence[MetricScores],
    judged: JudgedSentences | None = None,
    settings: MetaSettings | None = None,
    progress: Callable[[int], None] | None = None,
) -> MetaEvaluation:
    """Judge metrics against people; without ``judged``, on the level of systems only.

    Systems that people or a metric did not score are left out.  ``progress`` is told of replicates, once for each metric.
    """
    settings = settings or MetaSettings()
    systems, _ = find_common_systems(human, metrics)
    for metric in metrics:
        if unknown := next((name for name in systems if metric.values[name] != metric.values[name]), None):
            raise RequestError(f"{metric.name} of {unknown} is undefined, so it cannot be compared with people")
    found = compare_systems(human, metrics, systems, judged, settings, progress)
    agreements, tests, judges = compare_sentences(metrics, systems, found.sets, judged, settings)
    return MetaEvaluation(
        human,
        tuple(metrics),
        tuple(systems),
        tuple(found.sets),
        settings,
        found.correlations,
        found.comparisons,
        found.windows,
        agreements,
        tests,
        judges,
        found.score_intervals,
    )


if TYPE_CHECKING:
    _Array = NDArray[np.float64]

_FEWEST_SYSTEMS = 5
"""Three remain if two are left out."""
_MOST_VALUES = 200
_NUMBER = r"\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER}):({_NUMBER})(?::({_NUMBER}))?", re.ASCII)


class _SweptValue(NamedTuple):
    """A value of the setting with its correlations; None if they are undefined."""

    value: str
    pearson: float | None
    spearman: float | None
    kendall: float | None
    ordered: float
    """The share of all pairs of systems that it orders as people do; a tie counts half."""
    chosen: int
    """Pairs for which it was chosen on the other systems."""
    best_in: float | None
    """The share of replicates of sentences in which it is the best; None without replicates."""


class Sweep(NamedTuple):
    """Values of a setting, tried against people, with cross-validation over systems, so that nobody tunes on what they test.

    For every pair of systems a value is chosen on all other systems, by its correlation with people, and tested on the pair: does the
    metric with this value order the two as people do?  The share of pairs that it orders so is compared with that of the value of the
    metric as given, and with that of the value that is best on all systems, which was chosen with a look at the test.
    """

    setting: str
    given: str
    """The metric as given."""
    coefficient: Coefficient
    values: list[_SweptValue]
    best: str
    """The value with the best correlation on all systems."""
    pairs: int
    held_out: float
    """The share of pairs that are ordered as people do by the value that was chosen without them."""
    with_given: float
    """The same for the metric as given, which needs no choice."""
    with_best: float
    """The same for the value that is best on all systems."""


class SweptSetting(NamedTuple):
    """A setting with the values that are tried."""

    name: str
    values: list[str]

    @classmethod
    def parse(cls, text: str) -> SweptSetting:
        """Parse a setting with its values: a range with or without a step, or a list.

        >>> tuple(SweptSetting.parse("beta=0.1:0.5")), tuple(SweptSetting.parse("choice=official,optimal"))
        (('beta', ['0.1', '0.2', '0.3', '0.4', '0.5']), ('choice', ['official', 'optimal']))
        >>> SweptSetting.parse("order=1:3").values
        ['1', '2', '3']
        """
        name, equals, given = (part.strip() for part in text.partition("="))
        if not name or not equals or not given:
            raise UsageError(f"--sweep needs a setting and values, such as beta=0.1:2 or choice=official,optimal, found {text!r}")
        if ":" not in given:
            values = [value.strip() for value in given.split(",")]
            if not all(values) or len(set(values)) < max(2, len(values)):
                raise UsageError(f"--sweep needs two or more different values, found {given!r}")
        else:
            if (match := _RANGE.fullmatch(given)) is None:
                raise UsageError(f"--sweep needs a range such as 0.1:2 or 0.1:2:0.05, found {given!r}")
            whole = "." not in match[1] + match[2]
            first, last, step = Fraction(match[1]), Fraction(match[2]), Fraction(match[3] or ("1" if whole else "0.1"))
            if step <= 0 or last <= first or (last - first) / step >= _MOST_VALUES:
                raise UsageError(f"--sweep needs a range that rises in 1 to {_MOST_VALUES - 1} steps, found {given!r}")
            values = [_write(first + index * step) for index in range(int((last - first) / step) + 1)]
            if len(values) < 2:  # noqa: PLR2004 - a choice
                raise UsageError(f"--sweep needs two or more values, found only {values[0]} in {given!r}")
        if len(values) > _MOST_VALUES:
            raise UsageError(f"--sweep takes at most {_MOST_VALUES} values, found {len(values)}")
        return cls(name, values)

    def write_variants(self, metric: Metric) -> list[str]:
        """Write a metric with each value."""
        setting, known = self.name, list_settings(metric)
        if setting not in known:
            raise UsageError(f"{metric.name} has no setting {setting!r}; choose from {', '.join(known)}{suggest(setting, known)}")
        others = {name: write_value(getattr(metric, name)) for name in known if getattr(metric, name) != known[name].default}
        return [f"{metric.name}({','.join(f'{name}={own}' for name, own in {**others, setting: value}.items())})" for value in self.values]

    def compare(
        self,
        human: HumanScores,
        variants: Sequence[MetricScores],
        systems: Sequence[str],
        given: MetricScores,
        *,
        coefficient: Coefficient = "pearson",
        replicates: Replicates | None = None,
    ) -> Sweep:
        """Compare the values, the scores of whose variants are known; ``given`` are those of the metric as given."""
        import numpy as np

        setting, values = self

        if len(systems) < _FEWEST_SYSTEMS:
            raise RequestError(f"cross-validation over systems needs {_FEWEST_SYSTEMS} systems or more, found {len(systems)}")
        by_people = human.list_values(systems)
        scores = np.array([variant.list_values(systems) for variant in variants])
        correlations = {kind: compute_many(kind, scores, by_people) for kind in COEFFICIENTS}
        ordered = _compare_orders(scores, by_people)
        best = _find_best(correlations[coefficient])
        chosen, held_out = np.zeros(len(values), dtype=int), []
        pairs = list(combinations(range(len(systems)), 2))
        for index, pair in enumerate(pairs):
            rest = [system for system in range(len(systems)) if system not in pair]
            pick = _find_best(compute_many(coefficient, scores[:, rest], by_people[rest]))
            chosen[pick] += 1
            held_out.append(ordered[pick, index])
        shares = _count_best(coefficient, replicates) if replicates is not None else [None] * len(values)
        rows = [
            _SweptValue(
                value,
                **{kind: None if np.isnan(own[index]) else float(own[index]) for kind, own in correlations.items()},
                ordered=float(ordered[index].mean()),
                chosen=int(chosen[index]),
                best_in=shares[index],
            )
            for index, value in enumerate(values)
        ]
        with_given = float(_compare_orders(given.list_values(systems)[None, :], by_people).mean())
        ordered_by = (float(np.mean(held_out)), with_given, float(ordered[best].mean()))
        return Sweep(setting, given.name, coefficient, rows, values[best], len(pairs), *ordered_by)


def _write(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.10g}"


def _find_best(correlations: _Array) -> int:
    """Find the first of the largest values; undefined ones are the worst."""
    import numpy as np

    return int(np.where(np.isnan(correlations), -np.inf, correlations).argmax())


def _compare_orders(scores: _Array, by_people: _Array) -> _Array:
    """Say for each variant (row) and pair of systems (column) whether it orders the pair as people do; a tie counts half."""
    import numpy as np

    one, other = np.triu_indices(scores.shape[1], 1)
    signs = np.sign(scores[:, one] - scores[:, other]) * np.sign(by_people[one] - by_people[other])
    compared: _Array = (signs + 1) / 2
    return compared


def _count_best(coefficient: Coefficient, replicates: Replicates) -> list[float | None]:
    import numpy as np

    found = np.array([compute_many(coefficient, own.values, replicates.human.values) for own in replicates.metrics])
    best = np.where(np.isnan(found), -np.inf, found).argmax(axis=0)
    shares = np.bincount(best, minlength=len(found)) / len(best)
    return [float(share) for share in shares]
