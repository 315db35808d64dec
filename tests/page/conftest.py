from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from learner_report import ASKED, GOLD, STATISTICS, SYSTEMS, Numbers, read_numbers, write_report
from report_contents import ReportContents
from report_in_browser import ReportInBrowser


@pytest.fixture(scope="session")
def learner_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the example corpus, three systems and three metrics."""
    return write_report(tmp_path_factory.mktemp("report") / "report.html", GOLD, *SYSTEMS, *ASKED, *STATISTICS, charts=True)


@pytest.fixture(scope="session")
def contents(learner_page: Path) -> ReportContents:
    """What is inside that report."""
    return ReportContents(learner_page)


@pytest.fixture(scope="session")
def numbers() -> Numbers:
    """The numbers of the same systems from the other commands."""
    return read_numbers()


@pytest.fixture(scope="module")
def shared_report(chromium: Browser, learner_page: Path) -> Iterator[ReportInBrowser]:
    """The report of the example corpus, opened once for the tests of a module."""
    opened = ReportInBrowser(chromium, learner_page)
    yield opened
    opened.close()


@pytest.fixture
def report(shared_report: ReportInBrowser) -> Iterator[ReportInBrowser]:
    """The report; a test in which it said or asked for anything fails."""
    yield shared_report
    shared_report.check_silence()


@pytest.fixture
def reset_report(report: ReportInBrowser) -> ReportInBrowser:
    """The report, with all sentences and no baseline."""
    report.ask("#sentences?")
    return report
