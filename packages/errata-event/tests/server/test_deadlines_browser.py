"""Deadlines in a browser: forms that are sent after the deadline, and instants across a change of daylight saving."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from example_events import OUTPUTS, ExampleEvent, make_example_event
from pages_in_browser import find_faults, opened
from served_event import ServedEvent, serve_event

pytestmark = pytest.mark.slow
# In Europe/Berlin, clocks go from 02:00 to 03:00 on 28 March 2027, and from 03:00 back to 02:00 on 31 October 2027.
_PHASES = """\
title = "Nights of the change"
timezone = "Europe/Berlin"
metrics = ["maxmatch"]
confidence = false

[[phases]]
name = "spring"
gold = "gold.m2"
opens = "2027-03-27 20:00"
closes = "2027-03-28 04:00"
gold_visible = "closed"

[[phases]]
name = "answers"
kind = "alternatives"
about = "spring"
opens = "2027-03-28 12:00"
closes = "2027-03-30 12:00"
pool = false

[[phases]]
name = "autumn"
gold = "gold.m2"
opens = "2027-10-30 20:00"
closes = "2027-10-31 02:30 UTC"
"""
_SECOND, _HOUR = timedelta(seconds=1), timedelta(hours=1)
_SPRING = datetime(2027, 3, 28, 2, tzinfo=UTC)
"""When ``spring`` closes: 04:00, one hour after clocks went forward."""
_ANSWERS = datetime(2027, 3, 30, 10, tzinfo=UTC)
_AUTUMN = datetime(2027, 10, 31, 2, 30, tzinfo=UTC)
"""When ``autumn`` closes: 03:30, one hour and a half after clocks showed 03:00 for the first time."""
_NIGHTS = (("Spring", _SPRING, "2027-03-28 04:00 CEST (UTC+02:00)"), ("Autumn", _AUTUMN, "2027-10-31 03:30 CET (UTC+01:00)"))
_DESCRIPTION = 'Ten <b>words</b> & "quotes" that nobody wants to type again'


@dataclass
class Night:
    """A server whose clock is set, and the page of a team."""

    example: ExampleEvent
    server: ServedEvent
    page: Page
    token: str

    def open(self, path: str, now: datetime) -> None:
        """Log in and open a page."""
        self.server.set_clock(now)
        self.page.goto("/login")
        if (field := self.page.get_by_label("Token")).count():
            field.fill(self.token)
            self.page.get_by_role("button", name="Log in").click()
        self.page.goto(path)

    def fill_in(self, phase: str, now: datetime) -> None:
        """Open the page of a phase, choose a file and describe it."""
        self.open(f"/team/phases/{phase.lower()}", now)
        self.page.get_by_label(f"Output for {phase}").set_input_files(
            {"name": "x.txt", "mimeType": "text/plain", "buffer": OUTPUTS["eager"]}
        )
        self.page.get_by_label("Description").fill(_DESCRIPTION)

    def send(self, now: datetime) -> None:
        """Send it."""
        self.server.set_clock(now)
        self.page.get_by_role("button", name="Submit").click()

    def main(self) -> str:
        """What the page says."""
        return self.page.get_by_role("main").inner_text()


@pytest.fixture
def night(tmp_path: Path, chromium: Browser) -> Iterator[Night]:
    with ExitStack() as stack:
        example = make_example_event(tmp_path, _PHASES, None, "2027-03-27 18:00 UTC")
        stack.callback(example.event.close)
        token = example.add_with_token("Alpha")[1]
        server = stack.enter_context(serve_event(example.data, None, example.clock.now))
        context = stack.enter_context(opened(chromium, server, bypass_csp=True))  # axe is a script of its own
        yield Night(example, server, context.new_page(), token)
        assert server.log == ""


@pytest.mark.parametrize(("phase", "closes", "shown"), _NIGHTS)
def test_a_form_that_is_sent_after_the_deadline_is_refused_and_nothing_is_lost(
    night: Night, phase: str, closes: datetime, shown: str
) -> None:
    night.fill_in(phase, closes - 3 * _HOUR)
    assert f"Closes {shown}" in night.main()
    night.send(closes)
    expect(night.page.get_by_role("alert")).to_contain_text("The upload was refused")
    said = night.page.get_by_role("alert").inner_text()
    assert f"closed at {shown}" in said
    assert night.page.get_by_label("Description").input_value() == _DESCRIPTION
    assert night.page.get_by_role("button", name="Submit").count() == 0
    assert "Nothing was submitted." in night.main()
    assert find_faults(night.page) == []


def test_the_last_second_counts(night: Night) -> None:
    night.fill_in("Spring", _SPRING - 3 * _HOUR)
    night.send(_SPRING - _SECOND)
    expect(night.page.get_by_role("status")).to_contain_text("Accepted as submission 1")
    assert "2027-03-28 03:59:59 CEST (UTC+02:00)" in night.main()


def test_a_form_that_is_sent_when_the_limit_is_reached_loses_nothing(night: Night) -> None:
    night.example.write(_PHASES.replace('gold_visible = "closed"', 'gold_visible = "closed"\nper_phase = 1'))
    night.example.event.update(str(night.example.folder / "event.toml"))
    night.fill_in("Spring", _SPRING - 3 * _HOUR)
    with night.page.context.new_page() as other:
        other.goto("/team/phases/spring")
        other.get_by_label("Output for Spring").set_input_files({"name": "y.txt", "mimeType": "text/plain", "buffer": OUTPUTS["cautious"]})
        other.get_by_role("button", name="Submit").click()
        expect(other.get_by_role("status")).to_contain_text("Accepted as submission 1")
    night.send(_SPRING - 2 * _HOUR)
    expect(night.page.get_by_role("alert")).to_contain_text("This phase accepts 1 submission of a team")
    assert night.page.get_by_label("Description").input_value() == _DESCRIPTION


def test_what_is_shown_and_what_is_done_agree_across_the_change(night: Night) -> None:
    for phase, closes, shown in _NIGHTS:
        for now, stage in ((closes - 2 * _HOUR, "open"), (closes - _SECOND, "open"), (closes, "closed")):
            night.server.set_clock(now)
            night.page.goto(f"/phases/{phase.lower()}")
            night.page.reload()  # the browser has kept it for the seconds that pass on its own clock only
            assert shown in night.main()
            assert night.page.get_by_role("heading", level=1).inner_text().split() == [phase, stage]
            assert (night.page.get_by_role("link", name="Submit in the browser").count() == 1) == (stage == "open")


def test_a_proposal_that_is_sent_after_the_deadline_is_shown_again(night: Night) -> None:
    night.open("/team/answers/answers/sentence?number=7", _ANSWERS - _HOUR)
    text = "Quite another sentence , which took long to write ."
    night.page.get_by_label("The sentence, corrected as you hold it to be right").fill(text)
    night.server.set_clock(_ANSWERS)
    night.page.get_by_role("button", name="Propose this sentence").click()
    expect(night.page.get_by_role("alert")).to_contain_text("closed at 2027-03-30 12:00 CEST (UTC+02:00)")
    assert night.page.get_by_role("textbox", name="The sentence that you typed").input_value() == text
    assert find_faults(night.page) == []


def test_a_file_of_proposals_that_is_sent_after_the_deadline_is_refused_with_its_instant(night: Night) -> None:
    night.open("/team/answers/answers/file", _ANSWERS - _HOUR)
    night.page.get_by_label("File with the proposals").set_input_files(
        {"name": "x.txt", "mimeType": "text/plain", "buffer": OUTPUTS["eager"]}
    )
    night.server.set_clock(_ANSWERS)
    night.page.get_by_role("button", name="Propose").click()
    expect(night.page.get_by_role("alert")).to_contain_text("closed at 2027-03-30 12:00 CEST (UTC+02:00)")
    assert find_faults(night.page) == []
