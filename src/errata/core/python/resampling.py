"""The choice among references in replicates of a corpus, for all replicates together."""

from __future__ import annotations

from typing import Any

_CELLS = 4_000_000
"""Rows of all sentences and replicates that are processed together."""
_LARGEST_SUM = 1 << 62
"""As in the core, whose sums are signed 64-bit numbers."""


def rechoose(rows: Any, starts: Any, picked: Any, optimal: bool) -> Any:  # noqa: FBT001 - as in the core
    """Count how often each row is chosen in each replicate; a replicate is an ordered list of sentences, -1 is none."""
    import numpy as np

    sizes = np.diff(starts)
    if rows.shape[1:] != (2,) or len(starts) == 0 or starts[0] != 0 or starts[-1] != len(rows) or (sizes < 1).any():
        raise ValueError("starts must give one or more rows for every sentence")
    if picked.size and not -1 <= picked.min() <= picked.max() < len(sizes):
        raise ValueError("a drawn sentence must be in the corpus")
    # Rows are padded with the first row of their sentence, which changes no choice; an empty sentence is added at the end.
    most = int(sizes.max(initial=1))
    offsets = np.arange(most)
    indices = starts[:-1, None] + np.where(offsets < sizes[:, None], offsets, 0)
    indices = np.vstack([indices, np.full((1, most), len(rows), dtype=indices.dtype)])
    largest = max(int(rows.max(initial=0)), -int(rows.min(initial=0))) * max(picked.shape[1], 2)  # two, for differences of rows
    if largest > _LARGEST_SUM:
        raise OverflowError("the numbers of the rows are too large to be added up")
    exact = rows if largest**2 < 1 << 62 else rows.astype(object)
    pairs = np.vstack([exact, np.zeros((1, 2), dtype=exact.dtype)])[indices]
    step = max(1, _CELLS // max(1, picked.shape[1] * most))
    times = np.zeros((len(picked), len(rows) + 1), dtype=np.int32)
    for first in range(0, len(picked), step):
        drawn = np.ascontiguousarray(
            np.where(picked < 0, len(sizes), picked)[first : first + step].T
        )  # a row for each position in the order
        chosen = indices[drawn, (_optimal if optimal else _official)(pairs[..., 0], pairs[..., 1], drawn)]
        np.add.at(times, (np.arange(first, first + drawn.shape[1])[None, :], chosen), 1)
    return times[:, :-1]


def _official(above: Any, below: Any, drawn: Any) -> Any:
    """Choose, sentence by sentence, the row that maximises the ratio so far."""
    import numpy as np

    chosen = np.zeros(drawn.shape, dtype=np.int64)
    total_above, total_below = np.zeros(drawn.shape[1], dtype=above.dtype), np.zeros(drawn.shape[1], dtype=above.dtype)
    for step, sentences in enumerate(drawn):
        best_above, best_below = total_above + above[sentences, 0], total_below + below[sentences, 0]
        for row in range(1, above.shape[1]):
            other_above, other_below = total_above + above[sentences, row], total_below + below[sentences, row]
            better = _better(other_above, other_below, best_above, best_below)
            chosen[step][better] = row
            best_above, best_below = np.where(better, other_above, best_above), np.where(better, other_below, best_below)
        total_above, total_below = best_above, best_below
    return chosen


def _better(above: Any, below: Any, best_above: Any, best_below: Any) -> Any:
    """Whether ratios are better than others: 0/0 is 1; ties go to the larger numerator, then to the smaller denominator."""
    import numpy as np

    left = np.where(below == 0, 1, above) * np.where(best_below == 0, 1, best_below)
    right = np.where(best_below == 0, 1, best_above) * np.where(below == 0, 1, below)
    tie = (above > best_above) | ((above == best_above) & (below < best_below))
    return (left > right) | ((left == right) & tie)


def _optimal(above: Any, below: Any, drawn: Any) -> Any:
    """Choose by Dinkelbach's method, replicate by replicate; a sentence that is drawn twice has the same row."""
    import numpy as np

    chosen = np.zeros(drawn.shape, dtype=np.int64)
    nothing = (above == 0) & (below == 0)
    for number, sentences in enumerate(drawn.T):
        ratio_above, ratio_below = 0, 1
        while True:
            rows = _largest(above * ratio_below - ratio_above * below, above, -below)
            new = [int(part[sentences, rows[sentences]].sum()) for part in (above, below)]
            if new[0] * ratio_below == ratio_above * new[1]:
                break
            ratio_above, ratio_below = new
        if ratio_above < ratio_below and nothing[sentences].any(axis=1).all():
            rows = nothing.argmax(axis=1)
        chosen[:, number] = rows[sentences]
    return chosen


def _largest(*keys: Any) -> Any:
    """Find the first column of each row that is largest by the first key, then by the second, and so on."""
    import numpy as np

    left = np.ones(keys[0].shape, dtype=bool)
    for key in keys:
        masked = np.where(left, key, key.min() - 1)
        left &= masked == masked.max(axis=1, keepdims=True)
    return left.argmax(axis=1)
