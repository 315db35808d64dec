"""TrueSkill of systems as the campaigns of WMT compute it (Sakaguchi et al. 2014), and Grundkiewicz et al. (2015) after them.

A run plays N + 1 matches, where N is the number of expanded pairs.  The system of which least is known (the largest sigma; of equal
ones the last in the order of names) plays an opponent that is drawn with the weight exp(-|difference of mu|), and the result is drawn
from the judgments of the two.  Beta is sigma (N + 1) / 40, the probability of a draw .25.  Many runs are played side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.names import DEFAULT_RUNS

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from errata.judgments.wins import WinCounts

    _Array = NDArray[np.float64]

SIGMA = 0.5
"""What is not known about a system before the first match, as a standard deviation; mu is 0."""
DRAW_PROBABILITY = 0.25
_BETA_DIVISOR = 40
_STEPS_BETWEEN_REPORTS = 1_000


class Players(NamedTuple):
    """New values of mu and sigma of two players; arrays, one value for each run."""

    mu: _Array
    sigma: _Array
    other_mu: _Array
    other_sigma: _Array


def play(players: Players, outcome: NDArray[np.int64], beta: float, draw_probability: float = DRAW_PROBABILITY) -> Players:
    """Update two players after a match: 1 if the first won, -1 if the other did, 0 for a draw (Herbrich et al. 2006).

    >>> import numpy as np
    >>> one = np.array([25.0])
    >>> after = play(Players(one, one / 3, one, one / 3), np.array([1]), 25 / 6, 0.1)
    >>> [round(float(value[0]), 3) for value in after]
    [29.396, 7.171, 20.604, 7.171]
    """
    import numpy as np
    from scipy.special import log_ndtr, ndtr, ndtri

    variance, other_variance = players.sigma**2, players.other_sigma**2
    spread = np.sqrt(2 * beta**2 + variance + other_variance)
    margin = ndtri((draw_probability + 1) / 2) * np.sqrt(2) * beta / spread
    sign = np.where(outcome < 0, -1.0, 1.0)
    lead = sign * (players.mu - players.other_mu) / spread
    over = lead - margin
    shift = np.exp(-(over**2) / 2 - log_ndtr(over)) / np.sqrt(2 * np.pi)
    shrink = shift * (shift + over)
    drawn = outcome == 0
    if drawn.any():
        high, low = margin - lead, -margin - lead
        mass = np.maximum(ndtr(high) - ndtr(low), np.finfo(float).tiny)
        high_density, low_density = (np.exp(-(bound**2) / 2) / np.sqrt(2 * np.pi) for bound in (high, low))
        draw_shift = (low_density - high_density) / mass
        draw_shrink = draw_shift**2 + (high * high_density - low * low_density) / mass
        shift, shrink = np.where(drawn, draw_shift, shift), np.where(drawn, draw_shrink, shrink)
    moved = sign * shift / spread
    return Players(
        players.mu + variance * moved,
        players.sigma * np.sqrt(np.maximum(1 - variance / spread**2 * shrink, 0)),
        players.other_mu - other_variance * moved,
        players.other_sigma * np.sqrt(np.maximum(1 - other_variance / spread**2 * shrink, 0)),
    )


def compute_true_skill(
    counts: WinCounts, runs: int = DEFAULT_RUNS, seed: int = 0, progress: Callable[[int], None] | None = None
) -> NDArray[np.float64]:
    """Compute mu of every system (column) after every run (row); ``progress`` is told how many matches were played in a while."""
    import numpy as np

    won, tied = np.array(counts.wins), np.array(counts.ties)
    meetings = won + won.T + tied
    matches = int(meetings.sum()) // 2 + 1
    if not meetings.any():
        raise RequestError("there is no pair of systems, so nothing can be ranked")
    random = np.random.default_rng(seed)
    systems = len(counts.systems)
    # Systems stand in the reverse order of their names, so that the first of the largest sigmas is the last name.
    won, tied, meetings = won[::-1, ::-1], tied[::-1, ::-1], meetings[::-1, ::-1]
    possible = meetings > 0
    shares = np.divide(won, meetings, out=np.zeros(won.shape), where=possible)
    no_loss = np.divide(won + tied, meetings, out=np.zeros(won.shape), where=possible)
    idle = ~possible.any(axis=1)
    beta = SIGMA * matches / _BETA_DIVISOR
    mu, sigma = np.zeros((runs, systems)), np.full((runs, systems), SIGMA)
    sigma[:, idle] = 0
    every = np.arange(runs)
    for first in range(0, matches, _STEPS_BETWEEN_REPORTS):
        steps = min(_STEPS_BETWEEN_REPORTS, matches - first)
        for draw, luck in random.random((steps, 2, runs)):
            one = sigma.argmax(axis=1)
            weights = np.exp(-np.abs(mu - mu[every, one, None])) * possible[one]
            bounds = weights.cumsum(axis=1)
            other = (bounds <= (draw * bounds[:, -1])[:, None]).sum(axis=1)
            outcome = np.where(luck < shares[one, other], 1, np.where(luck < no_loss[one, other], 0, -1))
            players = Players(mu[every, one], sigma[every, one], mu[every, other], sigma[every, other])
            mu[every, one], sigma[every, one], mu[every, other], sigma[every, other] = play(players, outcome, beta)
        if progress is not None:
            progress(steps)
    mu[:, idle] = np.nan
    return mu[:, ::-1]
