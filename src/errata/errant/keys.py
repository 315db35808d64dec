"""What ERRANT compares: the keys of edits at four levels, and the edits behind each key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.names import UNKNOWN_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.corpus.corpus import Edit

Level = Literal["cs", "ds", "dt", "cse"]
MATCH_LEVELS: dict[Level, str] = {
    "cs": "span and correction",
    "ds": "span",
    "dt": "every token of the span; an insertion counts for the token to its right",
    "cse": "span, correction and type",
}
"""All levels, with their descriptions."""
Key = tuple[int | str, ...]
"""What must be equal for two edits to match."""


class ScoredEdit(NamedTuple):
    """An edit as ERRANT sees it: its correction is one text, whatever it contains."""

    start: int
    end: int
    correction: str
    type: str
    """Empty if it was not needed."""

    @classmethod
    def of(cls, edit: Edit) -> ScoredEdit:
        """Make the change of an edit."""
        return cls(edit.start, edit.end, edit.literal, edit.type)

    @property
    def is_long(self) -> bool:
        """Whether one of its sides has two tokens or more."""
        return self.end - self.start > 1 or len(self.correction.split()) > 1


Keyed = dict[Key, list[ScoredEdit]]
"""The changes behind each key; several may have the same."""


def make_keys(changes: Iterable[ScoredEdit], level: Level) -> Keyed:
    """Make the keys of the edits of a sentence, in order.

    >>> make_keys([ScoredEdit(1, 3, "likes", "R:OTHER"), ScoredEdit(3, 3, "the", "M:DET")], "dt").keys()
    dict_keys([(1, 2), (2, 3), (3, 4)])
    """
    keyed: Keyed = {}
    for change in changes:
        start, end, correction, type_ = change
        if level == "dt":
            for token in range(start, max(end, start + 1)):
                keyed.setdefault((token, token + 1), []).append(change)
        elif level == "ds":
            keyed.setdefault((start, end), []).append(change)
        elif type_ != UNKNOWN_TYPE:
            keyed.setdefault((start, end, correction) if level == "cs" else (start, end, correction, type_), []).append(change)
    return keyed
