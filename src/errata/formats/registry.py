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
    if name == PARALLEL:
        raise UsageError("parallel is the name of texts beside each other")
    return offered


FORMATS = Plugins("format", _check)
"""All formats by the endings of their files; a format with several endings has several names."""


def find_format(name: str) -> CorpusFormat:
    """The format of a name."""
    if name not in FORMATS:
        raise UsageError(f"unknown format {name!r}; known are {', '.join(sorted([*FORMATS, PARALLEL]))}")
    return FORMATS[name]
