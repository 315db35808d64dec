"""The page of a submission: its scores, its warnings, its file, and what its team can do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse

from errata.event.marking import mark_submission
from errata.event.submissions import DESCRIPTION, PRIMARY, RESTORED, WITHDRAWN
from errata.event.visibility import is_organiser
from errata.server.caching import send_file
from errata.server.failures import NotFoundError
from errata.server.rendering import render_page
from errata.server.submission_views import get_submission, list_problems, read_content, score_view
from errata.server.team_pages import NEW, SAME

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.server.visits import Visit

_ACTIONS = {"primary": PRIMARY, "withdraw": WITHDRAWN, "restore": RESTORED, "description": DESCRIPTION}
_M2 = b"S "
"""How an upload in M2 begins."""


def show_submission(visit: Visit) -> Response:
    """Show a submission."""
    view = get_submission(visit)
    accepted = visit.request.query_params.get("accepted", "")
    return render_page(
        "submission.html",
        visit,
        view=view,
        visibility=visit.moment.visibility,
        scores=score_view(visit, view),
        problems=list_problems(visit, view),
        accepted=accepted if accepted in {NEW, SAME} else "",
        may_change=not is_organiser(visit.viewer) and visit.moment.visibility.accepts(view.phase),
    )


def send_submission(visit: Visit) -> Response:
    """Send the file back, under a name that errata chose."""
    view = get_submission(visit)
    content = read_content(visit, view)
    ending = "m2" if content.startswith(_M2) else "txt"
    return send_file(content, "text/plain; charset=utf-8", f"{view.phase.name}-{view.submission.number}.{ending}")


def mark_own(visit: Visit) -> Response:
    """Do what a button of the page says."""
    action = visit.path("action")
    if action not in _ACTIONS:
        raise NotFoundError("there is no such page")
    view = get_submission(visit)
    text = visit.form.get("description", "")
    mark_submission(visit.event, visit.account, view.submission.public_id, _ACTIONS[action], text, visit.received_at)
    return RedirectResponse(view.base, 303)
