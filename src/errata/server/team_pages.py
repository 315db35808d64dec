"""The pages of a team: what it has submitted, and the form with which it submits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse

from errata.errors import ErrataError
from errata.event.uploading import check_before, find_limit, upload
from errata.server.bodies import too_large
from errata.server.caching import send_file
from errata.server.failures import NotFoundError, status_of
from errata.server.phase_addresses import find_phase
from errata.server.public_pages import read_gold
from errata.server.rendering import render_page
from errata.server.team_views import MOST_IN_OVERVIEW, page_number, view_phase

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.event.phases import Phase
    from errata.server.visits import Visit

NEW, SAME = "new", "same"
"""What an address says about an upload that was just accepted."""


def show_team(visit: Visit) -> Response:
    """Show all phases to a team, with what it submitted last."""
    own = [
        view_phase(visit, phase, visit.account, most=MOST_IN_OVERVIEW) for phase in visit.moment.definition.phases if not phase.is_answers
    ]
    answers = [phase for phase in visit.moment.definition.phases if phase.is_answers]
    return render_page("team.html", visit, visibility=visit.moment.visibility, own=own, answers=answers)


def show_team_phase(visit: Visit) -> Response:
    """Show a team all that it has submitted to a phase."""
    return _show(visit, _find(visit))


def show_team_gold(visit: Visit) -> Response:
    """Send a team the gold of a phase, where teams may see it."""
    phase = _find(visit)
    if not visit.moment.visibility.gold(phase, visit.viewer):
        raise NotFoundError(f"the gold of {phase.name} is hidden")
    return send_file(read_gold(visit, phase), "text/plain; charset=utf-8", f"{phase.name}.m2")


def take_form(visit: Visit) -> Response:
    """Take an upload: show the submission, or every problem for which it is refused."""
    phase = _find(visit)
    description = visit.form.get("description", "")
    try:
        check_before(visit.event, phase.name, visit.received_at)
        if visit.file is None:
            return _show(visit, phase, 422, refusal="no file was sent; choose one", description=description)
        most = find_limit(visit.event, phase.name, visit.site.settings.max_upload)
        content = visit.file.read(most + 1)
        if len(content) > most:
            refused = too_large(most)
            return _show(visit, phase, refused.status_code, refusal=refused.detail, description=description)
        receipt = upload(visit.event, visit.account, phase.name, content, description, visit.received_at)
    except ErrataError as error:
        return _show(visit, phase, status_of(error), refusal=str(error), description=description)
    if receipt.submission is None:
        return _show(visit, phase, 422, problems=receipt.problems, description=description)
    return RedirectResponse(f"/team/submissions/{receipt.submission.public_id}?accepted={NEW if receipt.is_new else SAME}", 303)


def _find(visit: Visit) -> Phase:
    phase = find_phase(visit.moment, visit.path("phase"))
    if phase.is_answers:
        raise NotFoundError(f"nothing is submitted to {phase.name}")
    return phase


def _show(visit: Visit, phase: Phase, status: int = 200, **answer: object) -> Response:
    """Show the submissions and the form, with what was wrong with an upload if there was one."""
    named = {"refusal": "", "problems": [], "description": "", **answer}
    visibility = visit.moment.visibility
    return render_page(
        "team_phase.html",
        visit,
        status,
        visibility=visibility,
        own=view_phase(visit, phase, visit.account, page_number(visit)),
        shows_gold=visibility.gold(phase, visit.viewer),
        **named,
    )
