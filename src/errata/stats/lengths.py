"""Scores by sentence length: sentences in groups of similar length, with about as many sentences in each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import UsageError
from errata.metrics.evidence import collect_evidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.metrics.evidence import Evidence, HasEvidence

_MOST_GROUPS = 8
_FEWEST_SENTENCES = 10
"""In a group, unless it is the only one; the value of fewer is mostly chance."""


class LengthGroup(NamedTuple):
    """The values of systems for sentences of similar length."""

    shortest: int
    """Tokens of the shortest source sentence."""
    longest: int
    sentences: int
    values: tuple[float, ...]
    """One for each system, in their order; not a number where it is undefined."""


def score_by_length(evidence: Sequence[Evidence | HasEvidence]) -> list[LengthGroup]:
    """Score groups of sentences, from the shortest to the longest; systems of one corpus and metric are given as scores or evidence.

    The value of a group is that of the sum of its counts, as if it were a corpus; references are those chosen in the whole corpus.
    """
    import numpy as np

    items = collect_evidence(evidence)
    if not items:
        return []
    corpus = items[0].corpus
    if any(item.corpus is not corpus or item.metric != items[0].metric for item in items):
        raise UsageError("scores by length must be of one corpus and one metric")
    lengths = [len(sentence.tokens) for sentence in corpus]
    groups = group_lengths(lengths)
    if not groups:
        return []
    number_of = {length: index for index, (first, last, _) in enumerate(groups) for length in range(first, last + 1)}
    members = np.array([number_of[length] for length in lengths])
    columns = []
    for item in items:
        matrix = item.matrix
        sums = np.array([matrix[members == index].sum(axis=0) for index in range(len(groups))])
        columns.append([float(value) for value in item.values(sums)])
    return [LengthGroup(*group, tuple(column[index] for column in columns)) for index, group in enumerate(groups)]


def group_lengths(lengths: Iterable[int]) -> list[tuple[int, int, int]]:
    """Group lengths into the shortest and the longest of each group, and how many there are; equal lengths are never separated.

    >>> group_lengths([*range(1, 21), 20, 20])
    [(1, 11, 11), (12, 20, 11)]
    """
    counts = sorted(Counter(lengths).items())
    total = sum(count for _, count in counts)
    wanted = max(1, min(_MOST_GROUPS, total // _FEWEST_SENTENCES))
    groups: list[tuple[int, int, int]] = []
    seen = in_groups = 0
    first = None
    for index, (length, count) in enumerate(counts):
        first = length if first is None else first
        seen += count
        following = counts[index + 1][1] if index + 1 < len(counts) else 0
        goal = total * (len(groups) + 1) / wanted
        is_near = seen >= goal or goal - seen <= seen + following - goal  # with the next length it would be further from the goal
        if not following or (is_near and min(seen - in_groups, total - seen) >= min(_FEWEST_SENTENCES, total // wanted)):
            groups.append((first, length, seen - in_groups))
            in_groups, first = seen, None
    return groups
