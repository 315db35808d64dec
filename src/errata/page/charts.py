"""Charts, drawn as inline SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.page.html import Html, element

if TYPE_CHECKING:
    from errata.page.report import Report


def make_charts(report: Report) -> Html:
    """Make the section."""
    del report
    return element("section", element("h2", "Charts"), id="charts")
