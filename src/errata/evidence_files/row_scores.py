"""Score rows of counts that :class:`errata.evidence_files.BatchCounter` made, wherever they were since."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.errors import InputError, MismatchError, pluralise
from errata.evidence_files.batches import ROW, find_column
from errata.evidence_files.part_files import REFERENCE, PartRows, need_pyarrow
from errata.evidence_files.reading import StoredGold, score_parts
from errata.formats.lines import display_path, explain_unreadable, is_folder, list_files
from errata.formats.parquet import as_parquet
from errata.metrics import registry
from errata.metrics.evidence import RowArrays
from errata.names import PART_SIZE
from errata.scoring.scores import name_package, write_gold_signature
from errata.version import __version__

if TYPE_CHECKING:
    from errata.evidence_files.reading import StoredScore
    from errata.metrics.base import Metric

_ReadBatches = Callable[[list[str]], Iterator[Any]]
"""Yields record batches with some columns, whenever it is called."""


def score_rows(
    rows: Any, metric: str | Metric = "maxmatch", *, id_column: str = "id", system_name: str = "system", gold_name: str = "rows"
) -> StoredScore:
    """Score an Arrow table of rows of counts, in any order; or a Parquet file or folder of such rows, sorted by id and row.

    ``id_column`` is a kept column with another value for each sentence, in whose order sentences are scored.  Files are read batch by
    batch, so they may be of any length.  The signature has no fingerprint of the gold, whose texts are not there.
    """
    found = registry.metric(metric)
    read: _ReadBatches
    if isinstance(rows, str | os.PathLike):
        shown = display_path(os.fspath(rows))
        read = _Files(tuple(_list_parquet(os.fspath(rows))))
    else:
        shown, table = "rows", need_pyarrow().table(rows)
        for name in (id_column, ROW, REFERENCE, *found.columns):
            find_column(table.column_names, name)
        read = _Table(table.sort_by([(id_column, "ascending"), (ROW, "ascending")]))
    sentences = _Sentences(shown, read, id_column, tuple(found.columns))
    size, references, digest = sentences.count()
    gold = StoredGold(gold_name, shown, tuple(references), digest, size)
    described = f"{found.signature}{name_package(found)} | {write_gold_signature(gold_name, gold.extent, gold.annotators, '')}"
    return score_parts(found, gold, system_name, sentences, f"{described} | errata {__version__}")


@dataclass(frozen=True)
class _Table:
    """A table in memory."""

    table: Any

    def __call__(self, columns: list[str]) -> Iterator[Any]:
        yield from self.table.select(columns).to_batches(max_chunksize=PART_SIZE)


@dataclass(frozen=True)
class _Files:
    """Parquet files, one after the other."""

    paths: tuple[str, ...]

    def __call__(self, columns: list[str]) -> Iterator[Any]:
        from pyarrow import parquet

        for path in self.paths:
            with explain_unreadable(path):
                opened = Path(path).open("rb")  # noqa: SIM115 - closed below
            with opened, as_parquet(display_path(path)), parquet.ParquetFile(opened) as file:
                for name in columns:
                    find_column(file.schema_arrow.names, name)
                yield from file.iter_batches(PART_SIZE, columns=columns, use_threads=False)


def _list_parquet(path: str) -> list[str]:
    """List the files of a folder, which may have others, such as those that Spark writes beside."""
    if not is_folder(path):
        return [path]
    paths = [file for file in list_files(path) if file.endswith(".parquet")]
    if not paths:
        raise InputError(f"{display_path(path)}: expected a folder of .parquet files, found none")
    return paths


@dataclass(frozen=True)
class _Sentences:
    """Rows in the order of sentences; it can be called again and again."""

    shown: str
    read: _ReadBatches
    id_column: str
    columns: tuple[str, ...]

    def count(self) -> tuple[int, list[str], str]:
        """Count the sentences, list the references, and hash the ids; raise unless each reference has a row for every sentence."""
        size, rows, digest = 0, Counter[str](), hashlib.sha256()
        for ids, part in self._iterate():
            size += len(ids)
            digest.update("".join(f"{value!r}\n" for value in ids.to_pylist()).encode("utf-8", "surrogatepass"))
            for counted in part.labels.value_counts().to_pylist():
                rows[counted["values"]] += counted["counts"]
        if not size:
            raise InputError(f"{self.shown}: there are no rows")
        for reference, count in rows.items():
            if reference.isdecimal() and count != size:  # other labels are not of single references
                raise MismatchError(f"{self.shown}: reference {reference} has {pluralise(count, 'row')} for {pluralise(size, 'sentence')}")
        return size, list(rows), digest.hexdigest()

    def __call__(self) -> Iterator[PartRows]:
        """Yield the rows of whole sentences."""
        return (part for _, part in self._iterate())

    def _iterate(self) -> Iterator[tuple[Any, PartRows]]:
        """Yield the ids of sentences, and their rows."""
        pa = need_pyarrow()
        left = None
        for batch in self.read([self.id_column, ROW, REFERENCE, *self.columns]):
            table = pa.Table.from_batches([batch])
            table = (table if left is None else pa.concat_tables([left, table])).combine_chunks()
            if table.num_rows:
                starts = self._find_starts(table)
                if len(starts) > 1:
                    yield self._make_part(table, starts)
                left = table.slice(starts[-1])  # the next batch may have more of its rows
        if left is not None:
            import numpy as np

            yield self._make_part(left, np.array([0, left.num_rows]))

    def _make_part(self, table: Any, starts: Any) -> tuple[Any, PartRows]:
        import numpy as np

        some = table.slice(0, starts[-1])
        counts = [_read_numbers(some, name, self.shown) for name in self.columns]
        labels = some.column(REFERENCE).combine_chunks()
        if labels.null_count:
            raise InputError(f"{self.shown}: {REFERENCE}: expected a text in every row, found null")
        return some.column(self.id_column).take(starts[:-1]), PartRows(RowArrays(np.column_stack(counts), starts), labels)

    def _find_starts(self, table: Any) -> Any:
        """Find the first row of each sentence; raise unless rows are in order and none is missing between others."""
        import numpy as np
        from pyarrow import compute

        ids = table.column(self.id_column)
        ids = ids.cast(ids.type.value_type) if need_pyarrow().types.is_dictionary(ids.type) else ids
        numbers = _read_numbers(table, ROW, self.shown)
        if ids.null_count:
            raise InputError(f"{self.shown}: {self.id_column}: expected a value in every row, found null")
        before, after = ids[:-1], ids[1:]
        same = np.concatenate([[False], compute.equal(before, after).to_numpy()])
        later = np.concatenate([[True], compute.less(before, after).to_numpy()])
        expected = np.where(same, np.concatenate([[0], numbers[:-1] + 1]), 0)
        wrong = np.flatnonzero(~(same | later) | (numbers != expected))
        if len(wrong):
            self._refuse(ids, numbers, int(wrong[0]), int(expected[wrong[0]]))
        return np.flatnonzero(numbers == 0)

    def _refuse(self, ids: Any, numbers: Any, index: int, expected: int) -> None:
        own = f"{self.id_column} {ids[index].as_py()!r:.60}"
        if expected and numbers[index] == expected - 1:
            raise InputError(f"{self.shown}: {own} has two rows {numbers[index]:,}; each sentence must have its own {self.id_column}")
        if index and not expected and not ids[index - 1].as_py() < ids[index].as_py():
            before = f"after {ids[index - 1].as_py()!r:.60}"
            raise InputError(f"{self.shown}: rows must be sorted by {self.id_column} and {ROW}, found {own} {before}")
        raise InputError(f"{self.shown}: {own}: expected row {expected:,}, found row {numbers[index]:,}")


def _read_numbers(table: Any, name: str, shown: str) -> Any:
    """Read whole numbers."""
    pa = need_pyarrow()
    column = table.column(name)
    if not pa.types.is_integer(column.type) or column.null_count:
        found = f"null in {column.null_count:,} of {pluralise(len(column), 'row')}" if column.null_count else str(column.type)[:60]
        raise InputError(f"{shown}: {name[:40]}: expected whole numbers, found {found}")
    return column.cast(pa.int64()).to_numpy()
