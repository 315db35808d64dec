"""Make a folder of evidence: parts that are missing are made, in any order and by any engine; those that are whole stay.

A part is written under another name and renamed, so a program that is stopped at any time leaves whole parts only, and the same call
goes on with the others.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from errata.errors import ErrataError, MismatchError, RequestError
from errata.evidence_files.layout import MANIFEST, check_folders, check_part_size, name_folder, name_part_file, parse_part_name
from errata.evidence_files.manifest import (
    GoldEntry,
    Manifest,
    PartEntry,
    Share,
    SystemEntry,
    read_manifest,
    write_manifest,
)
from errata.evidence_files.part_files import check_content, decode_info, need_pyarrow
from errata.evidence_files.work import CorpusTask, CorpusWork, TextTask, TextWork, count_corpus, count_texts
from errata.formats.leftovers import remove_leftovers
from errata.formats.lines import DEFAULT_MAX_TOKENS, get_file_name
from errata.formats.output import write_at_once
from errata.gold.fingerprint import combine_blocks
from errata.part_sizes import PART_SIZE
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
    from pathlib import Path

    from errata.corpus import Corpus, System
    from errata.engines import Engine
    from errata.evidence_files.part_files import PartInfo
    from errata.evidence_files.work import EvidenceKey, MadePart
    from errata.formats.text_columns import TextColumns
    from errata.metrics.base import Metric

WHOLE = Share(1, 1)
_TOGETHER = 4
"""Systems whose texts are in one task; with more, a task would take much memory."""


def print_nothing(text: str) -> None:
    """Ignore a warning."""
    del text


@dataclass(frozen=True)
class Making:
    """How evidence is made."""

    engine: Engine
    part_size: int = PART_SIZE
    share: Share = WHOLE
    progress: Callable[[int], None] | None = None
    """Called with the number of sentences that were just done; every metric and system counts."""
    warn: Callable[[str], None] = print_nothing
    max_tokens: int = DEFAULT_MAX_TOKENS

    def __post_init__(self) -> None:
        check_part_size(self.part_size)


@dataclass
class _Folder:
    """A folder of evidence while it is filled."""

    path: Path
    making: Making
    metrics: Mapping[str, Metric]
    systems: Sequence[str]
    parts: dict[EvidenceKey, dict[int, tuple[str, PartInfo]]] = field(default_factory=dict)
    """Files of whole parts, by metric and system, then by number."""
    sentences: int = 0
    old: Manifest | None = None
    """The manifest that is there already."""
    unchecked: Manifest | None = None
    """The same, until a part was compared with it."""

    def open(self) -> None:
        """Find the parts that are there already."""
        need_pyarrow()
        check_folders(list(self.metrics), "metrics")
        check_folders(list(self.systems), "systems")
        for metric in self.metrics:
            for system in self.systems:
                folder = self._locate(metric, system)
                make_folder(folder)
                self.parts[metric, system] = self._list_parts(folder)
        remove_leftovers(self.path)
        if (self.path / MANIFEST).exists():
            self.old = self.unchecked = read_manifest(self.path)
            check_same_cut(self.path, self.old, self.making.part_size, self.making.share)

    def _locate(self, metric: str, system: str) -> Path:
        return self.path / name_folder(metric) / name_folder(system)

    def _list_parts(self, folder: Path) -> dict[int, tuple[str, PartInfo]]:
        """Find whole parts; those that are damaged are counted again."""
        found: dict[int, tuple[str, PartInfo]] = {}
        for path in sorted(folder.iterdir()):
            number = parse_part_name(path.name)
            if number is None:
                continue
            try:
                content = path.read_bytes()
                check_content(path, content, number)
                info = decode_info(path, content)
            except (ErrataError, OSError) as error:
                self.making.warn(f"{error}; this part is counted again")
                path.unlink()
                continue
            if (info.first - 1) != number * self.making.part_size:
                raise RequestError(f"{path}: the part begins with sentence {info.first:,}; take the same --part-size, or another folder")
            found[number] = (path.name, info)
        return found

    def list_known(self, number: int, systems: Sequence[str]) -> dict[EvidenceKey, str]:
        """List the inputs of a part that is there already."""
        return {
            (metric, system): self.parts[metric, system][number][1].input
            for metric in self.metrics
            for system in systems
            if number in self.parts[metric, system]
        }

    def fill(self, results: Generator[list[MadePart]]) -> None:
        """Write parts as they are made."""
        with closing(results):
            for made in results:
                for part in made:
                    self._add(part)

    def _add(self, made: MadePart) -> None:
        """Write a part, unless it is there already."""
        if made.content is not None and made.info is not None:
            self._check_gold(made.number, made.info)
            name = name_part_file(made.number, made.content)
            write_at_once(self._locate(*made.key) / name, made.content)
            self.parts[made.key][made.number] = (name, made.info)
        if self.making.progress is not None:
            self.making.progress(made.sentences)

    def _check_gold(self, number: int, info: PartInfo) -> None:
        """Raise as soon as a part shows that the folder has evidence of another gold."""
        old, self.unchecked = self.unchecked, None
        if old is None or not old.entries:
            return
        entry = old.entries[0]
        part = next((part for part in entry.parts if part.number == number), None)
        path = entry.locate(self.path) / part.file if part is not None else None
        if path is None or (path.is_file() and decode_info(path, path.read_bytes()).blocks != info.blocks):
            raise RequestError(f"{self.path}: it has evidence of another gold; take another folder")

    def finish(self, gold_name: str) -> Manifest:
        """Write the manifest."""
        part_size, share = self.making.part_size, self.making.share
        if self.sentences == 0:
            raise MismatchError(f"{gold_name}: no sentences found")
        last = -(-self.sentences // part_size)
        entries = []
        for (metric, system), parts in self.parts.items():
            if extra := [name for number, (name, _) in parts.items() if number >= last]:
                raise RequestError(f"{self._locate(metric, system) / extra[0]}: it has more sentences than the gold, {self.sentences:,}")
            own = {number: part for number, part in sorted(parts.items()) if share.has(number)}
            entries.append(self._make_entry(metric, system, own))
        infos = [info for _, info in next(iter(self.parts.values())).values()]
        manifest = Manifest(describe_gold_of(gold_name, self.sentences, infos, share), part_size, share, ())
        if self.old is not None:
            check_same_gold(self.path, self.old.gold, manifest.gold)
            manifest = self.old
        manifest = manifest.with_entries(entries)
        write_manifest(self.path, manifest)
        return manifest

    def _make_entry(self, metric: str, system: str, parts: Mapping[int, tuple[str, PartInfo]]) -> SystemEntry:
        infos = [info for _, info in parts.values()]
        listed = tuple(PartEntry(name, info.first, info.sentences, info.input) for name, info in parts.values())
        return make_entry(metric, tuple(self.metrics[metric].columns), system, infos, listed)


def make_folder(folder: Path) -> None:
    """Make a folder if there is none, and remove what killed programs left in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(f"{folder}: cannot be created: {error.strerror}") from None
    remove_leftovers(folder)


def make_entry(metric: str, columns: tuple[str, ...], system: str, infos: Sequence[PartInfo], parts: tuple[PartEntry, ...]) -> SystemEntry:
    """Make the entry of a manifest; what parts say about metric and system must be the same in all of them."""
    said = {(info.metric, info.system_data, info.warnings, info.version) for info in infos}
    if len(said) > 1:
        raise RequestError(
            f"the parts of {metric} of {system} were made in different ways: {' and '.join(sorted(str(item[0]) for item in said)[:2])}"
        )
    described, data, warnings, version = next(iter(said)) if said else ("", "", (), "")
    return SystemEntry(metric, described, columns, system, data, warnings, version, parts)


def describe_gold_of(name: str, sentences: int, infos: Sequence[PartInfo], share: Share) -> GoldEntry:
    """Describe the gold; its fingerprint is known if all parts are there."""
    ordered = sorted(infos, key=lambda info: info.first)
    annotators = tuple(dict.fromkeys(name for info in ordered for name in info.annotators))
    whole = combine_blocks([bytes.fromhex(block) for info in ordered for block in info.blocks]) if share.jobs == 1 else ""
    return GoldEntry(name, sentences, annotators, whole)


def check_same_cut(folder: Path, manifest: Manifest, part_size: int, share: Share) -> None:
    """Raise unless the parts of a folder have this size and are of this share."""
    for name, one, other in (("--part-size", manifest.part_size, part_size), ("--part", manifest.share, share)):
        if one != other:
            raise RequestError(f"{folder}: its evidence has {name} {one}, found {other}; take the same, or another folder")


def check_same_gold(folder: Path, one: GoldEntry, other: GoldEntry) -> None:
    """Raise unless evidence is of one gold."""
    if one != other:
        raise RequestError(f"{folder}: it has evidence of another gold: {_show(one)}; found {_show(other)}")


def _show(gold: GoldEntry) -> str:
    known = f", sha256 {gold.fingerprint}" if gold.fingerprint else ""
    return f"{gold.name}, {pluralise(gold.sentences, 'sentence')}, {pluralise(len(gold.annotators), 'annotator')}{known}"


def make_from_texts(
    folder: Path, source: str, references: Sequence[str], systems: Mapping[str, str], metrics: Sequence[Metric], making: Making
) -> Manifest:
    """Make evidence of texts of any length, which are read part by part; ``systems`` are files by name."""
    from errata.formats.text_columns import TextColumns, open_text_column

    by_name = {str(metric): metric for metric in metrics}
    filled = _Folder(folder, making, by_name, list(systems))
    filled.open()
    work = TextWork(tuple(metrics), source, dict(systems), making.max_tokens)
    opened = [open_text_column(path, max_tokens=making.max_tokens) for path in (source, *references, *systems.values())]
    with TextColumns(opened) as columns:
        tasks = _cut_texts(columns, filled, len(references))
        filled.fill(making.engine.run(count_texts, work, tasks))
    return filled.finish(get_file_name(source))


def _cut_texts(columns: TextColumns, folder: _Folder, references: int) -> Iterator[TextTask]:
    """Yield the texts of each part of the share, for some systems at a time."""
    number = 0
    size = folder.making.part_size
    while True:
        if not folder.making.share.has(number):
            folder.sentences += (skipped := columns.skip(size))
            if skipped < size:
                return
            number += 1
            continue
        texts = columns.read(size)
        if not len(texts[0]):
            return
        folder.sentences += len(texts[0])
        source, own, outputs = texts[0], texts[1 : 1 + references], texts[1 + references :]
        for first in range(0, len(outputs), _TOGETHER):
            names = folder.systems[first : first + _TOGETHER]
            some = dict(zip(names, outputs[first : first + _TOGETHER], strict=True))
            yield TextTask(number, number * size + 1, source, own, some, folder.list_known(number, names))
        if len(texts[0]) < size:
            return
        number += 1


def make_from_corpus(folder: Path, corpus: Corpus, systems: Sequence[System], metrics: Sequence[Metric], making: Making) -> Manifest:
    """Make evidence of a corpus and systems in memory."""
    by_name = {str(metric): metric for metric in metrics}
    filled = _Folder(folder, making, by_name, [system.name for system in systems])
    filled.open()
    filled.sentences = len(corpus)
    size = making.part_size
    starts = range(0, len(corpus), size)
    tasks = (
        CorpusTask(number, start, min(start + size, len(corpus)), name, filled.list_known(number, [name]))
        for number, start in enumerate(starts)
        if making.share.has(number)
        for name in filled.systems
    )
    work = CorpusWork(tuple(metrics), corpus, systems)
    filled.fill(making.engine.run(count_corpus, work, tasks))
    return filled.finish(corpus.name)
