"""The errors of a sentence, their alternatives, and the resulting references.

Edits of all annotators are grouped into errors: the longest span first, an edit joins the first error with an overlapping edit
(Felice and Briscoe 2015, sections 2.1 and 3), unless the gold names the errors of its edits.
Inside an error, the edits of one annotator are one alternative; if some annotator has none, leaving the error uncorrected is an
alternative too.  A mixed reference takes one alternative of every error.  If an edit has several corrections, the first is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.texts import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus import Edit, Sentence

Replacement = tuple[int, int, Tokens]
"""A span and the tokens that replace it."""


class Alternative(NamedTuple):
    """One annotator's edits of an error; ``annotator=None`` leaves the error uncorrected."""

    annotator: str | None
    edits: tuple[Edit, ...] = ()

    @property
    def replacements(self) -> tuple[Replacement, ...]:
        """The replacements in order; those with the same span are joined."""
        spans: dict[tuple[int, int], list[str]] = {}
        for edit in sorted(self.edits, key=lambda edit: (edit.start, edit.end)):
            spans.setdefault((edit.start, edit.end), []).extend(edit.corrections[0].split())
        return tuple((start, end, tuple(tokens)) for (start, end), tokens in spans.items())


Alternatives = list[Alternative]
"""The alternatives of one error."""


def group_errors(sentence: Sentence) -> list[Alternatives]:
    """Group the edits of a sentence into errors, each with its alternatives in the order of the annotators.

    >>> from errata import Edit, Sentence
    >>> sentence = Sentence.of("This machines is", [Edit(0, 1, ("These",)), Edit(2, 3, ("are",))], [Edit(1, 2, ("machine",))])
    >>> [len(alternatives) for alternatives in group_errors(sentence)]
    [2, 2, 2]
    """
    order = {annotation.annotator: index for index, annotation in enumerate(sentence.annotations)}
    everything = [(edit, annotation.annotator) for annotation in sentence.annotations for edit in annotation.edits]
    errors = []
    for group in _groups(everything):
        alternatives = [Alternative(annotator, tuple(group[annotator])) for annotator in sorted(group, key=order.__getitem__)]
        named = next((edit.error for edits in group.values() for edit in edits if edit.error is not None), None)
        required = named.required if named is not None else len(alternatives) == len(order)
        errors.append(alternatives if required else [*alternatives, Alternative(None)])
    return errors


def _groups(everything: Sequence[tuple[Edit, str]]) -> list[dict[str, list[Edit]]]:
    """List the edits of each error by annotator: first named errors, then those found by overlap."""
    named: dict[str, dict[str, list[Edit]]] = {}
    groups: list[dict[str, list[Edit]]] = []
    indices = _ErrorsByPosition(max((edit.end for edit, _ in everything), default=0))
    for edit, annotator in sorted(everything, key=lambda item: item[0].start - item[0].end):
        if edit.error is not None:
            named.setdefault(edit.error.id, {}).setdefault(annotator, []).append(edit)
            continue
        number = indices.first_error(edit)
        if number is None:
            number = len(groups)
            groups.append({})
        groups[number].setdefault(annotator, []).append(edit)
        indices.add(edit, number)
    return [*named.values(), *groups]


class _ErrorsByPosition:
    """Finds the first error with an edit that overlaps another, in a tree over tokens and the gaps between them.

    Two spans overlap if they share a token; an insertion overlaps a span if it is strictly inside it, and an insertion at the same
    position.
    """

    def __init__(self, tokens: int) -> None:
        self._size = 2 * tokens + 1
        self._first = [_NO_ERROR] * (2 * self._size)
        """The first error inside each node of the tree; leaves are in the second half."""
        self._everywhere = [_NO_ERROR] * (2 * self._size)
        """The first error that covers each node."""

    def _range(self, edit: Edit) -> tuple[int, int]:
        """Find the leaves of an edit: gaps are even, tokens odd."""
        if edit.start == edit.end:
            return self._size + 2 * edit.start, self._size + 2 * edit.start + 1
        return self._size + 2 * edit.start + 1, self._size + 2 * edit.end

    def first_error(self, edit: Edit) -> int | None:
        """Find the first error with an edit that overlaps this one."""
        left, right = self._range(edit)
        found = min(self._first[node] for node in _cover(left, right))
        found = min(found, *(self._everywhere[node] for leaf in (left, right - 1) for node in _above(leaf)))
        return None if found == _NO_ERROR else found

    def add(self, edit: Edit, number: int) -> None:
        """Add an edit of an error."""
        left, right = self._range(edit)
        for node in _cover(left, right):
            self._everywhere[node] = min(self._everywhere[node], number)
            self._first[node] = min(self._first[node], number)
        for leaf in (left, right - 1):
            for node in _above(leaf):
                self._first[node] = min(self._first[node], number)


_NO_ERROR = 1 << 62


def _cover(left: int, right: int) -> Iterator[int]:
    """Yield the largest nodes that together have the leaves from one to another."""
    while left < right:
        if left % 2:
            yield left
            left += 1
        if right % 2:
            right -= 1
            yield right
        left //= 2
        right //= 2


def _above(leaf: int) -> Iterator[int]:
    """Yield a leaf and the nodes above it."""
    while leaf:
        yield leaf
        leaf //= 2


def has_each_span_once(choice: Iterable[Alternative]) -> bool:
    """Tell whether alternatives of different errors have no span in common, so that all of them can be applied."""
    spans = [(start, end) for alternative in choice for start, end, _ in alternative.replacements]
    return len(set(spans)) == len(spans)


def apply(tokens: Tokens, choice: Sequence[Alternative], shift: int = 0, *, keep: bool = True) -> Tokens | None:
    """Apply one alternative of every error, from right to left; None if two of them have the same span.

    With ``keep``, a correction that would leave no token is skipped.  ``shift`` is the start of the text in the sentence.
    """
    edits = [edit for alternative in choice for edit in alternative.replacements]
    if len({(start, end) for start, end, _ in edits}) != len(edits):
        return None
    unchanged = len(tokens)
    after: list[str] = []
    """The tokens after the unchanged ones, from the last to the first."""
    for start, end, new in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        first = start - shift
        after += reversed(tokens[first:unchanged])
        unchanged = min(first, unchanged)
        left = max(len(after) - (end - start), 0)
        if left or new or first or not keep:
            del after[left:]
            after += reversed(new)
    return (*tokens[:unchanged], *reversed(after))


def list_single_references(sentence: Sentence) -> dict[Tokens, tuple[Alternative, ...]]:
    """List the distinct corrections of single annotators, with their edits; the source if the sentence has no annotation."""
    result: dict[Tokens, tuple[Alternative, ...]] = {}
    for annotation in sentence.annotations:
        own = Alternative(annotation.annotator, annotation.edits)
        tokens = apply(sentence.tokens, [own])
        if tokens is not None:
            result.setdefault(tokens, (own,))
    return result or {sentence.tokens: ()}
