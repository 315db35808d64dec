"""The leaderboard: systems with their scores, intervals drawn as bars, and letters that systems share if they do not differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.html import Html, element
from errata.page.html import name_of
from errata.page.numbers import number_cell
from errata.report.table import Column, is_undefined
from errata.report.tables.parts import PartColumns
from errata.report.tables.scores import shown_interval
from errata.stats.bootstrap import format_level

if TYPE_CHECKING:
    from errata.metrics import Metric
    from errata.page.report import RankedSystems, Report
    from errata.stats import Interval

_WIDTH, _HEIGHT = 200, 16
_SHARED = "Systems that share a letter are not significantly different."
_NO_LETTERS = "There are too many groups of systems that do not differ, so they have no letters; the table of differences has every pair."


def make_leaderboard(report: Report) -> Html:
    """Make the section: all metrics side by side if there are several, and a table with the parts of each."""
    several = len(report.rankings) > 1
    overview = [element("h3", "All metrics"), _make_overview(report)] if several else []
    tables = [part for ranking in report.rankings for part in _describe(ranking, report)]
    return element("section", element("h2", "Scores"), *overview, *tables, id="leaderboard")


def _make_overview(report: Report) -> Html:
    heads = [element("th", element("code", str(ranking.metric)), scope="col", data_sort="number") for ranking in report.rankings]
    rows = []
    for index in report.main.order:
        cells = []
        for number, ranking in enumerate(report.rankings):
            letters = element("sup", ranking.letters[index], class_="letters") if ranking.letters is not None else None
            cells.append(number_cell(ranking.scores[index].value, f"overview/{number}", index, after=letters))
        rows.append(element("tr", _name_cell(report.names[index], index), *cells, data_system=index))
    head = element("tr", element("th", "System", scope="col", data_sort="text"), *heads)
    return _table("Every metric, times 100. Letters: systems that share one are not significantly different by this metric.", head, rows)


def _describe(ranking: RankedSystems, report: Report) -> list[Html]:
    """The heading of a metric, its table and what should be known about it."""
    metric, is_one = ranking.metric, len(ranking.scores) == 1
    letters = None if is_one else ranking.letters
    parts = PartColumns(ranking.scores)
    columns = parts.columns()
    level = format_level(ranking.intervals[0].bootstrap.level)
    heads = [
        None if is_one else element("th", "Rank", scope="col", data_sort="number"),
        element("th", "System", scope="col", data_sort="text"),
        *(element("th", column.name, scope="col", data_sort="number") for column in columns),
        element("th", metric.label, scope="col", data_sort="number"),
        element("th", "Letters", scope="col", data_sort="text") if letters is not None else None,
        element("th", f"{level} interval", scope="col", colspan=2),
    ]
    bars = Bars(ranking)
    rows = []
    for index in ranking.order:
        score = ranking.scores[index]
        cells = [
            number_cell(cell, f"{metric}/{column.key}", index, column) for column, cell in zip(columns, parts.cells(score), strict=True)
        ]
        rows.append(
            element(
                "tr",
                None if is_one else element("td", str(ranking.ranks[index]), class_="number", data_value=ranking.ranks[index]),
                _name_cell(score.system_name, index),
                *cells,
                number_cell(score.value, f"{metric}/value", index, classes="main"),
                element("td", letters[index], class_="letters") if letters is not None else None,
                element("td", bars.draw(index, level), class_="interval"),
                element("td", shown_interval(ranking.intervals[index]), class_="number"),
                data_system=index,
            )
        )
    lines = dict.fromkeys(f"{score.signature}{report.signed}" for score in ranking.scores)
    signatures = [element("p", element("code", line), class_="signature") for line in lines]
    shared = "" if is_one or not ranking.comparisons else _SHARED if letters is not None else _NO_LETTERS
    notes = [shared, metric.explanation, metric.columns_explained]
    return [
        element("h3", name_metric(metric, report)),
        _table(f"{metric}{'' if is_one else ': the best system first'}. Scores are times 100.", element("tr", *heads), rows),
        *(element("p", note, class_="note") for note in notes if note),
        element("p", str(ranking.intervals[0].bootstrap) if is_one and ranking.has_intervals else ranking.how, class_="note"),
        *signatures,
    ]


def name_metric(metric: Metric, report: Report) -> str:
    """Name a metric in a heading; if several have the same name, with its settings."""
    title = metric.title or metric.name
    titles = [ranking.metric.title or ranking.metric.name for ranking in report.rankings]
    return f"{title}, {metric}" if titles.count(title) > 1 else title


def _table(caption: str, head: Html, rows: list[Html]) -> Html:
    table = element("table", element("caption", caption), element("thead", head), element("tbody", *rows), class_="sortable")
    return element("div", table, class_="scroll", tabindex=0, role="region", aria_label=caption)


def _name_cell(name: str, index: int) -> Html:
    return element("th", name_of(name), scope="row", class_="system", data_system=index)


class Bars:
    """Intervals as bars on one scale, from the lowest end to the highest."""

    def __init__(self, ranking: RankedSystems) -> None:
        self._ranking = ranking
        ends = [end for item in ranking.intervals for end in (item.low, item.high)] + [score.value for score in ranking.scores]
        known = [end for end in ends if not is_undefined(end)]
        self._low, self._high = (min(known), max(known)) if known else (0.0, 1.0)

    def draw(self, index: int, level: str) -> Html:
        """Draw the interval of a system, with its value as a mark."""
        interval, value = self._ranking.intervals[index], self._ranking.scores[index].value
        if is_undefined(value) or is_undefined(interval.low):
            return Html("–")
        low, at, high = (self._find_position(end) for end in (interval.low, value, interval.high))
        shapes = [
            element("line", x1=0, x2=_WIDTH, y1=_HEIGHT / 2, y2=_HEIGHT / 2, class_="axis"),
            element("rect", x=low, y=_HEIGHT / 2 - 3, width=max(round(high - low, 1), 1.0), height=6, rx=3, class_="range"),
            element("circle", cx=at, cy=_HEIGHT / 2, r=4, class_="value"),
        ]
        label = f"{level} interval {_describe_interval(interval)}"
        return element("svg", *shapes, class_="bar", viewBox=f"-5 0 {_WIDTH + 10} {_HEIGHT}", role="img", aria_label=label)

    def _find_position(self, value: float) -> float:
        spread = self._high - self._low
        return round(_WIDTH * (value - self._low) / spread, 1) if spread else _WIDTH / 2


def _describe_interval(interval: Interval) -> str:
    shown = [Column("", "percent").shown(end) for end in (interval.low, interval.high)]
    return f"from {shown[0]} to {shown[1]}"
