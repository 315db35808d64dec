"""Pages, keys, the address and the way back: how somebody moves through the sentences in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from learner_report import SIZE, write_report
from report_in_browser import ReportInBrowser

PAGE = 20


def current(report: ReportInBrowser) -> int | None:
    found = report.page.locator("article.card[aria-current=true]")
    return int(found.get_attribute("data-number") or "") if found.count() else None


def press(report: ReportInBrowser, key: str, number: int) -> None:
    """Press a key, and wait until a sentence is current."""
    report.page.keyboard.press(key)
    report.page.locator(f'article.card[aria-current=true][data-number="{number}"]').wait_for(state="attached")


def turn(report: ReportInBrowser, button: str) -> str:
    bar = report.page.locator("nav.pager").first
    with report.changing():
        bar.get_by_role("button", name=button).click()
    return bar.locator(".where").inner_text()


def test_only_one_page_is_in_the_document(reset_report: ReportInBrowser) -> None:
    report = reset_report
    assert report.numbers() == list(range(1, PAGE + 1))
    assert turn(report, "Next") == "Page 2 of 4"
    assert report.numbers() == list(range(PAGE + 1, 2 * PAGE + 1))
    assert turn(report, "Last") == "Page 4 of 4"
    assert report.numbers() == list(range(3 * PAGE + 1, SIZE + 1))
    bar = report.page.locator("nav.pager").first
    assert [bar.get_by_role("button", name=name).is_enabled() for name in ("First", "Previous", "Next", "Last")] == [
        True,
        True,
        False,
        False,
    ]
    assert turn(report, "Previous") == "Page 3 of 4"
    assert turn(report, "First") == "Page 1 of 4"
    assert report.numbers() == list(range(1, PAGE + 1))


def test_one_page_needs_no_pager(report: ReportInBrowser) -> None:
    report.ask("#sentences?q=lonely")
    assert report.page.locator("nav.pager").first.is_hidden()


def test_keys_go_through_sentences_and_over_pages(reset_report: ReportInBrowser) -> None:
    report = reset_report
    report.page.locator("h1").click()
    press(report, "j", 1)
    press(report, "j", 2)
    press(report, "k", 1)
    report.page.keyboard.press("k")
    assert current(report) == 1
    report.ask(f"#sentences?at={PAGE}")
    assert current(report) == PAGE
    press(report, "j", PAGE + 1)
    assert report.numbers()[0] == PAGE + 1
    press(report, "k", PAGE)
    assert report.numbers()[0] == 1


def test_arrows_go_through_the_list_and_focus_follows(reset_report: ReportInBrowser) -> None:
    report = reset_report
    report.ask("#sentences?system=eager&outcome=wrong")
    numbers = report.numbers()
    press(report, "j", numbers[0])
    press(report, "ArrowDown", numbers[1])
    press(report, "ArrowDown", numbers[2])
    press(report, "ArrowUp", numbers[1])
    assert report.page.evaluate("document.activeElement.dataset.number") == str(numbers[1])


def test_a_slash_searches_and_letters_in_a_field_are_letters(reset_report: ReportInBrowser) -> None:
    report = reset_report
    report.page.locator("h1").click()
    report.page.keyboard.press("/")
    field = report.page.get_by_label("Search in source and outputs")
    assert field.evaluate("(field) => field === document.activeElement")
    assert field.input_value() == ""
    with report.changing():
        report.page.keyboard.type("jk/")
    assert field.input_value() == "jk/"
    assert current(report) is None
    report.page.keyboard.press("Escape")


def test_keys_can_be_switched_off(reset_report: ReportInBrowser) -> None:
    report = reset_report
    report.page.locator("details.keys summary").click()
    box = report.page.get_by_label("Use these keys")
    box.uncheck()
    report.page.locator("h1").click()
    report.page.keyboard.press("j")
    report.page.keyboard.press("/")
    assert report.page.evaluate("document.activeElement.localName") == "body"
    assert current(report) is None
    box.check()
    report.page.locator("details.keys summary").click()


def test_the_address_is_a_link_to_exactly_this_view(reset_report: ReportInBrowser) -> None:
    report = reset_report
    form = report.page.locator("form.controls")
    with report.changing():
        form.get_by_role("combobox", name="System", exact=True).select_option("rewriter")
    with report.changing():
        form.get_by_label("missed", exact=True).check()
    with report.changing():
        form.get_by_role("combobox", name="Sort by").select_option("length")
    with report.changing():
        report.page.locator("nav.pager").first.get_by_role("button", name="Next").click()
    shown = report.cards()
    report.page.wait_for_url("**at=*")
    address = report.fragment()
    assert address == f"sentences?system=rewriter&outcome=missed&sort=length&at={shown[0]['number']}"
    another = report.open_another(f"#{address}")
    assert report.cards(another) == shown
    assert another.locator("article[aria-current=true]").get_attribute("data-number") == str(shown[0]["number"])
    place = another.locator("article[aria-current=true]").bounding_box()
    assert place is not None
    assert -place["height"] < place["y"] < 900
    another.close()


def test_a_sentence_has_a_link_to_itself(reset_report: ReportInBrowser) -> None:
    report = reset_report
    report.ask("#sentences?outcome=wrong&system=eager")
    number = report.numbers()[2]
    link = report.page.locator(f'article.card[data-number="{number}"] h3 a')
    assert link.get_attribute("href") == f"#sentences?system=eager&outcome=wrong&at={number}"
    with report.changing():
        link.click()
    assert (current(report), report.fragment()) == (number, f"sentences?system=eager&outcome=wrong&at={number}")


def test_the_way_back_leads_to_the_view_before(reset_report: ReportInBrowser) -> None:
    report = reset_report
    before = report.numbers()
    link = report.page.locator("#edits .digest table.right a").first
    with report.changing():
        link.click()
    found = report.numbers()
    assert found != before
    with report.changing():
        report.page.go_back()
    assert report.numbers() == before
    with report.changing():
        report.page.go_forward()
    assert report.numbers() == found


def test_what_an_address_asks_for_in_vain_is_said(report: ReportInBrowser) -> None:
    report.ask("#sentences?system=nobody&sort=beauty&metric=bleu&at=999")
    status = report.status()
    for complaint in ("no system “nobody”", "no order “beauty”", "no metric “bleu”", "Sentence 999 is not in this page"):
        assert complaint in status
    report.ask("#sentences?q=%E0%A4%A&at=x&outcome=good")
    assert report.status().startswith(f"{0} of {SIZE}")


def test_sections_are_reached_without_a_change_of_sentences(reset_report: ReportInBrowser) -> None:
    report = reset_report
    report.ask("#sentences?q=lonely")
    shown = report.numbers()
    for name in ("Scores", "Differences", "Types", "Edits", "Charts", "How this was made"):
        report.page.get_by_role("navigation", name="Sections").get_by_role("link", name=name).click()
    assert report.page.locator("#making").evaluate("(section) => section.getBoundingClientRect().top < innerHeight")
    assert report.numbers() == shown


@pytest.fixture
def long_page(tmp_path: Path, chromium: Browser) -> Iterator[ReportInBrowser]:
    """A report of 3,000 sentences in twelve blocks."""
    source = [f"sentence {number} has {'many ' * (number % 5)}word" for number in range(3000)]
    (tmp_path / "gold.m2").write_text("".join(f"S {line}\nA 0 1|||T|||Sentence|||REQUIRED|||-NONE-|||0\n\n" for line in source))
    (tmp_path / "one.txt").write_text("".join(f"{line}s\n" for line in source))
    settings = ("--replicates", "100", "--tagger", "none")
    opened = ReportInBrowser(chromium, write_report(tmp_path / "long.html", tmp_path / "gold.m2", tmp_path / "one.txt", *settings))
    yield opened
    opened.check_silence()
    opened.close()


def test_a_page_of_many_blocks(long_page: ReportInBrowser) -> None:
    report = long_page
    assert report.page.locator("article.card").count() == PAGE
    report.ask("#sentences?q=sentence%202999")
    assert (report.numbers(), report.status()) == ([3000], "1 of 3,000 sentences.")
    report.ask("#sentences?at=2500")
    assert 2500 in report.numbers()
    assert report.page.locator("nav.pager .where").first.inner_text() == "Page 125 of 150"
    with report.changing():
        report.page.locator("h1").click()
        report.page.evaluate("history.pushState(null, '', '#sentences?q=many&sort=length') ?? dispatchEvent(new PopStateEvent('popstate'))")
        report.page.keyboard.press("Escape")
    assert report.status().endswith("sentences.")
