"""Filter the edits of a corpus."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection

    from errata.corpus import Corpus, Sentence


def keep_types(corpus: Corpus, types: Collection[str], defined: Collection[str] = ()) -> Corpus:
    """Keep only edits of some types; raise if a type is neither in the corpus nor ``defined``.

    An annotator without remaining edits found nothing wrong.  If this is the only annotator of a sentence, the sentence has no
    annotation, as in the files of the shared tasks.
    """
    known = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits}
    if unknown := sorted(set(types) - known - set(defined)):
        raise UsageError(
            f"no edit of {corpus.path or corpus.name} has the type {unknown[0]!r}; its types are {', '.join(sorted(known)) or 'none'}"
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
