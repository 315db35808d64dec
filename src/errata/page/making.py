"""How a report was made: command, versions, data and warnings, and its numbers to download."""

from __future__ import annotations

import hashlib
import platform
from base64 import b64encode
from typing import TYPE_CHECKING

from errata.html import Html, element
from errata.page.downloads import make_csv, make_json
from errata.page.html import name_of
from errata.scoring.scores import describe_gold
from errata.version import __version__

if TYPE_CHECKING:
    from errata.corpus.corpus import System
    from errata.page.report import Report


def make_making(report: Report) -> Html:
    """Make the section."""
    from errata import core

    rows = [
        ("Command", element("code", report.command) if report.command else None),
        ("Versions", f"errata {__version__} ({core.NAME} core), Python {platform.python_version()}"),
        ("Gold", describe_gold(report.corpus)),
        ("Intervals and tests", report.main.how),
        ("Edits", _describe_edits(report)),
        ("Sentences in this page", report.sampled or f"all {len(report.shown):,}"),
    ]
    facts = [part for name, value in rows if value for part in (element("dt", name), element("dd", value))]
    systems = [
        element("tr", element("th", name_of(system.name), scope="row"), element("td", element("code", hash_system(system))))
        for system in report.systems
    ]
    head = element(
        "thead",
        element("tr", element("th", "System", scope="col"), element("th", "sha256 of its sentences (first 12 digits)", scope="col")),
    )
    table = element("table", element("caption", "The outputs, by content"), head, element("tbody", *systems))
    warnings = [element("h3", "Warnings"), element("ul", *(element("li", line) for line in report.warnings))] if report.warnings else []
    return element(
        "section",
        element("h2", "How this was made"),
        element("dl", *facts),
        element("div", table, class_="scroll", tabindex=0, role="region", aria_label="The outputs, by content"),
        *warnings,
        element("h3", "Download"),
        element("p", _offer(make_json(report), "application/json", "report.json"), " ", _offer(make_csv(report), "text/csv", "scores.csv")),
        element(
            "p",
            "JSON has scores, tests, types and the 100 most frequent edits of each outcome; CSV has the scores. Both are inside this page.",
            class_="note",
        ),
        id="making",
    )


def _describe_edits(report: Report) -> str:
    if report.judged is None:
        return "not judged, because gold has no references"
    reason = ", because no metric of this report judges edits" if report.judged.is_extra else ""
    return f"judged by {report.judged.scores[0].metric.signature}{reason}"


def hash_system(system: System) -> str:
    """Hash the sentences of a system, by content."""
    content = "\n".join(" ".join(tokens) for tokens in system.sentences)
    return hashlib.sha256(content.encode("utf-8", "backslashreplace")).hexdigest()[:12]


def _offer(content: str, kind: str, name: str) -> Html:
    encoded = b64encode(content.encode("utf-8", "backslashreplace")).decode("ascii")
    return element("a", name, href=f"data:{kind};charset=utf-8;base64,{encoded}", download=name)
