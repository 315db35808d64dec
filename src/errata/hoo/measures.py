"""HOO scores from counts: precision, recall and F of detection, recognition and correction, with or without bonus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.ratios import ONE_OF_NOTHING, PrecisionRecallF, Shares

if TYPE_CHECKING:
    from collections.abc import Iterable

HooScoreName = Literal["detection", "recognition", "correction"]
SCORES: tuple[HooScoreName, ...] = ("detection", "recognition", "correction")


class HooCounts(NamedTuple):
    """Counts of a text, or their sum over several texts."""

    gold: int = 0
    system: int = 0
    detected: int = 0
    """Gold edits that an edit of the system overlaps."""
    recognised: int = 0
    """Gold edits with a system edit of the same span."""
    corrected: int = 0
    """Gold edits with a system edit of the same span and an accepted correction."""
    spurious: int = 0
    """Edits of the system that overlap no gold edit."""
    missed_optional: int = 0
    """Optional gold edits that the system left uncorrected; the bonus rewards them."""

    def plus(self, other: HooCounts) -> HooCounts:
        """Add other counts."""
        return HooCounts(*(one + two for one, two in zip(self, other, strict=True)))


def make_hoo_ratios(score: HooScoreName, *, bonus: bool) -> PrecisionRecallF:
    """Make precision, recall and F1 over the fields of :class:`HooCounts`; a bonus adds to valid and to proposed edits."""
    extra = HooCounts(missed_optional=int(bonus))
    valid = {"detection": HooCounts(detected=1), "recognition": HooCounts(recognised=1), "correction": HooCounts(corrected=1)}[score]
    proposed = HooCounts(detected=1, spurious=1) if score == "detection" else HooCounts(system=1)
    return PrecisionRecallF.over(valid.plus(extra), proposed.plus(extra), HooCounts(gold=1))


@dataclass(frozen=True, slots=True)
class HooScores:
    """The three scores."""

    detection: Shares
    recognition: Shares
    correction: Shares

    @classmethod
    def of(cls, counts: HooCounts, *, bonus: bool, of_nothing: float = ONE_OF_NOTHING) -> HooScores:
        """Compute the scores from counts; 0/0 was 1 in 2012 and 0 in 2011.

        >>> HooScores.of(HooCounts(gold=4, system=2, detected=2, recognised=1, corrected=1), bonus=False).correction
        Shares(precision=0.5, recall=0.25, f=0.3333333333333333)
        """
        return cls(*(make_hoo_ratios(score, bonus=bonus).of(counts, of_nothing) for score in SCORES))

    @classmethod
    def mean(cls, scores: Iterable[HooScores]) -> HooScores:
        """Average the scores of texts, as in 2011."""
        listed = list(scores)

        def average(name: HooScoreName) -> Shares:
            values = [getattr(item, name) for item in listed]
            return Shares(*(sum(getattr(item, part) for item in values) / len(values) for part in ("precision", "recall", "f")))

        return cls(*(average(name) for name in SCORES))
