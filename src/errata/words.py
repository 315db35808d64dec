"""Counted nouns in messages."""

from __future__ import annotations


def pluralise(count: int, noun: str, plural: str = "") -> str:
    """Format a count with its noun, in the singular or the plural.

    >>> pluralise(1, "graph"), pluralise(1312, "sentence"), pluralise(0, "query", "queries")
    ('1 graph', '1,312 sentences', '0 queries')
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
