"""Rules that tokenise a text without a source: what stands between white space is split."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from errata.tokenisation.conll import tokenise_as_conll
from errata.tokenisation.stops import is_abbreviation, split_stops
from errata.tokenisation.treebank import split_as_treebank

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.texts import Tokens

_MOST_KEPT = 1 << 16
"""Words whose parts are kept, for all texts of a rule."""
_MOST_JOINED = 4
"""Parts of a word that a gold may have as one token."""
_LONGEST_KEPT = 100
"""Characters of a word whose parts are kept."""


class TokenRule:
    """A rule with the words that it has split before."""

    def __init__(self, name: str, split: Callable[[str, bool], Tokens]) -> None:
        self.name = name
        """What signatures say."""
        self._whole: frozenset[str] = frozenset()
        self._split = split
        self._inside: dict[str, Tokens] = {}
        self._last: dict[str, Tokens] = {}

    def keep_whole(self, words: frozenset[str]) -> None:
        """Do not split these words from now on."""
        self._whole = words
        self._inside.clear()
        self._last.clear()

    def split(self, word: str, *, ends: bool) -> Tokens:
        """Split a word; ``ends`` says that it is the last one of its text."""
        known = self._last if ends else self._inside
        parts = known.get(word)
        if parts is None:
            parts = self._split(word, ends)
            if self._whole and len(parts) > 1:
                parts = _join_whole(parts, self._whole)
            if len(word) <= _LONGEST_KEPT:
                if len(known) >= _MOST_KEPT:
                    known.clear()
                known[word] = parts
        return parts

    def __call__(self, text: str) -> Tokens:
        r"""Split a text.

        >>> load_rule("ptb")('I didn\'t go, "really". We cannot (3,000 of us).')
        ('I', 'did', "n't", 'go', ',', '"', 'really', '"', '.', 'We', 'can', 'not', '(', '3,000', 'of', 'us', ')', '.')
        """
        words = text.split()
        if not words:
            return ()
        last = words.pop()
        return (*(part for word in words for part in self.split(word, ends=False)), *self.split(last, ends=True))


def load_rule(name: str, is_kept: Callable[[str], bool] = is_abbreviation) -> TokenRule:
    """Make a rule; ``is_kept`` says which words keep their full stops inside a text."""
    if name == "conll":
        return TokenRule(name, partial(_split_as_conll, is_kept=is_kept))
    if name == "ptb":
        return TokenRule(name, lambda word, ends: split_as_treebank(word, ends=ends, is_kept=is_kept))
    if name == "spacy":
        from errata.tokenisation.spacy_rules import load_spacy_rules

        tokenise, version = load_spacy_rules()
        return TokenRule(f"spacy {version}", lambda word, _: tokenise(word))
    return TokenRule(name, lambda word, _: (word,))


def _split_as_conll(word: str, ends: bool, is_kept: Callable[[str], bool]) -> Tokens:  # noqa: FBT001 - as every rule
    """Split a word as the CoNLL shared tasks do, but inside a text that may have several sentences; letters are those of Unicode."""
    parts = _join_letters(tokenise_as_conll(f"{word} ,")[:-1])
    return split_stops(parts, ends=ends, is_kept=is_kept)


def _join_whole(parts: Tokens, whole: frozenset[str]) -> Tokens:
    """Join parts that are a whole word.

    >>> _join_whole(("can", "not", "."), frozenset({"cannot"}))
    ('cannot', '.')
    """
    joined: list[str] = []
    start = 0
    while start < len(parts):
        ends = (end for end in range(min(start + _MOST_JOINED, len(parts)), start + 1, -1) if "".join(parts[start:end]) in whole)
        end = next(ends, start + 1)
        joined.append("".join(parts[start:end]))
        start = end
    return tuple(joined)


def _join_letters(parts: Tokens) -> Tokens:
    """Join what only the letters of ASCII had split.

    >>> _join_letters(("fa", "ç", "ades")), _join_letters(("did", "n't"))
    (('façades',), ('did', "n't"))
    """
    if len(parts) == 1 or "".join(parts).isascii():
        return parts
    joined = [parts[0]]
    for part in parts[1:]:
        before, after = joined[-1][-1], part[0]
        if before.isalnum() and after.isalnum() and not (before.isascii() and after.isascii()):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)
