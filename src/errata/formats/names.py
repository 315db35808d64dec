"""What the name of a file says: the format of a corpus, the name of a system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import UsageError
from errata.formats.lines import display_path, file_name
from errata.formats.registry import FORMATS, PARALLEL, TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence


def guess_format(path: str) -> str:
    """The format of a corpus by the ending of its file; what has no known ending is text.  Standard input is M2.

    >>> guess_format("gold.m2.gz"), guess_format("dev.ndjson"), guess_format("dev.src")
    ('m2', 'jsonl', 'parallel')
    """
    if path == "-":
        return "m2"
    _, dot, ending = file_name(path).lower().rpartition(".")
    return FORMATS[ending].name if dot and ending not in TEXTS and ending in FORMATS else PARALLEL


def system_names(paths: Sequence[str]) -> list[str]:
    """Names of systems: their files without an ending of letters, with as much more as it takes to tell them apart.

    >>> system_names(["out/AMU.txt", "v1.5"]), system_names(["a/out.txt", "b/out.txt"]), system_names(["dev.hyp", "dev.out"])
    (['AMU', 'v1.5'], ['a/out', 'b/out'], ['dev.hyp', 'dev.out'])
    """
    repeated = [path for place, path in enumerate(paths) if path in paths[:place]]
    if repeated:
        raise UsageError(f"{display_path(repeated[0])} is given twice")
    stems, names = [], []
    for path in paths:
        name = file_name(path)
        folders = [] if path == "-" else display_path(path).split("/")[:-1]
        stem, _, ending = name.rpartition(".")
        stems.append([*folders, stem if stem and ending.isalpha() else name])
        names.append([*folders, name])
    for parts in (stems, names):
        for depth in range(1, max(map(len, parts), default=0) + 1):
            found = ["/".join(part[-depth:]) for part in parts]
            if len(set(found)) == len(found):
                return _shortest(parts, depth)
    return [display_path(path) for path in paths]


def _shortest(parts: list[list[str]], depth: int) -> list[str]:
    """Only names that would be the same get the folders before them."""
    last = [part[-1] for part in parts]
    return ["/".join(part[-depth:]) if last.count(part[-1]) > 1 else part[-1] for part in parts]
