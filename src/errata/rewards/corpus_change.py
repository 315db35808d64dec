"""The change in the value of a corpus that one output makes.

The corpus has every source of a call once.  With T the sum of the counts of all sources, m those of one source and x those of one of its
outputs, the change is value(T - m + x) - value(T).  Counts m are the mean of the outputs of the source, so that changes tell how much
better or worse an output is than the others of its source, in points of the corpus; or they are those of a given output.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errata.metrics.base import Metric

_NOTHING = 1e-9
"""What is smaller is 0, and remains only because means are rounded."""


def compute_means(counts: Any, groups: Any) -> Any:
    """Compute the mean row of each group; ``groups`` has the group of each row, from 0."""
    import numpy as np

    sums = np.zeros((int(groups.max(initial=-1)) + 1, counts.shape[1]))
    np.add.at(sums, groups, counts)
    return sums / np.bincount(groups)[:, None]


def compute_changes(metric: Metric, counts: Any, groups: Any, before: Any) -> Any:
    """Compute the change that each row makes, in the place of the row of its group in ``before``.

    >>> import numpy as np
    >>> from errata import MaxMatch
    >>> counts, groups = np.array([(1, 1, 1), (0, 1, 1), (1, 2, 3)]), np.array([0, 0, 1])
    >>> compute_changes(MaxMatch(), counts, groups, compute_means(counts, groups)).round(3).tolist()
    [0.156, -0.156, 0.0]
    """
    import numpy as np

    total = before.sum(axis=0)
    sums = np.vstack([total, total - before[groups] + counts])
    sums[np.abs(sums) < _NOTHING] = 0
    values = metric.values(sums)
    return values[1:] - values[0]
