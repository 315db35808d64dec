"""The command line: one file a family of commands.

A file of a family has ``COMMANDS``: for each of its commands, a function that takes the parsers of commands and adds its own.
Commands of other packages are such functions too, which they name as entry points.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import ExitStack, redirect_stderr
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from errata import __version__
from errata.cli.inputs import add_common_options, check_files, writing_outputs
from errata.cli.parser import HelpPrinted, Parser
from errata.cli.printing import collecting_warnings, print_warning
from errata.cli.process import report_failure
from errata.cli.vocabulary import check_combinations
from errata.errors import RequestError
from errata.formats.lines import Limits, limit_input
from errata.plugins import read_entry_points

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

_START = """\
errata evaluates grammatical error correction.  Six commands to start with:

  errata score GOLD SYSTEM...     a leaderboard
  errata compare GOLD SYSTEM...   which differences are significant
  errata inspect GOLD SYSTEM      sentences with right, wrong and missed edits
  errata report GOLD SYSTEM...    all of this as a page to look at
  errata check FILE...            errors and warnings in input files
  errata metrics                  metrics and their settings

GOLD is annotated text (M2), SYSTEM a corrected text, one sentence per line:

  errata score examples/learner.m2 examples/systems/*.txt

errata help lists all commands, errata help COMMAND explains one.
"""
_EPILOG = """\
errata help COMMAND explains a command and shows examples.
Exit status: 0 done, 1 a request that cannot be met, 2 bad usage or bad input,
3 a gate that does not hold, 70 a bug in errata, 130 interrupted.
"""
_COMPLETION = "completion"
"""The command that needs the parsers of the others."""
_FAMILIES = {
    "score": "score",
    "compare": "compare",
    "gate": "compare",
    "inspect": "inspect",
    "report": "report",
    "correlate": "compare",
    "evidence": "score",
    "chart": "report",
    "rerank": "rerank",
    "detect": "detect",
    "chance": "detect",
    "judgments": "people",
    "meta": "people",
    "coverage": "coverage",
    "conservatism": "coverage",
    "faithfulness": "faithfulness",
    "graphs": "faithfulness",
    "hoo": "hoo",
    "task": "task",
    "submit": "submit",
    "stats": "stats",
    "check": "convert",
    "convert": "convert",
    "annotate": "convert",
    "align": "convert",
    "data": "catalogue",
    "metrics": "catalogue",
    "doctor": "doctor",
    "completion": "catalogue",
}
"""The commands in the order of the help text; each with the file of its family, so that one command loads one family."""
_OF_PLUGINS = "errata.commands"
"""The entry points of commands of other packages: functions that add a command to the parser."""
_EXTRAS = {"serve": "errata[server]"}
"""Commands of our other packages, with what to install."""
_RESERVE = 1 << 20
"""Bytes that are kept free to say that there is not enough memory."""


def _build_parser(*only: str) -> Parser:
    """The parser of all commands, or of some, which takes a fraction of the time."""
    parser = Parser(prog="errata", description="Evaluate grammatical error correction and detection.", epilog=_EPILOG)
    parser.add_argument("--version", action="store_true", help="print the versions of errata and Python, the core in use and the system")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    others = {} if _FAMILIES.keys() >= set(only) != set() else read_entry_points(_OF_PLUGINS)
    for command in only or _in_order(others):
        if command in _FAMILIES:
            import_module(f"errata.cli.{_FAMILIES[command]}").COMMANDS[command](commands)
        elif command in others:
            _add_plugin(commands, command, others[command], is_asked_for=bool(only))
        else:
            raise RequestError(f"errata {command} is not installed: pip install '{_EXTRAS[command]}'")
    explain = commands.add_parser("help", help="explain a command", description="List all commands, or explain one.")
    explain.add_argument("topic", metavar="COMMAND", nargs="?", choices=tuple(commands.choices), help="a command")
    for name, own in commands.choices.items():
        add_common_options(own)
        own.set_defaults(parser=own, main_parser=parser, **({"run": _print_help} if name == "help" else {}))
    return parser


def _in_order(others: Mapping[str, str]) -> list[str]:
    """All commands as help lists them: those of other packages before the one that talks to them."""
    own = list(_FAMILIES)
    place = own.index("submit")
    return [*own[:place], *sorted(others.keys() - _FAMILIES.keys() - {"help"}), *own[place:]]


def _add_plugin(commands: argparse._SubParsersAction[Parser], name: str, value: str, *, is_asked_for: bool) -> None:
    """Add a command of another package; if one cannot be added, the reason is reported, and the others still work."""
    module, _, function = value.partition(":")
    known, listed = dict(commands.choices), list(commands._choices_actions)  # noqa: SLF001 - what help lists
    try:
        getattr(import_module(module), function)(commands)
    except (Exception, SystemExit) as error:
        commands.choices.clear()
        commands.choices.update(known)
        commands._choices_actions[:] = listed  # noqa: SLF001
        reason = f"the command {name!r} ({value}) cannot be loaded: {type(error).__name__}: {error}"
        if is_asked_for:
            raise RequestError(reason) from error
        print(f"errata: warning: {reason}", file=sys.stderr)


def _print_help(options: argparse.Namespace) -> int:
    parser: Parser = options.main_parser
    print((parser.commands[options.topic] if options.topic else parser).format_help(), end="")
    return 0


def _write_utf8() -> None:
    """Files and pipes get UTF-8 whatever the locale says; a terminal that cannot show a character gets its escape."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for the rest of the process
    if sys.stdout is None:
        raise RequestError("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status; what fails is printed, not raised."""
    reserve = [bytearray(_RESERVE)]
    try:
        _write_utf8()
        try:
            status = _run(arguments, reserve)
        except HelpPrinted:
            status = 0
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - all are explained to the user
        reserve.clear()
        return report_failure(error)
    return status


def _run(arguments: Sequence[str] | None, reserve: list[bytearray]) -> int:
    given = _without_separator(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:  # which needs no command
        _print_version()
        return 0
    parser = _build_parser(*(given[:1] if given and given[0] in {**_FAMILIES, **_EXTRAS} and given[0] != _COMPLETION else ()))
    name = given[0].partition("=")[0] if given else ""
    if name not in parser.options and any(name in own.options for own in parser.commands.values()):
        parser.error(f"{name} belongs behind the command: errata COMMAND {name}")
    options, unknown = parser.parse_known_args(given)
    options.given = given
    if unknown:
        getattr(options, "parser", parser).refuse_unknown(unknown)
    if options.version:
        _print_version()
        return 0
    if options.command is None:
        print(_START, end="")
        return 0
    if options.output in {"-", "/dev/stdout", "/dev/fd/1"}:
        options.output = None if options.prints(options) else "-"
    warnings = check_files(options)
    check_combinations(options.parser, options)
    with ExitStack() as stack:
        if options.quiet:
            stack.enter_context(redirect_stderr(stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))))
        stack.enter_context(writing_outputs(options))
        stack.enter_context(collecting_warnings(verbose=options.verbose or getattr(options, "list", False)))
        for warning in warnings:
            print_warning(warning)
        stack.enter_context(limit_input(**{field.name: getattr(options, field.name, None) for field in fields(Limits)}))
        try:
            status: int = options.run(options)
        except MemoryError:
            reserve.clear()  # leaving this block needs some
            raise
    return status


def _print_version() -> None:
    """Print what a report of a bug needs at least; ``errata doctor`` prints the rest."""
    import platform

    from errata import core

    print(f"errata {__version__} ({core.NAME} core)")
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}")


def _without_separator(arguments: Sequence[str]) -> list[str]:
    """The arguments without ``--``; files behind it that begin with a dash get their folder."""
    if "--" not in arguments:
        return list(arguments)
    end = list(arguments).index("--")
    files = [f"./{word}" if word.startswith("-") and word != "-" else word for word in arguments[end + 1 :]]
    return [*arguments[:end], *files]
