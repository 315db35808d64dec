"""Which sentences are in a page: all, those that are asked for, or an even sample if there are too many."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SENTENCES = 100_000
"""Sentences that are in a page if no others are asked for; with more it would be slow to open."""


def sample_evenly(size: int, most: int = MOST_SENTENCES) -> Sequence[int]:
    """Choose indices at equal distances; all if there are not too many.

    >>> list(sample_evenly(3, 5)), list(sample_evenly(10, 4))
    ([0, 1, 2], [0, 2, 5, 7])
    """
    return range(size) if size <= most else [number * size // most for number in range(most)]


def describe_sample(shown: int, size: int) -> str:
    """Say that not all sentences are in a page, and which are."""
    return f"Sentences: an even sample of {shown:,} of {size:,}. All numbers are of all sentences."


def describe_choice(shown: int, size: int, written: str) -> str:
    """Say which sentences were asked for."""
    return f"Sentences: only those asked for are listed, {shown:,} of {size:,} ({written}). All numbers are of all sentences."
