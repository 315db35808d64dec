"""What counts if a metric gives two outputs the same score, on the level of sentences."""

from __future__ import annotations

from typing import Literal, NamedTuple

TieRule = Literal["neither", "drop", "loss", "loss-given"]
"""What a tie of a metric is, if people have a preference."""
TIE_RULES: dict[TieRule, str] = {
    "neither": "it is a pair that neither agrees nor disagrees",
    "drop": "the pair is left out, so metrics with many ties look better",
    "loss": "the system whose name is first in the alphabet loses, as in the script of SEEDA",
    "loss-given": "the system that is given first loses, as in gec-metrics",
}
"""All values of :data:`TieRule`, with what they mean."""


class PairAgreement(NamedTuple):
    """How often a metric and people prefer the same of two outputs; pairs that people tie are not counted."""

    agree: int
    disagree: int
    first_better: int
    """Ties of the metric in which people prefer the first system."""
    first_worse: int
    """Ties of the metric in which people prefer the second system."""

    @property
    def ties(self) -> int:
        """Ties of the metric."""
        return self.first_better + self.first_worse


def weigh_outcomes(rule: TieRule) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int], tuple[int, int, int, int]]:
    """Return the weights of the four counts in agreements, disagreements and pairs.

    >>> weigh_outcomes("loss")
    ((1, 0, 0, 1), (0, 1, 1, 0), (1, 1, 1, 1))
    """
    if rule == "drop":
        return (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0)
    if rule == "neither":
        return (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 1, 1)
    return (1, 0, 0, 1), (0, 1, 1, 0), (1, 1, 1, 1)
