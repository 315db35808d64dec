"""Find the first occurrence of each of many sentences in a paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MANY_SENTENCES = 2_000
"""From here on, all sentences are searched in one pass; searching a few one by one is faster."""
_CHARACTERS = 0x110000


def find_first_places(text: str, sentences: Iterable[str], many: int = MANY_SENTENCES) -> dict[str, int]:
    """Find the first occurrence of each sentence in a text; -1 if there is none."""
    distinct = list(dict.fromkeys(sentences))
    if len(distinct) < many:
        return {sentence: text.find(sentence) for sentence in distinct}
    return _Automaton(distinct).find(text)


class _Automaton:
    """The automaton of Aho and Corasick (1975): it reads a text once, whatever the number of sentences."""

    def __init__(self, sentences: list[str]) -> None:
        self._next: dict[int, int] = {}
        """The state after a state and a character; a state stands for the beginning of a sentence."""
        self._sentence: dict[int, str] = {}
        """The sentence that ends in a state."""
        before, depths = [0], [0]
        for sentence in sentences:
            state = 0
            for character in sentence:
                key = state * _CHARACTERS + ord(character)
                following = self._next.get(key)
                if following is None:
                    following = self._next[key] = len(before)
                    before.append(key)
                    depths.append(depths[state] + 1)
                state = following
            self._sentence[state] = sentence
        self._shorter = [0] * len(before)
        """The state of the longest beginning of a sentence at the end of what has been read, apart from the state itself."""
        self._inside = [0] * len(before)
        """The first of these states in which a sentence ends."""
        for state in sorted(range(1, len(before)), key=depths.__getitem__):
            parent, code = divmod(before[state], _CHARACTERS)
            shorter = self._step(self._shorter[parent], code) if parent else 0
            self._shorter[state] = shorter
            self._inside[state] = shorter if shorter in self._sentence else self._inside[shorter]

    def _step(self, state: int, code: int) -> int:
        while (following := self._next.get(state * _CHARACTERS + code)) is None and state:
            state = self._shorter[state]
        return following or 0

    def find(self, text: str) -> dict[str, int]:
        places = dict.fromkeys(self._sentence.values(), -1)
        if "" in places:
            places[""] = 0
        state = 0
        for end, character in enumerate(text, start=1):
            state = self._step(state, ord(character))
            found = state if state in self._sentence else self._inside[state]
            while found and places[self._sentence[found]] < 0:  # else those inside it are known too
                sentence = self._sentence[found]
                places[sentence] = end - len(sentence)
                found = self._inside[found]
        return places
