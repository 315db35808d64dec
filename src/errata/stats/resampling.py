"""Resampling: sums of counts over sentences, or whole documents, drawn with replacement (bootstrap) or swapped (randomisation).

Systems that are scored on one corpus share the replicates.  Counts are whole numbers, so the order of addition does not matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, pluralise
from errata.metrics.evidence import WIDE, find_distinct, sum_times
from errata.metrics.strategies import LARGEST_SUM, Choose, Rechooses
from errata.stats.bootstrap import split_into_chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.corpus.corpus import Corpus
    from errata.metrics.evidence import Evidence
    from errata.stats.bootstrap import Bootstrap, Progress, ResampleBy


_LARGEST_WHOLE = 1 << 31
"""Larger counts are summed as floating-point numbers, which do not overflow."""


class RowGroups(NamedTuple):
    """Rows of counts, and how many units have each: identical units are grouped, and a replicate is one multinomial draw.

    Millions of cases have few different counts, so this takes little time.
    """

    rows: Any
    times: Any

    @classmethod
    def of(cls, rows: Any, times: Any = None) -> RowGroups:
        """Group units by their rows; ``times`` says how many units have each row (default 1)."""
        import numpy as np

        return cls(*sum_times(rows, np.ones(len(rows), dtype=np.int64) if times is None else times.astype(np.int64)))

    @property
    def units(self) -> int:
        """The number of units."""
        return int(self.times.sum())

    @property
    def total(self) -> Any:
        """The counts of all units."""
        return self.times @ self.rows

    def columns(self, first: int, last: int) -> RowGroups:
        """Select some of the counts."""
        return RowGroups(self.rows[:, first:last], self.times)

    def resample(self, settings: Bootstrap, progress: Progress | None = None) -> Iterator[Any]:
        """Yield the sums of counts of replicates, some at a time, because there may be a million of them."""
        import numpy as np

        if self.units < 2:  # noqa: PLR2004 - one has no variance
            raise RequestError(f"an interval needs two units or more, found {self.units}")
        draw = np.random.default_rng(settings.seed)
        shares, rows = self.times / self.units, as_whole_numbers(self.rows)
        for size in split_into_chunks(settings.replicates, len(shares)):
            yield (draw.multinomial(self.units, shares, size=size) @ rows).astype(np.float64)
            if progress is not None:
                progress(size)

    def swap(self, settings: Bootstrap) -> Iterator[Any]:
        """Yield how many units of each group are swapped, for some replicates at a time; each unit is swapped with probability 0.5."""
        import numpy as np

        draw = np.random.default_rng(settings.seed)
        for size in split_into_chunks(settings.replicates, len(self.times)):
            yield _draw_halves(draw, self.times, size)


def as_whole_numbers(rows: Any) -> Any:
    """Return the rows as whole numbers if they are; their products with whole numbers are exact, and need no threads.

    Threads of linear algebra make products of narrow matrices many times slower if processors are busy.
    """
    import numpy as np

    whole = rows.astype(np.int64) if np.abs(rows).max(initial=0) < _LARGEST_WHOLE else rows
    return whole if (whole == rows).all() else rows


# Binomial numbers with probability 0.5 for many small groups: those of NumPy, with the same seed, many times faster.
#
# NumPy draws a binomial number of up to 60 trials from one uniform number, by inversion.  Here uniform numbers are drawn together,
# and inverted together.  The numbers are compared with those of NumPy before they are used for the first time; if a version of NumPy
# draws otherwise, NumPy itself is used.

_MOST_TRIALS = 60
"""NumPy uses inversion up to 30 expected successes."""
_HALF = 0.5


def _draw_halves(draw: Any, trials: Any, size: int) -> Any:
    """Draw what ``draw.binomial(trials, 0.5, size=(size, len(trials)))`` draws."""
    if len(trials) and trials.min() > 0 and trials.max() <= _MOST_TRIALS and _draws_as_numpy():
        before = draw.bit_generator.state
        drawn = _invert(draw.random((size, len(trials))), trials)
        if drawn is not None:
            return drawn
        draw.bit_generator.state = before
    return draw.binomial(trials, _HALF, size=(size, len(trials)))


def _invert(uniform: Any, trials: Any) -> Any:
    """Turn uniform numbers into binomial ones, column by column; None if a number is so close to 1 that NumPy would draw it again."""
    import numpy as np

    result = (uniform > _HALF).astype(np.int64)  # right for one trial
    for count in np.unique(trials[trials > 1]).tolist():
        columns = np.flatnonzero(trials == count)
        rest = uniform[:, columns]
        chance = math.exp(count * math.log(_HALF))
        above = rest > chance
        successes = above.astype(np.int64)
        for number in range(1, count + 1):
            if not above.any():
                break
            rest = np.where(above, rest - chance, rest)
            chance = ((count - number + 1) * _HALF * chance) / (number * _HALF)
            above &= rest > chance
            if number == count and above.any():
                return None
            successes += above
        result[:, columns] = successes
    return result


@cache
def _draws_as_numpy() -> bool:
    """Whether this version of NumPy draws the same numbers, and as many of them."""
    import numpy as np

    trials = np.arange(1, _MOST_TRIALS + 1)
    one, other = np.random.default_rng(0), np.random.default_rng(0)
    own = _invert(one.random((100, len(trials))), trials)
    return own is not None and bool((own == other.binomial(trials, _HALF, size=own.shape)).all()) and one.random() == other.random()


MANY = 20_000
"""With more units than this, identical ones are grouped."""
_MOST_KINDS = 1 << 26
"""Kinds of sentences, times systems, that are kept; half a GB."""
_WAITING = 1 << 20
"""Rows that are kept before equal ones are added up."""


class Units(NamedTuple):
    """What is resampled or swapped: the counts of sentences or documents, a matrix for each system, with the same units in the same rows.

    Identical units of a long corpus are grouped: how often a row of counts occurs takes its place.  This has the same distribution, takes
    less time, and needs no row for every sentence.
    """

    matrices: list[Any]
    times: Any
    """How many units have each row."""
    values: list[Any] | None
    """The values of each row as a single sentence, for each system; None for documents, and if they were not asked for."""
    grouped: bool
    """Whether a row stands for all units with these counts."""

    @classmethod
    def of(cls, evidence: Sequence[Evidence], by: ResampleBy, *, with_values: bool = False) -> Units:
        """Collect the units of systems that were scored on one corpus; groups of sentences always have values."""
        import numpy as np

        if by == "document":
            matrices = [sum_by_unit(item.matrix, item.corpus, by) for item in evidence]
            once = np.ones(len(matrices[0]))
            if len(once) <= MANY or any(matrix.shape[1] > WIDE for matrix in matrices):
                return cls(matrices, once, None, grouped=False)
            return _group(matrices, once, None)
        if evidence[0].size <= MANY or any(item.is_wide for item in evidence):
            values = [item.sentence_values for item in evidence] if with_values else None
            return cls([item.matrix for item in evidence], np.ones(evidence[0].size), values, grouped=False)
        kinds = [item.kinds for item in evidence]
        joined, times = _join_kinds(evidence)
        own = list(zip(kinds, joined.T, strict=True))
        return _group([kind.matrix[column] for kind, column in own], times, [kind.values[column] for kind, column in own])


def _group(matrices: list[Any], times: Any, values: list[Any] | None) -> Units:
    """Group equal rows, in an order that depends on nothing else."""
    import numpy as np

    rows, places = find_distinct(np.column_stack([*matrices, *(values or ())]))
    total = np.bincount(places, weights=times, minlength=len(rows))
    ends = np.cumsum([matrix.shape[1] for matrix in matrices])
    columns = np.split(rows, ends, axis=1)
    return Units(columns[:-1], total, None if values is None else list(columns[-1].T), grouped=True)


def _join_kinds(evidence: Sequence[Evidence]) -> tuple[Any, Any]:
    """Find which kinds the same sentences have in all systems, and how often."""
    import numpy as np

    rows: list[Any] = []
    times: list[Any] = []
    for together in _in_step([item.iterate_kinds() for item in evidence]):
        rows.append(together)
        times.append(np.ones(len(together), dtype=np.int64))
        if sum(map(len, rows)) > 2 * len(rows[0]) + _WAITING:
            rows, times = _add_up(rows, times)
    rows, times = _add_up(rows, times)
    return rows[0], times[0]


def _add_up(rows: list[Any], times: list[Any]) -> tuple[list[Any], list[Any]]:
    import numpy as np

    distinct, total = sum_times(np.concatenate(rows), np.concatenate(times))
    if distinct.size > _MOST_KINDS:
        raise RequestError(
            f"{pluralise(distinct.shape[1], 'system')} differ in too many sentences to be tested together; take fewer systems"
        )
    return [distinct], [total]


def _in_step(columns: Sequence[Iterator[Any]]) -> Iterator[Any]:
    """Yield rows of the same sentences from columns that come in pieces of different lengths."""
    import numpy as np

    waiting = [np.zeros(0, dtype=np.int64) for _ in columns]
    while True:
        waiting = [own if len(own) else next(column, own) for own, column in zip(waiting, columns, strict=True)]
        size = min(map(len, waiting))
        if size == 0:
            return
        yield np.column_stack([own[:size] for own in waiting])
        waiting = [own[size:] for own in waiting]


def group_documents(corpus: Corpus) -> list[list[int]]:
    """List the indices of the sentences of each document, in the order in which documents begin."""
    missing = [number for number, sentence in zip(corpus.numbers, corpus, strict=True) if not sentence.document]
    if missing:
        raise RequestError(
            f"{len(missing):,} of {pluralise(len(corpus), 'sentence')} {'has' if len(missing) == 1 else 'have'} no document "
            f"(the first is sentence {missing[0]:,}); use --documents FILE"
        )
    groups: dict[str, list[int]] = {}
    for number, sentence in enumerate(corpus):
        groups.setdefault(sentence.document, []).append(number)
    return list(groups.values())


def sum_by_unit(matrix: Any, corpus: Corpus, by: ResampleBy) -> Any:
    """Return the counts of sentences, or their sums in each document."""
    import numpy as np

    return matrix if by == "sentence" else np.array([matrix[numbers].sum(axis=0) for numbers in group_documents(corpus)])


def check_units(evidence: Sequence[Evidence], by: ResampleBy, what: str) -> None:
    """Raise if systems were not scored on the same sentences, or if there are fewer than two."""
    sentences = evidence[0].size
    if any(item.size != sentences for item in evidence):
        lengths = ", ".join(f"{item.system_name} {item.size:,}" for item in evidence)
        raise RequestError(f"systems must be scored on the same sentences, found {lengths}")
    if not all(evidence[0].has_same_gold(item) for item in evidence[1:]):
        raise RequestError("systems must be scored on the same sentences, found two corpora")
    units = sentences if by == "sentence" else len(group_documents(evidence[0].corpus))
    if units < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"{what} needs two {by}s or more, found {units}")


@dataclass(frozen=True)
class ResampledScores:
    """The scores of a system in every replicate, and the counts of its units."""

    evidence: Evidence = field(repr=False)
    by: ResampleBy
    values: Any = field(repr=False)

    @property
    def units(self) -> Units:
        """The counts of all units; they may take much memory, so they are not kept here."""
        return Units.of([self.evidence], self.by)


def resample(evidence: Sequence[Evidence], settings: Bootstrap, progress: Progress | None = None) -> list[ResampledScores]:
    """Resample systems that were scored on one corpus, all with the same units in every replicate, unless identical units are grouped.

    ``progress`` is called with the number of replicates that were just done; every system counts.
    """
    again = [settings.choice == "again" and item.can_rechoose for item in evidence]
    values: dict[int, Any] = {}
    for index in (index for index in range(len(evidence)) if not again[index] and evidence[index].size > MANY):
        units = Units.of([evidence[index]], settings.by)
        if units.grouped:
            values[index] = _resample_groups(evidence[index], units, settings, progress)
    kept = [index for index, chosen in enumerate(again) if not chosen and index not in values]
    if kept:
        values |= zip(kept, _resample_kept([evidence[index] for index in kept], settings, progress), strict=True)
    chosen = [index for index in range(len(evidence)) if again[index]]
    if chosen:
        values |= zip(chosen, _rechoose_values([evidence[index] for index in chosen], settings, progress), strict=True)
    return [ResampledScores(item, settings.by, values[index]) for index, item in enumerate(evidence)]


def _resample_groups(evidence: Evidence, units: Units, settings: Bootstrap, progress: Progress | None) -> Any:
    """Compute the scores of every replicate of grouped units of one system, whatever other systems there are."""
    import numpy as np

    groups = RowGroups.of(units.matrices[0], units.times)
    return np.concatenate([evidence.values(sums) for sums in groups.resample(settings, progress)])


def _resample_kept(evidence: Sequence[Evidence], settings: Bootstrap, progress: Progress | None) -> list[Any]:
    """Compute the scores of every replicate; each sentence keeps its reference.

    With many references sums are wide, so only some replicates are in memory at a time, and only some systems.
    """
    import numpy as np

    values: list[Any] = []
    for own, matrices in _group_by_width(evidence, settings.by):
        ends = np.cumsum([matrix.shape[1] for matrix in matrices])[:-1]
        parts = [
            [item.values(counts) for item, counts in zip(own, np.split(sums, ends, axis=1), strict=True)]
            for sums in _resample_in_parts(np.hstack(matrices), settings, _for_each(len(own), progress))
        ]
        values += [np.concatenate(parts_of_one) for parts_of_one in zip(*parts, strict=True)]
    return values


def _group_by_width(evidence: Sequence[Evidence], by: ResampleBy) -> Iterator[tuple[list[Evidence], list[Any]]]:
    """Yield systems with the counts of their units: all together, but those with wide counts alone."""
    together: list[Evidence] = []
    matrices: list[Any] = []
    for item in evidence:
        (matrix,) = Units.of([item], by).matrices
        if together and (matrix.shape[1] > WIDE or matrices[-1].shape[1] > WIDE):
            yield together, matrices
            together, matrices = [], []
        together.append(item)
        matrices.append(matrix)
    yield together, matrices


def _for_each(systems: int, progress: Progress | None) -> Progress | None:
    """Report every replicate once for each system."""
    return None if progress is None else lambda size: progress(systems * size)


def resample_sums(matrices: Sequence[Any], settings: Bootstrap, progress: Progress | None = None, times: Any = None) -> list[Any]:
    """Compute the sums of every replicate for matrices of counts with a row for each unit, or for each of some groups of units.

    ``times`` says how many units are in each group.
    """
    import numpy as np

    together = np.hstack(matrices)
    ends = np.cumsum([matrix.shape[1] for matrix in matrices])[:-1]
    if times is not None or (len(together) > MANY and together.shape[1] <= WIDE):
        parts = RowGroups.of(together, times).resample(settings, progress)
    else:
        parts = _resample_in_parts(together, settings, progress)
    return list(np.split(np.concatenate(list(parts)), ends, axis=1))


def _resample_in_parts(together: Any, settings: Bootstrap, progress: Progress | None) -> Iterator[Any]:
    """Yield the sums of replicates, some at a time."""
    import numpy as np

    units = len(together)
    for picked in _draw_units(units, settings):
        size = len(picked)
        indices = picked + np.arange(size)[:, None] * units
        weights = np.bincount(indices.ravel(), minlength=size * units).reshape(size, units)
        yield weights.astype(np.float64) @ together
        if progress is not None:
            progress(size)


def _rechoose_sums(evidence: Sequence[Evidence], settings: Bootstrap, progress: Progress | None = None) -> list[Any]:
    """Compute the sums of every replicate; references are rechosen in each, as for a corpus of these sentences.

    The units are those of :func:`resample_sums`.  The official rule takes sentences in the order in which they were drawn.
    """
    return _rechoose(evidence, [lambda sums: sums] * len(evidence), settings, progress)


def _rechoose_values(evidence: Sequence[Evidence], settings: Bootstrap, progress: Progress | None) -> list[Any]:
    """Compute the scores of every replicate."""
    return _rechoose(evidence, [item.values for item in evidence], settings, progress)


def _rechoose(
    evidence: Sequence[Evidence], results: Sequence[Callable[[Any], Any]], settings: Bootstrap, progress: Progress | None
) -> list[Any]:
    """Compute a result of the sums of every replicate, for each system."""
    import numpy as np

    if not evidence:
        return []
    systems = [Rows([item]) for item in evidence]
    documents = _Documents(group_documents(evidence[0].corpus)) if settings.by == "document" else None
    units = evidence[0].size if documents is None else documents.count
    parts: list[list[Any]] = [[] for _ in evidence]
    for drawn in _draw_units(units, settings, max(int(system.starts[-1]) for system in systems)):
        picked = drawn if documents is None else documents.sentences(drawn)
        for system, result, own in zip(systems, results, parts, strict=True):
            own.append(result(system.sums(np.ascontiguousarray(picked, dtype=np.int32))))
            if progress is not None:
                progress(len(picked))
    return [np.concatenate(own) for own in parts]


def _draw_units(units: int, settings: Bootstrap, width: int = 0) -> Iterator[Any]:
    """Yield the units of replicates, one row each; ``width`` is how much each needs later, if that is more."""
    import numpy as np

    draw = np.random.default_rng(settings.seed)
    for size in split_into_chunks(settings.replicates, max(units, width)):
        yield draw.integers(0, units, size=(size, units))


class _Documents:
    """The sentences of documents."""

    def __init__(self, documents: list[list[int]]) -> None:
        import numpy as np

        self.count = len(documents)
        self._sizes = np.array([len(numbers) for numbers in documents])
        self._starts = np.cumsum([0, *self._sizes[:-1]])
        self._members = np.concatenate([np.array(numbers) for numbers in documents])

    def sentences(self, drawn: Any) -> Any:
        """List the sentences of replicates of documents; rows are padded with -1."""
        import numpy as np

        lengths = self._sizes[drawn].sum(axis=1)
        sentences = np.full((len(drawn), int(lengths.max())), -1, dtype=np.int32)
        for row, documents in enumerate(drawn):
            sizes = self._sizes[documents]
            shifts = self._starts[documents] - np.cumsum(sizes) + sizes  # from an index in the replicate to one in all members
            sentences[row, : lengths[row]] = self._members[np.arange(lengths[row]) + np.repeat(shifts, sizes)]
        return sentences


class Rows:
    """The rows of the sentences of systems, one system after the other, prepared for another choice of references."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        import numpy as np

        if any(item.size and not item.rows for item in evidence):
            raise RequestError(f"references cannot be rechosen in evidence of more than {MANY:,} sentences; score the texts instead")
        self._strategy = strategy = evidence[0].strategy
        sentences = [rows for item in evidence for rows in item.rows]
        self.starts = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
        self._counts = np.array([row for rows in sentences for row in rows], dtype=np.float64)
        if isinstance(strategy, Rechooses):
            return
        if not isinstance(strategy, Choose):
            raise TypeError("this strategy does not choose references")
        ratio = strategy.ratio
        self._optimal = strategy.rule == "optimal"
        pairs = [ratio.of(row) for rows in sentences for row in rows]
        self._metric, self._largest = evidence[0].metric, max(number for pair in pairs for number in pair)
        self._pairs = np.array(pairs, dtype=np.int64 if self._largest < LARGEST_SUM else object)

    def sums(self, picked: Any) -> Any:
        """Compute the summed counts of replicates, which are given as lists of sentences."""
        if isinstance(self._strategy, Rechooses):
            return self._strategy.rechoose(self._counts, self.starts, picked)
        from errata.core import rechoose

        if self._largest * picked.shape[1] >= LARGEST_SUM:
            raise RequestError(f"references cannot be rechosen with the weights of {self._metric}; use a beta with fewer digits")
        return rechoose(self._pairs, self.starts, picked, self._optimal).astype(float) @ self._counts
