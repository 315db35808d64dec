"""Sets of systems on which metrics are compared with people: all of them, without some, and without outliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from errata.errors import UsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OUTLIERS = "outliers"
"""Stands for all outliers, instead of the name of a system."""
ALL = "all"
_CUTOFF = 2.5
_NORMAL = 1.4826
"""What makes the median absolute deviation of normal values their standard deviation."""


@dataclass(frozen=True)
class SystemSet:
    """Systems with a name for the set."""

    name: str
    systems: tuple[str, ...]

    def find_indices(self, systems: Sequence[str]) -> list[int]:
        """Find the places of the systems among others."""
        return [systems.index(name) for name in self.systems]


def find_outliers(scores: Mapping[str, float]) -> list[str]:
    """Find systems far from the others: more than 2.5 deviations from the median, as in Mathur et al. (2020).

    The deviation is the median absolute deviation, scaled as for a normal distribution.

    >>> find_outliers({"a": 0.5, "b": 0.52, "c": 0.48, "d": 0.51, "e": 0.1})
    ['e']
    """
    import statistics

    middle = statistics.median(scores.values())
    deviation = _NORMAL * statistics.median(abs(score - middle) for score in scores.values())
    return [name for name, score in scores.items() if deviation > 0 and abs(score - middle) > _CUTOFF * deviation]


def make_sets(systems: Sequence[str], without: Sequence[str], human: Mapping[str, float]) -> list[SystemSet]:
    """Make the set of all systems, and for each list of names, separated by commas, the set without these.

    >>> [own.systems for own in make_sets(["a", "b", "c"], ["b,c"], {})]
    [('a', 'b', 'c'), ('a',)]
    """
    sets = [SystemSet(ALL, tuple(systems))]
    for given in without:
        names = [name.strip() for name in given.split(",") if name.strip()]
        left_out: set[str] = set()
        for name in names:
            if name in systems:
                left_out.add(name)
            elif name == OUTLIERS:
                left_out.update(find_outliers({system: human[system] for system in systems}))
            else:
                raise UsageError(f"--without {name!r}: there is no such system; there are {', '.join(systems)}{suggest(name, systems)}")
        if not names:
            raise UsageError("--without needs names of systems, separated by commas, or outliers")
        sets.append(SystemSet(f"without {', '.join(names)}", tuple(system for system in systems if system not in left_out)))
    return sets
