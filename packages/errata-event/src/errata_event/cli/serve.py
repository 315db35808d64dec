"""``errata serve``: a shared task that runs itself."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from errata import __version__
from errata.cli.printing import TABLE, flush_warnings, print_json, print_tables, print_warning
from errata.cli.vocabulary import add_format, add_option, add_options, is_given
from errata.errors import FormatError, InputWarning, UsageError, pluralise, suggest
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from errata.cli.parser import Parser
    from errata.report.table import Table
    from errata_event.accounts import AccountRole
    from errata_event.answers.judging import Status
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import Phase
    from errata_event.event import Event, Moment
    from errata_event.server.settings import ServerSettings


_LOCK = "accounts"


def _add_accounts(options: argparse.Namespace, role: AccountRole, names: list[str]) -> None:
    from errata_event.accounts import add_account

    if options.names is not None:
        names = [*names, *_read_names(options.names)]
    _require_names(role, "add", names)
    with _opening(options) as event:
        with event.database.write(_LOCK) as transaction:
            added = [add_account(transaction, role, name, event.clock()) for name in names]
        _print_tokens(options, [(role, account.name, token) for account, token in added])


def _renew_tokens(options: argparse.Namespace, role: AccountRole, names: list[str]) -> None:
    from errata_event.accounts import Account

    _require_names(role, "renew", names)
    with _opening(options) as event:
        with event.database.write(_LOCK) as transaction:
            accounts = [Account.find(transaction, role, name) for name in names]
            tokens = [(role, account.name, account.renew_token(transaction, event.clock())) for account in accounts]
        _print_tokens(options, tokens)


def _remove_accounts(options: argparse.Namespace, role: AccountRole, names: list[str]) -> None:
    from errata_event.accounts import Account

    _require_names(role, "remove", names)
    with _opening(options) as event, event.database.write(_LOCK) as transaction:
        accounts = [Account.find(transaction, role, name) for name in names]
        for account in accounts:
            account.remove(transaction, event.clock())
    for account in accounts:
        print(f"{account.name}: removed")


def _print_accounts(options: argparse.Namespace, role: AccountRole, names: list[str]) -> None:
    from errata.report.table import Column, Table
    from errata_event import accounts
    from errata_event.accounts import list_aliases

    if names:
        raise UsageError(f"errata serve {role} list takes no name, found {names[0]!r}")
    with _opening(options) as event, event.database.read() as transaction:
        listed = accounts.list_accounts(transaction, role)
        removed = accounts.list_removed(transaction)
        phases = [phase.name for phase in event.moment(transaction).definition.phases if not phase.is_answers] if role == "team" else []
        aliases = {phase: list_aliases(transaction, phase, listed) for phase in phases}
    if options.format == "json":
        records = [
            {
                "role": role,
                "name": account.name,
                **({"anonymous_names": {phase: aliases[phase][account.id] for phase in phases}} if role == "team" else {}),
                "removed": account.id in removed,
            }
            for account in listed
        ]
        print_json({"errata": __version__, "accounts": records})
        return
    anonymous = (Column(f"Anonymous in {phase}", key=f"anonymous_in_{phase}") for phase in phases)
    columns = (Column("Name", key="name"), *anonymous, Column("Removed", key="removed"))
    rows = tuple(
        (account.name, *(aliases[phase][account.id] for phase in phases), "yes" if account.id in removed else "no") for account in listed
    )
    print_tables([Table(columns, rows)], options.format)


def _require_names(role: AccountRole, word: str, names: list[str]) -> None:
    if not names:
        raise UsageError(f"errata serve {role} {word} needs one name or more")


def _read_names(path: str) -> list[str]:
    """Read names, one in each line; empty lines are none."""
    from errata.formats.lines import decode_text, display_path, open_bytes
    from errata_event.accounts import check_name

    with open_bytes(path) as file:
        text = decode_text(file.read(), display_path(path))
    names = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                names.append(check_name(line))
            except UsageError as error:
                raise FormatError(display_path(path), number, str(error)) from None
    return names


_DATABASE = "ERRATA_DATABASE"


def _find_database(options: argparse.Namespace) -> str | None:
    """Find the address of the database; it may have a password, so no message has it."""
    return options.database or os.environ.get(_DATABASE) or None


@contextmanager
def _opening(options: argparse.Namespace) -> Iterator[Event]:
    """Open the event; close it at the end."""
    from errata_event.event import Event

    event = Event.open(options.data, _find_database(options))
    try:
        yield event
    finally:
        event.close()


def _make_event(options: argparse.Namespace) -> None:
    _create(options, options.words[0]).close()


def _create(options: argparse.Namespace, path: str) -> Event:
    """Make an event; print the token of its organiser, and what to do next."""
    from errata.formats.lines import display_path
    from errata_event.event import create_event

    event, token = create_event(
        options.data,
        path,
        _find_database(options),
        warn=print_warning,
        allow_outside=options.allow_outside,
        max_files=options.max_files,
    )
    flush_warnings()
    phases = ", ".join(phase.name for phase in event.moment().definition.phases)
    where = display_path(options.data) if _find_database(options) is None else "the database"
    _tell_organiser(f"the event was made in {where}, with the phases {phases}")
    _print_tokens(options, [("organiser", "organiser", token)])
    _tell_organiser("next: errata serve team add NAME... makes teams, errata serve lets them in")
    return event


def _update_event(options: argparse.Namespace) -> None:
    with _opening(options) as event:
        _update(options, event, options.words[0])


def _update(options: argparse.Namespace, event: Event, path: str) -> None:
    """Take the definition and the gold from a file; say what has changed."""
    changes = event.update(path, print_warning, allow_outside=options.allow_outside, max_files=options.max_files)
    flush_warnings()
    print(f"changed: {'; '.join(changes)}" if changes else "nothing has changed")


def _close_or_publish(options: argparse.Namespace) -> None:
    from errata_event.instants import show_everywhere

    with _opening(options) as event:
        at = event.decide(options.words[0], options.action)
        definition = event.moment().definition
        undecided = _count_undecided(event, definition.phase(options.words[0])) if options.action == "publish" else 0
    done = "closed" if options.action == "close" else "published"
    print(f"{options.words[0]} was {done} at {show_everywhere(at.replace(microsecond=0), definition.zone)}")
    if undecided:
        _tell_organiser(f"{pluralise(undecided, 'proposal was', 'proposals were')} not decided, and so not accepted")


def _count_undecided(event: Event, phase: Phase) -> int:
    from errata_event.answers.outcomes import count_undecided

    if not phase.is_answers:
        return 0
    with event.database.read() as transaction:
        return count_undecided(transaction, phase)


def _export(options: argparse.Namespace) -> None:
    from errata.cli.report import watch
    from errata.formats.lines import display_path
    from errata_event.export import export_event

    if options.output in {None, "-"}:
        raise UsageError("errata serve export needs -o FOLDER, a new folder")
    with _opening(options) as event:
        names = export_event(event, options.output, watch, print_warning)
    flush_warnings()
    print(f"{pluralise(len(names), 'file')} written to {display_path(options.output)}; README.txt says what they are")


def _print_tokens(options: argparse.Namespace, tokens: Sequence[tuple[str, str, str]]) -> None:
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
    _tell_organiser(f"{shown} shown only now; errata serve {tokens[0][0]} renew NAME makes another")


def _tell_organiser(line: str) -> None:
    print_to_stderr(f"errata: {line}")


_BEYOND = (
    "{} is not only for this machine: put a reverse proxy in front, which ends TLS, limits the size and the time of requests and sets the "
    "forwarded headers, and name its address with --public-url; over plain HTTP everybody on the way can read tokens"
)


def _serve_event(options: argparse.Namespace, path: str) -> None:
    """Make the event of a file if there is none, take its changes if there is one, and serve it."""
    from errata_event.server.app import require_server_packages, run_server

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
    if event.maker.is_busy:
        _end_at_once()


def _end_at_once() -> None:
    """End the process although a thread still makes a leaderboard; who asks next has it computed.

    Python would take from the thread what it uses, and complain.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)


def _make_settings(options: argparse.Namespace) -> ServerSettings:
    from errata_event.server.settings import ServerSettings

    given: dict[str, Any] = {name: getattr(options, name) for name in ("host", "port", "public_url", "max_upload")}
    return ServerSettings(**{name: value for name, value in given.items() if value is not None})


def _open(options: argparse.Namespace, path: str) -> Event:
    from errata_event.event import Event

    event = Event.open(options.data, _find_database(options), create=bool(path))
    try:
        if not path:
            return event
        if event.is_defined():
            _update(options, event, path)
            return event
    except BaseException:
        event.close()
        raise
    event.close()
    return _create(options, path)


def _print_status(options: argparse.Namespace) -> None:
    from errata_event.accounts import ACCOUNT_ROLES, list_accounts, list_removed
    from errata_event.submissions import count_submissions

    with _opening(options) as event, event.database.read() as transaction:
        moment = event.moment(transaction)
        counts = count_submissions(transaction)
        removed = list_removed(transaction)
        people = {role: sum(account.id not in removed for account in list_accounts(transaction, role)) for role in ACCOUNT_ROLES}
        records = [_describe(moment, phase, *counts.get(phase.name, (0, 0)), transaction) for phase in moment.definition.phases]
    record = {"errata": __version__, "title": moment.definition.title, "now": moment.now.isoformat(), "people": people, "phases": records}
    if options.format == "json":
        print_json(record)
    else:
        _print_tables(options, moment, record)


def _describe(moment: Moment, phase: Phase, submissions: int, teams: int, transaction: DatabaseTransaction) -> dict[str, Any]:
    from errata_event.golds import list_newest

    visibility = moment.visibility
    published = visibility.published(phase)
    common = {
        **visibility.record(phase),
        "accepts_until": visibility.deadline(phase).isoformat(),
        "publishes": published.isoformat() if published is not None else None,
    }
    if phase.is_answers:
        return {**common, "about": phase.about, "judging": _describe_judging(transaction, phase)}
    golds = {version.variant: version.number for version in list_newest(transaction, phase.name)}
    return {**common, "submissions": submissions, "teams": teams, "gold_versions": golds}


def _describe_judging(transaction: DatabaseTransaction, phase: Phase) -> dict[str, Any]:
    from errata_event.answers.outcomes import AnswerProgress

    progress = AnswerProgress.measure(transaction, phase)
    annotators = {own.annotator.id: own.annotator.name for own in progress.annotators}
    return {
        "items": progress.items,
        "from_teams": progress.from_teams,
        **_name_counts(progress.by_status),
        "agreement": progress.agreement.record(annotators),
        "annotators": [
            {"name": own.annotator.name, "judged": own.queue.done, "left": own.queue.left, "skipped": own.queue.skipped}
            for own in progress.annotators
        ],
        "teams": [{"name": own.team.name, "proposed": own.proposed, **_name_counts(own.by_status)} for own in progress.teams],
    }


def _name_counts(counts: Mapping[Status, int]) -> dict[str, int]:
    return {str(status): count for status, count in counts.items()}


def _print_tables(options: argparse.Namespace, moment: Moment, record: dict[str, Any]) -> None:
    from errata.report.table import Column, Table
    from errata_event.instants import ANYWHERE, show_instant

    zone, visibility = moment.definition.zone, moment.visibility
    phases = Table(
        (
            Column("Phase", key="phase"),
            Column("Stage", key="stage"),
            Column("Submissions", "count", "submissions"),
            Column("Teams", "count", "teams"),
        ),
        tuple((item["name"], item["stage"], item.get("submissions"), item.get("teams")) for item in record["phases"]),
        record["title"],
        (", ".join(f"{role}s: {count}" for role, count in record["people"].items()),),
    )
    rows = []
    for phase in moment.definition.phases:
        instants: dict[str, datetime | None] = {
            "opens": phase.opens,
            "closes": visibility.closes(phase),
            "accepts until": visibility.deadline(phase) if phase.grace else None,
            "is published": visibility.published(phase),
        }
        rows += [(phase.name, what, show_instant(at, zone), show_instant(at, ANYWHERE)) for what, at in instants.items() if at is not None]
    times = Table(
        (Column("Phase", key="phase"), Column("What", key="what"), Column("When", key="when"), Column("Anywhere on Earth", key="aoe")),
        tuple(rows),
        notes=(f"It is {show_instant(moment.now.replace(microsecond=0), zone)} now.",),
    )
    judging = [_make_judging_table(item["name"], item["judging"]) for item in record["phases"] if item.get("judging", {}).get("items")]
    print_tables([phases, times, *judging], options.format)


def _make_judging_table(name: str, judging: dict[str, Any]) -> Table:
    from errata.report.table import Column, Table

    agreement = judging["agreement"]
    done = ", ".join(f"{judging[status]:,} {status}" for status in ("accepted", "rejected", "disputed", "undecided"))
    notes = [f"{judging['items']:,} proposals, {judging['from_teams']:,} of them by teams: {done}."]
    if agreement["kappa"] is not None:
        notes.append(f"Cohen's kappa {agreement['kappa']:.4f}, of {agreement['items']:,} proposals that two annotators judged.")
    columns = (
        Column("Annotator", key="annotator"),
        Column("Judged", "count", "judged"),
        Column("Left", "count", "left"),
        Column("Skipped", "count", "skipped"),
    )
    rows = tuple((own["name"], own["judged"], own["left"], own["skipped"]) for own in judging["annotators"])
    return Table(columns, rows, f"Judging of {name}", tuple(notes))


def _print_log(options: argparse.Namespace) -> None:
    from errata.report.table import Column, Table
    from errata_event.accounts import ACCOUNT_ROLES, list_accounts
    from errata_event.audit import read_log
    from errata_event.instants import show_instant

    with _opening(options) as event, event.database.read() as transaction:
        lines = read_log(transaction)
        known = {account.id: account for role in ACCOUNT_ROLES for account in list_accounts(transaction, role)}
        zone = event.moment(transaction).definition.zone
    if options.format == "json":
        records = [{"at": line.at.isoformat(), "who": line.who(known), "action": line.action, "details": line.details} for line in lines]
        print_json({"errata": __version__, "log": records})
        return
    is_for_people = options.format != "csv"
    rows = tuple(
        (
            show_instant(line.at.replace(microsecond=0), zone) if is_for_people else line.at.isoformat(),
            line.who(known),
            line.action,
            ", ".join(f"{key}={value}" for key, value in line.details.items()),
        )
        for line in lines
    )
    columns = (Column("At", key="at"), Column("Who", key="who"), Column("Action", key="action"), Column("Details", key="details"))
    print_tables([Table(columns, rows)], options.format)


_SERVE_EXAMPLES = """\
examples:
  errata serve init examples/event.toml
  errata serve team add Alpha "Team B"
  errata serve annotator add Ann
  errata serve status
  errata serve log --format csv
  errata serve export -o exported

To serve the event on this machine until Ctrl-C:
  errata serve
In one step, which makes the event if there is none:
  errata serve event.toml --data folder
As a reverse proxy sees it:
  errata serve --public-url https://task.example.org

Actions:
  init TASK               make the event that a file (TOML) defines
  update TASK             take changes of the file, and of the gold
  team add NAME...        add teams; so with annotator and organiser
  team list               list teams
  team renew NAME...      give new tokens, and admit teams that were removed
  team remove NAME...     refuse teams from now on; what they did stays
  close PHASE             close a phase now
  publish PHASE           publish a phase that has closed
  export -o FOLDER        write everything; errata task run scores it again
  status                  print phases, submissions, teams and judging
  log                     print what was done by whom
A file that is called like an action needs its folder: ./status

A token is what a team needs to log in or to submit.  It is printed once, to
standard output, and stored nowhere.  Only organisers can use this command: it
needs the data folder, or the password of the database.
"""
_ACTION_OR_TASK = "ACTION|TASK"
_ROLES = ("team", "annotator", "organiser")
_OF_ROLES = ("add", "list", "renew", "remove")


class _Action(NamedTuple):
    """What can be asked for."""

    names: str
    """What follows, as messages say it; nothing if nothing does."""
    options: str = ""
    """Options that it has beside those of all actions."""


_SERVE = ""
"""The action without a word, which serves."""
_READING = "--allow-outside --max-files"
_ACTIONS: dict[str, _Action] = {
    "init": _Action("TASK", f"{_READING} --format"),
    "update": _Action("TASK", _READING),
    **{role: _Action("add, list, renew or remove", "--names --format --output") for role in _ROLES},
    "close": _Action("PHASE"),
    "publish": _Action("PHASE"),
    "export": _Action("", "--output"),
    "status": _Action("", "--format --output"),
    "log": _Action("", "--format --output"),
}
_SERVING = _Action("", f"{_READING} --host --port --public-url --max-upload")
_OF_SOME = tuple(dict.fromkeys(name for action in (_SERVING, *_ACTIONS.values()) for name in action.options.split()))


def register_serve(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "serve",
        help="run a shared task: uploads, leaderboards, judging",
        description="Run a shared task, or manage it.",
        epilog=_SERVE_EXAMPLES,
    )
    parser.add_argument(
        "action", metavar=_ACTION_OR_TASK, nargs="?", default=_SERVE, help="what to do; or the file of an event, to serve it"
    ).completed = tuple(_ACTIONS)  # type: ignore[attr-defined]
    parser.add_argument("words", metavar="NAME", nargs="*", help="what the action is about")
    add_options(parser, "--data", "--database", "--names", "--host", "--port", "--public-url", "--max-upload")
    add_options(parser, "--allow-outside", "--max-files", "--max-bytes", "--max-lines")
    add_format(parser, TABLE)
    add_option(parser, "--output", " (default: standard output); with export, a new folder")
    parser.set_defaults(run=_run_serve, prints=lambda options: options.action != "export")


def _run_serve(options: argparse.Namespace) -> int:
    action = _ACTIONS.get(options.action, _SERVING)
    _check_options(options, action)
    if action is _SERVING:
        _serve(options)
        return 0
    is_about_one = action.names in {"TASK", "PHASE"}
    if is_about_one and len(options.words) != 1:
        raise UsageError(f"errata serve {options.action} needs one {action.names}, found {len(options.words)}")
    if not action.names and options.words:
        raise UsageError(f"errata serve {options.action} takes no name, found {options.words[0]!r}")
    if options.action == "init":
        _refuse_escaped_tokens(options)
    if options.action in _ROLES:
        _manage_accounts(options, action)
    else:
        functions: dict[str, Callable[[argparse.Namespace], None]] = {
            "init": _make_event,
            "update": _update_event,
            "close": _close_or_publish,
            "publish": _close_or_publish,
            "export": _export,
            "status": _print_status,
            "log": _print_log,
        }
        functions[options.action](options)
    return 0


_FOR_PAPERS = ("markdown", "latex")
"""Formats that change characters, which a token must not suffer."""


def _refuse_escaped_tokens(options: argparse.Namespace) -> None:
    if options.format in _FOR_PAPERS:
        raise UsageError(f"--format {options.format} would change characters of tokens; choose from table, json, csv")


def _serve(options: argparse.Namespace) -> None:
    import os

    word = options.action
    if options.words and os.path.lexists(word):
        raise UsageError(f"one argument too many: {options.words[0]!r}")
    if options.words:
        raise UsageError(f"there is no action {word!r}{suggest(word, _ACTIONS)}; errata serve --help lists them")
    if word and not os.path.lexists(word):
        raise UsageError(f"{word}: there is no such file, and no action of this name{suggest(word, _ACTIONS)}")
    _serve_event(options, word)


def _manage_accounts(options: argparse.Namespace, action: _Action) -> None:
    word = options.words[0] if options.words else ""
    if word not in _OF_ROLES:
        raise UsageError(
            f"errata serve {options.action} needs {action.names}{f', found {word!r}' if word else ''}{suggest(word, _OF_ROLES)}"
        )
    if word != "add" and options.names is not None:
        raise UsageError(f"--names needs errata serve {options.action} add")
    if word != "list" and options.output is not None:
        raise UsageError(f"--output needs errata serve {options.action} list; tokens are printed, and stored nowhere")
    if word == "remove" and options.format != TABLE[0]:
        raise UsageError(f"--format needs errata serve {options.action} add, list or renew")
    if word in {"add", "renew"}:
        _refuse_escaped_tokens(options)
    functions = {"add": _add_accounts, "list": _print_accounts, "renew": _renew_tokens, "remove": _remove_accounts}
    functions[word](options, options.action, options.words[1:])


def _check_options(options: argparse.Namespace, action: _Action) -> None:
    """Refuse an option that the action would ignore."""
    parser: Parser = options.parser
    allowed = action.options.split()
    for name in _OF_SOME:
        given = options.format != TABLE[0] if name == "--format" else is_given(parser.options[name], options)
        if given and name not in allowed:
            having = [*(["without an action"] if name in _SERVING.options.split() else [])]
            having += [word for word, other in _ACTIONS.items() if name in other.options.split()]
            raise UsageError(f"{name} needs errata serve {', '.join(having)}")
