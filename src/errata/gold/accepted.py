"""The texts that annotators accept for a sentence: each annotator's correction, with all alternatives of its edits."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from errata.corpus import FIRST_ANNOTATOR, Annotation
from errata.errors import RequestError

if TYPE_CHECKING:
    from errata.corpus import Sentence
    from errata.texts import Tokens

MOST_TEXTS = 100_000
"""Maximum number of texts per annotator and sentence."""
MOST_TOKENS = 20_000_000
"""Maximum number of tokens in the texts of all annotators of a sentence."""


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
    accepted: dict[str, list[Tokens]] = {}
    tokens = 0
    for annotation in sentence.annotations:
        texts = _Texts(sentence, annotation, number)
        tokens += texts.count * (len(sentence.tokens) + texts.longest)
        if tokens > MOST_TOKENS:
            raise RequestError(f"sentence {number:,}: its annotators accept texts of more than {MOST_TOKENS:,} tokens")
        accepted[annotation.annotator] = texts.make()
    return accepted


class _Texts:
    """The texts of one annotator."""

    def __init__(self, sentence: Sentence, annotation: Annotation, number: int) -> None:
        overlapping = {id(edit) for edit in sentence.unapplied(annotation)}
        self._sentence = sentence
        self._annotator = annotation.annotator
        self._edits = [edit for edit in annotation.edits if id(edit) not in overlapping]
        self._options = [edit.corrections if edit.required else (*edit.corrections, sentence.original(edit)) for edit in self._edits]
        self.count = prod(map(len, self._options))
        """The number of choices, some of which may give the same text."""
        if self.count > MOST_TEXTS:
            raise RequestError(f"sentence {number:,}: annotator {self._annotator} accepts {self.count:,} texts, more than {MOST_TEXTS:,}")
        self.longest = sum(max(len(text.split()) for text in texts) for texts in self._options)
        """No text has more tokens than the sentence and this."""

    def make(self) -> list[Tokens]:
        """List the distinct texts."""
        texts: dict[Tokens, None] = {}
        for choice in product(*self._options):
            chosen = tuple(replace(edit, corrections=(text,)) for edit, text in zip(self._edits, choice, strict=True))
            texts[self._sentence.corrected(Annotation(self._annotator, chosen))] = None
        return list(texts)
