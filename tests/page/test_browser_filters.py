"""Sentences that a browser shows are those that were asked for: by links, filters and a search, in the order asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from learner_report import METRICS, NAMES, SIZE, Numbers, list_inspected
from report_in_browser import ReportInBrowser

ALL = range(1, SIZE + 1)
Chosen = Callable[[Numbers, int], bool]


def has_edit(system: str | None, **wanted: Any) -> Chosen:
    """Whether a system, or any, has an edit with these facts."""

    def test(numbers: Numbers, number: int) -> bool:
        systems = [system] if system else NAMES
        return any(all(edit[key] in value for key, value in wanted.items()) for name in systems for edit in numbers.edits(name, number))

    return test


def contains(text: str) -> Chosen:
    return lambda numbers, number: any(
        text.lower() in own.lower() for own in (*numbers.outputs(number), numbers.inspect["eager"][number - 1]["source"])
    )


def is_better(metric: str, one: str, other: str) -> Chosen:
    return lambda numbers, number: numbers.value(metric, one, number) > numbers.value(metric, other, number)


VIEWS: dict[str, Chosen] = {
    "system=eager": lambda *_: True,
    "system=eager&outcome=wrong": has_edit("eager", outcome=["wrong"]),
    "system=cautious&outcome=right,missed": has_edit("cautious", outcome=["right", "missed"]),
    "outcome=right": has_edit(None, outcome=["right"]),
    "type=ArtOrDet&outcome=missed": has_edit(None, type=["ArtOrDet"], outcome=["missed"]),
    "system=rewriter&type=Prep&outcome=right": has_edit("rewriter", type=["Prep"], outcome=["right"]),
    "outcome=right&from=have&to=has": has_edit(None, outcome=["right"], original=["have"], corrections=[["has"]]),
    "outcome=wrong&from=&to=%2C&system=eager": has_edit("eager", outcome=["wrong"], original=[""], corrections=[[","]]),
    "outcome=missed&from=the&to=": has_edit(None, outcome=["missed"], original=["the"], corrections=[[""]]),
    "differ=1": lambda numbers, number: len(numbers.outputs(number)) > 1,
    "better=eager&than=rewriter": is_better("maxmatch", "eager", "rewriter"),
    "better=rewriter&than=eager&metric=imeasure": is_better("imeasure", "rewriter", "eager"),
    "better=cautious&than=eager&metric=gleu&differ=1": is_better("gleu", "cautious", "eager"),
    "q=CAF%C3%89": contains("café"),
    "q=lonely%20because": contains("lonely because"),
    "q=(.*)": contains("(.*)"),
}


@pytest.mark.parametrize("query", VIEWS)
def test_a_view_has_exactly_its_sentences(report: ReportInBrowser, numbers: Numbers, query: str) -> None:
    expected = [number for number in ALL if VIEWS[query](numbers, number)]
    assert report.find(f"#sentences?{query}") == expected
    assert report.status() == f"{len(expected)} of {SIZE} sentences."


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("system=eager&outcome=wrong", ("--outcome", "wrong", "--chosen")),
        ("system=cautious&outcome=missed", ("--outcome", "missed", "--chosen")),
        ("system=cautious&outcome=missed&type=ArtOrDet", ("--outcome", "missed", "--types", "ArtOrDet", "--chosen")),
        ("system=rewriter&outcome=right,missed&type=Vt", ("--outcome", "right", "--outcome", "missed", "--types", "Vt", "--chosen")),
        ("system=rewriter&q=lonely", ("--search", "lonely", "--chosen")),
        ("system=eager&q=the%20&outcome=right", ("--search", "the ", "--outcome", "right", "--chosen")),
    ],
)
def test_inspect_lists_the_same_sentences(report: ReportInBrowser, query: str, filters: tuple[str, ...]) -> None:
    assert report.find(f"#sentences?{query}") == list_inspected(query.partition("&")[0].removeprefix("system="), *filters)


def sorted_by(key: Callable[[Numbers, int], float], *, descending: bool) -> Callable[[Numbers], list[int]]:
    return lambda numbers: sorted(ALL, key=lambda number: (-key(numbers, number) if descending else key(numbers, number), number))


ORDERS: dict[str, Callable[[Numbers], list[int]]] = {
    "order=desc": lambda _: list(ALL)[::-1],
    "sort=score&system=eager": sorted_by(lambda numbers, number: numbers.value("maxmatch", "eager", number), descending=True),
    "sort=score&order=asc&system=rewriter&metric=gleu": sorted_by(
        lambda numbers, number: round(numbers.value("gleu", "rewriter", number), 6), descending=False
    ),
    "sort=length": sorted_by(lambda numbers, number: len(numbers.inspect["eager"][number - 1]["source"].split()), descending=True),
    "sort=disagreement": sorted_by(lambda numbers, number: len(numbers.outputs(number)), descending=True),
    "sort=disagreement&order=asc": sorted_by(lambda numbers, number: len(numbers.outputs(number)), descending=False),
}


@pytest.mark.parametrize("query", ORDERS)
def test_orders(report: ReportInBrowser, numbers: Numbers, query: str) -> None:
    assert report.find(f"#sentences?{query}") == ORDERS[query](numbers)


def test_order_by_the_mean_of_all_systems(report: ReportInBrowser, numbers: Numbers) -> None:
    found = report.find("#sentences?sort=score&metric=imeasure")
    means = [sum(numbers.value("imeasure", name, number) for name in NAMES) / len(NAMES) for number in found]
    assert means == pytest.approx(sorted(means, reverse=True), abs=1e-6)


def test_order_by_the_gap(report: ReportInBrowser, numbers: Numbers) -> None:
    found = report.find("#sentences?better=eager&than=cautious&metric=gleu&sort=gap")
    gaps = [numbers.value("gleu", "eager", number) - numbers.value("gleu", "cautious", number) for number in found]
    assert gaps == pytest.approx(sorted(gaps, reverse=True), abs=1e-6)
    assert min(gaps) > 0


def test_a_click_in_the_matrix_leads_to_the_sentences(reset_report: ReportInBrowser, numbers: Numbers) -> None:
    report = reset_report
    matrix = report.page.locator("#differences table.matrix").nth(METRICS.index("imeasure"))
    one, other = numbers.order("imeasure")[:2]
    with report.changing():
        matrix.locator("a").first.click()
    assert sorted(report.all_numbers()) == [number for number in ALL if is_better("imeasure", one, other)(numbers, number)]


def test_a_click_in_the_types_leads_to_the_edits(reset_report: ReportInBrowser, numbers: Numbers) -> None:
    report = reset_report
    report.page.locator("#types details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    row = report.page.locator("#types table").nth(2).locator("tbody tr", has=report.page.locator("th", has_text="ArtOrDet"))
    place = report.texts(report.page.locator("#types table").nth(2))[0].index("cautious")
    with report.changing():
        row.locator("td, th").nth(place).locator("a").click()
    cards = report.all_cards()
    assert [card["number"] for card in cards] == [
        number for number in ALL if has_edit("cautious", type=["ArtOrDet"], outcome=["right", "missed"])(numbers, number)
    ]
    asked = [edit for card in cards for edit in find_row(card, "cautious")["edits"] if edit["asked"]]
    own = numbers.types["cautious"]["ArtOrDet"]
    assert len(asked) == own["gold"]
    assert sum(edit["outcome"] == "right" for edit in asked) == own["matched"]


def find_row(card: dict[str, Any], system: str) -> dict[str, Any]:
    row: dict[str, Any]
    (row,) = (row for row in card["systems"] if NAMES.index(system) in row["systems"])
    return row


@pytest.mark.parametrize("outcome", ["right", "wrong", "missed"])
def test_a_click_on_a_counted_edit_leads_to_its_sentences(reset_report: ReportInBrowser, numbers: Numbers, outcome: str) -> None:
    report = reset_report
    edits = [edit for edit in numbers.digest["all"]["edits"] if edit["outcome"] == outcome]
    links = report.page.locator("#edits .digest").first.locator(f"table.{outcome} a")
    for place in (0, 3):
        with report.changing():
            links.nth(place).click()
        assert report.all_numbers() == edits[place]["sentences"]


def test_links_to_deletions_of_each_system(report: ReportInBrowser, numbers: Numbers) -> None:
    report.page.locator("#edits details").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
    own = [numbers.digest["systems"][NAMES.index(name)] for name in numbers.order("maxmatch")]
    for place, digest in enumerate([numbers.digest["all"], *own]):
        edits = sorted((edit for edit in digest["edits"] if edit["outcome"] == "missed"), key=lambda edit: "" not in edit["corrections"])[
            :1
        ]
        for edit in edits:
            shown = f"{edit['original'] or '∅'} → {' or '.join(text or '∅' for text in edit['corrections'])}"
            row = report.page.locator("#edits .digest").nth(place).locator("table.missed tbody tr").filter(has_text=shown).first
            with report.changing():
                row.locator("a").click()
            assert report.all_numbers() == edit["sentences"]


def test_the_form_asks_for_the_same(reset_report: ReportInBrowser, numbers: Numbers) -> None:
    report = reset_report
    form = report.page.locator("form.controls")
    with report.changing():
        form.get_by_role("combobox", name="System", exact=True).select_option("eager")
    with report.changing():
        form.get_by_label("wrong", exact=True).check()
    with report.changing():
        form.get_by_label("Only where outputs differ").check()
    expected = [n for n in ALL if has_edit("eager", outcome=["wrong"])(numbers, n) and len(numbers.outputs(n)) > 1]
    assert report.all_numbers() == expected
    with report.changing():
        form.get_by_role("button", name="Show all sentences").click()
    assert report.status() == f"{SIZE} of {SIZE} sentences."


def test_the_form_compares_two_systems(reset_report: ReportInBrowser, numbers: Numbers) -> None:
    report = reset_report
    form = report.page.locator("form.controls")
    for label, choice in (
        ("better system", "rewriter"),
        ("is better than", "cautious"),
        ("Score by", "GLEU"),
        ("Sort by", "gap between the two"),
    ):
        with report.changing():
            form.get_by_role("combobox", name=label, exact=True).select_option(choice)
    found = report.all_numbers()
    assert sorted(found) == [number for number in ALL if is_better("gleu", "rewriter", "cautious")(numbers, number)]
    gaps = [numbers.value("gleu", "rewriter", number) - numbers.value("gleu", "cautious", number) for number in found]
    assert gaps == pytest.approx(sorted(gaps, reverse=True), abs=1e-6)


def test_a_search_starts_while_typing(reset_report: ReportInBrowser, numbers: Numbers) -> None:
    report = reset_report
    field = report.page.get_by_label("Search in source and outputs")
    with report.changing():
        field.press_sequentially("UNIVERSITY")
    assert report.all_numbers() == [number for number in ALL if contains("university")(numbers, number)]
    marked = report.page.evaluate("[...CSS.highlights.get('found')].map((range) => range.toString().toLowerCase())")
    assert marked
    assert set(marked) == {"university"}
    with report.changing():
        field.fill("")
    assert report.status() == f"{SIZE} of {SIZE} sentences."


def test_nothing_found_is_said(report: ReportInBrowser) -> None:
    report.ask("#sentences?q=xyzzy")
    assert (report.status(), report.numbers()) == (f"0 of {SIZE} sentences.", [])


def test_only_the_systems_asked_for_are_shown(report: ReportInBrowser) -> None:
    report.ask("#sentences?shown=eager,rewriter")
    assert {system for card in report.cards() for row in card["systems"] for system in row["systems"]} == {1, 2}


def test_the_asked_system_comes_first_and_asked_edits_are_marked(report: ReportInBrowser) -> None:
    report.ask("#sentences?system=rewriter&outcome=missed")
    for card in report.cards():
        assert 2 in card["systems"][0]["systems"]
        assert {edit["outcome"] for edit in card["systems"][0]["edits"] if edit["asked"]} == {"missed"}
        assert not any(edit["asked"] for row in card["systems"][1:] for edit in row["edits"])
