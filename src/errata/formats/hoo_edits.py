"""Edits of the Helping Our Own tasks and their XML, and how the official tools extract them with GNU wdiff.

::

    <edits>
      <edit index="1001-0004" type="UD" start="944" end="946">
        <corrections><correction><empty/></correction></corrections>
        <original>a </original>
      </edit>
    </edits>

Offsets are half-open: bytes of the UTF-8 text in 2011, characters of a part of the text in 2012, where edits also name a file and
a part.  Several corrections are alternatives.  An edit with an empty ``<correction/>`` is optional; an edit without corrections only
marks an error, and accepts any correction.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from itertools import accumulate
from math import isqrt
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.errors import RequestError, pluralise
from errata.formats.xml import ElementLimits, ElementRule, check_elements, escape_text, quote_attribute, read_elements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus.corpus import Edit
    from errata.corpus.texts import Tokens
    from errata.formats.problems import Problems
    from errata.formats.xml import Element


_MOST_DIGITS = 9
_MOST_TEXT = 1 << 20
_RULES = {
    "edit": ElementRule(frozenset({"original", "corrections"}), frozenset({"start", "end", "type", "index", "file", "part", "cset"})),
    "corrections": ElementRule(frozenset({"correction"})),
    "correction": ElementRule(frozenset({"empty"}), text=True),
    "original": ElementRule(frozenset({"empty"}), text=True),
    "empty": ElementRule(),
}
"""The elements of an edit."""


@dataclass(frozen=True, slots=True)
class HooEdit:
    """A span of characters and its possible corrections."""

    start: int
    end: int
    original: str
    corrections: tuple[str | None, ...]
    """Alternatives; an empty text deletes, None leaves the text uncorrected.  Without alternatives, any correction is accepted."""
    type: str = ""
    index: str = ""
    file: str = ""
    part: str = ""
    set: str = ""
    """Links related edits; scores do not use it."""
    line: int = field(default=0, compare=False)

    @property
    def optional(self) -> bool:
        """Whether the text may be left uncorrected."""
        return None in self.corrections

    @property
    def inserts(self) -> bool:
        """Whether it is an insertion."""
        return self.start == self.end

    @property
    def deletes(self) -> bool:
        """Whether it is a deletion."""
        return self.start < self.end and self.corrections[:1] == ("",)


def read_edits(path: str, problems: Problems) -> Iterator[HooEdit]:
    """Yield the edits of an XML file."""
    for element in read_elements(path, problems, "edit", ("edits",), ElementLimits(_MOST_TEXT)):
        if check_elements(element, _RULES, problems) and (edit := _edit(element, problems)) is not None:
            yield edit


def _edit(element: Element, problems: Problems) -> HooEdit | None:
    offsets = []
    for name in ("start", "end"):
        text = element.attributes.get(name, "")
        if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
            problems.bad_offsets(element.line, f"column {element.column}: {name} of an edit must be a whole number, found {text[:40]!r}")
            return None
        offsets.append(int(text))
    if offsets[0] > offsets[1]:
        problems.bad_offsets(element.line, f"column {element.column}: an edit ends before it starts: {offsets[0]} to {offsets[1]}")
        return None
    originals, lists = element.named("original"), element.named("corrections")
    if len(originals) != 1 or len(lists) > 1:
        problems.error(element.line, f"column {element.column}: an edit must have one <original> and at most one <corrections>")
        return None
    corrections = lists[0].children if lists else []
    if both := next((item for item in (*originals, *corrections) if item.children and item.text.strip()), None):
        problems.error(
            both.line, f"column {both.column}: <{both.name}> must have a text or <empty/>, found both: {both.text.strip()[:40]!r}"
        )
        return None
    names = {key: element.attributes.get(key, "") for key in ("type", "index", "file", "part", "cset")}
    return HooEdit(
        offsets[0],
        offsets[1],
        "" if originals[0].children else originals[0].text,
        tuple("" if correction.children else correction.text or None for correction in corrections),
        names["type"],
        names["index"],
        names["file"],
        names["part"],
        names["cset"],
        element.line,
    )


def format_edits(edits: Iterable[HooEdit]) -> Iterator[str]:
    """Yield the lines of an XML file, without line ends."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield "<edits>"
    for edit in edits:
        named = {"index": edit.index, "type": edit.type, "file": edit.file, "part": edit.part, "cset": edit.set}
        written = "".join(f" {name}={quote_attribute(value)}" for name, value in named.items() if value)
        yield f'  <edit{written} start="{edit.start}" end="{edit.end}">'
        yield f"    <original>{_text(edit.original)}</original>"
        yield "    <corrections>"
        for correction in edit.corrections:
            yield "      <correction/>" if correction is None else f"      <correction>{_text(correction)}</correction>"
        yield "    </corrections>"
        yield "  </edit>"
    yield "</edits>"


def _text(text: str) -> str:
    return escape_text(text) if text else "<empty/>"


# They have only as much of their original as scores use, the space at its end: many edits may span the whole sentence.


class TokenPositions:
    """The character offsets of the tokens of a sentence."""

    def __init__(self, tokens: Tokens) -> None:
        self._starts = [0, *accumulate(len(token) + 1 for token in tokens)]
        self._length = max(self._starts[-1] - 1, 0)

    def gold(self, edit: Edit) -> HooEdit:
        """Convert a gold edit; one that is not required is optional."""
        corrections = tuple(" ".join(text.split()) for text in edit.corrections)
        return self._edit(edit.start, edit.end, (*corrections, None) if not edit.required else corrections, edit.type)

    def system(self, start: int, end: int, text: str) -> HooEdit:
        """Convert an edit of a system."""
        return self._edit(start, end, (text,))

    def _edit(self, start: int, end: int, corrections: tuple[str | None, ...], type_: str = "") -> HooEdit:
        """Include the following space in insertions and deletions, as in edits extracted from texts."""
        first = min(self._starts[start], self._length)
        if start == end:
            return HooEdit(first, first, "", tuple(f"{text} " if text else text for text in corrections), type_)
        last = self._starts[end] - 1
        if all(not text for text in corrections) and last < self._length:
            return HooEdit(first, last + 1, " ", corrections, type_)
        return HooEdit(first, last, "", corrections, type_)


# --- Extract the edits between a text and its correction, like the official tools of HOO with GNU wdiff.
#
# Words are separated by white space, and every run of changed words is an edit.  If a word only gains, loses or changes one
# punctuation mark at its beginning or end, the edit is that mark.  An insertion includes a space after it; a deletion includes the
# space after it, unless it is one punctuation mark.
#
# The official tools parse the output of wdiff.  ``offsets="wdiff"`` reproduces two consequences:
# unchanged text has the white space of the corrected text, so offsets shift if white space differs;
# and a change across a line end is not an edit, and the marks around it count as text.
# ``offsets="text"`` gives the true offsets and all changes.

Offsets = Literal["wdiff", "text"]
_WORD = re.compile(r"\S+")
_PUNCTUATION = frozenset("'\"[({])},.:;!?")
_MARKS = len("[--]")


def extract(source: str, target: str, offsets: Offsets = "wdiff") -> list[HooEdit]:
    """Extract the edits that turn one text into another.

    >>> extract("feeds word", "feeds a word")
    [HooEdit(start=6, end=6, original='', corrections=('a ',), ...)]
    >>> extract("they plays the football", "they play football")
    [HooEdit(start=5, end=14, original='plays the', corrections=('play',), ...)]
    """
    words, new = _Words(source), _Words(target)
    hunks = diff_words(words.texts, new.texts)
    placed = _as_wdiff_prints(words, new, hunks) if offsets == "wdiff" else _as_they_are(words, new, hunks)
    return [_refine(start, old, correction) for start, old, correction in placed]


class _Words:
    def __init__(self, text: str) -> None:
        self.text = text
        self._found = list(_WORD.finditer(text))
        self.texts = [word.group() for word in self._found]

    def start(self, number: int) -> int:
        """Get the start of a word; after the last word, the end of the text."""
        return self._found[number].start() if number < len(self._found) else len(self.text)

    def space_before(self, number: int) -> int:
        """Count the white space before a word."""
        return self._found[number].start() - (self._found[number - 1].end() if number else 0)

    def run(self, first: int, last: int) -> str:
        """Get the text from a word up to another."""
        return self.text[self._found[first].start() : self._found[last - 1].end()] if first < last else ""


_Placed = tuple[int, str, str]
"""The start of a change, the old text and the new text."""


def _as_they_are(words: _Words, new: _Words, hunks: Sequence[Hunk]) -> Iterator[_Placed]:
    for hunk in hunks:
        yield words.start(hunk.start), words.run(hunk.start, hunk.end), new.run(hunk.new_start, hunk.new_end)


def _as_wdiff_prints(words: _Words, new: _Words, hunks: Sequence[Hunk]) -> Iterator[_Placed]:
    """Yield changes with their positions in the output of wdiff without its insertions."""
    position = 0
    number = new_number = 0
    space_taken = 0  # the space after an insertion is a part of it
    for hunk in hunks:
        for _ in range(number, hunk.start):
            position += new.space_before(new_number) - space_taken + len(new.texts[new_number])
            new_number += 1
            space_taken = 0
        number, new_number = hunk.end, hunk.new_end
        old, correction = words.run(hunk.start, hunk.end), new.run(hunk.new_start, hunk.new_end)
        if "\n" in old or "\n" in correction:
            if old:
                position += words.space_before(hunk.start) + len(old) + ("\n" in old) * _MARKS
            if correction:
                position += new.space_before(hunk.new_start) + ("\n" in correction) * (len(correction) + _MARKS)
            continue
        if old:
            position += words.space_before(hunk.start) - space_taken
            yield position, old, correction
            position += len(old)
            space_taken = 0
        else:
            position += new.space_before(hunk.new_start) - space_taken
            yield position, old, correction
            space_taken = 1


def _refine(start: int, old: str, new: str) -> HooEdit:
    if old and new:
        for first, last, old_mark, new_mark in _single_marks(old, new):
            return HooEdit(start + first, start + last, old_mark, (new_mark,))
        return HooEdit(start, start + len(old), old, (new,))
    if new:
        return HooEdit(start, start, "", (f"{new} ",))
    if old in _PUNCTUATION:
        return HooEdit(start, start + 1, old, ("",))
    return HooEdit(start, start + len(old) + 1, f"{old} ", ("",))


def _single_marks(old: str, new: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield span, old and new text if two texts differ only in one punctuation mark at the end or the beginning."""
    end = len(old)
    old_last, new_last = old[-1] in _PUNCTUATION, new[-1] in _PUNCTUATION
    old_first, new_first = old[0] in _PUNCTUATION, new[0] in _PUNCTUATION
    if new_last and old == new[:-1]:
        yield end, end, "", new[-1]
    elif old_last and old[:-1] == new:
        yield end - 1, end, old[-1], ""
    elif old_last and new_last and old[:-1] == new[:-1]:
        yield end - 1, end, old[-1], new[-1]
    elif new_first and old == new[1:]:
        yield 0, 0, "", new[0]
    elif old_first and old[1:] == new:
        yield 0, 1, old[0], ""
    elif old_first and new_first and old[1:] == new[1:]:
        yield 0, 1, old[0], new[0]


# If there are several shortest scripts, runs of changed words are moved to readable positions, much like in ``diff`` and GNU wdiff.


class Hunk(NamedTuple):
    """Words ``start`` to ``end`` of the old text, which words ``new_start`` to ``new_end`` of the new text replace."""

    start: int
    end: int
    new_start: int
    new_end: int


def diff_words(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """Find the runs of words in which two texts differ.

    >>> diff_words("no a doubt".split(), "no doubt".split())
    [Hunk(start=1, end=2, new_start=1, new_end=1)]
    """
    before, after = _shared_ends(old, new)
    deleted, inserted = _shortest_script(old, new, before, after)
    _settle(old, deleted, inserted, before, len(old) - after)
    _settle(new, inserted, deleted, before, len(new) - after)
    hunks = []
    i = j = 0
    while i < len(old) or j < len(new):
        start, new_start = i, j
        while i < len(old) and deleted[i]:
            i += 1
        while j < len(new) and inserted[j]:
            j += 1
        if (i, j) == (start, new_start):
            i, j = i + 1, j + 1
        else:
            hunks.append(Hunk(start, i, new_start, j))
    return hunks


def _shared_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Count the words that two texts share at the beginning, and at the end of the rest."""
    shorter = min(len(old), len(new))
    before = 0
    while before < shorter and old[before] == new[before]:
        before += 1
    after = 0
    while after < shorter - before and old[len(old) - 1 - after] == new[len(new) - 1 - after]:
        after += 1
    return before, after


def _shortest_script(old: Sequence[str], new: Sequence[str], before: int, after: int) -> tuple[list[bool], list[bool]]:
    """Mark the words that are deleted and the words that are inserted."""
    # A word that is not in the other text is always changed.
    there, here = set(new[before : len(new) - after]), set(old[before : len(old) - after])
    kept = [position for position in range(before, len(old) - after) if old[position] in there]
    new_kept = [position for position in range(before, len(new) - after) if new[position] in here]
    deleted, inserted = [False] * len(old), [False] * len(new)
    deleted[before : len(old) - after] = [True] * (len(old) - after - before)
    inserted[before : len(new) - after] = [True] * (len(new) - after - before)
    for x, y in _find_common_words([old[position] for position in kept], [new[position] for position in new_kept]):
        deleted[kept[x]] = inserted[new_kept[y]] = False
    return deleted, inserted


def _settle(words: Sequence[str], changed: list[bool], other: list[bool], first: int, last: int) -> None:
    """Move every run of changed words to a readable position.

    A run may move by one word if the word it leaves equals the word it takes.  It moves as far down as possible and joins the runs it
    meets; but it prefers a position where the other text has changes too.
    """
    gaps = _gaps(other)
    start = first
    before = first
    """Unchanged words before a run, which give its position in the other text."""
    while start < last:
        if not changed[start]:
            start, before = start + 1, before + 1
            continue
        end = start
        while end < last and changed[end]:
            end += 1
        beside: int | None = None
        length = -1
        while length != end - start:
            length = end - start
            while start > first and words[start - 1] == words[end - 1]:
                changed[start - 1], changed[end - 1] = True, False
                start, end, before = start - 1, end - 1, before - 1
                while start > first and changed[start - 1]:
                    start -= 1
            beside = end if gaps[before] else None
            while end < last and words[start] == words[end]:
                changed[start], changed[end] = False, True
                start, end, before = start + 1, end + 1, before + 1
                while end < last and changed[end]:
                    end += 1
                if gaps[before]:
                    beside = end
        while beside is not None and beside < end:
            changed[start - 1], changed[end - 1] = True, False
            start, end, before = start - 1, end - 1, before - 1
        start = end


def _gaps(changed: list[bool]) -> list[bool]:
    """Tell for each gap between unchanged words, and before the first, whether it has changed words."""
    gaps = [False]
    for flag in changed:
        if flag:
            gaps[-1] = True
        else:
            gaps.append(False)
    return gaps


# Of several, both functions find the one that the greedy algorithm of Myers (1986) finds: from the end, a word of the second list is
# inserted if it can be, else one of the first is deleted, else the two words are common.

_CommonWords = list[tuple[int, int]]
"""The positions of common words in both lists, from the end."""
_FEW_CHANGES = 500
"""Up to here the greedy algorithm is used: its time and memory grow with the square of the changes, but hardly with the length."""
_MOST_PAIRS_IN_DIFF = 10_000_000_000
"""Pairs of words that may be compared, 64 at a time: this takes seconds."""


def _find_common_words(a: Sequence[str], b: Sequence[str]) -> _CommonWords:
    """Find the positions of a longest common subsequence, from the end."""
    common = _find_with_few_changes(a, b, _FEW_CHANGES)
    return _find_with_any_changes(a, b, _MOST_PAIRS_IN_DIFF) if common is None else common


def _find_with_few_changes(a: Sequence[str], b: Sequence[str], most: int) -> _CommonWords | None:
    """Find them by the greedy algorithm; None if there are more than ``most`` changes."""
    furthest = {1: 0}
    rounds: list[array[int]] = []  # the furthest position on each diagonal before the round, from the lowest diagonal
    changes = 0
    while True:
        rounds.append(array("i", (furthest.get(diagonal, -1) for diagonal in range(-changes - 1, changes + 2, 2))))
        for diagonal in range(-changes, changes + 1, 2):
            down = diagonal == -changes or (diagonal != changes and furthest[diagonal - 1] < furthest[diagonal + 1])
            x = furthest[diagonal + 1] if down else furthest[diagonal - 1] + 1
            while x < len(a) and x - diagonal < len(b) and a[x] == b[x - diagonal]:
                x += 1
            furthest[diagonal] = x
        if furthest.get(len(a) - len(b), -1) >= len(a):
            break
        changes += 1
        if changes > most:
            return None
    common = []
    x, y = len(a), len(b)
    for done in range(changes, -1, -1):
        diagonal = x - y
        known = rounds[done]
        lower, upper = known[(diagonal + done) // 2], known[(diagonal + done) // 2 + 1]
        down = diagonal == -done or (diagonal != done and lower < upper)
        start = upper if down else lower + 1
        if done == 0:
            start = 0
        while x > start:
            x, y = x - 1, y - 1
            common.append((x, y))
        if down:
            y -= 1
        else:
            x -= 1
    return common


def _find_with_any_changes(a: Sequence[str], b: Sequence[str], most_pairs: int) -> _CommonWords:
    """Find them by bit vectors: bit ``y`` of row ``x`` is 0 if ``b[y]`` makes the common subsequence with ``a[:x]`` longer.

    Only some rows are kept; the rows between two of them are computed again when they are needed.
    """
    if len(a) * len(b) > most_pairs:
        raise RequestError(
            f"two texts differ too much to be compared: they have {pluralise(len(a), 'word')} and {len(b):,} that occur in both, "
            f"and more than {_FEW_CHANGES:,} changes"
        )
    places: dict[str, list[int]] = {}
    for position, word in enumerate(b):
        places.setdefault(word, []).append(position)
    masks = {word: _set_bits(own, len(b)) for word, own in places.items()}
    every = isqrt(len(a)) + 1
    full = (1 << len(b)) - 1
    kept = [full]
    for first in range(0, len(a), every):
        kept.append(_rows(kept[-1], a[first : first + every], masks, full)[-1])
    common = []
    x, y = len(a), len(b)
    while x:
        first = (x - 1) // every * every
        rows = _rows(kept[first // every], a[first:x], masks, full)
        while x > first and y:
            if rows[x - first] >> (y - 1) & 1:
                y -= 1
                continue
            x -= 1
            if a[x] == b[y - 1] and rows[x - first] >> (y - 1) & 1:
                y -= 1
                common.append((x, y))
        if not y:
            break
    return common


def _set_bits(positions: Sequence[int], length: int) -> int:
    bits = bytearray((length + 7) // 8)
    for position in positions:
        bits[position // 8] |= 1 << position % 8
    return int.from_bytes(bits, "little")


def _rows(row: int, words: Sequence[str], masks: dict[str, int], full: int) -> list[int]:
    """List a row and those of the following words (Hyyrö 2004)."""
    rows = [row]
    for word in words:
        matches = row & masks.get(word, 0)
        row = ((row + matches) | (row - matches)) & full
        rows.append(row)
    return rows
