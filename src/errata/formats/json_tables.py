"""Tables in JSON Lines: an object for each row, all with the keys of the first."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import FormatError, InputError
from errata.formats.chunks import CHUNK_BYTES, CHUNK_ROWS, Chunk, Lines, OpenTable
from errata.formats.json_values import expect_object, expect_string, parse_json
from errata.formats.limits import advise_limit, get_limits, too_many_columns
from errata.formats.lines import BYTES_PER_TOKEN, display_path, read_lines
from errata.formats.problems import Problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class _Row(NamedTuple):
    line: int
    record: dict[str, Any]
    length: int


def open_json_table(path: str) -> OpenTable:
    """Read the first object."""
    rows = _read_rows(path)
    path = display_path(path)
    first = next(rows, None)
    if first is None:
        raise FormatError(path, None, "the table is empty")
    header = list(first.record)
    if len(header) > get_limits().max_columns:
        raise too_many_columns(path, len(header))
    return OpenTable(header, lambda wanted: _read_chunks(chain([first], rows), path, header, wanted))


def _read_rows(path: str) -> Iterator[_Row]:
    problems = Problems(display_path(path))
    for line in read_lines(path, problems, get_limits().max_field // BYTES_PER_TOKEN, advise_limit("field").removeprefix("; ")):
        if not line.text.strip():
            continue
        try:
            record = expect_object(parse_json(line.text), "a row")
            if "\\u" in line.text:  # an escape may stand for what is not text
                for name, value in record.items():
                    expect_string(name, "a key")
                    if isinstance(value, str):
                        expect_string(value, name[:40])
        except InputError as error:
            raise FormatError(problems.path, line.number, str(error)) from None
        yield _Row(line.number, record, len(line.text))


def _read_chunks(rows: Iterator[_Row], path: str, header: Sequence[str], wanted: Sequence[str]) -> Iterator[Chunk]:
    known = set(header)
    while batch := _take(rows):
        columns: dict[str, list[Any]] = {name: [] for name in wanted}
        for line, record, _ in batch:
            if not known.issuperset(record):
                new = next(name for name in record if name not in known)
                raise FormatError(
                    path, line, f"unknown key {new[:40]!r}; all objects must have the keys of the first: {', '.join(header)[:200]}"
                )
            for name, column in columns.items():
                if name not in record:
                    raise FormatError(path, line, f"expected the key {name[:40]!r}, found {', '.join(record)[:200]}")
                column.append(record[name])
        yield Chunk(dict(columns), Lines(0, [row.line for row in batch]), len(batch))


def _take(rows: Iterator[_Row]) -> list[_Row]:
    taken: list[_Row] = []
    length = 0
    for row in rows:
        taken.append(row)
        length += row.length
        if len(taken) == CHUNK_ROWS or length > CHUNK_BYTES:
            break
    return taken
