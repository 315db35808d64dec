"""How the references of a sentence are used: one of them is chosen, none is, or all of them take part.

A metric gives each sentence one row of counts for every reference.  Its strategy says what the rows of a whole corpus come to:

- :class:`Choose` picks one row a sentence, by the official rule, for each sentence alone, or the best of all choices;
- :class:`SingleRow` is for metrics that have one row a sentence: they look at no reference, or have chosen one themselves;
- :class:`Draws` takes a random reference for each sentence, many times, and the mean of the values (GLEU);
- :class:`Expectation` is the mean of the values of all choices, without dice;
- :class:`ExpectedCounts` gives each sentence the mean of its rows.

Each turns rows into a matrix with a line for every sentence whose columns add up, and sums of lines into values.  Scores,
intervals and tests need no more, so they are written once for all strategies.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, lcm
from typing import TYPE_CHECKING, Any, Protocol

from errata.errors import RequestError, UsageError
from errata.metrics.choice import Rule, choose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.ratios import Ratio, Row

MOST_EXPECTED_SUMS = 1 << 16
"""Sums of counts that are all looked at for an expectation."""
SEED_STEP = 101
"""From one random choice of references to the next, as the official script of GLEU has it."""
_LARGEST_SEED = 1 << 32


class Valued(Protocol):
    """What a strategy asks of a metric."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the counts in a row."""

    def value(self, counts: Row) -> float:
        """The score of a sum of counts."""

    def values(self, counts: Any) -> Any:
        """The scores of many sums of counts."""

    def expected_values(self, means: Any, covariances: Any) -> Any:
        """The expected scores of random sums of counts."""


class Strategy(ABC):
    """How references are used."""

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...] | None:
        """The row that stands for each sentence; None where no single one does."""
        del rows
        return None

    @abstractmethod
    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """A line of numbers for each sentence that can be added up."""

    @abstractmethod
    def values(self, metric: Valued, sums: Any) -> Any:
        """The values of many sums of such lines."""

    def counts(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Row:
        """The counts of all sentences together: of the chosen rows, or where none is chosen of the mean rows, rounded."""
        if chosen is not None:
            return tuple(map(sum, zip(*(own[index] for own, index in zip(rows, chosen, strict=True)), strict=True)))
        means = ([Fraction(sum(column), len(own)) for column in zip(*own, strict=True)] for own in rows)
        return tuple(round(sum(column)) for column in zip(*means, strict=True))

    def value(self, metric: Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """The value of a corpus."""
        return float(self.values(metric, self.matrix(rows, chosen).sum(axis=0)[None, :])[0])

    def sentence_value(self, metric: Valued, rows: Sequence[Row]) -> float:
        """The value of a sentence alone for which no row is chosen: the mean over its references."""
        return sum(metric.value(row) for row in rows) / len(rows)


class _Chosen(Strategy):
    """One row stands for each sentence."""

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """The chosen rows."""
        import numpy as np

        picked = chosen if chosen is not None else self.choose(rows)
        return np.array([own[index] for own, index in zip(rows, picked or (), strict=True)], dtype=np.float64)

    def values(self, metric: Valued, sums: Any) -> Any:
        """Those of the metric."""
        return metric.values(sums)

    def value(self, metric: Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """That of the sum of the chosen rows."""
        return metric.value(self.counts(rows, chosen))


@dataclass(frozen=True)
class Choose(_Chosen):
    """One reference is chosen for each sentence, by a rule that makes a ratio of sums of counts as large as it can."""

    rule: Rule
    ratio: Ratio

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        """The row that the rule picks for each sentence."""
        return tuple(choose(rows, self.ratio, self.rule))


@dataclass(frozen=True)
class SingleRow(_Chosen):
    """Every sentence has one row, so that there is nothing to choose."""

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        """That row."""
        if any(len(own) != 1 for own in rows):
            raise ValueError("a metric without a choice among references has one row a sentence")
        return (0,) * len(rows)


@dataclass(frozen=True)
class Draws(Strategy):
    """A random reference for each sentence, many times; the value is the mean of the values of all times.

    Time j has the seed ``seed + 101 j``; its references are drawn in the order of the sentences with the Mersenne Twister, as
    Python 2 and the official script of GLEU draw them.

    >>> Draws(2).draw([2] * 16).tolist()[0]
    [1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0]
    """

    times: int = 500
    seed: int = 0

    def __post_init__(self) -> None:
        if not (self.times >= 1 and 0 <= self.seed + SEED_STEP * self.times < _LARGEST_SEED and self.seed >= 0):
            raise UsageError(f"references are drawn once or more, with a seed from 0 on, found {self.times} times and the seed {self.seed}")

    def draw(self, references: Sequence[int]) -> Any:
        """For each time the reference of each sentence, given how many each has."""
        import numpy as np

        sizes = np.asarray(references)
        drawn = (np.random.RandomState([self.seed + SEED_STEP * time]).random_sample(len(sizes)) for time in range(self.times))
        return np.array([(numbers * sizes).astype(np.int64) for numbers in drawn])

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """The drawn rows of all times beside each other."""
        import numpy as np

        del chosen
        sizes = [len(own) for own in rows]
        everything = np.array([row for own in rows for row in own], dtype=np.float64)
        starts = np.cumsum([0, *sizes[:-1]])
        return everything[starts[:, None] + self.draw(sizes).T].reshape(len(rows), -1)

    def values(self, metric: Valued, sums: Any) -> Any:
        """The mean over all times."""
        width = sums.shape[1] // self.times
        return metric.values(sums.reshape(-1, width)).reshape(-1, self.times).mean(axis=1)


@dataclass(frozen=True)
class ExpectedCounts(Strategy):
    """Each sentence counts with the mean of its rows: what random references give on average.

    Rows are multiplied, so that means are whole numbers; the value must not change where all counts are multiplied.
    """

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """Means, times a number that makes all of them whole."""
        import numpy as np

        del chosen
        times = lcm(*(len(own) for own in rows))
        return np.array([[sum(column) * (times // len(own)) for column in zip(*own, strict=True)] for own in rows], dtype=np.float64)

    def values(self, metric: Valued, sums: Any) -> Any:
        """Those of the metric."""
        return metric.values(sums)

    def sentence_value(self, metric: Valued, rows: Sequence[Row]) -> float:
        """That of the mean row, times the number of rows."""
        return metric.value(tuple(map(sum, zip(*rows, strict=True))))


@dataclass(frozen=True)
class Expectation(Strategy):
    """The mean of the values of all choices of references.

    Where a corpus has few choices they are all looked at.  Where it has many, sums of counts are as good as normally
    distributed, and the metric says what their mean and covariance come to (``expected_values``).
    """

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """Means and covariances of the counts of each sentence, which add up."""
        import numpy as np

        del chosen
        moments = []
        for own in rows:
            counts = np.array(own, dtype=np.float64)
            apart = counts - counts.mean(axis=0)
            moments.append(np.concatenate([counts.mean(axis=0), (apart.T @ apart / len(own)).ravel()]))
        return np.array(moments)

    def values(self, metric: Valued, sums: Any) -> Any:
        """What the metric expects of these moments."""
        width = len(metric.columns)
        return metric.expected_values(sums[:, :width], sums[:, width:].reshape(-1, width, width))

    def value(self, metric: Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """The mean over all choices, exact where they can be listed."""
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
    """That a metric knows no expectation."""
    return RequestError(f"{metric} cannot say what it expects of random references; draw them instead")
