"""Logging in with a token, and out again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse

from errata.event import accounts
from errata.server.rendering import home_of, render_page
from errata.server.return_addresses import FIELD, find_home, find_return

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.server.visits import Visit


def show_log_in(visit: Visit) -> Response:
    """Show the form, or go on if somebody is logged in."""
    if visit.viewer is not None:
        return RedirectResponse(home_of(visit.viewer), 303)
    return render_page("log_in.html", visit, wrong=False, back=find_return(visit.request.query_params.get(FIELD, "")))


def log_in(visit: Visit) -> Response:
    """Start a session for a token."""
    token, back = visit.form.get("token", "").strip(), find_return(visit.form.get(FIELD, ""))
    with visit.event.database.read() as transaction:
        found = accounts.find_by_token(transaction, token)
    if found is None:
        return render_page("log_in.html", visit, 403, wrong=True, back=back)
    with visit.event.database.write("sessions") as transaction:
        secret = accounts.start_session(transaction, found, visit.moment.now)
    answer = RedirectResponse(find_home(found, back), 303)
    answer.set_cookie(
        visit.site.cookie,
        secret,
        max_age=int(accounts.SESSION_LIFETIME.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=visit.site.settings.is_https,
    )
    return answer


def log_out(visit: Visit) -> Response:
    """End the session."""
    if visit.session:
        with visit.event.database.write("sessions") as transaction:
            accounts.end_session(transaction, visit.session)
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(visit.site.cookie, httponly=True, samesite="lax", secure=visit.site.settings.is_https)
    return answer
