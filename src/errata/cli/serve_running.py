"""Serves an event until it is interrupted."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from errata.cli.printing import flush_warnings, print_warning
from errata.cli.serve_event import create, find_database, update
from errata.errors import InputWarning

if TYPE_CHECKING:
    import argparse

    from errata.event.event import Event
    from errata.server.settings import ServerSettings

_BEYOND = (
    "{} is not only for this machine: put a reverse proxy in front, which ends TLS, limits the size and the time of requests and sets the "
    "forwarded headers, and name its address with --public-url; over plain HTTP everybody on the way can read tokens"
)


def serve_event(options: argparse.Namespace, path: str) -> None:
    """Make the event of a file if there is none, take its changes if there is one, and serve it."""
    from errata.server.running import require_server_packages, run_server

    require_server_packages()
    settings = _make_settings(options)
    event = _open(options, path)
    try:
        if not settings.is_local:
            print_warning(_BEYOND.format(settings.host))
        flush_warnings()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # those of uploads are told to their teams
            run_server(event, settings, lambda address: print(f"serving {address} until Ctrl-C", flush=True))
    finally:
        event.close()
    if event.board_maker.is_busy:
        end_at_once()


def end_at_once() -> None:
    """End the process although a thread still makes a leaderboard; who asks next has it computed.

    Python would take from the thread what it uses, and complain.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)


def _make_settings(options: argparse.Namespace) -> ServerSettings:
    from errata.server.settings import ServerSettings

    given: dict[str, Any] = {name: getattr(options, name) for name in ("host", "port", "public_url", "max_upload")}
    return ServerSettings(**{name: value for name, value in given.items() if value is not None})


def _open(options: argparse.Namespace, path: str) -> Event:
    from errata.event.event import Event

    event = Event.open(options.data, find_database(options), create=bool(path))
    try:
        if not path:
            return event
        if event.is_defined():
            update(options, event, path)
            return event
    except BaseException:
        event.close()
        raise
    event.close()
    return create(options, path)
