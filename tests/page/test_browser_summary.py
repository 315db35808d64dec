"""What the summary of a page says of its edits: wrong edits of only one system, and types that are guesses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from learner_report import SIZE
from report_in_browser import ReportInBrowser

COUNTS = [[0, 0, 0], [1, 0, 4], [2, 3, 0]]


def change_summary(page: str, view: dict[str, Any], **changes: Any) -> str:
    """The page with other entries in its summary."""

    def change(found: re.Match[str]) -> str:
        summary = json.loads(found[2])
        summary.update(changes, view={**summary["view"], **view})
        return found[1] + json.dumps(summary).replace("<", "\\u003c") + found[3]

    return re.sub(r'(<script[^>]*id="summary"[^>]*>)(.*?)(</script>)', change, page, count=1, flags=re.DOTALL)


@pytest.fixture(scope="module")
def changed(chromium: Browser, learner_page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReportInBrowser]:
    """The report with counts of wrong edits, and types that are guesses."""
    path = tmp_path_factory.mktemp("changed") / "changed.html"
    exclusive = {"right": {"Vt": COUNTS}, "wrong": {"": COUNTS}}
    path.write_text(change_summary(learner_page.read_text("utf-8"), {"guessed": True}, exclusive=exclusive), "utf-8")
    report = ReportInBrowser(chromium, path)
    yield report
    report.check_silence()
    report.close()


def test_wrong_edits_of_only_one_are_counted_and_linked(changed: ReportInBrowser) -> None:
    pair = changed.page.locator("#pair")
    pair.get_by_label("One system").select_option("eager")
    pair.get_by_label("Another system").select_option("rewriter")
    rows = changed.texts(pair.locator("table"))
    heads = ["Type", "Right, only eager", "Right, only rewriter", "Wrong, only eager", "Wrong, only rewriter"]
    assert [[cell.strip("↕") for cell in row] for row in rows] == [
        heads,
        ["Vt", "4", "3", "0", "0"],
        ["no type", "0", "0", "4", "3"],
        ["All types", "4", "3", "4", "3"],
    ]
    with changed.changing():
        pair.locator("tfoot a").nth(3).click()
    assert changed.fragment() == "sentences?system=rewriter&outcome=wrong&without=eager&shown=rewriter,eager"
    assert "Only edits that eager does not make" in changed.page.locator("form.controls").inner_text()


def test_types_of_wrong_edits_are_guesses(changed: ReportInBrowser) -> None:
    changed.ask("#sentences?system=eager")
    edits = [edit for card in changed.all_cards() for row in card["systems"] for edit in row["edits"] if edit["type"]]
    assert {edit["type"].endswith("?") for edit in edits if edit["outcome"] == "wrong"} <= {True}
    assert {edit["type"].endswith("?") for edit in edits if edit["outcome"] != "wrong"} == {False}


def test_types_that_wrong_edits_have_are_named_if_none_has_the_one_asked_for(changed: ReportInBrowser) -> None:
    changed.ask("#sentences?system=eager&outcome=wrong")
    edits = [edit for card in changed.all_cards() for row in card["systems"] if 1 in row["systems"] for edit in row["edits"]]
    types = {(edit["type"] or "no type").rstrip("?") for edit in edits if edit["outcome"] == "wrong"}
    missing = next(name for name in ("Smod", "Wtone", "Srun", "Trans", "Vt") if name not in types)
    changed.ask(f"#sentences?system=eager&outcome=wrong&type={missing}")
    assert changed.status().startswith(f"0 of {SIZE} sentences.")
    assert f"Wrong edits of eager have only the types {', '.join(sorted(types))}, which are guessed" in changed.status()
