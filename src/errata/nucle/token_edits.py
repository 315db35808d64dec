"""Convert a mistake, marked by characters, to an edit of tokens."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.texts import Tokens
    from errata.nucle.essays import Mistake


class PlacedSentence(NamedTuple):
    """A sentence and its tokens, with their character offsets in the paragraph."""

    document: str
    paragraph: int
    start: int
    end: int
    tokens: Tokens
    starts: tuple[int, ...]

    def first_from(self, index: int) -> int:
        """Find the first token that starts at an offset or later."""
        return bisect_left(self.starts, index)

    def split_token(self, index: int) -> int | None:
        """Find the token that has an offset strictly inside it."""
        number = self.first_from(index) - 1
        inside = number >= 0 and self.starts[number] < index < self.starts[number] + len(self.tokens[number])
        return number if inside else None


class Language(NamedTuple):
    """A sentence splitter and a tokeniser."""

    split: Callable[[str], Sequence[str]]
    tokenise: Callable[[str], Sequence[str]]


def make_token_edit(mistake: Mistake, sentence: PlacedSentence, language: Language, *, glues_last: bool) -> tuple[Edit, str]:
    """Convert a mistake to an edit of tokens; also return the words that were trimmed.

    If only a part of a token is marked, the edit covers the whole token, and the correction gets its unmarked parts.
    Words that the correction shares with the text at its beginning and end are trimmed.
    """
    tokens = sentence.tokens
    correction = mistake.correction
    start, end = sentence.first_from(mistake.start), sentence.first_from(mistake.end)
    first, last = sentence.split_token(mistake.start), sentence.split_token(mistake.end)
    if first is not None:
        start = first
        correction = tokens[first][: mistake.start - sentence.starts[first]] + correction
    if last is not None:
        end = last + 1
        correction += tokens[last][mistake.end - sentence.starts[last] :]
    left = tokens[start - 1] if start > 0 else ""
    right = tokens[end] if end < len(tokens) else ""
    # A full stop that ends the sentence, but not a word: it would become one word with the correction.
    glued = glues_last and end == len(tokens) - 1 and not right[:1].isalnum()
    new = tokenise_in_context(f"{left} {correction}{'' if glued else ' '}{right}", left, right, language)
    before, after = 0, 0
    while before < min(end - start, len(new)) and tokens[start + before] == new[before]:
        before += 1
    while after < min(end - start, len(new)) - before and tokens[end - 1 - after] == new[len(new) - 1 - after]:
        after += 1
    trimmed = (*new[:before], *new[len(new) - after :])
    return Edit(start + before, end - after, (" ".join(new[before : len(new) - after]),), mistake.type), " ".join(trimmed)


def tokenise_in_context(text: str, left: str, right: str, language: Language) -> Tokens:
    """Tokenise a correction together with its neighbours, then remove these.

    A neighbour may become several tokens: before a new sentence, ``etc.`` becomes ``etc`` and ``.``.
    """
    tokens = [token for part in language.split(text) for token in language.tokenise(part)]
    first = _count_tokens_of(left, tokens)
    last = _count_tokens_of(right[::-1], [token[::-1] for token in reversed(tokens)])
    return tuple(tokens[first : max(first, len(tokens) - last)])


def _count_tokens_of(word: str, tokens: Sequence[str]) -> int:
    """Count the first tokens that make up a word; 0 if they do not."""
    position = 0
    for number, token in enumerate(tokens):
        if position == len(word):
            return number
        if not word.startswith(token, position):
            return 0
        position += len(token)
    return len(tokens) if position == len(word) else 0
