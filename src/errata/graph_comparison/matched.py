"""What of two sides was found in the other: the counts that agreement and faithfulness share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import MismatchError
from errata.ratios import ZERO_OF_NOTHING, divide, harmonic_mean

if TYPE_CHECKING:
    from errata.graphs import Graph


class MatchCounts(NamedTuple):
    """Units of a guess, or a correction, that were found on the other side, and of what is expected, or the source."""

    precise: int = 0
    guessed: int = 0
    recalled: int = 0
    expected: int = 0

    @property
    def precision(self) -> float:
        """The share of what was guessed that is found; 1 if nothing was."""
        return divide(self.precise, self.guessed)

    @property
    def recall(self) -> float:
        """The share of what is expected that is found; 1 if nothing is."""
        return divide(self.recalled, self.expected)

    @property
    def f(self) -> float:
        """The harmonic mean.

        >>> MatchCounts(1, 2, 1, 1).f
        0.6666666666666666
        """
        above, below = harmonic_mean((self.precise, self.guessed), (self.recalled, self.expected))
        return divide(above, below, ZERO_OF_NOTHING)

    def plus(self, other: MatchCounts) -> MatchCounts:
        """The sum of both."""
        return MatchCounts(*(one + two for one, two in zip(self, other, strict=True)))


NOTHING = MatchCounts()


def check_same_framework(one: Graph, other: Graph) -> None:
    """Graphs of two frameworks have nothing in common; one without units is of any."""
    if one.framework != other.framework and one.units and other.units:
        raise MismatchError(f"{one.name} is of the framework {one.framework}, {other.name} of {other.framework}; they cannot be compared")
