"""The sections of a page: leaderboard, differences, types, edits, charts, people, and how the report was made."""

from __future__ import annotations

import hashlib
import platform
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from errata import __version__
from errata.corpus.unicode import find_direction
from errata.display import Html, element, join_html
from errata.errors import pluralise
from errata.formats.essays import TYPES
from errata.language.types import MEMBERS, explain_errant_type
from errata.metrics.views import EDIT_OUTCOMES
from errata.report.charts.parts import explain_missing_charts
from errata.report.charts.people import COEFFICIENT_NAMES
from errata.report.page.data import SEPARATOR
from errata.report.table import Column, is_undefined
from errata.report.tables.comparisons import pairs_table, show_difference, shown_p
from errata.report.tables.edits import WrittenEdit
from errata.report.tables.scores import PartColumns, flat_scores_table, shown_interval
from errata.report.writers import render, render_json
from errata.scoring.edits import digest_edits
from errata.scoring.scores import describe_gold
from errata.settings import COEFFICIENTS
from errata.stats.bootstrap import format_level
from errata.stats.comparison import find_different

if TYPE_CHECKING:
    from errata.corpus.corpus import System
    from errata.display import Child
    from errata.metrics.base import Metric
    from errata.metrics.views import EditOutcome
    from errata.report.page.evaluation import ComparedWithPeople, Edits, RankedSystems, Report
    from errata.report.table import Cell
    from errata.report.tables.scores import TypedScore
    from errata.scoring.by_type import TypeCounts
    from errata.scoring.edits import CountedEdit, EditDigest
    from errata.stats.comparison import Comparison
    from errata.stats.intervals import Interval
    from errata.studies.meta.evaluation import MetaEvaluation
    from errata.studies.meta.scores import JudgedSentences


def _show_name(name: str) -> Html:
    """Show a name from outside, isolated, so that its direction cannot change what is around it."""
    return element("bdi", name)


_View = Mapping[str, str | Sequence[str]]
"""Which sentences are shown, and how: the fields of the page's address; some have several values."""


def _link_to_sentences(shown: str | Html, view: _View) -> Html:
    return element("a", shown, href=f"#sentences?{write_view(view)}")


def write_view(view: _View) -> str:
    """Write a view as in the address of the page; empty fields are left out, but a list may have an empty text.

    >>> write_view({"system": "A&B", "type": ["Vform", "SVA"], "q": ""}), write_view({"type": [""]})
    ('system=A%26B&type=Vform,SVA', 'type=')
    """
    listed = {key: [value] if isinstance(value, str) else value for key, value in view.items() if value}
    return "&".join(f"{key}={','.join(quote(one, safe='') for one in values)}" for key, values in listed.items())


_PERCENT = Column("", "percent")


def _number_cell(
    value: Cell,
    key: str,
    system: int,
    column: Column = _PERCENT,
    *,
    classes: str = "",
    after: Child = None,
    view: _View | None = None,
) -> Html:
    """Make a cell; ``key`` is the same for the cells of all systems that are compared with each other.

    ``view`` names the sentences that the number links to.
    """
    shown = column.shown(value)
    kind = f"number {classes}".rstrip()
    if is_undefined(value) or isinstance(value, str):
        return element("td", shown, after, class_=kind, data_system=system)
    percent = column.digits if column.kind == "percent" else None
    number = element("span", shown, data_system=system, data_key=key, data_value=repr(value), data_percent=percent)
    if view is not None:
        number = _link_to_sentences(number, view)
    return element("td", number, after, class_=kind, data_value=repr(value))


def _scroll(content: Html, label: str) -> Html:
    """Show what may be wider than the page in an area of its own."""
    return element("div", content, class_="scroll", tabindex=0, role="region", aria_label=label)


def _sortable_table(caption: str, head: Html, rows: Sequence[Html]) -> Html:
    table = element("table", element("caption", caption), element("thead", head), element("tbody", *rows), class_="sortable")
    return _scroll(table, caption)


def _text_head(name: str) -> Html:
    return element("th", name, scope="col", data_sort="text")


def _number_head(name: Child) -> Html:
    return element("th", name, scope="col", data_sort="number")


def _write_note(text: Child) -> Html:
    return element("p", text, class_="note")


def _explain_type(name: str) -> str:
    """Explain a type; empty if it is not known.

    >>> _explain_type("SVA"), _explain_type("M:DET"), _explain_type("DET"), _explain_type("Vform/SVA"), _explain_type("typo")
    ('agreement of subject and verb', 'determiner (missing)', 'determiner', 'verb form; agreement of subject and verb', '')
    """
    if name in TYPES:
        return TYPES[name]
    if meaning := explain_errant_type(name):
        return meaning
    parts = [TYPES.get(part, "") for part in name.split("/")]
    return "; ".join(parts) if all(parts) else ""


_WIDTH, _HEIGHT = 200, 16
_SHARED = "Systems that share a letter are not significantly different."
_NO_LETTERS = "There are too many groups of systems that do not differ, so they have no letters; the table of differences has every pair."


def _make_leaderboard(report: Report) -> list[Html]:
    """Show all metrics side by side if there are several, and a table with the parts of each."""
    several = len(report.rankings) > 1
    overview = [element("h3", "All metrics"), _make_overview(report)] if several else []
    return [*overview, *(part for ranking in report.rankings for part in _describe_leaderboard(ranking, report))]


def _make_overview(report: Report) -> Html:
    heads = [_number_head(element("code", str(ranking.metric))) for ranking in report.rankings]
    rows = []
    for index in report.main.order:
        cells = []
        for number, ranking in enumerate(report.rankings):
            letters = element("sup", ranking.letters[index], class_="letters") if ranking.letters is not None else None
            cells.append(_number_cell(ranking.scores[index].value, f"overview/{number}", index, after=letters))
        rows.append(element("tr", _name_cell(report.names[index], index), *cells, data_system=index))
    head = element("tr", _text_head("System"), *heads)
    return _sortable_table(
        "Every metric, times 100. Letters: systems that share one are not significantly different by this metric.", head, rows
    )


def _describe_leaderboard(ranking: RankedSystems, report: Report) -> list[Html]:
    """The heading of a metric, its table and what should be known about it."""
    metric, is_one = ranking.metric, len(ranking.scores) == 1
    letters = None if is_one else ranking.letters
    parts = PartColumns(ranking.scores)
    columns = parts.columns()
    level = format_level(ranking.intervals[0].bootstrap.level)
    heads = [
        None if is_one else _number_head("Rank"),
        _text_head("System"),
        *(_number_head(column.name) for column in columns),
        _number_head(metric.label),
        _text_head("Letters") if letters is not None else None,
        element("th", f"{level} interval", scope="col", colspan=2),
    ]
    bars = _Bars(ranking)
    rows = []
    for index in ranking.order:
        score = ranking.scores[index]
        cells = [
            _number_cell(cell, f"{metric}/{column.key}", index, column) for column, cell in zip(columns, parts.cells(score), strict=True)
        ]
        rows.append(
            element(
                "tr",
                None if is_one else element("td", str(ranking.ranks[index]), class_="number", data_value=ranking.ranks[index]),
                _name_cell(score.system_name, index),
                *cells,
                _number_cell(score.value, f"{metric}/value", index, classes="main"),
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
        element("h3", _name_metric(metric, report)),
        _sortable_table(f"{metric}{'' if is_one else ': the best system first'}. Scores are times 100.", element("tr", *heads), rows),
        *(_write_note(note) for note in notes if note),
        _write_note(str(ranking.intervals[0].bootstrap) if is_one and ranking.has_intervals else ranking.how),
        *signatures,
    ]


def _name_metric(metric: Metric, report: Report) -> str:
    """Name a metric in a heading; if several have the same name, with its settings."""
    title = metric.title or metric.name
    titles = [ranking.metric.title or ranking.metric.name for ranking in report.rankings]
    return f"{title}, {metric}" if titles.count(title) > 1 else title


def _name_cell(name: str, index: int) -> Html:
    return element("th", _show_name(name), scope="row", class_="system", data_system=index)


class _Bars:
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


_DIFFERENCES_EXPLAINED = (
    "Above the diagonal: the score of the row minus that of the column, with a link to the sentences in which the row is better. "
    "Below the diagonal: corrected p-values. Significant differences are bold and have a star."
)

_BOUND = "≤: the smallest corrected p-value that is possible with this number of replicates and pairs."


def _make_differences(report: Report) -> list[Html]:
    """Show a matrix of paired tests, every pair with its interval, and what one system corrects and the other does not."""
    if len(report.systems) == 1:
        return [element("p", "There is only one system, so there is nothing to compare.")]
    shown = [part for ranking in report.rankings for part in _describe_differences(ranking, report)]
    return [*shown, element("div", id="pair")]


def _describe_differences(ranking: RankedSystems, report: Report) -> list[Html]:
    title = element("h3", _name_metric(ranking.metric, report))
    if not ranking.comparisons:
        return [title, element("p", ranking.how)]
    if len(ranking.scores) == 2:  # noqa: PLR2004 - one pair
        return [title, _describe_pair(ranking, report), _list_pairs(ranking, report)]
    bound = [_BOUND] if any(item.corrected_p_is_bound for item in ranking.comparisons) else []
    notes = [_write_note(note) for note in (_DIFFERENCES_EXPLAINED, *bound)]
    return [title, _make_matrix(ranking, report), *notes, _list_pairs(ranking, report)]


def _describe_pair(ranking: RankedSystems, report: Report) -> Html:
    (item,) = _list_better_first(ranking, report)
    significant = find_different([item], report.testing.alpha)
    column = Column("", "percent")
    view = {"better": item.first, "than": item.second, "metric": str(ranking.metric), "sort": "gap", "order": "desc"}
    return element(
        "p",
        element("strong", _show_name(item.first)),
        " minus ",
        element("strong", _show_name(item.second)),
        ": ",
        element("strong", show_difference(item, item.first), class_="difference"),
        f" {ranking.metric.label}, {format_level(report.bootstrap.level)} interval [{column.shown(item.low)}, {column.shown(item.high)}], ",
        f"p {_write_p(item)}. The difference is {'significant' if significant else 'not significant'}. ",
        _link_to_sentences("Sentences in which the first is better", view),
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
                shown = _link_to_sentences(show_difference(item, name), view)
            cells.append(element("td", shown, star, class_="number significant" if star else "number"))
        rows.append(element("tr", element("td", str(number + 1), class_="number"), element("th", _show_name(name), scope="row"), *cells))
    caption = f"{ranking.metric}: differences of {ranking.metric.label}, times 100, and corrected p-values"
    head = element("tr", element("th", "No.", scope="col"), element("th", "System", scope="col"), *heads)
    table = element("table", element("caption", caption), element("thead", head), element("tbody", *rows), class_="matrix")
    return _scroll(table, caption)


def _list_pairs(ranking: RankedSystems, report: Report) -> Html:
    comparisons = _list_better_first(ranking, report)
    pairs = pairs_table(comparisons, report.bootstrap, report.testing.test)
    heads = [(_text_head if column.kind == "text" else _number_head)(column.name) for column in pairs.columns]
    rows = [element("tr", *(_pair_cell(column, cell) for column, cell in zip(pairs.columns, row, strict=True))) for row in pairs.rows]
    table = element("table", element("thead", element("tr", *heads)), element("tbody", *rows), class_="sortable")
    scroll = _scroll(table, f"Every pair of systems, {ranking.metric}")
    return element("details", element("summary", "Every pair"), scroll, *(_write_note(note) for note in pairs.notes))


def _pair_cell(column: Column, cell: object) -> Html:
    if column.kind == "text":
        return element("td", _show_name(str(cell)))
    shown = cell if isinstance(cell, str) else column.shown(cell)  # type: ignore[arg-type]
    value = cell.lstrip("≤<") if isinstance(cell, str) else repr(cell) if cell is not None else None
    return element("td", shown, class_="number", data_value=value)


_STEPS = 10
_ALL, _WITHOUT = "all", "(no type)"
_TYPES_EXPLAINED = "Numbers are links to the sentences of their edits. –: there is no such edit."
_GUESSED = (
    "Right and missed edits have the types of gold; those of wrong edits are guessed from parts of speech ({}), "
    "and shown with a question mark."
)


def _make_types(report: Report) -> list[Html]:
    """Show F, precision and recall of every system and type as a heat map; types with most gold edits come first."""
    if not report.typed:
        return [element("p", "None of the metrics shows gold edits with types, so there are no scores by type.")]
    beta = report.typed[0].beta
    tables = [_make_type_table(report, *measure) for measure in (("Recall", 1, "missed"), ("Precision", 0, "wrong"), (f"F{beta:g}", 2, ""))]
    notes = [
        *([_GUESSED.format(report.typed[0].tagger)] if report.types_are_inferred else []),
        *dict.fromkeys(item.note for item in report.typed if item.note),
    ]
    signatures = dict.fromkeys(f"{item.signature}{report.signed}" for item in report.typed)
    return [
        _write_note(f"Judged by {report.typed[0].score.metric}. {_TYPES_EXPLAINED}"),
        *(_write_note(note) for note in notes),
        *_list_meanings(report),
        *tables,
        *(element("p", element("code", line), class_="signature") for line in signatures),
    ]


def _list_meanings(report: Report) -> list[Html]:
    names = sorted({item.type for typed in report.typed for item in typed.counts} - {_ALL, _WITHOUT})
    known = [(name, meaning) for name in names if (meaning := report.typed[0].meanings.get(name) or _explain_type(name))]
    if not known:
        return []
    terms = [part for name, meaning in known for part in (element("dt", name), element("dd", meaning))]
    return [element("details", element("summary", "What the types mean"), element("dl", *terms, class_="meanings"))]


def _make_type_table(report: Report, title: str, measure: int, other: str) -> Html:
    order = report.main.order
    counts = [{item.type: item for item in typed.counts} for typed in report.typed]
    names = sorted({name for own in counts for name in own} - {_ALL, _WITHOUT}, key=lambda name: (-_count_gold(counts, name), name))
    rows = []
    owned = list(zip(report.typed, counts, strict=True))
    unknown = [name for name in names if all(_measure(typed, own.get(name), measure) is None for typed, own in owned)]
    shown = [name for name in names if name not in unknown]
    for name in [*shown, _ALL]:
        cells = [_make_cell(report, index, counts[index].get(name), measure, other) for index in order]
        gold = [own[name].gold for own in counts if name in own]
        span = f"{min(gold):,}" if min(gold) == max(gold) else f"{min(gold):,}–{max(gold):,}"
        head = element("th", "All edits" if name == _ALL else name or "no type", scope="row")
        rows.append(element("tr", head, element("td", span, class_="number", data_value=max(gold)), *cells))
    heads = [element("th", _show_name(report.names[index]), scope="col", data_sort="number", data_system=index) for index in order]
    first = [_text_head("Type"), _number_head("Gold")]
    caption = f"{title} by error type, times 100. Gold: edits in the chosen references, which differ between systems."
    table = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *first, *heads)),
        element("tbody", *rows[:-1]),
        element("tfoot", rows[-1]),
        class_="sortable heatmap",
    )
    scroll = _scroll(table, f"{title} by error type")
    without = _link_without_type(report, counts) if other == "wrong" else None
    notes = [f"Not shown, because their wrong edits are not known: {', '.join(unknown)}."] if unknown else []
    notes += [f"{name}: {' and '.join(MEMBERS[name])} together." for name in shown if name in MEMBERS]
    return element("details", element("summary", title), scroll, *(_write_note(note) for note in notes), without, open=True)


def _link_without_type(report: Report, counts: list[dict[str, TypeCounts]]) -> Html | None:
    """Say how many wrong edits of each system have no type, with links to them."""
    links: list[Html] = []
    for index in report.main.order:
        count = counts[index][_WITHOUT].proposed if _WITHOUT in counts[index] else 0
        if count:
            view: _View = {"system": report.names[index], "outcome": "wrong", "type": [""]}
            links.append(join_html(", " if links else None, _show_name(report.names[index]), " ", _link_to_sentences(f"{count:,}", view)))
    return element("p", "Wrong edits without a type: ", *links, ".", class_="note") if links else None


def _measure(typed: TypedScore, counts: TypeCounts | None, measure: int) -> float | None:
    """Compute a measure of a type; None if there is nothing to measure: the precision of no edits is not shown as the best one."""
    if counts is None or (measure == 0 and not counts.proposed):
        return None
    return typed.measure(counts)[measure]


def _count_gold(counts: list[dict[str, TypeCounts]], name: str) -> int:
    return max(own[name].gold for own in counts if name in own)


def _make_cell(report: Report, index: int, counts: TypeCounts | None, measure: int, other: str) -> Html:
    handled = report.handles.get(report.names[index])
    if (
        handled is not None
        and counts is not None
        and counts.type != _ALL
        and not {counts.type, *MEMBERS.get(counts.type, ())} & set(handled)
    ):
        return element("td", "not done", class_="number heat none", data_system=index)
    value = _measure(report.typed[index], counts, measure)
    if counts is None or value is None:
        return element("td", "–", class_="number heat none", data_system=index)
    of = {0: counts.proposed, 1: counts.gold}.get(measure)
    types = [] if counts.type == _ALL else [*MEMBERS.get(counts.type, ()), counts.type]
    view: _View = {"system": report.names[index], "outcome": ["right", other] if other else [], "type": types}
    share = element("small", f"{counts.matched:,}/{of:,}") if of is not None else None
    classes = f"heat h{min(_STEPS, max(0, round(_STEPS * value)))}"
    key, column = f"types/{measure}/{counts.type}", Column("", "percent", digits=1)
    return _number_cell(value, key, index, column, classes=classes, after=share, view=view)


_MOST = 25
"""Edits of each outcome that are listed; the sentences have all."""
_SIGNS = {"right": "+", "wrong": "×", "missed": "−"}


def _make_edits(report: Report) -> list[Html]:
    """Show the edits that are most often right, wrong and missed, by all systems and by each, with links to their sentences."""
    if report.judged is None:
        return [element("p", "Gold has no references, so edits are neither right nor wrong.")]
    judge = _write_note(f"Judged by {report.judged.metric}, against the reference chosen for each sentence.")
    numbers, edits = report.corpus.numbers, report.judged.edits
    several = len(edits) > 1
    parts = [element("h3", "All systems"), _make_tables(edits, numbers, "")] if several else []
    for index in report.main.order:
        name = report.names[index]
        tables = _make_tables([edits[index]], numbers, name)
        parts.append(element("details", element("summary", _show_name(name)), tables) if several else tables)
    return [judge, *parts]


def _make_tables(edits: Sequence[Sequence[Edits]], numbers: Sequence[int], system: str) -> Html:
    """Make the tables of right, wrong and missed edits, of some systems together."""
    digest = digest_edits(edits, numbers, _MOST)
    totals = Counter(edit.outcome for own in edits for sentence in own for edit in sentence)
    return element("div", *(_make_edit_table(digest, outcome, totals[outcome], system) for outcome in EDIT_OUTCOMES), class_="digest")


def _make_edit_table(digest: EditDigest, outcome: EditOutcome, total: int, system: str) -> Html:
    sign = element("span", _SIGNS[outcome], class_=f"sign {outcome}", aria_hidden="true")
    title = join_html(sign, f" {outcome.capitalize()}: {pluralise(total, 'edit')}")
    listed = [edit for edit in digest.edits if edit.outcome == outcome]
    if not listed:
        return element("div", element("p", title))
    left = digest.left_out[outcome]
    more = element("small", f" ({len(listed):,} of {len(listed) + left:,} different ones)") if left else None
    heads = element(
        "tr",
        element("th", "Edit", scope="col"),
        element("th", "Type", scope="col"),
        element("th", "Times", scope="col"),
        element("th", "Sentences", scope="col"),
    )
    rows = [_make_row(edit, system) for edit in listed]
    table = element("table", element("caption", title, more), element("thead", heads), element("tbody", *rows), class_=f"counted {outcome}")
    return _scroll(table, f"{outcome} edits of {system or 'all systems'}")


def _make_row(edit: CountedEdit, system: str) -> Html:
    after = [part for text in edit.corrections for part in (" or ", element("ins", text or "∅", dir=find_direction(text)))][1:]
    shown = join_html(element("del", edit.original or "∅", dir=find_direction(edit.original)), " → ", *after)
    types = WrittenEdit.of(edit).types or "–"
    view = {"outcome": edit.outcome, "from": edit.original or "∅", "to": SEPARATOR.join(edit.corrections) or "∅", "system": system}
    sentences = _link_to_sentences(f"{len(edit.sentences):,}", view)
    times = element("td", f"{edit.count:,}", class_="number")
    return element("tr", element("td", shown), element("td", types, class_="type"), times, element("td", sentences, class_="number"))


def _make_charts(report: Report, figures: Sequence[Html]) -> Sequence[Html]:
    """Show charts as inline SVG, which can be read without a script; without the libraries that draw say what to install."""
    if report.drawer is None or (missing := explain_missing_charts()):
        return [element("p", f"No charts: {missing}." if report.drawer is not None else "This page was made without charts.")]
    return figures


def _collect_figures(report: Report) -> tuple[list[Html], list[Html]]:
    """Collect all charts: those of scores, and those about people; none if they cannot be drawn."""
    if report.drawer is None or explain_missing_charts():
        return [], []
    figures = []
    for drawing, svg, reason in report.drawer.collect():
        caption = element("figcaption", drawing.title)
        shown = element("p", f"Not drawn: {reason}.") if reason else Html(svg)
        scroll = _scroll(shown, drawing.title)
        figures.append(element("figure", caption, scroll))
    about_people = len(report.people.drawings) if report.people is not None else 0
    first = len(figures) - about_people
    return figures[:first], figures[first:]


_NUMBER = Column("", "number")
_COUNT = Column("", "count")
_CORRELATION = (
    "1 means that a metric orders systems as people do, 0 that it says nothing about what people prefer, "
    "and −1 that it prefers the opposite."
)
_EXPECTED_WINS = (
    "The score of a system by people is its expected wins: the share of comparisons without a tie that it wins against another system, "
    "as a mean over the other systems."
)
_OVER_SENTENCES = (
    "Intervals say what other sentences would give for these systems. Other systems may give other values, most of all if there are few."
)
_AGREEMENT = (
    "Pairs are two outputs of a sentence of which people prefer one. The metric agrees, disagrees, or gives both the same score (tied). "
    "Accuracy is the share of pairs on which it agrees; tau is agreements minus disagreements, divided by all pairs."
)
_CHARTS = (
    "Each point is a system. If a metric agreed with people in everything, the points would rise from the lower left to the upper right."
)


def _make_people(people: ComparedWithPeople, figures: Sequence[Html]) -> list[Html]:
    """Show how far the metrics agree with people who judged the same systems; ``figures`` are the charts."""
    lead, found = element("p", _describe_judgments(people.judged)), people.evaluation
    if found is None:
        return [lead, element("p", f"No comparison with people: {people.reason}.")]
    sentences = [element("h3", "Sentences"), _make_agreements(found), _write_note(_AGREEMENT)]
    charts = [element("h3", "Scores by people and by metrics"), element("p", _CHARTS), element("div", *figures, class_="figures")]
    return [
        lead,
        element("h3", "Systems"),
        _make_correlations(found),
        *(_write_note(note) for note in _list_notes(found)),
        *_name_left_out(found),
        *(sentences if found.agreements else ()),
        *(charts if figures else ()),
    ]


def _describe_judgments(judged: JudgedSentences) -> str:
    judges = pluralise(len({item.judge for item in judged.items}), "judge")
    about = f"{judges} ranked outputs of {pluralise(len(judged.judged_numbers), 'sentence')}, {pluralise(len(judged.items), 'time')}."
    return f"{about} This section says how far the metrics of this page agree with them."


def _list_notes(evaluation: MetaEvaluation) -> list[str]:
    intervals = evaluation.settings.intervals
    if intervals is None:
        return [_CORRELATION, _EXPECTED_WINS]
    how = f"{intervals.method}, {intervals.replicates:,} replicates, seed {intervals.seed}"
    return [_CORRELATION, _EXPECTED_WINS, f"{_OVER_SENTENCES} They are of the level {format_level(intervals.level)} ({how})."]


def _name_left_out(evaluation: MetaEvaluation) -> list[Html]:
    """Name the systems that a smaller set does not have."""
    found = []
    for own_set in evaluation.sets[1:]:
        names = [name for name in evaluation.systems if name not in own_set.systems]
        named = [part for index, name in enumerate(names) for part in ([", "] if index else []) + [_show_name(name)]]
        why = (
            f" {'is' if len(names) == 1 else 'are'} far from the others in the scores by people; one such system can change a correlation."
        )
        found.append(_write_note(join_html(*named, why)))
    return found


def _make_correlations(evaluation: MetaEvaluation) -> Html:
    level = _write_level(evaluation)
    heads = [
        head for coefficient in COEFFICIENTS for head in (_number_head(COEFFICIENT_NAMES[coefficient]), element("th", level, scope="col"))
    ]
    rows = {(row.systems, row.metric, row.coefficient): row for row in evaluation.correlations}
    body = []
    for own_set in evaluation.sets:
        for metric in evaluation.metrics:
            own = [rows[own_set.name, metric.name, coefficient] for coefficient in COEFFICIENTS]
            cells = [cell for row in own for cell in (_cell(row.value), _interval_cell(row.low, row.high))]
            head = element("th", element("code", metric.name), scope="row")
            body.append(element("tr", head, element("td", own_set.name), _cell(len(own_set.systems), _COUNT), *cells))
    head = element("tr", _text_head("Metric"), _text_head("Systems"), _number_head("Number"), *heads)
    return _sortable_table("Correlations of scores by metrics with scores by people, on systems", head, body)


def _make_agreements(evaluation: MetaEvaluation) -> Html:
    level = element("th", _write_level(evaluation), scope="col")
    names = ("Pairs", "Agree", "Disagree", "Tied")
    head = element(
        "tr",
        _text_head("Metric"),
        _text_head("Systems"),
        *map(_number_head, names),
        _number_head("Accuracy"),
        level,
        _number_head("Tau"),
        level,
    )
    body = []
    for row in evaluation.agreements:
        tied = row.first_better + row.first_worse
        counts = (row.agree + row.disagree + tied, row.agree, row.disagree, tied)
        body.append(
            element(
                "tr",
                element("th", element("code", row.metric), scope="row"),
                element("td", row.systems),
                *(_cell(count, _COUNT) for count in counts),
                _cell(row.accuracy),
                _interval_cell(row.accuracy_low, row.accuracy_high),
                _cell(row.tau),
                _interval_cell(row.tau_low, row.tau_high),
            )
        )
    return _sortable_table("How often metrics and people prefer the same of two outputs, on sentences", head, body)


def _write_level(evaluation: MetaEvaluation) -> str:
    intervals = evaluation.settings.intervals
    return "Interval" if intervals is None else f"{format_level(intervals.level)} interval"


def _cell(value: float | None, column: Column = _NUMBER) -> Html:
    return element("td", column.shown(value), class_="number", data_value=None if value is None else repr(value))


def _interval_cell(low: float | None, high: float | None) -> Html:
    shown = "–" if low is None or high is None else f"[{_NUMBER.shown(low)}, {_NUMBER.shown(high)}]"
    return element("td", shown, class_="number")


_MOST_EDITS = 100
"""Edits of each outcome; ``errata inspect --digest`` has all."""


def _make_csv(report: Report) -> str:
    """Write the scores by every metric, as ``errata score`` does."""
    scores = [score for ranking in report.rankings for score in ranking.scores]
    intervals = [interval for ranking in report.rankings for interval in ranking.intervals]
    table = flat_scores_table(scores, intervals)
    place = [column.key for column in table.columns].index("signature")
    rows = tuple((*row[:place], f"{row[place]}{report.signed}", *row[place + 1 :]) for row in table.rows)
    return render(replace(table, rows=rows), "csv")


def _make_json(report: Report) -> str:
    """Write scores, intervals, tests, types and counted edits."""
    return render_json(
        {
            "errata": __version__,
            "gold": report.corpus.name,
            "sentences": len(report.corpus),
            "command": report.command,
            "warnings": list(report.warnings),
            "bootstrap": asdict(report.bootstrap),
            "tests": report.testing._asdict(),
            "scores": [record for ranking in report.rankings for record in _list_scores(ranking, report.signed)],
            "pairs": [{"metric": str(ranking.metric), **item.to_record()} for ranking in report.rankings for item in ranking.comparisons],
            "edits": _record_edits(report),
            "types": [_describe_types(item, report.signed) for item in report.typed],
            **({} if report.people is None else {"people": _describe_people(report.people)}),
        }
    )


def _describe_people(people: ComparedWithPeople) -> dict[str, Any] | None:
    """Scores by people, and how far the metrics agree with them; None if they cannot be compared."""
    found = people.evaluation
    if found is None:
        return None
    return {
        "scores": {name: found.human.values[name] for name in found.systems},
        "correlations": [row._asdict() for row in found.correlations],
        "agreements": [row._asdict() for row in found.agreements],
    }


def _record_edits(report: Report) -> dict[str, object] | None:
    """The most frequent edits of all systems; ``left_out`` says how many others there are."""
    if report.judged is None:
        return None
    return digest_edits(report.judged.edits, report.corpus.numbers, _MOST_EDITS).to_record(report.names)


def _list_scores(ranking: RankedSystems, signed: str) -> list[dict[str, Any]]:
    return [
        {
            "system": score.system_name,
            "metric": str(score.metric),
            "value": score.value,
            "parts": score.parts,
            "signature": f"{score.signature}{signed}",
            "interval": {"low": ranking.intervals[index].low, "high": ranking.intervals[index].high},
            "rank": ranking.ranks[index],
            "letters": ranking.letters[index] if ranking.letters is not None else None,
        }
        for index, score in enumerate(ranking.scores)
    ]


def _describe_types(item: TypedScore, signed: str) -> dict[str, Any]:
    types = [{"type": own.type, "matched": own.matched, "proposed": own.proposed, "gold": own.gold} for own in item.counts]
    return {"system": item.score.system_name, "metric": str(item.score.metric), "types": types, "signature": f"{item.signature}{signed}"}


def _make_provenance(report: Report) -> list[Html]:
    """Show how the report was made: command, versions, data and warnings, and its numbers to download."""
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
        element("tr", element("th", _show_name(system.name), scope="row"), element("td", element("code", _hash_system(system))))
        for system in report.systems
    ]
    head = element(
        "thead",
        element("tr", element("th", "System", scope="col"), element("th", "sha256 of its sentences (first 12 digits)", scope="col")),
    )
    table = element("table", element("caption", "The outputs, by content"), head, element("tbody", *systems))
    warnings = [element("h3", "Warnings"), element("ul", *(element("li", line) for line in report.warnings))] if report.warnings else []
    return [
        element("dl", *facts),
        _scroll(table, "The outputs, by content"),
        *warnings,
        element("h3", "Download"),
        element(
            "p", _offer(_make_json(report), "application/json", "report.json"), " ", _offer(_make_csv(report), "text/csv", "scores.csv")
        ),
        _write_note(
            "JSON has scores, tests, types and the 100 most frequent edits of each outcome; CSV has the scores. Both are inside this page."
        ),
    ]


def _describe_edits(report: Report) -> str:
    if report.judged is None:
        return "not judged, because gold has no references"
    reason = ", because no metric of this report judges edits" if report.judged.is_extra else ""
    return f"judged by {report.judged.scores[0].metric.signature}{reason}"


def _hash_system(system: System) -> str:
    """Hash the sentences of a system, by content."""
    content = "\n".join(" ".join(tokens) for tokens in system.sentences)
    return hashlib.sha256(content.encode("utf-8", "backslashreplace")).hexdigest()[:12]


def _offer(content: str, kind: str, name: str) -> Html:
    encoded = b64encode(content.encode("utf-8", "backslashreplace")).decode("ascii")
    return element("a", name, href=f"data:{kind};charset=utf-8;base64,{encoded}", download=name)


_INTRODUCTION = (
    "How well systems correct sentences, compared with the corrections of annotators (gold). In sentences, ",
    element("span", _SIGNS["right"], class_="sign right"),
    " marks right edits, ",
    element("span", _SIGNS["wrong"], class_="sign wrong"),
    " wrong ones and ",
    element("span", _SIGNS["missed"], class_="sign missed"),
    " missed ones.",
)
_NEEDS_SCRIPT = "The sentences need JavaScript, and so does the comparison of two systems by type; everything else on this page does not."


def _make_explorer() -> list[Html]:
    """Leave a place for the sentences, which the script shows."""
    return [element("p", _NEEDS_SCRIPT, class_="needs-script"), element("div", id="explorer")]


def _make_header(report: Report, note: str, links: Sequence[Html]) -> Html:
    corpus = report.corpus
    lead = join_html(
        pluralise(len(report.systems), "system"),
        " on ",
        _show_name(corpus.name),
        f", {corpus.extent}, {pluralise(len(corpus.annotators), 'annotator')}",
    )
    warnings = [element("ul", *(element("li", line) for line in report.warnings), class_="warnings")] if report.warnings else []
    return element(
        "header",
        element("h1", _show_name(report.title or corpus.name)),
        element("p", lead, class_="lead"),
        element("p", *_INTRODUCTION, class_="about"),
        *(element("p", text, class_="sampled") for text in (report.sampled, note) if text),
        *warnings,
        element("nav", *(join_html(link, " ") for link in links), aria_label="Sections"),
    )


def make_content(report: Report, note: str = "") -> list[Html]:
    """Make what the page shows without its script: a header with links, and all sections; ``note`` says what the page leaves out."""
    of_scores, about_people = _collect_figures(report)
    sections: list[tuple[str, str, str, Sequence[Html]]] = [
        ("leaderboard", "Scores", "Scores", _make_leaderboard(report)),
        ("differences", "Differences", "Differences", _make_differences(report)),
        ("types", "Types", "Error types", _make_types(report)),
        ("edits", "Edits", "Edits, counted", _make_edits(report)),
        ("sentences", "Sentences", "Sentences", _make_explorer()),
        ("charts", "Charts", "Charts", _make_charts(report, of_scores)),
        *([("people", "People", "People", _make_people(report.people, about_people))] if report.people is not None else []),
        ("making", "How this was made", "How this was made", _make_provenance(report)),
    ]
    header = _make_header(report, note, [element("a", link, href=f"#{place}") for place, link, _, _ in sections])
    shown = [element("section", element("h2", heading), *content, id=place) for place, _, heading, content in sections]
    return [element("a", "Skip to the scores", href="#leaderboard", class_="skip"), header, element("main", *shown)]
