"""A search for a good reference, one error at a time, if there are too many to prove which is the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.alternatives import apply

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.alternatives import Alternative, Alternatives
    from errata.corpus.texts import Tokens
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
    *,
    improve: bool = True,
) -> tuple[Row, ChosenAlternatives]:
    """Start with the best annotator's reference, and change one error at a time while the score improves.

    ``count`` counts references, or only the first of them if the others would take too much work; ``better`` says whether the first of
    two rows is better.  Without ``improve`` it is the best annotator's reference.
    """
    most = max(min(MOST_TRIED, MOST_TOKEN_PAIRS // (2 * len(tokens) ** 2 + 1)), len(annotators[:_FEW]))
    trial = _Trial(tokens, count, better)
    starts = list_starts(errors, annotators[:most])
    best = trial.find_best(starts)
    if best is None:  # every annotator has two edits of one span
        return count((tokens,))[0], []
    row, choice = best
    tried = len(starts)
    changed = improve and bool(choice)
    while changed:
        changed = False
        for index, alternatives in enumerate(errors):
            if tried + len(alternatives) > most or trial.exhausted:
                return row, choice
            tried += len(alternatives)
            best = trial.find_best([[*choice[:index], other, *choice[index + 1 :]] for other in alternatives])
            if best is not None and better(best[0], row):
                (row, choice), changed = best, True
    return row, choice


def list_starts(errors: Sequence[Alternatives], annotators: Sequence[str]) -> list[ChosenAlternatives]:
    """List each annotator's alternatives; an error without one is left uncorrected, or corrected as by another annotator."""
    by_name = [{alternative.annotator: alternative for alternative in reversed(alternatives)} for alternatives in errors]
    otherwise = [own.get(None) or alternatives[0] for own, alternatives in zip(by_name, errors, strict=True)]
    return [[own.get(annotator) or other for own, other in zip(by_name, otherwise, strict=True)] for annotator in annotators]


class _Trial:
    """References of one sentence that are tried until the work is too much."""

    def __init__(self, tokens: Tokens, count: Callable[[tuple[Tokens, ...]], list[Row]], better: Callable[[Row, Row], bool]) -> None:
        self._tokens = tokens
        self._count = count
        self._better = better
        self.exhausted = False
        """Whether more references would take too much work."""

    def find_best(self, choices: Sequence[ChosenAlternatives]) -> tuple[Row, ChosenAlternatives] | None:
        """Find the best of several choices, with its counts; choices that give no reference are skipped."""
        references = [(choice, reference) for choice in choices if (reference := apply(self._tokens, choice)) is not None]
        rows = self._count(tuple(reference for _, reference in references))
        self.exhausted = len(rows) < len(references)
        best: tuple[Row, ChosenAlternatives] | None = None
        for (choice, _), row in zip(references, rows, strict=False):
            if best is None or self._better(row, best[0]):
                best = (row, choice)
        return best
