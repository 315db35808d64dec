"""Identical units are grouped; a replicate is one multinomial draw.

Millions of cases have few different counts, so that takes no more time than there are groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError
from errata.stats.bootstrap import split_into_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.stats.bootstrap import Bootstrap, Progress


class RowGroups(NamedTuple):
    """Rows of counts, and how many units have each."""

    rows: Any
    times: Any

    @property
    def units(self) -> int:
        """How many there are."""
        return int(self.times.sum())

    @property
    def total(self) -> Any:
        """The counts of all units."""
        return self.times @ self.rows

    def columns(self, first: int, last: int) -> RowGroups:
        """Some of the counts."""
        return RowGroups(self.rows[:, first:last], self.times)


def group_rows(rows: Any) -> RowGroups:
    """Group units by their rows."""
    import numpy as np

    groups, times = np.unique(rows, axis=0, return_counts=True)
    return RowGroups(groups, times)


def resample_groups(groups: RowGroups, settings: Bootstrap, progress: Progress | None = None) -> Any:
    """The sums of counts of every replicate in which as many units are drawn as there are."""
    import numpy as np

    if groups.units < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"an interval needs two units or more, found {groups.units}")
    draw = np.random.default_rng(settings.seed)
    shares = groups.times / groups.units
    parts = []
    for size in split_into_chunks(settings.replicates, len(shares)):
        parts.append(draw.multinomial(groups.units, shares, size=size) @ groups.rows)
        if progress is not None:
            progress(size)
    return np.concatenate(parts)


def swap_groups(groups: RowGroups, settings: Bootstrap) -> Iterator[Any]:
    """For some replicates after the other, how many units of each group are swapped, each with an even chance."""
    import numpy as np

    draw = np.random.default_rng(settings.seed)
    for size in split_into_chunks(settings.replicates, len(groups.times)):
        yield draw.binomial(groups.times, 0.5, size=(size, len(groups.times)))
