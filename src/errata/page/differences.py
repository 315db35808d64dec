"""Differences of systems: a matrix of paired tests, every pair with its interval, and what one system corrects and the other does not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.page.html import Html, element, link_to_sentences, name_of
from errata.report.tables.comparisons import describe_pairs, show_difference, show_pair, shown_p
from errata.stats.comparison import find_different

if TYPE_CHECKING:
    from errata.page.report import JudgedSystems, RankedSystems, Report
    from errata.report.table import Column

_EXPLAINED = (
    "Above the diagonal: the score of the row minus that of the column, with a link to the sentences in which the row is better. "
    "Below the diagonal: corrected p-values. Significant differences are bold and have a star."
)


def make_differences(report: Report) -> Html:
    """Make the section."""
    if len(report.systems) == 1:
        shown = [element("p", "There is only one system, so there is nothing to compare.")]
    else:
        shown = [part for ranking in report.rankings for part in _describe(ranking, report)]
        shown.append(element("div", id="pair"))
    return element("section", element("h2", "Differences"), *shown, id="differences")


def _describe(ranking: RankedSystems, report: Report) -> list[Html]:
    title = ranking.metric.title or ranking.metric.name
    return [element("h3", title), _make_matrix(ranking, report), element("p", _EXPLAINED, class_="note"), _list_pairs(ranking, report)]


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
                view = {"better": name, "than": other, "metric": str(ranking.metric), "sort": "gap", "order": "desc"}
                shown = link_to_sentences(show_difference(item, name), view)
            cells.append(element("td", shown, star, class_="number significant" if star else "number"))
        rows.append(element("tr", element("td", str(number + 1), class_="number"), element("th", name_of(name), scope="row"), *cells))
    caption = f"{ranking.metric}: differences of {ranking.metric.label}, times 100, and corrected p-values"
    head = element("tr", element("th", "No.", scope="col"), element("th", "System", scope="col"), *heads)
    table = element("table", element("caption", caption), element("thead", head), element("tbody", *rows), class_="matrix")
    return element("div", table, class_="scroll", tabindex=0, role="region", aria_label=caption)


def _list_pairs(ranking: RankedSystems, report: Report) -> Html:
    columns, notes = describe_pairs(ranking.comparisons, report.bootstrap, report.testing.test)
    heads = [element("th", column.name, scope="col", data_sort="text" if column.kind == "text" else "number") for column in columns]
    rows = [
        element("tr", *(_pair_cell(column, cell) for column, cell in zip(columns, show_pair(item), strict=True)))
        for item in ranking.comparisons
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


def count_exclusive(judged: JudgedSystems) -> dict[str, list[list[int]]]:
    """Count the edits that one system makes rightly and another does not: for each type, system and other system."""
    masks: dict[tuple[int, int, int, str], tuple[int, str]] = {}
    for number, sentences in enumerate(judged.edits):
        for index, edits in enumerate(sentences):
            for edit in edits:
                if edit.outcome == "right":
                    key = (index, edit.start, edit.end, edit.corrections[0])
                    known, name = masks.get(key, (0, edit.type or ""))
                    masks[key] = (known | 1 << number, name)
    systems = range(len(judged.edits))
    result: dict[str, list[list[int]]] = {}
    for (mask, name), count in sorted(Counter(masks.values()).items(), key=lambda item: item[0][1]):
        table = result.setdefault(name, [[0] * len(systems) for _ in systems])
        for one in systems:
            for other in systems:
                if mask >> one & 1 and not mask >> other & 1:
                    table[one][other] += count
    return result
