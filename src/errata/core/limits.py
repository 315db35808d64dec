"""How much work or memory one input may take; twin of ``native/limits.hpp``.

An input that needs more is refused, or solved in a cheaper way.
Core and twin count the same quantities, so they refuse the same inputs.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_WORK = 300_000_000
"""Vertices visited and words compared to match the gold of all annotators of a sentence."""
MOST_SEARCHED = 1 << 32
"""States and arcs visited to find the best paths for all annotators of a sentence."""
MOST_STEPS = 1 << 28
"""States of all vertices in the one pass of MaxMatch."""
MOST_ARCS = 250_000
"""Arcs of the literal search of MaxMatch."""

MOST_TEXT_TOKENS = 4_000
"""Tokens of a text; time and memory grow with its square."""

MOST_PAIRS = 1 << 27
"""Pairs of positions of two of three sentences."""
MOST_ALIGNED = 1 << 28
"""Cells of one three-way alignment."""
MOST_ALIGNMENT_WORK = 1 << 28
"""Work in cells for references of a sentence that are aligned one by one."""
MOST_CELLS = 1 << 27
"""Work for alignments with branches or references of a sentence with mixed references, in cells."""
MOST_BOUNDS = 1 << 26
"""Bounds of positions and of cells for a sentence with mixed references."""
MOST_BEGINNINGS = 1 << 25
"""Work for beginnings of mixed references in cells, and as much for the rows of blocks."""

MOST_MEETINGS = 1_000_000_000
"""Comparisons of a set of words with one of the other text, once for each aligned word."""
MOST_MATCHES = 2_000_000
"""Stored matches of sets of words."""


MOST_EDIT_STEPS = 1 << 31
"""Characters of one list of words times blocks of 64 characters of the other."""

MOST_NGRAMS = 1 << 24
"""N-grams of a source and its references, or of a hypothesis: tokens times the order."""

MOST_ALIGNMENT_CELLS = 1 << 26
"""Cells of one linguistic alignment."""
MOST_ALIGNMENT_STEPS = 1 << 31
"""Characters of the source times blocks of 64 characters of the target words, and tokens looked back at for transpositions."""

MOST_RUN_OPERATIONS = 2_000
"""Operations in a row that are merged; time grows with the square."""


@contextmanager
def name_sentence(number: int) -> Iterator[None]:
    """Add the number of the sentence, counted from 1, to an error."""
    try:
        yield
    except OverflowError as error:
        message = f"sentence {number} cannot be scored: {error}"
        raise OverflowError(message) from None
