"""The rule of ERRANT's alignment read literally, as slow as that is: the cost of every cell by its definition."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

from errata.corpus.parses import Parse

Operation = tuple[str, int, int, int, int]

OPEN = {"ADJ", "ADV", "NOUN", "VERB"}


@cache
def longest_common(one: str, other: str) -> int:
    """The length of a longest common subsequence: characters that are in both words in this order."""
    for size in range(min(len(one), len(other)), 0, -1):
        if {"".join(some) for some in combinations(one, size)} & {"".join(some) for some in combinations(other, size)}:
            return size
    return 0


def character_cost(one: str, other: str) -> float:
    length = len(one) + len(other)
    return (length - 2 * longest_common(one, other)) / length


def substitution_cost(source: Parse, i: int, target: Parse, j: int) -> float:
    if source.forms[i].lower() == target.forms[j].lower():
        return 0.0
    lemma = 0.0 if source.lemmas[i] == target.lemmas[j] else 0.499
    one, other = source.pos[i], target.pos[j]
    pos = 0.0 if one == other else 0.25 if one in OPEN and other in OPEN else 0.5
    return lemma + pos + character_cost(source.forms[i], target.forms[j])


def list_operations(source: Parse, target: Parse, *, linguistic: bool) -> list[Operation]:
    """All operations of the alignment, matches included, as letter, source span and target span."""

    def transposition(i: int, j: int) -> tuple[float, int] | None:
        for k in range(1, min(i, j)):
            if cell(i - k, j - k)[0] == cell(i - k - 1, j - k - 1)[0]:
                return None
            if Counter(map(str.lower, source.forms[i - k - 1 : i])) == Counter(map(str.lower, target.forms[j - k - 1 : j])):
                return cell(i - k - 1, j - k - 1)[0] + k, k + 1
        return None

    @cache
    def cell(i: int, j: int) -> tuple[float, str, int]:
        """Cost, operation and its tokens."""
        if i == 0 or j == 0:
            return float(i + j), "I" if i == 0 else "D", 1
        if source.forms[i - 1] == target.forms[j - 1]:
            return cell(i - 1, j - 1)[0], "M", 1
        ways = [
            (cell(i - 1, j - 1)[0] + (substitution_cost(source, i - 1, target, j - 1) if linguistic else 1.0), "S", 1),
            (cell(i, j - 1)[0] + 1, "I", 1),
            (cell(i - 1, j)[0] + 1, "D", 1),
        ]
        if linguistic and (found := transposition(i, j)):
            ways.insert(0, (found[0], "T", found[1]))
        return min(ways, key=lambda way: way[0])  # the first of equals

    operations: list[Operation] = []
    i, j = len(source.forms), len(target.forms)
    while i or j:
        _, letter, size = cell(i, j)
        before, target_before = i - size * (letter != "I"), j - size * (letter != "D")
        operations.insert(0, (letter, before, i, target_before, j))
        i, j = before, target_before
    return operations
