"""The files of evidence: where they are, the manifest, and the parts in Parquet.

::

    FOLDER/manifest.json
    FOLDER/METRIC/SYSTEM/part-000000-0123456789abcdef.parquet

The manifest has the gold, and the parts of each metric and system.  A part has the rows of consecutive sentences: one for each sentence
and reference, with its counts; what it was made of is in its metadata.  Its name has its number and the first digits of the SHA-256 of
the file, so a file that is not whole, or was changed, is found out without any other file.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import quote

from errata import __version__
from errata.corpus.references import DIGITS, combine_blocks
from errata.errors import FormatError, InputError, RequestError, UsageError, pluralise
from errata.formats.jsonl import expect, parse_json
from errata.formats.lines import require_pyarrow
from errata.formats.writing import find_same_file, remove_leftovers, write_at_once
from errata.metrics.evidence import RowArrays

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path


MANIFEST = "manifest.json"
_LAYOUT = 1
"""The version of all this."""
_DIGITS = 16
_LONGEST = 120
"""Characters of a name of a folder that are kept as they are."""
_SAFE = " ()=,+-_."
_PART = re.compile(rf"part-(\d{{6,9}})-([0-9a-f]{{{_DIGITS}}})\.parquet")


def _name_folder(text: str) -> str:
    """Make the name of a folder from that of a metric or a system.

    >>> _name_folder("maxmatch(beta=1.0)"), _name_folder("../a/b"), _name_folder("x" * 200)[118:]
    ('maxmatch(beta=1.0)', '%2E.%2Fa%2Fb', 'xx-aa20c23e')
    """
    name = quote(text, safe=_SAFE, errors="surrogatepass")
    if name.startswith((".", " ")) or name.endswith(" "):
        name = f"%{ord(name[0]):02X}{name[1:]}" if name.startswith((".", " ")) else f"{name[:-1]}%20"
    if len(name) > _LONGEST:
        name = f"{name[:_LONGEST]}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return name


def name_place(metric: str, system: str) -> str:
    """Name the place of the parts of a metric and a system."""
    return f"{_name_folder(metric)}/{_name_folder(system)}"


def check_folders(names: Sequence[str], what: str) -> None:
    """Raise if two names would be one folder on some systems, or one is not text."""
    for name in names:
        if any("\ud800" <= character <= "\udfff" for character in name):
            raise UsageError(f"names of {what} must be valid Unicode, found {name!r:.60}")
    if (same := find_same_file([_name_folder(name) for name in names])) is not None:
        one, other = (names[index] for index in same)
        raise UsageError(f"two {what} would have one folder: {one!r} and {other!r}")


def name_part_file(number: int, content: bytes) -> str:
    """Name the file of a part, which is numbered from 0."""
    return f"part-{number:06d}-{hashlib.sha256(content).hexdigest()[:_DIGITS]}.parquet"


def parse_part_name(name: str) -> int | None:
    """Find the number of a part in the name of its file; None if it is another file."""
    match = _PART.fullmatch(name)
    return int(match[1]) if match is not None else None


class Storage(Protocol):
    """Files with names, in places that are folders inside folders, such as ``maxmatch/eager``; the empty place is the whole."""

    def show(self, place: str = "", name: str = "") -> str:
        """Name a file for messages."""

    def clean(self, place: str) -> None:
        """Remove what killed programs left."""

    def list_names(self, place: str) -> list[str]:
        """List the files of a place, in order."""

    def has(self, place: str, name: str) -> bool:
        """Whether there is a file."""

    def read(self, place: str, name: str) -> bytes:
        """Read a file."""

    def write(self, place: str, name: str, content: bytes) -> None:
        """Write a file, in full or not at all."""

    def remove(self, place: str, name: str) -> None:
        """Remove a file."""

    def lock(self) -> AbstractContextManager[None]:
        """Keep other programs from writing what is written inside."""


class FolderStorage:
    """Files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def show(self, place: str = "", name: str = "") -> str:
        return str(self.folder / place / name)

    def clean(self, place: str) -> None:
        remove_leftovers(self.folder / place)

    def list_names(self, place: str) -> list[str]:
        folder = self.folder / place
        return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []

    def has(self, place: str, name: str) -> bool:
        return (self.folder / place / name).is_file()

    def read(self, place: str, name: str) -> bytes:
        path = self.folder / place / name
        try:
            return path.read_bytes()
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None

    def write(self, place: str, name: str, content: bytes) -> None:
        write_at_once(self._make_folder(place) / name, content)

    def _make_folder(self, place: str) -> Path:
        folder = self.folder / place
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RequestError(f"{folder}: cannot be created: {error.strerror}") from None
        return folder

    def remove(self, place: str, name: str) -> None:
        path = self.folder / place / name
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RequestError(f"{path}: cannot be removed: {error.strerror}") from None

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder, where the system has such locks."""
        try:
            from fcntl import LOCK_EX, flock
        except ModuleNotFoundError:
            yield
            return
        opened = os.open(self._make_folder(""), os.O_RDONLY)
        try:
            with suppress(OSError):  # some file systems have no locks
                flock(opened, LOCK_EX)
            yield
        finally:
            os.close(opened)


class MemoryStorage:
    """Files in memory; counts take a few bytes for a sentence."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._files: dict[tuple[str, str], bytes] = {}

    def show(self, place: str = "", name: str = "") -> str:
        return ": ".join(text for text in (self._shown, place, name) if text)

    def clean(self, place: str) -> None:
        """Do nothing: nothing is left by others."""

    def list_names(self, place: str) -> list[str]:
        return sorted(name for own, name in self._files if own == place)

    def has(self, place: str, name: str) -> bool:
        return (place, name) in self._files

    def read(self, place: str, name: str) -> bytes:
        return self._files[place, name]

    def write(self, place: str, name: str, content: bytes) -> None:
        self._files[place, name] = content

    def remove(self, place: str, name: str) -> None:
        del self._files[place, name]

    def lock(self) -> AbstractContextManager[None]:
        """Do nothing: no other program writes here."""
        return nullcontext()


_MOST_SENTENCES = 1 << 48


InputHash = tuple[str, str]
"""What a job was given, such as source, and its hash."""
OUTPUT = "output"
"""What the output of a system is called there."""


class PartEntry(NamedTuple):
    """A part that is whole."""

    file: str
    first: int
    sentences: int
    input: str
    """The SHA-256 of what its counts depend on."""

    @property
    def number(self) -> int:
        """The number of the part, from 0."""
        return parse_part_name(self.file) or 0


class GoldEntry(NamedTuple):
    """The gold of all evidence in a folder."""

    name: str
    sentences: int
    annotators: tuple[str, ...]
    fingerprint: str
    """As in signatures; empty if only some parts are here."""

    @classmethod
    def of(cls, name: str, sentences: int, infos: Sequence[PartInfo], share: Share) -> GoldEntry:
        """Describe the gold; its fingerprint is known if all parts are there."""
        ordered = sorted(infos, key=lambda info: info.first)
        annotators = tuple(dict.fromkeys(name for info in ordered for name in info.annotators))
        whole = combine_blocks([bytes.fromhex(block) for info in ordered for block in info.blocks]) if share.jobs == 1 else ""
        return cls(name, sentences, annotators, whole)


class SystemEntry(NamedTuple):
    """The evidence of one system with one metric."""

    metric: str
    """As on the command line."""
    described: str
    """With all settings and other data, as in a signature."""
    columns: tuple[str, ...]
    system: str
    system_data: str
    """What the metric uses of the system beside its output, as in a signature."""
    warnings: tuple[str, ...]
    """What the metric says about the gold."""
    version: str
    """Of errata."""
    parts: tuple[PartEntry, ...]
    inputs: tuple[InputHash, ...] = ()
    """Hashes of the whole gold and output, if only some parts are here; of all parts, they say nothing more."""

    @property
    def key(self) -> tuple[str, str]:
        """Metric and system."""
        return self.metric, self.system

    @property
    def place(self) -> str:
        """Where its parts are."""
        return name_place(self.metric, self.system)


class Share(NamedTuple):
    """Which of several jobs made the parts: they take turns."""

    job: int
    """From 1."""
    jobs: int

    @classmethod
    def parse(cls, text: str) -> Share:
        """Read ``K/N``.

        >>> Share.parse("2/8")
        Share(job=2, jobs=8)
        """
        number, slash, jobs = text.partition("/")
        if slash and number.isdecimal() and jobs.isdecimal() and len(jobs) <= len("1000000") and 1 <= int(number) <= int(jobs):
            return cls(int(number), int(jobs))
        raise InputError(f"expected K/N, the K-th of N jobs, such as 2/8, found {text[:40]!r}")

    def __str__(self) -> str:
        return f"{self.job}/{self.jobs}"

    def has(self, number: int) -> bool:
        """Whether a part, numbered from 0, belongs to this job."""
        return number % self.jobs == self.job - 1


WHOLE = Share(1, 1)
"""All the work."""


@dataclass(frozen=True)
class Manifest:
    """What a folder of evidence has."""

    gold: GoldEntry
    part_size: int
    share: Share
    entries: tuple[SystemEntry, ...]

    @classmethod
    def read(cls, storage: Storage) -> Manifest:
        """Read the manifest of a storage."""
        content = storage.read("", MANIFEST)
        try:
            return _parse(expect(dict, parse_json(content.decode("utf-8")), "a manifest"))
        except (InputError, UnicodeDecodeError) as error:
            advice = "; if it is damaged, remove it and repeat errata evidence, which keeps whole parts"
            raise FormatError(storage.show("", MANIFEST), None, f"{error}{advice}") from None

    @classmethod
    def of_folder(cls, folder: Path) -> Manifest:
        """Read the manifest of a folder, or say why there is none."""
        if not (folder / MANIFEST).exists():
            raise RequestError(f"{folder}: {_explain_missing(folder)}")
        return cls.read(FolderStorage(folder))

    def write(self, storage: Storage) -> None:
        """Write the manifest to a storage: JSON, the same for the same content."""
        record = {
            "layout": _LAYOUT,
            "gold": self.gold._asdict(),
            "part_size": self.part_size,
            "share": str(self.share),
            "evidence": [_record(entry) for entry in self.entries],
        }
        storage.write("", MANIFEST, (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))

    @property
    def whole(self) -> bool:
        """Whether all parts are here."""
        return self.share.jobs == 1

    def with_entries(self, entries: Sequence[SystemEntry]) -> Manifest:
        """Add entries, or replace those of the same metric and system, in the order in which they were asked for."""
        known = {entry.key: entry for entry in (*self.entries, *entries)}
        described: dict[str, str] = {}
        for entry in known.values():
            if described.setdefault(entry.metric, entry.described) != entry.described:
                raise RequestError(f"systems must be counted with the same data, found {described[entry.metric]} and {entry.described}")
        return replace(self, entries=tuple(known.values()))


def _record(entry: SystemEntry) -> dict[str, Any]:
    record = entry._asdict() | {"parts": [part._asdict() for part in entry.parts]}
    return record if entry.inputs else {name: value for name, value in record.items() if name != "inputs"}


def has_parts(folder: Path) -> bool:
    """Whether a folder has parts of evidence, perhaps not all of them."""
    return any(parse_part_name(path.name) is not None for path in folder.glob("*/*/part-*.parquet"))


def _explain_missing(folder: Path) -> str:
    if has_parts(folder):
        return "its evidence is not finished; the same errata evidence command goes on with it"
    return f"there is no {MANIFEST}, so this is no evidence; errata evidence makes it"


def _parse(record: dict[str, Any]) -> Manifest:
    if "layout" not in record:
        raise InputError("this is no manifest of evidence; it has no layout")
    if (layout := expect(int, record["layout"], "layout")) != _LAYOUT:
        raise InputError(f"expected layout {_LAYOUT}, found {layout}; it was made by another version of errata")
    gold = expect(dict, record.get("gold"), "gold")
    entries = tuple(_parse_entry(item) for item in expect(list, record.get("evidence"), "evidence"))
    manifest = Manifest(
        GoldEntry(
            expect(str, gold.get("name"), "the name of the gold"),
            expect(int, gold.get("sentences"), "sentences"),
            _strings(gold.get("annotators"), "annotators"),
            expect(str, gold.get("fingerprint"), "fingerprint")[:DIGITS],
        ),
        expect(int, record.get("part_size"), "part_size"),
        Share.parse(expect(str, record.get("share"), "share")),
        entries,
    )
    if not 1 <= manifest.gold.sentences <= _MOST_SENTENCES or not 1 <= manifest.part_size <= _MOST_SENTENCES:
        raise InputError(f"sentences and part_size must be whole numbers from 1 to {_MOST_SENTENCES:,}")
    for entry in entries:
        _check_parts(manifest, entry)
        if not manifest.whole and not entry.inputs:
            raise InputError(f"{entry.metric} of {entry.system}: inputs are missing, which the manifest of a job has")
    return manifest


def _parse_entry(data: Any) -> SystemEntry:
    record = expect(dict, data, "an item of evidence")
    texts = {name: expect(str, record.get(name), name) for name in ("metric", "described", "system", "system_data", "version")}
    lists = {name: _strings(record.get(name), name) for name in ("columns", "warnings")}
    parts = tuple(_parse_part(item) for item in expect(list, record.get("parts"), "parts"))
    inputs = tuple(_parse_input(item) for item in expect(list, record.get("inputs", []), "inputs"))
    return SystemEntry(parts=parts, inputs=inputs, **texts, **lists)  # type: ignore[arg-type]  # texts and lists are those of the fields


def _parse_input(data: Any) -> InputHash:
    record = _strings(data, "inputs")
    if len(record) != 2:  # noqa: PLR2004 - name and hash
        raise InputError(f"an item of inputs must have a name and a hash, found {len(record)} texts")
    return record[0], record[1]


def _parse_part(data: Any) -> PartEntry:
    record = expect(dict, data, "a part")
    file = expect(str, record.get("file"), "file")
    if parse_part_name(file) is None:
        raise InputError(f"file must be the name of a part, found {file[:80]!r}")
    first, sentences = (expect(int, record.get(name), name) for name in ("first", "sentences"))
    return PartEntry(file, first, sentences, _expect_digest(record.get("input"), "input"))


def _check_parts(manifest: Manifest, entry: SystemEntry) -> None:
    """Raise unless an entry has exactly the parts of its share, in order."""
    count = -(-manifest.gold.sentences // manifest.part_size)
    expected = range(manifest.share.job - 1, count, manifest.share.jobs)
    found = [part.number for part in entry.parts]
    what = f"{entry.metric} of {entry.system}"
    if len(found) != len(expected):
        raise InputError(f"{what}: expected {pluralise(len(expected), 'part')}, found {len(found):,}")
    if (wrong := next((part.file for part, number in zip(entry.parts, expected, strict=True) if part.number != number), None)) is not None:
        raise InputError(f"{what}: {wrong} is not the part that is expected in its place")
    for part in entry.parts:
        first = part.number * manifest.part_size
        if (part.first, part.sentences) != (first + 1, min(manifest.part_size, manifest.gold.sentences - first)):
            raise InputError(f"{what}: {part.file} has other sentences than its number says")


def _strings(data: Any, what: str) -> tuple[str, ...]:
    return tuple(expect(str, item, f"an item of {what}") for item in expect(list, data, what))


# --- Parts as Parquet files.

_SENTENCE, REFERENCE = "sentence", "reference"
_KEY = b"errata"
_MOST_ROWS = 1 << 26
"""Rows of a part that is read."""
_LARGEST = 1 << 48
"""The largest count, so that sums of all sentences fit into 64 bits."""
_MOST_BYTES = 1 << 30
"""Bytes of a part after decompression."""
_HEX = 64
"""Digits of a SHA-256."""


class PartInfo(NamedTuple):
    """What a part was made of."""

    metric: str
    """The metric with all settings and its other data, as in a signature."""
    system: str
    first: int
    """The number of its first sentence, from 1."""
    sentences: int
    input: str
    """The SHA-256 of all texts and edits that the counts depend on."""
    annotators: tuple[str, ...]
    """In order of their first occurrence in this part."""
    blocks: tuple[str, ...]
    """The SHA-256 of each block of sentences of the gold."""
    system_data: str = ""
    """What the metric uses of the system beside its output, as in a signature."""
    warnings: tuple[str, ...] = ()
    """What the metric says about the gold."""
    version: str = __version__

    @classmethod
    def read(cls, shown: str, content: bytes) -> PartInfo:
        """Read what a part was made of; ``shown`` is its path, for messages."""
        return _parse_info(shown, _open(shown, content))

    def to_record(self) -> dict[str, Any]:
        """Make a record for JSON."""
        record = {"layout": _LAYOUT, "errata": self.version, **self._asdict()}
        del record["version"]
        return record

    def encode(self, columns: Sequence[str], rows: PartRows) -> bytes:
        """Make the bytes of a part with these rows."""
        import numpy as np

        pa = need_pyarrow()
        from pyarrow import parquet

        numbers = np.repeat(np.arange(self.first, self.first + self.sentences, dtype=np.int64), np.diff(rows.arrays.starts))
        values = [pa.array(np.ascontiguousarray(rows.arrays.counts[:, index], dtype=np.int64)) for index in range(len(columns))]
        fields = [(_SENTENCE, pa.int64()), (REFERENCE, pa.dictionary(pa.int32(), pa.string())), *((name, pa.int64()) for name in columns)]
        metadata = {_KEY: json.dumps(self.to_record(), ensure_ascii=False).encode("utf-8")}
        table = pa.table([pa.array(numbers), rows.labels, *values], schema=pa.schema(fields, metadata=metadata))
        sink = pa.BufferOutputStream()
        parquet.write_table(table, sink, compression="zstd", compression_level=1, write_statistics=False, row_group_size=_MOST_ROWS)
        return bytes(sink.getvalue())


class PartRows(NamedTuple):
    """The rows of a part, with the reference behind each."""

    arrays: RowArrays
    labels: Any
    """An Arrow array."""

    @classmethod
    def read(cls, shown: str, content: bytes, columns: Sequence[str], expected_info: Mapping[str, object]) -> tuple[PartInfo, PartRows]:
        """Read a part; raise unless it is the expected one."""
        import numpy as np

        file = _open(shown, content)
        info = _parse_info(shown, file)
        for name, wanted in expected_info.items():
            if (found := getattr(info, name)) != wanted:
                raise FormatError(shown, None, f"it belongs to other evidence: expected {name} {wanted!r:.80}, found {found!r:.80}")
        expected = [_SENTENCE, REFERENCE, *columns]
        if file.schema_arrow.names != expected:
            raise FormatError(shown, None, f"expected the columns {', '.join(expected)}, found {', '.join(file.schema_arrow.names)[:200]}")
        if not info.sentences <= file.metadata.num_rows <= _MOST_ROWS:
            asked = f"expected a row or more for {pluralise(info.sentences, 'sentence')}, and at most {_MOST_ROWS:,}"
            raise FormatError(shown, None, f"{asked}, found {pluralise(file.metadata.num_rows, 'row')}")
        _check_types(shown, file.schema_arrow)
        _check_sizes(shown, file.metadata)
        table = _decode(shown, file)
        numbers = _whole_numbers(shown, table, _SENTENCE)
        steps = np.diff(numbers, prepend=info.first - 1)
        if numbers[-1] != info.first + info.sentences - 1 or steps[0] != 1 or ((steps != 0) & (steps != 1)).any():
            raise FormatError(shown, None, f"expected the sentences from {info.first:,} on, each once or more, in order")
        starts = np.concatenate([np.flatnonzero(steps), [len(numbers)]])
        counts = np.column_stack([_whole_numbers(shown, table, name) for name in columns])
        if counts.min() < 0 or counts.max() > _LARGEST:
            raise FormatError(shown, None, f"counts must be from 0 to {_LARGEST:,}, found {int(counts.min()):,} to {int(counts.max()):,}")
        return info, cls(RowArrays(counts, starts), table.column(REFERENCE))


def need_pyarrow() -> Any:
    """Import pyarrow, or say how it is installed."""
    require_pyarrow("a file of evidence")
    import pyarrow as pa

    return pa


def check_content(shown: str, name: str, content: bytes) -> None:
    """Raise unless the name of a file fits its content."""
    if name != (expected := name_part_file(parse_part_name(name) or 0, content)):
        reason = "it is not whole, or was changed" if content else "it is empty"
        raise FormatError(shown, None, f"{reason}: its hash would name it {expected}")


def _open(shown: str, content: bytes) -> Any:
    pa = need_pyarrow()
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(pa.BufferReader(content))
    except (OSError, pa.ArrowException) as error:
        raise FormatError(shown, None, f"cannot be read as Parquet: {error}") from None


def _decode(shown: str, file: Any) -> Any:
    pa = need_pyarrow()
    try:
        return file.read(use_threads=False)
    except (OSError, pa.ArrowException) as error:
        raise FormatError(shown, None, f"cannot be read as Parquet: {error}") from None


def _check_types(shown: str, schema: Any) -> None:
    """Raise unless references are texts and everything else whole numbers."""
    pa = need_pyarrow()
    texts = pa.dictionary(pa.int32(), pa.string())
    for own in schema:
        if own.type != (wanted := texts if own.name == REFERENCE else pa.int64()):
            raise FormatError(shown, None, f"{own.name[:40]}: expected {wanted}, found {str(own.type)[:60]}")


def _check_sizes(shown: str, metadata: Any) -> None:
    """Raise if few bytes stand for very many, as the footer says; this is checked before anything is decoded."""
    if metadata.num_row_groups > 1:
        raise FormatError(shown, None, f"expected one row group, found {metadata.num_row_groups:,}")
    size = sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))
    if size > _MOST_BYTES:
        raise FormatError(shown, None, f"{size:,} bytes after decompression, more than the limit of {_MOST_BYTES:,}")


def _whole_numbers(shown: str, table: Any, name: str) -> Any:
    column = table.column(name)
    if column.null_count:
        raise FormatError(shown, None, f"{name[:40]}: expected whole numbers, found gaps")
    return column.to_numpy()


def _parse_info(shown: str, file: Any) -> PartInfo:
    text = (file.schema_arrow.metadata or {}).get(_KEY)
    if text is None:
        raise FormatError(shown, None, "this is no evidence: it has no metadata of errata")
    try:
        return _read_record(parse_json(text.decode("utf-8")))
    except (InputError, UnicodeDecodeError) as error:
        raise FormatError(shown, None, f"its metadata cannot be read: {error}") from None


def _read_record(data: Any) -> PartInfo:
    """Read the record of a part."""
    record = expect(dict, data, "a part")
    if (layout := expect(int, record.get("layout"), "layout")) != _LAYOUT:
        raise InputError(f"expected layout {_LAYOUT}, found {layout}; it was made by another version of errata")
    return PartInfo(
        expect(str, record.get("metric"), "metric"),
        expect(str, record.get("system"), "system"),
        expect(int, record.get("first"), "first"),
        expect(int, record.get("sentences"), "sentences"),
        _expect_digest(record.get("input"), "input"),
        tuple(expect(str, name, "an annotator") for name in expect(list, record.get("annotators"), "annotators")),
        tuple(_expect_digest(digest, "a block") for digest in expect(list, record.get("blocks"), "blocks")),
        expect(str, record.get("system_data"), "system_data"),
        tuple(expect(str, text, "a warning") for text in expect(list, record.get("warnings"), "warnings")),
        expect(str, record.get("errata"), "errata"),
    )


def _expect_digest(data: Any, what: str) -> str:
    """Return the value if it is a SHA-256 in hexadecimal digits."""
    text = expect(str, data, what)
    if len(text) != _HEX or set(text) - set("0123456789abcdef"):
        raise InputError(f"{what} must be a SHA-256, found {text[:80]!r}")
    return text
