"""Wins of systems against each other: a matrix, and expected wins.

Expected wins of a system are the mean, over its opponents, of its share of the pairs that were not tied (Bojar et al. 2013).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from typing import TYPE_CHECKING, Literal

from errata.judgments.pairs import list_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.judgments.items import RankingItem

Opponents = Literal["decided", "won"]
"""Over which opponents the mean of expected wins is: all with a pair that was not tied, or only those that the system beat once.

The second is how Grundkiewicz et al. (2015) score systems by single judges.
"""


@dataclass(frozen=True)
class WinCounts:
    """How often each system (row) was ranked above each other (column), and how often both were tied, over expanded pairs."""

    systems: tuple[str, ...]
    wins: tuple[tuple[int, ...], ...]
    ties: tuple[tuple[int, ...], ...]

    def share(self, one: int, other: int) -> float | None:
        """Compute the share of wins of a system among the pairs with another that were not tied; None without such pairs."""
        decided = self.wins[one][other] + self.wins[other][one]
        return self.wins[one][other] / decided if decided else None

    def list_cycles(self) -> list[tuple[str, str, str]]:
        """List triples of systems that beat each other in a circle: the first the second, the second the third, the third the first."""

        def beats(one: int, other: int) -> bool:
            return self.wins[one][other] > self.wins[other][one]

        found = []
        for triple in combinations(range(len(self.systems)), 3):
            for one, other, third in islice(permutations(triple), 2):  # the two directions of a circle, from the first name
                if beats(one, other) and beats(other, third) and beats(third, one):
                    found.append((self.systems[one], self.systems[other], self.systems[third]))
        return found


def count_wins(items: Iterable[RankingItem], systems: Sequence[str]) -> WinCounts:
    """Count wins and ties of systems."""
    wins, ties = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for item in items:
        for pair in list_pairs(item, "expanded"):
            if pair.outcome == 0:
                ties[pair.first, pair.second] += 1
                ties[pair.second, pair.first] += 1
            elif pair.outcome > 0:
                wins[pair.first, pair.second] += 1
            else:
                wins[pair.second, pair.first] += 1
    won, tied = (tuple(tuple(counts[one, other] for other in systems) for one in systems) for counts in (wins, ties))
    return WinCounts(tuple(systems), won, tied)


def compute_expected_wins(wins: NDArray[np.float64], opponents: Opponents = "decided") -> NDArray[np.float64]:
    """Compute the expected wins of systems from one or many matrices of wins (the last two axes); NaN without any such opponent.

    >>> import numpy as np
    >>> compute_expected_wins(np.array([[0, 3, 1], [1, 0, 0], [1, 0, 0]])).tolist()
    [0.625, 0.25, 0.5]
    """
    import numpy as np

    decided = wins + np.swapaxes(wins, -1, -2)
    shares = np.divide(wins, decided, out=np.zeros(wins.shape), where=decided > 0)
    counted = ((decided if opponents == "decided" else wins) > 0).sum(axis=-1)
    means: NDArray[np.float64] = np.full(counted.shape, np.nan)
    np.divide(shares.sum(axis=-1), counted, out=means, where=counted > 0)
    return means
