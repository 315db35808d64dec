"""The manifest of a folder of evidence: its gold, and the parts of each metric and system."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.references import DIGITS, combine_blocks
from errata.errors import FormatError, InputError, RequestError, pluralise
from errata.evidence_files.layout import LAYOUT, MANIFEST, name_place, parse_part_name
from errata.evidence_files.part_files import expect_digest
from errata.evidence_files.storage import FolderStorage
from errata.formats.jsonl import expect_integer, expect_list, expect_object, expect_string, parse_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from errata.evidence_files.part_files import PartInfo
    from errata.evidence_files.storage import Storage


_MOST_SENTENCES = 1 << 48


InputHash = tuple[str, str]
"""What a job was given, such as source, and its hash."""


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

    def to_bytes(self) -> bytes:
        """Write JSON, the same for the same content."""
        record = {
            "layout": LAYOUT,
            "gold": self.gold._asdict(),
            "part_size": self.part_size,
            "share": str(self.share),
            "evidence": [_record(entry) for entry in self.entries],
        }
        return (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _record(entry: SystemEntry) -> dict[str, Any]:
    record = entry._asdict() | {"parts": [part._asdict() for part in entry.parts]}
    return record if entry.inputs else {name: value for name, value in record.items() if name != "inputs"}


def describe_gold_of(name: str, sentences: int, infos: Sequence[PartInfo], share: Share) -> GoldEntry:
    """Describe the gold; its fingerprint is known if all parts are there."""
    ordered = sorted(infos, key=lambda info: info.first)
    annotators = tuple(dict.fromkeys(name for info in ordered for name in info.annotators))
    whole = combine_blocks([bytes.fromhex(block) for info in ordered for block in info.blocks]) if share.jobs == 1 else ""
    return GoldEntry(name, sentences, annotators, whole)


def write_manifest(storage: Storage, manifest: Manifest) -> None:
    """Write the manifest."""
    storage.write("", MANIFEST, manifest.to_bytes())


def read_manifest(storage: Storage) -> Manifest:
    """Read the manifest."""
    content = storage.read("", MANIFEST)
    try:
        return _parse(expect_object(parse_json(content.decode("utf-8")), "a manifest"))
    except (InputError, UnicodeDecodeError) as error:
        advice = "; if it is damaged, remove it and repeat errata evidence, which keeps whole parts"
        raise FormatError(storage.show("", MANIFEST), None, f"{error}{advice}") from None


def read_manifest_of(folder: Path) -> Manifest:
    """Read the manifest of a folder, or say why there is none."""
    if not (folder / MANIFEST).exists():
        raise RequestError(f"{folder}: {_explain_missing(folder)}")
    return read_manifest(FolderStorage(folder))


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
    if (layout := expect_integer(record["layout"], "layout")) != LAYOUT:
        raise InputError(f"expected layout {LAYOUT}, found {layout}; it was made by another version of errata")
    gold = expect_object(record.get("gold"), "gold")
    entries = tuple(_parse_entry(item) for item in expect_list(record.get("evidence"), "evidence"))
    manifest = Manifest(
        GoldEntry(
            expect_string(gold.get("name"), "the name of the gold"),
            expect_integer(gold.get("sentences"), "sentences"),
            _strings(gold.get("annotators"), "annotators"),
            expect_string(gold.get("fingerprint"), "fingerprint")[:DIGITS],
        ),
        expect_integer(record.get("part_size"), "part_size"),
        parse_share(expect_string(record.get("share"), "share")),
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
    record = expect_object(data, "an item of evidence")
    texts = {name: expect_string(record.get(name), name) for name in ("metric", "described", "system", "system_data", "version")}
    lists = {name: _strings(record.get(name), name) for name in ("columns", "warnings")}
    parts = tuple(_parse_part(item) for item in expect_list(record.get("parts"), "parts"))
    inputs = tuple(_parse_input(item) for item in expect_list(record.get("inputs", []), "inputs"))
    return SystemEntry(parts=parts, inputs=inputs, **texts, **lists)  # type: ignore[arg-type]  # texts and lists are those of the fields


def _parse_input(data: Any) -> InputHash:
    record = _strings(data, "inputs")
    if len(record) != 2:  # noqa: PLR2004 - name and hash
        raise InputError(f"an item of inputs must have a name and a hash, found {len(record)} texts")
    return record[0], record[1]


def _parse_part(data: Any) -> PartEntry:
    record = expect_object(data, "a part")
    file = expect_string(record.get("file"), "file")
    if parse_part_name(file) is None:
        raise InputError(f"file must be the name of a part, found {file[:80]!r}")
    first, sentences = (expect_integer(record.get(name), name) for name in ("first", "sentences"))
    return PartEntry(file, first, sentences, expect_digest(record.get("input"), "input"))


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
    return tuple(expect_string(item, f"an item of {what}") for item in expect_list(data, what))


def parse_share(text: str) -> Share:
    """Read ``K/N``.

    >>> parse_share("2/8")
    Share(job=2, jobs=8)
    """
    number, slash, jobs = text.partition("/")
    if slash and number.isdecimal() and jobs.isdecimal() and len(jobs) <= len("1000000") and 1 <= int(number) <= int(jobs):
        return Share(int(number), int(jobs))
    raise InputError(f"expected K/N, the K-th of N jobs, such as 2/8, found {text[:40]!r}")
