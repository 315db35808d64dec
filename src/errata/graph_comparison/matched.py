"""Counts of matched units, for agreement and faithfulness."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import MismatchError
from errata.ratios import ZERO_OF_NOTHING, divide, harmonic_mean

if TYPE_CHECKING:
    from errata.corpus.graphs import Graph


class MatchCounts(NamedTuple):
    """Counts of matched units on both sides: guess and expected graph, or correction and source."""

    precise: int = 0
    guessed: int = 0
    recalled: int = 0
    expected: int = 0

    @property
    def precision(self) -> float:
        """The share of guessed units that are matched; 1 without guessed units."""
        return divide(self.precise, self.guessed)

    @property
    def recall(self) -> float:
        """The share of expected units that are matched; 1 without expected units."""
        return divide(self.recalled, self.expected)

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall.

        >>> MatchCounts(1, 2, 1, 1).f
        0.6666666666666666
        """
        above, below = harmonic_mean((self.precise, self.guessed), (self.recalled, self.expected))
        return divide(above, below, ZERO_OF_NOTHING)

    def plus(self, other: MatchCounts) -> MatchCounts:
        """Add other counts."""
        return MatchCounts(*(one + two for one, two in zip(self, other, strict=True)))


NOTHING = MatchCounts()


def check_same_framework(one: Graph, other: Graph) -> None:
    """Raise if two graphs have different frameworks; a graph without units fits all."""
    if one.framework != other.framework and one.units and other.units:
        raise MismatchError(
            f"{one.name} is of the framework {one.framework}, but {other.name} of {other.framework}; they cannot be compared"
        )
