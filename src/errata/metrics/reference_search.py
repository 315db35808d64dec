"""The best reference that can be found where there are too many to be sure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.references import apply

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.choice import Row
    from errata.corpus import Tokens
    from errata.references import Alternative, Alternatives

MOST_TRIED = 10_000
"""References that are tried before the best so far is taken."""

Choice = list["Alternative"]


def search(
    tokens: Tokens,
    errors: Sequence[Alternatives],
    count: Callable[[tuple[Tokens, ...]], list[Row]],
    better: Callable[[Row, Row], bool],
) -> tuple[Row, Choice]:
    """From the best of what single annotators chose, change one error at a time while that makes the score better.

    ``count`` gives the counts of references, ``better`` whether the first of two is better.
    """
    most = min(MOST_TRIED, max(len(alternatives) for alternatives in errors))
    starts = [[alternatives[min(start, len(alternatives) - 1)] for alternatives in errors] for start in range(most)]
    row, choice = _best_of(tokens, starts, count, better) or (count((tokens,))[0], starts[0])
    tried = len(starts)
    changed = True
    while changed:
        changed = False
        for place, alternatives in enumerate(errors):
            if tried + len(alternatives) > MOST_TRIED:
                return row, choice
            tried += len(alternatives)
            found = _best_of(tokens, [[*choice[:place], other, *choice[place + 1 :]] for other in alternatives], count, better)
            if found is not None and better(found[0], row):
                (row, choice), changed = found, True
    return row, choice


def _best_of(
    tokens: Tokens,
    choices: Sequence[Choice],
    count: Callable[[tuple[Tokens, ...]], list[Row]],
    better: Callable[[Row, Row], bool],
) -> tuple[Row, Choice] | None:
    """The best of several choices that give a reference, with its counts."""
    references = [(choice, reference) for choice in choices if (reference := apply(tokens, choice)) is not None]
    best: tuple[Row, Choice] | None = None
    for (choice, _), row in zip(references, count(tuple(reference for _, reference in references)), strict=True):
        if best is None or better(row, best[0]):
            best = (row, choice)
    return best
