"""Read tables in chunks of rows, as columns: CSV, TSV, JSON Lines and Parquet."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from errata.errors import UsageError
from errata.formats.compression import without_compression
from errata.formats.lines import display_path, open_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.formats.chunks import OpenTable

TABULAR_FORMATS = ("csv", "tsv", "jsonl", "parquet")


def find_table_format(path: str) -> str | None:
    """Find the format of a table by its extension; None if that is of no table."""
    extension = without_compression(path.lower()).rpartition(".")[2]
    return extension if extension in TABULAR_FORMATS else None


def guess_table_format(path: str) -> str:
    """Guess the format of a table of cases or answers, which can be named instead, by its extension."""
    if (found := find_table_format(path)) is not None:
        return found
    raise UsageError(f"a table must have the extension .csv, .tsv, .jsonl or .parquet, found {display_path(path)!r}; else name its format")


@contextmanager
def open_table(path: str, format_: str, *, quoted: bool = True) -> Iterator[OpenTable]:
    """Open a table; reading it may raise :class:`FormatError`.  In CSV and TSV, fields may be ``quoted``."""
    if format_ == "parquet":
        from errata.formats.parquet_tables import open_parquet_table

        yield open_parquet_table(path)
    elif format_ == "jsonl":
        from errata.formats.json_tables import open_json_table

        yield open_json_table(path)
    else:
        from errata.formats.csv_tables import CsvTable

        with open_bytes(path) as file:
            yield CsvTable(file, display_path(path), "\t" if format_ == "tsv" else ",", quoted=quoted).open()
