"""``errata check``: every problem and oddity of input files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from errata.cli.arguments import Parser, add_limit

if TYPE_CHECKING:
    import argparse

    from errata.formats import Problem

_EXAMPLES = """\
examples:
  errata check examples/learner.m2 examples/systems/*.txt
  errata check examples/systems/eager.txt --against examples/learner.m2

An error keeps a file from being read; an oddity is read in a defined way, and may be what you meant.
The exit status is 2 if there is any error.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "check",
        help="list every problem of input files",
        description="List every problem and oddity of input files, with line numbers.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="M2 or JSON Lines by the ending of its name, else text of one sentence a line"
    )
    parser.add_argument(
        "--from", dest="format", choices=("m2", "jsonl", "text"), help="format of all files (default: by the ending of the name)"
    )
    parser.add_argument("--against", metavar="GOLD", help="gold file whose number of sentences every text file must have")
    parser.add_argument("--errors-only", action="store_true", help="leave oddities out")
    parser.add_argument("--format", dest="output", choices=("text", "json"), default="text", help="how to print (default text)")
    add_limit(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check every file and print what was found."""
    from errata.formats.validation import check_file, count_sentences
    from errata.report.text import printable

    expected = count_sentences(options.against, options.max_tokens) if options.against else None
    found: list[Problem] = []
    sizes: list[tuple[str, int]] = []
    for path in options.files:
        sentences, problems = check_file(path, options.format, options.max_tokens)
        if expected is not None and sentences != expected:
            from errata.formats import Problem, display_path

            message = f"{sentences:,} sentences, but {display_path(options.against)} has {expected:,}"
            problems.append(Problem(display_path(path), None, "error", message))
        sizes.append((path, sentences))
        found += [problem for problem in problems if problem.severity == "error" or not options.errors_only]
    errors = sum(problem.severity == "error" for problem in found)
    if options.output == "json":
        _print_json(sizes, found)
    else:
        for problem in found:
            print(printable(f"{problem.severity}: {problem}"))
        for path, sentences in sizes:
            print(printable(f"{path}: {sentences:,} sentences"))
        print(f"{errors:,} errors, {len(found) - errors:,} oddities")
    return 2 if errors else 0


def _print_json(sizes: list[tuple[str, int]], found: list[Problem]) -> None:
    import json
    from dataclasses import asdict

    record = {"files": [{"path": path, "sentences": count} for path, count in sizes], "problems": [asdict(problem) for problem in found]}
    json.dump(record, sys.stdout, indent=1, ensure_ascii=False)
    print()
