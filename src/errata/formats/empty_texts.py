"""Empty outputs: a sentence without tokens is allowed, but many may be sentences that a system failed to write."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from errata.errors import pluralise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MANY = 0.02
"""A larger share of empty sentences in an output is seldom meant."""
_LAST_SPACE = 0x3000


def describe_empty(path: str, empty: int, sentences: int) -> str | None:
    """Write a warning if many sentences of an output are empty although their sources are not; None if they are not many.

    >>> describe_empty("run7.txt", 3, 100)
    'run7.txt: 3 of 100 sentences are empty, although their sources are not'
    >>> describe_empty("run7.txt", 2, 100)
    """
    if empty <= _MANY * sentences:
        return None
    are, theirs = ("is", "its source is") if empty == 1 else ("are", "their sources are")
    return f"{path}: {empty:,} of {pluralise(sentences, 'sentence')} {are} empty, although {theirs} not"


def count_empty(outputs: Any, source: Any) -> int:
    """Count the texts without tokens, in an Arrow array of strings, whose source has some."""
    empty = _find_empty(outputs)
    return int((empty & ~_find_empty(source)).sum()) if empty.any() else 0


def _find_empty(texts: Any) -> NDArray[np.bool_]:
    """Find texts of nothing but white space; only those that begin with such a byte are looked at."""
    import numpy as np

    from errata.formats.text_arrays import get_offsets

    offsets = get_offsets(texts)
    starts = offsets[:-1]
    empty: NDArray[np.bool_] = np.diff(offsets) == 0
    content = texts.buffers()[2]
    if content is not None and not empty.all():
        candidates = np.flatnonzero(~empty)
        first = np.frombuffer(content, np.uint8)[starts[candidates]]
        candidates = candidates[_list_first_bytes()[first]]
        empty[candidates] = [text.isspace() for text in texts.take(candidates).to_pylist()]
    return empty


@cache
def _list_first_bytes() -> NDArray[np.bool_]:
    """List for each byte whether white space may begin with it."""
    import numpy as np

    found = np.zeros(256, np.bool_)
    found[[character.encode("utf-8")[0] for character in map(chr, range(_LAST_SPACE + 1)) if character.isspace()]] = True
    return found
