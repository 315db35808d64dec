"""Systems ranked by judgments: scores, intervals, ranges of ranks, and clusters.

Scores of expected wins and Bradley-Terry are computed from all pairs, and their intervals by the percentile bootstrap over sentences,
items or judges.  TrueSkill is the mean of its runs, and its intervals, as published, are those of the runs: they say how much a single
run may differ, not what other judgments would give.  The range of ranks is that of the same replicates.  A cluster ends where no
system above has a range of ranks that reaches one below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, UsageError
from errata.judgments.bradley_terry import fit_strengths
from errata.judgments.pairs import list_pairs
from errata.judgments.true_skill import compute_true_skill
from errata.judgments.wins import compute_expected_wins, count_wins
from errata.listings import Listing
from errata.names import (
    DEFAULT_RANKING_REPLICATES,
    DEFAULT_RUNS,
    JUDGED_UNITS,
    RANKING_METHODS,
    JudgedUnit,
    RankingMethod,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.judgments.items import HumanJudgments

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
    from scipy.sparse import coo_array

    systems = {name: number for number, name in enumerate(judgments.systems)}
    units: dict[object, int] = {}
    rows, cells = [], []
    for number, item in enumerate(judgments.items):
        key: object = {"sentence": item.sentence, "item": number, "judge": item.judge}[settings.resample]
        unit = units.setdefault(key, len(units))
        for pair in list_pairs(item, "expanded"):
            if pair.outcome:
                winner, loser = (pair.first, pair.second) if pair.outcome > 0 else (pair.second, pair.first)
                rows.append(unit)
                cells.append(systems[winner] * len(systems) + systems[loser])
    if len(units) < 2 and settings.replicates:  # noqa: PLR2004 - one unit has no spread
        raise RequestError(f"resampling needs two or more of what is resampled ({settings.resample}), found {len(units)}")
    won = coo_array((np.ones(len(rows)), (rows, cells)), shape=(len(units), len(systems) ** 2)).tocsr()
    random = np.random.default_rng(settings.seed)
    chances = np.full(len(units), 1 / max(1, len(units)))
    at_once = max(1, _CHUNK // max(1, len(units)))
    parts = []
    for first in range(0, settings.replicates, at_once):
        weights = random.multinomial(len(units), chances, min(at_once, settings.replicates - first))
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
