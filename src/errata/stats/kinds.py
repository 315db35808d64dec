"""Units that are alike, counted together: how often each kind is drawn is known to chance, whichever of them are drawn.

Millions of cases have few kinds of counts, and drawing kinds takes no more time than there are kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError
from errata.stats.bootstrap import chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.stats.bootstrap import Bootstrap, Progress


class Kinds(NamedTuple):
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

    def columns(self, first: int, last: int) -> Kinds:
        """Some of the counts."""
        return Kinds(self.rows[:, first:last], self.times)


def kinds_of(rows: Any) -> Kinds:
    """The kinds of units, given by their rows."""
    import numpy as np

    found, times = np.unique(rows, axis=0, return_counts=True)
    return Kinds(found, times)


def resampled_kinds(kinds: Kinds, settings: Bootstrap, progress: Progress | None = None) -> Any:
    """The sums of counts of every replicate in which as many units are drawn as there are."""
    import numpy as np

    if kinds.units < 2:  # noqa: PLR2004 - one has no variance
        raise RequestError(f"an interval needs two units or more, found {kinds.units}")
    draw = np.random.default_rng(settings.seed)
    shares = kinds.times / kinds.units
    parts = []
    for size in chunks(settings.replicates, len(shares)):
        parts.append(draw.multinomial(kinds.units, shares, size=size) @ kinds.rows)
        if progress is not None:
            progress(size)
    return np.concatenate(parts)


def swapped_kinds(kinds: Kinds, settings: Bootstrap) -> Iterator[Any]:
    """For some replicates after the other, how many units of each kind are swapped, each with an even chance."""
    import numpy as np

    draw = np.random.default_rng(settings.seed)
    for size in chunks(settings.replicates, len(kinds.times)):
        yield draw.binomial(kinds.times, 0.5, size=(size, len(kinds.times)))
