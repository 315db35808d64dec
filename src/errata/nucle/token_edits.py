"""Convert a mistake, marked by characters, to an edit of tokens."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus import Edit, Tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


def make_token_edit(mistake: Mistake, sentence: PlacedSentence, language: Language) -> tuple[Edit, str]:
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
    new = _tokens_in_context(correction, tokens, start, end, language)
    before, after = 0, 0
    while before < min(end - start, len(new)) and tokens[start + before] == new[before]:
        before += 1
    while after < min(end - start, len(new)) - before and tokens[end - 1 - after] == new[len(new) - 1 - after]:
        after += 1
    trimmed = (*new[:before], *new[len(new) - after :])
    return Edit(start + before, end - after, (" ".join(new[before : len(new) - after]),), mistake.type), " ".join(trimmed)


def _tokens_in_context(correction: str, tokens: Tokens, start: int, end: int, language: Language) -> Tokens:
    """Tokenise a correction together with its neighbours, then remove these."""
    left = tokens[start - 1] if start > 0 else ""
    right = tokens[end] if end < len(tokens) else ""
    glue = "" if end == len(tokens) - 1 and not right[:1].isalnum() else " "  # a final full stop is tokenised without a space before it
    text = f"{left} {correction}{glue}{right}"
    in_context = [token for part in language.split(text) for token in language.tokenise(part)]
    if left and in_context[:1] == [left]:
        del in_context[0]
    if right and in_context[-1:] == [right]:
        del in_context[-1]
    return tuple(in_context)
