"""Random references as the official script of GLEU draws them, with Python 2 or Python 3.

Both versions of Python seed the Mersenne Twister alike and give the same ``random()``; only ``randint`` differs.  For one of n,
Python 2 takes ``int(random() * n)``; Python 3 takes as many bits as n has, again and again until they are below n.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Generator = Literal["py2", "py3"]
_WORD = 32
"""Bits of the numbers that the Mersenne Twister makes."""


def draw_one_of_each(sizes: Sequence[int], seeds: Iterable[int], generator: Generator) -> Iterator[Any]:
    """Draw for each seed an array: for each size a number from 0 to below it.

    >>> [numbers.tolist() for numbers in draw_one_of_each([2] * 8, [0, 101], "py2")]
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
