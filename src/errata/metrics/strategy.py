"""How the references of a sentence are used: one is chosen, none is, or all take part.

A metric gives each sentence one row of counts for every reference.  Its strategy turns the rows of a corpus into a score:

- :class:`Choose` picks one row per sentence, by the official rule, for each sentence alone, or the best of all choices;
  :class:`~errata.metrics.rounded_choice.ChooseRounded` picks it as ERRANT does;
- :class:`SingleRow` is for metrics with one row per sentence: they use no reference, or choose one themselves;
- :class:`Draws` draws a random reference for each sentence, many times, and takes the mean of the values (GLEU);
- :class:`Expectation` is the mean of the values of all choices, without random numbers;
- :class:`ExpectedCounts` gives each sentence the mean of its rows.

Each turns rows into a matrix with one row per sentence, and sums of these rows into values.  Scores, intervals and tests need
only this, so they are written once for all strategies.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, lcm
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from errata.errors import RequestError, UsageError
from errata.metrics.choice import Rule, choose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.ratios import Ratio, Row

MOST_EXPECTED_SUMS = 1 << 16
"""The most sums of counts that are listed for an exact expectation."""
SEED_STEP = 101
"""The difference of the seeds of two draws, as in the official script of GLEU."""
_LARGEST_SEED = 1 << 32


class Valued(Protocol):
    """The part of a metric that a strategy uses."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the counts in a row."""

    def value(self, counts: Row) -> float:
        """Compute the score of a sum of counts."""

    def values(self, counts: Any) -> Any:
        """Compute the scores of many sums of counts."""

    def expected_values(self, means: Any, covariances: Any) -> Any:
        """Compute the expected scores of random sums of counts."""


@runtime_checkable
class Rechooses(Protocol):
    """A strategy that repeats its choice in replicates itself."""

    def rechoose(self, counts: Any, starts: Any, picked: Any) -> Any:
        """Sum the rows chosen in each replicate; sentence s has those from ``starts[s]`` to before ``starts[s + 1]``.

        A row of ``picked`` is the ordered list of the sentences of a replicate; -1 is none.
        """


class Strategy(ABC):
    """How references are used."""

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...] | None:
        """Choose the row of each sentence; None if all rows take part."""
        del rows
        return None

    @abstractmethod
    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """Make a matrix with one row per sentence, whose rows can be summed."""

    @abstractmethod
    def values(self, metric: Valued, sums: Any) -> Any:
        """Compute the values of many sums of rows of the matrix."""

    def counts(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Row:
        """Sum the chosen rows; if none is chosen, the mean rows, rounded."""
        if chosen is not None:
            return tuple(map(sum, zip(*(own[index] for own, index in zip(rows, chosen, strict=True)), strict=True)))
        means = ([Fraction(sum(column), len(own)) for column in zip(*own, strict=True)] for own in rows)
        return tuple(round(sum(column)) for column in zip(*means, strict=True))

    def value(self, metric: Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """Compute the value of a corpus."""
        return float(self.values(metric, self.matrix(rows, chosen).sum(axis=0)[None, :])[0])

    def sentence_value(self, metric: Valued, rows: Sequence[Row]) -> float:
        """Compute the value of a single sentence if no row is chosen: the mean over its references."""
        return sum(metric.value(row) for row in rows) / len(rows)


class Chosen(Strategy):
    """Strategies that use one row per sentence."""

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """Make a matrix of the chosen rows."""
        import numpy as np

        picked = chosen if chosen is not None else self.choose(rows)
        return np.array([own[index] for own, index in zip(rows, picked or (), strict=True)], dtype=np.float64)

    def values(self, metric: Valued, sums: Any) -> Any:
        """Compute the values of the metric."""
        return metric.values(sums)

    def value(self, metric: Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """Compute the value of the sum of the chosen rows."""
        return metric.value(self.counts(rows, chosen))


@dataclass(frozen=True)
class Choose(Chosen):
    """One reference is chosen for each sentence, by a rule that maximises a ratio of summed counts."""

    rule: Rule
    ratio: Ratio

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        """Choose the row of each sentence by the rule."""
        return tuple(choose(rows, self.ratio, self.rule))


@dataclass(frozen=True)
class SingleRow(Chosen):
    """Every sentence has one row, so nothing is chosen."""

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        """Choose the only row."""
        if any(len(own) != 1 for own in rows):
            raise ValueError("a metric with SingleRow must have one row per sentence")
        return (0,) * len(rows)


@dataclass(frozen=True)
class Draws(Strategy):
    """A random reference for each sentence, many times; the value is the mean over all draws.

    Draw j has the seed ``seed + 101 j``; its references are drawn in the order of the sentences with the Mersenne Twister, as in
    Python 2 and the official script of GLEU.

    >>> Draws(2).draw([2] * 16).tolist()[0]
    [1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0]
    """

    times: int = 500
    seed: int = 0

    def __post_init__(self) -> None:
        if not (self.times >= 1 and 0 <= self.seed + SEED_STEP * self.times < _LARGEST_SEED and self.seed >= 0):
            raise UsageError(f"times must be 1 or more and the seed 0 or more, found {self.times} times and the seed {self.seed}")

    def draw(self, references: Sequence[int]) -> Any:
        """Draw a reference for each sentence, for all draws; ``references`` is how many each sentence has."""
        import numpy as np

        sizes = np.asarray(references)
        drawn = (np.random.RandomState([self.seed + SEED_STEP * time]).random_sample(len(sizes)) for time in range(self.times))
        return np.array([(numbers * sizes).astype(np.int64) for numbers in drawn])

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """Make a matrix of the drawn rows, all draws side by side."""
        import numpy as np

        del chosen
        sizes = [len(own) for own in rows]
        everything = np.array([row for own in rows for row in own], dtype=np.float64)
        starts = np.cumsum([0, *sizes[:-1]])
        return everything[starts[:, None] + self.draw(sizes).T].reshape(len(rows), -1)

    def values(self, metric: Valued, sums: Any) -> Any:
        """Compute the mean over all draws."""
        width = sums.shape[1] // self.times
        return metric.values(sums.reshape(-1, width)).reshape(-1, self.times).mean(axis=1)


@dataclass(frozen=True)
class ExpectedCounts(Strategy):
    """Each sentence counts with the mean of its rows: the expected counts of random references.

    Means are multiplied to be whole numbers, so the value must not change if all counts are multiplied.
    """

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """Make a matrix of means, multiplied so that all are whole numbers."""
        import numpy as np

        del chosen
        times = lcm(*(len(own) for own in rows))
        return np.array([[sum(column) * (times // len(own)) for column in zip(*own, strict=True)] for own in rows], dtype=np.float64)

    def values(self, metric: Valued, sums: Any) -> Any:
        """Compute the values of the metric."""
        return metric.values(sums)

    def sentence_value(self, metric: Valued, rows: Sequence[Row]) -> float:
        """Compute the value of the sum of the rows, which is that of the mean row."""
        return metric.value(tuple(map(sum, zip(*rows, strict=True))))


@dataclass(frozen=True)
class Expectation(Strategy):
    """The mean of the values of all choices of references.

    If a corpus has few choices, all are listed.  If it has many, sums of counts are approximately normally distributed, and the
    metric computes the value from their mean and covariance (``expected_values``).
    """

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """Make a matrix of the means and covariances of the counts of each sentence."""
        import numpy as np

        del chosen
        moments = []
        for own in rows:
            counts = np.array(own, dtype=np.float64)
            apart = counts - counts.mean(axis=0)
            moments.append(np.concatenate([counts.mean(axis=0), (apart.T @ apart / len(own)).ravel()]))
        return np.array(moments)

    def values(self, metric: Valued, sums: Any) -> Any:
        """Compute the expected values of the metric."""
        width = len(metric.columns)
        return metric.expected_values(sums[:, :width], sums[:, width:].reshape(-1, width, width))

    def value(self, metric: Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """Compute the mean over all choices, exact if they can be listed."""
        sums: dict[Row, float] = {(0,) * len(metric.columns): 1.0}
        for own in rows:
            added: dict[Row, float] = {}
            for total, chance in sums.items():
                for row in own:
                    counts = tuple(map(sum, zip(total, row, strict=True)))
                    added[counts] = added.get(counts, 0.0) + chance / len(own)
            if len(added) > MOST_EXPECTED_SUMS:
                return super().value(metric, rows, chosen)
            sums = added
        return fsum(chance * metric.value(counts) for counts, chance in sums.items())


def refuse_expectation(metric: object) -> RequestError:
    """Make the error of a metric without ``expected_values``."""
    return RequestError(f"{metric} has no expected_values, which Expectation needs; use Draws instead")
