"""The sites of a sentence: spans where its references differ, each with its possible texts.

Sites are independent: every choice of one text per site is a mixed reference.
Errors whose spans overlap share a site; this can happen although errors are found by overlap.
"""

from __future__ import annotations

from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from errata.gold.alternatives import Alternative, Alternatives, apply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus import Tokens


class Site(NamedTuple):
    """A span with several possible texts."""

    start: int
    end: int
    variants: tuple[Tokens, ...]
    """The distinct texts."""
    choices: tuple[tuple[Alternative, ...], ...] = ()
    """For each text, the first choice of one alternative per error that produces it."""
    possible: bool = True
    """Whether a valid choice exists; if every choice has a span twice, the text is unchanged."""

    @property
    def in_core(self) -> tuple[int, int, tuple[Tokens, ...]]:
        """The site as an argument of the core."""
        return self.start, self.end, self.variants


def count_combinations(errors: Sequence[Alternatives]) -> int:
    """Count the choices of one alternative per error."""
    return prod(len(alternatives) for alternatives in errors)


def find_sites(tokens: Tokens, errors: Sequence[Alternatives], most: int) -> list[Site] | None:
    """Find the sites of a sentence from left to right; None if a site has more than ``most`` choices.

    >>> from errata import Edit, Sentence
    >>> from errata.gold.alternatives import group_errors
    >>> sentence = Sentence.of("This machines is .", [Edit(0, 1, ("These",)), Edit(2, 3, ("are",))], [Edit(1, 2, ("machine",))])
    >>> find_sites(sentence.tokens, group_errors(sentence), 1024)[1].variants
    (('machine',), ('machines',))
    """
    groups = [[error] for error in errors]
    while True:
        reaches = sorted(((_reach(group), group) for group in groups), key=lambda item: item[0])
        groups = _join_spans(reaches)
        if len(groups) == len(reaches):
            break
    extents = [((start, min(end, len(tokens))), group) for (start, end), group in reaches]
    outside = len(tokens) - sum(end - start for (start, end), _ in extents)
    if outside == 0 and errors:  # a correction that would leave no token is skipped, so all errors depend on each other
        extents = [((0, len(tokens)), list(errors))]
    if any(count_combinations(group) > most for _, group in extents):
        return None
    return [_make_site(tokens, start, end, group) for (start, end), group in extents]


_Extent = tuple[int, int]


def _join_spans(reaches: Sequence[tuple[_Extent, list[Alternatives]]]) -> list[list[Alternatives]]:
    """Join groups that reach into each other or insert at the same position."""
    groups: list[list[Alternatives]] = []
    reached = 0
    inserted: set[int] = set()  # by the last group
    for (start, end), group in reaches:
        own = _find_insertions(group)
        if groups and (start < reached or not inserted.isdisjoint(own)):
            groups[-1] += group
            inserted |= own
        else:
            groups.append(list(group))
            inserted = own
        reached = max(reached, end)
    return groups


def _find_insertions(errors: Sequence[Alternatives]) -> set[int]:
    """Find the positions of insertions."""
    return {edit.start for error in errors for alternative in error for edit in alternative.edits if edit.start == edit.end}


def _reach(errors: Sequence[Alternatives]) -> _Extent:
    """Find the span in which errors may change a sentence; it may end after the sentence.

    Overlapping edits, applied one after the other, reach to the right of their spans by the number of deleted tokens.
    """
    alternatives = [[alternative.replacements for alternative in error] for error in errors]
    spans = [(start, end) for error in alternatives for replacements in error for start, end, _ in replacements]
    last = max(end for _, end in spans)
    if len(errors) > 1 or any(one[1] > other[0] for replacements in alternatives[0] for one, other in pairwise(replacements)):
        last += sum(max(sum(end - start for start, end, _ in replacements) for replacements in error) for error in alternatives)
    return min(start for start, _ in spans), last


def _make_site(tokens: Tokens, start: int, end: int, errors: Sequence[Alternatives]) -> Site:
    texts: dict[Tokens, tuple[Alternative, ...]] = {}
    for choice in product(*errors):
        text = apply(tokens[start:end], choice, start, keep=end - start == len(tokens))
        if text is not None:
            texts.setdefault(text, choice)
    if not texts:
        return Site(start, end, (tokens[start:end],), ((),), possible=False)
    return Site(start, end, tuple(texts), tuple(texts.values()))
