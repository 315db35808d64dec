"""Whether the edits of a sentence can be grouped into errors clearly (Felice and Briscoe 2015, section 3).

Overlap groups the edits of annotators into errors.  It cannot see that edits far from each other correct one error, such as
*This → These* of one annotator and *machines → machine* of another; that takes a person, so the paper leaves such sentences out.
The paper does not say how it found them.  This rule comes closest to its counts:

- an error, or errors that touch, separate a sentence if all annotators correct them to the same text (an annotator with two
  edits of one span has no text, because their order is not known);
- between two separators, the same annotators must correct every error.

Errors that the gold names are clear.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus import Corpus
from errata.errors import UsageError
from errata.gold.alternatives import Alternative, group_errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus import Sentence
    from errata.texts import Tokens

_MOST_JOINED = 8
"""The most errors that touch and are read as one."""
_MOST_NAMED = 8
"""The most annotators that a reason names."""

SOME_BY_ALL = "some errors are corrected by all annotators, others only by some"
BY_DIFFERENT = "errors are corrected by different annotators"


class Unclear(NamedTuple):
    """Why the edits of a sentence cannot be grouped into errors clearly."""

    kind: str
    """One of two reasons: ``SOME_BY_ALL`` or ``BY_DIFFERENT``."""
    reason: str
    """The reason, with the edits."""


def list_unclear(corpus: Corpus) -> dict[int, Unclear]:
    """List the sentences whose edits cannot be grouped into errors clearly, by their numbers, counted from 1.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> unclear = list_unclear(gold)
    >>> len(gold.subset(number for number in gold.numbers if number not in unclear))
    61
    """
    if not isinstance(corpus, Corpus):
        raise UsageError(f"expected a Corpus, found {type(corpus).__name__}")
    found = ((number, find_unclear(sentence)) for number, sentence in zip(corpus.numbers, corpus, strict=True))
    return {number: unclear for number, unclear in found if unclear is not None}


def find_unclear(sentence: Sentence) -> Unclear | None:
    """Find out why the edits of a sentence cannot be grouped into errors clearly; None if they can.

    >>> from errata import Edit, Sentence
    >>> print(find_unclear(Sentence.of("This machines is", [Edit(0, 1, ("These",))], [Edit(1, 2, ("machine",))])).reason)
    the edits 0-1 (annotator 0) and 1-2 (annotator 1) may correct one error
    """
    everybody = frozenset(annotation.annotator for annotation in sentence.annotations)
    for run in _list_runs(sentence, everybody):
        for one, other in pairwise(run):
            if one.annotators != other.annotators:
                kind = SOME_BY_ALL if everybody in {one.annotators, other.annotators} else BY_DIFFERENT
                both = " and ".join(f"{item.span} ({_name_annotators(sentence, item.annotators)})" for item in (one, other))
                unordered = next((f"; the order of the edits {item.span} is not known" for item in (one, other) if not item.ordered), "")
                return Unclear(kind, f"the edits {both} may correct one error{unordered}")
    return None


class _Error:
    """An error that was found by overlap."""

    def __init__(self, alternatives: Sequence[Alternative]) -> None:
        self.by_annotator = {item.annotator: item for item in alternatives if item.annotator is not None}
        self.annotators = frozenset(self.by_annotator)
        edits = [edit for item in alternatives for edit in item.edits]
        self.start, self.end = min(edit.start for edit in edits), max(edit.end for edit in edits)
        self.ordered = all(map(_is_ordered, alternatives))
        """Whether no annotator has different edits of one span, which M2 gives in no order that means something."""

    @property
    def span(self) -> str:
        """The span of all its edits."""
        return f"{self.start}-{self.end}"


def _is_ordered(alternative: Alternative) -> bool:
    texts: dict[tuple[int, int], str] = {}
    return all(texts.setdefault((edit.start, edit.end), edit.corrections[0]) == edit.corrections[0] for edit in alternative.edits)


def _list_runs(sentence: Sentence, everybody: frozenset[str]) -> Iterator[list[_Error]]:
    """Yield the errors between separators."""
    groups = (group for group in group_errors(sentence) if all(edit.error is None for item in group for edit in item.edits))
    errors = sorted(map(_Error, groups), key=lambda error: (error.start, error.end))
    run: list[_Error] = []
    first = 0
    while first < len(errors):
        separator = next((joined for joined in _join_touching(errors, first) if _is_same(sentence.tokens, joined, everybody)), None)
        if separator is None:
            run.append(errors[first])
            first += 1
        else:
            yield run
            run = []
            first += len(separator)
    yield run


def _join_touching(errors: Sequence[_Error], first: int) -> Iterator[list[_Error]]:
    """Yield an error, then with the next if no token is between them, and so on."""
    end = errors[first].end
    for last in range(first, min(first + _MOST_JOINED, len(errors))):
        if errors[last].start > end:
            return
        end = max(end, errors[last].end)
        yield list(errors[first : last + 1])


def _is_same(tokens: Tokens, errors: Sequence[_Error], everybody: frozenset[str]) -> bool:
    """Whether all annotators correct these errors, to the same text."""
    if not all(error.ordered for error in errors) or frozenset().union(*(error.annotators for error in errors)) != everybody:
        return False
    texts = (_correct(tokens, errors, annotator) for annotator in everybody)
    first = next(texts)
    return first is not None and all(text == first for text in texts)


def _correct(tokens: Tokens, errors: Sequence[_Error], annotator: str) -> Tokens | None:
    """Correct the span of errors as an annotator does; None if edits overlap."""
    own = [error.by_annotator[annotator] for error in errors if annotator in error.by_annotator]
    position, end = min(error.start for error in errors), max(error.end for error in errors)
    result: list[str] = []
    for start, stop, text in sorted(replacement for alternative in own for replacement in alternative.replacements):
        if start < position:
            return None
        result += (*tokens[position:start], *text)
        position = stop
    return (*result, *tokens[position:end])


def _name_annotators(sentence: Sentence, annotators: frozenset[str]) -> str:
    names = [annotation.annotator for annotation in sentence.annotations if annotation.annotator in annotators]
    if len(names) == len(sentence.annotations):
        return "all annotators"
    more = ", ..." if len(names) > _MOST_NAMED else ""
    return f"annotator{'s' if len(names) > 1 else ''} {', '.join(names[:_MOST_NAMED])}{more}"
