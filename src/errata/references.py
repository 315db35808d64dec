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
    everything = [(edit, annotation.annotator) for annotation in sentence.annotations for edit in annotation.edits]
    everything.sort(key=lambda item: item[0].start - item[0].end)
    groups: list[list[tuple[Edit, str]]] = []
    for edit, annotator in everything:
        group = next((group for group in groups if any(_same_place(edit, other) for other, _ in group)), None)
        if group is None:
            groups.append([(edit, annotator)])
        else:
            group.append((edit, annotator))
    errors = []
    for group in groups:
        own = {
            annotation.annotator: [edit for edit, annotator in group if annotator == annotation.annotator]
            for annotation in sentence.annotations
        }
        alternatives = [_joined(edits) for edits in own.values() if edits]
        errors.append(alternatives if len(alternatives) == len(own) else [*alternatives, ()])
    return errors


def _same_place(one: Edit, other: Edit) -> bool:
    """Equal spans, a shared token, or an insertion strictly inside a span."""
    if one.start == one.end and other.start == other.end:
        return one.start == other.start
    return (one.start, one.end) == (other.start, other.end) or one.overlaps(other)


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
