"""What commands print: tables, JSON, and warnings, one line for each kind."""

from __future__ import annotations

import re
import sys
import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from errata.errors import InputWarning
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.formats import Problem
    from errata.report import Table

TABLE, TEXT = ("table", "json", "csv", "markdown", "latex"), ("text", "json")
"""Formats of commands that print tables, and of those that print lines."""
_BOLD = {"auto": None, "always": True, "never": False}
_PARTICULARS = re.compile(r"'[^']*'|\"[^\"]*\"|(?<!\w)-?\d[\d,.]*")
"""What differs between warnings of one kind: quoted texts and numbers."""


def print_tables(
    tables: Sequence[Table], output_format: str, *, bold: str = "auto", columns: str | None = None, parts: Sequence[str] = ()
) -> None:
    """Print tables for people, or as a format of text; ``bold`` says when the best values are bold.

    ``columns`` names those that are printed, as --columns does; ``parts`` could be columns too.
    """
    from errata.report.table import select_columns
    from errata.report.writers import print_table, render

    if columns is not None:
        tables = select_columns(tables, columns, parts)
    flush_warnings()
    for number, table in enumerate(tables):
        if number:
            print()
        if output_format == "table":
            print_table(table)
        else:
            sys.stdout.write(render(table, output_format, bold=_BOLD[bold]))  # type: ignore[arg-type]  # argparse admits no other


def print_json(record: object) -> None:
    """Print an object as JSON."""
    from errata.report.writers import render_json

    flush_warnings()
    print(render_json(record))


class _Warnings:
    """Warnings that wait: of each kind the first, and how many more there are."""

    def __init__(self, *, verbose: bool) -> None:
        self._verbose = verbose
        self._kinds: dict[str, tuple[str, int]] = {}
        self._printed: list[str] = []

    def add(self, text: str) -> None:
        kind = text if self._verbose else _PARTICULARS.sub("…", text)
        first, more = self._kinds.get(kind, (text, -1))
        self._kinds[kind] = (first, more + 1)
        if self._verbose:
            self.flush()

    def flush(self) -> None:
        for first, more in self._kinds.values():
            print_to_stderr(f"errata: warning: {first}{f' (and {more:,} more like this; -v lists them)' if more else ''}")
        self._printed, self._kinds = self.list(), {}

    def list(self) -> list[str]:
        waiting = (f"{first}{f' (and {more:,} more like this)' if more else ''}" for first, more in self._kinds.values())
        return [*self._printed, *waiting]


_WARNINGS: ContextVar[_Warnings] = ContextVar("warnings")


@contextmanager
def collecting_warnings(*, verbose: bool) -> Iterator[None]:
    """Hold warnings back while a command reads, to print one line for each kind before its output."""
    token = _WARNINGS.set(_Warnings(verbose=verbose))
    told: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
        if not issubclass(category, InputWarning):
            others(message, category, *place)
        elif str(message) not in told:
            print_warning(str(message))
            told.add(str(message))

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", InputWarning)
            others, warnings.showwarning = warnings.showwarning, show  # type: ignore[assignment]
            yield
    finally:
        flush_warnings()
        _WARNINGS.reset(token)


def print_warning(problem: Problem | str) -> None:
    """Tell the user what was ignored."""
    _WARNINGS.get().add(str(problem))


def warnings_so_far() -> list[str]:
    """List what was warned of so far, one line for each kind."""
    return _WARNINGS.get().list()


def flush_warnings() -> None:
    """Print the warnings that wait."""
    _WARNINGS.get().flush()
