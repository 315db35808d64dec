"""Charts, drawn as inline SVG, which can be read without a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.html import Html, element
from errata.report.charts.libraries import explain_missing_charts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.page.report import Report


def make_charts(report: Report, figures: Sequence[Html]) -> Html:
    """Make the section; without the libraries that draw it says what to install."""
    if report.drawer is None or (missing := explain_missing_charts()):
        reason = f"No charts: {missing}." if report.drawer is not None else "This page was made without charts."
        return element("section", element("h2", "Charts"), element("p", reason), id="charts")
    return element("section", element("h2", "Charts"), *figures, id="charts")


def collect_figures(report: Report) -> tuple[list[Html], list[Html]]:
    """Collect all charts: those of scores, and those about people; none if they cannot be drawn."""
    if report.drawer is None or explain_missing_charts():
        return [], []
    figures = []
    for drawing, svg, reason in report.drawer.collect():
        caption = element("figcaption", drawing.title)
        shown = element("p", f"Not drawn: {reason}.") if reason else Html(svg)
        scroll = element("div", shown, class_="scroll", tabindex=0, role="region", aria_label=drawing.title)
        figures.append(element("figure", caption, scroll))
    about_people = len(report.people.drawings) if report.people is not None else 0
    first = len(figures) - about_people
    return figures[:first], figures[first:]
