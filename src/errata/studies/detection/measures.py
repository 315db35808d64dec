"""Measures of the counts of cases, with intervals, tests and curves over the threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata import __version__
from errata.errors import RequestError, UsageError, suggest
from errata.language.types import MEMBERS
from errata.metrics.ratios import UNDEFINED, PrecisionRecallF
from errata.settings import write_value
from errata.stats.comparison import Pair, check_test, correct_comparisons
from errata.stats.intervals import make_interval
from errata.stats.resampling import RowGroups, as_whole_numbers
from errata.studies.detection.cases import Answers, Cases, Labels, count_cases

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from errata.corpus.corpus import System
    from errata.metrics.views import Aspect
    from errata.settings import Correction, Test
    from errata.stats.bootstrap import Bootstrap, Progress
    from errata.stats.comparison import Comparison
    from errata.stats.intervals import Interval
    from errata.studies.detection.from_corpora import CorpusCases


# Measures of the counts of cases, each with the reason why it may be undefined.  All follow from the four counts, and N is their sum
# (Chodorow et al. 2012, section 3.3).  An error that is flagged but corrected wrongly is one case of detection; of correction it is a false
# positive and a false negative, and counts twice.

NO_NEGATIVES = "there are no true negatives among these cases"
NO_WRONG_TYPES = "false positives have no type here"
UNKNOWN_NUMBER = "the number of cases is unknown"


class Counts(NamedTuple):
    """Counts of cases, or sums of weights if judgments are graded."""

    tp: float
    fp: float
    """Not a number if false positives are unknown."""
    fn: float
    tn: float
    """Not a number if true negatives are undefined."""
    both: float = 0.0
    """False positives that are false negatives too; 0 for detection."""

    @property
    def n(self) -> float:
        """The sum of the four counts; a case that is a false positive and a false negative counts twice."""
        return self.tp + self.fp + self.fn + self.tn


_ROUNDED = 1e-9
"""Sums below this share of all cases are rounding errors, unless they are half a case."""
_NEARLY = 1e-6
"""Differences of shares below this have lost digits."""


def _find_rounding(cases: Any) -> Any:
    """Find how large rounding errors of sums over so many cases may be.

    >>> [f"{_find_rounding(cases):g}" for cases in (1, 1e3, 1e12)]
    ['1e-09', '1e-06', '0.5']
    """
    import numpy as np

    return np.minimum(_ROUNDED * np.abs(cases), 0.5)


def _remove_rounding(counts: Any) -> Any:
    """Copy counts and set those to 0 that differ from 0 only by rounding."""
    import numpy as np

    rounded = np.array(counts, dtype=float)
    nothing = _find_rounding(np.nansum(rounded[..., :4], axis=-1))
    for index in range(4):
        column = rounded[..., index]
        rounded[..., index] = np.where(np.abs(column) <= nothing, 0.0, column)
    return rounded


class _Margins:
    """Sums of counts for measures, over many rows; computed only when needed, because there may be millions."""

    def __init__(self, counts: Any, beta: float) -> None:
        self.counts = counts
        self.tp, self.fp, self.fn, self.tn = (counts[..., index] for index in range(4))
        self.beta = beta

    @property
    def errors(self) -> Any:
        return self.tp + self.fn

    @property
    def flagged(self) -> Any:
        return self.tp + self.fp

    @property
    def right(self) -> Any:
        """Cases without an error."""
        return self.tn + self.fp

    @property
    def kept(self) -> Any:
        """Cases that the system does not flag."""
        return self.tn + self.fn

    @cached_property
    def n(self) -> Any:
        return self.errors + self.right

    def expected(self) -> Any:
        """Compute the agreement expected by chance."""
        return (self.errors * self.flagged + self.right * self.kept) / (self.n * self.n)


def _correct_for_chance(agreement: Any, chance: Any) -> Any:
    return (agreement - chance) / (1 - chance)


def _accuracy(m: _Margins) -> Any:
    return (m.tp + m.tn) / m.n


def _kappa(m: _Margins) -> Any:
    """Compute Cohen's kappa; the same from products of counts, if nearly all agreement is expected."""
    import numpy as np

    expected = m.expected()
    kappa, nearly = _correct_for_chance(_accuracy(m), expected), 1 - expected < _NEARLY
    if not np.any(nearly):
        return kappa
    return np.where(nearly, 2 * (m.tp * m.tn - m.fp * m.fn) / (m.flagged * m.right + m.errors * m.kept), kappa)


def _disagreement(m: _Margins) -> Any:
    import numpy as np

    disagreement = 1 - _accuracy(m)
    return np.where(disagreement < _NEARLY, (m.fp + m.fn) / m.n, disagreement)


def _share(name: Literal["precision", "recall", "f"]) -> Callable[[_Margins], Any]:
    """Make a function that computes precision, recall or F."""

    def share(m: _Margins) -> Any:
        ratios = PrecisionRecallF.over((1, 0, 0, 0, 0), (1, 1, 0, 0, 0), (1, 0, 1, 0, 0), m.beta)
        return getattr(ratios, name).values(m.counts, UNDEFINED)

    return share


def _tnr(m: _Margins) -> Any:
    return m.tn / m.right


def _matthews(m: _Margins) -> Any:
    # Each root is taken separately, because the product of four counts may overflow.
    import numpy as np

    sides = np.sqrt(m.errors) * np.sqrt(m.flagged) * np.sqrt(m.right) * np.sqrt(m.kept)
    return (m.tp * m.tn - m.fp * m.fn) / sides


def _alpha(m: _Margins) -> Any:
    """Compute Krippendorff's alpha of two coders; chance is two values sampled from both without replacement."""
    said = m.errors + m.flagged
    chance = 2 * said * (2 * m.n - said) / (2 * m.n * (2 * m.n - 1))
    return 1 - _disagreement(m) / chance


def _ac1(m: _Margins) -> Any:
    """Compute Gwet's AC1; its chance agreement is largest if both classes are equally frequent."""
    share = (m.errors + m.flagged) / (2 * m.n)
    return _correct_for_chance(_accuracy(m), 2 * share * (1 - share))


@dataclass(frozen=True)
class Measure:
    """A measure of counts."""

    name: str
    label: str
    of: Callable[[_Margins], Any]
    undefined: str
    """Why it can be undefined."""
    needs_negatives: bool = True
    needs_number: bool = False
    """Whether it depends on the number of cases, so that their proportions are not enough."""
    chance: str = ""
    """The value of a system that flags cases at random."""

    @staticmethod
    def named(name: str) -> Measure:
        """Find a measure by its name."""
        if name not in MEASURES:
            raise UsageError(f"unknown measure {name!r}; choose from {', '.join(MEASURES)}{suggest(name, MEASURES)}")
        return MEASURES[name]

    def values(self, counts: Any, beta: float = 1.0, *, rounded: bool = True) -> Any:
        """Compute the measure of rows of five counts; not a number if undefined.  ``rounded``: counts may have rounding errors."""
        import numpy as np

        if rounded:
            counts = _remove_rounding(counts)
        with np.errstate(all="ignore"):
            values = np.asarray(self.of(_Margins(counts, beta)), dtype=float)
        return np.where(np.isfinite(values), values, np.nan)

    def value(self, counts: Counts, beta: float = 1.0) -> float | None:
        """Compute the measure of one row of counts; None if undefined.

        >>> MEASURES["kappa"].value(Counts(12, 18, 28, 142))
        0.206...
        """
        import numpy as np

        value = float(self.values(np.array(counts, dtype=float), beta))
        return None if np.isnan(value) else value

    def label_with(self, beta: float) -> str:
        """The label, with the weight in F."""
        return f"F{beta:g}" if self.name == "f" else self.label

    def reason(self, counts: Counts) -> str:
        """Say why it is undefined for these counts."""
        if self.needs_negatives and counts.tn != counts.tn:
            return NO_NEGATIVES
        if counts.fp != counts.fp and self.name != "recall":
            return NO_WRONG_TYPES
        if self.needs_negatives and counts.n == 0:
            return "there are no cases"
        return self.undefined


_ALL = (
    Measure("accuracy", "Accuracy", _accuracy, "there are no cases"),
    Measure("precision", "Precision", _share("precision"), "the system flags nothing", needs_negatives=False, chance="prevalence"),
    Measure("recall", "Recall", _share("recall"), "there are no errors", needs_negatives=False, chance="bias"),
    Measure("f", "F", _share("f"), "there are no errors, and the system flags nothing", needs_negatives=False),
    Measure("tnr", "True-negative rate", _tnr, "every case is an error", chance="1 - bias"),
    Measure("prevalence", "Prevalence", lambda m: m.errors / m.n, "there are no cases"),
    Measure("bias", "Bias", lambda m: m.flagged / m.n, "there are no cases"),
    Measure("expected", "Expected accuracy", _Margins.expected, "there are no cases"),
    Measure(
        "kappa",
        "Cohen's kappa",
        _kappa,
        "annotator and system put all cases into one class",
        chance="0",
    ),
    Measure("mcc", "Matthews correlation", _matthews, "annotator or system put all cases into one class", chance="0"),
    Measure(
        "informedness",
        "Informedness",
        lambda m: m.tp / m.errors + _tnr(m) - 1,
        "all cases are errors, or none is",
        chance="0",
    ),
    Measure(
        "markedness",
        "Markedness",
        lambda m: m.tp / m.flagged + m.tn / m.kept - 1,
        "the system flags every case, or none",
        chance="0",
    ),
    Measure(
        "alpha",
        "Krippendorff's alpha",
        _alpha,
        "annotator and system put all cases into one class",
        needs_number=True,
        chance="about 0",
    ),
    Measure("ac1", "Gwet's AC1", _ac1, "there are no cases"),
)
MEASURES: dict[str, Measure] = {measure.name: measure for measure in _ALL}
"""All measures by name, in the order of reports."""


# Systems that flag cases at random, at every prevalence and bias.  Their precision is the prevalence and their recall is the bias, so
# precision, recall and F change with the data and with how often the system flags; kappa and similar measures stay at 0 (Chodorow et al.
# 2012, section 3.3).


def compute_chance_counts(prevalence: float, bias: float, cases: float = 1.0) -> Counts:
    """Compute the counts expected if system and annotator are independent.

    >>> [round(share, 2) for share in compute_chance_counts(0.2, 0.2)[:4]]
    [0.04, 0.16, 0.16, 0.64]
    """
    for name, share in (("prevalence", prevalence), ("bias", bias)):
        if not 0 <= share <= 1:
            raise UsageError(f"a {name} must be a number from 0 to 1, found {share}")
    return Counts(
        cases * prevalence * bias,
        cases * (1 - prevalence) * bias,
        cases * prevalence * (1 - bias),
        cases * (1 - prevalence) * (1 - bias),
    )


# --- Curves: the counts and measures of a system with confidences at every threshold.


@dataclass(frozen=True)
class Areas:
    """Areas under curves; None if all cases are of one class."""

    auc: float | None
    """The area under true-positive rate against false-positive rate (ROC)."""
    average_precision: float | None
    """The mean precision, weighted by the recall that each threshold adds."""
    auk: float | None
    """The area under kappa against false-positive rate (Kaymak et al. 2010)."""
    reason: str = ""
    """Why they are undefined."""


@dataclass(frozen=True)
class Curve:
    """Counts for every distinct threshold, from the highest to the lowest."""

    system_name: str
    thresholds: Any
    """Cases with at least this confidence are flagged; the first threshold is infinite and flags nothing."""
    tp: Any
    flagged: Any
    errors: float
    cases: int

    @cached_property
    def counts(self) -> Any:
        """Rows of five counts."""
        import numpy as np

        # Each column is contiguous in memory, because measures work on columns.
        counts = np.zeros((5, len(self.tp))).T
        counts[:, 0] = self.tp
        np.subtract(self.flagged, self.tp, out=counts[:, 1])
        np.subtract(self.errors, self.tp, out=counts[:, 2])
        np.subtract(self.cases - self.errors, counts[:, 1], out=counts[:, 3])
        for index in range(4):
            counts[np.abs(counts[:, index]) <= _find_rounding(self.cases), index] = 0.0
        return counts

    def values(self, measure: str, beta: float = 1.0) -> Any:
        """Compute a measure at every threshold; not a number if it is undefined."""
        return Measure.named(measure).values(self.counts, beta, rounded=False)

    @property
    def false_positive_rate(self) -> Any:
        """The share of cases without an error that are flagged."""
        import numpy as np

        with np.errstate(all="ignore"):  # undefined if every case is an error
            return (self.flagged - self.tp) / (self.cases - self.errors)

    @cached_property
    def areas(self) -> Areas:
        """The areas under the curves."""
        import numpy as np

        if self.errors in {0, self.cases}:
            only = "errors" if self.errors else "cases without an error"
            return Areas(None, None, None, f"areas are undefined: there are only {only}")
        recall, rate = self.tp / self.errors, self.false_positive_rate
        precision = self.tp[1:] / self.flagged[1:]
        kappa = self.values("kappa")
        return Areas(float(np.trapezoid(recall, rate)), float(np.sum(np.diff(recall) * precision)), float(np.trapezoid(kappa, rate)))

    def best(self, measure: str, beta: float = 1.0) -> tuple[float, float] | None:
        """Find the highest threshold at which a measure is largest, and its value there; None if it is always undefined."""
        import numpy as np

        values = self.values(measure, beta)[1:]
        if np.isnan(values).all():
            return None
        index = int(np.nanargmax(values))
        return float(self.thresholds[1:][index]), float(values[index])

    def thinned(self, points: int) -> Curve:
        """Keep about so many points, evenly spaced by the number of flagged cases, with both ends."""
        import numpy as np

        if points < 2:  # noqa: PLR2004 - its ends
            raise UsageError(f"a curve needs two points or more, found {points}")
        if len(self.thresholds) <= points:
            return self
        wanted = np.linspace(0, self.flagged[-1], points)
        indices = np.unique(np.searchsorted(self.flagged, wanted))
        return Curve(self.system_name, self.thresholds[indices], self.tp[indices], self.flagged[indices], self.errors, self.cases)


def make_curve(cases: Cases, answers: Answers) -> Curve:
    """Compute the curve of a system over all thresholds."""
    import numpy as np

    if answers.confidence is None:
        raise UsageError(f"curves need confidences, but {answers.name} has none")
    if not len(cases):
        raise RequestError("a curve needs cases, found none")
    order = np.argsort(answers.confidence)[::-1]
    confidence = answers.confidence[order]
    ends = np.flatnonzero(np.append(confidence[1:] != confidence[:-1], True))
    error = cases.error if cases.weights is None else cases.error * cases.weights
    true_positives = np.cumsum(error[order])[ends]
    thresholds = np.concatenate([[np.inf], confidence[ends]])
    flagged = np.concatenate([[0.0], ends + 1.0 if cases.weights is None else np.cumsum(cases.weights[order])[ends]])
    errors = float(true_positives[-1])
    return Curve(answers.name, thresholds, np.concatenate([[0.0], true_positives]), flagged, errors, int(flagged[-1]))


@dataclass(frozen=True)
class Evaluation:
    """Counts of a system and their measures."""

    system_name: str
    aspect: Aspect
    counts: Counts
    beta: float = 1.0
    intervals: dict[str, Interval | None] = field(default_factory=dict)
    """Of measures, if requested."""
    rule: str = ""
    """What the system flags, if it is decided by a threshold."""
    proportions: bool = False
    """Whether the counts are proportions of an unknown number of cases."""

    def value(self, measure: str) -> float | None:
        """Compute a measure; None if it is undefined."""
        return None if self._lacks_number(measure) else MEASURES[measure].value(self.counts, self.beta)

    def _lacks_number(self, measure: str) -> bool:
        return self.proportions and MEASURES[measure].needs_number

    @property
    def values(self) -> dict[str, float | None]:
        """All measures by name."""
        return {name: self.value(name) for name in MEASURES}

    @property
    def reasons(self) -> dict[str, str]:
        """Why measures are undefined."""
        undefined = [name for name, value in self.values.items() if value is None]
        return {name: UNKNOWN_NUMBER if self._lacks_number(name) else MEASURES[name].reason(self.counts) for name in undefined}


def evaluate_detection(
    judged: JudgedSystem, aspect: Aspect = "detection", beta: float = 1.0, bootstrap: Bootstrap | None = None, by: ResampleCasesBy = "case"
) -> Evaluation:
    """Count the cases of a system; with intervals if ``bootstrap`` is given."""
    counts = Counts(*(float(number) for number in count_cases(judged.cases, judged.answers, aspect)[0]))
    intervals: dict[str, Interval | None] = {}
    if bootstrap is not None:
        computed = compute_measure_intervals(judged, list(MEASURES.values()), aspect, beta, bootstrap, by)
        intervals = dict(zip(MEASURES, computed, strict=True))
    proportions = judged.cases.known == "proportions"
    return Evaluation(judged.answers.name, aspect, counts, beta, intervals, judged.answers.rule, proportions)


def evaluate_types(judged: JudgedSystem, aspect: Aspect = "detection", beta: float = 1.0) -> dict[str, Evaluation]:
    """Count the cases of each type, and of types that only together have false positives."""
    types = judged.cases.types
    if types is None:
        return {}
    counted = zip(types.names, count_cases(judged.cases, judged.answers, aspect, types), strict=True)
    rows = {name: Counts(*(float(number) for number in row)) for name, row in counted}
    known = judged.cases.wrong_types
    if known is None and "" in rows and not any(row.fp or row.tn > 0 for name, row in rows.items() if name):
        known = ()
    if known is not None:
        rows = _remove_unknown(rows, known)
    proportions = judged.cases.known == "proportions"
    return {name: Evaluation(judged.answers.name, aspect, row, beta, proportions=proportions) for name, row in rows.items()}


def _remove_unknown(rows: dict[str, Counts], known: Collection[str]) -> dict[str, Counts]:
    """Remove the false positives of types where they are unknown, and the true negatives, which have no type.

    Types that the rules cannot distinguish are joined, as in scores by type.
    """
    joined = {}
    for name in known:
        members = [rows[member] for member in MEMBERS.get(name, ()) if member in rows]
        if members:
            joined[name] = Counts(*(sum(own) for own in zip(*members, rows.get(name, Counts(0, 0, 0, 0)), strict=True)))
    result = {}
    for name, row in {**rows, **joined}.items():
        result[name] = row if not name else row._replace(fp=row.fp if name in known else math.nan, tn=math.nan)
    return result


MOST_ANNOTATORS = 20
"""The most annotators that are compared, because every pair is judged."""


class AnnotatorEvaluation(NamedTuple):
    """What one annotator says about a system, or about another annotator."""

    annotator: str
    evaluation: Evaluation


class AnnotatorEvaluations(NamedTuple):
    """All systems by each annotator, and all pairs of annotators: the first is the gold, the second the system."""

    systems: list[AnnotatorEvaluation]
    pairs: list[AnnotatorEvaluation]
    skipped: int = 0
    """The number of annotators, if they are too many to be compared."""

    @classmethod
    def of(
        cls,
        corpus_cases: CorpusCases,
        systems: Sequence[System],
        annotators: int,
        beta: float = 1.0,
        progress: Callable[[int], None] | None = None,
    ) -> AnnotatorEvaluations:
        """Evaluate systems by each annotator, and annotators by each other; ``progress`` is called after each."""
        if annotators > MOST_ANNOTATORS:
            return cls([], [], annotators)

        def evaluate(name: str, cases: Cases) -> list[AnnotatorEvaluation]:
            if progress is not None:
                progress(1)
            judged = JudgedSystem(cases, cases.systems[0])
            return [AnnotatorEvaluation(name, evaluate_detection(judged, aspect, beta)) for aspect in judged.aspects]

        by_system = [
            item for system in systems for name, cases in corpus_cases.judge_by_annotator(system) for item in evaluate(name, cases)
        ]
        pairs = [item for name, cases in corpus_cases.judge_annotators() for item in evaluate(name, cases)]
        return cls(by_system, pairs)


# --- Intervals of measures of cases, and which differences between systems are significant.
#
# Cases, sentences or documents are resampled.  Identical ones are grouped, so millions of cases take no longer than a few.

ResampleCasesBy = Literal["case", "sentence", "document"]
_COUNTS = len(Counts._fields)


class JudgedSystem(NamedTuple):
    """A system and its cases."""

    cases: Cases
    answers: Answers

    @property
    def aspects(self) -> tuple[Aspect, ...]:
        """List detection, and correction if the system's corrections are known."""
        return ("detection", "correction") if self.answers.fixed is not None else ("detection",)

    def labels(self, by: ResampleCasesBy) -> Labels | None:
        """Return the sentences or documents of the cases; None if cases are resampled."""
        if by not in get_args(ResampleCasesBy):
            raise UsageError(f"by must be 'case', 'sentence' or 'document', found {by!r}")
        labels = {"case": None, "sentence": self.cases.units, "document": self.cases.documents}[by]
        if labels is None and by != "case":
            raise RequestError(f"cannot resample by {by}: the cases do not name their {by}")
        return labels


def judge_systems(cases: Cases) -> list[JudgedSystem]:
    """List the systems of a table with its cases."""
    return [JudgedSystem(cases, answers) for answers in cases.systems]


def choose_resampling(judged: Sequence[JudgedSystem], by: ResampleCasesBy | None) -> ResampleCasesBy:
    """Choose what is resampled by default: sentences if they are known, else cases."""
    return by or ("sentence" if all(item.cases.units is not None for item in judged) else "case")


def _group_counts(judged: Sequence[JudgedSystem], aspect: Aspect, by: ResampleCasesBy) -> RowGroups:
    """Group cases, sentences or documents by the counts of all systems, five columns for each."""
    import numpy as np

    labels = [item.labels(by) for item in judged]
    if labels[0] is None:
        return _group_cases(judged, aspect)
    known = [names for names in labels if names is not None]
    if any(names.names != known[0].names for names in known):
        raise RequestError(f"systems must be compared on the same {by}s")
    rows = [count_cases(item.cases, item.answers, aspect, names) for item, names in zip(judged, known, strict=True)]
    return RowGroups.of(np.nan_to_num(np.hstack(rows)))


def _group_cases(judged: Sequence[JudgedSystem], aspect: Aspect) -> RowGroups:
    import numpy as np

    if any(item.cases.error is not judged[0].cases.error for item in judged):
        raise RequestError("each system has its own cases here, so cases cannot be resampled jointly; resample sentences or documents")
    _check_resampled(judged[0])
    codes = np.zeros(len(judged[0].cases), dtype=np.int64)
    for item in judged:
        for column in (item.cases.error, item.answers.flagged, *([item.answers.fixed] if aspect == "correction" else [])):
            _, own = np.unique(column, return_inverse=True)
            _, codes = np.unique(codes * (int(own.max(initial=0)) + 1) + own, return_inverse=True)
    _, indices, times = np.unique(codes, return_index=True, return_counts=True)
    if (weights := judged[0].cases.weights) is not None:
        times = np.bincount(codes, weights=weights).astype(np.int64)
        indices, times = indices[times > 0], times[times > 0]
    rows = [part for item in judged for part in _select_cases(item.cases, indices).classify(_select_answers(item.answers, indices), aspect)]
    return RowGroups(np.stack(rows, axis=1), times)


def _check_resampled(item: JudgedSystem) -> None:
    """Raise if the cases cannot be resampled, because it is unknown how many there are, or what their judgments are."""
    weights = item.cases.weights
    if item.cases.known == "proportions":
        raise RequestError(f"an interval needs the number of cases, but only proportions of {item.answers.name} are known; use counts")
    if weights is not None and (weights % 1).any():
        raise RequestError(f"an interval needs whole counts, but those of {item.answers.name} are graded; use a table of cases")


def explain_untested(judged: Sequence[JudgedSystem]) -> str:
    """Say why systems cannot be tested in pairs; empty if they can."""
    if any(item.cases.known != "cases" for item in judged):
        return "systems cannot be tested in pairs: a test needs what each says about every case, and a table of counts has only sums"
    return ""


def _select_cases(cases: Cases, indices: Any) -> Cases:
    return Cases(cases.error[indices], (), cases.what, negatives=cases.negatives)


def _select_answers(answers: Answers, indices: Any) -> Answers:
    return Answers(answers.name, answers.flagged[indices], answers.fixed[indices] if answers.fixed is not None else None)


def compute_measure_intervals(
    judged: JudgedSystem, measures: Sequence[Measure], aspect: Aspect, beta: float, settings: Bootstrap, by: ResampleCasesBy
) -> list[Interval | None]:
    """Compute intervals of measures; None for an undefined one."""
    if settings.method == "exact":
        raise UsageError("intervals of cases must be bca or percentile, found exact")
    groups = _group_counts([judged], aspect, by)
    known = [
        measure
        for measure in measures
        if not (measure.needs_negatives and not judged.cases.negatives) and not _is_undefined(measure, groups, beta)
    ]
    values = [partial(measure.values, beta=beta) for measure in known]
    replicates = _resample_values([(own, slice(None)) for own in values], groups, settings)
    intervals = {
        measure.name: make_interval(own, groups.rows, resampled, settings, groups.times)
        for measure, own, resampled in zip(known, values, replicates, strict=True)
    }
    return [intervals.get(measure.name) for measure in measures]


def _resample_values(wanted: Sequence[tuple[Any, slice]], groups: RowGroups, settings: Bootstrap) -> list[Any]:
    """Compute measures of some of the counts in every replicate; the counts of all replicates are never in memory together."""
    import numpy as np

    parts = [[values(sums[:, columns]) for values, columns in wanted] for sums in groups.resample(settings)]
    return [np.concatenate(own) for own in zip(*parts, strict=True)]


def _is_undefined(measure: Measure, groups: RowGroups, beta: float) -> bool:
    import numpy as np

    return bool(np.isnan(measure.values(groups.total, beta)))


def compare_detectors(  # noqa: PLR0913 - those of compare, and what is counted
    judged: Sequence[JudgedSystem],
    measure: Measure,
    aspect: Aspect,
    beta: float,
    settings: Bootstrap,
    by: ResampleCasesBy,
    *,
    test: Test = "randomisation",
    correction: Correction = "holm",
    progress: Progress | None = None,
) -> list[Comparison]:
    """Compare every pair of systems by a measure; ``progress`` is called with the number of replicates of tests just done."""
    names = [item.answers.name for item in judged]
    check_test(names, test, correction)
    if reason := explain_untested(judged):
        raise RequestError(reason)
    if measure.needs_negatives and not all(item.cases.negatives for item in judged):
        raise RequestError(f"{measure.label} is undefined because {NO_NEGATIVES}")
    together = _group_counts(judged, aspect, by)
    if together.units < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"a test needs two {by}s or more, found {together.units}")

    def values(counts: Any) -> Any:
        return measure.values(counts, beta)

    parts = [together.columns(_COUNTS * index, _COUNTS * (index + 1)) for index in range(len(judged))]
    for name, part in zip(names, parts, strict=True):
        if _is_undefined(measure, part, beta):
            raise RequestError(f"{measure.label} of {name} is undefined because {measure.undefined}")
    columns = [slice(_COUNTS * index, _COUNTS * (index + 1)) for index in range(len(judged))]
    replicates = _resample_values([(values, own) for own in columns], together, settings)
    comparisons = []
    for one, other in combinations(range(len(judged)), 2):
        pair = Pair(
            values,
            (parts[one].rows, parts[other].rows),
            together.times.astype(float),
            (replicates[one], replicates[other]),
            partial(_swap_outputs, values, parts[one], parts[other], settings),
            settings,
            one_by_one=by != "case" or measure.name == "accuracy",
        )
        comparisons.append(pair.compare((names[one], names[other]), test))
        if progress is not None:
            progress(settings.replicates)
    return correct_comparisons(comparisons, correction)


def _swap_outputs(values: Any, one: RowGroups, other: RowGroups, settings: Bootstrap) -> Iterator[Any]:
    import numpy as np

    where = np.flatnonzero(np.any(one.rows != other.rows, axis=1))
    apart = as_whole_numbers((one.rows - other.rows)[where])
    total, other_total = one.total, other.total
    for swaps in RowGroups(apart, one.times[where]).swap(settings):
        moved = swaps @ apart
        yield values(total - moved) - values(other_total + moved)


def make_detection_signature(cases: Cases, beta: float, threshold: float | None = None) -> str:
    """Name everything that can change a measure of cases."""
    chosen = f",threshold={write_value(threshold)}" if threshold is not None else ""
    data = f" | {cases.data}" if cases.data else ""
    return f"detection(beta={write_value(float(beta))}{chosen}){data} | errata {__version__}"
