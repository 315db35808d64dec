"""How addresses and forms name items: by what they propose, so that a name says nothing about who proposed first, nor how many did."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from errata.errors import RequestError
from errata.event.answers.items import make_item, write_edits

if TYPE_CHECKING:
    from errata.event.answers.items import Item
    from errata.event.database import DatabaseTransaction

_DIGITS = 16
_KEY = re.compile(rf"([1-9][0-9]{{0,8}})-([0-9a-f]{{{_DIGITS}}})")


def make_item_key(item: Item) -> str:
    """Name an item by its sentence and its edits.

    >>> from errata.event.answers.items import Item, ItemEdit
    >>> make_item_key(Item(7, "answers", 12, (ItemEdit(1, 2, "likes"),)))
    '12-da553551f25a43ab'
    """
    return f"{item.sentence}-{hashlib.sha256(write_edits(item.edits).encode()).hexdigest()[:_DIGITS]}"


def find_by_key(transaction: DatabaseTransaction, phase: str, key: str) -> Item:
    """Find the item of a phase that a key names."""
    match = _KEY.fullmatch(key)
    if match is not None:
        rows = transaction.rows(
            "SELECT id, phase, sentence, edits, sha256 FROM items WHERE phase = ? AND sentence = ?", phase, int(match[1])
        )
        for *columns, sha256 in rows:
            if sha256.startswith(match[2]):
                return make_item(tuple(columns))
    raise RequestError("there is no such proposal")
