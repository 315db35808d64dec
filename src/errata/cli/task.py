"""``errata task``: a shared task from one file to its tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from errata.cli.printing import flush_warnings, print_warning
from errata.cli.vocabulary import add_option, add_options
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.formats import Problem
    from errata.report import Table

_EXAMPLES = """\
examples:
  errata task run examples/task.toml -o results

The task file is TOML.  It names gold, alternatives, systems, metrics, types,
sentences, profile, tokens, tagger and title.  A ranking and scores by error
type are written, without and with alternative answers, each as Markdown, LaTeX,
CSV and JSON; all files or none.
"""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "task", help="write the tables of a shared task", description="Run a shared task that a file defines.", epilog=_EXAMPLES
    )
    parser.add_argument("action", choices=("run",), metavar="run", help="run: score all systems and write the tables")
    parser.add_argument("file", metavar="TASK", help="file that defines the task (TOML)")
    add_options(parser, "--allow-outside", "--max-files")
    add_option(parser, "--output", ": a folder, created if it does not exist", required=True)
    parser.set_defaults(run=run, prints=lambda _: False)


def run(options: argparse.Namespace) -> int:
    """Score and write."""
    from errata.formats.output import write_files
    from errata.formats.transaction import all_or_none, protecting
    from errata.language.tagging import find_tagger
    from errata.report.markup import printer
    from errata.report.progress import ProgressBar
    from errata.report.writers import print_table
    from errata.task import read_task
    from errata.task.tables import count_scorings, make_task_tables

    if options.output == "-":
        raise UsageError("the tables are several files, so --output must be a folder")
    task = read_task(options.file, allow_outside=options.allow_outside, max_files=options.max_files)
    with task.naming("tagger"):
        chosen = None if task.tagger == "none" else find_tagger(task.tagger)
    told: set[str] = set()

    def warn_once(problem: Problem) -> None:
        if str(problem) not in told:  # the gold is read without alternatives and with them
            print_warning(problem)
        told.add(str(problem))

    with ProgressBar("scoring", count_scorings(task), in_core=True) as bar:
        tables = make_task_tables(task, chosen, warn_once, bar.advance)
    files: dict[str, list[str]] = {}
    for name, table in tables.items():
        files |= {str(Path(options.output) / f"{name}.{ending}"): text.split("\n")[:-1] for ending, text in _written(table).items()}
    with (
        all_or_none() as outputs,
        protecting([task.path, *task.gold, *task.alternatives, *task.systems, *filter(None, [task.tokens, task.sentences])]),
    ):
        outputs.make_folder(options.output)
        write_files(files)
    flush_warnings()
    for name, table in tables.items():
        if name.startswith("ranking"):
            print_table(table)
            print()
    written = f"{len(files)} files written to {options.output}: {', '.join(tables)}, each as .md, .tex, .csv and .json"
    printer("never")([(written, "")])
    return 0


def _written(table: Table) -> dict[str, str]:
    from errata.report.writers import render, render_json

    keys = [column.key or column.name for column in table.columns]
    record = {"title": table.title, "rows": [dict(zip(keys, row, strict=True)) for row in table.rows], "notes": table.notes}
    return {
        "md": render(table, "markdown"),
        "tex": render(table, "latex"),
        "csv": render(table, "csv"),
        "json": render_json(record) + "\n",
    }
