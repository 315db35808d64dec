"""Sums of counts over sentences, or whole documents, resampled with replacement.

Systems that are scored on one corpus share the replicates.  Counts are whole numbers, so the order of addition does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from errata.errors import RequestError
from errata.metrics.evidence import WIDE, have_same_gold
from errata.metrics.strategies import LARGEST_SUM, Choose, Rechooses
from errata.stats.bootstrap import split_into_chunks
from errata.stats.groups import group_rows, resample_groups
from errata.stats.units import MANY, collect_units, group_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.metrics.evidence import Evidence
    from errata.stats.bootstrap import Bootstrap, Progress, ResampleBy
    from errata.stats.units import Units


def check_units(evidence: Sequence[Evidence], by: ResampleBy, what: str) -> None:
    """Raise if systems were not scored on the same sentences, or if there are fewer than two."""
    sentences = evidence[0].size
    if any(item.size != sentences for item in evidence):
        lengths = ", ".join(f"{item.system_name} {item.size:,}" for item in evidence)
        raise RequestError(f"systems must be scored on the same sentences, found {lengths}")
    if not all(have_same_gold(evidence[0], item) for item in evidence[1:]):
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
        return collect_units([self.evidence], self.by)


def resample(evidence: Sequence[Evidence], settings: Bootstrap, progress: Progress | None = None) -> list[ResampledScores]:
    """Resample systems that were scored on one corpus, all with the same units in every replicate, unless identical units are grouped.

    ``progress`` is called with the number of replicates that were just done; every system counts.
    """
    again = [settings.choice == "again" and can_choose_again(item) for item in evidence]
    values: dict[int, Any] = {}
    for index in (index for index in range(len(evidence)) if not again[index] and evidence[index].size > MANY):
        units = collect_units([evidence[index]], settings.by)
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

    groups = group_rows(units.matrices[0], units.times)
    return np.concatenate([evidence.values(sums) for sums in resample_groups(groups, settings, progress)])


def can_choose_again(evidence: Evidence) -> bool:
    """Whether the choice among references depends on the other sentences; else it is the same in every replicate."""
    strategy = evidence.strategy
    return isinstance(strategy, Rechooses) or (isinstance(strategy, Choose) and strategy.rule != "sentence")


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
        (matrix,) = collect_units([item], by).matrices
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
        parts = resample_groups(group_rows(together, times), settings, progress)
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


def refuse_rechoosing(evidence: Sequence[Evidence]) -> None:
    """Raise if the rows of a system are not in memory."""
    if any(item.size and not item.rows for item in evidence):
        raise RequestError(f"references cannot be rechosen in evidence of more than {MANY:,} sentences; score the texts instead")


def rechoose_sums(evidence: Sequence[Evidence], settings: Bootstrap, progress: Progress | None = None) -> list[Any]:
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
    refuse_rechoosing(evidence)
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
