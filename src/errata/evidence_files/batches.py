"""Count the batches of a table, wherever its rows are: Spark's ``mapInArrow`` hands out batches, and so do others.

Such tables have no order, so every row of counts has columns of the row that it is of, and its number among the rows of that one.
:func:`errata.evidence_files.score_rows` puts them in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import ErrataError, InputError, UsageError, suggest
from errata.evidence_files.counting import GoldPart
from errata.evidence_files.part_files import REFERENCE, need_pyarrow
from errata.formats.lines import count_bytes
from errata.formats.tables import find_repeated, list_columns
from errata.metrics import registry
from errata.names import BLOCK_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.metrics.base import Metric

ROW = "row"
"""The column with the number of a row of counts among those of its sentence, from 0."""
_TOGETHER = 4 * BLOCK_SIZE
"""Rows of a batch that are counted at a time."""


class BatchCounter:
    """Counts rows of texts; it can be pickled, and called with the batches of any part of a table.

    ``source``, ``references`` and ``output`` name columns of texts, ``keep`` columns that are repeated beside the counts.

    >>> import pyarrow as pa
    >>> texts = pa.record_batch({"id": [1, 2], "src": ["I likes it", "Me too"], "ref": ["I like it", "I too"], "out": ["I like it", "Me"]})
    >>> count = BatchCounter("maxmatch", source="src", references=["ref"], output="out", keep=["id"])
    >>> [batch.to_pylist() for batch in count([texts])][0][0]
    {'id': 1, 'row': 0, 'reference': '0', 'correct': 1, 'proposed': 1, 'gold': 1}
    """

    def __init__(
        self,
        metric: str | Metric = "maxmatch",
        *,
        source: str,
        references: Sequence[str],
        output: str,
        keep: Sequence[str] = (),
        max_tokens: int = DEFAULT_MAX_TOKENS,
    ) -> None:
        for what, names in (("references", references), ("keep", keep)):
            if isinstance(names, str):
                raise UsageError(f"{what} must be a list of columns, found the single name {names[:40]!r}")
        self.metric, self.source, self.references, self.output = registry.metric(metric), source, tuple(references), output
        self.keep, self.max_tokens = tuple(keep), max_tokens
        if not self.references:
            raise UsageError("expected one reference or more, found none")
        if not self.metric.in_parts:
            raise UsageError(f"{self.metric} needs all sentences of a corpus together, so batches cannot be counted; use errata.score")
        if (repeated := find_repeated(self._columns)) is not None:
            raise UsageError(f"two columns of the result would be named {repeated[:40]!r}; rename the one that is kept")

    @property
    def _columns(self) -> list[str]:
        return [*self.keep, ROW, REFERENCE, *self.metric.columns]

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield record batches with a row for each row and reference: kept columns, row, reference, and the counts of the metric."""
        first = 1
        for batch in batches:
            for start in range(0, max(1, batch.num_rows), _TOGETHER):
                some = batch.slice(start, _TOGETHER)
                yield self._count(_Rows(some, first + start, self.keep))
            first += batch.num_rows

    def make_schema(self, schema: Any) -> Any:
        """Make the Arrow schema of the result, given that of the table."""
        pa = need_pyarrow()
        counts = [pa.field(name, pa.int64()) for name in self.metric.columns]
        kept = [schema.field(find_column(schema.names, name)) for name in self.keep]
        return pa.schema([*kept, pa.field(ROW, pa.int64()), pa.field(REFERENCE, pa.string()), *counts])

    def write_spark_schema(self, types: Sequence[tuple[str, str]]) -> str:
        """Write the schema of the result for Spark, given the names and types of the table's columns (``dataframe.dtypes``).

        >>> count = BatchCounter("accuracy", source="src", references=["ref"], output="out", keep=["id"])
        >>> count.write_spark_schema([("id", "bigint"), ("src", "string"), ("ref", "string"), ("out", "string")])
        '`id` bigint, `row` bigint, `reference` string, `matched` bigint, `sentences` bigint'
        """
        names = [name for name, _ in types]
        kept = [types[find_column(names, name)][1] for name in self.keep]
        written = [*kept, "bigint", "string", *("bigint" for _ in self.metric.columns)]
        columns = ("`" + name.replace("`", "``") + "`" for name in self._columns)
        return ", ".join(f"{name} {kind}" for name, kind in zip(columns, written, strict=True))

    def _count(self, rows: _Rows) -> Any:
        import numpy as np

        pa = need_pyarrow()
        schema, size = self.make_schema(rows.batch.schema), rows.batch.num_rows
        texts = [rows.read(name, self.max_tokens) for name in (self.source, *self.references, self.output)]
        if not size:
            return pa.record_batch([pa.array([], field.type) for field in schema], schema=schema)
        part = GoldPart((self.source, *self.references), rows.first, texts[0], texts[1:-1], self.max_tokens)
        try:
            (counts, starts), labels = part.count(self.metric, texts[-1], self.output)
        except ErrataError as error:
            error.add_note(f"sentences are numbered as rows in what was counted by one call, and here begin with {rows.describe(0)}")
            raise
        numbers = np.repeat(np.arange(size, dtype=np.int64), np.diff(starts))
        kept = [rows.get(name).take(pa.array(numbers)) for name in self.keep]
        columns = [pa.array(np.ascontiguousarray(counts[:, index], dtype=np.int64)) for index in range(counts.shape[1])]
        own = pa.array(np.arange(len(numbers), dtype=np.int64) - starts[numbers])
        return pa.record_batch([*kept, own, labels.dictionary_decode(), *columns], schema=schema)


class _Rows:
    """Some rows of a table."""

    def __init__(self, batch: Any, first: int, keep: Sequence[str]) -> None:
        self.batch, self.first, self._keep = batch, first, keep

    def describe(self, index: int) -> str:
        """Name a row for messages, with what is kept of it."""
        kept = ", ".join(f"{name} {self.get(name)[index].as_py()!r:.40}" for name in self._keep)
        return f"row {self.first + index:,}{f' ({kept})' if kept else ''}"

    def get(self, name: str) -> Any:
        """Find a column."""
        return self.batch.column(find_column(self.batch.schema.names, name))

    def read(self, name: str, max_tokens: int) -> Any:
        """Read a column as texts with 32-bit offsets; raise at the first row that has no text."""
        import numpy as np

        from errata.formats.parquet import find_odd_text, get_offsets

        pa = need_pyarrow()
        column, types = self.get(name), pa.types
        kind = column.type.value_type if types.is_dictionary(column.type) else column.type
        if not (types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)):
            raise InputError(f"column {name[:40]!r}: expected texts, found the type {str(kind)[:60]}")
        try:
            texts = column.cast(kind).cast(pa.string())
        except pa.ArrowInvalid as error:
            raise InputError(f"column {name[:40]!r}, from {self.describe(0)} on: {error}") from None
        if texts.null_count:
            raise self._refuse(name, texts.is_null().index(True).as_py(), "expected a text, found null")
        lengths, longest = np.diff(get_offsets(texts)), count_bytes(max_tokens)
        if len(lengths) and lengths.max() > longest:
            known = f"{longest:,} bytes, the limit for {max_tokens:,} tokens; {RAISE_LIMIT}"
            raise self._refuse(name, int(lengths.argmax()), f"a text of more than {known}")
        if (odd := find_odd_text(texts)) is not None:
            raise self._refuse(name, odd, "a NUL in a text, or bytes that are not UTF-8")
        return texts

    def _refuse(self, name: str, index: int, what: str) -> InputError:
        return InputError(f"column {name[:40]!r}, {self.describe(index)}: {what}")


def find_column(names: Sequence[str], name: str) -> int:
    """Find a column by its name."""
    if (count := names.count(name)) != 1:
        found = f"there are {count:,} columns" if count else f"there is no column{suggest(name, names)}"
        raise UsageError(f"expected the column {name[:40]!r}, {found} in {list_columns(names)}")
    return names.index(name)
