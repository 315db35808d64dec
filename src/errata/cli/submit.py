"""``errata submit``: an output is uploaded to an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.printing import TABLE, print_json, print_tables
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import RequestError, pluralise, suggest
from errata.report.progress import print_to_stderr
from errata.version import __version__

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.cli.submit_answers import Answer

_EXAMPLES = """\
examples:
  errata submit out.txt --server http://127.0.0.1:8000 --phase dev
  errata submit out.txt --server https://task.example.org --phase test \\
      --token-file token.txt --description "longer training"
  errata submit answers.m2 --server https://task.example.org --phase answers \\
      --proposals

The token of the team is taken from the environment variable ERRATA_TOKEN, or
from a file; it is never an argument, because other users can read those.
The answer says whether the output was accepted, with its scores if the phase
shows them, or every problem, line by line, as errata check prints them.  What
is refused counts for no limit.  The same file counts once, so it can be sent
again if its answer was lost, which is done once.
With --proposals, the file proposes alternative answers to a gold: a text with
a corrected sentence, or nothing, in each line, or M2 with the same sentences.

Exit status: 0 accepted, 1 refused or not reached, 2 bad usage.
"""


_NOT_FOUND = 404


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "submit", help="upload an output to a shared task", description="Upload an output to a shared task that runs.", epilog=_EXAMPLES
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="output of a system: a text with one sentence in each line; or a file of proposals; it may be compressed",
    )
    add_option(parser, "--server", required=True)
    add_option(parser, "--phase", required=True)
    add_options(parser, "--proposals", "--description", "--token-file", "--plain-http")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Upload, and print the answer."""
    from errata.cli.submit_answers import read_answer
    from errata.cli.submit_requests import Upload, check_server, find_phases, find_token, read_upload, send

    server = check_server(options.server, plain_http=options.plain_http)
    token = find_token(options.token_file)
    upload = Upload(server, options.phase, token, read_upload(options.file), options.description, options.proposals)
    raw = send(upload)
    if raw.status == _NOT_FOUND and (phases := find_phases(upload)) and upload.phase not in phases:
        what = "proposals" if upload.has_proposals else "outputs"
        raise RequestError(
            f"there is no phase {upload.phase!r} that takes {what}; choose from {', '.join(phases)}{suggest(upload.phase, phases)}"
        )
    answer = read_answer(upload.address, raw)
    if options.format == "json":
        print_json({"errata": __version__, "accepted": answer.is_accepted, **answer.record})
        return 0 if answer.is_accepted else 1
    return _print_accepted(options, answer) if answer.is_accepted else _print_refused(options, answer)


def _print_accepted(options: argparse.Namespace, answer: Answer) -> int:
    _print_problems(options, answer)
    if options.format == "table":
        print("\n".join(answer.describe()))
    if answer.scores:
        if options.format == "table":
            print()
        print_tables([answer.make_table()], options.format)
    return 0


def _print_refused(options: argparse.Namespace, answer: Answer) -> int:
    """Print every problem on standard output, as ``errata check`` does, and the reason as an error."""
    if not answer.problems:
        raise RequestError(answer.error)
    for line in answer.list_problems(options.file):
        print(line)
    errors = sum(problem["severity"] == "error" for problem in answer.problems)
    print_to_stderr(f"errata: error: not accepted, {pluralise(errors, 'error')}; it counts for no limit")
    return 1


def _print_problems(options: argparse.Namespace, answer: Answer) -> None:
    for line in answer.list_problems(options.file):
        print_to_stderr(f"errata: {line}")
