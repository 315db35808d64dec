"""Scores that were computed elsewhere, as tables: of people, or of metrics that errata does not have.

A table has the column ``system``, perhaps ``sentence`` (counted from 1), columns of numbers, which are scores, and columns of texts,
which name them.  So it may be wide, with a column for each metric, or long, with the name of a metric in every row.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import FormatError, InputError, UsageError, suggest
from errata.formats.lines import display_path
from errata.formats.tables import find_repeated, find_table_format, list_columns, open_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SYSTEM, SENTENCE = "system", "sentence"
_SHOWN = 40
_MOST_LISTED = 12


@dataclass(frozen=True)
class ExternalScores:
    """The scores of systems by one measure; those of sentences too, if the table has them."""

    name: str
    systems: Mapping[str, float]
    """The score of each system; the mean of its sentences if the table has no score of the whole."""
    sentences: Mapping[str, Mapping[int, float]] | None = field(repr=False)
    """The scores of sentences, counted from 1."""
    path: str

    @property
    def signature(self) -> str:
        """The name, the file, and a hash of the scores."""
        from hashlib import sha256

        whole = [f"{system}\t{value!r}" for system, value in sorted(self.systems.items())]
        parts = [
            f"{system}\t{number}\t{value!r}"
            for system, own in sorted((self.sentences or {}).items())
            for number, value in sorted(own.items())
        ]
        content = sha256("\n".join([*whole, *parts]).encode()).hexdigest()[:12]
        return f"{self.name} | scores of {len(self.systems)} systems from {self.path.rpartition('/')[2]}, sha256 {content}"


class _Row(NamedTuple):
    line: int
    cells: dict[str, str]


def read_score_table(path: str, pattern: str = "*") -> list[ExternalScores]:
    """Read all scores of a table whose name fits a pattern, such as ``GJG15 *``."""
    shown = display_path(path)
    rows, header = _read_rows(path, shown)
    numeric = [name for name in header if name not in {SYSTEM, SENTENCE} and _is_numeric(rows, name)]
    texts = [name for name in header if name not in {SYSTEM, SENTENCE, *numeric}]
    for column in texts:
        _refuse_nearly_numeric(rows, column, shown)
    if not numeric:
        raise FormatError(shown, 1, f"expected a column of numbers beside {SYSTEM}, found {list_columns(header)}")
    found: dict[str, dict[tuple[str, int], float]] = {}
    lines: dict[tuple[str, str, int], int] = {}
    for row in rows:
        key = (_read_system(row, shown), _read_sentence(row, shown))
        named = " ".join(row.cells[column].strip() for column in texts if row.cells[column].strip())
        for column in numeric:
            if not (cell := row.cells[column].strip()):
                continue
            name = " ".join(filter(None, (named, column if len(numeric) > 1 or not named else "")))
            if (before := lines.setdefault((name, *key), row.line)) != row.line:
                of_sentence = f", sentence {key[1]}" if key[1] else ""
                raise FormatError(shown, row.line, f"{name} of {key[0][:_SHOWN]!r}{of_sentence} has a score in line {before} already")
            found.setdefault(name, {})[key] = float(cell)
    kept = [pattern] if pattern in found else [name for name in found if fnmatchcase(name, pattern)]
    if not kept:
        known = ", ".join(list(found)[:_MOST_LISTED]) + (f" and {len(found) - _MOST_LISTED} more" if len(found) > _MOST_LISTED else "")
        raise UsageError(f"{shown}: no scores are named {pattern!r}; there are {known}{suggest(pattern, found)}")
    return [_make_scores(name, found[name], shown) for name in kept]


def _read_rows(path: str, shown: str) -> tuple[list[_Row], list[str]]:
    if (format_ := find_table_format(path)) is None:
        raise UsageError(f"a table of scores must have the extension .csv, .tsv, .jsonl or .parquet, found {shown!r}")
    with open_table(path, format_, quoted=format_ == "csv") as table:
        if (twice := find_repeated(table.header)) is not None:
            raise FormatError(shown, 1, f"two columns are named {twice[:_SHOWN]!r}")
        if SYSTEM not in table.header:
            raise FormatError(shown, 1, f"expected the column {SYSTEM}, found {list_columns(table.header)}{suggest(SYSTEM, table.header)}")
        rows = [
            _Row(chunk.lines.of(row), {name: _write(column[row]) for name, column in chunk.columns.items()})
            for chunk in table.chunks(table.header)
            for row in range(chunk.rows)
        ]
        if not rows:
            raise InputError(f"{shown}: there are no scores")
        return rows, table.header


def _write(value: object) -> str:
    return "" if value is None else str(value)


def _is_numeric(rows: Iterable[_Row], column: str) -> bool:
    """Whether all cells of a column that are not empty are finite numbers, and there are some."""
    cells = [cell for row in rows if (cell := row.cells[column].strip())]
    return bool(cells) and all(_is_number(cell) for cell in cells)


def _refuse_nearly_numeric(rows: Iterable[_Row], column: str, path: str) -> None:
    """Raise if most cells of a column are numbers: the others are probably missing scores."""
    cells = [(row.line, cell) for row in rows if (cell := row.cells[column].strip())]
    others = [(line, cell) for line, cell in cells if not _is_number(cell)]
    if others and 2 * len(others) < len(cells):
        line, cell = others[0]
        raise FormatError(path, line, f"{column}: expected a number, found {cell[:_SHOWN]!r}; an empty cell is no score")


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False


def _read_system(row: _Row, path: str) -> str:
    if not (name := row.cells[SYSTEM].strip()):
        raise FormatError(path, row.line, "expected the name of a system, found nothing")
    return name


def _read_sentence(row: _Row, path: str) -> int:
    """Read the number of a sentence; 0 stands for the whole corpus."""
    text = row.cells.get(SENTENCE, "").strip().removesuffix(".0")  # as frames write whole numbers in a column with gaps
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text)):  # noqa: PLR2004 - digits
        raise FormatError(path, row.line, f"expected the number of a sentence, counted from 1, found {text[:_SHOWN]!r}")
    return int(text)


def _make_scores(name: str, values: Mapping[tuple[str, int], float], path: str) -> ExternalScores:
    systems = list(dict.fromkeys(system for system, _ in values))
    of_sentences: dict[str, dict[int, float]] = {system: {} for system in systems}
    for (system, sentence), value in values.items():
        if sentence:
            of_sentences[system][sentence] = value
    whole = {system: values[system, 0] if (system, 0) in values else _mean(of_sentences[system].values()) for system in systems}
    return ExternalScores(name, whole, of_sentences if any(of_sentences.values()) else None, path)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed)


def split_pattern(argument: str) -> tuple[str, str]:
    """Split ``FILE:PATTERN``; without a pattern, all scores of the file are meant.

    A file may have colons in its name if it is there; else the first colon ends it whose beginning is a file.

    >>> split_pattern("scores.tsv:GJG15 *"), split_pattern("scores.tsv")
    (('scores.tsv', 'GJG15 *'), ('scores.tsv', '*'))
    """
    parts = argument.split(":")
    beginnings = [":".join(parts[:count]) for count in range(1, len(parts) + 1)]
    for path in (argument, *beginnings):
        if path and os.path.isfile(path):  # noqa: PTH113 - never raises
            return path, argument[len(path) + 1 :] or "*"
    path, colon, pattern = argument.partition(":")
    return (path, pattern) if colon and path and pattern else (argument, "*")


def read_scores(arguments: Sequence[str]) -> list[ExternalScores]:
    """Read the scores of several arguments, each ``FILE`` or ``FILE:PATTERN``."""
    scores = [own for argument in arguments for own in read_score_table(*split_pattern(argument))]
    if (twice := find_repeated(own.name for own in scores)) is not None:
        raise UsageError(f"two scores are named {twice!r}; FILE:NAME chooses one of a file")
    return scores
