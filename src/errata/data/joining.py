"""One corpus from M2 files of one annotator each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.corpus.corpus import Annotation, Corpus
from errata.data.reading import read_contents
from errata.errors import MismatchError
from errata.formats.registry import find_format

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from errata.corpus.corpus import Edit, Sentence


def join_annotators(contents: Mapping[str, bytes]) -> bytes:
    """Join M2 files of the same sentences, by their names: the first is annotator 0, the next 1, ....

    An annotator without a line for a sentence has found nothing wrong.
    """
    corpora = {name: read_contents({name: content}) for name, content in contents.items()}
    first, *_ = corpora
    for name, corpus in corpora.items():
        if len(corpus) != len(corpora[first]):
            raise MismatchError(f"{name}: {len(corpus):,} sentences, expected {len(corpora[first]):,} as in {first}")
        if len(corpus.annotators) > 1:
            raise MismatchError(f"{name}: {len(corpus.annotators)} annotators, expected one")
    sentences: list[Sentence] = []
    for number, group in enumerate(zip(*corpora.values(), strict=True), 1):
        for name, sentence in zip(corpora, group, strict=True):
            if sentence.tokens != group[0].tokens:
                raise MismatchError(f"{name}: sentence {number:,} is not that of {first}")
        own = tuple(Annotation(str(index), _list_edits(sentence)) for index, sentence in enumerate(group))
        sentences.append(replace(group[0], annotations=own))
    return _write(Corpus(tuple(sentences), "joined"))


def _list_edits(sentence: Sentence) -> tuple[Edit, ...]:
    return sentence.annotations[0].edits if sentence.annotations else ()


def _write(corpus: Corpus) -> bytes:
    lines = find_format("m2").lines
    written: Iterable[str] = lines(corpus) if lines is not None else ()
    return "".join(f"{line}\n" for line in written).encode("utf-8")
