"""The choice among references made again in every replicate of a bootstrap, as a corpus of these sentences would make it.

The official rule goes through the sentences in the order in which they were drawn; the optimal one looks at them all.  A choice
made for each sentence alone is the same in every corpus.  All arithmetic is in whole numbers, as in :mod:`errata.choice`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.errors import RequestError

if TYPE_CHECKING:
    from errata.scoring import Evidence

MOST_ROWS = 64
"""References of a sentence; more would take too much memory for all replicates at once."""


class Rechooser:
    """The rows of a system, made ready to be chosen again."""

    def __init__(self, evidence: Evidence) -> None:
        import numpy as np

        most = max(len(rows) for rows in evidence.rows)
        if most > MOST_ROWS:
            raise RequestError(f"the choice can be made again for up to {MOST_ROWS} references of a sentence, found {most}")
        # A sentence with fewer references has its first one several times, which changes no choice.
        padded = [[*rows, *[rows[0]] * (most - len(rows))] for rows in evidence.rows]
        self.counts = np.array(padded, dtype=np.int64)
        ratio = evidence.metric.ratio()
        self._above = self.counts @ np.array(ratio.numerator, dtype=np.int64)
        self._below = self.counts @ np.array(ratio.denominator, dtype=np.int64)
        self._rule = evidence.metric.choice

    def sums(self, picked: Any) -> Any:
        """The summed counts of replicates, given by the sentences that each has in its order."""
        import numpy as np

        steps = np.ascontiguousarray(picked.T, dtype=np.int32)  # a row for each place in the order, which replicates share
        chosen = {"official": self._official, "optimal": self._optimal, "sentence": self._alone}[self._rule](steps)
        places = steps * self.counts.shape[1] + chosen
        columns = np.moveaxis(self.counts, 2, 0).reshape(self.counts.shape[2], -1).astype(np.int32)
        return np.stack([column.take(places).sum(axis=0, dtype=np.int64) for column in columns], axis=1).astype(np.float64)

    def _alone(self, steps: Any) -> Any:
        import numpy as np

        best = np.zeros(len(self.counts), dtype=np.int32)
        above, below = self._above[:, 0].copy(), self._below[:, 0].copy()
        for row in range(1, self.counts.shape[1]):
            better = _better(self._above[:, row], self._below[:, row], above, below)
            best[better] = row
            above[better], below[better] = self._above[better, row], self._below[better, row]
        return best[steps]

    def _official(self, steps: Any) -> Any:
        """Sentence by sentence, the row that makes the ratio so far largest, for all replicates at once."""
        import numpy as np

        above, below = ([column.take(steps) for column in np.ascontiguousarray(part.T)] for part in (self._above, self._below))
        chosen = np.zeros(steps.shape, dtype=np.int32)
        total_above, total_below = np.zeros(steps.shape[1], dtype=np.int64), np.zeros(steps.shape[1], dtype=np.int64)
        for step in range(len(steps)):
            best_above, best_below = total_above + above[0][step], total_below + below[0][step]
            for row in range(1, len(above)):
                other_above, other_below = total_above + above[row][step], total_below + below[row][step]
                better = _better(other_above, other_below, best_above, best_below)
                if better.any():
                    chosen[step][better] = row
                    best_above, best_below = np.where(better, other_above, best_above), np.where(better, other_below, best_below)
            total_above, total_below = best_above, best_below
        return chosen

    def _optimal(self, steps: Any) -> Any:
        """Dinkelbach's method, one replicate after the other; sentences drawn twice choose the same row."""
        import numpy as np

        chosen = np.zeros_like(steps)
        nothing = (self._above == 0) & (self._below == 0)
        for number, sentences in enumerate(steps.T):
            above, below = 0, 1
            while True:
                rows = _largest(self._above * below - above * self._below, self._above, -self._below)
                new = [int(part[sentences, rows[sentences]].sum()) for part in (self._above, self._below)]
                if new[0] * below == above * new[1]:
                    break
                above, below = new
            if above < below and nothing[sentences].any(axis=1).all():
                rows = nothing.argmax(axis=1)
            chosen[:, number] = rows[sentences]
        return chosen


def _largest(*keys: Any) -> Any:
    """The first column of each row that is largest by the first key, of these by the second, and so on."""
    import numpy as np

    left = np.ones(keys[0].shape, dtype=bool)
    for key in keys:
        value = np.where(left, key, np.iinfo(np.int64).min)
        left &= value == value.max(axis=1, keepdims=True)
    return left.argmax(axis=1)


def _better(above: Any, below: Any, best_above: Any, best_below: Any) -> Any:
    """Whether ratios beat others, ties included: 0/0 is 1, then the larger numerator, then the smaller denominator."""
    import numpy as np

    if below.all() and best_below.all():
        left, right = above * best_below, best_above * below
    else:
        left = np.where(below == 0, 1, above) * np.where(best_below == 0, 1, best_below)
        right = np.where(best_below == 0, 1, best_above) * np.where(below == 0, 1, below)
    tie = (above > best_above) | ((above == best_above) & (below < best_below))
    return (left > right) | ((left == right) & tie)
