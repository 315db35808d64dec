"""Match edits of a system with gold edits by their overlap (HOO 2011 and 2012)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.hoo.measures import HooCounts
from errata.hoo.overlap import EditIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.formats.hoo_edits import HooEdit
    from errata.hoo.overlap import Judgment, Rules


def count_edits(gold: Sequence[HooEdit], system: Sequence[HooEdit], rules: Rules = "2012") -> HooCounts:
    """Count edits that are detected, recognised, corrected or spurious, and missed optional edits.

    The rules of 2012, unlike 2011, disregard case and a space at one end of a deletion.
    """
    judged = judge_edits(gold, system, rules)
    of_gold = EditIndex(gold, rules)
    return HooCounts(
        len(gold),
        len(system),
        sum(judgment.overlaps for judgment in judged),
        sum(judgment.matches for judgment in judged),
        sum(judgment.corrects for judgment in judged),
        sum(not of_gold.judge(edit).overlaps for edit in system),
        sum(edit.optional and not judgment.overlaps for edit, judgment in zip(gold, judged, strict=True)),
    )


def judge_edits(gold: Sequence[HooEdit], system: Sequence[HooEdit], rules: Rules = "2012") -> list[Judgment]:
    """Judge whether each gold edit is detected, recognised and corrected."""
    by_place = EditIndex(system, rules)
    return [by_place.judge(edit) for edit in gold]
