"""Sentences of characters and from right to left, in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from errata.cli import main

from report_in_browser import ReportInBrowser

ARABIC = "S ذهبت امس الى المدرسه .\nA 1 2|||Edit|||أمس|||REQUIRED|||-NONE-|||0\nA 2 3|||Edit|||إلى|||REQUIRED|||-NONE-|||0\n"


_PLACES = """[...document.querySelectorAll("#edits td del")].map((before) => {
  const [one, other] = [before, before.parentElement.querySelector("ins")].map((shown) => shown.getBoundingClientRect());
  return [before.textContent, one.right <= other.left];
})"""
"""The originals of counted edits, and whether each ends before its correction begins."""


def open_report(chromium: Browser, page: Path, *arguments: str) -> ReportInBrowser:
    assert main(["report", *arguments, "--replicates", "100", "--tagger", "none", "-q", "-o", str(page)]) == 0
    return ReportInBrowser(chromium, page)


@pytest.fixture(scope="module")
def chinese(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReportInBrowser]:
    page = tmp_path_factory.mktemp("chinese") / "page.html"
    opened = open_report(chromium, page, "examples/chinese/gold.m2", "examples/chinese/raw.txt", "--tokenise", "characters")
    yield opened
    opened.check_silence()
    opened.close()


@pytest.fixture(scope="module")
def arabic(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReportInBrowser]:
    folder = tmp_path_factory.mktemp("arabic")
    (folder / "gold.m2").write_text(ARABIC, encoding="utf-8")
    (folder / "out.txt").write_text("ذهبت أمس الى المدرسه .\n", encoding="utf-8")
    opened = open_report(chromium, folder / "page.html", str(folder / "gold.m2"), str(folder / "out.txt"))
    yield opened
    opened.check_silence()
    opened.close()


def test_characters_have_no_spaces_between_them(chinese: ReportInBrowser) -> None:
    chinese.page.locator("article.card").first.wait_for()
    sources = chinese.page.locator("article.card .row.source .text").all_text_contents()
    assert sources == ["我喜欢吃平果。", "昨天我去学校了，我很高兴兴。", "他有两个GPS。"]
    facts = chinese.page.locator("article.card .facts").all_text_contents()
    assert [text.split(" ")[0] for text in facts] == ["7", "14", "6"], "tokens stay what they are"


def test_counted_edits_show_the_original_on_the_left(arabic: ReportInBrowser) -> None:
    places = arabic.page.evaluate(_PLACES)
    assert sorted(places) == sorted([["امس", True], ["الى", True]])


def test_sentences_run_from_right_to_left(arabic: ReportInBrowser) -> None:
    source = arabic.page.locator("article.card .row.source .text").first
    source.wait_for()
    assert source.evaluate("(shown) => getComputedStyle(shown).direction") == "rtl"
    edit = arabic.page.locator("article.card .row.system .text .edit").first
    assert edit.evaluate(
        "(shown) => shown.querySelector('.before').getBoundingClientRect().left >= shown.querySelector('ins').getBoundingClientRect().right"
    )
