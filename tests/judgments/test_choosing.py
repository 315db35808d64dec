"""Judgments of some judges, and without some systems."""

from __future__ import annotations

import pytest

from errata import RequestError, UsageError
from errata.studies.judgments import HumanJudgments, RankedOutput, RankingItem, choose_judgments, count_judged_pairs

ITEMS = (
    RankingItem(1, "anna", (RankedOutput(("A", "B"), 1), RankedOutput(("C",), 2)), None, "", 0),
    RankingItem(2, "ben", (RankedOutput(("A",), 1), RankedOutput(("C",), 1)), None, "", 0),
    RankingItem(3, "cleo", (RankedOutput(("B",), 2), RankedOutput(("C",), 1)), None, "", 0),
)
JUDGMENTS = HumanJudgments(ITEMS, skipped=2, empty=1)


def test_judges_are_chosen_or_left_out() -> None:
    assert choose_judgments(JUDGMENTS, judges=["anna", "ben"]).judges == ("anna", "ben")
    assert choose_judgments(JUDGMENTS, leave_out=["ben"]).judges == ("anna", "cleo")
    assert choose_judgments(JUDGMENTS, judges=["anna", "ben"], leave_out=["ben"]).items == ITEMS[:1]
    assert choose_judgments(JUDGMENTS) == JUDGMENTS


def test_a_system_is_an_opponent_no_more() -> None:
    """It leaves the output that it shares, and an item with a single output gives no pair."""
    found = choose_judgments(JUDGMENTS, leave_out=["A"])
    assert [item.outputs for item in found.items] == [
        (RankedOutput(("B",), 1), RankedOutput(("C",), 2)),
        (RankedOutput(("C",), 1),),
        ITEMS[2].outputs,
    ]
    assert (found.systems, found.single, found.skipped, found.empty) == (("B", "C"), 1, 2, 1)
    assert count_judged_pairs(found.items, "expanded") == (2, 0)
    assert [item.sentence for item in choose_judgments(JUDGMENTS, leave_out=["A", "C"]).items] == [1, 3]


def test_unknown_names_and_nothing_left_are_errors() -> None:
    with pytest.raises(UsageError, match=r"there is no judge 'Anna' in the judgments; there are anna, ben, cleo; did you mean anna\?"):
        choose_judgments(JUDGMENTS, judges=["Anna"])
    with pytest.raises(UsageError, match="there is no system or judge 'D'"):
        choose_judgments(JUDGMENTS, leave_out=["D"])
    with pytest.raises(RequestError, match="no judgment is left"):
        choose_judgments(JUDGMENTS, leave_out=["A", "B", "C"])
    with pytest.raises(RequestError, match="no judgment is left"):
        choose_judgments(JUDGMENTS, judges=["ben"], leave_out=["ben"])
