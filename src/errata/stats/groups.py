"""Units that are alike, counted together: how often each kind is drawn is known to chance, whichever of them are drawn.

Millions of cases have few kinds of counts, and drawing kinds takes no more time than there are kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError
from errata.stats.bootstrap import split_into_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.stats.bootstrap import Bootstrap


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
    """The kinds of units, given by their rows."""
    import numpy as np

    found, times = np.unique(rows, axis=0, return_counts=True)
    return RowGroups(found, times)


def resample_groups(kinds: RowGroups, settings: Bootstrap) -> Any:
    """The sums of counts of every replicate in which as many units are drawn as there are."""
    import numpy as np

    if kinds.units < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"an interval needs two units or more, found {kinds.units}")
    draw = np.random.default_rng(settings.seed)
    shares = kinds.times / kinds.units
    parts = [draw.multinomial(kinds.units, shares, size=size) @ kinds.rows for size in split_into_chunks(settings.replicates, len(shares))]
    return np.concatenate(parts)


def swap_groups(kinds: RowGroups, settings: Bootstrap) -> Iterator[Any]:
    """For some replicates after the other, how many units of each kind are swapped, each with an even chance."""
    import numpy as np

    draw = np.random.default_rng(settings.seed)
    for size in split_into_chunks(settings.replicates, len(kinds.times)):
        yield draw.binomial(kinds.times, 0.5, size=(size, len(kinds.times)))
