"""Intervals of measures of cases, and which differences between systems are significant.

Cases, sentences or documents are resampled.  Identical ones are grouped, so millions of cases take no longer than a few.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.detection.cases import Answers, Cases, Labels, classify_cases, count_cases
from errata.detection.measures import NO_NEGATIVES, Counts
from errata.errors import RequestError, UsageError
from errata.stats.comparison import Pair, check_test, correct_comparisons, make_comparison
from errata.stats.intervals import make_interval
from errata.stats.resampling import RowGroups, as_whole_numbers, group_rows, resample_groups, swap_groups

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.detection.measures import Measure
    from errata.metrics.views import Aspect
    from errata.names import Correction, Test
    from errata.stats import Bootstrap, Comparison, Interval
    from errata.stats.bootstrap import Progress

ResampleCasesBy = Literal["case", "sentence", "document"]
_COUNTS = len(Counts._fields)


class JudgedSystem(NamedTuple):
    """A system and its cases."""

    cases: Cases
    answers: Answers

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


def group_counts(judged: Sequence[JudgedSystem], aspect: Aspect, by: ResampleCasesBy) -> RowGroups:
    """Group cases, sentences or documents by the counts of all systems, five columns for each."""
    import numpy as np

    labels = [item.labels(by) for item in judged]
    if labels[0] is None:
        return _group_cases(judged, aspect)
    known = [names for names in labels if names is not None]
    if any(names.names != known[0].names for names in known):
        raise RequestError(f"systems must be compared on the same {by}s")
    rows = [count_cases(item.cases, item.answers, aspect, names) for item, names in zip(judged, known, strict=True)]
    return group_rows(np.nan_to_num(np.hstack(rows)))


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
    rows = [
        part
        for item in judged
        for part in classify_cases(_select_cases(item.cases, indices), _select_answers(item.answers, indices), aspect)
    ]
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
    groups = group_counts([judged], aspect, by)
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

    parts = [[values(sums[:, columns]) for values, columns in wanted] for sums in resample_groups(groups, settings)]
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
    together = group_counts(judged, aspect, by)
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
        comparisons.append(make_comparison((names[one], names[other]), pair, test))
        if progress is not None:
            progress(settings.replicates)
    return correct_comparisons(comparisons, correction)


def _swap_outputs(values: Any, one: RowGroups, other: RowGroups, settings: Bootstrap) -> Iterator[Any]:
    import numpy as np

    where = np.flatnonzero(np.any(one.rows != other.rows, axis=1))
    apart = as_whole_numbers((one.rows - other.rows)[where])
    total, other_total = one.total, other.total
    for swaps in swap_groups(RowGroups(apart, one.times[where]), settings):
        moved = swaps @ apart
        yield values(total - moved) - values(other_total + moved)
