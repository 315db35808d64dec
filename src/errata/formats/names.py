"""What the name of a file says: the format of a corpus, the name of a system."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from errata.errors import UsageError
from errata.formats.lines import display_path, get_file_name, open_bytes
from errata.formats.registry import FORMATS, PARALLEL, TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence


_BEGINNING = 1 << 16
"""Bytes that are looked at to see what a file has."""
_SEPARATORS = 5
"""Of an annotation in M2."""


def guess_format(path: str) -> str:
    """The format of a corpus by the ending of its file; what has no known ending is text.  Standard input is M2.

    >>> guess_format("gold.m2.gz"), guess_format("dev.ndjson"), guess_format("dev.src")
    ('m2', 'jsonl', 'parallel')
    """
    if path == "-":
        return "m2"
    _, dot, ending = get_file_name(path).lower().rpartition(".")
    return FORMATS[ending].name if dot and ending not in TEXTS and ending in FORMATS else PARALLEL


def find_input_format(path: str) -> str:
    """The format of a file that is read: M2 if that is plainly what it has, else what its name says.

    >>> find_input_format("examples/learner.m2"), find_input_format("examples/systems/eager.txt")
    ('m2', 'parallel')
    """
    guessed = guess_format(path)
    readable_twice = guessed != "m2" and Path(path).is_file()
    return "m2" if readable_twice and _is_plainly_m2(path) else guessed


def _is_plainly_m2(path: str) -> bool:
    """Whether a file begins with lines of sentences (S) and annotations (A), and has an annotation with all its fields."""
    with open_bytes(path) as file:
        beginning = file.read(_BEGINNING)
    lines = [line for line in beginning.removeprefix(b"\xef\xbb\xbf").splitlines()[: None if len(beginning) < _BEGINNING else -1] if line]
    annotations = [line for line in lines if line.startswith(b"A ")]
    return bool(annotations) and lines[0].startswith(b"S ") and _is_m2_only(lines) and annotations[0].count(b"|||") >= _SEPARATORS


def _is_m2_only(lines: Sequence[bytes]) -> bool:
    return all(line.startswith((b"S ", b"A ")) or line == b"S" for line in lines)


def name_systems(paths: Sequence[str]) -> list[str]:
    """Names of systems: their files without an ending of letters, with as much more of the path as makes them different.

    >>> name_systems(["out/AMU.txt", "v1.5"]), name_systems(["a/out.txt", "b/out.txt"]), name_systems(["dev.hyp", "dev.out"])
    (['AMU', 'v1.5'], ['a/out', 'b/out'], ['dev.hyp', 'dev.out'])
    """
    repeated = [path for index, path in enumerate(paths) if path in paths[:index]]
    if repeated:
        raise UsageError(f"{display_path(repeated[0])} is given twice")
    stems, names = [], []
    for path in paths:
        name = get_file_name(path)
        folders = [] if path == "-" else display_path(path).split("/")[:-1]
        stem, _, ending = name.rpartition(".")
        stems.append([*folders, stem if stem and ending.isalpha() else name])
        names.append([*folders, name])
    for parts in (stems, names):
        for depth in range(1, max(map(len, parts), default=0) + 1):
            candidates = ["/".join(part[-depth:]) for part in parts]
            if len(set(candidates)) == len(candidates):
                return _shortest(parts, depth)
    return [display_path(path) for path in paths]


def _shortest(parts: list[list[str]], depth: int) -> list[str]:
    """Only names that would be the same get the folders before them."""
    last = [part[-1] for part in parts]
    return ["/".join(part[-depth:]) if last.count(part[-1]) > 1 else part[-1] for part in parts]
