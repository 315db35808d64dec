"""The addresses of the server, and what answers each."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from starlette.applications import Starlette
from starlette.routing import Route

from errata.server import interface, log_in, public_pages
from errata.server.attempts import Attempts
from errata.server.failures import make_handlers
from errata.server.guard import LOGIN, Guard
from errata.server.visits import Site, api, form, page

if TYPE_CHECKING:
    from starlette.types import ASGIApp, ExceptionHandler

    from errata.event.event import Event
    from errata.server.settings import ServerSettings


def make_app(event: Event, settings: ServerSettings) -> ASGIApp:
    """Make the application that serves an event."""
    attempts = Attempts(settings.attempts_per_minute)
    site = Site(event, settings, attempts)
    routes = [
        Route("/", page(site, public_pages.show_event)),
        Route("/phases/{phase}", page(site, public_pages.show_phase)),
        Route("/phases/{phase}/source", page(site, public_pages.show_source)),
        Route("/phases/{phase}/gold", page(site, public_pages.show_gold)),
        Route("/static/{hash}/{name}", page(site, public_pages.send_static)),
        Route("/health", page(site, public_pages.tell_health)),
        Route(LOGIN, page(site, log_in.show_log_in)),
        Route(LOGIN, form(site, log_in.log_in, None), methods=["POST"]),
        Route("/logout", form(site, log_in.log_out, None), methods=["POST"]),
        Route("/api/phases", api(site, interface.list_phases)),
        Route("/api/phases/{phase}/submissions", api(site, interface.list_own, "team")),
        Route(
            "/api/phases/{phase}/submissions",
            api(site, interface.take_upload, "team", upload=interface.prepare_upload),
            methods=["POST"],
        ),
    ]
    handlers = cast("dict[int | type[Exception], ExceptionHandler]", make_handlers(site))
    return Guard(Starlette(routes=routes, exception_handlers=handlers), settings, attempts)
