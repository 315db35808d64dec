"""Systems ranked by judgments: scores, intervals, ranges of ranks, and clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.display import Listing
from errata.errors import RequestError, UsageError
from errata.settings import DEFAULT_RANKING_REPLICATES, DEFAULT_RUNS, JUDGED_UNITS, RANKING_METHODS, JudgedUnit, RankingMethod
from errata.studies.judgments.items import compute_expected_wins, count_unit_wins, count_wins

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.studies.judgments.items import HumanJudgments, WinCounts


# Strengths of systems by the model of Bradley and Terry (1952): the log odds of a win are the difference of two strengths.  The maximum of
# the likelihood is found by Newton's method; ties are ignored, as in expected wins.  Strengths have the mean 0.

_MOST_STEPS = 100
_TOLERANCE = 1e-12
_LONGEST_STEP = 2.0


def fit_strengths(wins: NDArray[np.int64], systems: Sequence[str]) -> NDArray[np.float64]:
    """Fit the strengths of systems to their wins against each other.

    They exist if every system can be reached from every other through wins; else :class:`RequestError` names a system without them.

    >>> import numpy as np
    >>> fit_strengths(np.array([[0, 3], [1, 0]]), ["a", "b"]).round(4).tolist()
    [0.5493, -0.5493]
    """
    import numpy as np

    _check_connected(wins, systems)
    meetings = wins + wins.T
    strengths = np.zeros(len(wins))
    for _ in range(_MOST_STEPS):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        gradient = (wins - meetings * chances).sum(axis=1)
        curvature = meetings * chances * (1 - chances)
        hessian = np.diag(curvature.sum(axis=1)) - curvature
        step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]  # strengths are determined but for a constant
        largest = float(np.abs(step).max())
        strengths += step * min(1, _LONGEST_STEP / largest) if largest > 0 else 0
        if largest < _TOLERANCE:
            break
    centred: NDArray[np.float64] = strengths - strengths.mean()
    return centred


def _check_connected(wins: NDArray[np.int64], systems: Sequence[str]) -> None:
    from scipy.sparse.csgraph import connected_components

    parts, labels = connected_components(wins > 0, directed=True, connection="strong")
    if parts > 1:
        import numpy as np

        apart = systems[int(np.flatnonzero(labels != np.bincount(labels).argmax())[0])]
        raise RequestError(
            f"the model of Bradley and Terry has no finite strengths: {apart!r} only wins, or only loses, against some systems; "
            "expected wins exist"
        )


# --- TrueSkill of systems as the campaigns of WMT compute it (Sakaguchi et al. 2014), and Grundkiewicz et al. (2015) after them.
#
# A run plays N + 1 matches, where N is the number of expanded pairs.  The system of which least is known (the largest sigma; of equal ones
# the last in the order of names) plays an opponent that is drawn with the weight exp(-|difference of mu|), and the result is drawn from the
# judgments of the two.  Beta is sigma (N + 1) / 40, the probability of a draw .25.  Many runs are played side by side.

if TYPE_CHECKING:
    _Array = NDArray[np.float64]

_SIGMA = 0.5
"""What is not known about a system before the first match, as a standard deviation; mu is 0."""
_DRAW_PROBABILITY = 0.25
_BETA_DIVISOR = 40
_STEPS_BETWEEN_REPORTS = 1_000


class _Players(NamedTuple):
    """New values of mu and sigma of two players; arrays, one value for each run."""

    mu: _Array
    sigma: _Array
    other_mu: _Array
    other_sigma: _Array


def _play(players: _Players, outcome: NDArray[np.int64], beta: float, draw_probability: float = _DRAW_PROBABILITY) -> _Players:
    """Update two players after a match: 1 if the first won, -1 if the other did, 0 for a draw (Herbrich et al. 2006).

    >>> import numpy as np
    >>> one = np.array([25.0])
    >>> after = _play(_Players(one, one / 3, one, one / 3), np.array([1]), 25 / 6, 0.1)
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
    return _Players(
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
    beta = _SIGMA * matches / _BETA_DIVISOR
    mu, sigma = np.zeros((runs, systems)), np.full((runs, systems), _SIGMA)
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
            players = _Players(mu[every, one], sigma[every, one], mu[every, other], sigma[every, other])
            mu[every, one], sigma[every, one], mu[every, other], sigma[every, other] = _play(players, outcome, beta)
        if progress is not None:
            progress(steps)
    mu[:, idle] = np.nan
    return mu[:, ::-1]


# Systems ranked by judgments: scores, intervals, ranges of ranks, and clusters.  Scores of expected wins and Bradley-Terry are computed
# from all pairs, and their intervals by the percentile bootstrap over sentences, items or judges.  TrueSkill is the mean of its runs, and
# its intervals, as published, are those of the runs: they say how much a single run may differ, not what other judgments would give.  The
# range of ranks is that of the same replicates.  A cluster ends where no system above has a range of ranks that reaches one below.

_CHUNK = 1 << 22
"""Weights of units in replicates that are drawn at once."""


class RankedSystem(NamedTuple):
    """A system with its score by judgments; None if the score has no interval."""

    system: str
    score: float
    low: float | None
    high: float | None
    rank: int
    best_rank: int
    worst_rank: int
    cluster: int


class Ranking(Listing[RankedSystem]):
    """Systems, the best first, with how they were ranked."""

    def __init__(self, systems: Sequence[RankedSystem], method: RankingMethod, how: str, undefined: int = 0) -> None:
        super().__init__(systems)
        self.method = method
        self.how = how
        """What was resampled, for people."""
        self.undefined = undefined
        """Replicates that were left out, because Bradley-Terry has no finite strengths in them."""

    def rows(self) -> list[dict[str, Any]]:
        """List the systems."""
        return [system._asdict() for system in self]


class RankingReplicates(NamedTuple):
    """How systems are ranked, and how replicates are made."""

    replicates: int = DEFAULT_RANKING_REPLICATES
    resample: JudgedUnit = "sentence"
    level: float = 0.95
    seed: int = 0
    runs: int = DEFAULT_RUNS
    """Runs of TrueSkill."""


def rank_by_judgments(
    judgments: HumanJudgments,
    method: RankingMethod = "expected-wins",
    settings: RankingReplicates | None = None,
    progress: Callable[[int], None] | None = None,
) -> Ranking:
    """Rank systems by judgments; ``progress`` is told of matches of TrueSkill that were played."""
    import numpy as np

    if method not in RANKING_METHODS:
        raise UsageError(f"unknown ranking {method!r}; choose from {', '.join(RANKING_METHODS)}")
    settings = settings or RankingReplicates()
    if settings.resample not in JUDGED_UNITS:
        raise UsageError(f"unknown unit {settings.resample!r}; choose from {', '.join(JUDGED_UNITS)}")
    counts = count_wins(judgments.items, judgments.systems)
    wins = np.array(counts.wins, dtype=np.int64)
    undefined = 0
    if method == "trueskill":
        replicates = compute_true_skill(counts, settings.runs, settings.seed, progress)
        scores = replicates.mean(axis=0)
        how = f"intervals and ranks of {settings.runs:,} runs, seed {settings.seed}"
    else:
        matrices = _resample_wins(judgments, settings)
        how = f"{settings.replicates:,} replicates, resampled by {settings.resample}, seed {settings.seed}"
        if method == "expected-wins":
            scores, replicates = compute_expected_wins(wins.astype(float)), compute_expected_wins(matrices)
        else:
            scores = fit_strengths(wins, counts.systems)
            fitted = [_try_to_fit(matrix.astype(np.int64), counts.systems) for matrix in matrices]
            kept = [strengths for strengths in fitted if strengths is not None]
            undefined = len(fitted) - len(kept)
            replicates = np.array(kept) if kept else np.empty((0, len(scores)))
    if unknown := [name for name, score in zip(counts.systems, scores.tolist(), strict=True) if score != score]:  # noqa: PLR0124 - NaN
        raise RequestError(f"{', '.join(unknown)}: all pairs with other systems are ties, so there is no score")
    return Ranking(_order(counts.systems, scores, replicates, settings.level), method, how, undefined)


def _try_to_fit(wins: NDArray[np.int64], systems: Sequence[str]) -> NDArray[np.float64] | None:
    try:
        return fit_strengths(wins, systems)
    except RequestError:
        return None


def _resample_wins(judgments: HumanJudgments, settings: RankingReplicates) -> NDArray[np.float64]:
    """Make a matrix of wins for each replicate, in which units are drawn with replacement."""
    import numpy as np

    systems, keys = judgments.systems, dict[object, int]()
    units = []
    for number, item in enumerate(judgments.items):
        key: object = {"sentence": item.sentence, "item": number, "judge": item.judge}[settings.resample]
        units.append(keys.setdefault(key, len(keys)))
    size = len(keys)
    if size < 2 and settings.replicates:  # noqa: PLR2004 - one unit has no spread
        raise RequestError(f"resampling needs two or more of what is resampled ({settings.resample}), found {size}")
    won = count_unit_wins(judgments.items, units, size, systems)
    random = np.random.default_rng(settings.seed)
    chances = np.full(size, 1 / max(1, size))
    at_once = max(1, _CHUNK // max(1, size))
    parts = []
    for first in range(0, settings.replicates, at_once):
        weights = random.multinomial(size, chances, min(at_once, settings.replicates - first))
        parts.append(np.asarray((won.T @ weights.T).T, dtype=float))
    drawn = np.concatenate(parts) if parts else np.empty((0, len(systems) ** 2))
    return drawn.reshape(-1, len(systems), len(systems))


def _order(systems: Sequence[str], scores: NDArray[np.float64], replicates: NDArray[np.float64], level: float) -> list[RankedSystem]:
    import numpy as np
    from scipy.stats import rankdata

    ranks = rankdata(-scores, method="min").astype(int)
    best, worst = ranks, ranks
    low = high = [None] * len(systems)
    known = replicates[~np.isnan(replicates).any(axis=1)]
    if len(known):
        tail = (1 - level) / 2
        low, high = (np.quantile(known, share, axis=0).tolist() for share in (tail, 1 - tail))
        of_replicates = np.sort(rankdata(-known, method="min", axis=1).astype(int), axis=0)
        outside = int(round(tail * len(known), 9))
        best, worst = of_replicates[outside], of_replicates[len(known) - 1 - outside]
    order = sorted(range(len(systems)), key=lambda index: (ranks[index], systems[index]))
    ranked, cluster = [], 1
    for position, index in enumerate(order):
        if position and max(worst[above] for above in order[:position]) < min(best[below] for below in order[position:]):
            cluster += 1
        numbers = (int(ranks[index]), int(best[index]), int(worst[index]), cluster)
        ranked.append(RankedSystem(systems[index], float(scores[index]), low[index], high[index], *numbers))
    return ranked
