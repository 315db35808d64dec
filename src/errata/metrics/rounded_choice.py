"""The choice among annotators in ERRANT, whose F is rounded to four digits before it is compared.

Sentence by sentence in file order, the row with the largest F of the counts so far and this sentence is chosen.  Ties, which
rounding makes frequent, go to the row with more true positives, then with fewer false positives, then with fewer false negatives,
then to the first.  F is computed with the same operations on floating-point numbers as in ERRANT, because some values lie exactly
between two roundings, where the error of the last digit decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from errata.metrics.strategy import Chosen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.ratios import Row

_DIGITS = 4
_STEPS = 10**_DIGITS
_CLEAR_BETA = 0.01
"""With a smaller beta, the error of floating-point numbers may be larger than what another false negative changes."""
_CELLS = 4_000_000
"""Sentences of replicates that are processed together."""
_NEARLY_HALF = 1e-6
"""How near to the middle of two roundings the error of a multiplication could matter."""


def compute_f(counts: Sequence[int], beta: float) -> float:
    """Compute F of true positives, false positives and false negatives, as ERRANT does before it rounds.

    >>> round(compute_f((482, 797, 1908), 0.5), 4), compute_f((0, 0, 0), 0.5), compute_f((0, 1, 1), 0.5)
    (0.3211, 1.0, 0.0)
    """
    correct, wrong, missed = counts
    precision = correct / (correct + wrong) if wrong else 1.0
    recall = correct / (correct + missed) if missed else 1.0
    below = beta**2 * precision + recall
    if below:
        return (1 + beta**2) * precision * recall / below
    return 1.0 if beta == 0 and not wrong else 0.0


def compute_many_f(counts: Any, beta: float) -> Any:
    """Compute F of many sums of counts, the last axis of an array; equal to :func:`compute_f` in every bit."""
    import numpy as np

    correct, wrong, missed = (counts[..., index] for index in range(3))
    precision = np.divide(correct, correct + wrong, out=np.ones(correct.shape), where=wrong != 0)
    recall = np.divide(correct, correct + missed, out=np.ones(correct.shape), where=missed != 0)
    below = beta**2 * precision + recall
    of_nothing = np.where((beta == 0) & (wrong == 0), 1.0, 0.0)
    return np.divide((1 + beta**2) * precision * recall, below, out=of_nothing, where=below != 0)


def _round_many(values: Any) -> Any:
    """Round values to ten-thousandths, and count these; exactly as Python rounds."""
    import numpy as np

    scaled = values * _STEPS
    rounded = np.rint(scaled)
    unclear = np.abs(np.abs(scaled - rounded) - 0.5) < _NEARLY_HALF
    if unclear.any():
        rounded[unclear] = [round(round(value, _DIGITS) * _STEPS) for value in values[unclear].tolist()]
    return rounded


@dataclass(frozen=True)
class ChooseRounded(Chosen):
    """One annotator is chosen for each sentence, as in ERRANT; rows are true positives, false positives and false negatives."""

    beta: float

    @property
    def in_order(self) -> bool:
        """Whether it depends only on sentences before: it does."""
        return True

    def choose(self, rows: Sequence[Sequence[Row]]) -> tuple[int, ...]:
        """Choose the row of each sentence."""
        correct = wrong = missed = 0
        chosen = []
        for own in rows:
            best = self._find_clearly_best(own) if len(own) > 1 else 0
            if best is None:
                keys = [self._key(row, (correct + row[0], wrong + row[1], missed + row[2])) for row in own]
                best = keys.index(max(keys))
            row = own[best]
            correct, wrong, missed = correct + row[0], wrong + row[1], missed + row[2]
            chosen.append(best)
        return tuple(chosen)

    def _find_clearly_best(self, rows: Sequence[Row]) -> int | None:
        """Find a row that is best whatever the sums are: no other has more true positives, or fewer of the false ones."""
        if self.beta < _CLEAR_BETA:
            return None
        best = 0
        for index in range(1, len(rows)):
            (correct, wrong, missed), other = rows[best], rows[index]
            if other[0] <= correct and other[1] >= wrong and other[2] >= missed:
                continue
            if other[0] < correct or other[1] > wrong or other[2] > missed:
                return None
            best = index
        return best

    def _key(self, row: Row, total: Row) -> tuple[float, int, int, int]:
        return round(compute_f(total, self.beta), _DIGITS), row[0], -row[1], -row[2]

    def rechoose(self, counts: Any, starts: Any, picked: Any) -> Any:
        """Sum the rows chosen in each replicate, an ordered list of sentences in which -1 is none.

        ``counts`` has the rows of all sentences, those of a sentence from its start to the next.
        """
        import numpy as np

        sizes = np.diff(starts)
        most = int(sizes.max(initial=1))
        # Rows are padded with the first row of their sentence, which changes no choice; a sentence without counts is added at the end.
        places = starts[:-1, None] + np.where(np.arange(most) < sizes[:, None], np.arange(most), 0)
        rows = np.concatenate([counts[places], np.zeros((1, most, 3))])
        drawn = np.where(picked < 0, len(sizes), picked)
        step = max(1, _CELLS // max(1, drawn.shape[1]))
        parts = [self._rechoose(rows, drawn[first : first + step]) for first in range(0, len(drawn), step)]
        return np.concatenate(parts) if parts else np.zeros((0, 3))

    def _rechoose(self, rows: Any, drawn: Any) -> Any:
        """Sum the chosen rows of some replicates; in order, but only sentences without a clearly best row are looked at."""
        import numpy as np

        listed = rows.tolist()
        best = np.array([-1 if (index := self._find_clearly_best(own)) is None else index for own in listed])
        clear = np.where(best[:, None] < 0, 0, rows[np.arange(len(rows)), best])
        sums = np.cumsum(clear[drawn], axis=1)
        is_open = best[drawn] < 0
        left = is_open.sum(axis=1)
        places = np.argsort(~is_open, axis=1, kind="stable")  # those of open sentences come first, in order
        # All ties of the rows of a sentence are decided by their ranks, so that one number is compared in each replicate.
        ranks = np.array([_rank_rows(own) for own in listed])
        total = np.zeros((len(drawn), 3))
        for turn in range(int(left.max(initial=0))):
            active = np.flatnonzero(left > turn)
            place = places[active, turn]
            sentences = drawn[active, place]
            candidates = (total[active] + sums[active, place])[:, None, :] + rows[sentences]
            keys = _round_many(compute_many_f(candidates, self.beta)) * rows.shape[1] + ranks[sentences]
            total[active] += rows[sentences, keys.argmax(axis=1)]
        return total + (sums[:, -1] if sums.shape[1] else 0)


def _rank_rows(rows: Sequence[Sequence[float]]) -> list[int]:
    """Rank rows by the rules for ties, the best with the largest rank; equal rows have the rank of the first."""
    order = sorted(range(len(rows)), key=lambda index: (rows[index][0], -rows[index][1], -rows[index][2], -index))
    ranks = [0] * len(rows)
    for rank, index in enumerate(order):
        ranks[index] = rank
    return ranks
