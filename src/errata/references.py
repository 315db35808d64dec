"""The reference sentences that annotations stand for: each annotator's own, or all that mix their corrections.

Edits of all annotators are grouped into errors: the longest span first, an edit joins the first error that has an edit it
overlaps (Felice and Briscoe 2015, sections 2.1 and 3).  Inside an error the edits of one annotator are one alternative; where
not every annotator has one, leaving the error alone is an alternative too.  A mixed reference takes one alternative of every error.
Of several corrections in one edit the first is used.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus import Edit, Sentence, Tokens

Alternative = tuple[tuple[int, int, tuple[str, ...]], ...]
"""Spans and the tokens that replace them."""


def errors_of(sentence: Sentence) -> list[list[Alternative]]:
    """The errors of a sentence, each with its alternatives in the order of the annotators.

    >>> from errata import Edit, Sentence
    >>> sentence = Sentence.of("This machines is", [Edit(0, 1, ("These",)), Edit(2, 3, ("are",))], [Edit(1, 2, ("machine",))])
    >>> [len(alternatives) for alternatives in errors_of(sentence)]
    [2, 2, 2]
    """
    order = {annotation.annotator: place for place, annotation in enumerate(sentence.annotations)}
    everything = [(edit, annotation.annotator) for annotation in sentence.annotations for edit in annotation.edits]
    everything.sort(key=lambda item: item[0].start - item[0].end)
    places = _Places()
    groups: list[dict[str, list[Edit]]] = []
    for edit, annotator in everything:
        number = places.first_error(edit)
        if number is None:
            number = len(groups)
            groups.append({})
        groups[number].setdefault(annotator, []).append(edit)
        places.add(edit, number)
    errors = []
    for group in groups:
        alternatives = [_joined(group[annotator]) for annotator in sorted(group, key=order.__getitem__)]
        errors.append(alternatives if len(alternatives) == len(order) else [*alternatives, ()])
    return errors


class _Places:
    """Which error is the first that has an edit at a place.

    Two spans overlap when they share a token; an insertion overlaps a span strictly inside it, and another at the same place.
    """

    def __init__(self) -> None:
        self._tokens: dict[int, int] = {}
        self._inside: dict[int, int] = {}
        """Between two tokens of one span."""
        self._insertions: dict[int, int] = {}

    def first_error(self, edit: Edit) -> int | None:
        """The first error that has an edit which overlaps this one."""
        if edit.start == edit.end:
            found = [self._insertions.get(edit.start), self._inside.get(edit.start)]
        else:
            found = [self._tokens.get(token) for token in range(edit.start, edit.end)]
            found += [self._insertions.get(place) for place in range(edit.start + 1, edit.end)]
        return min((number for number in found if number is not None), default=None)

    def add(self, edit: Edit, number: int) -> None:
        """Remember where an edit of an error is."""
        if edit.start == edit.end:
            places = [(self._insertions, edit.start)]
        else:
            places = [(self._tokens, token) for token in range(edit.start, edit.end)]
            places += [(self._inside, place) for place in range(edit.start + 1, edit.end)]
        for known, place in places:
            known[place] = min(number, known.get(place, number))


def _joined(edits: Iterable[Edit]) -> Alternative:
    """Identical spans joined in order."""
    spans: dict[tuple[int, int], tuple[str, ...]] = {}
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        span = (edit.start, edit.end)
        spans[span] = spans.get(span, ()) + tuple(edit.corrections[0].split())
    return tuple((start, end, tokens) for (start, end), tokens in spans.items())


def apply(tokens: Tokens, choice: Sequence[Alternative]) -> Tokens | None:
    """A sentence with one alternative of every error, from right to left; None where they contain the same span twice.

    A correction that would leave an empty sentence is skipped.
    """
    edits = [edit for alternative in choice for edit in alternative]
    if len({(start, end) for start, end, _ in edits}) != len(edits):
        return None
    result = tokens
    for start, end, new in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        result = (*result[:start], *new, *result[end:]) or result
    return result


def single_references(sentence: Sentence) -> list[Tokens]:
    """Each annotator's own correction, equal ones once; the source if nobody annotated the sentence."""
    own = [apply(sentence.tokens, [_joined(annotation.edits)]) for annotation in sentence.annotations]
    return list(dict.fromkeys(tokens for tokens in own if tokens is not None)) or [sentence.tokens]


def combinations(errors: Sequence[Sequence[Alternative]]) -> int:
    """How many ways there are to take one alternative of every error."""
    return prod(len(alternatives) for alternatives in errors)


def mixed_references(tokens: Tokens, errors: Sequence[Sequence[Alternative]]) -> Iterator[Tokens]:
    """Every reference that mixes the alternatives of errors, equal ones once."""
    seen: dict[Tokens, None] = {}
    for choice in product(*errors):
        reference = apply(tokens, choice)
        if reference is not None and reference not in seen:
            seen[reference] = None
            yield reference
