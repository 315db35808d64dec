"""``errata serve``: a shared task that runs itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.cli.printing import TABLE
from errata.cli.vocabulary import add_format, add_option, add_options, is_given
from errata.errors import UsageError, suggest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from errata.cli.parser import Parser

_EXAMPLES = """\
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
ACTION_OR_TASK = "ACTION|TASK"
_ROLES = ("team", "annotator", "organiser")
_OF_ROLES = ("add", "list", "renew", "remove")


class Action(NamedTuple):
    """What can be asked for."""

    names: str
    """What follows, as messages say it; nothing if nothing does."""
    options: str = ""
    """Options that it has beside those of all actions."""


_SERVE = ""
"""The action without a word, which serves."""
_READING = "--allow-outside --max-files"
ACTIONS: dict[str, Action] = {
    "init": Action("TASK", f"{_READING} --format"),
    "update": Action("TASK", _READING),
    **{role: Action("add, list, renew or remove", "--names --format --output") for role in _ROLES},
    "close": Action("PHASE"),
    "publish": Action("PHASE"),
    "export": Action("", "--output"),
    "status": Action("", "--format --output"),
    "log": Action("", "--format --output"),
}
_SERVING = Action("", f"{_READING} --host --port --public-url --max-upload")
_OF_SOME = tuple(dict.fromkeys(name for action in (_SERVING, *ACTIONS.values()) for name in action.options.split()))


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "serve", help="run a shared task: uploads, leaderboards, judging", description="Run a shared task, or manage it.", epilog=_EXAMPLES
    )
    parser.add_argument(
        "action", metavar=ACTION_OR_TASK, nargs="?", default=_SERVE, help="what to do; or the file of an event, to serve it"
    )
    parser.add_argument("words", metavar="NAME", nargs="*", help="what the action is about")
    add_options(parser, "--data", "--database", "--names", "--host", "--port", "--public-url", "--max-upload")
    add_options(parser, "--allow-outside", "--max-files", "--max-bytes", "--max-lines")
    add_format(parser, TABLE)
    add_option(parser, "--output", " (default: standard output); with export, a new folder")
    parser.set_defaults(run=run, prints=lambda options: options.action != "export")


def run(options: argparse.Namespace) -> int:
    """Do what is asked for."""
    action = ACTIONS.get(options.action, _SERVING)
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
        _find_function(options.action)(options)
    return 0


_FOR_PAPERS = ("markdown", "latex")
"""Formats that change characters, which a token must not suffer."""


def _refuse_escaped_tokens(options: argparse.Namespace) -> None:
    if options.format in _FOR_PAPERS:
        raise UsageError(f"--format {options.format} would change characters of tokens; choose from table, json, csv")


def _serve(options: argparse.Namespace) -> None:
    import os

    from errata.cli.serve_running import serve_event

    word = options.action
    if options.words and os.path.lexists(word):
        raise UsageError(f"one argument too many: {options.words[0]!r}")
    if options.words:
        raise UsageError(f"there is no action {word!r}{suggest(word, ACTIONS)}; errata serve --help lists them")
    if word and not os.path.lexists(word):
        raise UsageError(f"{word}: there is no such file, and no action of this name{suggest(word, ACTIONS)}")
    serve_event(options, word)


def _manage_accounts(options: argparse.Namespace, action: Action) -> None:
    from errata.cli.serve_accounts import add_accounts, print_accounts, remove_accounts, renew_tokens

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
    functions = {"add": add_accounts, "list": print_accounts, "renew": renew_tokens, "remove": remove_accounts}
    functions[word](options, options.action, options.words[1:])


def _find_function(name: str) -> Callable[[argparse.Namespace], None]:
    from errata.cli import serve_event, serve_status

    return {
        "init": serve_event.make_event,
        "update": serve_event.update_event,
        "close": serve_event.close_or_publish,
        "publish": serve_event.close_or_publish,
        "export": serve_event.export,
        "status": serve_status.print_status,
        "log": serve_status.print_log,
    }[name]


def _check_options(options: argparse.Namespace, action: Action) -> None:
    """Refuse an option that the action would ignore."""
    parser: Parser = options.parser
    allowed = action.options.split()
    for name in _OF_SOME:
        given = options.format != TABLE[0] if name == "--format" else is_given(parser.options[name], options)
        if given and name not in allowed:
            having = [*(["without an action"] if name in _SERVING.options.split() else [])]
            having += [word for word, other in ACTIONS.items() if name in other.options.split()]
            raise UsageError(f"{name} needs errata serve {', '.join(having)}")
