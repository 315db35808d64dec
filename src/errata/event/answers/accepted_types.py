"""The error types of accepted edits: that of the first gold edit that they replace; else what rules say; else that of other errors.

Gold keeps one kind of types: an accepted edit in a gold of ERRANT's types, or of types that only say what is missing, gets such a type too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import apply_in_order
from errata.event.answers.items import ItemEdit, spans_overlap
from errata.language.types import MEMBERS, ChangedWords, ChangeTyper
from errata.names import has_errant_types

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from errata.corpus.corpus import Corpus, Edit
    from errata.language.tagging import Tagger

_OTHERS = "Others"
_SHAPES = {"Missing": "M", "Unnecessary": "U", "Replacement": "R"}
"""Types of edits that were found by comparing texts, and the letters with which ERRANT's types begin."""


class PlacedEdit(NamedTuple):
    """An accepted edit, and the index of its sentence in the gold."""

    sentence: int
    edit: ItemEdit


class AnswerTypes:
    """Gives accepted edits their types."""

    def __init__(self, gold: Corpus, tagger: Tagger | None, kept: Collection[str] = ()) -> None:
        """``kept`` are the only types that the task has, if it names some: others would be left out when the gold is read again."""
        self._gold, self._tagger, self._kept = gold, tagger, list(kept)
        self._known = {edit.type for sentence in gold for annotation in sentence.annotations for edit in annotation.edits}
        self._guessed: dict[PlacedEdit, str] = {}

    def prepare(self, edits: Iterable[PlacedEdit]) -> None:
        """Guess the types of all accepted edits at once."""
        placed = [item for item in dict.fromkeys(edits) if not item.edit.leaves(self._gold[item.sentence].tokens)]
        named = self._classify(placed) if self._takes_rules else [""] * len(placed)
        self._guessed = {item: self._fit(name, item.edit) for item, name in zip(placed, named, strict=True)}

    def find(self, index: int, edit: ItemEdit, replaced: Sequence[Edit]) -> str:
        """Find the type of an edit that was prepared, which replaces some gold edits of its sentence."""
        first = next((gold for gold in replaced if spans_overlap(gold.start, gold.end, edit.start, edit.end)), None)
        return first.type if first is not None else self._guessed[PlacedEdit(index, edit)]

    @property
    def _takes_rules(self) -> bool:
        """Whether the types of the gold are those that rules for parts of speech give."""
        return self._tagger is not None and not self._is_errant and not self._is_by_shape

    @property
    def _is_errant(self) -> bool:
        return bool(self._known) and has_errant_types(self._gold)

    @property
    def _is_by_shape(self) -> bool:
        return bool(self._known) and self._known <= {*_SHAPES, ""}

    def _classify(self, placed: Sequence[PlacedEdit]) -> list[str]:
        from errata.corpus.corpus import Edit

        if self._tagger is None:
            return [""] * len(placed)
        sources, outputs, changes = [], [], []
        for number, (index, edit) in enumerate(placed):
            tokens, words = self._gold[index].tokens, edit.correction.split()
            sources.append(tokens)
            outputs.append(apply_in_order(tokens, [Edit(edit.start, edit.end, (edit.correction,))]))
            changes.append(ChangedWords(number, range(edit.start, edit.end), range(edit.start, edit.start + len(words))))
        return ChangeTyper(self._tagger).classify(changes, sources, outputs)

    def _fit(self, name: str, edit: ItemEdit) -> str:
        """Choose a type that the gold of the task can have, as near to the guess as possible."""
        if self._is_errant or self._is_by_shape:
            shape = "Missing" if edit.start == edit.end else "Replacement" if edit.correction else "Unnecessary"
            candidates = [f"{_SHAPES[shape]}:OTHER" if self._is_errant else "" if self._known == {""} else shape]
        else:
            candidates = [*MEMBERS.get(name, (name,) if name else ()), _OTHERS]
        if not self._kept:
            return candidates[0]
        return next((candidate for candidate in candidates if candidate in self._kept), self._kept[0])
