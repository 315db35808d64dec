"""What an annotator has judged, which he can change until it is published."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.event.answers.answer_phases import open_answers
from errata.event.answers.item_keys import make_item_key
from errata.event.answers.judging import list_own_judgments
from errata.event.answers.judging_views import show_item
from errata.server.answer_pages import find_answers_phase
from errata.server.answer_views import EditInContext, show_in_context
from errata.server.rendering import render_page
from errata.server.team_views import page_number

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.event.answers.segments import MarkedSentence
    from errata.event.answers.verdicts import ItemJudgment
    from errata.server.visits import Visit

JUDGMENTS_ON_PAGE = 50


class JudgedItem(NamedTuple):
    """An item with what the annotator said last."""

    item: str
    """Its name in addresses."""
    sentence: int
    judgment: ItemJudgment
    edits: list[EditInContext]
    amended: MarkedSentence | None


def show_done(visit: Visit) -> Response:
    """Show an annotator what he has judged, the newest first."""
    phase, number = find_answers_phase(visit), page_number(visit)
    answers = open_answers(visit.event, phase.name)
    with visit.event.database.read() as transaction:
        own = list_own_judgments(transaction, phase, visit.account)
    shown = [
        JudgedItem(
            make_item_key(item),
            item.sentence,
            judgment,
            show_in_context(answers.sentence(item.sentence), item.edits),
            show_item(answers.sentence(item.sentence), judgment.edits) if judgment.edits else None,
        )
        for item, judgment in own[(number - 1) * JUDGMENTS_ON_PAGE : number * JUDGMENTS_ON_PAGE]
    ]
    visibility = visit.moment.visibility
    return render_page(
        "judged.html",
        visit,
        phase=phase,
        shown=shown,
        total=len(own),
        number=number,
        pages_total=max(1, -(-len(own) // JUDGMENTS_ON_PAGE)),
        may_change=visibility.judging(phase, visit.account),
    )
