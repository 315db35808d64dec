"""The event that ``errata serve`` is about: made, updated, closed, published and exported."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from errata.cli.printing import flush_warnings, print_json, print_warning
from errata.errors import UsageError, pluralise
from errata.report.progress import print_to_stderr
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from errata.event.event import Event
    from errata.event.phases import Phase

_DATABASE = "ERRATA_DATABASE"


def find_database(options: argparse.Namespace) -> str | None:
    """Find the address of the database; it may have a password, so no message has it."""
    return options.database or os.environ.get(_DATABASE) or None


@contextmanager
def opening(options: argparse.Namespace) -> Iterator[Event]:
    """Open the event; close it at the end."""
    from errata.event.event import Event

    event = Event.open(options.data, find_database(options))
    try:
        yield event
    finally:
        event.close()


def make_event(options: argparse.Namespace) -> None:
    """Make an event, and print the token of its organiser."""
    event = create(options, options.words[0])
    event.close()


def create(options: argparse.Namespace, path: str) -> Event:
    """Make an event; print the token of its organiser, and what to do next."""
    from errata.event.event import create_event
    from errata.formats.lines import display_path

    event, token = create_event(
        options.data,
        path,
        find_database(options),
        warn=print_warning,
        allow_outside=options.allow_outside,
        max_files=options.max_files,
    )
    flush_warnings()
    phases = ", ".join(phase.name for phase in event.moment().definition.phases)
    where = display_path(options.data) if find_database(options) is None else "the database"
    tell_organiser(f"the event was made in {where}, with the phases {phases}")
    print_tokens(options, [("organiser", "organiser", token)])
    tell_organiser("next: errata serve team add NAME... makes teams, errata serve lets them in")
    return event


def update_event(options: argparse.Namespace) -> None:
    """Take changes of the file."""
    with opening(options) as event:
        update(options, event, options.words[0])


def update(options: argparse.Namespace, event: Event, path: str) -> None:
    """Take the definition and the gold from a file; say what has changed."""
    changes = event.update(path, print_warning, allow_outside=options.allow_outside, max_files=options.max_files)
    flush_warnings()
    print(f"changed: {'; '.join(changes)}" if changes else "nothing has changed")


def close_or_publish(options: argparse.Namespace) -> None:
    """Close or publish a phase."""
    from errata.event.instants import show_everywhere

    with opening(options) as event:
        at = event.decide(options.words[0], options.action)
        definition = event.moment().definition
        undecided = _count_undecided(event, definition.phase(options.words[0])) if options.action == "publish" else 0
    done = "closed" if options.action == "close" else "published"
    print(f"{options.words[0]} was {done} at {show_everywhere(at.replace(microsecond=0), definition.zone)}")
    if undecided:
        tell_organiser(f"{pluralise(undecided, 'proposal was', 'proposals were')} not decided, and so not accepted")


def _count_undecided(event: Event, phase: Phase) -> int:
    from errata.event.answers.progress import count_undecided

    if not phase.is_answers:
        return 0
    with event.database.read() as transaction:
        return count_undecided(transaction, phase)


def export(options: argparse.Namespace) -> None:
    """Write everything into a folder."""
    from errata.cli.report import watch
    from errata.event.export import export_event
    from errata.formats.lines import display_path

    if options.output in {None, "-"}:
        raise UsageError("errata serve export needs -o FOLDER, a new folder")
    with opening(options) as event:
        names = export_event(event, options.output, watch, print_warning)
    flush_warnings()
    print(f"{pluralise(len(names), 'file')} written to {display_path(options.output)}; README.txt says what they are")


def print_tokens(options: argparse.Namespace, tokens: Sequence[tuple[str, str, str]]) -> None:
    """Print roles, names and tokens, which are stored nowhere; whole, however narrow a terminal is."""
    from errata.report.table import Column, Table
    from errata.report.writers import render

    if options.format == "json":
        print_json({"errata": __version__, "accounts": [{"role": role, "name": name, "token": token} for role, name, token in tokens]})
    elif options.format == "table":
        print("\n".join(f"{name}: {token}" for _, name, token in tokens), flush=True)
    else:
        columns = (Column("Role", key="role"), Column("Name", key="name"), Column("Token", key="token"))
        print(render(Table(columns, tuple(tokens)), options.format), end="", flush=True)
    shown = "this token is" if len(tokens) == 1 else "these tokens are"
    tell_organiser(f"{shown} shown only now; errata serve {tokens[0][0]} renew NAME makes another")


def tell_organiser(line: str) -> None:
    """Tell the organiser something that is no result."""
    print_to_stderr(f"errata: {line}")
