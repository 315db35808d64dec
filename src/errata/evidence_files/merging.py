"""Put together the parts that several jobs made, or the evidence of several systems of one gold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.errors import InputError, RequestError, UsageError, pluralise
from errata.evidence_files.filling import check_same_gold, make_entry
from errata.evidence_files.layout import MANIFEST, parse_part_name
from errata.evidence_files.manifest import WHOLE, describe_gold_of, read_manifest_of, write_manifest
from errata.evidence_files.part_files import check_content, decode_info
from errata.evidence_files.storage import FolderStorage
from errata.evidence_files.whole_inputs import check_same_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from errata.evidence_files.manifest import Manifest, PartEntry, SystemEntry
    from errata.evidence_files.part_files import PartInfo
    from errata.evidence_files.work import EvidenceKey

_Found = dict[int, tuple["FolderStorage", "PartEntry", "PartInfo"]]


def merge_evidence(folders: Sequence[Path], target: Path, progress: Callable[[int], None] | None = None) -> Manifest:
    """Merge folders into one that is empty or not there; raise if parts do not fit, are missing, or are not whole."""
    if (target / MANIFEST).exists():
        raise UsageError(f"{target}: there is evidence already; merge into another folder")
    manifests = [read_manifest_of(folder) for folder in folders]
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
        merged.append(make_entry(key[0], entries[key].columns, key[1], [info for _, _, info in ordered], listed))
    whole, storage = _describe_gold(manifests[0], found), FolderStorage(target)
    for entry in merged:
        storage.clean(entry.place)
        own = {part.file for _, part, _ in found[entry.key].values()}
        if other := next((name for name in storage.list_names(entry.place) if parse_part_name(name) is not None and name not in own), None):
            raise UsageError(f"{storage.show(entry.place, other)}: there is other evidence already; merge into another folder")
        for origin, part, _ in found[entry.key].values():
            storage.write(entry.place, part.file, origin.read(entry.place, part.file))
    manifest = replace(whole, entries=()).with_entries(merged)
    write_manifest(storage, manifest)
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
            check_same_gold(str(folder), manifest.gold, manifests[0].gold)
    check_same_inputs(folders, manifests)


def _add_parts(
    parts: _Found, storage: FolderStorage, entry: SystemEntry, blocks: dict[int, tuple[str, ...]], progress: Callable[[int], None] | None
) -> None:
    """Check the parts of a folder; ``blocks`` are the hashes of the gold, which are kept once."""
    for part in entry.parts:
        shown, content = storage.show(entry.place, part.file), storage.read(entry.place, part.file)
        check_content(shown, part.file, content)
        info = decode_info(shown, content)
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
        key: describe_gold_of(manifest.gold.name, manifest.gold.sentences, [info for _, _, info in parts.values()], WHOLE)
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
