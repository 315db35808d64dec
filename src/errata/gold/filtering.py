"""A corpus with some of its edits only."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection

    from errata.corpus import Corpus, Sentence


def keep_types(corpus: Corpus, types: Collection[str], defined: Collection[str] = ()) -> Corpus:
    """The corpus with edits of some types only; a type that it does not have and that is not ``defined`` elsewhere is an error.

    An annotator of whose edits none is left found nothing wrong of these types; a sentence in which that is so for the only
    annotator has no annotation, as the shared tasks write it.
    """
    known = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits}
    if unknown := sorted(set(types) - known - set(defined)):
        raise UsageError(
            f"no edit of {corpus.path or corpus.name} has the type {unknown[0]!r}; it has {', '.join(sorted(known)) or 'none'}"
        )
    return replace(corpus, sentences=tuple(_filter(sentence, types) for sentence in corpus))


def _filter(sentence: Sentence, types: Collection[str]) -> Sentence:
    annotations = tuple(
        replace(annotation, edits=tuple(edit for edit in annotation.edits if edit.type in types), ignored=())
        for annotation in sentence.annotations
    )
    if len(annotations) == 1 and not annotations[0].edits and sentence.annotations[0].edits:
        annotations = ()
    return replace(sentence, annotations=annotations)
