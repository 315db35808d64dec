"""What commands print: tables, JSON, and warnings, one line for each kind."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.formats import Problem
    from errata.report import Table

TABLE, TEXT = ("table", "json", "csv", "markdown", "latex"), ("text", "json")
"""Formats of commands that print tables, and of those that print lines."""
_ENDINGS = {"json": "json", "csv": "csv", "md": "markdown", "tex": "latex"}
_PARTICULARS = re.compile(r"'[^']*'|\"[^\"]*\"|-?\d[\d,.]*")
"""What differs between warnings of one kind: quoted texts and numbers."""


def format_of(path: str | None, formats: Sequence[str]) -> str:
    """The format that the ending of a file says, if the command has it; else its first one.

    >>> format_of("results.csv", TABLE), format_of("results.txt", TABLE), format_of(None, TEXT)
    ('csv', 'table', 'text')
    """
    named = _ENDINGS.get((path or "").rpartition(".")[2].lower())
    return named if named is not None and named in formats else formats[0]


def print_tables(tables: Sequence[Table], output_format: str) -> None:
    """Print tables for people, or as a format of text."""
    from errata.report.writers import print_table, render

    flush_warnings()
    for number, table in enumerate(tables):
        if number:
            print()
        if output_format == "table":
            print_table(table)
        else:
            sys.stdout.write(render(table, output_format))  # type: ignore[arg-type]  # argparse admits no other


def print_json(record: object) -> None:
    """Print an object; what is not ASCII is escaped, so that no text of a stranger can steer a terminal."""
    import json

    flush_warnings()
    print(json.dumps(record, indent=1))


class _Warnings:
    """Warnings that wait: of each kind the first, and how many more there are."""

    def __init__(self, *, verbose: bool) -> None:
        self._verbose = verbose
        self._kinds: dict[str, tuple[str, int]] = {}

    def add(self, text: str) -> None:
        kind = text if self._verbose else _PARTICULARS.sub("…", text)
        first, more = self._kinds.get(kind, (text, -1))
        self._kinds[kind] = (first, more + 1)
        if self._verbose:
            self.flush()

    def flush(self) -> None:
        from errata.report.text import printable

        kinds, self._kinds = self._kinds, {}
        for first, more in kinds.values():
            print(f"errata: warning: {printable(first)}{f' (and {more:,} more like this; -v lists them)' if more else ''}", file=sys.stderr)


_WARNINGS: ContextVar[_Warnings] = ContextVar("warnings")


@contextmanager
def collecting_warnings(*, verbose: bool) -> Iterator[None]:
    """Hold warnings back while a command reads, to print one line for each kind before its output."""
    token = _WARNINGS.set(_Warnings(verbose=verbose))
    try:
        yield
    finally:
        flush_warnings()
        _WARNINGS.reset(token)


def print_warning(problem: Problem | str) -> None:
    """Tell the user what was ignored."""
    _WARNINGS.get().add(str(problem))


def flush_warnings() -> None:
    """Print the warnings that wait."""
    _WARNINGS.get().flush()
