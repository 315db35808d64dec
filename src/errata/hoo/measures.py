"""What HOO counts mean: precision, recall and F of detection, recognition and correction, with a bonus or without."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

Score = Literal["detection", "recognition", "correction"]
SCORES: tuple[Score, ...] = ("detection", "recognition", "correction")


class HooCounts(NamedTuple):
    """Counts of a text; those of several add up."""

    gold: int = 0
    system: int = 0
    detected: int = 0
    """Gold edits that some edit of the system overlaps."""
    recognised: int = 0
    """... with the same extent."""
    corrected: int = 0
    """... and one of the corrections of gold."""
    spurious: int = 0
    """Edits of the system that overlap none of gold."""
    missed_optional: int = 0
    """Optional gold edits that the system left alone, which a bonus rewards."""

    def plus(self, other: HooCounts) -> HooCounts:
        """The sum."""
        return HooCounts(*(one + two for one, two in zip(self, other, strict=True)))


@dataclass(frozen=True, slots=True)
class PRF:
    """Precision, recall and F1."""

    precision: float
    recall: float
    f: float


@dataclass(frozen=True, slots=True)
class HooScores:
    """The three scores."""

    detection: PRF
    recognition: PRF
    correction: PRF

    @classmethod
    def of(cls, counts: HooCounts, *, bonus: bool, empty: float = 1.0) -> HooScores:
        """From counts; ``empty`` is what 0/0 is: 1 in 2012, 0 in 2011.

        >>> HooScores.of(HooCounts(gold=4, system=2, detected=2, recognised=1, corrected=1), bonus=False).correction
        PRF(precision=0.5, recall=0.25, f=0.3333333333333333)
        """
        extra = counts.missed_optional if bonus else 0

        def prf(valid: int, proposed: int) -> PRF:
            precision = (valid + extra) / (proposed + extra) if proposed + extra else empty
            recall = (valid + extra) / counts.gold if counts.gold else empty
            both = precision + recall
            return PRF(precision, recall, 2 * precision * recall / both if both else 0.0)

        return cls(
            prf(counts.detected, counts.detected + counts.spurious),
            prf(counts.recognised, counts.system),
            prf(counts.corrected, counts.system),
        )

    @classmethod
    def mean(cls, scores: Iterable[HooScores]) -> HooScores:
        """The average over texts, as in 2011."""
        listed = list(scores)

        def average(name: Score) -> PRF:
            found = [getattr(item, name) for item in listed]
            return PRF(*(sum(getattr(item, part) for item in found) / len(found) for part in ("precision", "recall", "f")))

        return cls(*(average(name) for name in SCORES))
