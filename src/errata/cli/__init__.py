"""The command line: one file a command, each with ``register`` (its arguments) and ``run``."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from errata.cli.arguments import Parser
from errata.errors import ErrataError, RequestError
from errata.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXAMPLES = """\
examples:
  errata score examples/learner.m2 examples/systems/*.txt
  errata compare examples/learner.m2 examples/systems/*.txt
  errata inspect examples/learner.m2 examples/systems/eager.txt --outcome wrong --sentences 1-20
  errata correlate examples/learner.m2 examples/systems/*.txt -m maxmatch -m imeasure
  errata chart improvement examples/learner.m2 examples/systems/*.txt -o improvement.svg
  errata detect examples/prepositions.csv
  errata coverage examples/corrections.tsv
  errata conservatism examples/learner.m2 examples/systems/*.txt
  errata faithfulness examples/graphs/source.mrp examples/graphs/bold.mrp
  errata stats examples/learner.m2
  errata check examples/learner.m2 examples/systems/eager.txt
  errata convert examples/learner.m2 --to jsonl
  errata metrics

errata COMMAND --help explains a command and shows more.
Exit status: 0 done, 1 a request that cannot be met, 2 bad usage or bad input.
"""


def build_parser() -> Parser:
    """The parser of all commands."""
    from errata.cli import (
        chance,
        chart,
        check,
        compare,
        conservatism,
        convert,
        correlate,
        coverage,
        detect,
        faithfulness,
        graphs,
        hoo,
        inspect,
        metrics,
        score,
        stats,
        task,
    )

    parser = Parser(prog="errata", description="Evaluate grammatical error correction and detection.", epilog=_EXAMPLES)
    parser.add_argument("--version", action="store_true", help="print the version and which core is in use")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for command in (
        score,
        compare,
        inspect,
        correlate,
        chart,
        detect,
        chance,
        coverage,
        conservatism,
        faithfulness,
        graphs,
        hoo,
        task,
        stats,
        check,
        convert,
        metrics,
    ):
        command.register(commands)
    return parser


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
    """Run a command and return the exit status."""
    try:
        _write_utf8()
        status = _run(arguments)
        sys.stdout.flush()
    except ErrataError as error:
        return _complain(str(error), error.exit_status)
    except BrokenPipeError:
        # The reader of a pipe has seen enough; keep the interpreter from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        return _complain("not enough memory; a smaller --max-tokens refuses the lines that need most", RequestError.exit_status)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain(f"cannot write the output: {error.strerror or error}", RequestError.exit_status)
    except KeyboardInterrupt:
        print("errata: interrupted", file=sys.stderr)
        return 130
    return status


def _run(arguments: Sequence[str] | None) -> int:
    parser = build_parser()
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        getattr(options, "parser", parser).error(f"unrecognized arguments: {' '.join(unknown)}")
    if options.version:
        from errata import core

        print(f"errata {__version__} ({core.NAME} core)")
        return 0
    if options.command is None:
        parser.print_help()
        return 0
    status: int = options.run(options)
    return status


def _complain(message: str, status: int) -> int:
    from errata.report.text import printable

    print(f"errata: error: {printable(message)}", file=sys.stderr)
    return status
