"""A search for a good reference, if there are too many to prove which is the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.gold.alternatives import apply

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus import Tokens
    from errata.gold.alternatives import Alternative, Alternatives
    from errata.ratios import Row

MOST_TRIED = 10_000
"""The most references that are tried."""

MOST_TOKEN_PAIRS = 200_000_000
"""The most pairs of tokens that are compared, so that long sentences do not take minutes."""

_FEW = 10
"""The number of annotators whose references are always tried."""

ChosenAlternatives = list["Alternative"]


def search(
    tokens: Tokens,
    errors: Sequence[Alternatives],
    annotators: Sequence[str],
    count: Callable[[tuple[Tokens, ...]], list[Row]],
    better: Callable[[Row, Row], bool],
) -> tuple[Row, ChosenAlternatives]:
    """Start with the best annotator's reference, and change one error at a time while the score improves.

    ``count`` counts references, ``better`` says whether the first of two rows is better.
    """
    most = max(min(MOST_TRIED, MOST_TOKEN_PAIRS // (2 * len(tokens) ** 2 + 1)), len(annotators[:_FEW]))
    starts = [[_own(alternatives, annotator) for alternatives in errors] for annotator in annotators[:most]]
    best = _best_of(tokens, starts, count, better)
    if best is None:  # every annotator has two edits of one span
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
    """Find an annotator's alternative of an error; without one it is left uncorrected, or corrected as by another annotator."""
    by_name = {alternative.annotator: alternative for alternative in reversed(alternatives)}
    return by_name.get(annotator) or by_name.get(None) or alternatives[0]


def _best_of(
    tokens: Tokens,
    choices: Sequence[ChosenAlternatives],
    count: Callable[[tuple[Tokens, ...]], list[Row]],
    better: Callable[[Row, Row], bool],
) -> tuple[Row, ChosenAlternatives] | None:
    """Find the best of several choices, with its counts; choices that give no reference are skipped."""
    references = [(choice, reference) for choice in choices if (reference := apply(tokens, choice)) is not None]
    best: tuple[Row, ChosenAlternatives] | None = None
    for (choice, _), row in zip(references, count(tuple(reference for _, reference in references)), strict=True):
        if best is None or better(row, best[0]):
            best = (row, choice)
    return best
