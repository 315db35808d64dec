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
from errata.stats.comparison import correct_p
from errata.stats.intervals import compute_ends
from errata.studies.judgments.items import score_by_one_judge
from errata.studies.meta.scores import NO_INTERVALS, Replicates, ScoreIntervals, draw_weights
from errata.studies.meta.systems import (
    MetaIntervals,
    MetricComparison,
    SystemCorrelation,
    SystemSet,
    WindowCorrelation,
    compare_systems,
    compute_many,
    none_if_undefined,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.metrics.base import Metric
    from errata.stats.bootstrap import Bootstrap
    from errata.studies.judgments.items import Opponents, RankedOutput, RankingItem
    from errata.studies.meta.scores import HumanScores, JudgedSentences, MetricScores, Replicates

if TYPE_CHECKING:
    _Array = NDArray[np.float64]


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


# Whether a metric prefers the same of two outputs of a sentence as people do.  Pairs that the judge tied are not counted.  Accuracy is the
# share of pairs that agree, and Kendall's tau the share that agrees less the share that disagrees; what a tie of the metric is, a rule says
# (:data:`errata.settings.TIE_RULES`).


class _PairAgreement(NamedTuple):
    """How often a metric and people prefer the same of two outputs; pairs that people tie are not counted."""

    agree: int
    disagree: int
    first_better: int
    """Ties of the metric in which people prefer the first system."""
    first_worse: int
    """Ties of the metric in which people prefer the second system."""

    @property
    def ties(self) -> int:
        """Ties of the metric."""
        return self.first_better + self.first_worse


_COUNTS = len(_PairAgreement._fields)


def _weigh_outcomes(rule: TieRule) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int], tuple[int, int, int, int]]:
    """Return the weights of the four counts in agreements, disagreements and pairs.

    >>> _weigh_outcomes("loss")
    ((1, 0, 0, 1), (0, 1, 1, 0), (1, 1, 1, 1))
    """
    if rule == "drop":
        return (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0)
    if rule == "neither":
        return (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 1, 1)
    return (1, 0, 0, 1), (0, 1, 1, 0), (1, 1, 1, 1)


class _DecidedPairs(NamedTuple):
    """Pairs that people did not tie: arrays with a value for each pair."""

    sentence: NDArray[np.int64]
    """The place of the sentence in replicates."""
    judge: NDArray[np.int64]
    first: NDArray[np.int64]
    """Systems by their index; the first is the one that a rule for ties calls first."""
    second: NDArray[np.int64]
    outcome: NDArray[np.int64]
    """1 if the first is better, -1 if the second is."""
    tied: int
    """Pairs that people tied, which are not among these."""


def _list_decided_pairs(
    items: Sequence[RankingItem], places: Mapping[int, int], systems: Sequence[str], kind: PairKind, rule: TieRule
) -> _DecidedPairs:
    """List the pairs of some systems; an output of several of them stands for the first.

    The first is that of the alphabet, or with the rule ``loss-given`` that of ``systems``.
    """
    import numpy as np

    numbers = {name: number for number, name in enumerate(systems)}
    order = list(range(len(systems))) if rule == "loss-given" else np.argsort(np.argsort(np.array(systems, dtype=object))).tolist()
    judges: dict[str, int] = {}
    found: list[tuple[int, int, int, int, int]] = []
    tied = 0
    for item in items:
        judge = judges.setdefault(item.judge, len(judges))
        for (one, rank), (other, other_rank) in combinations(_list_entries(item.outputs, numbers, order, kind), 2):
            if rank == other_rank:
                tied += 1
                continue
            outcome = 1 if rank < other_rank else -1
            pair = (one, other, outcome) if order[one] < order[other] else (other, one, -outcome)
            found.append((places[item.sentence], judge, *pair))
    columns = np.array(found, dtype=np.int64).reshape(-1, 5).T
    sentence, judge_index, first, second, outcomes = columns
    return _DecidedPairs(sentence, judge_index, first, second, outcomes, tied)


def _list_entries(
    outputs: Sequence[RankedOutput], numbers: Mapping[str, int], order: Sequence[int], kind: PairKind
) -> list[tuple[int, int]]:
    """List systems with their ranks: all of them, or one for each output."""
    entries = []
    for output in outputs:
        known = [numbers[name] for name in output.systems if name in numbers]
        if kind == "collapsed" and known:
            known = [min(known, key=order.__getitem__)]
        entries += [(system, output.rank) for system in known]
    return entries


def _count_by_sentence(pairs: _DecidedPairs, ranks: NDArray[np.int64], sentences: int) -> _Array:
    """Count, for each sentence (row), the four outcomes of :class:`_PairAgreement`; ``ranks`` are those of systems by a metric."""
    import numpy as np

    preferred = np.sign(ranks[pairs.first, pairs.sentence] - ranks[pairs.second, pairs.sentence])
    kinds = np.where(preferred == 0, np.where(pairs.outcome > 0, 2, 3), np.where(preferred == pairs.outcome, 0, 1))
    counts = np.bincount(pairs.sentence * _COUNTS + kinds, minlength=sentences * _COUNTS)
    return counts.reshape(sentences, _COUNTS).astype(np.float64)


def _compute_agreement(counts: _Array, rule: TieRule) -> tuple[_Array, _Array]:
    """Compute accuracy and Kendall's tau of many sums of counts (rows); not a number if there are no pairs.

    >>> import numpy as np
    >>> [value.tolist() for value in _compute_agreement(np.array([[6.0, 2.0, 1.0, 1.0]]), "neither")]
    [[0.6], [0.4]]
    """
    import numpy as np

    agree, disagree, pairs = (counts @ np.array(weights, dtype=np.float64) for weights in _weigh_outcomes(rule))

    def divide(above: Any) -> Any:
        return np.divide(above, pairs, out=np.full(pairs.shape, np.nan), where=pairs > 0)

    return divide(agree), divide(agree - disagree)


_SWAPS = 10_000
_AT_ONCE = 500
_AS_FAR = 1e-9


class SentenceAgreement(NamedTuple):
    """How far a metric agrees with people on the sentences of a set of systems; ends and values are None if they are unknown."""

    metric: str
    systems: str
    """The name of the set."""
    agree: int
    disagree: int
    first_better: int
    """Ties of the metric in which people prefer the system that is called first."""
    first_worse: int
    human_ties: int
    """Pairs that people tied, which are not counted."""
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    tau: float | None
    tau_low: float | None
    tau_high: float | None


class AgreementComparison(NamedTuple):
    """The difference of the accuracies of two metrics on sentences; p is corrected."""

    metric: str
    other: str
    systems: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None


def _describe_agreement(
    names: Sequence[str], counts: Sequence[_Array], set_name: str, human_ties: int, rule: TieRule, bootstrap: Bootstrap | None
) -> list[SentenceAgreement]:
    """Make the results of all metrics from their counts, with a row for each sentence."""
    found = []
    resampled = None if bootstrap is None else _resample_counts(counts, bootstrap)
    for index, (name, own) in enumerate(zip(names, counts, strict=True)):
        total = own.sum(axis=0)
        results: list[tuple[float | None, float | None, float | None]] = []
        for which in (0, 1):  # accuracy, tau
            value = float(_compute_agreement(total[None, :], rule)[which][0])
            ends = (math.nan, math.nan)
            if bootstrap is not None and resampled is not None and not math.isnan(value):
                drawn, without = (_compute_agreement(sums, rule)[which] for sums in (resampled[index], total - own))
                interval = compute_ends(drawn, bootstrap, value, without)
                ends = (interval.low, interval.high)
            results.append((none_if_undefined(value), none_if_undefined(ends[0]), none_if_undefined(ends[1])))
        outcomes = _PairAgreement(*(int(number) for number in total))
        found.append(SentenceAgreement(name, set_name, *outcomes, human_ties, *results[0], *results[1]))
    return found


def _compare_agreement(
    names: Sequence[str],
    counts: Sequence[_Array],
    set_name: str,
    rule: TieRule,
    *,
    bootstrap: Bootstrap | None = None,
    correction: Correction = "holm",
    seed: int = 0,
) -> list[AgreementComparison]:
    """Compare the accuracies of all pairs of metrics."""
    resampled = None if bootstrap is None else _resample_counts(counts, bootstrap)
    found: list[AgreementComparison] = []
    for one, other in combinations(range(len(names)), 2):

        def measure(sums: Sequence[_Array], pair: tuple[int, int] = (one, other)) -> _Array:
            return _compute_agreement(sums[pair[0]], rule)[0] - _compute_agreement(sums[pair[1]], rule)[0]

        totals = [own.sum(axis=0) for own in counts]
        value = float(measure([total[None, :] for total in totals])[0])
        ends = (math.nan, math.nan)
        if bootstrap is not None and resampled is not None and not math.isnan(value):
            without = measure([total - own for total, own in zip(totals, counts, strict=True)])
            interval = compute_ends(measure(resampled), bootstrap, value, without)
            ends = (interval.low, interval.high)
        p = None if math.isnan(value) else _test_by_swapping(counts[one], counts[other], rule, seed)
        found.append(
            AgreementComparison(
                names[one], names[other], set_name, none_if_undefined(value), none_if_undefined(ends[0]), none_if_undefined(ends[1]), p
            )
        )
    known = iter(correct_p([row.p for row in found if row.p is not None], correction))
    return [row if row.p is None else row._replace(p=next(known)) for row in found]


def _resample_counts(counts: Sequence[_Array], bootstrap: Bootstrap) -> list[_Array]:
    """Sum the counts of each metric in every replicate (rows)."""
    import numpy as np

    sentences, width = counts[0].shape
    together = np.hstack(counts)
    sums = np.concatenate([weights @ together for weights in draw_weights(sentences, bootstrap)])
    return [sums[:, first : first + width] for first in range(0, sums.shape[1], width)]


def _test_by_swapping(one: _Array, other: _Array, rule: TieRule, seed: int) -> float:
    """Compute p by swapping the outcomes of two metrics on whole sentences at random."""
    import numpy as np

    def subtract(first: _Array, second: _Array) -> _Array:
        return _compute_agreement(first, rule)[0] - _compute_agreement(second, rule)[0]

    half = (one.sum(axis=0) + other.sum(axis=0)) / 2
    apart = (one - other) / 2
    apart = apart[apart.any(axis=1)]
    if not len(apart):
        return 1.0
    observed = abs(float(subtract(one.sum(axis=0)[None, :], other.sum(axis=0)[None, :])[0]))
    as_far = 0
    for signs in _draw_signs(len(apart), seed):
        moved = signs @ apart
        differences = np.abs(subtract(half + moved, half - moved))
        as_far += int(np.sum(~(differences < observed * (1 - _AS_FAR))))
    return (as_far + 1) / (_SWAPS + 1)


def _draw_signs(size: int, seed: int) -> Iterator[_Array]:
    import numpy as np

    random = np.random.default_rng(seed)
    for _ in range(0, _SWAPS, _AT_ONCE):
        yield np.where(random.integers(0, 2, (_AT_ONCE, size)) == 1, 1.0, -1.0)


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
        pairs = _list_decided_pairs(own, places, systems, kind, rule)
        for metric, ranked in zip(metrics, ranks, strict=True):
            r, rho = math.nan, math.nan
            if len(known) > 2:  # noqa: PLR2004 - two points always lie on a line
                lists = metric.list_values(known), _to_array([scores[name] for name in known])
                r, rho = (float(compute_many(kind_, *lists)) for kind_ in ("pearson", "spearman"))
            accuracy, tau, count = math.nan, math.nan, len(pairs.outcome)
            if ranked is not None:
                total = _count_by_sentence(pairs, ranked, len(places)).sum(axis=0)[None, :]
                accuracy, tau = (float(values[0]) for values in _compute_agreement(total, rule))
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


def _compare_sentences(
    metrics: Sequence[MetricScores],
    systems: Sequence[str],
    sets: Sequence[SystemSet],
    judged: JudgedSentences | None,
    settings: MetaSettings,
) -> tuple[list[SentenceAgreement], list[AgreementComparison], list[JudgeResult]]:
    """Find how often metrics agree with people on the sentences of each set of systems, and with each judge if that is asked for."""
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
        pairs = _list_decided_pairs(judged.items, judged.places, own_set.systems, settings.pairs, settings.ties)
        counts = [_count_by_sentence(pairs, ranks[name][kept], len(numbers)) for name in names]
        agreements += _describe_agreement(names, counts, own_set.name, pairs.tied, settings.ties, bootstrap)
        seed = settings.intervals.seed if settings.intervals is not None else 0
        tests += _compare_agreement(
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
    agreements, tests, judges = _compare_sentences(metrics, systems, found.sets, judged, settings)
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
