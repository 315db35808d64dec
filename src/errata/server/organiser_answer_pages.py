"""The pages of organisers about alternative answers: how far judging is, what was decided, and the tables before they are published."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.event.accounts import list_accounts, list_removed
from errata.event.answers.answer_phases import open_answers
from errata.event.answers.judging_views import show_item
from errata.event.answers.pooling import ensure_pooled
from errata.event.answers.progress import measure_progress
from errata.event.answers.proposals import list_proposed_items
from errata.event.answers.verdicts import STATUSES, decide, list_judgments
from errata.server.answer_pages import find_answers_phase
from errata.server.answer_views import EditInContext, show_in_context
from errata.server.failures import NotFoundError
from errata.server.rendering import render_page
from errata.server.team_views import page_number

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.event.answers.items import Item
    from errata.event.answers.proposals import Sources
    from errata.event.answers.segments import MarkedSentence
    from errata.event.answers.verdicts import Decision, ItemJudgment
    from errata.server.visits import Visit

ITEMS_ON_PAGE = 50


class ItemRow(NamedTuple):
    """An item with where it comes from, what was said of it, and what was decided."""

    item: Item
    sources: Sources
    decision: Decision
    judgments: list[ItemJudgment]
    edits: list[EditInContext]
    amended: MarkedSentence | None


def show_progress(visit: Visit) -> Response:
    """Show how far judging is, how far annotators agree, and what became of each team's proposals."""
    phase = find_answers_phase(visit)
    ensure_pooled(visit.event, phase.name)
    with visit.event.database.read() as transaction:
        progress = measure_progress(transaction, phase)
        removed = list_removed(transaction)
    names = {row.annotator.id: row.annotator.name for row in progress.annotators}
    return render_page(
        "organiser_answers.html",
        visit,
        phase=phase,
        visibility=visit.moment.visibility,
        progress=progress,
        removed=removed,
        names=names,
    )


def show_items(visit: Visit) -> Response:
    """Show the items with all judgments and comments: those with a status if one is named, some a page."""
    phase, number = find_answers_phase(visit), page_number(visit)
    status = visit.request.query_params.get("status", "")
    if status and status not in STATUSES:
        raise NotFoundError("there is no such list")
    answers = open_answers(visit.event, phase.name)
    with visit.event.database.read() as transaction:
        judgments = list_judgments(transaction, phase.name)
        listed = [
            (item, sources, decide(item, judgments.get(item.id, []), phase.judges))
            for item, sources in list_proposed_items(transaction, phase.name).items()
        ]
        names = {account.id: account.name for role in ("team", "annotator") for account in list_accounts(transaction, role)}
    chosen = [own for own in listed if not status or own[2].status == status]
    rows: list[ItemRow] = []
    for item, sources, decision in chosen[(number - 1) * ITEMS_ON_PAGE : number * ITEMS_ON_PAGE]:
        sentence = answers.sentence(item.sentence)
        amended = show_item(sentence, decision.edits) if decision.is_amended else None
        edits = show_in_context(sentence, item.edits)
        rows.append(ItemRow(item, sources, decision, judgments.get(item.id, []), edits, amended))
    return render_page(
        "organiser_answer_items.html",
        visit,
        phase=phase,
        rows=rows,
        chosen=status,
        statuses=STATUSES,
        total=len(chosen),
        names=names,
        number=number,
        pages_total=max(1, -(-len(chosen) // ITEMS_ON_PAGE)),
    )


def show_tables(visit: Visit) -> Response:
    """Show the tables with what is accepted so far."""
    phase = find_answers_phase(visit)
    about = visit.moment.definition.phase(phase.about)
    with visit.event.database.read() as transaction:
        proposers = {team.team.name for team in measure_progress(transaction, phase).teams if team.proposed}
    return render_page(
        "organiser_answer_tables.html",
        visit,
        phase=phase,
        about=about,
        visibility=visit.moment.visibility,
        kept=visit.site.previews.find(phase.name),
        proposers=proposers,
    )
