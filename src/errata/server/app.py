"""The addresses of the server, and what answers each."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from starlette.applications import Starlette
from starlette.routing import Route

from errata.server import (
    interface,
    log_in,
    organiser_pages,
    people_pages,
    public_pages,
    report_pages,
    submission_pages,
    table_pages,
    team_pages,
)
from errata.server.answer_routes import list_answer_routes
from errata.server.attempts import Attempts
from errata.server.failures import make_handlers
from errata.server.guard import LOGIN, Guard
from errata.server.visits import EventSite, api, form, page

if TYPE_CHECKING:
    from starlette.types import ASGIApp, ExceptionHandler

    from errata.event.event import Event
    from errata.server.settings import ServerSettings


def make_app(event: Event, settings: ServerSettings) -> ASGIApp:
    """Make the application that serves an event."""
    attempts = Attempts(settings.attempts_per_minute)
    site = EventSite(event, settings, attempts)
    routes = [
        Route("/", page(site, public_pages.show_event)),
        Route("/phases/{phase}", page(site, public_pages.show_phase)),
        Route("/phases/{phase}/source", page(site, public_pages.show_source)),
        Route("/phases/{phase}/gold", page(site, public_pages.show_gold)),
        Route("/phases/{phase}/golds/{version}", page(site, public_pages.show_gold_version)),
        Route("/phases/{phase}/tables/{version}", page(site, table_pages.show_board)),
        Route("/phases/{phase}/tables/{version}/{table}", page(site, table_pages.show_table)),
        *_list_team_routes(site),
        *_list_organiser_routes(site),
        *list_answer_routes(site),
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


def _list_team_routes(site: EventSite) -> list[Route]:
    one = "/team/submissions/{submission}"
    return [
        Route("/team", page(site, team_pages.show_team, "team")),
        Route("/team/phases/{phase}", page(site, team_pages.show_team_phase, "team")),
        Route("/team/phases/{phase}", form(site, team_pages.take_form, "team", file=True), methods=["POST"]),
        Route("/team/phases/{phase}/gold", page(site, team_pages.show_team_gold, "team")),
        Route(one, page(site, submission_pages.show_submission, "team")),
        Route(f"{one}/file", page(site, submission_pages.send_submission, "team")),
        Route(f"{one}/report", page(site, report_pages.show_report, "team", is_slow=True)),
        Route(f"{one}/{{action}}", form(site, submission_pages.mark_own, "team"), methods=["POST"]),
    ]


def _list_organiser_routes(site: EventSite) -> list[Route]:
    one, phase, person = "/organiser/submissions/{submission}", "/organiser/phases/{phase}", "/organiser/people/{account}/{action}"
    return [
        Route("/organiser", page(site, organiser_pages.show_overview, "organiser")),
        Route("/organiser/log", page(site, organiser_pages.show_log, "organiser")),
        Route("/organiser/people", page(site, people_pages.show_people, "organiser")),
        Route("/organiser/people", form(site, people_pages.add_person, "organiser"), methods=["POST"]),
        Route(person, page(site, people_pages.ask_change, "organiser")),
        Route(person, form(site, people_pages.change_person, "organiser"), methods=["POST"]),
        Route(phase, page(site, organiser_pages.show_organised_phase, "organiser")),
        Route(f"{phase}/teams/{{team}}", page(site, organiser_pages.show_organised_team, "organiser")),
        Route(f"{phase}/golds/{{version}}", page(site, organiser_pages.send_gold, "organiser")),
        Route(f"{phase}/tables/{{version}}", page(site, table_pages.show_organisers_board, "organiser")),
        Route(f"{phase}/tables/{{version}}/{{table}}", page(site, table_pages.show_organisers_table, "organiser")),
        Route(f"{phase}/{{kind}}", page(site, organiser_pages.ask_decision, "organiser")),
        Route(f"{phase}/{{kind}}", form(site, organiser_pages.carry_out, "organiser"), methods=["POST"]),
        Route(one, page(site, submission_pages.show_submission, "organiser")),
        Route(f"{one}/file", page(site, submission_pages.send_submission, "organiser")),
        Route(f"{one}/report", page(site, report_pages.show_report, "organiser", is_slow=True)),
    ]
