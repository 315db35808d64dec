"""The addresses of the server, and what answers each; runs it until it is interrupted."""

from __future__ import annotations

import logging
import socket
from typing import TYPE_CHECKING, cast

from starlette.applications import Starlette

from errata.errors import RequestError
from errata_event.server import answers, boards, interface, organisers, teams
from errata_event.server.requests import Attempts, EventSite, Guard, make_handlers

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, ExceptionHandler

    from errata_event.event import Event
    from errata_event.server.settings import ServerSettings


def _make_app(event: Event, settings: ServerSettings) -> ASGIApp:
    attempts = Attempts(settings.attempts_per_minute)
    site = EventSite(event, settings, attempts)
    families = (boards.routes(site), teams.routes(site), organisers.routes(site), answers.routes(site), interface.routes(site))
    routes = [route for family in families for route in family]
    handlers = cast("dict[int | type[Exception], ExceptionHandler]", make_handlers(site))
    return Guard(Starlette(routes=routes, exception_handlers=handlers), settings, attempts)


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
