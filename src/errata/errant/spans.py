"""Where two texts differ."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """Tokens of the source, and the tokens of the target that replace them; an operation of an alignment is one, too.

    >>> span = Span(1, 2, 1, 3)
    >>> "I likes cake".split()[slice(*span[:2])], "I do like cake".split()[slice(*span[2:])]
    (['likes'], ['do', 'like'])
    """

    start: int
    end: int
    target_start: int
    target_end: int


def join_spans(first: Span, last: Span) -> Span:
    """Join two spans and all between them.

    >>> join_spans(Span(1, 2, 1, 1), Span(2, 2, 1, 3))
    Span(start=1, end=2, target_start=1, target_end=3)
    """
    return Span(first.start, last.end, first.target_start, last.target_end)
