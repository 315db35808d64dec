"""Simulated test sets as matrices of counts, with one row per sentence, that a strategy can sum and score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from errata.metrics import Choose

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.coverage.answer_pool import Sample
    from errata.metrics import Strategy
    from errata.metrics.ratios import Row

_LARGEST = 1 << 62
"""The largest sum that fits into the core's whole numbers."""


class SimulatedSets(Protocol):
    """Simulated test sets."""

    def make_matrix(self, number: int) -> Any:
        """Make the matrix of a test set, counted from 0; each is made once, in order."""


class RowTable(NamedTuple):
    """The counts of every text as an output against every text as a reference, for all sentences."""

    rows: Sequence[Row]
    starts: Any
    """The index of the first row of each sentence."""
    sizes: Any
    """The number of texts of each sentence."""

    def find(self, sample: Sample) -> Any:
        """Find the index of the row of each sampled output and reference."""
        return (self.starts[sample.sentences] + sample.outputs * self.sizes[sample.sentences])[:, None] + sample.references


def make_simulated_sets(
    strategy: Strategy, table: RowTable, sample: Callable[[], Sample], error_free: Sequence[Sequence[Row]]
) -> SimulatedSets:
    """Make test sets whose references have rows of their own."""
    if isinstance(strategy, Choose) and table.rows:
        pairs = [strategy.ratio.of(row) for row in table.rows]
        neutral = strategy.rule == "sentence" or all(strategy.ratio.of(own[0]) == (0, 0) for own in error_free)
        if neutral and max(number for pair in pairs for number in pair) < _LARGEST >> 32:
            return _ChosenSets(strategy, table, pairs, sample, error_free)
    return _RowSets(strategy, table, sample, error_free)


class _ChosenSets:
    """A reference is chosen by the core, which is fast.

    Sentences without errors do not change the choice, so they are added afterwards.
    """

    def __init__(
        self,
        strategy: Choose,
        table: RowTable,
        pairs: Sequence[tuple[int, int]],
        sample: Callable[[], Sample],
        error_free: Sequence[Sequence[Row]],
    ) -> None:
        import numpy as np

        self._rule, self._table, self._sample = strategy.rule, table, sample
        self._pairs, self._counts = np.array(pairs, dtype=np.int64), np.array(table.rows, dtype=np.float64)
        self._error_free = np.array([own[0] for own in error_free], dtype=np.float64)

    def make_matrix(self, number: int) -> Any:
        """Sample a test set, and choose among its references."""
        import numpy as np

        del number
        chosen = self._counts[self._choose(self._table.find(self._sample()))]
        return np.vstack([chosen, self._error_free]) if len(self._error_free) else chosen

    def _choose(self, indices: Any) -> Any:
        import numpy as np

        from errata.core import rechoose

        size, references = indices.shape
        flat = indices.ravel()
        starts = np.arange(0, size * references + 1, references, dtype=np.int64)
        if self._rule == "sentence":
            return flat[_choose_alone(self._pairs[indices]) + starts[:-1]]
        order = np.arange(size, dtype=np.int32)[None, :]
        times = rechoose(np.ascontiguousarray(self._pairs[flat]), starts, order, self._rule == "optimal")[0]
        return flat[times > 0]


class _RowSets:
    """The strategy itself uses the rows of all references."""

    def __init__(self, strategy: Strategy, table: RowTable, sample: Callable[[], Sample], error_free: Sequence[Sequence[Row]]) -> None:
        self._strategy, self._table, self._sample, self._error_free = strategy, table, sample, error_free

    def make_matrix(self, number: int) -> Any:
        """Sample a test set."""
        del number
        rows = self._table.rows
        wanted = self._table.find(self._sample()).tolist()
        return _make_matrix(self._strategy, [*([rows[index] for index in own] for own in wanted), *self._error_free])


class UnitSets:
    """Outputs that were scored against all their references; test sets are resampled from them, or take them in order."""

    def __init__(
        self, strategy: Strategy, units: Sequence[Sequence[Row]], error_free: Sequence[Sequence[Row]], size: int, draw: Any
    ) -> None:
        self._strategy, self._units, self._error_free, self._size = strategy, units, error_free, size
        self._draw = draw
        """Random numbers; None if there are enough units for all test sets."""

    def make_matrix(self, number: int) -> Any:
        """Take the units of a test set."""
        if self._draw is None:
            taken: Sequence[int] = range(number * self._size, (number + 1) * self._size)
        else:
            taken = self._draw.integers(0, len(self._units), size=self._size).tolist()
        return _make_matrix(self._strategy, [*(self._units[index] for index in taken), *self._error_free])


def _make_matrix(strategy: Strategy, rows: Sequence[Sequence[Row]]) -> Any:
    return strategy.matrix(rows, strategy.choose(rows))


def _choose_alone(pairs: Any) -> Any:
    """Choose for each sentence the reference with the largest ratio (0/0 is 1), then numerator, then the smallest denominator."""
    import numpy as np

    above, below = pairs[..., 0].astype(float), pairs[..., 1].astype(float)
    ratio = np.divide(above, below, out=np.ones_like(above), where=below != 0)
    best = np.ones(ratio.shape, dtype=bool)
    for key in (ratio, above, -below):
        kept = np.where(best, key, -np.inf)
        best &= kept == kept.max(axis=1, keepdims=True)
    return best.argmax(axis=1)
