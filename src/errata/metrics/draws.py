"""GLEU's random draws: a random reference for each sentence, and the mean over many draws (``Draws``) or all choices (``Expectation``).

References are drawn as the official script of GLEU does, with Python 2 or Python 3.  Both seed the Mersenne Twister alike and give the
same ``random()``; only ``randint`` differs.  For one of n, Python 2 takes ``int(random() * n)``; Python 3 takes as many bits as n has,
again and again until they are below n.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from math import fsum, prod
from typing import TYPE_CHECKING, Any, Literal

from errata.errors import UsageError
from errata.metrics.strategies import Strategy

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Sequence

    from errata.metrics.ratios import Row
    from errata.metrics.strategies import Valued

_Generator = Literal["py2", "py3"]
_WORD = 32
"""Bits of the numbers that the Mersenne Twister makes."""
_MOST_EXPECTED_SUMS = 1 << 16
"""The most sums of counts that are listed for an exact expectation."""
_MOST_DRAWN_COUNTS = 1 << 16
"""The most counts of all draws that a matrix has; larger ones have means and covariances, if the metric can use them."""
_SEED_STEP = 101
"""The difference of the seeds of two draws, as in the official script of GLEU."""
_LARGEST_SEED = 1 << 32
_BLOCK = 4_000_000
"""Drawn references in memory at a time."""
_NORMAL = 1.96
"""95% of a normal distribution are within so many standard deviations."""


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
    _last: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """The values of the rows that were asked about last."""

    def __post_init__(self) -> None:
        if not (self.times >= 1 and 0 <= self.seed + _SEED_STEP * self.times < _LARGEST_SEED and self.seed >= 0):
            raise UsageError(f"times must be 1 or more and the seed 0 or more, found {self.times} times and the seed {self.seed}")

    def draw(self, references: Sequence[int], first: int = 0, last: int | None = None) -> Any:
        """Draw a reference for each sentence, for all draws or some; ``references`` is how many each sentence has."""
        import numpy as np

        kind = np.min_scalar_type(max(references, default=1))
        seeds = (self.seed + _SEED_STEP * time for time in range(first, self.times if last is None else last))
        return np.array([numbers.astype(kind) for numbers in _draw_one_of_each(references, seeds, self.generator)])

    def draw_values(self, metric: Valued, rows: Sequence[Sequence[Row]]) -> Any:
        """Compute the value of every draw; of one if each sentence has one reference."""
        rows_before, metric_before, values = self._last.get("values", (None, None, None))
        if rows_before is rows and metric_before == metric:
            return values
        values = self._draw_values(metric, rows)
        if type(rows) is tuple:  # which does not change, and is asked about twice: for the mean and for the spread
            values.flags.writeable = False
            self._last["values"] = rows, metric, values
        return values

    def _draw_values(self, metric: Valued, rows: Sequence[Sequence[Row]]) -> Any:
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

    def value(self, metric: Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
        del chosen
        return float(self.draw_values(metric, rows).mean())

    def spread(self, metric: Valued, rows: Sequence[Sequence[Row]]) -> dict[str, float]:
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

    def values(self, metric: Valued, sums: Any) -> Any:
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

    def values(self, metric: Valued, sums: Any) -> Any:
        return _expect(metric, sums, self.varying)

    def value(self, metric: Valued, rows: Sequence[Sequence[Row]], chosen: Sequence[int] | None) -> float:
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


def _expect(metric: Valued, moments: Any, varying: Sequence[int]) -> Any:
    """Compute the expected values of sums with these moments."""
    import numpy as np

    width = len(metric.columns)
    columns = np.array(varying or range(width))
    one, other = np.triu_indices(len(columns))
    covariances = np.zeros((len(moments), width, width))
    covariances[:, columns[one], columns[other]] = covariances[:, columns[other], columns[one]] = moments[:, width:]
    return metric.expected_values(moments[:, :width], covariances)
