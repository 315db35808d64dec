"""The choice of the reference that each sentence is scored against, for all metrics.

A metric gives each sentence one row of counts for every reference; a rule picks one row per sentence, and the picked rows are
summed.  The rule maximises a ratio of weighted sums, such as F = (1+b²)c / (p + b²g).

- ``official``: sentence by sentence in file order, the row that maximises the ratio so far (Ng et al. 2013, section 4).
  Greedy, so the result depends on the order of the sentences.
- ``sentence``: the row with the largest ratio in each sentence alone.
- ``optimal``: the rows that maximise the ratio of the whole corpus.

Ties go to the larger numerator, then to the smaller denominator, then to the first row.
A ratio of 0/0 (nothing proposed, nothing to find) is 1.  All arithmetic is in whole numbers, so ties are exact.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Literal

from errata.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.ratios import Ratio, Row

Rule = Literal["official", "optimal", "sentence"]
RULES: dict[Rule, str] = {
    "official": "greedy, in file order, like the official scorer",
    "optimal": "the best of all choices for the whole corpus",
    "sentence": "the best for each sentence alone",
}


def choose(sentences: Sequence[Sequence[Row]], ratio: Ratio, rule: Rule) -> list[int]:
    """Choose a row for each sentence, and return their indices.

    >>> from errata.ratios import make_edit_ratios
    >>> choose([[(0, 1, 2), (0, 1, 1)], [(1, 1, 1), (1, 1, 3)]], make_edit_ratios(1.0).f, "official")
    [1, 0]
    """
    if not set(map(len, chain.from_iterable(sentences))) <= {len(ratio.numerator)} or not all(sentences):
        raise ValueError("every sentence must have at least one row, and every row as many counts as the ratio has weights")
    weighed = iter(ratio.of_all(chain.from_iterable(sentences)))
    pairs = [list(islice(weighed, len(rows))) for rows in sentences]
    if rule == "official":
        return _official(pairs)
    if rule == "sentence":
        return [_best(rows) for rows in pairs]
    if rule == "optimal":
        return _optimal(pairs)
    raise UsageError(f"unknown rule of choice {rule!r}; choose from {', '.join(RULES)}")


_Pair = tuple[int, int]


def _better(one: _Pair, other: _Pair) -> bool:
    """Whether a ratio is better than another, after the rules for ties."""
    left = (one[0] if one[1] else 1) * (other[1] or 1)
    right = (other[0] if other[1] else 1) * (one[1] or 1)
    if left != right:
        return left > right
    return (one[0], -one[1]) > (other[0], -other[1])


def _best(pairs: Sequence[_Pair], before: _Pair = (0, 0)) -> int:
    best, best_sum = 0, (before[0] + pairs[0][0], before[1] + pairs[0][1])
    for index in range(1, len(pairs)):
        candidate = (before[0] + pairs[index][0], before[1] + pairs[index][1])
        if _better(candidate, best_sum):
            best, best_sum = index, candidate
    return best


def _official(sentences: Sequence[Sequence[_Pair]]) -> list[int]:
    above = below = 0
    chosen = []
    for pairs in sentences:
        index = _best(pairs, (above, below)) if pairs.count(pairs[0]) < len(pairs) else 0
        above += pairs[index][0]
        below += pairs[index][1]
        chosen.append(index)
    return chosen


def _optimal(sentences: Sequence[Sequence[_Pair]]) -> list[int]:
    """Choose by Dinkelbach's method: take the rows with the largest numerator - ratio * denominator, then their ratio, and repeat.

    The ratio grows in every round but the last, and the number of choices is finite, so the last ratio is the maximum.
    """
    nothing_at_all = [next((index for index, pair in enumerate(pairs) if pair == (0, 0)), None) for pairs in sentences]
    above, below = 0, 1
    while True:
        chosen = [
            max(range(len(pairs)), key=lambda k, pairs=pairs: (pairs[k][0] * below - above * pairs[k][1], pairs[k][0], -pairs[k][1], -k))  # type: ignore[misc]
            for pairs in sentences
        ]
        new_above, new_below = _sum(sentences, chosen)
        if new_above * below == above * new_below:
            break
        above, below = new_above, new_below
    if above < below and None not in nothing_at_all:
        return [index for index in nothing_at_all if index is not None]
    return chosen


def _sum(sentences: Sequence[Sequence[_Pair]], chosen: Sequence[int]) -> _Pair:
    picked = [pairs[index] for pairs, index in zip(sentences, chosen, strict=True)]
    return sum(pair[0] for pair in picked), sum(pair[1] for pair in picked)
