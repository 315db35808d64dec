"""Judgments and the outputs they are about: how sentences are numbered, and outputs that are identical.

Systems that an item joins wrote the same output, so at the right number of the first sentence their texts are equal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import MismatchError, pluralise, suggest
from errata.judgments.items import RankedOutput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.judgments.items import HumanJudgments, RankingItem

_FIRST_NUMBERS = (0, 1)


class Numbering(NamedTuple):
    """From what number sentences are counted, and what this was found from."""

    first: int | None
    """0 or 1; None if it cannot be found out."""
    compared: int
    """Neighbours among joined systems whose outputs are known."""
    equal: tuple[int, int]
    """How many of them have equal outputs if sentences are counted from 0, and from 1."""


@dataclass(frozen=True)
class FittedJudgments:
    """Judgments whose identical outputs are joined."""

    judgments: HumanJudgments
    joined: int
    """Outputs that were joined with another of the same item, because text and rank are the same."""
    contradicting: int
    """Pairs of identical outputs in one item with different ranks; they stay apart."""
    different: int
    """Joined systems whose outputs differ from the first of them; they stay joined."""


def compare_names(judged: Sequence[str], given: Sequence[str]) -> tuple[list[str], list[str]]:
    """List systems that have judgments only, and those that have an output only; similar names are suggested."""
    only_judged = [f"{name}{suggest(name, [other for other in given if other not in judged])}" for name in judged if name not in given]
    return only_judged, [name for name in given if name not in judged]


def find_numbering(judgments: HumanJudgments, outputs: Mapping[str, Sequence[str]]) -> Numbering:
    """Find out whether sentences are counted from 0 or 1: joined systems have equal outputs."""
    equal: Counter[int] = Counter()
    compared = 0
    for item in judgments.items:
        for output in item.outputs:
            known = [outputs[name] for name in output.systems if name in outputs]
            for one, other in pairwise(known):
                compared += 1
                for first in _FIRST_NUMBERS:
                    index = item.sentence - first
                    equal[first] += 0 <= index < len(one) and one[index] == other[index]
    best = max(_FIRST_NUMBERS, key=lambda first: equal[first])
    sure = equal[best] > sum(equal.values()) - equal[best]
    return Numbering(best if sure else None, compared, (equal[0], equal[1]))


def join_identical(judgments: HumanJudgments, outputs: Mapping[str, Sequence[str]], first: int) -> FittedJudgments:
    """Join outputs of an item that have the same text and rank; systems without an output stay as they are."""
    length = min(map(len, outputs.values()))
    last = length - 1 + first
    for item in judgments.items:
        if not first <= item.sentence <= last:
            about = f"sentences are counted from {first}, and the outputs have {pluralise(length, 'sentence')}"
            raise MismatchError(f"{item.path}:{item.line}: there is no sentence {item.sentence}: {about}")
    counts: Counter[str] = Counter()
    items = tuple(_join_item(item, outputs, first, counts) for item in judgments.items)
    joined = replace(judgments, items=items, single=sum(len(item.outputs) == 1 for item in items))
    return FittedJudgments(joined, counts["joined"], counts["contradicting"], counts["different"])


def _join_item(item: RankingItem, outputs: Mapping[str, Sequence[str]], first: int, counts: Counter[str]) -> RankingItem:
    kept: list[RankedOutput] = []
    by_text: dict[tuple[str, int], int] = {}
    ranks: dict[str, set[int]] = {}
    for output in item.outputs:
        texts = [outputs[name][item.sentence - first] for name in output.systems if name in outputs]
        counts["different"] += sum(text != texts[0] for text in texts[1:])
        if not texts:
            kept.append(output)
            continue
        counts["contradicting"] += len(ranks.setdefault(texts[0], set()) - {output.rank})
        ranks[texts[0]].add(output.rank)
        key = (texts[0], output.rank)
        if key in by_text:
            before = kept[by_text[key]]
            kept[by_text[key]] = RankedOutput((*before.systems, *output.systems), output.rank)
            counts["joined"] += 1
        else:
            by_text[key] = len(kept)
            kept.append(output)
    return item._replace(outputs=tuple(kept))
