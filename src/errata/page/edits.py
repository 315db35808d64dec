"""Edits, counted: those that are most often right, wrong and missed, by all systems and by each, with links to their sentences."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.corpus.unicode import find_direction
from errata.errors import pluralise
from errata.html import Html, element, join_html
from errata.metrics.views import EDIT_OUTCOMES
from errata.page.html import link_to_sentences, name_of
from errata.page.sentences import SEPARATOR
from errata.report.tables.edits import write_types
from errata.scoring.edits import digest_edits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.metrics.views import EditOutcome
    from errata.page.report import Edits, Report
    from errata.scoring.edits import CountedEdit, EditDigest

_MOST = 25
"""Edits of each outcome that are listed; the sentences have all."""
SIGNS = {"right": "+", "wrong": "×", "missed": "−"}


def make_edits(report: Report) -> Html:
    """Make the section."""
    if report.judged is None:
        reason = "Gold has no references, so edits are neither right nor wrong."
        return element("section", element("h2", "Edits, counted"), element("p", reason), id="edits")
    judge = element("p", f"Judged by {report.judged.metric}, against the reference chosen for each sentence.", class_="note")
    numbers, edits = report.corpus.numbers, report.judged.edits
    several = len(edits) > 1
    parts = [element("h3", "All systems"), _make_tables(edits, numbers, "")] if several else []
    for index in report.main.order:
        name = report.names[index]
        tables = _make_tables([edits[index]], numbers, name)
        parts.append(element("details", element("summary", name_of(name)), tables) if several else tables)
    return element("section", element("h2", "Edits, counted"), judge, *parts, id="edits")


def _make_tables(edits: Sequence[Sequence[Edits]], numbers: Sequence[int], system: str) -> Html:
    """Make the tables of right, wrong and missed edits, of some systems together."""
    digest = digest_edits(edits, numbers, _MOST)
    totals = Counter(edit.outcome for own in edits for sentence in own for edit in sentence)
    return element("div", *(_make_table(digest, outcome, totals[outcome], system) for outcome in EDIT_OUTCOMES), class_="digest")


def _make_table(digest: EditDigest, outcome: EditOutcome, total: int, system: str) -> Html:
    sign = element("span", SIGNS[outcome], class_=f"sign {outcome}", aria_hidden="true")
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
    return element("div", table, class_="scroll", tabindex=0, role="region", aria_label=f"{outcome} edits of {system or 'all systems'}")


def _make_row(edit: CountedEdit, system: str) -> Html:
    after = [part for text in edit.corrections for part in (" or ", element("ins", text or "∅", dir=find_direction(text)))][1:]
    shown = join_html(element("del", edit.original or "∅", dir=find_direction(edit.original)), " → ", *after)
    types = write_types(edit) or "–"
    view = {"outcome": edit.outcome, "from": edit.original or "∅", "to": SEPARATOR.join(edit.corrections) or "∅", "system": system}
    sentences = link_to_sentences(f"{len(edit.sentences):,}", view)
    times = element("td", f"{edit.count:,}", class_="number")
    return element("tr", element("td", shown), element("td", types, class_="type"), times, element("td", sentences, class_="number"))
