"""Which operations of an alignment are one edit: the rules of ERRANT (Felice et al. 2016), and three simple strategies.

A run is operations without a match between them.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Literal

from errata.core import merge_by_rules
from errata.corpus.parses import Span, join_spans
from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.parses import Parse

MergeName = Literal["rules", "all-split", "all-merge", "all-equal"]


def merge_operations(operations: Sequence[Span], source: Parse | None, target: Parse | None, strategy: MergeName = "rules") -> list[Span]:
    """Merge the operations of an alignment to edits; only the rules need the parses.

    >>> operations = [Span(0, 1, 0, 1), Span(1, 1, 1, 2), Span(4, 5, 5, 5)]
    >>> merge_operations(operations, None, None, "all-merge")
    [Span(start=0, end=1, target_start=0, target_end=2), Span(start=4, end=5, target_start=5, target_end=5)]
    """
    if strategy == "all-split":
        return list(operations)
    if strategy == "all-merge":
        return [join_spans(run[0], run[-1]) for run in _list_runs(operations)]
    if strategy == "all-equal":
        equal = (list(same) for run in _list_runs(operations) for _, same in groupby(run, key=_kind))
        return [join_spans(same[0], same[-1]) for same in equal]
    if source is None or target is None:
        raise UsageError("merge=rules needs the parses of both texts")
    sides = ((side.forms, side.pos, side.tags) for side in (source, target))
    try:
        return list(map(Span._make, merge_by_rules(operations, *sides)))
    except OverflowError as error:
        raise RequestError(str(error)) from None


def _kind(operation: Span) -> tuple[int, int]:
    """The tokens on both sides: (1, 0) for a deletion, (0, 1) for an insertion, (1, 1) for a substitution, else a transposition."""
    return operation.end - operation.start, operation.target_end - operation.target_start


def _list_runs(operations: Sequence[Span]) -> list[list[Span]]:
    runs: list[list[Span]] = []
    end = target_end = -1
    for operation in operations:
        if operation[0] == end and operation[2] == target_end:
            runs[-1].append(operation)
        else:
            runs.append([operation])
        _, end, _, target_end = operation
    return runs
