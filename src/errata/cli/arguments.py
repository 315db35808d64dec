"""What commands share: the parser, and the arguments that name a corpus and systems."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NoReturn

from errata.errors import UsageError
from errata.formats.lines import DEFAULT_MAX_TOKENS

if TYPE_CHECKING:
    from errata.corpus import Corpus, System
    from errata.formats import Problem


class Parser(argparse.ArgumentParser):
    """Keeps the lines of examples, and reports bad usage as every other error is reported."""

    def __init__(self, **settings: object) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Print the usage line and the error, and exit with status 2."""
        self.print_usage(sys.stderr)
        self.exit(2, f"errata: error: {message}\n")


def positive(text: str) -> int:
    """A whole number above 0."""
    try:
        number = int(text.replace("_", "").replace(",", ""))
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, found {text!r}")
    return number


def add_corpus_arguments(parser: argparse.ArgumentParser, *, gold: bool = True) -> None:
    """Add the arguments that say what the corpus is."""
    if gold:
        parser.add_argument(
            "gold", metavar="GOLD", help="gold file (M2 or JSON Lines, also .gz; - is standard input), or a source text with --reference"
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
        "--from", dest="format", choices=("m2", "jsonl", "parallel"), help="format of GOLD (default: by the ending of its name)"
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
        type=positive,
        default=DEFAULT_MAX_TOKENS,
        help=f"tokens a line may have (default {DEFAULT_MAX_TOKENS:,}; time and memory grow with the square)",
    )


def corpus_from(options: argparse.Namespace) -> Corpus:
    """Read the corpus that the arguments name."""
    from errata.formats import read

    return read(
        options.gold,
        references=options.reference,
        format=options.format,
        lenient=options.lenient,
        max_tokens=options.max_tokens,
        warn=print_warning,
    )


def systems_from(options: argparse.Namespace, paths: list[str]) -> list[System]:
    """Read systems, named after their files."""
    from errata.formats import read_system, system_names

    if [*paths, options.gold, *options.reference].count("-") > 1:
        raise UsageError("standard input (-) can be only one of the files")
    return [read_system(path, name=name, max_tokens=options.max_tokens) for path, name in zip(paths, system_names(paths), strict=True)]


def print_warning(problem: Problem | str) -> None:
    """Tell the user what was ignored."""
    from errata.report.text import printable

    print(f"errata: warning: {printable(str(problem))}", file=sys.stderr)
