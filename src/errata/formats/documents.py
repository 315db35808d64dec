"""The documents of sentences, for formats without them: a file with one name per line, in the order of the sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.corpus.corpus import take_at_most
from errata.errors import FormatError, MismatchError, pluralise
from errata.formats.lines import display_path, read_lines
from errata.formats.problems import Problems

if TYPE_CHECKING:
    from os import PathLike

    from errata.corpus.corpus import Corpus


def with_documents(corpus: Corpus, path: str | PathLike[str]) -> Corpus:
    """Add to a corpus the documents that a file names."""
    path = str(path)
    whole = f"{pluralise(len(corpus), 'sentence')} of {corpus.path or corpus.name}"
    names: list[str] = []
    for line in take_at_most(read_lines(path, Problems(display_path(path))), len(corpus), display_path(path), whole):
        if not line.text.strip():
            raise FormatError(display_path(path), line.number, "expected the name of a document, found an empty line")
        names.append(line.text.strip())
    if len(names) < len(corpus):
        raise MismatchError(
            f"{display_path(path)} has too few lines: it names the documents of {pluralise(len(names), 'sentence')}, "
            f"but {corpus.path or corpus.name} has {len(corpus):,}"
        )
    sentences = tuple(replace(sentence, document=name) for sentence, name in zip(corpus, names, strict=True))
    return replace(corpus, sentences=sentences)
