"""The scores of systems by people, from judgments or from elsewhere, and what they are in replicates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from errata.errors import RequestError, UsageError
from errata.judgments.bradley_terry import fit_strengths
from errata.judgments.pairs import list_pairs
from errata.judgments.true_skill import compute_true_skill
from errata.judgments.wins import Opponents, compute_expected_wins, count_wins
from errata.names import DEFAULT_RUNS, RANKING_METHODS, RankingMethod

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.judgments.items import RankingItem
    from errata.meta.score_tables import ExternalScores

    _Array = NDArray[np.float64]


@dataclass(frozen=True)
class HumanScores:
    """The scores of systems by people."""

    name: str
    values: Mapping[str, float]
    """The score of each system, over the judgments of all systems."""
    wins: Any = field(default=None, repr=False)
    """For each sentence (row) the wins of systems against each other; None if scores cannot be resampled."""
    opponents: Opponents = "decided"

    @classmethod
    def from_elsewhere(cls, scores: ExternalScores) -> HumanScores:
        """Take scores of a table; they are the same in all replicates."""
        return cls(scores.name, scores.systems)

    @property
    def varies(self) -> bool:
        """Whether scores can be resampled."""
        return self.wins is not None

    def list_values(self, systems: Sequence[str]) -> _Array:
        """List the scores of systems."""
        import numpy as np

        return np.array([self.values[name] for name in systems], dtype=np.float64)

    def resample(self, systems: Sequence[str], weights: _Array) -> _Array:
        """Compute the scores of systems (columns) if sentences have these weights, one row for each replicate."""
        import numpy as np

        if self.wins is None:
            return np.tile(self.list_values(systems), (len(weights), 1))
        return self._score(np.asarray((self.wins.T @ weights.T).T), systems)

    def leave_out_each(self, systems: Sequence[str]) -> _Array:
        """Compute the scores of systems (columns) without each sentence (rows); a single row if scores cannot be resampled."""
        import numpy as np

        if self.wins is None:
            return self.list_values(systems)[None, :]
        return self._score(np.asarray(self.wins.sum(axis=0))[None, :] - self.wins.toarray(), systems)

    def _score(self, sums: _Array, systems: Sequence[str]) -> _Array:
        import numpy as np

        names = list(self.values)
        matrices = sums.reshape(-1, len(names), len(names))
        if self.name == _NAMES["bradley-terry"]:
            scores = np.array([_fit(matrix, names) for matrix in matrices])
        else:
            scores = compute_expected_wins(matrices, self.opponents)
        return scores[:, [names.index(name) for name in systems]]


_NAMES: dict[RankingMethod, str] = {"expected-wins": "expected wins", "trueskill": "TrueSkill", "bradley-terry": "Bradley-Terry"}


def score_by_people(
    items: Sequence[RankingItem],
    places: Mapping[int, int],
    method: RankingMethod = "expected-wins",
    *,
    opponents: Opponents = "decided",
    runs: int = DEFAULT_RUNS,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> HumanScores:
    """Score all judged systems; ``places`` has the row of each sentence, as the judgments number them, in replicates."""
    import numpy as np

    if method not in RANKING_METHODS:
        raise UsageError(f"unknown ranking {method!r}; choose from {', '.join(RANKING_METHODS)}")
    systems = tuple(sorted({name for item in items for output in item.outputs for name in output.systems}))
    counts = count_wins(items, systems)
    matrix = np.array(counts.wins, dtype=np.int64)
    if method == "trueskill":
        scores = compute_true_skill(counts, runs, seed, progress).mean(axis=0)
    elif method == "bradley-terry":
        scores = fit_strengths(matrix, systems)
    else:
        scores = compute_expected_wins(matrix.astype(float), opponents)
    values = dict(zip(systems, scores.tolist(), strict=True))
    if unknown := [name for name, score in values.items() if score != score]:  # noqa: PLR0124 - NaN
        raise RequestError(f"{', '.join(unknown)}: all pairs with other systems are ties, so there is no score by people")
    wins = None if method == "trueskill" else _count_by_sentence(items, places, systems)
    return HumanScores(_NAMES[method], values, wins, opponents)


def _count_by_sentence(items: Sequence[RankingItem], places: Mapping[int, int], systems: Sequence[str]) -> Any:
    import numpy as np
    from scipy.sparse import coo_array

    numbers = {name: number for number, name in enumerate(systems)}
    rows, cells = [], []
    for item in items:
        for pair in list_pairs(item, "expanded"):
            if pair.outcome:
                winner, loser = (pair.first, pair.second) if pair.outcome > 0 else (pair.second, pair.first)
                rows.append(places[item.sentence])
                cells.append(numbers[winner] * len(systems) + numbers[loser])
    return coo_array((np.ones(len(rows)), (rows, cells)), shape=(len(places), len(systems) ** 2)).tocsr()


def _fit(wins: _Array, systems: Sequence[str]) -> _Array:
    """Fit strengths; not a number if they are not finite."""
    import numpy as np

    try:
        return fit_strengths(np.rint(wins).astype(np.int64), systems)
    except RequestError:
        return np.full(len(systems), np.nan)
