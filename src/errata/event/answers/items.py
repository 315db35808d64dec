"""Items: what annotators judge when alternative answers are proposed.

An item is a sentence and a set of edits that are right in place of the gold edits that they overlap.  What is proposed together is one
item, and is judged together.  An edit whose correction equals the source text of its span says "leave this as it is": it only removes
the gold edits that it overlaps.  Equal items, whoever proposes them, are one.
"""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, pluralise
from errata.event.clock import to_micros
from errata.formats.m2 import NONE
from errata.html import printable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from errata.corpus.texts import Tokens
    from errata.event.database import DatabaseTransaction

MOST_EDITS = 200
"""The most edits of an item."""
LONGEST_CORRECTION = 2_000
"""Characters of a correction."""
_SEPARATOR = "||"
"""M2, in which the gold is written, has no other way to separate corrections."""


class ItemEdit(NamedTuple):
    """A span of the source, and one correction; an empty span is an insertion, an empty correction a deletion."""

    start: int
    end: int
    correction: str

    def leaves(self, tokens: Tokens) -> bool:
        """Whether it says that its span is left as it is.

        >>> ItemEdit(1, 2, "cat").leaves(("a", "cat")), ItemEdit(1, 1, "").leaves(("a", "cat")), ItemEdit(1, 2, "").leaves(("a", "cat"))
        (True, True, False)
        """
        return self.correction == " ".join(tokens[self.start : self.end])


ItemEdits = tuple[ItemEdit, ...]


class Item(NamedTuple):
    """What was proposed, without who proposed it."""

    id: int
    phase: str
    """The phase of alternative answers."""
    sentence: int
    """Its number, from 1."""
    edits: ItemEdits


def spans_overlap(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether two edits cannot both be made: they change the same token, one inserts inside the other, or both insert at the same place.

    >>> spans_overlap(1, 3, 2, 4), spans_overlap(1, 1, 1, 1), spans_overlap(1, 1, 1, 2), spans_overlap(2, 2, 1, 3)
    (True, True, False, True)
    """
    if start == end and other_start == other_end:
        return start == other_start
    return start < other_end and other_start < end


def spans_touch(start: int, end: int, other_start: int, other_end: int) -> bool:
    """Whether an insertion lies at an end of the other edit, so that each may have been meant instead of the other.

    >>> spans_touch(1, 1, 1, 2), spans_touch(1, 2, 2, 2), spans_touch(1, 2, 2, 3)
    (True, True, False)
    """
    return (start == end or other_start == other_end) and start <= other_end and other_start <= end


def make_item_edits(edits: Iterable[tuple[int, int, str]]) -> ItemEdits:
    """Bring edits into the one order that equal items have."""
    return tuple(sorted({ItemEdit(*edit) for edit in edits}))


def check_edits(tokens: Tokens, edits: ItemEdits) -> None:
    """Raise unless these can be the edits of an item of a sentence."""
    if not edits:
        raise RequestError("nothing is proposed: choose an edit, or change the sentence")
    if len(edits) > MOST_EDITS:
        raise RequestError(f"a proposal has at most {MOST_EDITS} edits, found {len(edits):,}")
    for edit in edits:
        if not 0 <= edit.start <= edit.end <= len(tokens):
            raise RequestError(
                f"an edit of {edit.start} to {edit.end} lies outside the sentence, which has {pluralise(len(tokens), 'token')}"
            )
        if not edit.leaves(tokens):  # what the source has is right as it is
            check_correction(edit.correction, tokens)
    for one, other in pairwise(edits):
        if spans_overlap(one.start, one.end, other.start, other.end):
            raise RequestError(f"the edits of {one.start} to {one.end} and of {other.start} to {other.end} overlap")


def check_correction(text: str, source: Tokens) -> None:
    """Raise unless a text can be a correction: tokens with single spaces between them, without what gold cannot be written with."""
    if len(text) > LONGEST_CORRECTION:
        raise RequestError(f"a correction has at most {LONGEST_CORRECTION:,} characters, found {len(text):,}")
    shown = printable(text[:40])
    if text.split() != (text.split(" ") if text else []):
        raise RequestError(f"the tokens of a correction have single spaces between them, found {shown!r}")
    if any(printable(token) != token and token not in source for token in text.split()):
        raise RequestError(f"a correction has no control characters and no invisible ones, found '{shown}'")
    if _SEPARATOR in text or text == NONE or text.endswith("|"):
        raise RequestError(f"a correction cannot contain {_SEPARATOR}, end in | or be {NONE}, found {shown!r}")


def write_edits(edits: ItemEdits) -> str:
    """Write edits as JSON; equal edits are equal texts."""
    return json.dumps([list(edit) for edit in edits], ensure_ascii=False, separators=(",", ":"))


def read_item_edits(text: str) -> ItemEdits:
    """Read what :func:`write_edits` wrote."""
    return tuple(ItemEdit(*edit) for edit in json.loads(text)) if text else ()


def keep_item(transaction: DatabaseTransaction, phase: str, sentence: int, edits: ItemEdits, now: datetime) -> int:
    """Store an item unless it is known; return its number."""
    written = write_edits(edits)
    sha256 = hashlib.sha256(written.encode()).hexdigest()
    row = transaction.row("SELECT id FROM items WHERE phase = ? AND sentence = ? AND sha256 = ?", phase, sentence, sha256)
    if row is not None:
        return int(row[0])
    return transaction.insert(
        "INSERT INTO items (phase, sentence, edits, sha256, made_at) VALUES (?, ?, ?, ?, ?)",
        phase,
        sentence,
        written,
        sha256,
        to_micros(now),
    )


def find_item(transaction: DatabaseTransaction, phase: str, id_: int) -> Item:
    """Find an item of a phase by its number."""
    row = transaction.row("SELECT id, phase, sentence, edits FROM items WHERE id = ? AND phase = ?", id_, phase)
    if row is None:
        raise RequestError("there is no such proposal")
    return make_item(row)


def make_item(row: tuple[Any, ...]) -> Item:
    """Make an item of the columns ``id, phase, sentence, edits``."""
    return Item(int(row[0]), row[1], int(row[2]), read_item_edits(row[3]))
