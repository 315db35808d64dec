"""Letters for systems: two systems share a letter exactly if they are not significantly different.

This is the compact letter display of Piepho (2004), An algorithm for a letter-based representation of all-pairwise comparisons,
Journal of Computational and Graphical Statistics 13(2), by insertion and absorption.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

EXPLAINED = "Letters: systems that share one are not significantly different"
TOO_MANY = "Too many groups of systems are not significantly different, so they have no letters"

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
MOST_GROUPS = 10_000
"""More groups than this are not looked for: unusual patterns of differences have exponentially many."""


class Letters(NamedTuple):
    """The letters of scores, all of one metric or of several, and how they were found."""

    letters: list[str]
    """In the order of the scores; empty for those of a metric with too many groups."""
    how: str
    """The test, the correction of its p-values, the significance level and what was resampled."""

    @property
    def note(self) -> str:
        """What letters mean."""
        return f"{EXPLAINED if all(self.letters) else TOO_MANY} ({self.how})."


def assign_letters(systems: Sequence[str], different: Collection[frozenset[str]]) -> list[str] | None:
    """Assign letters to systems, given the best first, and the pairs that are significantly different.

    None if there are too many groups to name.

    >>> assign_letters(["A", "B", "C"], {frozenset("AC")})
    ['a', 'ab', 'b']
    """
    groups: list[frozenset[int]] = [frozenset(range(len(systems)))]
    for one, other in combinations(range(len(systems)), 2):
        if frozenset((systems[one], systems[other])) not in different:
            continue
        split: list[frozenset[int]] = []
        for group in groups:
            split += [group - {one}, group - {other}] if one in group and other in group else [group]
        groups = _absorb(split)
        if len(groups) > MOST_GROUPS:
            return None
    groups.sort(key=sorted)
    return ["".join(_name(number) for number, group in enumerate(groups) if index in group) for index in range(len(systems))]


def _absorb(groups: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Remove groups that are part of others."""
    kept: list[frozenset[int]] = []
    for group in sorted(dict.fromkeys(groups), key=lambda members: (-len(members), sorted(members))):
        if not any(group <= other for other in kept):
            kept.append(group)
    return kept


def _name(number: int) -> str:
    """Name a group: a to z, then with primes.

    >>> _name(0), _name(27)
    ('a', "b'")
    """
    return _ALPHABET[number % len(_ALPHABET)] + "'" * (number // len(_ALPHABET))
