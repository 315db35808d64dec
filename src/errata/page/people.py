"""People: how far the metrics of a report agree with people who judged the same systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import pluralise
from errata.html import Html, element, join_html
from errata.page.html import name_of
from errata.report.charts.meta import COEFFICIENT_NAMES
from errata.report.table import Column
from errata.stats.bootstrap import format_level
from errata.studies.meta.methods import COEFFICIENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.page.report import ComparedWithPeople
    from errata.studies.meta import JudgedSentences, MetaEvaluation

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


def make_people(people: ComparedWithPeople, figures: Sequence[Html]) -> Html:
    """Make the section; ``figures`` are its charts."""
    heading, lead = element("h2", "People"), element("p", _describe_judgments(people.judged))
    found = people.evaluation
    if found is None:
        return element("section", heading, lead, element("p", f"No comparison with people: {people.reason}."), id="people")
    sentences = [
        element("h3", "Sentences"),
        _make_agreements(found),
        element("p", _AGREEMENT, class_="note"),
    ]
    charts = [element("h3", "Scores by people and by metrics"), element("p", _CHARTS), element("div", *figures, class_="figures")]
    return element(
        "section",
        heading,
        lead,
        element("h3", "Systems"),
        _make_correlations(found),
        *(element("p", note, class_="note") for note in _list_notes(found)),
        *_name_left_out(found),
        *(sentences if found.agreements else ()),
        *(charts if figures else ()),
        id="people",
    )


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
        named = [part for index, name in enumerate(names) for part in ([", "] if index else []) + [name_of(name)]]
        why = (
            f" {'is' if len(names) == 1 else 'are'} far from the others in the scores by people; one such system can change a correlation."
        )
        found.append(element("p", join_html(*named, why), class_="note"))
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
    head = element("tr", element("th", "Metric", scope="col", data_sort="text"), _text_head("Systems"), _number_head("Number"), *heads)
    return _table("Correlations of scores by metrics with scores by people, on systems", head, body)


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
    return _table("How often metrics and people prefer the same of two outputs, on sentences", head, body)


def _write_level(evaluation: MetaEvaluation) -> str:
    intervals = evaluation.settings.intervals
    return "Interval" if intervals is None else f"{format_level(intervals.level)} interval"


def _text_head(name: str) -> Html:
    return element("th", name, scope="col", data_sort="text")


def _number_head(name: str) -> Html:
    return element("th", name, scope="col", data_sort="number")


def _cell(value: float | None, column: Column = _NUMBER) -> Html:
    return element("td", column.shown(value), class_="number", data_value=None if value is None else repr(value))


def _interval_cell(low: float | None, high: float | None) -> Html:
    shown = "–" if low is None or high is None else f"[{_NUMBER.shown(low)}, {_NUMBER.shown(high)}]"
    return element("td", shown, class_="number")


def _table(caption: str, head: Html, rows: Sequence[Html]) -> Html:
    table = element("table", element("caption", caption), element("thead", head), element("tbody", *rows), class_="sortable")
    return element("div", table, class_="scroll", tabindex=0, role="region", aria_label=caption)
