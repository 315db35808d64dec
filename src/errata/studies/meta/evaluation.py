"""Metrics judged against people: everything that ``errata meta`` reports, from scores and judgments."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

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
from errata.studies.judgments.items import score_by_one_judge
from errata.studies.meta.methods import compute_many, none_if_undefined
from errata.studies.meta.scores import NO_INTERVALS, ScoreIntervals, find_score_intervals, resample_scores
from errata.studies.meta.sentences import (
    AgreementComparison,
    SentenceAgreement,
    compare_agreement,
    compute_agreement,
    count_by_sentence,
    describe_agreement,
    list_decided_pairs,
)
from errata.studies.meta.systems import (
    MetaIntervals,
    MetricComparison,
    SetIntervals,
    SystemCorrelation,
    SystemSet,
    WindowCorrelation,
    compare_metrics,
    correlate_windows,
    correlate_with_people,
    make_sets,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.metrics.base import Metric
    from errata.studies.judgments.items import Opponents, RankingItem
    from errata.studies.meta.scores import HumanScores, JudgedSentences, MetricScores, Replicates


# --- Metrics against single judges: correlations with the scores of systems by each judge alone, and agreement on its sentences.


class JudgeResult(NamedTuple):
    """How far a metric agrees with one judge; None if the judge says nothing about it."""

    metric: str
    judge: str
    items: int
    systems: int
    """Systems with a score by this judge."""
    pearson: float | None
    spearman: float | None
    pairs: int
    """Pairs of the sentence level that the judge did not tie."""
    accuracy: float | None
    tau: float | None


def _compare_with_judges(  # noqa: PLR0913 - what is compared, and the rules of pairs
    items: Sequence[RankingItem],
    places: Mapping[int, int],
    metrics: Sequence[MetricScores],
    ranks: Sequence[NDArray[np.int64] | None],
    systems: Sequence[str],
    *,
    kind: PairKind,
    rule: TieRule,
    opponents: Opponents = "decided",
) -> list[JudgeResult]:
    """Compare every metric with every judge; ``ranks`` are those of systems on sentences by each metric, if it has any."""
    found = []
    for judge in sorted({item.judge for item in items}):
        own = [item for item in items if item.judge == judge]
        scores = score_by_one_judge(own, opponents)
        known = [name for name in systems if name in scores]
        pairs = list_decided_pairs(own, places, systems, kind, rule)
        for metric, ranked in zip(metrics, ranks, strict=True):
            r, rho = math.nan, math.nan
            if len(known) > 2:  # noqa: PLR2004 - two points always lie on a line
                lists = metric.list_values(known), _to_array([scores[name] for name in known])
                r, rho = (float(compute_many(kind_, *lists)) for kind_ in ("pearson", "spearman"))
            accuracy, tau, count = math.nan, math.nan, len(pairs.outcome)
            if ranked is not None:
                total = count_by_sentence(pairs, ranked, len(places)).sum(axis=0)[None, :]
                accuracy, tau = (float(values[0]) for values in compute_agreement(total, rule))
            result = JudgeResult(
                metric.name,
                judge,
                len(own),
                len(known),
                none_if_undefined(r),
                none_if_undefined(rho),
                count,
                none_if_undefined(accuracy),
                none_if_undefined(tau),
            )
            found.append(result)
    return found


def _to_array(values: object) -> NDArray[np.float64]:
    import numpy as np

    return np.array(values, dtype=np.float64)


# --- Metrics judged against people: everything that ``errata meta`` reports, from scores and judgments.


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
    sets = make_sets(systems, settings.without, human.values)
    windows = correlate_windows(human, metrics, systems, settings.windows)
    makers, of_scores = _make_intervals(human, metrics, systems, sets, judged, settings, progress)
    level = settings.intervals.level if settings.intervals is not None else settings.level
    correlations, comparisons = [], []
    for own_set, maker in zip(sets, makers, strict=True):
        correlations += correlate_with_people(human, metrics, own_set, level, maker)
        how: dict[str, Any] = {"coefficient": settings.coefficient, "correction": settings.correction, "alpha": settings.alpha}
        comparisons += compare_metrics(human, metrics, own_set, maker, seed=settings.intervals.seed if settings.intervals else 0, **how)
    agreements, tests, judges = _compare_sentences(metrics, systems, sets, judged, settings)
    found = (correlations, comparisons, windows, agreements, tests, judges)
    return MetaEvaluation(human, tuple(metrics), tuple(systems), tuple(sets), settings, *found, of_scores)


def _make_intervals(
    human: HumanScores,
    metrics: Sequence[MetricScores],
    systems: Sequence[str],
    sets: Sequence[SystemSet],
    judged: JudgedSentences | None,
    settings: MetaSettings,
    progress: Callable[[int], None] | None,
) -> tuple[list[SetIntervals | None], ScoreIntervals]:
    varying = [scores.evidence for scores in metrics if scores.evidence is not None]
    sentences = len(judged.places) if judged is not None else next(iter(varying[0].values())).size if varying else 0
    if settings.intervals is None or not (human.varies or varying):
        return [None] * len(sets), NO_INTERVALS
    if sentences < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"intervals need two sentences or more, found {sentences}")
    bootstrap = settings.intervals.bootstrap
    replicates = resample_scores(human, metrics, systems, sentences, bootstrap, progress=progress)
    makers = [SetIntervals(replicates, own_set.find_indices(systems), settings.intervals) for own_set in sets]
    return [*makers], find_score_intervals(replicates, human, metrics, systems, bootstrap.level)


def _compare_sentences(
    metrics: Sequence[MetricScores],
    systems: Sequence[str],
    sets: Sequence[SystemSet],
    judged: JudgedSentences | None,
    settings: MetaSettings,
) -> tuple[list[SentenceAgreement], list[AgreementComparison], list[JudgeResult]]:
    if judged is None:
        return [], [], []
    numbers = list(judged.numbers)
    with_sentences = [metric for metric in metrics if metric.has_sentences]
    known = set(judged.judged_numbers)
    ranks = {metric.name: _rank(metric, systems, numbers, known) for metric in with_sentences}
    bootstrap = settings.intervals.bootstrap if settings.intervals is not None else None
    agreements, tests = [], []
    names = [metric.name for metric in with_sentences]
    for own_set in sets if with_sentences else ():
        kept = own_set.find_indices(systems)
        pairs = list_decided_pairs(judged.items, judged.places, own_set.systems, settings.pairs, settings.ties)
        counts = [count_by_sentence(pairs, ranks[name][kept], len(numbers)) for name in names]
        agreements += describe_agreement(names, counts, own_set.name, pairs.tied, settings.ties, bootstrap)
        seed = settings.intervals.seed if settings.intervals is not None else 0
        tests += compare_agreement(
            names, counts, own_set.name, settings.ties, bootstrap=bootstrap, correction=settings.correction, seed=seed
        )
    judges = []
    if settings.by_judge:
        own_ranks = [ranks.get(metric.name) for metric in metrics]
        rules: dict[str, Any] = {"kind": settings.pairs, "rule": settings.ties, "opponents": settings.opponents}
        judges = _compare_with_judges(judged.items, judged.places, metrics, own_ranks, systems, **rules)
    return agreements, tests, judges


def _rank(metric: MetricScores, systems: Sequence[str], numbers: Sequence[int], judged: set[int]) -> Any:
    """Rank systems on all sentences; those that were not judged need no score."""
    import numpy as np

    columns = [index for index, number in enumerate(numbers) if number in judged]
    ranks = np.zeros((len(systems), len(numbers)), dtype=np.int64)
    ranks[:, columns] = metric.rank_sentences(systems, [numbers[index] for index in columns])
    return ranks


# --- Values of a setting, tried against people, with cross-validation over systems, so that nobody tunes on what they test.
#
# For every pair of systems a value is chosen on all other systems, by its correlation with people, and tested on the pair: does the
# metric
# with this value order the two as people do?  The share of pairs that it orders so is compared with that of the value of the metric as
# given, and with that of the value that is best on all systems, which was chosen with a look at the test.

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
    """All values, and what cross-validation says."""

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


def parse_sweep(text: str) -> tuple[str, list[str]]:
    """Parse a setting with its values: a range with or without a step, or a list.

    >>> parse_sweep("beta=0.1:0.5"), parse_sweep("order=1:3"), parse_sweep("choice=official,optimal")
    (('beta', ['0.1', '0.2', '0.3', '0.4', '0.5']), ('order', ['1', '2', '3']), ('choice', ['official', 'optimal']))
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
    return name, values


def _write(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.10g}"


def write_variants(metric: Metric, setting: str, values: Sequence[str]) -> list[str]:
    """Write a metric with each value of a setting."""
    known = list_settings(metric)
    if setting not in known:
        raise UsageError(f"{metric.name} has no setting {setting!r}; choose from {', '.join(known)}{suggest(setting, known)}")
    others = {name: write_value(getattr(metric, name)) for name in known if getattr(metric, name) != known[name].default}
    return [f"{metric.name}({','.join(f'{name}={own}' for name, own in {**others, setting: value}.items())})" for value in values]


def sweep_setting(  # noqa: PLR0913 - what is tried, and how
    human: HumanScores,
    variants: Sequence[MetricScores],
    values: Sequence[str],
    systems: Sequence[str],
    given: MetricScores,
    *,
    setting: str,
    coefficient: Coefficient = "pearson",
    replicates: Replicates | None = None,
) -> Sweep:
    """Compare the values of a setting, the scores of whose variants are known; ``given`` are those of the metric as given."""
    import numpy as np

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
    return Sweep(
        setting, given.name, coefficient, rows, values[best], len(pairs), float(np.mean(held_out)), with_given, float(ordered[best].mean())
    )


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
