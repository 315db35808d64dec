"""Identical units are grouped; a replicate is one multinomial draw.

Millions of cases have few different counts, so this takes little time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError
from errata.metrics.evidence import sum_times
from errata.stats.bootstrap import split_into_chunks
from errata.stats.halves import draw_halves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.stats.bootstrap import Bootstrap, Progress


_LARGEST_WHOLE = 1 << 31
"""Larger counts are summed as floating-point numbers, which do not overflow."""


class RowGroups(NamedTuple):
    """Rows of counts, and how many units have each."""

    rows: Any
    times: Any

    @property
    def units(self) -> int:
        """The number of units."""
        return int(self.times.sum())

    @property
    def total(self) -> Any:
        """The counts of all units."""
        return self.times @ self.rows

    def columns(self, first: int, last: int) -> RowGroups:
        """Select some of the counts."""
        return RowGroups(self.rows[:, first:last], self.times)


def group_rows(rows: Any, times: Any = None) -> RowGroups:
    """Group units by their rows; ``times`` says how many units have each row (default 1)."""
    import numpy as np

    return RowGroups(*sum_times(rows, np.ones(len(rows), dtype=np.int64) if times is None else times.astype(np.int64)))


def as_whole_numbers(rows: Any) -> Any:
    """Return the rows as whole numbers if they are; their products with whole numbers are exact, and need no threads.

    Threads of linear algebra make products of narrow matrices many times slower if processors are busy.
    """
    import numpy as np

    whole = rows.astype(np.int64) if np.abs(rows).max(initial=0) < _LARGEST_WHOLE else rows
    return whole if (whole == rows).all() else rows


def resample_groups(groups: RowGroups, settings: Bootstrap, progress: Progress | None = None) -> Iterator[Any]:
    """Yield the sums of counts of replicates, some at a time, because there may be a million of them."""
    import numpy as np

    if groups.units < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"an interval needs two units or more, found {groups.units}")
    draw = np.random.default_rng(settings.seed)
    shares, rows = groups.times / groups.units, as_whole_numbers(groups.rows)
    for size in split_into_chunks(settings.replicates, len(shares)):
        yield (draw.multinomial(groups.units, shares, size=size) @ rows).astype(np.float64)
        if progress is not None:
            progress(size)


def swap_groups(groups: RowGroups, settings: Bootstrap) -> Iterator[Any]:
    """Yield how many units of each group are swapped, for some replicates at a time; each unit is swapped with probability 0.5."""
    import numpy as np

    draw = np.random.default_rng(settings.seed)
    for size in split_into_chunks(settings.replicates, len(groups.times)):
        yield draw_halves(draw, groups.times, size)
