"""The texts that annotators accept for a sentence: each annotator's correction, with all alternatives of its edits."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from errata.corpus import FIRST_ANNOTATOR, Annotation, Tokens
from errata.errors import RequestError

if TYPE_CHECKING:
    from errata.corpus import Sentence

MOST_TEXTS = 100_000
"""Maximum number of texts per annotator and sentence."""


def list_accepted_texts(sentence: Sentence, number: int) -> dict[str, list[Tokens]]:
    """List the distinct texts of each annotator; the source if the sentence has no annotation.  ``number`` is for messages.

    An edit that is not required may also be left out.  If edits overlap, the same edits are applied as in
    :meth:`Sentence.corrected`.

    >>> from errata import Edit, Sentence
    >>> sentence = Sentence.of("the cat sit", [Edit(2, 3, ("sits", "sat"))])
    >>> [" ".join(text) for text in list_accepted_texts(sentence, 1)["0"]]
    ['the cat sits', 'the cat sat']
    """
    if not sentence.annotations:
        return {FIRST_ANNOTATOR: [sentence.tokens]}
    return {annotation.annotator: _texts(sentence, annotation, number) for annotation in sentence.annotations}


def _texts(sentence: Sentence, annotation: Annotation, number: int) -> list[Tokens]:
    overlapping = {id(edit) for edit in sentence.unapplied(annotation)}
    edits = [edit for edit in annotation.edits if id(edit) not in overlapping]
    options = [edit.corrections if edit.required else (*edit.corrections, sentence.original(edit)) for edit in edits]
    if prod(map(len, options)) > MOST_TEXTS:
        raise RequestError(
            f"sentence {number:,}: annotator {annotation.annotator} accepts {prod(map(len, options)):,} texts, more than {MOST_TEXTS:,}"
        )
    texts: dict[Tokens, None] = {}
    for choice in product(*options):
        chosen = tuple(replace(edit, corrections=(text,)) for edit, text in zip(edits, choice, strict=True))
        texts[sentence.corrected(Annotation(annotation.annotator, chosen))] = None
    return list(texts)
