"""What the name of a file says: the format of a corpus, the name of a system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import UsageError
from errata.formats.lines import display_path, file_name

if TYPE_CHECKING:
    from collections.abc import Sequence

Format = Literal["m2", "jsonl", "xml", "sgml", "parallel"]
FORMATS: tuple[Format, ...] = get_args(Format)


def guess_format(path: str) -> Format:
    """The format of a corpus by the ending of its file; what is neither M2, JSON Lines, XML nor SGML is text.  Standard input is M2.

    >>> guess_format("gold.m2.gz"), guess_format("dev.jsonl"), guess_format("dev.src")
    ('m2', 'jsonl', 'parallel')
    """
    name = file_name(path).lower()
    if name.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    if name.endswith(".xml"):
        return "xml"
    if name.endswith((".sgml", ".sgm")):
        return "sgml"
    return "m2" if name.endswith(".m2") or path == "-" else "parallel"


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
