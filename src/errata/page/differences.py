"""Differences of systems: a matrix of paired tests, every pair with its interval, and what one system corrects and the other does not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.html import Html, element
from errata.page.html import link_to_sentences, name_of
from errata.page.leaderboard import name_metric
from errata.report.table import Column
from errata.report.tables.comparisons import describe_pairs, show_difference, show_pair, shown_p
from errata.stats.bootstrap import format_level
from errata.stats.comparison import find_different

if TYPE_CHECKING:
    from errata.metrics.views import EditOutcome
    from errata.page.report import JudgedSystems, RankedSystems, Report
    from errata.stats import Comparison

_EXPLAINED = (
    "Above the diagonal: the score of the row minus that of the column, with a link to the sentences in which the row is better. "
    "Below the diagonal: corrected p-values. Significant differences are bold and have a star."
)

_BOUND = "≤: the smallest corrected p-value that is possible with this number of replicates and pairs."


def make_differences(report: Report) -> Html:
    """Make the section."""
    if len(report.systems) == 1:
        shown = [element("p", "There is only one system, so there is nothing to compare.")]
    else:
        shown = [part for ranking in report.rankings for part in _describe(ranking, report)]
        shown.append(element("div", id="pair"))
    return element("section", element("h2", "Differences"), *shown, id="differences")


def _describe(ranking: RankedSystems, report: Report) -> list[Html]:
    title = element("h3", name_metric(ranking.metric, report))
    if not ranking.comparisons:
        return [title, element("p", ranking.how)]
    if len(ranking.scores) == 2:  # noqa: PLR2004 - one pair
        return [title, _describe_pair(ranking, report), _list_pairs(ranking, report)]
    bound = [_BOUND] if any(item.corrected_p_is_bound for item in ranking.comparisons) else []
    notes = [element("p", note, class_="note") for note in (_EXPLAINED, *bound)]
    return [title, _make_matrix(ranking, report), *notes, _list_pairs(ranking, report)]


def _describe_pair(ranking: RankedSystems, report: Report) -> Html:
    """Say in a sentence how two systems differ."""
    (item,) = _list_better_first(ranking, report)
    significant = find_different([item], report.testing.alpha)
    column = Column("", "percent")
    view = {"better": item.first, "than": item.second, "metric": str(ranking.metric), "sort": "gap", "order": "desc"}
    return element(
        "p",
        element("strong", name_of(item.first)),
        " minus ",
        element("strong", name_of(item.second)),
        ": ",
        element("strong", show_difference(item, item.first), class_="difference"),
        f" {ranking.metric.label}, {format_level(report.bootstrap.level)} interval [{column.shown(item.low)}, {column.shown(item.high)}], ",
        f"p {_write_p(item)}. The difference is {'significant' if significant else 'not significant'}. ",
        link_to_sentences("Sentences in which the first is better", view),
        class_="verdict",
    )


def _write_p(item: Comparison) -> str:
    shown = shown_p(item.corrected_p, bound=item.corrected_p_is_bound)
    return shown if shown[0] in "<≤" else f"= {shown}"


def _list_better_first(ranking: RankedSystems, report: Report) -> list[Comparison]:
    """List the comparisons, the better system first in each, in the order of the scores."""
    place = {report.names[index]: number for number, index in enumerate(ranking.order)}
    turned = [item if place[item.first] < place[item.second] else item.turn() for item in ranking.comparisons]
    return sorted(turned, key=lambda item: (place[item.first], place[item.second]))


def _make_matrix(ranking: RankedSystems, report: Report) -> Html:
    pairs = {frozenset((item.first, item.second)): item for item in ranking.comparisons}
    different = find_different(ranking.comparisons, report.testing.alpha)
    names = [report.names[index] for index in ranking.order]
    heads = [element("th", str(number), scope="col") for number in range(1, len(names) + 1)]
    rows = []
    for number, name in enumerate(names):
        cells = []
        for place, other in enumerate(names):
            if place == number:
                cells.append(element("td", class_="diagonal"))
                continue
            pair = frozenset((name, other))
            item = pairs[pair]
            star = "*" if pair in different else None
            shown: Html | str = shown_p(item.corrected_p, bound=item.corrected_p_is_bound)
            if number < place:
                view = {
                    "better": name,
                    "than": other,
                    "metric": str(ranking.metric),
                    "sort": "gap",
                    "order": "desc",
                    "shown": [name, other],
                }
                shown = link_to_sentences(show_difference(item, name), view)
            cells.append(element("td", shown, star, class_="number significant" if star else "number"))
        rows.append(element("tr", element("td", str(number + 1), class_="number"), element("th", name_of(name), scope="row"), *cells))
    caption = f"{ranking.metric}: differences of {ranking.metric.label}, times 100, and corrected p-values"
    head = element("tr", element("th", "No.", scope="col"), element("th", "System", scope="col"), *heads)
    table = element("table", element("caption", caption), element("thead", head), element("tbody", *rows), class_="matrix")
    return element("div", table, class_="scroll", tabindex=0, role="region", aria_label=caption)


def _list_pairs(ranking: RankedSystems, report: Report) -> Html:
    comparisons = _list_better_first(ranking, report)
    columns, notes = describe_pairs(comparisons, report.bootstrap, report.testing.test)
    heads = [element("th", column.name, scope="col", data_sort="text" if column.kind == "text" else "number") for column in columns]
    rows = [
        element("tr", *(_pair_cell(column, cell) for column, cell in zip(columns, show_pair(item), strict=True))) for item in comparisons
    ]
    table = element("table", element("thead", element("tr", *heads)), element("tbody", *rows), class_="sortable")
    scroll = element("div", table, class_="scroll", tabindex=0, role="region", aria_label=f"Every pair of systems, {ranking.metric}")
    return element("details", element("summary", "Every pair"), scroll, *(element("p", note, class_="note") for note in notes))


def _pair_cell(column: Column, cell: object) -> Html:
    if column.kind == "text":
        return element("td", name_of(str(cell)))
    shown = cell if isinstance(cell, str) else column.shown(cell)  # type: ignore[arg-type]
    value = cell.lstrip("≤<") if isinstance(cell, str) else repr(cell) if cell is not None else None
    return element("td", shown, class_="number", data_value=value)


def count_exclusive(judged: JudgedSystems, outcome: EditOutcome) -> dict[str, list[list[int]]]:
    """Count the edits with an outcome that one system has and another has not: for each type, system and other system."""
    owners: dict[tuple[int, int, int, str], dict[int, str]] = {}
    for system, sentences in enumerate(judged.edits):
        for index, edits in enumerate(sentences):
            for edit in edits:
                if edit.outcome == outcome:
                    owners.setdefault((index, edit.start, edit.end, edit.corrections[0]), {})[system] = edit.type or ""
    systems = range(len(judged.edits))
    tables: dict[str, list[list[int]]] = {}
    for owned, count in Counter(tuple(own.items()) for own in owners.values()).items():
        having = dict(owned)
        for system, name in owned:
            table = tables.setdefault(name, [[0] * len(systems) for _ in systems])
            for other in systems:
                if other not in having:
                    table[system][other] += count
    return dict(sorted(tables.items()))
