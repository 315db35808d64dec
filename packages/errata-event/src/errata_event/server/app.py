"""The addresses of the server, and what answers each; runs it until it is interrupted."""

from __future__ import annotations

import logging
import socket
from typing import TYPE_CHECKING, cast

from starlette.applications import Starlette
from starlette.routing import Route

from errata.errors import RequestError
from errata_event.server import answers, boards, interface, organisers, teams
from errata_event.server import interface as answers_interface
from errata_event.server.requests import LOGIN, Attempts, EventSite, Guard, api, form, make_handlers, page

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, ExceptionHandler

    from errata_event.event import Event
    from errata_event.server.settings import ServerSettings


# --- The addresses of alternative answers: for teams, annotators, organisers and programs.


def _list_answer_routes(site: EventSite) -> list[Route]:
    """List them."""
    return [*_list_proposing(site), *_list_judging(site), *_list_organising(site)]


def _list_proposing(site: EventSite) -> list[Route]:
    own, program = "/team/answers/{phase}", "/api/phases/{phase}/proposals"
    return [
        Route(own, page(site, answers.show_unmatched, "team")),
        Route(f"{own}/edits", form(site, answers.take_edits, "team"), methods=["POST"]),
        Route(f"{own}/sentence", page(site, answers.show_sentence, "team")),
        Route(f"{own}/sentence", form(site, answers.take_sentence, "team"), methods=["POST"]),
        Route(f"{own}/withdraw", form(site, answers.withdraw, "team"), methods=["POST"]),
        Route(f"{own}/proposals", page(site, answers.show_proposals, "team")),
        Route(f"{own}/file", page(site, answers.show_file, "team")),
        Route(f"{own}/file", form(site, answers.take_file, "team", file=True), methods=["POST"]),
        Route(program, api(site, answers_interface.list_own_proposals, "team")),
        Route(
            program,
            api(site, answers_interface.take_proposals, "team", upload=answers_interface.prepare_proposals),
            methods=["POST"],
        ),
    ]


def _list_judging(site: EventSite) -> list[Route]:
    item = "/judging/{phase}/items/{item}"
    return [
        Route("/judging", page(site, answers.show_judging, "annotator")),
        Route("/judging/{phase}", page(site, answers.show_next, "annotator")),
        Route("/judging/{phase}/done", page(site, answers.show_done, "annotator")),
        Route(item, page(site, answers.show_judged_item, "annotator")),
        Route(item, form(site, answers.take_judgment, "annotator"), methods=["POST"]),
    ]


def _list_organising(site: EventSite) -> list[Route]:
    own = "/organiser/answers/{phase}"
    return [
        Route(own, page(site, organisers.show_progress, "organiser")),
        Route(f"{own}/items", page(site, organisers.show_items, "organiser")),
        Route(f"{own}/tables", page(site, organisers.show_tables, "organiser")),
    ]


# --- The addresses of the server, and what answers each.


def _make_app(event: Event, settings: ServerSettings) -> ASGIApp:
    """Make the application that serves an event."""
    attempts = Attempts(settings.attempts_per_minute)
    site = EventSite(event, settings, attempts)
    routes = [
        Route("/", page(site, boards.show_event)),
        Route("/phases/{phase}", page(site, boards.show_phase)),
        Route("/phases/{phase}/source", page(site, boards.show_source)),
        Route("/phases/{phase}/gold", page(site, boards.show_gold)),
        Route("/phases/{phase}/golds/{version}", page(site, boards.show_gold_version)),
        Route("/phases/{phase}/tables/{version}", page(site, boards.show_board)),
        Route("/phases/{phase}/tables/{version}/{table}", page(site, boards.show_table)),
        *_list_team_routes(site),
        *_list_organiser_routes(site),
        *_list_answer_routes(site),
        Route("/static/{hash}/{name}", page(site, boards.send_static)),
        Route("/health", page(site, boards.tell_health)),
        Route(LOGIN, page(site, teams.show_log_in)),
        Route(LOGIN, form(site, teams.log_in, None), methods=["POST"]),
        Route("/logout", form(site, teams.log_out, None), methods=["POST"]),
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
        Route("/team", page(site, teams.show_team, "team")),
        Route("/team/phases/{phase}", page(site, teams.show_team_phase, "team")),
        Route("/team/phases/{phase}", form(site, teams.take_form, "team", file=True), methods=["POST"]),
        Route("/team/phases/{phase}/gold", page(site, teams.show_team_gold, "team")),
        Route(one, page(site, teams.show_submission, "team")),
        Route(f"{one}/file", page(site, teams.send_submission, "team")),
        Route(f"{one}/report", page(site, teams.show_report, "team", is_slow=True)),
        Route(f"{one}/{{action}}", form(site, teams.mark_own, "team"), methods=["POST"]),
    ]


def _list_organiser_routes(site: EventSite) -> list[Route]:
    one, phase, person = "/organiser/submissions/{submission}", "/organiser/phases/{phase}", "/organiser/people/{account}/{action}"
    return [
        Route("/organiser", page(site, organisers.show_overview, "organiser")),
        Route("/organiser/log", page(site, organisers.show_log, "organiser")),
        Route("/organiser/people", page(site, organisers.show_people, "organiser")),
        Route("/organiser/people", form(site, organisers.add_person, "organiser"), methods=["POST"]),
        Route(person, page(site, organisers.ask_change, "organiser")),
        Route(person, form(site, organisers.change_person, "organiser"), methods=["POST"]),
        Route(phase, page(site, organisers.show_organised_phase, "organiser")),
        Route(f"{phase}/teams/{{team}}", page(site, organisers.show_organised_team, "organiser")),
        Route(f"{phase}/golds/{{version}}", page(site, organisers.send_gold, "organiser")),
        Route(f"{phase}/tables/{{version}}", page(site, boards.show_organisers_board, "organiser")),
        Route(f"{phase}/tables/{{version}}/{{table}}", page(site, boards.show_organisers_table, "organiser")),
        Route(f"{phase}/{{kind}}", page(site, organisers.ask_decision, "organiser")),
        Route(f"{phase}/{{kind}}", form(site, organisers.carry_out, "organiser"), methods=["POST"]),
        Route(one, page(site, teams.show_submission, "organiser")),
        Route(f"{one}/file", page(site, teams.send_submission, "organiser")),
        Route(f"{one}/report", page(site, teams.show_report, "organiser", is_slow=True)),
    ]


# --- Runs the server of an event until it is interrupted.

_BACKLOG = 2048
_FILES_OF_A_CONNECTION, _OTHER_FILES = 3, 200
"""A connection may have a body and an answer on disk; the database has files too."""
_LAST_SECONDS = 10
"""So long may requests take that have begun when the server is told to end."""


def require_server_packages() -> None:
    """Raise unless the packages of the extra are installed."""
    try:
        import jinja2  # noqa: F401
        import python_multipart  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise RequestError(f"a server needs the package {error.name}; install errata[server]") from None


def run_server(event: Event, settings: ServerSettings, tell: Callable[[str], None] = lambda _: None) -> None:
    """Serve an event until the process is interrupted; ``tell`` is told the address."""
    require_server_packages()
    import uvicorn

    from errata_event.server.connections import make_protocol

    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # it logs what is wrong with a form, which is told to whoever sent it
    _allow_files(settings)
    listening = _listen(settings)
    host, port = listening.getsockname()[:2]
    tell(f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/")
    config = uvicorn.Config(
        _make_app(event, settings),
        http=make_protocol(settings),
        ws="none",
        lifespan="off",
        log_level="error",  # strangers can cause warnings as often as they want
        access_log=False,
        server_header=False,
        # Forwarded addresses are believed only if there is a proxy, which connects from this machine.
        proxy_headers=bool(settings.public_url),
        forwarded_allow_ips="127.0.0.1,::1",
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:  # it was told to end, and has
        pass
    finally:
        listening.close()


def _allow_files(settings: ServerSettings) -> None:
    """Allow this process as many open files as its connections may need, if the system lets it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES_OF_A_CONNECTION * settings.max_connections + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _listen(settings: ServerSettings) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        return socket.create_server((settings.host.strip("[]"), settings.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise RequestError(f"the server cannot listen on {settings.host}, port {settings.port}: {error.strerror or error}") from None
