"""Pairs that a ranking decides: of outputs (collapsed), or of the systems that wrote them (expanded)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errata.judgments.items import RankingItem

PairKind = Literal["collapsed", "expanded"]
"""What a pair is: two outputs (collapsed), or two systems, those of the same output included (expanded)."""
PAIR_KINDS: tuple[PairKind, ...] = get_args(PairKind)
"""All values of :data:`PairKind`."""


class JudgedPair(NamedTuple):
    """Two outputs or systems in the order of the alphabet: 1 if the first is better, -1 if the second is, 0 for a tie."""

    sentence: int
    judge: str
    first: str
    second: str
    outcome: int


class PairCounts(NamedTuple):
    """How many pairs there are, and how many of them are ties."""

    pairs: int
    ties: int


def list_pairs(item: RankingItem, kind: PairKind) -> Iterator[JudgedPair]:
    """List the pairs of an item; outputs are named by their systems, as the file joins them."""
    if kind == "collapsed":
        named = [(",".join(output.systems), output.rank) for output in item.outputs]
    else:
        named = [(name, output.rank) for output in item.outputs for name in output.systems]
    for (one, rank), (other, other_rank) in combinations(named, 2):
        outcome = (rank < other_rank) - (rank > other_rank)
        if one <= other:
            yield JudgedPair(item.sentence, item.judge, one, other, outcome)
        else:
            yield JudgedPair(item.sentence, item.judge, other, one, -outcome)


def count_judged_pairs(items: Iterable[RankingItem], kind: PairKind) -> PairCounts:
    """Count the pairs of items, and how many of them are ties."""
    outcomes = [pair.outcome for item in items for pair in list_pairs(item, kind)]
    return PairCounts(len(outcomes), outcomes.count(0))
