"""The texts of all mixed references of a sentence, as a set that can be searched without listing them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from errata.errors import RequestError
from errata.gold.accepted import MOST_TEXTS, list_accepted_texts
from errata.gold.alternatives import Alternative, group_errors
from errata.gold.sites import find_separate_sites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from errata.corpus import Sentence
    from errata.gold.alternatives import Alternatives
    from errata.texts import Tokens

Symbols = tuple[str, ...]
"""A text as a sequence of what is compared: tokens or characters."""


class MixedTexts:
    """All texts with one alternative of every error, and all that single annotators accept.

    Of several corrections of an edit any may be used, and an edit that is not required may be left out.

    >>> from errata import Edit, Sentence
    >>> texts = MixedTexts(Sentence.of("a b c", [Edit(0, 1, ("x",))], [Edit(2, 3, ("y", "z"))]), 1)
    >>> ("x", "b", "z") in texts, ("x", "z") in texts
    (True, False)
    """

    def __init__(self, sentence: Sentence, number: int, split: Callable[[Tokens], Symbols] = tuple) -> None:
        """``number`` is for messages; ``split`` says what of a text is compared."""
        self._split = split
        self._single = {split(text) for texts in list_accepted_texts(sentence, number).values() for text in texts}
        errors = [_expand(sentence, alternatives) for alternatives in group_errors(sentence)]
        found = find_separate_sites(sentence.tokens, errors, MOST_TEXTS)
        if found is None:
            raise RequestError(f"sentence {number:,}: corrections that overlap can be mixed in more than {MOST_TEXTS:,} ways")
        self._covered = bool(found.alone)
        self._pieces: list[set[Symbols]] = []
        """What may follow each other: tokens between sites, and the texts of sites."""
        done = 0
        for site in found.sites:
            self._pieces += [{split(sentence.tokens[done : site.start])}, {split(text) for text in site.variants}]
            done = site.end
        self._pieces.append({split(sentence.tokens[done:])})
        self._alone = {split(text) for text in found.alone}

    def __contains__(self, text: Tokens) -> bool:
        symbols = self._split(text)
        if symbols in self._single:
            return True
        if not self._covered:
            return _is_sequence(symbols, 0, self._pieces)
        first, rest = self._pieces[1], self._pieces[2:]
        if all(() in piece for piece in rest) and symbols in self._alone:
            return True
        starts = [len(piece) for piece in first if len(piece) < len(symbols) and symbols[: len(piece)] == piece]
        return any(_is_sequence(symbols, start, rest) for start in starts)


def _is_sequence(symbols: Symbols, start: int, pieces: Iterable[set[Symbols]]) -> bool:
    """Tell whether a text, from a position on, is a sequence of one text of each piece."""
    positions = {start}
    for piece in pieces:
        lengths = {len(text) for text in piece}
        positions = {at + length for at in positions for length in lengths if symbols[at : at + length] in piece}
    return len(symbols) in positions


def _expand(sentence: Sentence, alternatives: Alternatives) -> Alternatives:
    """Make an alternative of every choice of a correction for each edit."""
    expanded: Alternatives = []
    for alternative in alternatives:
        options = [edit.corrections if edit.required else (*edit.corrections, sentence.original(edit)) for edit in alternative.edits]
        for choice in product(*options):
            edits = tuple(replace(edit, corrections=(text,)) for edit, text in zip(alternative.edits, choice, strict=True))
            expanded.append(Alternative(alternative.annotator, edits))
    return expanded
