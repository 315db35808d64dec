"""Formats of corpora by the endings of their files, errata's own and those of other packages, each loaded when it is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from errata.errors import UsageError
from errata.plugins import Plugins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from errata.corpus import Corpus, Sentence
    from errata.formats.problems import Problems

TEXTS = ("txt", "src", "ref", "hyp", "out")
"""Endings that plain texts have."""
PARALLEL = "parallel"
"""A source text and corrected ones, which are several files, and so no format like the others."""


@dataclass(frozen=True)
class CorpusFormat:
    """A format: how a file becomes sentences, and sentences lines of a file."""

    name: str
    read: Callable[[str, Problems, int], Iterable[Sentence]]
    """From the path of a file, what is to be done with problems, and how many tokens a line may have."""
    lines: Callable[[Corpus], Iterable[str]] | None = None
    """None if it is read only."""
    losses: Callable[[Corpus], list[str]] = lambda _: []
    """What it cannot express of a corpus, in words, beside documents."""
    keeps_documents: bool = False
    """Whether sentences know which document they are from."""
    check: Callable[[str, Problems, int], Iterable[Sentence]] | None = None
    """Reads a file only to see what is wrong with it, where that is not the same."""


def _check(name: str, offered: object) -> CorpusFormat:
    if not isinstance(offered, CorpusFormat):
        raise UsageError(f"it is no errata.formats.CorpusFormat, but {type(offered).__name__}")
    if name in {PARALLEL, *TEXTS}:
        raise UsageError(f"{name} is for plain texts")
    if offered.name != name and not (offered.name in FORMATS and FORMATS[offered.name] is offered):
        raise UsageError(f"it calls itself {offered.name!r}, which is no name that it is offered by")
    return offered


FORMATS = Plugins("format", _check)
"""All formats by the endings of their files; a format with several endings has several names."""


def find_format(name: str) -> CorpusFormat:
    """The format of a name."""
    return FORMATS.find(name, also=[PARALLEL])
