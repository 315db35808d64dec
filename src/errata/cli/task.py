"""``errata task``: a shared task from one file to its tables."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from errata.cli.inputs import with_parses
from errata.cli.printing import flush_warnings, print_warning
from errata.cli.report import describe_run, watch
from errata.cli.vocabulary import add_option, add_options
from errata.errors import RequestError, UsageError, pluralise
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.formats import Problem
    from errata.task import Rejected

_TASK_EXAMPLES = """\
examples:
  errata task run examples/task.toml -o results

The task file is TOML.  It names gold, alternatives, systems, metrics, types,
sentences, profile, tokens, tagger and title; intervals (confidence) and
significance tests (test), with the settings of the options of these names;
and the error types that each team handles.  A ranking and scores by error
type are written, without and with alternative answers, each as Markdown,
LaTeX, CSV and JSON, and a page to look at (HTML); all files or none.
A submission that cannot be scored is set aside with all its errors, the
others are scored, and the exit status is 1.
"""


def _register_task(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "task", help="write the tables of a shared task", description="Run a shared task that a file defines.", epilog=_TASK_EXAMPLES
    )
    parser.add_argument("action", choices=("run",), metavar="run", help="run: score all systems and write the tables")
    parser.add_argument("file", metavar="TASK", help="file that defines the task (TOML)")
    add_options(parser, "--allow-outside", "--max-files", "--analyser", "--parses", "--jobs")
    add_option(parser, "--output", ": a folder, created if it does not exist", required=True)
    parser.set_defaults(run=_run_task, prints=lambda _: False)


def _run_task(options: argparse.Namespace) -> int:
    from errata.formats import display_path
    from errata.formats.writing import all_or_none, protecting, write_files
    from errata.language.tagging import AUTO_TAGGER, find_tagger, suit
    from errata.report.charts.drawing import DrawingProcess
    from errata.report.page.document import make_page
    from errata.report.writers import print_table, printer
    from errata.task import read_task, run_task
    from errata.task.running import Origin, build_task_report, write_tables

    if options.output == "-":
        raise UsageError("the tables are several files, so --output must be a folder")
    task = read_task(options.file, allow_outside=options.allow_outside, max_files=options.max_files)
    with task.naming("tagger"):
        chosen = None if task.tagger == "none" else find_tagger("textblob" if task.tagger == AUTO_TAGGER else task.tagger)
    told: set[str] = set()

    def warn_once(problem: Problem) -> None:
        if str(problem) not in told:  # the gold is read without alternatives and with them
            print_warning(problem)
        told.add(str(problem))

    result = run_task(task, chosen, warn_once, watch, lambda metrics: with_parses(options, metrics), options.jobs)
    tables, rejected = result.tables, result.rejected
    texts = write_tables(tables)
    with DrawingProcess() if result.scores else nullcontext() as drawer:
        for item in result.scores:
            tagger = suit(chosen, item.gold.corpus, asked=task.tagger != AUTO_TAGGER)
            origin = Origin(*describe_run(options))
            report = build_task_report(task, result, item, origin, tagger, drawer, watch)
            texts[f"report{item.gold.suffix}.html"] = make_page(report, watch)
    files = {str(Path(options.output) / name): text.split("\n")[:-1] for name, text in texts.items()}
    if files:
        inputs = [task.path, *task.gold, *task.alternatives, *task.systems, *filter(None, [task.tokens, task.sentences])]
        with all_or_none() as outputs, protecting(inputs):
            outputs.make_folder(options.output)
            write_files(files)
    flush_warnings()
    _print_problems(rejected, verbose=options.verbose)
    if not tables:
        raise RequestError(f"{display_path(task.path)}: no submission can be scored; nothing was written")
    for name, table in tables.items():
        if name.startswith("ranking"):
            print_table(table.shown)
            print()
    pages = ", ".join(name for name in texts if name.endswith(".html"))
    written = f"{len(files)} files written to {options.output}: {', '.join(tables)}, each as .md, .tex, .csv and .json; {pages}"
    printer("never")([(written, "")])
    if rejected:
        listed = ", ".join(item.team for item in rejected)
        print_to_stderr(f"errata: error: {pluralise(len(rejected), 'submission')} set aside, the others are scored: {listed}")
    return 1 if rejected else 0


def _print_problems(rejected: Sequence[Rejected], *, verbose: bool) -> None:
    """Print the first error of every submission that was set aside, or every error; the table of these submissions has all."""
    for item in rejected:
        shown = item.problems if verbose else item.problems[:1]
        more = len(item.problems) - len(shown)
        for problem in shown:
            print_to_stderr(f"errata: set aside: {problem}{f' (and {more:,} more; -v lists them)' if more else ''}")


COMMANDS = {"task": _register_task}
