"""Error types: F, precision and recall of every system and type as a heat map with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.language.edit_types import MEMBERS
from errata.page.html import Html, element, join_html, link_to_sentences, name_of
from errata.page.numbers import number_cell
from errata.report.table import Column
from errata.report.tables.types import measure_type

if TYPE_CHECKING:
    from errata.page.html import View
    from errata.page.report import Report
    from errata.report.tables.types import TypedScore
    from errata.scoring.by_type import TypeCounts

_STEPS = 10
ALL, WITHOUT = "all", "(no type)"
_EXPLAINED = "–: wrong edits cannot be assigned to this type, or there is no edit of it. A number links to the sentences of its edits."


def make_types(report: Report) -> Html:
    """Make the section; types with most gold edits come first."""
    if not report.typed:
        reason = "None of the metrics shows gold edits with types, so there are no scores by type."
        return element("section", element("h2", "Error types"), element("p", reason), id="types")
    beta = report.typed[0].beta
    tables = [_make_table(report, *measure) for measure in ((f"F{beta:g}", 2, ""), ("Precision", 0, "wrong"), ("Recall", 1, "missed"))]
    notes = dict.fromkeys(item.note for item in report.typed if item.note)
    signatures = dict.fromkeys(f"{item.signature}{report.signed}" for item in report.typed)
    return element(
        "section",
        element("h2", "Error types"),
        element("p", f"Judged by {report.typed[0].score.metric}. {_EXPLAINED}", class_="note"),
        *(element("p", note, class_="note") for note in notes),
        *tables,
        *(element("p", element("code", line), class_="signature") for line in signatures),
        id="types",
    )


def _make_table(report: Report, title: str, measure: int, other: str) -> Html:
    order = report.main.order
    counts = [{item.type: item for item in typed.counts} for typed in report.typed]
    names = sorted({name for own in counts for name in own} - {ALL, WITHOUT}, key=lambda name: (-_count_gold(counts, name), name))
    rows = []
    owned = list(zip(report.typed, counts, strict=True))
    unknown = [name for name in names if all(_measure(typed, own.get(name), measure) is None for typed, own in owned)]
    for name in [*(name for name in names if name not in unknown), ALL]:
        cells = [_make_cell(report, index, counts[index].get(name), measure, other) for index in order]
        gold = [own[name].gold for own in counts if name in own]
        span = f"{min(gold):,}" if min(gold) == max(gold) else f"{min(gold):,}–{max(gold):,}"
        head = element("th", name if name != ALL else "All edits", scope="row")
        rows.append(element("tr", head, element("td", span, class_="number", data_value=max(gold)), *cells))
    heads = [element("th", name_of(report.names[index]), scope="col", data_sort="number", data_system=index) for index in order]
    first = [element("th", "Type", scope="col", data_sort="text"), element("th", "Gold", scope="col", data_sort="number")]
    caption = f"{title} by error type, times 100. Gold: edits in the references chosen for the systems."
    table = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *first, *heads)),
        element("tbody", *rows),
        class_="sortable heatmap",
    )
    scroll = element("div", table, class_="scroll", tabindex=0, role="region", aria_label=f"{title} by error type")
    without = _link_without_type(report, counts) if other == "wrong" else None
    note = element("p", f"Not shown, because their wrong edits are not known: {', '.join(unknown)}.", class_="note") if unknown else None
    return element("details", element("summary", title), scroll, note, without, open=True)


def _link_without_type(report: Report, counts: list[dict[str, TypeCounts]]) -> Html | None:
    """Say how many wrong edits of each system have no type, with links to them."""
    links: list[Html] = []
    for index in report.main.order:
        count = counts[index][WITHOUT].proposed if WITHOUT in counts[index] else 0
        if count:
            view: View = {"system": report.names[index], "outcome": "wrong", "type": [""]}
            links.append(join_html(", " if links else None, name_of(report.names[index]), " ", link_to_sentences(f"{count:,}", view)))
    return element("p", "Wrong edits without a type: ", *links, ".", class_="note") if links else None


def _measure(typed: TypedScore, counts: TypeCounts | None, measure: int) -> float | None:
    return measure_type(counts, typed.beta)[measure] if counts is not None else None


def _count_gold(counts: list[dict[str, TypeCounts]], name: str) -> int:
    return max(own[name].gold for own in counts if name in own)


def _make_cell(report: Report, index: int, counts: TypeCounts | None, measure: int, other: str) -> Html:
    value = _measure(report.typed[index], counts, measure)
    if counts is None or value is None:
        return element("td", "–", class_="number heat none", data_system=index)
    of = {0: counts.proposed, 1: counts.gold}.get(measure)
    types = [] if counts.type == ALL else [*MEMBERS.get(counts.type, ()), counts.type]
    view: View = {"system": report.names[index], "outcome": ["right", other] if other else [], "type": types}
    share = element("small", f"{counts.matched:,}/{of:,}") if of is not None else None
    classes = f"heat h{min(_STEPS, max(0, round(_STEPS * value)))}"
    key, column = f"types/{measure}/{counts.type}", Column("", "percent", digits=1)
    return number_cell(value, key, index, column, classes=classes, after=share, view=view)
