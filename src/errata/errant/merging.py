"""Which operations of an alignment are one edit: the rules of ERRANT (Felice et al. 2016), and three simple strategies.

A run is operations without a match between them.
The rules look at its parts of two and more operations, the longest first, then from the left; the first rule that applies makes an edit or
a cut, and they go on with what is before and after.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, groupby
from string import punctuation
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.core import count_common_characters
from errata.errant.spans import Span, join_spans
from errata.errors import RequestError, UsageError
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus import Tokens
    from errata.errant.records import Parse

MergeName = Literal["rules", "all-split", "all-merge", "all-equal"]
MOST_RUN_OPERATIONS = 2_000
"""Operations in a run; the time of the rules grows with the square, to seconds."""

_POSSESSIVE = "POS"
_VERBAL = frozenset({"AUX", "PART", "VERB"})
_CONTENT = frozenset({"ADJ", "ADV", "AUX", "NOUN", "VERB"})
_SIMILAR = 0.75
_WITHOUT_MARKS = str.maketrans("", "", "'-")


def merge_operations(operations: Sequence[Span], source: Parse | None, target: Parse | None, strategy: MergeName = "rules") -> list[Span]:
    """Merge the operations of an alignment to edits; only the rules need the parses.

    >>> operations = [Span(0, 1, 0, 1), Span(1, 1, 1, 2), Span(4, 5, 5, 5)]
    >>> merge_operations(operations, None, None, "all-merge")
    [Span(start=0, end=1, target_start=0, target_end=2), Span(start=4, end=5, target_start=5, target_end=5)]
    """
    if strategy == "all-split":
        return list(operations)
    if strategy == "all-merge":
        return [join_spans(run[0], run[-1]) for run in _list_runs(operations)]
    if strategy == "all-equal":
        equal = (list(same) for run in _list_runs(operations) for _, same in groupby(run, key=_kind))
        return [join_spans(same[0], same[-1]) for same in equal]
    if source is None or target is None:
        raise UsageError("merge=rules needs the parses of both texts")
    edits: list[Span] = []
    for run in _list_runs(operations):
        edits.extend(run if len(run) == 1 else _merge_run(run, source, target))
    return edits


def _kind(operation: Span) -> tuple[int, int]:
    """The tokens on both sides: (1, 0) for a deletion, (0, 1) for an insertion, (1, 1) for a substitution, else a transposition."""
    return operation.end - operation.start, operation.target_end - operation.target_start


def _is_transposition(operation: Span) -> bool:
    return operation.end - operation.start > 1


def _list_runs(operations: Sequence[Span]) -> list[list[Span]]:
    runs: list[list[Span]] = []
    end = target_end = -1
    for operation in operations:
        if operation[0] == end and operation[2] == target_end:
            runs[-1].append(operation)
        else:
            runs.append([operation])
        _, end, _, target_end = operation
    return runs


def _merge_run(run: list[Span], source: Parse, target: Parse) -> Iterator[Span]:
    for is_transposition, same in groupby(run, key=_is_transposition):
        operations = list(same)
        if is_transposition or len(operations) == 1:
            yield from operations
        else:
            yield from _Rules(operations, source, target).merge()


class _Part(NamedTuple):
    """Operations of a run."""

    first: int
    end: int
    untried: int = 0
    """The rules have not been tried on parts up to this length; longer ones only fit those about the beginning.  An edit has 0."""


class _Classes:
    """The parts of speech of words, prepared so that each question takes no longer if a run is long."""

    def __init__(self, pos: Tokens) -> None:
        self._same: list[int] = []  # where the words up to this one begin that have its part of speech
        self._verbal: list[int] = []  # where the words up to this one begin that are verbal; after it if it is not
        for place, one in enumerate(pos):
            self._same.append(self._same[-1] if place and pos[place - 1] == one else place)
            self._verbal.append(place + 1 if one not in _VERBAL else self._verbal[-1] if place and pos[place - 1] in _VERBAL else place)

    def is_same(self, start: int, end: int) -> bool:
        return self._same[end - 1] <= start

    def is_verbal(self, start: int, end: int) -> bool:
        return self._verbal[end - 1] <= start


class _Rules:
    """The rules for a run of deletions, insertions and substitutions."""

    def __init__(self, run: list[Span], source: Parse, target: Parse) -> None:
        if len(run) > MOST_RUN_OPERATIONS:
            raise RequestError(
                f"{pluralise(len(run), 'operation')} in a row, from token {run[0].start} on, are too many to be merged in seconds, "
                f"more than {MOST_RUN_OPERATIONS:,}; cut the sentence"
            )
        self._run, self._source, self._target = run, source, target
        self._kinds = [_kind(operation) for operation in run]
        self._substitutions = [0, *accumulate(kind == (1, 1) for kind in self._kinds)]
        self._text, self._offsets = _join(source.lower[run[0].start : run[-1].end])
        self._target_text, self._target_offsets = _join(target.lower[run[0].target_start : run[-1].target_end])

    def merge(self) -> Iterator[Span]:
        parts = [_Part(0, len(self._run), len(self._run))]
        while parts:
            part = parts.pop()
            if part.untried == 0 or part.end - part.first == 1:
                yield join_spans(self._run[part.first], self._run[part.end - 1])
            else:
                parts.extend(reversed([smaller for smaller in self._divide(part) if smaller.first < smaller.end]))

    def _divide(self, part: _Part) -> list[_Part]:
        """Divide a part of two and more operations into edits and what is left."""
        first, end, untried = part
        if not self._substitutions[end] - self._substitutions[first]:
            if len(set(self._kinds[first:end])) == 1:
                return [_Part(first, end)]
            return [_Part(index, index + 1) for index in range(first, end)]
        for length in range(end - first, 1, -1):
            for start in range(first, end - length + 1) if length <= untried else (first,):
                if self._substitutions[start + length] - self._substitutions[start]:
                    found = self._apply(part, start, start + length)
                    if found is not None:
                        return found
        whole = join_spans(self._run[first], self._run[end - 1])
        if not _CONTENT.isdisjoint(self._list_pos(whole)):
            return [_Part(first, end)]
        return [_Part(index, index + 1) for index in range(first, end)]

    def _apply(self, part: _Part, start: int, stop: int) -> list[_Part] | None:
        """Apply the first rule that fits to operations with a substitution."""
        first, end, untried = part
        untried = min(untried, stop - start)
        span = join_spans(self._run[start], self._run[stop - 1])
        source, target = self._source, self._target
        last, target_last = span.end - 1, span.target_end - 1
        if start == first and _POSSESSIVE in {source.tags[span.start], target.tags[span.target_start]}:
            return [_Part(first, first + 1), _Part(first + 1, end, untried)]
        merged = None
        if _POSSESSIVE in {source.tags[last], target.tags[target_last]}:
            merged = stop - 2
        elif source.lower[last] == target.lower[target_last]:
            if start == first and self._changes_the_beginning(span):
                merged = start
            elif self._is_after_punctuation(span):
                merged = stop - 2
        if merged is None and (self._is_same_text(span) or self._has_one_class(span)):
            merged = start
        if merged is not None:
            return [_Part(first, merged, untried), _Part(merged, stop), _Part(stop, end, untried)]
        if stop - start == 2:  # noqa: PLR2004 - rules about two operations
            if self._is_two_words(span, start):
                return [_Part(first, start + 1, untried), _Part(start + 1, end, untried)]
            if stop == end and self._ends_with_a_determiner(span, end - 1):
                return [_Part(first, end - 1, untried), _Part(end - 1, end)]
        return None

    def _changes_the_beginning(self, span: Span) -> bool:
        """Tell whether words are added before one that loses its capital, or the other way round."""
        form, other = self._source.forms[span.start], self._target.forms[span.target_start]
        return (span.end - span.start == 1 and other[:1].isupper()) or (span.target_end - span.target_start == 1 and form[:1].isupper())

    def _is_after_punctuation(self, span: Span) -> bool:
        return (span.end - span.start > 1 and _is_punctuation(self._source, span.end - 2)) or (
            span.target_end - span.target_start > 1 and _is_punctuation(self._target, span.target_end - 2)
        )

    def _is_same_text(self, span: Span) -> bool:
        """Tell whether both sides are the same but for case, spaces, apostrophes and hyphens."""
        first = self._run[0]
        start, end = self._offsets[span.start - first.start], self._offsets[span.end - first.start]
        target_start = self._target_offsets[span.target_start - first.target_start]
        target_end = self._target_offsets[span.target_end - first.target_start]
        return end - start == target_end - target_start and self._text[start:end] == self._target_text[target_start:target_end]

    def _has_one_class(self, span: Span) -> bool:
        """Tell whether sides of different lengths have words of one part of speech, or of verbs."""
        if span.end - span.start == span.target_end - span.target_start:
            return False
        pos, target_pos = self._source.pos[span.start], self._target.pos[span.target_start]
        if pos != target_pos and not {pos, target_pos} <= _VERBAL:
            return False
        first = self._run[0]
        place = span.start - first.start, span.end - first.start
        target_place = span.target_start - first.target_start, span.target_end - first.target_start
        classes, target_classes = self._classes
        return (pos == target_pos and classes.is_same(*place) and target_classes.is_same(*target_place)) or (
            classes.is_verbal(*place) and target_classes.is_verbal(*target_place)
        )

    @cached_property
    def _classes(self) -> tuple[_Classes, _Classes]:
        first, last = self._run[0], self._run[-1]
        return (
            _Classes(self._source.pos[first.start : last.end]),
            _Classes(self._target.pos[first.target_start : last.target_end]),
        )

    def _list_pos(self, span: Span) -> Tokens:
        return self._source.pos[span.start : span.end] + self._target.pos[span.target_start : span.target_end]

    def _is_two_words(self, span: Span, start: int) -> bool:
        """Tell whether two operations change one word each."""
        source, target = self._source.forms, self._target.forms
        if _kind(span) == (2, 2):
            return True
        return (self._kinds[start] == (1, 1) and _are_similar(source[span.start], target[span.target_start])) or (
            self._kinds[start + 1] == (1, 1) and _are_similar(source[span.end - 1], target[span.target_end - 1])
        )

    def _ends_with_a_determiner(self, span: Span, last: int) -> bool:
        tokens, target_tokens = self._kinds[last]
        return bool(
            (tokens and self._source.pos[span.end - 1] == "DET") or (target_tokens and self._target.pos[span.target_end - 1] == "DET")
        )


def _join(words: Tokens) -> tuple[str, list[int]]:
    """Join words without apostrophes and hyphens, with the position of each."""
    bare = [word.translate(_WITHOUT_MARKS) for word in words]
    return "".join(bare), [0, *accumulate(map(len, bare))]


def _is_punctuation(parse: Parse, index: int) -> bool:
    return parse.pos[index] == "PUNCT" or parse.forms[index] in punctuation


def _are_similar(one: str, other: str) -> bool:
    length = len(one) + len(other)
    return 1 - (length - 2 * count_common_characters(one, other)) / length > _SIMILAR
