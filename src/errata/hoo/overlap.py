"""Find the edits that overlap an edit of the other side (HOO 2011 and 2012), without comparing every pair.

Edits of the same file and part overlap if

- both insert at the same position;
- both replace or delete, and share a character;
- one inserts strictly inside the span of the other;
- one inserts, the other ends or begins there, and its new text ends or begins with an inserted text.  Only insertions of the first
  side have this rule, so overlap is not symmetric.

Edits match if their spans are equal, or, by the rules of 2012, if they are equal without a space at one end of the deletion that one of
them is.  An insertion also matches a span of one character that it overlaps by the last rule.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.formats.hoo_edits import HooEdit

Rules = Literal["2011", "2012"]
"""The year of the task that defines the rules."""
MOST_COMPARED = 5_000_000
"""Texts at one position that differ only in case, and are compared one by one."""


class Judgment(NamedTuple):
    """What the edits of the other side say about an edit."""

    overlaps: bool = False
    matches: bool = False
    corrects: bool = False
    """Whether an edit that matches has one of its corrections."""


class EditIndex:
    """The edits of one side, by their positions."""

    def __init__(self, edits: Iterable[HooEdit], rules: Rules = "2012") -> None:
        places: dict[tuple[str, str], list[HooEdit]] = {}
        for edit in edits:
            places.setdefault((edit.file, edit.part), []).append(edit)
        self._places = {place: _Place(own, rules) for place, own in places.items()}

    def judge(self, edit: HooEdit) -> Judgment:
        """Judge an edit of the other side.

        >>> from errata.formats import HooEdit
        >>> EditIndex([HooEdit(0, 0, "", ("a ",))]).judge(HooEdit(0, 4, "word", ("a word",)))
        Judgment(overlaps=False, matches=False, corrects=False)
        >>> EditIndex([HooEdit(2, 6, "at i", ("",))]).judge(HooEdit(0, 4, "that", ("which",)))
        Judgment(overlaps=True, matches=False, corrects=False)
        """
        place = self._places.get((edit.file, edit.part))
        return place.judge(edit) if place is not None else Judgment()


def _new_text(edit: HooEdit) -> str | None:
    """Get the text that an edit of a system makes; None if it only marks an error."""
    return edit.corrections[0] if edit.corrections else None


class _Place:
    """The edits of one file and part."""

    def __init__(self, edits: Sequence[HooEdit], rules: Rules) -> None:
        self._edits, self._by_2012 = edits, rules == "2012"
        self._insertions = sorted(edit.start for edit in edits if edit.inserts)
        spans = sorted((edit.start, edit.end) for edit in edits if not edit.inserts)
        self._starts = [start for start, _ in spans]
        self._furthest = list(accumulate((end for _, end in spans), max))
        """The last end of a span and those before it."""
        self._texts: dict[tuple[int, int, bool], set[str | None]] = {}
        """The new texts of a span, for edits that delete and others."""
        self._trimmed: set[tuple[int, int]] = set()
        """The spans of deletions without a space at one end."""
        for edit in edits:
            text = _new_text(edit)
            self._texts.setdefault((edit.start, edit.end, edit.deletes), set()).add(text if text is None else self._folded(text))
            if edit.deletes and self._by_2012:
                self._trimmed.update(_trim(edit))

    def judge(self, edit: HooEdit) -> Judgment:
        matching = list(self._matching(edit))
        accepted = [text for text in edit.corrections if text is not None]
        corrects = any(self._folded(text) in texts for texts in matching for text in accepted)
        matches = bool(matching)
        overlaps = matches or self._shares_characters(edit)
        if edit.inserts:
            for neighbours in self._beside(edit.start):
                overlaps = overlaps or neighbours.fit(edit, accepted)
                matches = matches or neighbours.short_fit(edit, accepted)
                corrects = corrects or neighbours.short_equal(accepted) or (self._by_2012 and neighbours.short_correct(accepted))
        return Judgment(overlaps, matches, corrects or (matches and not edit.corrections))

    def _folded(self, text: str) -> str:
        return text.lower() if self._by_2012 else text

    def _shares_characters(self, edit: HooEdit) -> bool:
        """Tell whether a span shares characters with an edit, or one of them inserts strictly inside the other."""
        last = bisect_left(self._starts, edit.end) - 1
        if last >= 0 and self._furthest[last] > edit.start:
            return True
        return bisect_right(self._insertions, edit.start) < bisect_left(self._insertions, edit.end)

    def _matching(self, edit: HooEdit) -> Iterator[set[str | None]]:
        """Yield the new texts of the edits with the same span."""
        found = [self._texts.get((edit.start, edit.end, deletes)) for deletes in (False, True)]
        if edit.deletes and self._by_2012:
            found += [self._texts.get((*span, False)) for span in _trim(edit)]
        elif (edit.start, edit.end) in self._trimmed:  # of a deletion, so its text is empty
            found.append({""})
        yield from (texts for texts in found if texts is not None)

    def _beside(self, position: int) -> Iterator[_Neighbours]:
        for there in self._neighbours:
            if position in there:
                yield there[position]

    @cached_property
    def _neighbours(self) -> tuple[dict[int, _Neighbours], dict[int, _Neighbours]]:
        """The spans that end at each position, and those that begin there."""
        ending: dict[int, list[HooEdit]] = {}
        beginning: dict[int, list[HooEdit]] = {}
        for edit in self._edits:
            if not edit.inserts:
                ending.setdefault(edit.end, []).append(edit)
                beginning.setdefault(edit.start, []).append(edit)
        return (
            {position: _Neighbours(edits, backwards=True) for position, edits in ending.items()},
            {position: _Neighbours(edits, backwards=False) for position, edits in beginning.items()},
        )


def _trim(deletion: HooEdit) -> Iterator[tuple[int, int]]:
    """Yield the span of a deletion without a space at one of its ends, unless nothing is left."""
    if deletion.end - deletion.start == 1:
        return
    if deletion.original.startswith(" "):
        yield deletion.start + 1, deletion.end
    if deletion.original.endswith(" "):
        yield deletion.start, deletion.end - 1


class _Neighbours:
    """The spans that end (``backwards``) or begin at one position, with their new texts."""

    def __init__(self, edits: Sequence[HooEdit], *, backwards: bool) -> None:
        self._step = -1 if backwards else 1
        short = [edit for edit in edits if edit.end - edit.start == 1]
        self._any_short = bool(short)
        self._sorted, self._short = (
            sorted({text[:: self._step] for edit in own if (text := _new_text(edit)) is not None}) for own in (edits, short)
        )
        self._compared = 0

    def fit(self, insertion: HooEdit, accepted: Sequence[str]) -> bool:
        """Tell whether a new text ends or begins with an inserted text; an insertion of any text fits."""
        return not insertion.corrections or self._one_begins(self._sorted, accepted)

    def short_fit(self, insertion: HooEdit, accepted: Sequence[str]) -> bool:
        """Tell the same of spans of one character."""
        return self._any_short if not insertion.corrections else self._one_begins(self._short, accepted)

    def short_equal(self, accepted: Sequence[str]) -> bool:
        """Tell whether a span of one character becomes an inserted text."""
        return any(text in self._short_texts for text in accepted)

    def short_correct(self, accepted: Sequence[str]) -> bool:
        """Tell whether a span of one character fits, and becomes an inserted text but for case."""
        if not self._short:
            return False
        beginnings = tuple(text[:: self._step] for text in accepted)
        for lowered in dict.fromkeys(text.lower() for text in accepted):
            for text in self._by_lower.get(lowered, ()):
                self._compared += len(accepted)
                if self._compared > MOST_COMPARED:
                    raise RequestError(
                        f"too many edits at one position have texts that differ only in case: more than {MOST_COMPARED:,} comparisons"
                    )
                if text.startswith(beginnings):
                    return True
        return False

    def _one_begins(self, known: list[str], accepted: Sequence[str]) -> bool:
        for text in accepted:
            turned = text[:: self._step]
            place = bisect_left(known, turned)
            if place < len(known) and known[place].startswith(turned):
                return True
        return False

    @cached_property
    def _short_texts(self) -> frozenset[str]:
        return frozenset(text[:: self._step] for text in self._short)

    @cached_property
    def _by_lower(self) -> dict[str, list[str]]:
        known: dict[str, list[str]] = {}
        for turned in self._short:
            known.setdefault(turned[:: self._step].lower(), []).append(turned)
        return known
