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

        chosen = {"official": self._official, "optimal": self._optimal, "sentence": self._alone}[self._rule](picked)
        return np.stack([column[picked, chosen].sum(axis=1) for column in np.moveaxis(self.counts, 2, 0)], axis=1).astype(np.float64)

    def _alone(self, picked: Any) -> Any:
        import numpy as np

        best = np.zeros(len(self.counts), dtype=np.int64)
        above, below = self._above[:, 0].copy(), self._below[:, 0].copy()
        for row in range(1, self.counts.shape[1]):
            better = _better(self._above[:, row], self._below[:, row], above, below)
            best[better] = row
            above[better], below[better] = self._above[better, row], self._below[better, row]
        return best[picked]

    def _official(self, picked: Any) -> Any:
        """Sentence by sentence, the row that makes the ratio so far largest, for all replicates at once."""
        import numpy as np

        chosen = np.zeros_like(picked)
        total_above, total_below = np.zeros(len(picked), dtype=np.int64), np.zeros(len(picked), dtype=np.int64)
        for step in range(picked.shape[1]):
            sentences = picked[:, step]
            above, below = total_above + self._above[sentences, 0], total_below + self._below[sentences, 0]
            for row in range(1, self.counts.shape[1]):
                other_above, other_below = total_above + self._above[sentences, row], total_below + self._below[sentences, row]
                better = _better(other_above, other_below, above, below)
                chosen[better, step] = row
                above, below = np.where(better, other_above, above), np.where(better, other_below, below)
            total_above, total_below = above, below
        return chosen

    def _optimal(self, picked: Any) -> Any:
        """Dinkelbach's method, one replicate after the other, over the sentences it has."""
        import numpy as np

        from errata.choice import choose_pairs

        chosen = np.zeros_like(picked)
        pairs = [
            [(int(above), int(below)) for above, below in zip(self._above[k], self._below[k], strict=True)] for k in range(len(self.counts))
        ]
        for number, sentences in enumerate(picked):
            chosen[number] = choose_pairs([pairs[k] for k in sentences], "optimal")
        return chosen


def _better(above: Any, below: Any, best_above: Any, best_below: Any) -> Any:
    """Whether ratios beat others, ties included: 0/0 is 1, then the larger numerator, then the smaller denominator."""
    import numpy as np

    left = np.where(below == 0, 1, above) * np.where(best_below == 0, 1, best_below)
    right = np.where(best_below == 0, 1, best_above) * np.where(below == 0, 1, below)
    tie = (above > best_above) | ((above == best_above) & (below < best_below))
    return (left > right) | ((left == right) & tie)
