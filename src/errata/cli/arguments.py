"""What commands share: the parser, and the arguments that name a corpus and systems."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NoReturn

from errata.errors import UsageError
from errata.formats.lines import DEFAULT_MAX_TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus import Corpus, System
    from errata.formats import Problem
    from errata.report import Table


class Parser(argparse.ArgumentParser):
    """Keeps the lines of examples, and reports bad usage as every other error is reported."""

    make_epilog: Callable[[], str] | None = None
    """Makes what is said behind the help text, where that takes time."""

    def __init__(self, **settings: object) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)  # type: ignore[arg-type]

    def format_help(self) -> str:
        """The help text; what is said behind it may have to be made first."""
        if self.make_epilog is not None:
            self.epilog = self.make_epilog()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Print the usage line and the error, and exit with status 2."""
        self.print_usage(sys.stderr)
        self.exit(2, f"errata: error: {message}\n")


class Once(argparse.Action):
    """An option that would silently replace an earlier one is refused when it is given twice."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option_string: str | None = None
    ) -> None:
        """Store the value, once."""
        given: set[str] = getattr(namespace, "given_once", set())
        if self.dest in given:
            parser.error(f"{option_string} is given twice, but only one is used here")
        namespace.given_once = {*given, self.dest}
        setattr(namespace, self.dest, values)


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """A type of argument: a whole number in a range."""

    def convert(text: str) -> int:
        digits = text.replace("_", "").replace(",", "")
        if not digits.isdecimal() or len(digits) > len(str(most)) or not least <= int(digits) <= most:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least:,} to {most:,}, found {text[:40]!r}")
        return int(digits)

    return convert


def add_output_format(parser: argparse.ArgumentParser, note: str = "") -> None:
    """Add the format of a table."""
    choices = ("table", "json", "csv", "markdown", "latex")
    parser.add_argument("--format", dest="output", choices=choices, default="table", help=f"how to print (default table){note}")


def print_tables(tables: Sequence[Table], output: str) -> None:
    """Print tables for people, or as a format of text."""
    from errata.report.writers import print_table, render

    for place, table in enumerate(tables):
        if place:
            print()
        if output == "table":
            print_table(table)
        else:
            sys.stdout.write(render(table, output))  # type: ignore[arg-type]  # argparse admits no other


def print_json(record: object) -> None:
    """Print an object; what is not ASCII is escaped, so that no text of a stranger can steer a terminal."""
    import json

    print(json.dumps(record, indent=1))


def add_corpus_arguments(parser: argparse.ArgumentParser, *, several: bool = False, name: str = "GOLD", also: str = "") -> None:
    """Add the arguments that say what the corpus is; ``also`` is what else the first may be."""
    parser.add_argument(
        "gold",
        metavar=name,
        **({"nargs": "+"} if several else {}),  # type: ignore[arg-type]
        help=f"{also}gold file (M2, JSON Lines, XML or SGML, may be packed with gzip; - is standard input), or a text with --reference",
    )
    parser.add_argument(
        "-r",
        "--reference",
        metavar="FILE",
        action="append",
        default=[],
        help="GOLD is a source text and FILE a corrected one; may be repeated",
    )
    parser.add_argument(
        "--from",
        dest="format",
        metavar="FORMAT",
        help="format of GOLD: m2, jsonl, xml, sgml, parallel, or that of a plug-in (default: by the ending of its name)",
    )
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="ignore edits whose offsets are impossible, with a warning, as the official scorer ignores them",
    )
    add_limit(parser)


def add_limit(parser: argparse.ArgumentParser) -> None:
    """Add the limit on the length of a line."""
    parser.add_argument(
        "--max-tokens",
        metavar="N",
        type=whole_number(1, 1_000_000),
        default=DEFAULT_MAX_TOKENS,
        help=f"tokens a line may have (default {DEFAULT_MAX_TOKENS:,}; time and memory grow with the square)",
    )


def corpus_from(options: argparse.Namespace, also: Sequence[str] = ()) -> Corpus:
    """Read the corpus that the arguments name; ``also`` are the other files that will be read."""
    from errata.formats import read

    if [options.gold, *options.reference, *also].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    return read(
        options.gold,
        references=options.reference,
        format=options.format,
        documents=getattr(options, "documents", None),
        lenient=options.lenient,
        max_tokens=options.max_tokens,
        warn=print_warning,
    )


def systems_from(options: argparse.Namespace, paths: list[str]) -> list[System]:
    """Read systems, named after their files."""
    from errata.formats import read_system, system_names

    return [read_system(path, name=name, max_tokens=options.max_tokens) for path, name in zip(paths, system_names(paths), strict=True)]


def print_warning(problem: Problem | str) -> None:
    """Tell the user what was ignored."""
    from errata.report.text import printable

    print(f"errata: warning: {printable(str(problem))}", file=sys.stderr)
