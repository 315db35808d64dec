"""Formats of corpora by extension, and names of systems, from file names."""

from __future__ import annotations

import io
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from errata.errors import UsageError
from errata.formats.lines import GivenFile, display_path, get_file_name, open_bytes
from errata.plugins import Plugins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.corpus.corpus import Corpus, Sentence, System
    from errata.formats.problems import Problem, Problems


_TEXTS = ("txt", "src", "ref", "hyp", "out")
"""Extensions of plain texts."""
PARALLEL = "parallel"
"""A source text and its references: several files, so not a :class:`CorpusFormat`."""


WITH_SOURCE = "hoo"
"""The format that is read if source texts are given: edits of texts that are elsewhere."""


MULTIGEC = "multigec"
"""The format of essays in Markdown, which is recognised by its headings."""


class SourceReaders(NamedTuple):
    """How to read files and folders that are about source texts, and outputs that correct these."""

    read: Callable[[str, Sequence[str], bool, int, Callable[[Problem], None]], Corpus]
    """Takes a path, those of the source texts, whether edits may be skipped, the maximum number of tokens, and what takes warnings."""
    read_system: Callable[[str, str, Sequence[str], Corpus, int, Callable[[Problem], None]], System]
    """Takes a path, the name of the system, those of the source texts, the gold, the maximum number of tokens, and what takes warnings."""


EssayUnit = Literal["sentence", "paragraph", "document"]
ESSAY_UNITS: tuple[EssayUnit, ...] = get_args(EssayUnit)
"""What is scored of an essay."""


class ReferenceReaders(NamedTuple):
    """How to read a file of texts with files of references, and outputs that correct these."""

    read: Callable[[str, Sequence[str], EssayUnit, int, Callable[[Problem], None]], Corpus]
    """Takes a path, those of the references, what is scored, the maximum number of tokens, and what takes warnings."""
    read_system: Callable[[str, str, Corpus, int, Callable[[Problem], None]], System]
    """Takes a path, the name of the system, the whole gold, the maximum number of tokens, and what takes warnings."""


@dataclass(frozen=True)
class CorpusFormat:
    """A format: how to read sentences from a file and how to write them."""

    name: str
    read: Callable[[str, Problems, int], Iterable[Sentence]]
    """Takes the path of a file, a collector of problems, and the maximum number of tokens per line."""
    lines: Callable[[Corpus], Iterable[str]] | None = None
    """None if the format cannot be written."""
    losses: Callable[[Corpus], list[str]] = lambda _: []
    """Lists what it cannot express of a corpus, except documents."""
    keeps_documents: bool = False
    """Whether it keeps the document of each sentence."""
    check: Callable[[str, Problems, int], Iterable[Sentence]] | None = None
    """Reads a file for ``errata check``, if that differs from ``read``."""
    with_source: SourceReaders | None = None
    """Reads files that need source texts."""
    with_references: ReferenceReaders | None = None
    """Reads files that need references in files of the same format."""
    reads_folders: bool = False
    """Whether ``read`` takes a folder too."""


def _check(name: str, offered: object) -> CorpusFormat:
    if not isinstance(offered, CorpusFormat):
        raise UsageError(f"it is not an errata.formats.CorpusFormat, but {type(offered).__name__}")
    if name in {PARALLEL, *_TEXTS}:
        raise UsageError(f"{name} is reserved for plain texts")
    if offered.name != name and not (offered.name in FORMATS and FORMATS[offered.name] is offered):
        raise UsageError(f"its name is {offered.name!r}, but no entry point has that name")
    return offered


FORMATS = Plugins("format", _check)
"""All formats by extension; a format with several extensions has several names."""


def find_format(name: str) -> CorpusFormat:
    """Find a format by name."""
    return FORMATS.find(name, also=[PARALLEL])


_BEGINNING = 1 << 16
"""Bytes that are read to recognise M2."""
_FIRST_ELEMENT = re.compile(rb"[^<]*(?:<[?!][^>]*>\s*)*<([A-Za-z]+)[\s/>]")
_BEGINNING_OF_XML = 4096
_ESSAY = re.compile(rb"(?:\xef\xbb\xbf)?\s*#+[ \t]*essay_id\b")
"""The first heading of a file of essays."""
_SEPARATORS = 5
"""Separators of an annotation in M2."""


def guess_format(path: str) -> str:
    """Guess the format of a corpus by its extension; without a known extension it is text.  Standard input is M2.

    >>> guess_format("gold.m2.gz"), guess_format("dev.ndjson"), guess_format("dev.src")
    ('m2', 'jsonl', 'parallel')
    """
    if path == "-":
        return "m2"
    _, dot, extension = get_file_name(path).lower().rpartition(".")
    return FORMATS[extension].name if dot and extension not in _TEXTS and extension in FORMATS else PARALLEL


def find_system_format(path: str) -> str:
    """Find the format of the output of a system: M2 or essays, as for other files, else text; of standard input by its beginning."""
    if path != "-" and not isinstance(path, GivenFile):
        found = find_input_format(path)
        return found if found in {"m2", MULTIGEC} else PARALLEL
    buffer = path.stream if isinstance(path, GivenFile) else getattr(sys.stdin, "buffer", None)
    if not isinstance(buffer, io.BufferedReader):
        return PARALLEL
    beginning = buffer.peek(_BEGINNING)[:_BEGINNING]
    return "m2" if _begins_as_m2(beginning, whole=False) else MULTIGEC if _ESSAY.match(beginning) else PARALLEL


def find_input_format(path: str) -> str:
    """Find the format of an input file: M2 if it plainly contains M2, HOO if it is XML with edits, else by its extension.

    >>> find_input_format("examples/learner.m2"), find_input_format("examples/systems/eager.txt")
    ('m2', 'parallel')
    """
    if isinstance(path, GivenFile):
        return guess_format(path) if path.has_name else "m2"
    guessed = guess_format(path)
    readable_twice = guessed != "m2" and os.path.isfile(path)  # noqa: PTH113 - never raises
    if readable_twice and _is_plainly_m2(path):
        return "m2"
    if readable_twice and guessed in {PARALLEL, MULTIGEC}:
        return MULTIGEC if _has_essays(path) else PARALLEL
    return WITH_SOURCE if readable_twice and guessed == "xml" and find_first_element(path) == b"edits" else guessed


def find_format_with_source(path: str) -> str:
    """Find the format of a file or folder that is about source texts: HOO, unless an extension says otherwise.

    >>> find_format_with_source("examples/hoo/gold"), find_format_with_source("examples/essays.sgml")
    ('hoo', 'sgml')
    """
    guessed = guess_format(path)
    return WITH_SOURCE if guessed in {PARALLEL, "xml"} or os.path.isdir(path) else guessed  # noqa: PTH112 - never raises


def find_first_element(path: str) -> bytes:
    """Find the name of the first element of an XML file; empty if there is none at its beginning."""
    with open_bytes(path) as file:
        first = _FIRST_ELEMENT.match(file.read(_BEGINNING_OF_XML))
    return first.group(1) if first is not None else b""


def _has_essays(path: str) -> bool:
    with open_bytes(path) as file:
        return _ESSAY.match(file.read(_BEGINNING_OF_XML)) is not None


def _is_plainly_m2(path: str) -> bool:
    with open_bytes(path) as file:
        beginning = file.read(_BEGINNING)
    return _begins_as_m2(beginning, whole=len(beginning) < _BEGINNING)


def _begins_as_m2(beginning: bytes, *, whole: bool) -> bool:
    """Tell whether a file begins with S and A lines, and its first A line has all fields."""
    ended = whole or beginning.endswith(b"\n")  # else the last line may be cut
    lines = [line for line in beginning.removeprefix(b"\xef\xbb\xbf").splitlines()[: None if ended else -1] if line]
    annotations = [line for line in lines if line.startswith(b"A ")]
    return bool(annotations) and lines[0].startswith(b"S ") and _is_m2_only(lines) and annotations[0].count(b"|||") >= _SEPARATORS


def _is_m2_only(lines: Sequence[bytes]) -> bool:
    return all(line.startswith((b"S ", b"A ")) or line == b"S" for line in lines)


def name_systems(paths: Sequence[str]) -> list[str]:
    """Make names of systems: file names without extension, or names of columns, with what else is needed to distinguish them.

    >>> name_systems(["out/AMU.m2", "v1.5"]), name_systems(["a/out.txt", "b/out.txt"]), name_systems(["dev.hyp", "dev.out"])
    (['AMU', 'v1.5'], ['a/out', 'b/out'], ['dev.hyp', 'dev.out'])
    >>> name_systems(["all.parquet:AMU", "all.parquet:CUUI"])
    ['AMU', 'CUUI']
    """
    if len(set(paths)) < len(paths):
        repeated = next(path for path, count in Counter(paths).items() if count > 1)
        raise UsageError(f"{display_path(repeated)} is given twice")
    stems, names = [], []
    for argument in paths:
        path, column = _split(argument)
        name = get_file_name(path)
        folders = [] if path == "-" else display_path(path).split("/")[:-1]
        stem, _, extension = name.rpartition(".")
        if column is not None:
            stems.append([*folders, name, column])
            names.append([*folders, f"{name}:{column}"])
            continue
        stems.append([*folders, stem if stem and (extension.isalpha() or extension.lower() == "m2") else name])
        names.append([*folders, name])
    for parts in (stems, names):
        for depth in range(1, max(map(len, parts), default=0) + 1):
            candidates = ["/".join(part[-depth:]) for part in parts]
            if len(set(candidates)) == len(candidates):
                return _shortest(parts, depth)
    return [display_path(path) for path in paths]


def _split(argument: str) -> tuple[str, str | None]:
    """Split an argument into a path and the name of a column."""
    if ":" not in argument:
        return argument, None
    from errata.formats.columns import split_column

    return split_column(argument)


def _shortest(parts: list[list[str]], depth: int) -> list[str]:
    """Add folders only to names that are equal without them."""
    counts = Counter(part[-1] for part in parts)
    return ["/".join(part[-depth:]) if counts[part[-1]] > 1 else part[-1] for part in parts]
