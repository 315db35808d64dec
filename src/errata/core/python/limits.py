"""How much work or memory one input may take; twin of ``native/limits.hpp``.

What needs more is refused, or solved in a way that takes less.
Core and twin count the same quantities, so that they refuse or give up on the same inputs.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_WORK = 300_000_000
"""Vertices visited to match the gold spans of all annotators of a sentence."""
MOST_STEPS = 1 << 28
"""States of all vertices in the one pass of MaxMatch."""
MOST_ARCS = 250_000
"""Arcs of the literal search of MaxMatch."""

MOST_ALIGNED = 1 << 28
"""Cells of one three-way alignment."""
MOST_CELLS = 1 << 27
"""Cells that are visited for a sentence with mixed references."""
MOST_BOUNDS = 1 << 26
"""Bounds of positions that are kept for a sentence with mixed references."""

MOST_MEETINGS = 1_000_000_000
"""Meetings of a set of words with one of the other text, once for each aligned word."""
MOST_MATCHES = 2_000_000
"""Matches of sets of words that are kept."""


@contextmanager
def name_sentence(number: int) -> Iterator[None]:
    """Say which sentence is refused; the first is 1."""
    try:
        yield
    except OverflowError as error:
        message = f"sentence {number} cannot be scored: {error}"
        raise OverflowError(message) from None
