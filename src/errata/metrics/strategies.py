"""How the references of a sentence are used: one is chosen, none is, one is drawn, or all take part."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, islice, pairwise
from math import fsum, lcm, prod
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Sequence

    from errata.metrics.ratios import Ratio, Row


# --- The choice of the reference that each sentence is scored against, for all metrics.
#
# A metric gives each sentence one row of counts for every reference; a rule picks one row per sentence, and the picked rows are
# summed.  The rule maximises a ratio of weighted sums, such as F = (1+b²)c / (p + b²g).
#
# - ``official``: sentence by sentence in file order, the row that maximises the ratio so far (Ng et al. 2013, section 4).
#   Greedy, so the result depends on the order of the sentences.
# - ``sentence``: the row with the largest ratio in each sentence alone.
# - ``optimal``: the rows that maximise the ratio of the whole corpus.
#
# Ties go to the larger numerator, then to the smaller denominator, then to the first row.
# A ratio of 0/0 (nothing proposed, nothing to find) is 1.  All arithmetic is in whole numbers, so ties are exact.

Rule = Literal["official", "optimal", "sentence"]
RULES: dict[Rule, str] = {
    "official": "greedy, in file order, like the official scorer",
    "optimal": "the best of all choices for the whole corpus",
    "sentence": "the best for each sentence alone",
}


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


# --- How the references of a sentence are used: one is chosen, none is, or all take part.
#
# A metric gives each sentence one row of counts for every reference.  Its strategy turns the rows of a corpus into a score:
#
# - :class:`Choose` picks one row per sentence, by the official rule, for each sentence alone, or the best of all choices;
#   :class:`~errata.metrics.strategies.ChooseRounded` picks it as ERRANT does;
# - :class:`SingleRow` is for metrics with one row per sentence: they use no reference, or choose one themselves;
# - :class:`ChooseBest` picks the row with the highest value in each sentence, for values that are no ratio;
# - :class:`ExpectedCounts` gives each sentence the mean of its rows;
# - :class:`~errata.metrics.strategies.Draws` draws a random reference for each sentence, many times, and takes the mean of the
#   values (GLEU);
# - :class:`~errata.metrics.strategies.Expectation` is the mean of the values of all choices, without random numbers.
#
# Each turns rows into a matrix with one row per sentence, and sums of these rows into values.  Scores, intervals and tests need
# only this, so they are written once for all strategies.

LARGEST_SUM = 1 << 62
"""The largest sum that fits into the core's whole numbers."""


class _Valued(Protocol):
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
    def values(self, metric: _Valued, sums: Any) -> Any:
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

    def value(self, metric: _Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """Compute the value of a corpus."""
        return float(self.values(metric, self.matrix(rows, chosen).sum(axis=0)[None, :])[0])

    def sentence_value(self, metric: _Valued, rows: Sequence[Row]) -> float:
        """Compute the value of a single sentence if no row is chosen: the mean over its references."""
        return sum(metric.sentence_value(row) for row in rows) / len(rows)

    def spread(self, metric: _Valued, rows: Sequence[Sequence[Row]]) -> dict[str, float]:
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
        """Make a matrix of the chosen rows."""
        import numpy as np

        picked = chosen if chosen is not None else self.choose(rows)
        return np.array([own[index] for own, index in zip(rows, picked or (), strict=True)], dtype=np.float64)

    def values(self, metric: _Valued, sums: Any) -> Any:
        """Compute the values of the metric."""
        return metric.values(sums)

    def value(self, metric: _Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """Compute the value of the sum of the chosen rows."""
        return metric.value(self.counts(rows, chosen))


@dataclass(frozen=True)
class Choose(Chosen):
    """One reference is chosen for each sentence, by a rule that maximises a ratio of summed counts."""

    rule: Rule
    ratio: Ratio

    @property
    def in_order(self) -> bool:
        """Whether it is not the best of all choices."""
        return self.rule != "optimal"

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        """Choose the row of each sentence by the rule."""
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


@dataclass(frozen=True)
class ChooseBest(Chosen):
    """In each sentence the reference with the highest value is chosen, the first of several."""

    metric: _Valued

    @property
    def in_order(self) -> bool:
        """Whether it needs no other sentences: it does not."""
        return True

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        """Choose the row with the highest value of each sentence."""
        return tuple(max(range(len(own)), key=lambda index: self.metric.sentence_value(own[index])) for own in rows)


@dataclass(frozen=True)
class SingleRow(Chosen):
    """Every sentence has one row, so nothing is chosen."""

    @property
    def in_order(self) -> bool:
        """Whether it needs no other sentences: it does not."""
        return True

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        """Choose the only row."""
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

    def values(self, metric: _Valued, sums: Any) -> Any:
        """Compute the values of the metric."""
        return metric.values(sums)

    def sentence_value(self, metric: _Valued, rows: Sequence[Row]) -> float:
        """Compute the value of the sum of the rows, which is that of the mean row."""
        return metric.sentence_value(tuple(map(sum, zip(*rows, strict=True))))


def refuse_expectation(metric: object) -> RequestError:
    """Make the error of a metric without ``expected_values``."""
    return RequestError(f"{metric} has no expected_values, which Expectation needs; use Draws instead")


# --- The choice among annotators in ERRANT, whose F is rounded to four digits before it is compared.
#
# Sentence by sentence in file order, the row with the largest F of the counts so far and this sentence is chosen.  Ties, which
# rounding makes frequent, go to the row with more true positives, then with fewer false positives, then with fewer false negatives,
# then to the first.  F is computed with the same operations on floating-point numbers as in ERRANT, because some values lie exactly
# between two roundings, where the error of the last digit decides.

_DIGITS = 4
_STEPS = 10**_DIGITS
_CLEAR_BETA = 0.01
"""With a smaller beta, the error of floating-point numbers may be larger than what another false negative changes."""
_CELLS = 4_000_000
"""Sentences of replicates that are processed together."""
_NEARLY_HALF = 1e-6
"""How near to the middle of two roundings the error of a multiplication could matter."""


def compute_f(counts: Sequence[int], beta: float) -> float:
    """Compute F of true positives, false positives and false negatives, as ERRANT does before it rounds.

    >>> round(compute_f((482, 797, 1908), 0.5), 4), compute_f((0, 0, 0), 0.5), compute_f((0, 1, 1), 0.5)
    (0.3211, 1.0, 0.0)
    """
    correct, wrong, missed = counts
    precision = correct / (correct + wrong) if wrong else 1.0
    recall = correct / (correct + missed) if missed else 1.0
    below = beta**2 * precision + recall
    if below:
        return (1 + beta**2) * precision * recall / below
    return 1.0 if beta == 0 and not wrong else 0.0


def compute_many_f(counts: Any, beta: float) -> Any:
    """Compute F of many sums of counts, the last axis of an array; equal to :func:`compute_f` in every bit."""
    import numpy as np

    correct, wrong, missed = (counts[..., index] for index in range(3))
    precision = np.divide(correct, correct + wrong, out=np.ones(correct.shape), where=wrong != 0)
    recall = np.divide(correct, correct + missed, out=np.ones(correct.shape), where=missed != 0)
    below = beta**2 * precision + recall
    of_nothing = np.where((beta == 0) & (wrong == 0), 1.0, 0.0)
    return np.divide((1 + beta**2) * precision * recall, below, out=of_nothing, where=below != 0)


def _round_many(values: Any) -> Any:
    """Round values to ten-thousandths, and count these; exactly as Python rounds."""
    import numpy as np

    scaled = values * _STEPS
    rounded = np.rint(scaled)
    unclear = np.abs(np.abs(scaled - rounded) - 0.5) < _NEARLY_HALF
    if unclear.any():
        rounded[unclear] = [round(round(value, _DIGITS) * _STEPS) for value in values[unclear].tolist()]
    return rounded


@dataclass(frozen=True)
class ChooseRounded(Chosen):
    """One annotator is chosen for each sentence, as in ERRANT; rows are true positives, false positives and false negatives."""

    beta: float

    @property
    def in_order(self) -> bool:
        """Whether it depends only on sentences before: it does."""
        return True

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        """Choose the row of each sentence."""
        correct = wrong = missed = 0
        chosen = []
        for own in rows:
            best = self._find_clearly_best(own) if len(own) > 1 else 0
            if best is None:
                keys = [self._key(row, (correct + row[0], wrong + row[1], missed + row[2])) for row in own]
                best = keys.index(max(keys))
            row = own[best]
            correct, wrong, missed = correct + row[0], wrong + row[1], missed + row[2]
            chosen.append(best)
        return tuple(chosen)

    def _find_clearly_best(self, rows: Sequence[Row]) -> int | None:
        """Find a row that is best whatever the sums are: no other has more true positives, or fewer of the false ones."""
        if self.beta < _CLEAR_BETA:
            return None
        best = 0
        for index in range(1, len(rows)):
            (correct, wrong, missed), other = rows[best], rows[index]
            if other[0] <= correct and other[1] >= wrong and other[2] >= missed:
                continue
            if other[0] < correct or other[1] > wrong or other[2] > missed:
                return None
            best = index
        return best

    def _key(self, row: Row, total: Row) -> tuple[float, int, int, int]:
        return round(compute_f(total, self.beta), _DIGITS), row[0], -row[1], -row[2]

    def rechoose(self, counts: Any, starts: Any, picked: Any) -> Any:
        """Sum the rows chosen in each replicate, an ordered list of sentences in which -1 is none.

        ``counts`` has the rows of all sentences, those of a sentence from its start to the next.
        """
        import numpy as np

        sizes = np.diff(starts)
        most = int(sizes.max(initial=1))
        # Rows are padded with the first row of their sentence, which changes no choice; a sentence without counts is added at the end.
        places = starts[:-1, None] + np.where(np.arange(most) < sizes[:, None], np.arange(most), 0)
        rows = np.concatenate([counts[places], np.zeros((1, most, 3))])
        drawn = np.where(picked < 0, len(sizes), picked)
        step = max(1, _CELLS // max(1, drawn.shape[1]))
        parts = [self._rechoose(rows, drawn[first : first + step]) for first in range(0, len(drawn), step)]
        return np.concatenate(parts) if parts else np.zeros((0, 3))

    def _rechoose(self, rows: Any, drawn: Any) -> Any:
        """Sum the chosen rows of some replicates; in order, but only sentences without a clearly best row are looked at."""
        import numpy as np

        listed = rows.tolist()
        best = np.array([-1 if (index := self._find_clearly_best(own)) is None else index for own in listed])
        clear = np.where(best[:, None] < 0, 0, rows[np.arange(len(rows)), best])
        sums = np.cumsum(clear[drawn], axis=1)
        is_open = best[drawn] < 0
        left = is_open.sum(axis=1)
        places = np.argsort(~is_open, axis=1, kind="stable")  # those of open sentences come first, in order
        # All ties of the rows of a sentence are decided by their ranks, so that one number is compared in each replicate.
        ranks = np.array([_rank_rows(own) for own in listed])
        total = np.zeros((len(drawn), 3))
        for turn in range(int(left.max(initial=0))):
            active = np.flatnonzero(left > turn)
            place = places[active, turn]
            sentences = drawn[active, place]
            candidates = (total[active] + sums[active, place])[:, None, :] + rows[sentences]
            keys = _round_many(compute_many_f(candidates, self.beta)) * rows.shape[1] + ranks[sentences]
            total[active] += rows[sentences, keys.argmax(axis=1)]
        return total + (sums[:, -1] if sums.shape[1] else 0)


def _rank_rows(rows: Sequence[Sequence[float]]) -> list[int]:
    """Rank rows by the rules for ties, the best with the largest rank; equal rows have the rank of the first."""
    order = sorted(range(len(rows)), key=lambda index: (rows[index][0], -rows[index][1], -rows[index][2], -index))
    ranks = [0] * len(rows)
    for rank, index in enumerate(order):
        ranks[index] = rank
    return ranks


# --- Random references as the official script of GLEU draws them, with Python 2 or Python 3.
#
# Both versions of Python seed the Mersenne Twister alike and give the same ``random()``; only ``randint`` differs.  For one of n,
# Python 2 takes ``int(random() * n)``; Python 3 takes as many bits as n has, again and again until they are below n.

_Generator = Literal["py2", "py3"]
_WORD = 32
"""Bits of the numbers that the Mersenne Twister makes."""


def _draw_one_of_each(sizes: Sequence[int], seeds: Iterable[int], generator: _Generator) -> Iterator[Any]:
    """Draw for each seed an array: for each size a number from 0 to below it.

    >>> [numbers.tolist() for numbers in _draw_one_of_each([2] * 8, [0, 101], "py2")]
    [[1, 1, 0, 0, 1, 0, 1, 0], [1, 0, 1, 1, 0, 1, 0, 0]]
    """
    return _draw_as_python2(sizes, seeds) if generator == "py2" else _draw_as_python3(sizes, seeds)


def _draw_as_python2(sizes: Sequence[int], seeds: Iterable[int]) -> Iterator[Any]:
    import numpy as np

    factors, own = np.asarray(sizes), np.random.RandomState()
    for seed in seeds:
        own.seed([seed])  # of a list, NumPy seeds the Mersenne Twister as Python does
        yield (own.random_sample(len(sizes)) * factors).astype(np.int64)


def _draw_as_python3(sizes: Sequence[int], seeds: Iterable[int]) -> Iterator[Any]:
    import random

    import numpy as np

    own = random.Random()  # noqa: S311 - the generator of the script
    same = len(set(sizes)) <= 1
    for seed in seeds:
        own.seed(seed)
        yield _draw_below(sizes[0], len(sizes), own) if same else np.array([own.randrange(size) for size in sizes], dtype=np.int64)


def _draw_below(size: int, count: int, own: random.Random) -> Any:
    """Draw so many numbers below a size, as ``randrange`` does: the first bits of words, without those that are too large."""
    import numpy as np

    bits = size.bit_length()
    taken = np.empty(0, dtype=np.int64)
    while len(taken) < count:
        words = count - len(taken) + count // 2 + _WORD
        raw = np.frombuffer(own.getrandbits(_WORD * words).to_bytes(_WORD // 8 * words, "little"), dtype="<u4")
        drawn = (raw >> np.uint32(_WORD - bits)).astype(np.int64)
        taken = np.concatenate([taken, drawn[drawn < size]])
    return taken[:count]


# --- A random reference for each sentence: the mean over some draws (:class:`Draws`), or over all choices (:class:`Expectation`).

_MOST_EXPECTED_SUMS = 1 << 16
"""The most sums of counts that are listed for an exact expectation."""
_MOST_DRAWN_COUNTS = 1 << 16
"""The most counts of all draws that a matrix has; larger ones have means and covariances, if the metric can use them."""
_SEED_STEP = 101
"""The difference of the seeds of two draws, as in the official script of GLEU."""
_LARGEST_SEED = 1 << 32
_KEPT = "kept_values"
_BLOCK = 4_000_000
"""Drawn references in memory at a time."""
_NORMAL = 1.96
"""95% of a normal distribution are within so many standard deviations."""


class _Rows:
    """The rows of a corpus as an array of sentences, references and columns; sentences with fewer references are filled up with zeros."""

    def __init__(self, rows: Sequence[Sequence[Row]]) -> None:
        import numpy as np

        self.sizes = [len(own) for own in rows]
        everything = np.array([row for own in rows for row in own], dtype=np.float64)
        sizes = np.array(self.sizes)
        self.counts = np.zeros((len(rows), int(sizes.max()), everything.shape[1]))
        self.counts[np.arange(self.counts.shape[1]) < sizes[:, None]] = everything

    def moments(self, shares: Any, varying: Sequence[int]) -> Any:
        """Compute the mean of each sentence, and the covariances of varying columns, with these shares of its references."""
        import numpy as np

        means = np.einsum("sr,src->sc", shares, self.counts)
        apart = (self.counts - means[:, None, :])[:, :, list(varying) or slice(None)]
        one, other = np.triu_indices(apart.shape[2])
        return np.hstack([means, np.einsum("sr,srp,srp->sp", shares, apart[:, :, one], apart[:, :, other])])


def _expect(metric: _Valued, moments: Any, varying: Sequence[int]) -> Any:
    """Compute the expected values of sums with these moments."""
    import numpy as np

    width = len(metric.columns)
    columns = np.array(varying or range(width))
    one, other = np.triu_indices(len(columns))
    covariances = np.zeros((len(moments), width, width))
    covariances[:, columns[one], columns[other]] = covariances[:, columns[other], columns[one]] = moments[:, width:]
    return metric.expected_values(moments[:, :width], covariances)


@dataclass(frozen=True)
class Draws(Strategy):
    """A random reference for each sentence, many times; the value is the mean over all draws.

    Draw j has the seed ``seed + 101 j``; its references are drawn in the order of the sentences with the Mersenne Twister, as in
    the official script of GLEU with Python 2 or 3.

    For intervals and tests every draw of every replicate would have to be summed, which takes minutes for a corpus of usual size.
    With ``smooth``, sums of many sentences are taken to be normally distributed over draws, with the mean and covariance of the drawn
    rows, and the metric computes the value from them (``expected_values``).

    >>> Draws(2).draw([2] * 16).tolist()[0]
    [1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0]
    """

    times: int = 500
    seed: int = 0
    generator: _Generator = "py2"
    smooth: bool = False
    """Whether the metric has ``expected_values``."""
    varying: tuple[int, ...] = ()
    """The columns that differ between references; none means all."""

    def __post_init__(self) -> None:
        if not (self.times >= 1 and 0 <= self.seed + _SEED_STEP * self.times < _LARGEST_SEED and self.seed >= 0):
            raise UsageError(f"times must be 1 or more and the seed 0 or more, found {self.times} times and the seed {self.seed}")

    def draw(self, references: Sequence[int], first: int = 0, last: int | None = None) -> Any:
        """Draw a reference for each sentence, for all draws or some; ``references`` is how many each sentence has."""
        import numpy as np

        kind = np.min_scalar_type(max(references, default=1))
        seeds = (self.seed + _SEED_STEP * time for time in range(first, self.times if last is None else last))
        return np.array([numbers.astype(kind) for numbers in _draw_one_of_each(references, seeds, self.generator)])

    def draw_values(self, metric: _Valued, rows: Sequence[Sequence[Row]]) -> Any:
        """Compute the value of every draw; of one if each sentence has one reference."""
        kept = vars(self).get(_KEPT)
        if kept is not None and kept[0] is rows and kept[1] == metric:
            return kept[2]
        values = self._draw_values(metric, rows)
        if type(rows) is tuple:  # which does not change, and is asked about twice: for the mean and for the spread
            values.flags.writeable = False
            vars(self)[_KEPT] = rows, metric, values
        return values

    def _draw_values(self, metric: _Valued, rows: Sequence[Sequence[Row]]) -> Any:
        import numpy as np

        own = _Rows(rows)
        total = own.counts[:, 0].sum(axis=0)
        references = own.counts.shape[1]
        if references == 1:
            return metric.values(total[None, :])
        parts = []
        for drawn in _draw_in_blocks(self, tuple(own.sizes)):
            sums = np.repeat(total[None, :], len(drawn), axis=0)
            for reference in range(1, references):
                sums += (drawn == reference).astype(np.float64) @ (own.counts[:, reference] - own.counts[:, 0])
            parts.append(metric.values(sums))
        return np.concatenate(parts)

    def value(self, metric: _Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """Compute the mean over all draws."""
        del chosen
        return float(self.draw_values(metric, rows).mean())

    def spread(self, metric: _Valued, rows: Sequence[Sequence[Row]]) -> dict[str, float]:
        """Compute the standard deviation over draws, and the mean with 1.96 of them on each side: what the script calls a 95% CI."""
        values = self.draw_values(metric, rows)
        mean, deviation = float(values.mean()), float(values.std())
        return {
            "sd_over_references": deviation,
            "low_over_references": mean - _NORMAL * deviation,
            "high_over_references": mean + _NORMAL * deviation,
        }

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """Make a matrix of the drawn rows, all draws side by side; or of their means and covariances."""
        import numpy as np

        del chosen
        own = _Rows(rows)
        sentences, references, width = own.counts.shape
        if self._has_moments(width) and sentences * self.times * width > _MOST_DRAWN_COUNTS:
            shares = np.zeros((sentences, references))
            for drawn in _draw_in_blocks(self, tuple(own.sizes)):
                for reference in range(references):
                    shares[:, reference] += (drawn == reference).sum(axis=0)
            return own.moments(shares / self.times, self.varying)
        drawn = np.concatenate(list(_draw_in_blocks(self, tuple(own.sizes))))
        return own.counts[np.arange(sentences)[:, None], drawn.T].reshape(sentences, -1)

    def _has_moments(self, width: int) -> bool:
        """Whether moments may be used; they are fewer than the counts of all draws, so their number says which it is."""
        columns = len(self.varying) or width
        return self.smooth and width + columns * (columns + 1) // 2 < self.times * width

    def values(self, metric: _Valued, sums: Any) -> Any:
        """Compute the mean over all draws."""
        width = len(metric.columns)
        if sums.shape[1] != self.times * width:
            return _expect(metric, sums, self.varying)
        return metric.values(sums.reshape(-1, width)).reshape(-1, self.times).mean(axis=1)


def _draw_in_blocks(draws: Draws, sizes: tuple[int, ...]) -> Any:
    """Yield the drawn references of some draws at a time; all systems share them if they are not too many."""
    if len(sizes) * draws.times <= _BLOCK:
        return (_draw_shared(draws, sizes),)
    step = max(1, _BLOCK // len(sizes))
    return (draws.draw(sizes, first, min(draws.times, first + step)) for first in range(0, draws.times, step))


@lru_cache(maxsize=16)
def _draw_shared(draws: Draws, sizes: tuple[int, ...]) -> Any:
    """Draw the references of all draws, once for all systems."""
    drawn = draws.draw(sizes)
    drawn.flags.writeable = False
    return drawn


@dataclass(frozen=True)
class Expectation(Strategy):
    """The mean of the values of all choices of references.

    If a corpus has few choices, all are listed.  If it has many, sums of counts are approximately normally distributed, and the
    metric computes the value from their mean and covariance (``expected_values``).
    """

    varying: tuple[int, ...] = ()
    """The columns that differ between references; none means all."""

    def matrix(self, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> Any:
        """Make a matrix of the means and covariances of the counts of each sentence."""
        import numpy as np

        del chosen
        own = _Rows(rows)
        sizes = np.array(own.sizes)[:, None]
        return own.moments((np.arange(own.counts.shape[1]) < sizes) / sizes, self.varying)

    def values(self, metric: _Valued, sums: Any) -> Any:
        """Compute the expected values of the metric."""
        return _expect(metric, sums, self.varying)

    def value(self, metric: _Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        """Compute the mean over all choices, exact if they can be listed."""
        chances = _list_random_sums(rows)
        if chances is None:
            return super().value(metric, rows, chosen)
        return fsum(chance * metric.value(counts) for counts, chance in chances)


def _list_random_sums(rows: Sequence[Sequence[Row]]) -> list[tuple[Row, float]] | None:
    """List the sums of counts of all choices of references, each with its probability; None if there are too many.

    >>> _list_random_sums([[(1, 5), (2, 5)], [(1, 3), (2, 3)]])
    [((2, 8), 0.25), ((3, 8), 0.5), ((4, 8), 0.25)]
    """
    least = [tuple(map(min, zip(*own, strict=True))) for own in rows]
    most = [tuple(map(max, zip(*own, strict=True))) for own in rows]
    base = [sum(column) for column in zip(*least, strict=True)]
    spans = [sum(column) - low + 1 for column, low in zip(zip(*most, strict=True), base, strict=True)]
    places = [prod(spans[:column]) for column in range(len(spans))]  # a sum of counts is one number: its digits are the counts
    sums: dict[int, float] = {0: 1.0}
    for own, low in zip(rows, least, strict=True):
        steps = [sum((count - less) * place for count, less, place in zip(row, low, places, strict=True)) for row in own]
        if any(steps):
            added: dict[int, float] = {}
            for total, chance in sums.items():
                for step in steps:
                    added[total + step] = added.get(total + step, 0.0) + chance / len(own)
            if len(added) > _MOST_EXPECTED_SUMS:
                return None
            sums = added
    return [
        (tuple(low + total // place % span for low, place, span in zip(base, places, spans, strict=True)), chance)
        for total, chance in sums.items()
    ]
