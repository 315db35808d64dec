"""Columns that sort, and a system as baseline: a browser shows differences to it."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import Locator

from learner_report import METRICS, NAMES, Numbers
from report_in_browser import ReportInBrowser, shown_difference, shown_percent


def sort_by(table: Locator, heading: str) -> None:
    table.locator("thead").get_by_role("button", name=heading, exact=True).click()


@pytest.mark.parametrize("metric", METRICS)
def test_a_column_sorts_down_up_and_back(report: ReportInBrowser, numbers: Numbers, metric: str) -> None:
    table = report.page.locator("#leaderboard table").first
    names = table.locator("tbody th")
    original = names.all_inner_texts()
    best = numbers.order(metric)
    sort_by(table, metric)
    assert names.all_inner_texts() == best
    assert table.locator("[aria-sort]").evaluate_all("(all) => all.map((one) => [one.innerText, one.ariaSort])") == [[metric, "descending"]]
    sort_by(table, metric)
    assert names.all_inner_texts() == best[::-1]
    assert table.locator("[aria-sort=ascending]").count() == 1
    sort_by(table, metric)
    assert names.all_inner_texts() == original
    assert table.locator("[aria-sort]").count() == 0


def test_names_sort_alphabetically(report: ReportInBrowser) -> None:
    table = report.page.locator("#leaderboard table").nth(1)
    sort_by(table, "System")
    assert table.locator("tbody th").all_inner_texts() == sorted(NAMES)
    sort_by(table, "System")
    assert table.locator("tbody th").all_inner_texts() == sorted(NAMES, reverse=True)
    sort_by(table, "System")


def test_parts_sort_by_number_and_rows_stay_whole(report: ReportInBrowser, numbers: Numbers) -> None:
    table = report.page.locator("#leaderboard table").nth(1)
    sort_by(table, "Proposed")
    rows = report.texts(table)
    column = rows[0].index("Proposed")
    proposed = {name: numbers.score["maxmatch", name]["parts"]["proposed"] for name in NAMES}
    assert [(row[1], row[column]) for row in rows[1:]] == [
        (name, str(proposed[name])) for name in sorted(NAMES, key=lambda name: -proposed[name])
    ]
    sort_by(table, "Proposed")
    sort_by(table, "Proposed")


def test_types_without_a_number_come_last(report: ReportInBrowser, numbers: Numbers) -> None:
    table = report.page.locator("#types table").first
    for expected in (-1, 1):
        sort_by(table, "eager")
        rows = report.rows(table)
        place = [cell["text"] for cell in rows[0]].index("eager")
        values = [float(row[place]["value"] or "nan") for row in rows[1:-1]]  # the last is of all types
        known = [value for value in values if not math.isnan(value)]
        assert known == sorted(known, key=lambda value: expected * value)
        assert all(math.isnan(value) for value in values[len(known) :])
        assert len(known) == sum(own["gold"] > 0 for name, own in numbers.types["eager"].items() if name not in {"(no type)", "all"})
    sort_by(table, "eager")


def read_texts(report: ReportInBrowser) -> dict[tuple[str, str], str]:
    found = report.page.locator("[data-key]").evaluate_all(
        "(all) => all.map((one) => [one.dataset.key, one.dataset.system, one.textContent])"
    )
    return {(key, NAMES[int(system)]): text for key, system, text in found}


@pytest.mark.parametrize("baseline", NAMES)
def test_every_number_becomes_a_difference(reset_report: ReportInBrowser, numbers: Numbers, baseline: str) -> None:
    report = reset_report
    before = read_texts(report)
    with report.changing():
        report.page.locator("#leaderboard table").first.get_by_role("button", name=baseline).click()
    bar = report.page.locator("#baseline-bar")
    assert bar.inner_text().startswith(f"Differences to {baseline}")
    after = read_texts(report)
    for place, metric in enumerate(METRICS):
        own = numbers.score[metric, baseline]["value"]
        for name in NAMES:
            value = numbers.score[metric, name]["value"]
            shown = shown_percent(value) if name == baseline else shown_difference(value - own)
            assert after[f"overview/{place}", name] == after[f"{metric}/value", name] == shown
    for part in ("correct", "proposed", "gold"):
        own = numbers.score["maxmatch", baseline]["parts"][part]
        for name in NAMES:
            difference = numbers.score["maxmatch", name]["parts"][part] - own
            expected = f"{own:,}" if name == baseline else f"{'−' if difference < 0 else '+'}{abs(difference):,}" if difference else "0"
            assert after[f"maxmatch/{part}", name] == expected
    for name in NAMES:
        for kind, own in numbers.types[name].items():
            if (f"types/1/{kind}", name) not in after or name == baseline:
                continue
            other = numbers.types[baseline].get(kind, {}).get("recall")
            expected = shown_percent(own["recall"], 1) if other is None else shown_difference(own["recall"] - other, 1)
            assert after[f"types/1/{kind}", name] == expected
    pressed = report.page.locator("#leaderboard [aria-pressed=true]")
    assert set(pressed.all_inner_texts()) == {baseline}
    with report.changing():
        bar.get_by_role("button", name="Show values").click()
    assert bar.is_hidden()
    assert read_texts(report) == before
    assert report.page.locator(".baseline").count() == 0


def test_sentences_show_differences_to_the_baseline(reset_report: ReportInBrowser, numbers: Numbers) -> None:
    reset_report.ask("#sentences?baseline=cautious")
    for card in reset_report.cards():
        for row in card["systems"]:
            for metric in METRICS:
                text = row["figures"][metric]["text"]
                if 0 in row["systems"]:
                    assert "(" not in text
                else:
                    name = NAMES[row["systems"][0]]
                    difference = numbers.value(metric, name, card["number"]) - numbers.value(metric, "cautious", card["number"])
                    assert text.endswith(f"({shown_difference(difference)})"), (card["number"], name)


def test_a_second_click_clears_the_baseline_and_the_address_has_it(reset_report: ReportInBrowser) -> None:
    report = reset_report
    name = report.page.locator("#leaderboard table").first.get_by_role("button", name="eager")
    with report.changing():
        name.click()
    report.page.wait_for_url("**baseline=eager*")
    another = report.open_another(f"#{report.fragment()}")
    assert another.locator("#baseline-bar").inner_text().startswith("Differences to eager")
    another.close()
    with report.changing():
        name.click()
    assert report.page.locator("#baseline-bar").is_hidden()
    report.page.wait_for_url(lambda address: "baseline" not in address)


def test_heat_of_differences_has_a_sign(reset_report: ReportInBrowser) -> None:
    reset_report.ask("#sentences?baseline=cautious")
    cells = reset_report.page.locator("#types td.heat:not(.baseline) [data-key]").evaluate_all(
        "(all) => all.map((one) => [one.textContent, [...one.closest('td').classList].filter((name) => /^d/.test(name))])"
    )
    assert len(cells) > 20
    for text, classes in cells:
        expected = {"+": "dp", "−": "dm"}.get(text[0], "d0")
        assert all(name.startswith(expected) or name == "d0" for name in classes), (text, classes)
    reset_report.ask("#sentences?")
    assert reset_report.page.locator("#types td:is(.d0, [class*=' dp'], [class*=' dm'])").count() == 0
