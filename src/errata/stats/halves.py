"""Binomial numbers with probability 0.5 for many small groups: those of NumPy, with the same seed, many times faster.

NumPy draws a binomial number of up to 60 trials from one uniform number, by inversion.  Here uniform numbers are drawn together,
and inverted together.  The numbers are compared with those of NumPy before they are used for the first time; if a version of NumPy
draws otherwise, NumPy itself is used.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

MOST_TRIALS = 60
"""NumPy uses inversion up to 30 expected successes."""
_HALF = 0.5


def draw_halves(draw: Any, trials: Any, size: int) -> Any:
    """Draw what ``draw.binomial(trials, 0.5, size=(size, len(trials)))`` draws."""
    if len(trials) and trials.min() > 0 and trials.max() <= MOST_TRIALS and _draws_as_numpy():
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

    trials = np.arange(1, MOST_TRIALS + 1)
    one, other = np.random.default_rng(0), np.random.default_rng(0)
    own = _invert(one.random((100, len(trials))), trials)
    return own is not None and bool((own == other.binomial(trials, _HALF, size=own.shape)).all()) and one.random() == other.random()
