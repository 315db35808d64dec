"""What jobs that share the work must have in common: the whole gold, and the whole output of each system, as hashes.

A job counts only some parts, so parts alone do not show that another job was given another file.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from errata.corpus.references import combine_blocks, compute_fingerprint
from errata.errors import RequestError, UsageError
from errata.evidence_files.work import hash_output
from errata.formats.columns import split_column
from errata.formats.lines import display_path, explain_unreadable, is_folder, is_special, list_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.evidence_files.manifest import InputHash, Manifest

_OUTPUT = "output"


def hash_files(source: str, references: Sequence[str], systems: Mapping[str, str]) -> dict[str, tuple[InputHash, ...]]:
    """Hash the files of the gold and of each system, as they are stored."""
    gold = [("source", source), *((f"reference {number}", path) for number, path in enumerate(references))]
    hashed = tuple((name, _hash_files_of(argument)) for name, argument in gold)
    return {name: (*hashed, (_OUTPUT, _hash_files_of(argument))) for name, argument in systems.items()}


def hash_corpus(corpus: Corpus, systems: Sequence[System]) -> dict[str, tuple[InputHash, ...]]:
    """Hash a gold and outputs in memory."""
    gold = ("gold", compute_fingerprint(corpus))
    return {system.name: (gold, (_OUTPUT, combine_blocks(hash_output(system, 0, len(system))))) for system in systems}


def check_same_inputs(folders: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    """Raise unless all jobs were given the same gold, and the same output of each system."""
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
                what = f"{name} of {entry.system}" if name == _OUTPUT else name
                before, other = known.setdefault((name, entry.system if name == _OUTPUT else ""), (digest, folder))
                if before != digest:
                    raise RequestError(f"{folder}: its job was given another {what} than that of {other}; give all jobs the same files")


def _hash_files_of(argument: str) -> str:
    path, column = split_column(argument)
    if path == "-" or is_special(path):
        raise UsageError(f"{display_path(path)}: --part needs files, which every job can read, and each twice")
    digest = hashlib.sha256(f"{column or ''}\n".encode("utf-8", "surrogateescape"))
    for file in list_files(path) if is_folder(path) else [path]:
        with explain_unreadable(file), Path(file).open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
    return digest.hexdigest()
