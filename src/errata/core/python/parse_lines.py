"""The lines of a parsed sentence in a file that errata wrote, split into cells; twin of ``native/parse_lines.hpp``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errata.texts import Tokens

_COLUMNS = 10
_MOST_KNOWN = 1_000_000
_HEAD = re.compile("0|[1-9][0-9]{0,8}")


class ParseReader:
    """Reads the lines of parsed sentences that errata wrote; equal cells are one string."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def read(self, text: str) -> tuple[Tokens, Tokens, Tokens, Tokens, tuple[int, ...], Tokens] | None:
        """Split lines into forms, lemmas, parts of speech, tags, heads and dependencies; None if they are written in another way."""
        if not isinstance(text, str):
            raise TypeError("lines must be a str")
        text.encode()  # as in the core, it must be valid Unicode
        rows = [line.split("\t") for line in text.split("\n")[1:]]
        if not rows or any(len(row) != _COLUMNS or not all(row) for row in rows):
            return None
        numbers, forms, lemmas, pos, tags, features, heads, deps, *others = zip(*rows, strict=True)
        if numbers != tuple(map(str, range(1, len(rows) + 1))) or {*features, *others[0], *others[1]} != {"_"}:
            return None
        if not all(map(_HEAD.fullmatch, heads)):
            return None
        places = tuple(token if head == "0" else int(head) - 1 for token, head in enumerate(heads))
        if max(places) >= len(rows) or any(head == number for head, number in zip(heads, numbers, strict=True)):
            return None
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        return self._share(forms), self._share(lemmas), self._share(pos), self._share(tags), places, self._share(deps)

    def _share(self, cells: Tokens) -> Tokens:
        return tuple(map(self._known.setdefault, cells, cells))
