"""Files that a command reads and writes: checked before any work; those it writes are written in full or not at all."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import contextmanager, nullcontext, redirect_stdout
from typing import TYPE_CHECKING, cast

from errata.cli.inputs import split_name
from errata.cli.parse_inputs import keep_parses
from errata.cli.vocabulary import FILES, SCORE_TABLE
from errata.corpus.texts import looks_like_ranges
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import TextIO

    from errata.cli.parser import Parser

_OUTPUTS = ("output", "chart", "window_chart", "heatmap", "curves", "picture", "worth_chart", "write_edits", "parses")
"""Options that name a file or a folder to write."""
_FOLDERS = {("task", "output"), ("serve", "output"), ("evidence", "output"), ("hoo", "write_edits")}
"""Those that name a folder, which is made if there is none."""


def refuse_empty_names(options: argparse.Namespace) -> None:
    """Refuse an argument for an input file that is empty, as it is if a variable of the shell is not set."""
    for action, given in _input_arguments(options):
        if given == "":
            raise UsageError(f"{action.option_strings[-1] if action.option_strings else action.metavar}: expected a file, found ''")


def check_outputs(options: argparse.Namespace) -> None:
    """Refuse to write over a file that is read, to write two results to one file, or to a folder that does not exist."""
    outputs = _given_outputs(options)
    real = [os.path.realpath(path) for path in outputs.values()]
    if repeated := next((path for path, own in zip(outputs.values(), real, strict=True) if real.count(own) > 1), None):
        raise UsageError(f"two results would be written to {repeated}")
    for path in _inputs(options):
        for output in outputs.values():
            if _would_replace(path, output, is_prefix=options.command == "convert"):
                raise UsageError(f"writing {output} would replace the input {path}")
    for name, output in outputs.items():
        folder = os.path.dirname(output)  # noqa: PTH120
        if (options.command, name) not in _FOLDERS and not os.path.isdir(folder or "."):  # noqa: PTH112
            raise UsageError(f"{output}: there is no folder {folder}")


def _given_outputs(options: argparse.Namespace) -> dict[str, str]:
    """Files and folders that will be written, by the name of their option."""
    return {name: path for name in _OUTPUTS if (path := getattr(options, name, None)) and path != "-"}


def _inputs(options: argparse.Namespace) -> Iterator[str]:
    """Yield the files and folders that the arguments name."""
    for action, given in _input_arguments(options):
        path = _find_table(given) if action.metavar == SCORE_TABLE else split_name(given)[1]
        if path and path != "-":
            yield path
    if (listed := getattr(options, "sentences", None)) and not looks_like_ranges(listed) and listed != "-":
        yield listed


def _find_table(given: str) -> str:
    from errata.studies.meta.scores import split_pattern

    return split_pattern(given)[0]


def _input_arguments(options: argparse.Namespace) -> Iterator[tuple[argparse.Action, str]]:
    """Yield the arguments for input files, with each of their values."""
    parser: Parser = options.parser
    for action in parser.arguments:
        given = getattr(options, action.dest, None) if action.metavar in FILES and action.dest not in _OUTPUTS else None
        for value in given if isinstance(given, list) else [given]:
            if isinstance(value, str):
                yield action, value


def _would_replace(path: str, output: str, *, is_prefix: bool) -> bool:
    """Whether an output is an input, a file in a folder of inputs, or the prefix of parallel texts that are inputs."""
    # These functions of os.path answer for every name; those of pathlib raise for names that are too long.
    real, written = os.path.realpath(path), os.path.realpath(output)
    if os.path.isdir(real):  # noqa: PTH112
        return written == real or (os.path.isfile(written) and written.startswith(f"{real}{os.sep}"))  # noqa: PTH113
    return written == real or (is_prefix and re.fullmatch(r"\.(src|ref\d+)", real.removeprefix(written)) is not None)


@contextmanager
def writing_outputs(options: argparse.Namespace) -> Iterator[None]:
    """Write what a command prints to --output, once it is done, together with its other files; if it fails, none is changed."""
    from errata.formats.writing import all_or_none, protecting, write_files
    from errata.report.writers import PrintableStream

    with protecting(_inputs(options)), all_or_none() if _given_outputs(options) else nullcontext():
        if options.output is None or not options.prints(options):
            yield
            keep_parses(options)
            sys.stdout.flush()  # if that fails, the files stay as they were
            return
        printed = io.StringIO()
        with redirect_stdout(cast("TextIO", PrintableStream(printed))):
            yield
        keep_parses(options)
        write_files({options.output: printed.getvalue().split("\n")[:-1]})
