"""The sets of words of another text that match each set of words best, by the aligned words that both have."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from errata.core.python.limits import MOST_MATCHES, MOST_MEETINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_WORDS = 10_000_000


def find_best_matches(
    sets: Sequence[tuple[int, ...]],
    others: Sequence[tuple[int, ...]],
    aligned: Sequence[tuple[int, int]],
    by_share: bool,  # noqa: FBT001 - as in the core
    *,
    most_meetings: int = MOST_MEETINGS,
    most_matches: int = MOST_MATCHES,
) -> list[tuple[int, ...]]:
    """Find for each set of words all others that match it best, by F1 of the aligned words that both have, or by the share of their own."""
    _check(sets, others, aligned)
    holders: dict[int, list[int]] = {}
    for number, words in enumerate(others):
        for word in words:
            holders.setdefault(word, []).append(number)
    partners: dict[int, list[int]] = {}
    for one, other in aligned:
        partners.setdefault(one, []).append(other)
    result: list[tuple[int, ...]] = []
    meetings = matches = 0
    for words in sets:
        shared: Counter[int] = Counter()
        for word in words:
            for partner in partners.get(word, ()):
                shared.update(holders.get(partner, ()))
        meetings += shared.total()
        if meetings > most_meetings:
            raise OverflowError("the graphs are too deep to be aligned in seconds; cut them into sentences")
        scores = {other: Fraction(count, len(others[other]) + (0 if by_share else len(words))) for other, count in shared.items()}
        best = max(scores.values(), default=None)
        result.append(tuple(sorted(other for other, score in scores.items() if score == best)))
        matches += len(result[-1])
        if matches > most_matches:
            raise OverflowError("too many units have the same words to be aligned; cut the graphs into sentences")
    return result


def _check(*sequences: Sequence[tuple[int, ...]]) -> None:
    for sets in sequences:
        for words in sets:
            if not isinstance(words, tuple):
                raise TypeError("a set of words must be a tuple")
            if any(word < 0 for word in words):
                raise ValueError("a word is a position in a text and cannot be negative")
            if any(word >= _MOST_WORDS for word in words):
                raise ValueError("a word is a position in a text of at most ten million words")
