"""Whether the difference of two systems is significant: paired tests on the same sentences.

All tests are two-sided.  Two systems with the same counts in every sentence have p = 1 in every test.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.display import Listing, TableRow, make_html_table
from errata.errors import RequestError, UsageError, pluralise
from errata.metrics.evidence import collect_evidence
from errata.settings import CORRECTIONS, TESTS, Correction, Test
from errata.stats.bootstrap import Bootstrap, split_into_chunks
from errata.stats.intervals import make_interval
from errata.stats.resampling import (
    RowGroups,
    Rows,
    Units,
    check_units,
    group_documents,
    resample,
    resample_sums,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from errata.metrics.base import SourceMeasure
    from errata.metrics.evidence import Evidence, HasEvidence
    from errata.stats.bootstrap import Progress
    from errata.stats.intervals import Interval
    from errata.stats.resampling import ResampledScores


POWER = 0.8
"""The power for which the number of units is estimated."""


FEWEST_NEEDED = 50
"""Below so many units the estimate does not hold."""
_NOTHING = 1e-12
"""Smaller differences of scores are rounding errors."""


class Pair:
    """Two systems with the counts of their units (sentences, documents or cases).

    ``times`` says how many units have each row of counts.  ``replicates`` are the scores of both in all replicates.  ``swapped``
    yields differences after the outputs of units were swapped at random, in parts.  ``one_by_one`` says whether single units have
    a score; ``by_unit`` are the differences of these scores, if they are not those of counts.
    """

    def __init__(  # noqa: PLR0913 - the last two are given by name
        self,
        values: Callable[[Any], Any],
        counts: tuple[Any, Any],
        times: Any,
        replicates: tuple[Any, Any],
        swapped: Callable[[], Iterable[Any]],
        settings: Bootstrap,
        *,
        one_by_one: bool = True,
        by_unit: Any = None,
    ) -> None:
        import numpy as np

        self._values, self._rows, self._all_times = values, np.hstack(counts), times
        self._swapped, self._settings, self._units = swapped, settings, int(times.sum())
        self.difference = float(self._differences((times @ self._rows)[None, :])[0])
        apart = replicates[0] - replicates[1]
        self._replicates = apart[~np.isnan(apart)]
        by_unit = self._differences(self._rows) if by_unit is None else by_unit.copy()
        known = ~np.isnan(by_unit) & one_by_one
        self._by_unit, self._times = by_unit[known], times[known]
        self._by_unit[np.abs(self._by_unit) < _NOTHING] = 0.0

    def _differences(self, counts: Any) -> Any:
        half = counts.shape[1] // 2
        return self._values(counts[:, :half]) - self._values(counts[:, half:])

    def _compute_interval(self) -> Interval:
        """Compute the interval of the difference; bca instead of exact, which differences do not have."""
        settings = replace(self._settings, method="bca") if self._settings.method == "exact" else self._settings
        return make_interval(self._differences, self._rows, self._replicates, settings, self._all_times)

    def _compute_effect(self) -> float | None:
        """Compute Cohen's d: the mean difference of the scores of units, in standard deviations.

        None if units have no score, or all differences are equal.
        """
        if self._times.sum() < 2:  # noqa: PLR2004 - one has no variance
            return None
        mean, spread = self._moments()
        return mean / spread if spread else 0.0 if mean == 0 else None

    def _compute_standard_error(self) -> float | None:
        """Compute the standard deviation of the difference in the replicates; None if it is undefined in all of them."""
        import numpy as np

        return float(np.std(self._replicates)) if len(self._replicates) else None

    def test(self, test: Test) -> tuple[float, float]:
        """Compute the two-sided p, and what was tested: a difference of scores, or for sign wins minus losses."""
        import numpy as np

        if test == "randomisation":
            # A difference that is undefined after swapping counts as one that is as far from 0.
            as_far = sum(int(np.sum(~(np.abs(differences) < abs(self.difference) * (1 - 1e-9)))) for differences in self._swapped())
            return (as_far + 1) / (self._settings.replicates + 1), self.difference
        if test == "bootstrap":
            lower, upper = float(np.sum(self._replicates <= 0)), float(np.sum(self._replicates >= 0))
            return min(1.0, 2 * (min(lower, upper) + 1) / (len(self._replicates) + 1)), self.difference
        return self._t() if test == "t" else self._sign()

    def compare(self, systems: tuple[str, str], test: Test) -> Comparison:
        """Make the comparison of systems with these names; p is not corrected."""
        p, tested = self.test(test)
        interval = self._compute_interval()
        bound = p <= self._least_p(test)
        effect, needed, error = self._compute_effect(), self._needed(test), self._compute_standard_error()
        return Comparison(
            *systems, self.difference, interval.low, interval.high, p, p, tested, effect, needed, bound, bound, standard_error=error
        )

    def _least_p(self, test: Test) -> float:
        """Compute the smallest p that a test can have with so many replicates; 0 for a test without replicates."""
        if test == "randomisation":
            return 1 / (self._settings.replicates + 1)
        return 2 / (len(self._replicates) + 1) if test == "bootstrap" else 0.0

    def _needed(self, test: Test) -> int | None:
        """Estimate how many units give a significant difference with 80% power; None if the test found no difference."""
        from scipy.special import ndtri

        significance, power = float(ndtri(1 - (1 - self._settings.level) / 2)), float(ndtri(POWER))
        if test == "sign":
            wins, losses = self._wins_and_losses()
            if wins == losses:
                return None
            share = wins / (wins + losses)
            decided = ((significance / 2 + power * math.sqrt(share * (1 - share))) / (share - 0.5)) ** 2
            return max(FEWEST_NEEDED, math.ceil(self._units * decided / (wins + losses)))
        mean, spread, size = self.difference, self._compute_standard_error(), float(self._units)
        if test == "t":  # the deviation of a mean shrinks with the root of the size
            mean, spread, size = *self._moments(), 1.0
        if abs(mean) < _NOTHING or spread is None:
            return None
        return max(FEWEST_NEEDED, math.ceil(size * ((significance + power) * spread / mean) ** 2))

    def _t(self) -> tuple[float, float]:
        from scipy.special import stdtr

        mean, spread = self._moments()
        count = int(self._times.sum())
        if spread == 0:  # without a variance it is a sign test
            return (1.0 if mean == 0 else 2.0 ** (1 - count)), mean
        return float(2 * stdtr(count - 1, -abs(mean) / (spread / math.sqrt(count)))), mean

    def _sign(self) -> tuple[float, float]:
        from scipy import stats

        wins, losses = self._wins_and_losses()
        return (float(stats.binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0), float(wins - losses)

    def _wins_and_losses(self) -> tuple[int, int]:
        self._moments()
        return int(self._times[self._by_unit > 0].sum()), int(self._times[self._by_unit < 0].sum())

    def _moments(self) -> tuple[float, float]:
        """Compute the mean and standard deviation of the differences of units."""
        import numpy as np

        count = float(self._times.sum())
        if count < 2:  # noqa: PLR2004 - one has no variance
            raise RequestError("this score is undefined for single sentences or cases; resample documents or use another test")
        mean = float(np.average(self._by_unit, weights=self._times))
        if np.ptp(self._by_unit) < _NOTHING:
            return mean, 0.0
        return mean, math.sqrt(float(self._times @ (self._by_unit - mean) ** 2) / (count - 1))


@dataclass(frozen=True)
class Comparison:
    """One system against another."""

    first: str
    second: str
    difference: float
    """The first score minus the second."""
    low: float
    high: float
    """A confidence interval of the difference."""
    p: float
    corrected_p: float
    """Corrected for the number of pairs."""
    tested: float
    """What was tested: the difference, for t the mean difference of sentence scores, for sign wins minus losses."""
    effect: float | None
    """Cohen's d: the mean difference of the scores of sentences, or documents, in standard deviations."""
    sentences_needed: int | None
    """The estimated number of sentences for a significant difference with 80% power, before any correction of p.

    At least 50, because the estimate does not hold below; None if the test found no difference.
    """
    p_is_bound: bool = False
    """Whether p is the smallest that is possible with so many replicates; with more it could be smaller."""
    corrected_p_is_bound: bool = False
    standard_error: float | None = None
    """The standard deviation of the difference in the replicates; None if it is undefined in all of them."""

    def turn(self) -> Comparison:
        """Exchange the systems."""
        effect = -self.effect if self.effect is not None else None
        changed = {"difference": -self.difference, "low": -self.high, "high": -self.low, "tested": -self.tested, "effect": effect}
        return replace(self, first=self.second, second=self.first, **changed)  # type: ignore[arg-type]

    def to_record(self) -> dict[str, str | float | None]:
        """Return the values by name, the systems as ``system`` and ``other``."""
        values = asdict(self)
        return {"system": values.pop("first"), "other": values.pop("second"), **values}


class _Comparisons(Listing[Comparison]):
    """Comparisons of systems."""

    def rows(self) -> list[TableRow]:
        """List the comparisons with their values by name, the systems as ``system`` and ``other``."""
        return [item.to_record() for item in self]

    def _repr_html_(self) -> str:
        rows = []
        for item in self:
            row: TableRow = item.to_record()
            for name in ("p", "corrected_p"):
                row[name] = f"{'≤' if row.pop(f'{name}_is_bound') else ''}{row[name]:.4f}"
            rows.append(row)
        return make_html_table(rows)


def compare(
    evidence: Sequence[Evidence | HasEvidence],
    test: Test = "randomisation",
    correction: Correction = "holm",
    bootstrap: Bootstrap | None = None,
    resampled: Sequence[ResampledScores] | None = None,
    progress: Progress | None = None,
) -> _Comparisons:
    """Compare every pair of systems that were scored on one corpus with one metric, given as scores or evidence.

    ``resampled`` are the results of :func:`resample` with the same settings, if it was called before.
    ``progress`` is called with the number of replicates of tests that were just done; every pair counts.
    """
    settings, evidence = Bootstrap.of(bootstrap), collect_evidence(evidence)
    _check(evidence, test, correction, settings)
    drawn = resampled or resample(evidence, settings)
    comparisons = [_compare_pair(one, other, test, settings, progress) for one, other in combinations(drawn, 2)]
    return _Comparisons(correct_comparisons(comparisons, correction))


def _compare_pair(one: ResampledScores, other: ResampledScores, test: Test, settings: Bootstrap, progress: Progress | None) -> Comparison:
    both = (one.evidence, other.evidence)
    names, values = (both[0].system_name, both[1].system_name), both[0].values
    units = Units.of(both, settings.by, with_values=True)
    if units.grouped and names[0] > names[1]:  # groups are drawn in an order that does not depend on that of the systems
        return _compare_pair(other, one, test, settings, progress).turn()
    counts, replicates = (units.matrices[0], units.matrices[1]), (one.values, other.values)
    if units.grouped and not (settings.choice == "again" and both[0].can_rechoose):  # those of each system are drawn alone
        sums = resample_sums(counts, settings, times=units.times)
        replicates = (values(sums[0]), values(sums[1]))
    swaps = _Swaps(*both, units, settings)
    by_unit = units.values[0] - units.values[1] if units.values is not None else None
    pair = Pair(values, counts, units.times, replicates, partial(_tell, swaps, progress), settings, by_unit=by_unit)
    item = pair.compare(names, test)
    if progress is not None and test != "randomisation":
        progress(settings.replicates)
    if settings.by == "document" and item.sentences_needed is not None:  # documents needed, as sentences
        item = replace(item, sentences_needed=math.ceil(item.sentences_needed * both[0].size / units.times.sum()))
    return item


def _tell(parts: Callable[[], Iterable[Any]], progress: Progress | None) -> Iterator[Any]:
    """Yield the parts, and report each to ``progress`` after it was used."""
    for part in parts():
        yield part
        if progress is not None:
            progress(len(part))


def correct_comparisons(comparisons: Sequence[Comparison], correction: Correction) -> list[Comparison]:
    """Correct the p-values for the number of pairs."""
    corrected = correct_p([item.p for item in comparisons], correction)
    # A corrected p depends on a bound if it would be smaller without it.
    unbounded = correct_p([0.0 if item.p_is_bound else item.p for item in comparisons], correction)
    return [
        replace(item, corrected_p=value, corrected_p_is_bound=other < value < 1)
        for item, value, other in zip(comparisons, corrected, unbounded, strict=True)
    ]


def check_methods(test: str, correction: str) -> None:
    """Raise if there is no such test, or no such correction."""
    if not isinstance(test, str) or test not in TESTS:
        raise UsageError(f"unknown test {test!r:.60}; choose from {', '.join(TESTS)}")
    if not isinstance(correction, str) or correction not in CORRECTIONS:
        raise UsageError(f"unknown correction {correction!r:.60}; choose from {', '.join(CORRECTIONS)}")


def check_test(names: Sequence[str], test: str, correction: str) -> None:
    """Raise if these systems cannot be compared with this test."""
    check_methods(test, correction)
    if len(names) < 2:  # noqa: PLR2004 - a pair
        raise RequestError(f"a comparison needs two systems, found {len(names)}")
    if len(set(names)) < len(names):
        raise RequestError(f"a system cannot be compared with itself: {next(name for name in names if names.count(name) > 1)}")


def _check(evidence: Sequence[Evidence], test: str, correction: str, settings: Bootstrap) -> None:
    check_test([item.system_name for item in evidence], test, correction)
    if other := next((item.metric for item in evidence if item.metric != evidence[0].metric), None):
        same = str(other) == str(evidence[0].metric)
        named = f"{other} with other data (give all systems the same, such as one GraphBank)" if same else str(other)
        raise RequestError(f"systems must be compared by one metric, found {evidence[0].metric} and {named}")
    if undefined := next((item for item in evidence if math.isnan(item.value)), None):
        raise RequestError(f"{undefined.metric} of {undefined.system_name} is undefined, so it cannot be compared")
    check_units(evidence, settings.by, "a test")


class _Swaps:
    """Differences of two systems after their outputs of sentences, or documents, were swapped at random."""

    def __init__(self, one: Evidence, other: Evidence, units: Units, settings: Bootstrap) -> None:
        self._one, self._other, self._units, self._settings = one, other, units, settings

    def __call__(self) -> Iterator[Any]:
        if self._settings.choice == "again" and self._one.can_rechoose:
            return self._chosen_again()
        return _swap_outputs(self._one.values, self._units, self._settings)

    def _chosen_again(self) -> Iterator[Any]:
        import numpy as np

        values, sentences = self._one.values, self._one.size
        rows = Rows([self._one, self._other])
        unit = np.arange(sentences)
        if self._settings.by == "document":
            for number, members in enumerate(group_documents(self._one.corpus)):
                unit[members] = number
        for swaps in _draw_swaps(int(unit.max()) + 1, self._settings, sentences):
            own = (np.arange(sentences) + sentences * swaps[:, unit]).astype(np.int32)
            yield values(rows.sums(own)) - values(rows.sums((own + sentences) % (2 * sentences)))


def _draw_swaps(units: int, settings: Bootstrap, width: int = 0) -> Iterator[Any]:
    """Yield which units are swapped, for some replicates at a time; ``width`` is how much each needs later, if that is more."""
    import numpy as np

    draw = np.random.default_rng(settings.seed)
    for size in split_into_chunks(settings.replicates, max(units, width)):
        yield draw.integers(0, 2, size=(size, units))


def _swap_outputs(values: Callable[[Any], Any], units: Units, settings: Bootstrap) -> Iterator[Any]:
    """Yield differences of two systems after units were swapped at random."""
    import numpy as np

    one, other = units.matrices
    where = np.flatnonzero(np.any(one != other, axis=1))
    apart = (one - other)[where]
    if units.grouped:
        groups = RowGroups.of(apart, units.times[where])
        apart, draws = groups.rows, groups.swap(settings)
    else:
        draws = _draw_swaps(len(where), settings, len(one))
    totals = units.times @ one, units.times @ other
    for swaps in draws:
        moved = swaps.astype(np.float64) @ apart
        yield values(totals[0] - moved) - values(totals[1] + moved)


def check_replicates(systems: int, test: Test, correction: Correction, settings: Bootstrap, alpha: float) -> None:
    """Raise if there are too few replicates for so many pairs: no two systems could be significantly different."""
    check_replicates_of(systems * (systems - 1) // 2, "pair", test, correction, settings, alpha)


def check_replicates_of(tests: int, noun: str, test: Test, correction: Correction, settings: Bootstrap, alpha: float) -> None:
    """Raise if there are too few replicates for so many tests: nothing could be significantly different."""
    needed = _compute_fewest_replicates(tests, alpha)
    if test in {"randomisation", "bootstrap"} and correction == "holm" and settings.replicates < needed:
        raise RequestError(
            f"with {pluralise(tests, noun)} and Holm's correction {settings.replicates:,} replicates cannot show p up to "
            f"{alpha:g}; take at least {needed:,} replicates"
        )


def _compute_fewest_replicates(pairs: int, alpha: float) -> int:
    """Compute how many replicates are needed so that p can be ``alpha`` after Holm's correction for so many pairs."""
    return math.ceil(pairs / alpha) - 1


def correct_p(values: Sequence[float], correction: Correction) -> list[float]:
    """Correct p-values: Holm's method controls the family-wise error rate, Benjamini and Hochberg's the false discovery rate.

    >>> correct_p([0.01, 0.04, 0.03], "holm"), correct_p([0.01, 0.04, 0.03], "bh")
    ([0.03, 0.06, 0.06], [0.03, 0.04, 0.04])
    """
    if correction not in CORRECTIONS:
        raise UsageError(f"unknown correction {correction!r}; choose from {', '.join(CORRECTIONS)}")
    count = len(values)
    order = sorted(range(count), key=values.__getitem__)
    result = list(values)
    if correction == "holm":
        largest = 0.0
        for rank, index in enumerate(order):
            largest = max(largest, min(1.0, (count - rank) * values[index]))
            result[index] = largest
    elif correction == "bh":
        smallest = 1.0
        for rank in range(count, 0, -1):
            index = order[rank - 1]
            smallest = min(smallest, values[index] * count / rank)
            result[index] = smallest
    return result


def find_different(comparisons: Sequence[Comparison], alpha: float = 0.05) -> set[frozenset[str]]:
    """Find the pairs of systems that are significantly different.

    The corrected p-value is at most ``alpha``, and what was tested has the sign of the difference.
    """
    return {frozenset((item.first, item.second)) for item in comparisons if item.corrected_p <= alpha and item.tested * item.difference > 0}


def rank_systems(scores: Sequence[tuple[str, float]], comparisons: Sequence[Comparison], alpha: float = 0.05) -> list[int]:
    """Rank systems; a system starts a new rank if it differs significantly from every system of the previous rank.

    Systems linked through neighbours share a rank.
    """
    different = find_different(comparisons, alpha)
    ranked = sorted(range(len(scores)), key=lambda index: (-scores[index][1], scores[index][0]))
    ranks = [0] * len(scores)
    members: list[str] = []
    rank = 1
    for position, index in enumerate(ranked, start=1):
        name = scores[index][0]
        if members and all(frozenset((name, member)) in different for member in members):
            rank, members = position, []
        members.append(name)
        ranks[index] = rank
    return ranks


# --- Letters for systems: two systems share a letter exactly if they are not significantly different.
#
# This is the compact letter display of Piepho (2004), An algorithm for a letter-based representation of all-pairwise comparisons,
# Journal of Computational and Graphical Statistics 13(2), by insertion and absorption.

_EXPLAINED = "Letters: systems that share one are not significantly different"
_TOO_MANY = "Too many groups of systems are not significantly different, so they have no letters"

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_MOST_GROUPS = 10_000
"""More groups than this are not looked for: unusual patterns of differences have exponentially many."""


class Letters(NamedTuple):
    """The letters of scores, all of one metric or of several, and how they were found."""

    letters: list[str]
    """In the order of the scores; empty for those of a metric with too many groups."""
    how: str
    """The test, the correction of its p-values, the significance level and what was resampled."""

    @property
    def note(self) -> str:
        """What letters mean."""
        return f"{_EXPLAINED if all(self.letters) else _TOO_MANY} ({self.how})."


def assign_letters(systems: Sequence[str], different: Collection[frozenset[str]]) -> list[str] | None:
    """Assign letters to systems, given the best first, and the pairs that are significantly different.

    None if there are too many groups to name.

    >>> assign_letters(["A", "B", "C"], {frozenset("AC")})
    ['a', 'ab', 'b']
    """
    groups: list[frozenset[int]] = [frozenset(range(len(systems)))]
    for one, other in combinations(range(len(systems)), 2):
        if frozenset((systems[one], systems[other])) not in different:
            continue
        split: list[frozenset[int]] = []
        for group in groups:
            split += [group - {one}, group - {other}] if one in group and other in group else [group]
        groups = _absorb(split)
        if len(groups) > _MOST_GROUPS:
            return None
    groups.sort(key=sorted)
    return ["".join(_name(number) for number, group in enumerate(groups) if index in group) for index in range(len(systems))]


def _absorb(groups: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Remove groups that are part of others."""
    kept: list[frozenset[int]] = []
    for group in sorted(dict.fromkeys(groups), key=lambda members: (-len(members), sorted(members))):
        if not any(group <= other for other in kept):
            kept.append(group)
    return kept


def _name(number: int) -> str:
    """Name a group: a to z, then with primes.

    >>> _name(0), _name(27)
    ('a', "b'")
    """
    return _ALPHABET[number % len(_ALPHABET)] + "'" * (number // len(_ALPHABET))


# --- Whether an output is significantly better or worse than its source, on the same references (Felice and Briscoe 2015, section 3).
#
# A metric that counts the source beside the output, such as I-measure, has a measure of both for every sentence, against the reference
# that was chosen for the output.  Both are compared as two systems are.

_SOURCE = "source"
"""The name of the other side of a comparison."""


class SourceComparison(NamedTuple):
    """A system against the source."""

    measure: str
    """What is compared, such as ``WAcc``."""
    value: float
    """The measure of the system."""
    source_value: float
    """The measure of the source on the same references."""
    comparison: Comparison
    t_p: float
    """The p-value of a two-sided paired t test over sentences, or documents, not corrected; the paper uses this test."""


class _SourceComparisons(Listing[SourceComparison]):
    """Comparisons of systems with the source."""

    def rows(self) -> list[TableRow]:
        """List what is compared and its values, with the values of the comparison by name."""
        return [
            {
                "measure": item.measure,
                "value": item.value,
                "source_value": item.source_value,
                **item.comparison.to_record(),
                "t_p": item.t_p,
            }
            for item in self
        ]


def compare_with_source(
    evidence: Sequence[Evidence | HasEvidence],
    test: Test = "randomisation",
    correction: Correction = "holm",
    bootstrap: Bootstrap | None = None,
    progress: Progress | None = None,
) -> _SourceComparisons:
    """Compare every system with the source, on the references chosen for the system; given as scores or evidence.

    ``progress`` is called with the number of replicates of tests that were just done; every system counts.
    """
    settings, evidence = Bootstrap.of(bootstrap), collect_evidence(evidence)
    check_methods(test, correction)
    if settings.choice == "again":
        raise UsageError("a comparison with the source keeps the references chosen for the system, so they cannot be rechosen")
    if not evidence:
        return _SourceComparisons(())
    check_units(evidence, settings.by, "a test")
    pairs = [_Sides(item, settings, progress) for item in evidence]
    comparisons = [own.pair.compare((item.system_name, _SOURCE), test) for item, own in zip(evidence, pairs, strict=True)]
    if progress is not None and test != "randomisation":
        progress(settings.replicates * len(pairs))
    corrected = correct_comparisons([_in_sentences(item, own) for item, own in zip(comparisons, pairs, strict=True)], correction)
    return _SourceComparisons(
        SourceComparison(own.measure.label, *own.totals, item, own.pair.test("t")[0]) for item, own in zip(corrected, pairs, strict=True)
    )


class _Sides:
    """Output and source of a system."""

    def __init__(self, evidence: Evidence, settings: Bootstrap, progress: Progress | None) -> None:
        self.measure = _find_measure(evidence)
        both = Units.of([evidence], settings.by)
        (matrix,) = both.matrices
        self.counts = (matrix[:, self.measure.output], matrix[:, self.measure.source])
        self.times = both.times
        self.sentences_per_unit = evidence.size / int(both.times.sum())
        values, units = self.measure.ratio.values, both._replace(matrices=list(self.counts))
        output, source = resample_sums(self.counts, settings, times=both.times if both.grouped else None)
        swaps = partial(_tell, partial(_swap_outputs, values, units, settings), progress)
        self.pair = Pair(values, self.counts, both.times, (values(output), values(source)), swaps, settings)

    @property
    def totals(self) -> tuple[float, float]:
        """The measures of the system and of the source."""
        output, source = (float(self.measure.ratio.values((self.times @ counts)[None, :])[0]) for counts in self.counts)
        return output, source


def _find_measure(evidence: Evidence) -> SourceMeasure:
    measure = evidence.metric.source_measure
    if measure is None or not evidence.chooses:
        raise RequestError(
            f"{evidence.metric} does not count the source on the same references, as imeasure does; "
            "compare the source as a system: errata compare GOLD source=SOURCE SYSTEM..."
        )
    return measure


def _in_sentences(item: Comparison, sides: _Sides) -> Comparison:
    """Convert the number of units needed to sentences."""
    if item.sentences_needed is None or sides.sentences_per_unit == 1:
        return item
    return replace(item, sentences_needed=math.ceil(item.sentences_needed * sides.sentences_per_unit))
