"""A search for a good reference a few sites at a time, if all sites together take too much."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.alternatives import Site
    from errata.corpus.texts import Tokens
    from errata.ratios import Row

WIDTH = 8
"""The number of sites at a time; half of them are also among the next."""

MOST_PASSES = 3
"""The most times that all sites are visited."""

CoreSites = tuple[tuple[int, int, tuple["Tokens", ...]], ...]


class Solved(NamedTuple):
    """The best row with some variants, the variant of each site, and the work that it took."""

    row: Row | None
    """None if it takes too much."""
    variants: Sequence[int]
    work: int


def search_windows(
    tokens: Tokens,
    sites: Sequence[Site],
    solve: Callable[[CoreSites, int], Solved],
    better: Callable[[Row, Row], bool],
    most_work: int,
) -> tuple[Row, list[int]] | None:
    """Start with the uncorrected text where it is allowed, and choose the best variants of a few sites at a time.

    ``solve`` finds the best row for sites with some of their variants, with so much work; ``better`` says whether the first of two rows
    is better.  None if that takes too much.
    """
    texts = [tokens[site.start : site.end] for site in sites]
    chosen = [site.variants.index(text) if text in site.variants else 0 for site, text in zip(sites, texts, strict=True)]
    best: Row | None = None
    for _ in range(MOST_PASSES):
        before = best
        for first in range(0, len(sites), WIDTH // 2):
            window = range(first, min(first + WIDTH, len(sites)))
            narrowed = tuple(
                (site.start, site.end, site.variants if number in window else (site.variants[chosen[number]],))
                for number, site in enumerate(sites)
            )
            found = solve(narrowed, most_work)
            most_work -= found.work
            if found.row is None or most_work <= 0:
                return None
            if best is None or better(found.row, best):
                best = found.row
                chosen[window.start : window.stop] = found.variants[window.start : window.stop]
        if best == before:
            break
    return None if best is None else (best, chosen)
