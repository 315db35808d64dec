"""How the references of a sentence are used: one is chosen, none is, one is drawn, or all take part.

A metric gives each sentence one row of counts for every reference.  Its strategy turns the rows of a corpus into a score:

- :class:`Choose` picks one row per sentence, by the official rule, for each sentence alone, or the best of all choices
  (ERRANT has a choice of its own, in :mod:`errata.metrics.errant`);
- :class:`SingleRow` is for metrics with one row per sentence: they use no reference, or choose one themselves;
- :class:`ChooseBest` picks the row with the highest value in each sentence, for values that are no ratio;
- :class:`ExpectedCounts` gives each sentence the mean of its rows;
- :class:`~errata.metrics.draws.Draws` draws a random reference for each sentence, many times, and takes the mean of the values (GLEU);
- :class:`~errata.metrics.draws.Expectation` is the mean of the values of all choices, without random numbers.

Each turns rows into a matrix with one row per sentence, and sums of these rows into values.  Scores, intervals and tests need only this,
so they are written once for all strategies.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice, pairwise
from math import lcm
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from errata.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.metrics.ratios import Ratio, Row


Rule = Literal["official", "optimal", "sentence"]
RULES: dict[Rule, str] = {
    "official": "greedy, in file order, like the official scorer",
    "optimal": "the best of all choices for the whole corpus",
    "sentence": "the best for each sentence alone",
}
LARGEST_SUM = 1 << 62
"""The largest sum that fits into the core's whole numbers."""


class Valued(Protocol):
    """The part of a metric that a strategy uses."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the counts in a row."""

    def value(self, counts: Row) -> float:
        """Compute the score of a sum of counts."""

    def sentence_value(self, counts: Row) -> float:
        """Compute the score of the counts of one sentence."""

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
        by_size: dict[int, list[Row]] = {}
        for own in rows:
            by_size.setdefault(len(own), []).extend(own)
        means = ([Fraction(sum(column), size) for column in zip(*every, strict=True)] for size, every in by_size.items())
        return tuple(round(sum(column)) for column in zip(*means, strict=True))

    def value(self, metric: Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """Compute the value of a corpus."""
        return float(self.values(metric, self.matrix(rows, chosen).sum(axis=0)[None, :])[0])

    def sentence_value(self, metric: Valued, rows: Sequence[Row]) -> float:
        """Compute the value of a single sentence if no row is chosen: the mean over its references."""
        return sum(metric.sentence_value(row) for row in rows) / len(rows)

    def spread(self, metric: Valued, rows: Sequence[Sequence[Row]]) -> dict[str, float]:
        """Compute how much the value depends on random references, as parts of a score; nothing if it does not."""
        del metric, rows
        return {}


class Chosen(Strategy):
    """Strategies that use one row per sentence."""

    @property
    def in_order(self) -> bool:
        """Whether the choice depends only on the sentence and those before it, so that a long corpus can be read in parts."""
        return False

    def pick(self, counts: Any, starts: Any, before: Row) -> Any:
        """Find the row chosen for each of consecutive sentences; sentence s has those from ``starts[s]`` to before ``starts[s + 1]``.

        ``before`` is the sum of the rows chosen for the sentences before them.
        """
        import numpy as np

        if len(counts) == len(starts) - 1:
            return np.arange(len(counts))
        listed = list(map(tuple, counts.tolist()))
        ends = starts.tolist()
        rows = [listed[first:last] for first, last in pairwise(ends)]
        chosen = self.choose([[before], *rows])  # a sentence with one row stands for those before
        return starts[:-1] + np.array((chosen or ())[1:], dtype=np.int64)

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        import numpy as np

        picked = chosen if chosen is not None else self.choose(rows)
        return np.array([own[index] for own, index in zip(rows, picked or (), strict=True)], dtype=np.float64)

    def values(self, metric: Valued, sums: Any) -> Any:
        return metric.values(sums)

    def value(self, metric: Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        return metric.value(self.counts(rows, chosen))


@dataclass(frozen=True)
class Choose(Chosen):
    """One reference is chosen for each sentence, by a rule that maximises a ratio of summed counts.

    The chosen rows of counts are summed, and the ratio is one of weighted sums, such as F = (1+b²)c / (p + b²g).

    - ``official``: sentence by sentence in file order, the row that maximises the ratio so far (Ng et al. 2013, section 4).
      Greedy, so the result depends on the order of the sentences.
    - ``sentence``: the row with the largest ratio in each sentence alone.
    - ``optimal``: the rows that maximise the ratio of the whole corpus.

    Ties go to the larger numerator, then to the smaller denominator, then to the first row.
    A ratio of 0/0 (nothing proposed, nothing to find) is 1.  All arithmetic is in whole numbers, so ties are exact.
    """

    rule: Rule
    ratio: Ratio

    @property
    def in_order(self) -> bool:
        return self.rule != "optimal"

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        return tuple(_choose(rows, self.ratio, self.rule))

    def pick(self, counts: Any, starts: Any, before: Row) -> Any:
        """Find the row chosen for each of consecutive sentences; the core does this for the official rule."""
        import numpy as np

        weights = np.array([self.ratio.numerator, self.ratio.denominator], dtype=object)
        sums = self.ratio.of(before)
        largest = max(max(1, int(counts.max(initial=0))) * int(np.abs(weights).sum(axis=1).max()), *sums)
        if self.rule != "official" or len(counts) == len(starts) - 1 or largest * len(starts) >= LARGEST_SUM:
            return super().pick(counts, starts, before)
        from errata.core import rechoose

        # A sentence with one row stands for those before.
        pairs = np.concatenate([np.array([sums], dtype=np.int64), counts.astype(np.int64) @ weights.T.astype(np.int64)])
        times = rechoose(pairs, np.concatenate([[0], starts + 1]), np.arange(len(starts), dtype=np.int32)[None, :], optimal=False)
        return np.flatnonzero(times[0])[1:] - 1


def _choose(sentences: Sequence[Sequence[Row]], ratio: Ratio, rule: Rule) -> list[int]:
    """Choose a row for each sentence, and return their indices.

    >>> from errata.metrics.ratios import make_edit_ratios
    >>> _choose([[(0, 1, 2), (0, 1, 1)], [(1, 1, 1), (1, 1, 3)]], make_edit_ratios(1.0).f, "official")
    [1, 0]
    """
    if not set(map(len, chain.from_iterable(sentences))) <= {len(ratio.numerator)} or not all(sentences):
        raise ValueError("every sentence must have at least one row, and every row as many counts as the ratio has weights")
    weighed = iter(ratio.of_all(chain.from_iterable(sentences)))
    pairs = [list(islice(weighed, len(rows))) for rows in sentences]
    if rule == "official":
        return _official(pairs)
    if rule == "sentence":
        return [_best(rows) for rows in pairs]
    if rule == "optimal":
        return _optimal(pairs)
    raise UsageError(f"unknown rule of choice {rule!r}; choose from {', '.join(RULES)}")


_Pair = tuple[int, int]


def _better(one: _Pair, other: _Pair) -> bool:
    """Whether a ratio is better than another, after the rules for ties."""
    left = (one[0] if one[1] else 1) * (other[1] or 1)
    right = (other[0] if other[1] else 1) * (one[1] or 1)
    if left != right:
        return left > right
    return (one[0], -one[1]) > (other[0], -other[1])


def _best(pairs: Sequence[_Pair], before: _Pair = (0, 0)) -> int:
    best, best_sum = 0, (before[0] + pairs[0][0], before[1] + pairs[0][1])
    for index in range(1, len(pairs)):
        candidate = (before[0] + pairs[index][0], before[1] + pairs[index][1])
        if _better(candidate, best_sum):
            best, best_sum = index, candidate
    return best


def _official(sentences: Sequence[Sequence[_Pair]]) -> list[int]:
    above = below = 0
    chosen = []
    for pairs in sentences:
        index = _best(pairs, (above, below)) if pairs.count(pairs[0]) < len(pairs) else 0
        above += pairs[index][0]
        below += pairs[index][1]
        chosen.append(index)
    return chosen


def _optimal(sentences: Sequence[Sequence[_Pair]]) -> list[int]:
    """Choose by Dinkelbach's method: take the rows with the largest numerator - ratio * denominator, then their ratio, and repeat.

    The ratio grows in every round but the last, and the number of choices is finite, so the last ratio is the maximum.
    """
    nothing_at_all = [next((index for index, pair in enumerate(pairs) if pair == (0, 0)), None) for pairs in sentences]
    above, below = 0, 1
    while True:
        chosen = [
            max(range(len(pairs)), key=lambda k, pairs=pairs: (pairs[k][0] * below - above * pairs[k][1], pairs[k][0], -pairs[k][1], -k))  # type: ignore[misc]
            for pairs in sentences
        ]
        new_above, new_below = _sum(sentences, chosen)
        if new_above * below == above * new_below:
            break
        above, below = new_above, new_below
    if above < below and None not in nothing_at_all:
        return [index for index in nothing_at_all if index is not None]
    return chosen


def _sum(sentences: Sequence[Sequence[_Pair]], chosen: Sequence[int]) -> _Pair:
    picked = [pairs[index] for pairs, index in zip(sentences, chosen, strict=True)]
    return sum(pair[0] for pair in picked), sum(pair[1] for pair in picked)


@dataclass(frozen=True)
class ChooseBest(Chosen):
    """In each sentence the reference with the highest value is chosen, the first of several."""

    metric: Valued

    @property
    def in_order(self) -> bool:
        return True

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        return tuple(max(range(len(own)), key=lambda index: self.metric.sentence_value(own[index])) for own in rows)


@dataclass(frozen=True)
class SingleRow(Chosen):
    """Every sentence has one row, so nothing is chosen."""

    @property
    def in_order(self) -> bool:
        return True

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        if any(len(own) != 1 for own in rows):
            raise ValueError("a metric with SingleRow must have one row per sentence")
        return (0,) * len(rows)


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
        return metric.values(sums)

    def sentence_value(self, metric: Valued, rows: Sequence[Row]) -> float:
        """Compute the value of the sum of the rows, which is that of the mean row."""
        return metric.sentence_value(tuple(map(sum, zip(*rows, strict=True))))
