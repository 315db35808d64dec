"""Error types: F, precision and recall of every system and type as a heat map with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.html import Html, element, join_html
from errata.language.types import MEMBERS
from errata.page.html import link_to_sentences, name_of
from errata.page.numbers import number_cell
from errata.page.type_meanings import explain_type
from errata.report.table import Column
from errata.report.tables.types import measure_type

if TYPE_CHECKING:
    from errata.page.html import View
    from errata.page.report import Report
    from errata.report.tables.types import TypedScore
    from errata.scoring.by_type import TypeCounts

_STEPS = 10
ALL, WITHOUT = "all", "(no type)"
_EXPLAINED = "Numbers are links to the sentences of their edits. –: there is no such edit."
_GUESSED = (
    "Right and missed edits have the types of gold; those of wrong edits are guessed from parts of speech ({}), "
    "and shown with a question mark."
)
_NOT_DONE = "Not done: the team says that its system does not handle this type."


def make_types(report: Report) -> Html:
    """Make the section; types with most gold edits come first."""
    if not report.typed:
        reason = "None of the metrics shows gold edits with types, so there are no scores by type."
        return element("section", element("h2", "Error types"), element("p", reason), id="types")
    beta = report.typed[0].beta
    tables = [_make_table(report, *measure) for measure in (("Recall", 1, "missed"), ("Precision", 0, "wrong"), (f"F{beta:g}", 2, ""))]
    notes = [
        *([_GUESSED.format(report.typed[0].tagger)] if guesses_types(report) else []),
        *dict.fromkeys(item.note for item in report.typed if item.note),
    ]
    signatures = dict.fromkeys(f"{item.signature}{report.signed}" for item in report.typed)
    return element(
        "section",
        element("h2", "Error types"),
        element("p", f"Judged by {report.typed[0].score.metric}. {_EXPLAINED}", class_="note"),
        *(element("p", note, class_="note") for note in notes),
        _list_meanings(report),
        *tables,
        *(element("p", element("code", line), class_="signature") for line in signatures),
        id="types",
    )


def guesses_types(report: Report) -> bool:
    """Whether types of wrong edits are guessed from parts of speech."""
    return bool(report.typed) and report.typed[0].tagger != "none"


def _list_meanings(report: Report) -> Html | None:
    """List the types that occur, with what they mean."""
    names = sorted({item.type for typed in report.typed for item in typed.counts} - {ALL, WITHOUT})
    known = [(name, meaning) for name in names if (meaning := report.typed[0].meanings.get(name) or explain_type(name))]
    if not known:
        return None
    terms = [part for name, meaning in known for part in (element("dt", name), element("dd", meaning))]
    return element("details", element("summary", "What the types mean"), element("dl", *terms, class_="meanings"))


def _make_table(report: Report, title: str, measure: int, other: str) -> Html:
    order = report.main.order
    counts = [{item.type: item for item in typed.counts} for typed in report.typed]
    names = sorted({name for own in counts for name in own} - {ALL, WITHOUT}, key=lambda name: (-_count_gold(counts, name), name))
    rows = []
    owned = list(zip(report.typed, counts, strict=True))
    unknown = [name for name in names if all(_measure(typed, own.get(name), measure) is None for typed, own in owned)]
    shown = [name for name in names if name not in unknown]
    for name in [*shown, ALL]:
        cells = [_make_cell(report, index, counts[index].get(name), measure, other) for index in order]
        gold = [own[name].gold for own in counts if name in own]
        span = f"{min(gold):,}" if min(gold) == max(gold) else f"{min(gold):,}–{max(gold):,}"
        head = element("th", "All edits" if name == ALL else name or "no type", scope="row")
        rows.append(element("tr", head, element("td", span, class_="number", data_value=max(gold)), *cells))
    heads = [element("th", name_of(report.names[index]), scope="col", data_sort="number", data_system=index) for index in order]
    first = [element("th", "Type", scope="col", data_sort="text"), element("th", "Gold", scope="col", data_sort="number")]
    caption = f"{title} by error type, times 100. Gold: edits in the chosen references, which differ between systems."
    table = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *first, *heads)),
        element("tbody", *rows[:-1]),
        element("tfoot", rows[-1]),
        class_="sortable heatmap",
    )
    scroll = element("div", table, class_="scroll", tabindex=0, role="region", aria_label=f"{title} by error type")
    without = _link_without_type(report, counts) if other == "wrong" else None
    notes = [f"Not shown, because their wrong edits are not known: {', '.join(unknown)}."] if unknown else []
    notes += [f"{name}: {' and '.join(MEMBERS[name])} together." for name in shown if name in MEMBERS]
    return element("details", element("summary", title), scroll, *(element("p", note, class_="note") for note in notes), without, open=True)


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
    """Compute a measure of a type; None if there is nothing to measure: the precision of no edits is not shown as the best one."""
    if counts is None or (measure == 0 and not counts.proposed):
        return None
    return measure_type(counts, typed.beta)[measure]


def _count_gold(counts: list[dict[str, TypeCounts]], name: str) -> int:
    return max(own[name].gold for own in counts if name in own)


def _make_cell(report: Report, index: int, counts: TypeCounts | None, measure: int, other: str) -> Html:
    handled = report.handles.get(report.names[index])
    if (
        handled is not None
        and counts is not None
        and counts.type != ALL
        and not {counts.type, *MEMBERS.get(counts.type, ())} & set(handled)
    ):
        return element("td", "not done", class_="number heat none", data_system=index)
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
