"""Metrics judged against people: everything that ``errata meta`` reports, from scores and judgments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from errata.errors import MismatchError, RequestError, UsageError
from errata.formats.tables import find_repeated
from errata.judgments.pairs import PAIR_KINDS, PairKind
from errata.meta.by_judge import JudgeResult, compare_with_judges
from errata.meta.coefficients import COEFFICIENTS, Coefficient
from errata.meta.correlation_intervals import MetaIntervals, SetIntervals
from errata.meta.replicates import resample_scores
from errata.meta.score_intervals import NO_INTERVALS, ScoreIntervals, find_score_intervals
from errata.meta.sentence_level import count_by_sentence, list_decided_pairs
from errata.meta.sentence_results import AgreementComparison, SentenceAgreement, compare_agreement, describe_agreement
from errata.meta.system_level import MetricComparison, SystemCorrelation, compare_metrics, correlate_with_people
from errata.meta.system_sets import SystemSet, make_sets
from errata.meta.tie_rules import TIE_RULES, TieRule
from errata.meta.windows import WindowCorrelation, correlate_windows
from errata.names import CORRECTIONS, Correction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.judgments.wins import Opponents
    from errata.meta.human_scores import HumanScores
    from errata.meta.judged_sentences import JudgedSentences
    from errata.meta.metric_scores import MetricScores


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
        judges = compare_with_judges(judged.items, judged.places, metrics, own_ranks, systems, **rules)
    return agreements, tests, judges


def _rank(metric: MetricScores, systems: Sequence[str], numbers: Sequence[int], judged: set[int]) -> Any:
    """Rank systems on all sentences; those that were not judged need no score."""
    import numpy as np

    columns = [index for index, number in enumerate(numbers) if number in judged]
    ranks = np.zeros((len(systems), len(numbers)), dtype=np.int64)
    ranks[:, columns] = metric.rank_sentences(systems, [numbers[index] for index in columns])
    return ranks
