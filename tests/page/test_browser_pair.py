"""Two systems in a browser: what one corrects and the other does not, by type, with its sentences."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from learner_report import NAMES, SIZE, Numbers
from report_in_browser import ReportInBrowser

Right = set[tuple[int, int, int, str]]


def list_right(numbers: Numbers, system: str) -> Right:
    """The right edits of a system: sentence, start, end and correction."""
    return {
        (number, edit["start"], edit["end"], edit["corrections"][0])
        for number in range(1, SIZE + 1)
        for edit in numbers.edits(system, number)
        if edit["outcome"] == "right"
    }


def choose(report: ReportInBrowser, one: str, other: str) -> list[list[str]]:
    """The table of two systems."""
    pair = report.page.locator("#pair")
    pair.get_by_label("One system").select_option(one)
    pair.get_by_label("Another system").select_option(other)
    return report.texts(pair.locator("table"))


def test_the_best_two_are_chosen_at_first(report: ReportInBrowser, numbers: Numbers) -> None:
    chosen = report.page.locator("#pair select").evaluate_all("(all) => all.map((one) => one.selectedOptions[0].textContent)")
    assert chosen == numbers.order("maxmatch")[:2]


@pytest.mark.parametrize(("one", "other"), list(permutations(NAMES, 2)))
def test_edits_of_only_one_are_counted(report: ReportInBrowser, numbers: Numbers, one: str, other: str) -> None:
    rows = choose(report, one, other)
    assert rows[0][1:3] == [f"Right, only {one}", f"Right, only {other}"]
    ours, theirs = list_right(numbers, one), list_right(numbers, other)
    assert rows[-1][:3] == ["All types", str(len(ours - theirs)), str(len(theirs - ours))]
    for column, own in ((1, ours - theirs), (2, theirs - ours)):
        assert sum(int(row[column]) for row in rows[1:-1]) == len(own)


def test_a_number_leads_to_its_edits(reset_report: ReportInBrowser, numbers: Numbers) -> None:
    report = reset_report
    choose(report, "eager", "rewriter")
    table = report.page.locator("#pair table")
    with report.changing():
        table.locator("tfoot a").first.click()
    only = list_right(numbers, "eager") - list_right(numbers, "rewriter")
    cards = report.all_cards()
    assert [card["number"] for card in cards] == sorted({number for number, *_ in only})
    asked = list_asked(cards, "eager")
    assert (len(asked), {edit["outcome"] for edit in asked}) == (len(only), {"right"})
    row = next(place for place, row in enumerate(report.texts(table)) if row[1].isdigit() and int(row[1]) > 0)
    name, count = report.texts(table)[row][:2]
    with report.changing():
        table.locator("tbody tr").nth(row - 1).locator("a").first.click()
    cards = report.all_cards()
    asked = list_asked(cards, "eager")
    assert (len(asked), {edit["type"] for edit in asked}) == (int(count), {name})
    shown = {system for card in cards for row in card["systems"] for system in row["systems"]}
    assert shown == {NAMES.index("eager"), NAMES.index("rewriter")}


def test_systems_of_a_link_are_shown_for_once(reset_report: ReportInBrowser) -> None:
    report = reset_report
    choose(report, "eager", "rewriter")
    with report.changing():
        report.page.locator("#pair tfoot a").first.click()
    assert "shown=eager,rewriter" in report.fragment()
    with report.changing():
        report.page.locator("#edits .digest a").first.click()
    assert "shown" not in report.fragment()


def list_asked(cards: list[dict[str, Any]], system: str) -> list[dict[str, Any]]:
    """The edits of a system that are asked for."""
    rows = (row for card in cards for row in card["systems"] if NAMES.index(system) in row["systems"])
    return [edit for row in rows for edit in row["edits"] if edit["asked"]]


def test_a_system_is_not_compared_with_itself(report: ReportInBrowser) -> None:
    pair = report.page.locator("#pair")
    pair.get_by_label("One system").select_option("eager")
    pair.get_by_label("Another system").select_option("eager")
    assert "Choose two different systems" in pair.inner_text()
