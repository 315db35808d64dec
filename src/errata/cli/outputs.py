"""Files that a command writes: checked before any work, and written in full or not at all."""

from __future__ import annotations

import io
import os
import re
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING

from errata.cli.inputs import split_name
from errata.cli.vocabulary import FILES
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from errata.cli.parser import Parser

_OUTPUTS = ("output", "chart", "curves", "picture", "worth_chart", "write_edits")
"""Options that name a file or a folder to write."""


def check_outputs(options: argparse.Namespace) -> None:
    """Refuse to write over a file that is read, to write two results to one file, or to a folder that does not exist."""
    parser: Parser = options.parser
    outputs = [path for name in _OUTPUTS if (path := getattr(options, name, None)) and path != "-"]
    if repeated := next((path for index, path in enumerate(outputs) if path in outputs[:index]), None):
        raise UsageError(f"two results would be written to {repeated}")
    for action in parser.arguments:
        values = getattr(options, action.dest, None) if action.metavar in FILES and action.dest not in _OUTPUTS else None
        for value in values if isinstance(values, list) else [values]:
            path = split_name(value)[1] if isinstance(value, str) else ""
            for output in outputs:
                if path and path != "-" and _would_replace(path, output, is_prefix=options.command == "convert"):
                    raise UsageError(f"writing {output} would replace the input {path}")
    if options.output and options.prints(options) and not os.path.isdir(os.path.dirname(options.output) or "."):  # noqa: PTH112, PTH120
        raise UsageError(f"{options.output}: there is no folder {os.path.dirname(options.output)}")  # noqa: PTH120


def _would_replace(path: str, output: str, *, is_prefix: bool) -> bool:
    """Whether an output is an input, a file in a folder of inputs, or the prefix of parallel texts that are inputs."""
    # These functions of os.path answer for every name; those of pathlib raise for names that are too long.
    real, written = os.path.realpath(path), os.path.realpath(output)
    if os.path.isdir(real):  # noqa: PTH112
        return written == real or (os.path.isfile(written) and written.startswith(f"{real}{os.sep}"))  # noqa: PTH113
    return written == real or (is_prefix and re.fullmatch(r"\.(src|ref\d+)", real.removeprefix(written)) is not None)


@contextmanager
def writing_output(path: str) -> Iterator[None]:
    """Write what a command prints to a file, once it is done; if it fails there is no file."""
    from errata.formats.output import write_files

    printed = io.StringIO()
    with redirect_stdout(printed):
        yield
    write_files({path: printed.getvalue().split("\n")[:-1]})
