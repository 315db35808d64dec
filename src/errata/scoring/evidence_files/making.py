"""Evidence while it is made: parts that are whole stay, those that are missing are written, and a manifest lists them at the end.

A part is written under another name and renamed, so a program that is stopped at any time leaves whole parts only, and the same call
goes on with the others.  Each part is made by any engine, in any order.  Several jobs may make parts, which are put together at the end.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from errata import __version__
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.corpus.unicode import AS_GIVEN
from errata.errors import FormatError, InputError, MismatchError, RequestError, UsageError, pluralise
from errata.formats.lines import display_path, get_file_name
from errata.formats.problems import Problem
from errata.formats.reading import describe_empty, report_output_problems
from errata.scoring.evidence_files.counting import (
    SAMPLED_SENTENCES,
    CorpusTask,
    CorpusWork,
    KnownPart,
    TextTask,
    TextWork,
)
from errata.scoring.evidence_files.storage import (
    MANIFEST,
    OUTPUT,
    WHOLE,
    FolderStorage,
    GoldEntry,
    Manifest,
    PartEntry,
    PartInfo,
    Share,
    SystemEntry,
    check_content,
    check_folders,
    name_part_file,
    name_place,
    need_pyarrow,
    parse_part_name,
)
from errata.settings import BLOCK_SIZE, PART_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
    from pathlib import Path

    from errata.corpus.checks import Finding
    from errata.corpus.corpus import Corpus, System
    from errata.formats.columns import TextColumns
    from errata.metrics.base import Metric
    from errata.scoring.engines import Engine
    from errata.scoring.evidence_files.counting import EvidenceKey, MadePart
    from errata.scoring.evidence_files.storage import InputHash, Storage


def _print_nothing(text: str) -> None:
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
    warn: Callable[[str], None] = _print_nothing
    max_tokens: int = DEFAULT_MAX_TOKENS
    warn_of_outputs: bool = True
    """Whether systems with many empty outputs, or with outputs that do not look like corrections, are worth a warning."""
    strict: bool = False
    """Whether outputs that do not look like corrections are an error."""

    def __post_init__(self) -> None:
        if self.part_size < BLOCK_SIZE or self.part_size % BLOCK_SIZE:  # the hashes of blocks make the fingerprint of the gold
            raise UsageError(f"a part must have a multiple of {BLOCK_SIZE:,} sentences, found {self.part_size:,}")


@dataclass
class _Filling:
    """Evidence while it is made."""

    storage: Storage
    making: Making
    metrics: Mapping[str, Metric]
    systems: Sequence[str]
    parts: dict[EvidenceKey, dict[int, tuple[str, PartInfo]]] = field(default_factory=dict)
    """Files of whole parts, by metric and system, then by number."""
    blocks: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The hashes of the gold of each part, the same for all metrics and systems."""
    empty: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)
    """By system and number of a part, how many outputs are empty, and of how many."""
    findings: dict[str, dict[int, tuple[Finding, ...]]] = field(default_factory=dict)
    """By system and number of a part, what a sample of the outputs shows."""
    inputs: Mapping[str, tuple[InputHash, ...]] = field(default_factory=dict)
    """By system, hashes of the whole gold and output; known if this is one of several jobs."""
    sentences: int = 0
    old: Manifest | None = None
    """The manifest that is there already."""

    def begin(self) -> None:
        """Find the parts that are there already."""
        need_pyarrow()
        check_folders(list(self.metrics), "metrics")
        check_folders(list(self.systems), "systems")
        self.storage.clean("")
        if (old := self._read_old()) is not None:
            self.old = old
            _check_same_cut(self.storage.show(), old, self.making.part_size, self.making.share)
        for metric in self.metrics:
            for system in self.systems:
                place = name_place(metric, system)
                self.storage.clean(place)
                self.parts[metric, system] = self._list_parts(metric, system)

    def _read_old(self) -> Manifest | None:
        return Manifest.read(self.storage) if self.storage.has("", MANIFEST) else None

    def _list_parts(self, metric: str, system: str) -> dict[int, tuple[str, PartInfo]]:
        """Find whole parts; those that are damaged are counted again."""
        place, listed = name_place(metric, system), self._list_old_files(metric, system)
        found: dict[int, tuple[str, PartInfo]] = {}
        for name in self.storage.list_names(place):
            number = parse_part_name(name)
            if number is None or (content := self._read_whole(place, name)) is None:
                continue
            if number in found and name not in listed:
                if (other := found[number][0]) not in listed:
                    both = f"{self.storage.show(place, other)} and {name}"
                    raise RequestError(f"{both}: both are part {number:,}; remove the one that does not belong there")
                continue
            found[number] = (name, PartInfo.read(self.storage.show(place, name), content))
        for number, (name, info) in found.items():
            self._check_part(self.storage.show(place, name), system, number, info)
            found[number] = (name, self._share_blocks(number, info))
        return found

    def _list_old_files(self, metric: str, system: str) -> set[str]:
        """List the parts of a metric and a system in the manifest that is there already."""
        entries = self.old.entries if self.old is not None else ()
        return {part.file for entry in entries if entry.key == (metric, system) for part in entry.parts}

    def _read_whole(self, place: str, name: str) -> bytes | None:
        """Read a part; remove it if it is damaged.  One that cannot be read may be whole, so that is an error."""
        try:
            content = self.storage.read(place, name)
        except InputError:
            if self.storage.has(place, name):
                raise
            return None  # another command found it damaged, and removed it
        try:
            check_content(self.storage.show(place, name), name, content)
        except FormatError as error:
            self.making.warn(f"{error}; this part is counted again")
            self.storage.remove(place, name)
            return None
        return content

    def _check_part(self, shown: str, system: str, number: int, info: PartInfo) -> None:
        """Raise unless a part is of this system, and was made in the same way."""
        if info.system != system:
            raise RequestError(f"{shown}: it is a part of the system {info.system!r:.80}, not of {system!r:.80}; remove it")
        if (info.first - 1) != number * self.making.part_size:
            raise RequestError(f"{shown}: the part begins with sentence {info.first:,}; take the same --part-size, or another folder")
        if info.version != __version__:
            raise RequestError(f"{shown}: it was made by errata {info.version}, and this is {__version__}; take another folder")

    def _share_blocks(self, number: int, info: PartInfo) -> PartInfo:
        """Keep the hashes of the gold of a part once; raise if they differ from those of other evidence."""
        known = self.blocks.setdefault(number, info.blocks)
        if known != info.blocks:
            raise self._other_gold()
        return info._replace(blocks=known)

    def _other_gold(self) -> RequestError:
        return RequestError(f"{self.storage.show()}: it has evidence of another gold; take another folder")

    def list_known(self, number: int, systems: Sequence[str]) -> dict[EvidenceKey, KnownPart]:
        """List what a part that is there already was made of."""
        return {
            (metric, system): self._describe_known(name_place(metric, system), *self.parts[metric, system][number])
            for metric in self.metrics
            for system in systems
            if number in self.parts[metric, system]
        }

    def _describe_known(self, place: str, name: str, info: PartInfo) -> KnownPart:
        return KnownPart(self.storage.show(place, name), info.input, info.metric, info.system_data)

    def fill(self, results: Generator[list[MadePart]]) -> None:
        """Write parts as they are made."""
        with closing(results):
            for made in results:
                for part in made:
                    self._add(part)

    def _add(self, made: MadePart) -> None:
        """Write a part, unless it is there already."""
        if made.content is not None and made.info is not None:
            info = self._share_blocks(made.number, made.info)
            self._check_gold(made.number, info)
            name = name_part_file(made.number, made.content)
            self.storage.write(name_place(*made.key), name, made.content)
            self.parts[made.key][made.number] = (name, info)
        self.empty.setdefault(made.key[1], {})[made.number] = (made.empty, made.sentences)
        self.findings.setdefault(made.key[1], {})[made.number] = made.findings
        if self.making.progress is not None:
            self.making.progress(made.sentences)

    def report_findings(self, paths: Mapping[str, str]) -> None:
        """Warn of the first outputs of each system that do not look like corrections, or raise."""
        problems = []
        for name, path in paths.items():
            found = [finding for _, own in sorted(self.findings.get(name, {}).items()) for finding in own]
            first = {finding.kind: finding for finding in reversed(found)}
            problems += [Problem(display_path(path), own.line, "warning", own.message) for own in reversed(first.values())]
        report_output_problems(problems, self._warn_of, strict=self.making.strict)

    def _warn_of(self, problem: Problem) -> None:
        if self.making.warn_of_outputs:
            self.making.warn(f"{problem} (found in the last {SAMPLED_SENTENCES:,} sentences of a part)")

    def warn_of_empty(self, paths: Mapping[str, str]) -> None:
        """Warn of systems with many empty outputs."""
        for name, path in paths.items():
            empty, sentences = (sum(column) for column in zip((0, 0), *self.empty.get(name, {}).values(), strict=True))
            if (warning := describe_empty(display_path(path), empty, sentences)) is not None:
                self.making.warn(warning)

    def _check_gold(self, number: int, info: PartInfo) -> None:
        """Raise as soon as a part shows that the folder has evidence of another gold."""
        old = self.old
        if old is None or not old.entries:
            return
        if info.sentences != min(self.making.part_size, old.gold.sentences - number * self.making.part_size):
            raise self._other_gold()
        for entry in old.entries:
            part = next(part for part in entry.parts if part.number == number)
            if self.storage.has(entry.place, part.file):
                shown, content = self.storage.show(entry.place, part.file), self.storage.read(entry.place, part.file)
                if PartInfo.read(shown, content).blocks != info.blocks:
                    raise self._other_gold()
                return

    def finish(self, gold_name: str) -> Manifest:
        """Write the manifest."""
        part_size, share = self.making.part_size, self.making.share
        if self.sentences == 0:
            raise MismatchError(f"{gold_name}: no sentences found")
        last = -(-self.sentences // part_size)
        entries = []
        for (metric, system), parts in self.parts.items():
            if extra := [name for number, (name, _) in parts.items() if number >= last]:
                shown = self.storage.show(name_place(metric, system), extra[0])
                raise RequestError(f"{shown}: it has more sentences than the gold, {self.sentences:,}")
            own = {number: part for number, part in sorted(parts.items()) if share.has(number)}
            entries.append(self._make_entry(metric, system, own))
        infos = [info for _, info in next(iter(self.parts.values())).values()]
        manifest = Manifest(GoldEntry.of(gold_name, self.sentences, infos, share), part_size, share, ())
        with self.storage.lock():  # other commands may add to it at the same time
            if (old := self._read_old()) is not None:
                _check_same_cut(self.storage.show(), old, part_size, share)
                _check_same_gold(self.storage.show(), old.gold, manifest.gold)
                manifest = old
            manifest = manifest.with_entries(entries)
            manifest.write(self.storage)
        return manifest

    def _make_entry(self, metric: str, system: str, parts: Mapping[int, tuple[str, PartInfo]]) -> SystemEntry:
        infos = [info for _, info in parts.values()]
        listed = tuple(PartEntry(name, info.first, info.sentences, info.input) for name, info in parts.values())
        entry = _make_entry(metric, tuple(self.metrics[metric].columns), system, infos, listed)
        return entry._replace(inputs=self.inputs.get(system, ()))


def _make_entry(metric: str, columns: tuple[str, ...], system: str, infos: Sequence[PartInfo], parts: tuple[PartEntry, ...]) -> SystemEntry:
    """Make the entry of a manifest; what parts say about metric and system must be the same in all of them."""
    said = {(info.metric, info.system_data, info.warnings, info.version) for info in infos}
    if len(said) > 1:
        one, other = sorted(said)[:2]
        differ = next((first, second) for first, second in zip(one, other, strict=True) if first != second)
        raise RequestError(f"the parts of {metric} of {system} were made in different ways: {differ[0]} and {differ[1]}")
    described, data, warnings, version = next(iter(said)) if said else ("", "", (), "")
    return SystemEntry(metric, described, columns, system, data, warnings, version, parts)


def _check_same_cut(folder: str, manifest: Manifest, part_size: int, share: Share) -> None:
    """Raise unless the parts of a folder have this size and are of this share."""
    for name, one, other in (("--part-size", manifest.part_size, part_size), ("--part", manifest.share, share)):
        if one != other:
            raise RequestError(f"{folder}: its evidence has {name} {one}, found {other}; take the same, or another folder")


def _check_same_gold(folder: str, one: GoldEntry, other: GoldEntry) -> None:
    """Raise unless evidence is of one gold."""
    if one[1:] != other[1:]:  # the name of the file may differ
        raise RequestError(f"{folder}: it has evidence of another gold: {_show(one)}; found {_show(other)}")


def _show(gold: GoldEntry) -> str:
    known = f", sha256 {gold.fingerprint}" if gold.fingerprint else ""
    return f"{gold.name}, {pluralise(gold.sentences, 'sentence')}, {pluralise(len(gold.annotators), 'annotator')}{known}"


_TOGETHER = 4
"""Systems whose texts are in one task; with more, a task would take much memory."""


def make_from_texts(
    storage: Storage, source: str, references: Sequence[str], systems: Mapping[str, str], metrics: Sequence[Metric], making: Making
) -> Manifest:
    """Make evidence of texts of any length, which are read part by part; ``systems`` are files by name."""
    from errata.formats.columns import TextColumns, open_text_column

    by_name = {str(metric): metric for metric in metrics}
    filled = _Filling(storage, making, by_name, list(systems))
    filled.begin()
    work = TextWork(tuple(metrics), (source, *references), dict(systems), making.max_tokens)
    if making.share.jobs > 1:
        filled.inputs = work.hash_inputs()
    with ExitStack() as stack:
        paths = (source, *references, *systems.values())
        columns = TextColumns([stack.enter_context(open_text_column(path, max_tokens=making.max_tokens)) for path in paths])
        tasks = _cut_texts(columns, filled, len(references))
        filled.fill(making.engine.run(TextWork.make_part, work, tasks, one_each=True))
    filled.report_findings(systems)
    manifest = filled.finish(get_file_name(source))
    if making.warn_of_outputs:
        filled.warn_of_empty(systems)
    return manifest


def _cut_texts(columns: TextColumns, filled: _Filling, references: int) -> Iterator[TextTask]:
    """Yield the texts of each part of the share, for some systems at a time."""
    number = 0
    size = filled.making.part_size
    while True:
        if not filled.making.share.has(number):
            filled.sentences += (skipped := columns.skip(size))
            if skipped < size:
                return
            number += 1
            continue
        texts = columns.read(size)
        if not len(texts[0]):
            return
        filled.sentences += len(texts[0])
        source, own, outputs = texts[0], texts[1 : 1 + references], texts[1 + references :]
        for first in range(0, len(outputs), _TOGETHER):
            names = filled.systems[first : first + _TOGETHER]
            some = dict(zip(names, outputs[first : first + _TOGETHER], strict=True))
            yield TextTask(number, number * size + 1, source, own, some, filled.list_known(number, names))
        if len(texts[0]) < size:
            return
        number += 1


def make_from_corpus(storage: Storage, corpus: Corpus, systems: Sequence[System], metrics: Sequence[Metric], making: Making) -> Manifest:
    """Make evidence of a corpus and systems in memory."""
    if corpus.unicode != AS_GIVEN:
        raise UsageError(f"evidence has no Unicode normalisation, found a gold read with unicode={corpus.unicode}; normalise the files")
    by_name = {str(metric): metric for metric in metrics}
    filled = _Filling(storage, making, by_name, [system.name for system in systems])
    filled.begin()
    filled.sentences = len(corpus)
    work = CorpusWork(tuple(metrics), corpus, systems)
    if making.share.jobs > 1:
        filled.inputs = work.hash_inputs()
    size = making.part_size
    starts = range(0, len(corpus), size)
    tasks = (
        CorpusTask(number, start, min(start + size, len(corpus)), name, filled.list_known(number, [name]))
        for number, start in enumerate(starts)
        if making.share.has(number)
        for name in filled.systems
    )
    filled.fill(making.engine.run(CorpusWork.make_part, work, tasks, one_each=True))
    return filled.finish(corpus.name)


# --- Merging.

_Found = dict[int, tuple["FolderStorage", "PartEntry", "PartInfo"]]


def merge_evidence(folders: Sequence[Path], target: Path, progress: Callable[[int], None] | None = None) -> Manifest:
    """Merge the parts of several jobs, or the evidence of several systems of one gold, into a folder that is empty or not there.

    Raise if parts do not fit, are missing, or are not whole.
    """
    if (target / MANIFEST).exists():
        raise UsageError(f"{target}: there is evidence already; merge into another folder")
    manifests = [Manifest.of_folder(folder) for folder in folders]
    _check_manifests(folders, manifests)
    found: dict[EvidenceKey, _Found] = {}
    entries: dict[EvidenceKey, SystemEntry] = {}
    blocks: dict[int, tuple[str, ...]] = {}
    for folder, manifest in zip(folders, manifests, strict=True):
        for entry in manifest.entries:
            entries.setdefault(entry.key, entry)
            _add_parts(found.setdefault(entry.key, {}), FolderStorage(folder), entry, blocks, progress)
    size, sentences = manifests[0].part_size, manifests[0].gold.sentences
    merged = []
    for key, parts in found.items():
        if missing := [number for number in range(-(-sentences // size)) if number not in parts]:
            raise RequestError(f"{key[0]} of {key[1]}: {_list_missing(missing, size, sentences)}")
        ordered = [parts[number] for number in sorted(parts)]
        listed = tuple(part for _, part, _ in ordered)
        merged.append(_make_entry(key[0], entries[key].columns, key[1], [info for _, _, info in ordered], listed))
    whole, storage = _describe_gold(manifests[0], found), FolderStorage(target)
    for entry in merged:
        storage.clean(entry.place)
        own = {part.file for _, part, _ in found[entry.key].values()}
        if other := next((name for name in storage.list_names(entry.place) if parse_part_name(name) is not None and name not in own), None):
            raise UsageError(f"{storage.show(entry.place, other)}: there is other evidence already; merge into another folder")
        for origin, part, _ in found[entry.key].values():
            storage.write(entry.place, part.file, origin.read(entry.place, part.file))
    manifest = replace(whole, entries=()).with_entries(merged)
    manifest.write(storage)
    return manifest


def _check_manifests(folders: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    """Raise unless all folders are about one gold, cut in one way."""
    first = manifests[0]
    for folder, manifest in zip(folders, manifests, strict=True):
        if manifest.part_size != first.part_size:
            raise RequestError(
                f"{folder}: expected parts of {first.part_size:,} sentences, as {folders[0]} has, found {manifest.part_size:,}"
            )
        if manifest.gold.sentences != first.gold.sentences:
            _check_same_gold(str(folder), manifest.gold, manifests[0].gold)
    _check_same_inputs(folders, manifests)


def _check_same_inputs(folders: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    """Raise unless all jobs were given the same gold, and the same output of each system.

    A job counts only some parts, so parts alone do not show that another job was given another file.
    """
    known: dict[tuple[str, str], tuple[str, Path]] = {}
    names: tuple[tuple[str, ...], Path] | None = None
    for folder, manifest in zip(folders, manifests, strict=True):
        for entry in manifest.entries if not manifest.whole else ():
            own = tuple(name for name, _ in entry.inputs)
            if names is None:
                names = (own, folder)
            elif names[0] != own:
                raise RequestError(f"{folder}: its job was given {', '.join(own)}, that of {names[1]} {', '.join(names[0])}")
            for name, digest in entry.inputs:
                what = f"{name} of {entry.system}" if name == OUTPUT else name
                before, other = known.setdefault((name, entry.system if name == OUTPUT else ""), (digest, folder))
                if before != digest:
                    raise RequestError(f"{folder}: its job was given another {what} than that of {other}; give all jobs the same files")


def _add_parts(
    parts: _Found, storage: FolderStorage, entry: SystemEntry, blocks: dict[int, tuple[str, ...]], progress: Callable[[int], None] | None
) -> None:
    """Check the parts of a folder; ``blocks`` are the hashes of the gold, which are kept once."""
    for part in entry.parts:
        shown, content = storage.show(entry.place, part.file), storage.read(entry.place, part.file)
        check_content(shown, part.file, content)
        info = PartInfo.read(shown, content)
        if (info.system, info.first, info.sentences, info.input) != (entry.system, part.first, part.sentences, part.input):
            raise InputError(f"{shown}: it belongs to other evidence than the manifest says")
        if part.number in parts and parts[part.number][1] != part:
            known, own, _ = parts[part.number]
            raise RequestError(f"{shown}: it differs from {known.show(entry.place, own.file)}, which has the same sentences")
        shared = blocks.setdefault(part.number, info.blocks)
        parts.setdefault(part.number, (storage, part, info._replace(blocks=shared) if shared == info.blocks else info))
        if progress is not None:
            progress(1)


def _describe_gold(manifest: Manifest, found: dict[EvidenceKey, _Found]) -> Manifest:
    """Describe the whole gold; all systems must have the same."""
    golds = {
        key: GoldEntry.of(manifest.gold.name, manifest.gold.sentences, [info for _, _, info in parts.values()], WHOLE)
        for key, parts in found.items()
    }
    if not golds:
        raise RequestError("there is nothing to merge: the folders have no evidence")
    first = next(iter(golds))
    for key, gold in golds.items():
        if gold != golds[first]:
            golds_found = f"sha256 {gold.fingerprint} and {golds[first].fingerprint}"
            raise RequestError(f"{key[0]} of {key[1]} and {first[0]} of {first[1]} are of two golds: {golds_found}")
    return replace(manifest, gold=golds[first], share=WHOLE)


def _list_missing(missing: Sequence[int], size: int, sentences: int) -> str:
    first = missing[0] * size
    more = f" and {pluralise(len(missing) - 1, 'other part')}" if len(missing) > 1 else ""
    return f"no folder has the sentences {first + 1:,} to {min(first + size, sentences):,}{more}"
