"""The proposals of a team with what became of them, and files of proposals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse

from errata.errors import ErrataError
from errata.event.answers.answer_phases import require_answers
from errata.event.answers.proposing import propose_file
from errata.event.uploading import find_limit, require_open
from errata.server.answer_pages import address_of_answers, find_answers_phase
from errata.server.answer_views import PROPOSALS_ON_PAGE, view_answers
from errata.server.bodies import too_large
from errata.server.failures import status_of
from errata.server.rendering import render_page
from errata.server.team_views import page_number

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.event.phases import Phase
    from errata.server.visits import Visit

_TAKEN = "taken"
"""What an address says of a file that was just accepted."""


def show_proposals(visit: Visit) -> Response:
    """Show a team its proposals, and the verdicts once they are published."""
    phase, number = find_answers_phase(visit), page_number(visit)
    view = view_answers(visit, phase)
    pages = max(1, -(-len(view.proposals) // PROPOSALS_ON_PAGE))
    return render_page(
        "team_proposals.html",
        visit,
        visibility=visit.moment.visibility,
        view=view,
        shown=view.proposals[(number - 1) * PROPOSALS_ON_PAGE : number * PROPOSALS_ON_PAGE],
        number=number,
        pages_total=pages,
        base=address_of_answers(phase),
        is_taken=_TAKEN in visit.request.query_params,
    )


def show_file(visit: Visit) -> Response:
    """Show the form for a file of proposals."""
    return _show_file(visit, find_answers_phase(visit))


def take_file(visit: Visit) -> Response:
    """Propose what a file has, or show every problem of it."""
    phase = find_answers_phase(visit)
    try:
        most = find_most_bytes(visit, phase)
        if visit.file is None:
            return _show_file(visit, phase, 422, refusal="no file was sent; choose one")
        content = visit.file.read(most + 1)
        if len(content) > most:
            refused = too_large(most)
            return _show_file(visit, phase, refused.status_code, refusal=refused.detail)
        receipt = propose_file(visit.event, visit.account, phase.name, content, received_at=visit.received_at)
    except ErrataError as error:
        return _show_file(visit, phase, status_of(error), refusal=str(error))
    if not receipt.is_accepted:
        return _show_file(visit, phase, 422, problems=receipt.problems)
    new = sum(is_new for _, is_new in receipt.proposals)
    if receipt.problems:  # what the gold accepts already is told, because nobody can look it up later
        return _show_file(visit, phase, problems=receipt.problems, taken=(new, len(receipt.proposals)))
    return RedirectResponse(f"{address_of_answers(phase)}/proposals?{_TAKEN}", 303)


def find_most_bytes(visit: Visit, phase: Phase) -> int:
    """Find how many bytes a file of proposals may have; raise if none is accepted."""
    require_answers(phase)
    require_open(visit.moment, phase)
    return find_limit(visit.event, phase.about, visit.site.settings.max_upload)


def _show_file(visit: Visit, phase: Phase, status: int = 200, **answer: object) -> Response:
    named = {"refusal": "", "problems": [], "taken": None, **answer}
    view = view_answers(visit, phase)
    return render_page(
        "team_proposal_file.html", visit, status, visibility=visit.moment.visibility, view=view, base=address_of_answers(phase), **named
    )
