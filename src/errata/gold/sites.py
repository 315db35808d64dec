"""The sites of a sentence: spans where its references differ, each with its possible texts.

Sites are independent: every choice of one text per site is a mixed reference.
Errors whose spans overlap share a site; this can happen although errors are found by overlap.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from errata.gold.alternatives import Alternative, Alternatives, Replacement, apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.texts import Tokens


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

    A correction that would leave no token is skipped.  So if the sites together may leave none, all errors share a site.

    >>> from errata import Edit, Sentence
    >>> from errata.gold.alternatives import group_errors
    >>> sentence = Sentence.of("This machines is .", [Edit(0, 1, ("These",)), Edit(2, 3, ("are",))], [Edit(1, 2, ("machine",))])
    >>> find_sites(sentence.tokens, group_errors(sentence), 1024)[1].variants
    (('machine',), ('machines',))
    """
    extents = _find_extents(tokens, errors)
    if any(count_combinations(group) > most for _, group in extents):
        return None
    sites = [_make_site(tokens, start, end, group) for (start, end), group in extents]
    if not _cover(tokens, extents) or any(site.start and all(site.variants) for site in sites):
        return sites
    return None if count_combinations(errors) > most else [_make_site(tokens, 0, len(tokens), errors, keep=True)]


class SeparateSites(NamedTuple):
    """Sites that are independent, whatever else they leave of the sentence."""

    sites: list[Site]
    alone: tuple[Tokens, ...] = ()
    """The texts of the sentence if all sites but the first have no token left; empty if some token is in no site."""


def find_separate_sites(tokens: Tokens, errors: Sequence[Alternatives], most: int) -> SeparateSites | None:
    """Find the sites of a sentence even if they cover it; None if a site has more than ``most`` choices."""
    extents = _find_extents(tokens, errors)
    covered = _cover(tokens, extents)
    if covered and len(extents) > 1 and extents[0][0] == (0, 0):  # an insertion before the first word, which is kept if no other is left
        (_, inserted), (span, group) = extents[:2]
        extents[:2] = [(span, [*inserted, *group])]
    if any(count_combinations(group) > most for _, group in extents):
        return None
    sites = [_make_site(tokens, start, end, group, keep=False) for (start, end), group in extents]
    if not covered:
        return SeparateSites(sites)
    (_, end), group = extents[0]
    return SeparateSites(sites, _make_site(tokens, 0, end, group, keep=True).variants)


_Extent = tuple[tuple[int, int], list[Alternatives]]


def _find_extents(tokens: Tokens, errors: Sequence[Alternatives]) -> list[_Extent]:
    """Find the spans in which errors may change a sentence, each with its errors."""
    groups = _join_spans(sorted((_Group(error) for error in errors), key=lambda group: (group.start, group.end)))
    return [((group.start, min(group.end, len(tokens))), group.errors) for group in groups]


def _cover(tokens: Tokens, extents: list[_Extent]) -> bool:
    """Tell whether every token is inside a span."""
    return bool(extents) and len(tokens) == sum(end - start for (start, end), _ in extents)


class _Group:
    """Errors that depend on each other, and the span in which they may change a sentence; it may end after the sentence.

    Overlapping edits, applied one after the other, reach to the right of their spans: each token in two spans may take one more.
    """

    def __init__(self, error: Alternatives) -> None:
        alternatives = [alternative.replacements for alternative in error]
        spans = [(start, end) for replacements in alternatives for start, end, _ in replacements]
        self.errors = [error]
        self.start = min(start for start, _ in spans)
        self.insertions = {start for start, end in spans if start == end}
        self._last = max(end for _, end in spans)
        self._twice = max(_count_twice(replacements) for replacements in alternatives)

    @property
    def end(self) -> int:
        """The end of the span."""
        return self._last + self._twice

    def meets(self, following: _Group) -> bool:
        """Tell whether it reaches into the following group, or inserts at the same position."""
        return following.start < self.end or not self.insertions.isdisjoint(following.insertions)

    def join(self, other: _Group) -> None:
        """Add the errors of another group."""
        self.errors += other.errors
        self.insertions |= other.insertions
        self._twice += other._twice + max(min(self._last, other._last) - max(self.start, other.start), 0)
        self._last = max(self._last, other._last)


def _count_twice(replacements: Sequence[Replacement]) -> int:
    """Count the tokens in several spans, once for each span but the first."""
    twice = done = 0
    for start, end, _ in replacements:
        twice += max(min(end, done) - start, 0)
        done = max(end, done)
    return twice


def _join_spans(groups: Iterable[_Group]) -> list[_Group]:
    """Join groups, sorted by their spans, that reach into each other or insert at the same position."""
    joined: list[_Group] = []
    for group in groups:
        joined.append(group)
        while len(joined) > 1 and joined[-2].meets(joined[-1]):
            last = joined.pop()
            joined[-1].join(last)
    return joined


def _make_site(tokens: Tokens, start: int, end: int, errors: Sequence[Alternatives], *, keep: bool = False) -> Site:
    """Make a site of all choices of alternatives; with ``keep`` a correction that would leave no token is skipped."""
    texts: dict[Tokens, tuple[Alternative, ...]] = {}
    for choice in product(*errors):
        text = apply(tokens[start:end], choice, start, keep=keep)
        if text is not None:
            texts.setdefault(text, choice)
    if not texts:
        return Site(start, end, (tokens[start:end],), ((),), possible=False)
    return Site(start, end, tuple(texts), tuple(texts.values()))
