"""Project the tokens of a source onto the text of an output.

White space in the output is always a border of tokens.
Between white space, words that the source has keep its tokens: ``etc.,`` is split as in the source.
Words that it does not have are split by the rule that the gold follows.

A border of the source counts where text is usually written without a space, as before a full stop.
Elsewhere two tokens of the source that are one word in the output were joined by the system, as *it self* to *itself*, unless the rule
splits them too, as *cannot*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.tokenisation.tokeniser import Tokeniser

if TYPE_CHECKING:
    from errata.texts import Tokens
    from errata.tokenisation.rules import TokenRule

_ATTACHED_TO_THE_LEFT = frozenset(".,;:!?…%°)]}>\"'”’»")
_ATTACHED_TO_THE_RIGHT = frozenset("([{<\"'`“‘„«$£€¥#")
_MARKS = _ATTACHED_TO_THE_LEFT | _ATTACHED_TO_THE_RIGHT
_MOST_TOKENS = 8
"""Tokens of the source that may be written as one word."""
_MOST_KEPT = 1 << 14
"""Sources that are prepared at a time."""
_MOST_PARTS = 16
"""Parts of a word that are searched for words of the source."""

_Runs = dict[str, list[tuple[int, tuple[str, ...]]]]
"""Words as they may be written, with the tokens of the source and the number of characters before them."""


class Projection:
    """Tokenises outputs by their sources."""

    def __init__(self, rule: TokenRule) -> None:
        self._rule = rule
        self._plain: set[str] = set()
        self._runs: dict[Tokens, _Runs] = {}

    def __call__(self, text: str, source: Tokens) -> Tokens:
        """Tokenise the text of an output."""
        words = text.split()
        plain = self._plain
        if plain.issuperset(words):
            return tuple(words)
        runs: _Runs | None = None
        result: list[str] = []
        position, last = 0, len(words) - 1
        for index, word in enumerate(words):
            if word in plain or (word.isalnum() and self._is_plain(word)):
                result.append(word)
            else:
                if runs is None:
                    runs = self._find_runs(source)
                result += (word,) if word in source else self._split(word, runs, position, ends=index == last)
            position += len(word)
        return tuple(result)

    def _is_plain(self, word: str) -> bool:
        """Whether a word of letters and digits is one token, whatever the source is."""
        if len(self._rule.split(word, ends=False)) > 1:
            return False
        if len(self._plain) >= _MOST_KEPT:
            self._plain.clear()
        self._plain.add(word)
        return True

    def _split(self, word: str, runs: _Runs, position: int, *, ends: bool) -> Tokens:
        if word in runs:
            return _find_nearest(runs[word], position)
        parts = self._rule.split(word, ends=ends)
        if len(parts) == 1 and word.isalnum():
            return parts
        start, before, end, after = _find_unchanged(word, runs, position)
        if start == 0 and end == len(word):
            return parts
        middle = self._rule.split(word[start:end], ends=ends and end == len(word)) if start < end else ()
        return (*before, *middle, *after)

    def _find_runs(self, source: Tokens) -> _Runs:
        runs = self._runs.get(source)
        if runs is None:
            if len(self._runs) >= _MOST_KEPT:
                self._runs.clear()
            runs = self._runs[source] = _list_runs(tuple(filter(None, source)))
        return runs


def _list_runs(source: Tokens) -> _Runs:
    """List the tokens of a source that may be written as one word, or are no plain words."""
    runs: _Runs = {}
    position = 0
    for first, token in enumerate(source):
        written = token
        for last in range(first + 1, min(first + _MOST_TOKENS, len(source)) + 1):
            if last > first + 1 or not token.isalnum():
                tokens = source[first:last]
                known = runs.setdefault(written, [])
                if all(tokens != other for _, other in known):
                    known.append((position, tokens))
            if last == len(source) or not _is_attached(written, source[last]):
                break
            written += source[last]
        position += len(token)
    return runs


def _is_attached(written: str, token: str) -> bool:
    """Whether a token may be written without a space before it."""
    return token[0] in _ATTACHED_TO_THE_LEFT or written[-1] in _ATTACHED_TO_THE_RIGHT


def _find_nearest(known: list[tuple[int, Tokens]], position: int) -> Tokens:
    return known[0][1] if len(known) == 1 else min(known, key=lambda own: abs(own[0] - position))[1]


def _find_unchanged(word: str, runs: _Runs, position: int) -> tuple[int, Tokens, int, Tokens]:
    """Find words of the source, with the marks that they have there, at the beginning and the end of a word.

    Return where the rest of the word begins, the tokens before it, where it ends and the tokens after it.
    """
    borders = [index for index in range(1, len(word)) if word[index - 1].isalnum() != word[index].isalnum()]
    if len(borders) > _MOST_PARTS:
        return 0, (), len(word), ()
    start = 0
    before: Tokens = ()
    for border in reversed(borders):
        if word[border - 1] in _ATTACHED_TO_THE_LEFT and (known := runs.get(word[:border])) and any(map(str.isalnum, word[:border])):
            start, before = border, _find_nearest(known, position)
            break
    for border in borders:
        if border >= start and word[border] in _MARKS and (known := runs.get(word[border:])) and any(map(str.isalnum, word[border:])):
            return start, before, border, _find_nearest(known, position)
    return start, before, len(word), ()


def make_projection(rule: TokenRule) -> Tokeniser:
    """Make a tokeniser that follows the source, and a rule where words are changed."""
    return Tokeniser(f"source:{rule.name}", Projection(rule))
