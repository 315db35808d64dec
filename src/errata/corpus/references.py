"""What gold accepts and what identifies it: accepted texts, equality of texts, filtered edits, and fingerprints."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, Literal

from errata.corpus.corpus import FIRST_ANNOTATOR, Annotation
from errata.errors import RequestError
from errata.settings import BLOCK_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.corpus.corpus import Sentence
    from errata.corpus.texts import Tokens


# A corpus is hashed in blocks of sentences, so that the fingerprint of a long one can be put together from its parts.

DIGITS = 12
"""Length of a fingerprint."""


def hash_blocks(sentences: Iterable[Sentence]) -> list[bytes]:
    """Compute the SHA-256 of each block of sentences."""
    waiting = iter(sentences)
    digests = []
    while block := list(islice(waiting, BLOCK_SIZE)):
        digests.append(hashlib.sha256(b"".join(map(_describe, block))).digest())
    return digests


def combine_blocks(digests: Sequence[bytes]) -> str:
    """Make a fingerprint of the hashes of all blocks: that of a single block, or the SHA-256 of those of several."""
    whole = digests[0] if len(digests) == 1 else hashlib.sha256(b"".join(digests)).digest()
    return whole.hex()[:DIGITS]


def _describe(sentence: Sentence) -> bytes:
    return "".join(_list_pieces(sentence)).encode("utf-8", "surrogatepass")


def _list_pieces(sentence: Sentence) -> Iterator[str]:
    """Yield tokens and edits, with control characters between them."""
    yield "\x1f".join(sentence.tokens)
    for annotation in sentence.annotations:
        yield f"\x1d{annotation.annotator}"
        for edit in annotation.edits:
            fields = (str(edit.start), str(edit.end), edit.type, edit.status, *edit.corrections)
            if edit.error is not None:
                fields += (f"\x1d{edit.error.id}", str(edit.error.required))
            yield "\x1e" + "\x1f".join(fields)
    yield "\x1c"


Normalisation = Literal["tokens", "case", "words", "words2016"]
NORMALISATIONS: dict[Normalisation, str] = {
    "tokens": "token by token",
    "case": "case and white space do not count",
    "words": "punctuation and case do not count; adjacent single letters are joined: U . S . is us",
    "words2016": "punctuation does not count; a single letter is joined to the word before it, as in Choshen and Abend",
}
"""All normalisations, with their descriptions."""

_NO_WORD = re.compile(r"\W+")
_LETTER_BEHIND = re.compile(r"\s([a-zA-Z]\s)")
_TWO_LETTERS = re.compile(r"(\s[a-zA-Z])\s([a-zA-Z]\s)")


def _case(text: str) -> str:
    return "".join(text.lower().split())


def _words(text: str) -> str:
    return _TWO_LETTERS.sub(r"\1\2", _NO_WORD.sub(" ", text)).lower().strip()


def _words2016(text: str) -> str:
    return _LETTER_BEHIND.sub(r"\1", _NO_WORD.sub(" ", text))


_FUNCTIONS: dict[Normalisation, Callable[[str], str]] = {
    "tokens": lambda text: " ".join(text.split()),
    "case": _case,
    "words": _words,
    "words2016": _words2016,
}


def make_normaliser(name: Normalisation) -> Callable[[str], str]:
    """Get the function that normalises texts.

    >>> make_normaliser("words")("The U . S . plan , OK !")
    'the us plan ok'
    """
    return _FUNCTIONS[name]


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
