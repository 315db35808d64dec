"""Formats of corpora by extension: built in or from other packages, loaded on use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from errata.errors import UsageError
from errata.plugins import Plugins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.corpus.corpus import Corpus, Sentence, System
    from errata.formats.problems import Problem, Problems

TEXTS = ("txt", "src", "ref", "hyp", "out")
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
    if name in {PARALLEL, *TEXTS}:
        raise UsageError(f"{name} is reserved for plain texts")
    if offered.name != name and not (offered.name in FORMATS and FORMATS[offered.name] is offered):
        raise UsageError(f"its name is {offered.name!r}, but no entry point has that name")
    return offered


FORMATS = Plugins("format", _check)
"""All formats by extension; a format with several extensions has several names."""


def find_format(name: str) -> CorpusFormat:
    """Find a format by name."""
    return FORMATS.find(name, also=[PARALLEL])
