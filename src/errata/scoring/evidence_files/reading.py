"""Read a folder of evidence: scores, intervals and tests need nothing else; rows and batches that other systems hold."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from errata import __version__
from errata.corpus.corpus import System
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import ErrataError, InputError, MismatchError, RequestError, UsageError, pluralise, suggest
from errata.formats.lines import count_bytes, display_path, explain_unreadable, is_folder, list_files
from errata.formats.tables import as_parquet, find_repeated, list_columns
from errata.metrics import registry
from errata.metrics.base import Output
from errata.metrics.evidence import Evidence, LargeEvidence, RowArrays
from errata.metrics.strategies import Chosen
from errata.scoring.evidence_files.counting import GoldPart
from errata.scoring.evidence_files.storage import (
    MANIFEST,
    REFERENCE,
    WHOLE,
    FolderStorage,
    GoldEntry,
    Manifest,
    PartRows,
    check_content,
    has_parts,
    need_pyarrow,
)
from errata.scoring.scores import Score, name_package, write_gold_signature
from errata.settings import BLOCK_SIZE, PART_SIZE
from errata.stats.resampling import MANY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus.corpus import Corpus
    from errata.display import TableRow
    from errata.metrics.base import Metric, RowsOfSentences
    from errata.metrics.maxmatch import EditLattice
    from errata.metrics.views import Alignment
    from errata.scoring.edits import SentenceEdits
    from errata.scoring.evidence_files.storage import Storage, SystemEntry


_ReadParts = Callable[[], Iterator[PartRows]]
"""Yields the rows of all sentences, part by part, whenever it is called."""


def is_evidence(path: str) -> bool:
    """Whether a path is a folder of evidence, finished or not."""
    return (Path(path) / MANIFEST).is_file() or has_parts(Path(path))


@dataclass(frozen=True)
class _StoredGold:
    """What is known about a gold whose sentences are not there; it has the names of a corpus."""

    name: str
    path: str
    annotators: tuple[str, ...]
    fingerprint: str
    size: int
    part: None = None

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Any]:
        raise RequestError(f"{self.path}: evidence has no sentences and no documents; use the gold itself")

    @property
    def numbers(self) -> range:
        """The number of each sentence."""
        return range(1, self.size + 1)

    @property
    def extent(self) -> str:
        """The number of sentences in words."""
        return pluralise(self.size, "sentence")


class _NoOutput(Output):
    """Stands for an output that is not there."""

    def rows(self, start: int, stop: int) -> RowsOfSentences:
        raise UsageError(f"evidence has no texts, so sentences {start} to {stop} cannot be shown")


@dataclass(frozen=True)
class _StoredScore(Score):
    """A score from stored evidence."""

    described: str = field(kw_only=True, repr=False)

    @property
    def signature(self) -> str:
        return self.described

    def rows(self) -> list[TableRow]:
        raise _refuse_texts()

    def edits(self, sentence: int, annotator: str | None = None) -> SentenceEdits:
        del sentence, annotator
        raise _refuse_texts()

    def lattice(self, sentence: int, annotator: str | None = None) -> EditLattice:
        del sentence, annotator
        raise _refuse_texts()

    def alignment(self, sentence: int) -> Alignment:
        del sentence
        raise _refuse_texts()


def _refuse_texts() -> UsageError:
    return UsageError("evidence has no texts, so sentences, edits, lattices and alignments cannot be shown")


class StoredEvidence:
    """Evidence of one gold, with any number of metrics and systems."""

    def __init__(self, storage: Storage, manifest: Manifest) -> None:
        self._storage, self.manifest, shown = storage, manifest, storage.show()
        if not manifest.whole:
            raise RequestError(f"{shown}: it has the parts {manifest.share} only; errata evidence merge puts all of them together")
        if not manifest.entries:
            raise RequestError(f"{shown}: it has no evidence")
        gold = manifest.gold
        self.gold = _StoredGold(gold.name, shown, gold.annotators, gold.fingerprint, gold.sentences)

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """The metrics, as on the command line."""
        return {entry.metric: registry.metric(entry.metric) for entry in self.manifest.entries}

    @property
    def systems(self) -> list[str]:
        """The names of all systems."""
        return list(dict.fromkeys(entry.system for entry in self.manifest.entries))

    def list_warnings(self, metrics: Sequence[Metric]) -> list[str]:
        """List what metrics say about the gold."""
        entries = {entry.metric: entry for entry in self.manifest.entries}
        own = ((metric, entries[str(metric)].warnings) for metric in metrics if str(metric) in entries)
        return [f"{self.gold.name}: {metric}: {warning}" for metric, warnings in own for warning in warnings]

    def score(
        self, metrics: Sequence[Metric] = (), systems: Sequence[str] = (), progress: Callable[[int], None] | None = None
    ) -> list[_StoredScore]:
        """Score systems, by default all, with metrics, by default all: all systems with the first metric, and so on.

        ``progress`` is called with 1 whenever a system was scored.
        """
        wanted = [str(metric) for metric in metrics] or list(self.metrics)
        entries = {(entry.metric, entry.system): entry for entry in self.manifest.entries}
        names = list(systems) or self.systems
        scores = []
        for metric in wanted:
            for name in names:
                entry = entries.get((metric, name))
                if entry is None:
                    raise UsageError(self._explain(metric, name))
                scores.append(self._score(entry))
                if progress is not None:
                    progress(1)
        return scores

    def _explain(self, metric: str, system: str) -> str:
        metrics, systems = list(self.metrics), [entry.system for entry in self.manifest.entries if entry.metric == metric]
        if metric not in metrics:
            return f"{self.gold.path}: there is no evidence of {metric}; choose from {', '.join(metrics)}{suggest(metric, metrics)}"
        known = f"choose from {', '.join(systems)}{suggest(system, systems)}"
        return f"{self.gold.path}: there is no evidence of the system {system!r} with {metric}; {known}"

    def _score(self, entry: SystemEntry) -> _StoredScore:
        metric = self.metrics[entry.metric]
        if tuple(metric.columns) != entry.columns:
            raise InputError(
                f"{self.gold.path}: expected the columns {', '.join(metric.columns)} of {metric}, found {', '.join(entry.columns)}"
            )
        if not _fits_metric(entry.described, metric):
            raise InputError(f"{self.gold.path}: expected evidence of {metric.signature}, found {entry.described[:200]}")
        gold = write_gold_signature(self.gold.name, self.gold.extent, self.gold.annotators, self.gold.fingerprint)
        own = f" | {entry.system_data}" if entry.system_data else ""
        described = f"{entry.described}{own} | {gold} | errata {entry.version}"
        return _score_parts(metric, self.gold, entry.system, _Parts(self._storage, self.manifest.gold, entry), described)


def _fits_metric(described: str, metric: Metric) -> bool:
    """Whether what a part says about its metric may be about this one: the settings and the package are the same."""
    package = name_package(metric)
    return described == f"{metric.signature}{package}" or (described.startswith(f"{metric.signature} | ") and described.endswith(package))


def _score_parts(metric: Metric, gold: _StoredGold, system_name: str, parts: _ReadParts, described: str) -> _StoredScore:
    """Score a system whose rows are read in parts whenever ``parts`` is called; ``described`` is the signature."""
    evidence = _load(metric, gold, system_name, parts)
    system = System(system_name, ())
    return _StoredScore(metric, system_name, evidence.counts, evidence.value, evidence, system, _NoOutput(()), described=described)


def _load(metric: Metric, gold: _StoredGold, system_name: str, parts: _ReadParts) -> Evidence:
    corpus = cast("Corpus", gold)  # it has what statistics and tables use of one
    strategy = metric.strategy
    if gold.size > MANY and isinstance(strategy, Chosen) and strategy.in_order:
        return LargeEvidence(metric, corpus, system_name, (), (), parts=_Arrays(parts), sentences=gold.size)
    rows: list[tuple[tuple[int, ...], ...]] = []
    labels: list[tuple[str, ...]] = []
    for part in parts():
        listed, names, starts = part.arrays.counts.tolist(), part.labels.to_pylist(), part.arrays.starts.tolist()
        for first, last in pairwise(starts):
            rows.append(tuple(tuple(row) for row in listed[first:last]))
            labels.append(tuple(names[first:last]))
    return Evidence(metric, corpus, system_name, tuple(rows), tuple(labels))


def open_evidence(path: str) -> StoredEvidence:
    """Open a folder of evidence."""
    return StoredEvidence(FolderStorage(Path(path)), Manifest.of_folder(Path(path)))


@dataclass(frozen=True)
class _Arrays:
    """The counts of parts, without labels, whenever it is called."""

    parts: _ReadParts

    def __call__(self) -> Iterator[RowArrays]:
        for part in self.parts():
            yield part.arrays


@dataclass(frozen=True)
class _Parts:
    """The rows of a system, read whenever it is called."""

    storage: Storage
    gold: GoldEntry
    entry: SystemEntry

    def __call__(self) -> Iterator[PartRows]:
        """Read all parts; raise unless each is whole and all are those that the manifest describes."""
        entry, infos = self.entry, []
        for part in entry.parts:
            shown = self.storage.show(entry.place, part.file)
            try:
                content = self.storage.read(entry.place, part.file)
                check_content(shown, part.file, content)
            except InputError as error:
                raise InputError(f"{error}; errata evidence with the same texts writes it again") from None
            place = {"system": entry.system, "first": part.first, "sentences": part.sentences, "input": part.input}
            about = {"metric": entry.described, "system_data": entry.system_data, "warnings": entry.warnings, "version": entry.version}
            info, rows = PartRows.read(shown, content, entry.columns, place | about)
            infos.append(info)
            yield rows
        if (found := GoldEntry.of(self.gold.name, self.gold.sentences, infos, WHOLE)) != self.gold:
            shown = self.storage.show("", MANIFEST)
            raise InputError(f"{shown}: its parts are of another gold: sha256 {found.fingerprint}, found {self.gold.fingerprint}")


_ReadBatches = Callable[[list[str]], Iterator[Any]]
"""Yields record batches with some columns, whenever it is called."""


def score_rows(
    rows: Any, metric: str | Metric = "maxmatch", *, id_column: str = "id", system_name: str = "system", gold_name: str = "rows"
) -> _StoredScore:
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
        for name in (id_column, _ROW, REFERENCE, *found.columns):
            _find_column(table.column_names, name)
        read = _Table(table.sort_by([(id_column, "ascending"), (_ROW, "ascending")]))
    sentences = _Sentences(shown, read, id_column, tuple(found.columns))
    size, references, digest = sentences.count()
    gold = _StoredGold(gold_name, shown, tuple(references), digest, size)
    described = f"{found.signature}{name_package(found)} | {write_gold_signature(gold_name, gold.extent, gold.annotators, '')}"
    return _score_parts(found, gold, system_name, sentences, f"{described} | errata {__version__}")


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
                    _find_column(file.schema_arrow.names, name)
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
        for batch in self.read([self.id_column, _ROW, REFERENCE, *self.columns]):
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
        numbers = _read_numbers(table, _ROW, self.shown)
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
            raise InputError(f"{self.shown}: rows must be sorted by {self.id_column} and {_ROW}, found {own} {before}")
        raise InputError(f"{self.shown}: {own}: expected row {expected:,}, found row {numbers[index]:,}")


def _read_numbers(table: Any, name: str, shown: str) -> Any:
    """Read whole numbers."""
    pa = need_pyarrow()
    column = table.column(name)
    if not pa.types.is_integer(column.type) or column.null_count:
        found = f"null in {column.null_count:,} of {pluralise(len(column), 'row')}" if column.null_count else str(column.type)[:60]
        raise InputError(f"{shown}: {name[:40]}: expected whole numbers, found {found}")
    return column.cast(pa.int64()).to_numpy()


_ROW = "row"
"""The column with the number of a row of counts among those of its sentence, from 0."""
_TOGETHER = 4 * BLOCK_SIZE
"""Rows of a batch that are counted at a time."""


class BatchCounter:
    """Counts rows of texts; it can be pickled, and called with the batches of any part of a table.

    Spark's ``mapInArrow`` hands out such batches, and so do others.  Their tables have no order, so every row of counts has columns of
    the row that it is of, and its number among the rows of that one.  :func:`score_rows` puts them in order.

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
        return [*self.keep, _ROW, REFERENCE, *self.metric.columns]

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
        kept = [schema.field(_find_column(schema.names, name)) for name in self.keep]
        return pa.schema([*kept, pa.field(_ROW, pa.int64()), pa.field(REFERENCE, pa.string()), *counts])

    def write_spark_schema(self, types: Sequence[tuple[str, str]]) -> str:
        """Write the schema of the result for Spark, given the names and types of the table's columns (``dataframe.dtypes``).

        >>> count = BatchCounter("accuracy", source="src", references=["ref"], output="out", keep=["id"])
        >>> count.write_spark_schema([("id", "bigint"), ("src", "string"), ("ref", "string"), ("out", "string")])
        '`id` bigint, `row` bigint, `reference` string, `matched` bigint, `sentences` bigint'
        """
        names = [name for name, _ in types]
        kept = [types[_find_column(names, name)][1] for name in self.keep]
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
        return self.batch.column(_find_column(self.batch.schema.names, name))

    def read(self, name: str, max_tokens: int) -> Any:
        """Read a column as texts with 32-bit offsets; raise at the first row that has no text."""
        import numpy as np

        from errata.formats.columns import find_odd_text, get_offsets

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


def _find_column(names: Sequence[str], name: str) -> int:
    """Find a column by its name."""
    if (count := names.count(name)) != 1:
        found = f"there are {count:,} columns" if count else f"there is no column{suggest(name, names)}"
        raise UsageError(f"expected the column {name[:40]!r}, {found} in {list_columns(names)}")
    return names.index(name)
