"""The manifest of a folder of evidence: its gold, and the parts of each metric and system."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import FormatError, InputError, RequestError
from errata.evidence_files.layout import LAYOUT, MANIFEST, name_folder, parse_part_name
from errata.evidence_files.part_files import expect_digest
from errata.formats.json_values import expect_integer, expect_list, expect_object, expect_string, parse_json
from errata.formats.output import write_at_once
from errata.gold.fingerprint import DIGITS
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MOST_BYTES = 1 << 30


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

    @property
    def key(self) -> tuple[str, str]:
        """Metric and system."""
        return self.metric, self.system

    def locate(self, folder: Path) -> Path:
        """The folder of its parts."""
        return folder / name_folder(self.metric) / name_folder(self.system)


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
        """Add entries, or replace those of the same metric and system."""
        known = {entry.key: entry for entry in (*self.entries, *entries)}
        return replace(self, entries=tuple(known[key] for key in sorted(known)))

    def to_bytes(self) -> bytes:
        """Write JSON, the same for the same content."""
        record = {
            "layout": LAYOUT,
            "gold": self.gold._asdict(),
            "part_size": self.part_size,
            "share": str(self.share),
            "evidence": [entry._asdict() | {"parts": [part._asdict() for part in entry.parts]} for entry in self.entries],
        }
        return (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a folder."""
    write_at_once(folder / MANIFEST, manifest.to_bytes())


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a folder."""
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise RequestError(f"{folder}: {_explain_missing(folder)}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if len(content) > _MOST_BYTES:
        raise InputError(f"{path}: more than {_MOST_BYTES:,} bytes")
    try:
        return _parse(expect_object(parse_json(content.decode("utf-8")), "a manifest"))
    except (InputError, UnicodeDecodeError) as error:
        raise FormatError(str(path), None, str(error)) from None


def has_parts(folder: Path) -> bool:
    """Whether a folder has parts of evidence, perhaps not all of them."""
    return any(parse_part_name(path.name) is not None for path in folder.glob("*/*/part-*.parquet"))


def _explain_missing(folder: Path) -> str:
    if has_parts(folder):
        return "its evidence is not finished; the same errata evidence command goes on with it"
    return f"there is no {MANIFEST}, so this is no evidence; errata evidence makes it"


def _parse(record: dict[str, Any]) -> Manifest:
    if (layout := expect_integer(record.get("layout"), "layout")) != LAYOUT:
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
    if manifest.gold.sentences < 1 or manifest.part_size < 1:
        raise InputError("sentences and part_size must be 1 or more")
    for entry in entries:
        _check_parts(manifest, entry)
    return manifest


def _parse_entry(data: Any) -> SystemEntry:
    record = expect_object(data, "an item of evidence")
    texts = {name: expect_string(record.get(name), name) for name in ("metric", "described", "system", "system_data", "version")}
    lists = {name: _strings(record.get(name), name) for name in ("columns", "warnings")}
    parts = tuple(_parse_part(item) for item in expect_list(record.get("parts"), "parts"))
    return SystemEntry(parts=parts, **texts, **lists)  # type: ignore[arg-type]  # texts and lists are those of the fields


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
    expected = [number for number in range(count) if manifest.share.has(number)]
    found = [part.number for part in entry.parts]
    what = f"{entry.metric} of {entry.system}"
    if found != expected:
        wrong = next((one for one, other in zip(expected, found, strict=False) if one != other), min(len(expected), len(found)))
        asked = f"expected {pluralise(len(expected), 'part')}, found {len(found):,}"
        raise InputError(f"{what}: {asked}; the first that does not fit is {wrong}")
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
