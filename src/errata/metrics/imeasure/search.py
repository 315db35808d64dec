"""The best reference that can be found where there are too many to be sure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.gold.alternatives import apply

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus import Tokens
    from errata.gold.alternatives import Alternative, Alternatives
    from errata.ratios import Row

MOST_TRIED = 10_000
"""References that are tried before the best so far is taken."""

MOST_TOKEN_PAIRS = 200_000_000
"""Pairs of tokens that are compared for that, so that long sentences do not take minutes."""

_FEW = 10
"""Annotators whose own references are tried in any case."""

ChosenAlternatives = list["Alternative"]


def search(
    tokens: Tokens,
    errors: Sequence[Alternatives],
    annotators: Sequence[str],
    count: Callable[[tuple[Tokens, ...]], list[Row]],
    better: Callable[[Row, Row], bool],
) -> tuple[Row, ChosenAlternatives]:
    """From the best of the annotators' own references, change one error at a time while that makes the score better.

    ``count`` gives the counts of references, ``better`` whether the first of two is better.
    """
    most = max(min(MOST_TRIED, MOST_TOKEN_PAIRS // (2 * len(tokens) ** 2 + 1)), len(annotators[:_FEW]))
    starts = [[_own(alternatives, annotator) for alternatives in errors] for annotator in annotators[:most]]
    best = _best_of(tokens, starts, count, better)
    if best is None:  # every annotator has a span twice
        best = (count((tokens,))[0], [])
    row, choice = best
    tried = len(starts)
    changed = bool(choice)
    while changed:
        changed = False
        for index, alternatives in enumerate(errors):
            if tried + len(alternatives) > most:
                return row, choice
            tried += len(alternatives)
            best = _best_of(tokens, [[*choice[:index], other, *choice[index + 1 :]] for other in alternatives], count, better)
            if best is not None and better(best[0], row):
                (row, choice), changed = best, True
    return row, choice


def _own(alternatives: Alternatives, annotator: str) -> Alternative:
    """What an annotator does about an error: leave it alone if that is all, or what another does if it must be corrected."""
    by_name = {alternative.annotator: alternative for alternative in reversed(alternatives)}
    return by_name.get(annotator) or by_name.get(None) or alternatives[0]


def _best_of(
    tokens: Tokens,
    choices: Sequence[ChosenAlternatives],
    count: Callable[[tuple[Tokens, ...]], list[Row]],
    better: Callable[[Row, Row], bool],
) -> tuple[Row, ChosenAlternatives] | None:
    """The best of several choices that give a reference, with its counts."""
    references = [(choice, reference) for choice in choices if (reference := apply(tokens, choice)) is not None]
    best: tuple[Row, ChosenAlternatives] | None = None
    for (choice, _), row in zip(references, count(tuple(reference for _, reference in references)), strict=True):
        if best is None or better(row, best[0]):
            best = (row, choice)
    return best
