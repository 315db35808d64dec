"""Distinct rows of whole or other numbers, and how often each occurs: long corpora have few of them."""

from __future__ import annotations

from typing import Any

_MOST_KEYS = 1 << 62


def find_distinct(rows: Any) -> tuple[Any, Any]:
    """Find the distinct rows of a matrix, in ascending order, and for each row the index of its equal.

    Numbers that are not a number are equal, and larger than all others.

    >>> import numpy as np
    >>> distinct, places = find_distinct(np.array([[2, 1], [0, 5], [2, 1]]))
    >>> distinct.tolist(), places.tolist()
    ([[0, 5], [2, 1]], [1, 0, 1])
    """
    import numpy as np

    keys = _make_keys(rows)
    if keys is not None:
        _, first, places = np.unique(keys, return_index=True, return_inverse=True)
        return rows[first], places
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    equal = (ordered[1:] == ordered[:-1]) | (np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
    begins = np.concatenate([np.ones(min(1, len(rows)), dtype=bool), ~equal.all(axis=1)])
    places = np.empty(len(rows), dtype=np.int64)
    places[order] = np.cumsum(begins) - 1
    return ordered[begins], places


def sum_times(rows: Any, times: Any) -> tuple[Any, Any]:
    """Find the distinct rows of a matrix, in ascending order, and the sum of the times of equal ones.

    >>> import numpy as np
    >>> distinct, times = sum_times(np.array([[2, 1], [0, 5], [2, 1]]), np.array([1, 1, 3]))
    >>> distinct.tolist(), times.tolist()
    ([[0, 5], [2, 1]], [1, 4])
    """
    import numpy as np

    distinct, places = find_distinct(rows)
    total = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(total, places, times)
    return distinct, total


def _make_keys(rows: Any) -> Any:
    """Make one number of each row, in the same order; None if rows are no small whole numbers.  One number is faster to sort."""
    import numpy as np

    if not len(rows) or not np.issubdtype(rows.dtype, np.integer) or rows.min(initial=0) < 0:
        return None
    keys = np.zeros(len(rows), dtype=np.int64)
    size = 1
    for column in rows.T[::-1]:
        most = int(column.max()) + 1
        if size * most > _MOST_KEYS:
            return None
        keys += column.astype(np.int64) * size
        size *= most
    return keys
