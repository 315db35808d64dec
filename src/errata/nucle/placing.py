"""Find the positions of sentences and tokens in essays, by a splitter and a tokeniser or from given tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import MismatchError, pluralise
from errata.nucle.first_places import find_first_places
from errata.nucle.token_edits import Language, PlacedSentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.texts import Tokens
    from errata.nucle.essays import Essay


def place_by_rule(essay: Essay, language: Language) -> Iterator[PlacedSentence]:
    """Yield the sentences that a splitter and a tokeniser find."""
    for number, text in enumerate(essay.paragraphs or ()):
        sentences = [(sentence, tuple(language.tokenise(sentence))) for sentence in language.split(text)]
        yield from _place_sentences(essay.id, number, text, sentences)


def _place_sentences(document: str, paragraph: int, text: str, sentences: Sequence[tuple[str, Tokens]]) -> Iterator[PlacedSentence]:
    """Locate each sentence at the first occurrence of its text in the paragraph."""
    places = find_first_places(text, (sentence for sentence, _ in sentences))
    for sentence, tokens in sentences:
        yield place_sentence(document, paragraph, text, places[sentence], sentence, tokens)


def place_sentence(document: str, paragraph: int, text: str, start: int, sentence: str, tokens: Tokens) -> PlacedSentence:
    """Find the tokens of a sentence that starts at an offset of a paragraph."""
    if start < 0:
        raise MismatchError(
            f"the splitter returned a sentence that is not in paragraph {paragraph} of document {document}: {sentence[:60]!r}"
        )
    starts = []
    position = start
    for token in tokens:
        index = text.find(token, position, start + len(sentence))
        if not token or index < 0 or text[position:index].strip():
            where = f"paragraph {paragraph} of document {document}"
            raise MismatchError(f"the tokeniser returned {token[:40]!r}, but {where} has {text[position : position + 20].strip()!r}")
        starts.append(index)
        position = index + len(token)
    return PlacedSentence(document, paragraph, start, start + len(sentence), tokens, tuple(starts))


class GivenTokens:
    """Given tokens of all sentences, in the order of the essays."""

    def __init__(self, sentences: Sequence[Tokens], path: str) -> None:
        self._sentences = sentences
        self._path = path
        self._next = 0

    def place(self, essay: Essay) -> Iterator[PlacedSentence]:
        """Yield the sentences of the next essay; raise at the first token that differs from the text."""
        for number, text in enumerate(essay.paragraphs or ()):
            position = _after_space(text, 0)
            sentences: list[tuple[str, Tokens]] = []
            while position < len(text):
                if self._next == len(self._sentences):
                    raise MismatchError(
                        f"{self._path} ends before paragraph {number} of document {essay.id}: {text[position : position + 40]!r}"
                    )
                tokens = self._sentences[self._next]
                self._next += 1
                first = position
                for index, token in enumerate(tokens):
                    if not text.startswith(token, position):
                        raise MismatchError(
                            f"{self._path}: token {index + 1} of sentence {self._next} is {token!r}, but paragraph {number} of "
                            f"document {essay.id} has {text[position : position + 20]!r} there"
                        )
                    last = position + len(token)
                    position = _after_space(text, last)
                if tokens:
                    sentences.append((text[first:last], tokens))
            yield from _place_sentences(essay.id, number, text, sentences)

    def check_end(self) -> None:
        """Raise if sentences are left over."""
        if self._next < len(self._sentences):
            raise MismatchError(
                f"{self._path} has {pluralise(len(self._sentences), 'sentence')}, but the essays end after {self._next:,}; "
                f"the next is {' '.join(self._sentences[self._next])[:60]!r}"
            )


def _after_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position
