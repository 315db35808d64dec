"""Which operations of an alignment are one edit, by the rules of ERRANT (Felice et al. 2016); twin of ``native/merging.hpp``.

A run is operations without a match between them.
The rules look at its parts of two and more operations, the longest first, then from the left; the first rule that applies makes an edit or
a cut, and they go on with what is before and after.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from string import punctuation
from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.limits import MOST_RUN_OPERATIONS
from errata.core.python.linguistic_alignment import count_common_characters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.texts import Tokens

_NO_COLUMNS = "a sentence must be a tuple of forms, parts of speech and tags"
_NO_OPERATION = "an operation must be a tuple of the start and the end of both sides, in order and inside of the sentences"
_POSSESSIVE = "POS"
_VERBAL = frozenset({"AUX", "PART", "VERB"})
_CONTENT = frozenset({"ADJ", "ADV", "AUX", "NOUN", "VERB"})
_WITHOUT_MARKS = str.maketrans("", "", "'-")


class _Operation(NamedTuple):
    """Tokens of the source, and those of the target in their place."""

    start: int
    end: int
    target_start: int
    target_end: int

    @property
    def kind(self) -> tuple[int, int]:
        """The tokens on both sides: (1, 0) for a deletion, (0, 1) for an insertion, (1, 1) for a substitution, else a transposition."""
        return self.end - self.start, self.target_end - self.target_start


def merge_by_rules(
    operations: Sequence[tuple[int, int, int, int]],
    source: tuple[Tokens, Tokens, Tokens],
    target: tuple[Tokens, Tokens, Tokens],
    *,
    most_operations: int = MOST_RUN_OPERATIONS,
) -> list[tuple[int, int, int, int]]:
    """Merge the operations of an alignment to edits, by the rules of ERRANT; a sentence is forms, parts of speech and tags."""
    words, target_words = _Words.of(source), _Words.of(target)
    edits: list[tuple[int, int, int, int]] = []
    for run in _list_runs(_check_operations(operations, len(words.forms), len(target_words.forms))):
        if len(run) > most_operations:
            message = (
                f"{len(run):,} operations in a row, from token {run[0].start} on, are too many to be merged in seconds, "
                f"more than {most_operations:,}; cut the sentence"
            )
            raise OverflowError(message)
        edits.extend(map(tuple, run if len(run) == 1 else _Rules(run, words, target_words).merge()))  # type: ignore[arg-type]
    return edits


def _check_operations(operations: Sequence[tuple[int, int, int, int]], tokens: int, target_tokens: int) -> Iterator[_Operation]:
    before, target_before = 0, 0
    for operation in operations:
        if not isinstance(operation, tuple):
            raise TypeError(_NO_OPERATION)
        if len(operation) != 4:  # noqa: PLR2004 - as the message says
            raise ValueError(_NO_OPERATION)
        start, end, target_start, target_end = operation
        if not (before <= start <= end <= tokens and target_before <= target_start <= target_end <= target_tokens):
            raise ValueError(_NO_OPERATION)
        before, target_before = end, target_end
        yield _Operation(start, end, target_start, target_end)


def _list_runs(operations: Iterator[_Operation]) -> list[list[_Operation]]:
    """List operations without a match between them; a transposition is alone."""
    runs: list[list[_Operation]] = []
    for operation in operations:
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and (last.end, last.target_end) == (operation.start, operation.target_start)
            and last.kind[0] <= 1 >= operation.kind[0]
        ):
            runs[-1].append(operation)
        else:
            runs.append([operation])
    return runs


class _Words(NamedTuple):
    """The words of a sentence."""

    forms: Tokens
    lower: Tokens
    pos: Tokens
    tags: Tokens

    @classmethod
    def of(cls, sentence: tuple[Tokens, Tokens, Tokens]) -> _Words:
        if not isinstance(sentence, tuple):
            raise TypeError(_NO_COLUMNS)
        if len(sentence) != 3:  # noqa: PLR2004 - as the message says
            raise ValueError(_NO_COLUMNS)
        if not all(isinstance(column, tuple) for column in sentence):
            raise TypeError("a sentence must be a tuple of tokens")
        forms, pos, tags = sentence
        if not len(forms) == len(pos) == len(tags):
            raise ValueError("a sentence must have a part of speech and a tag for each token")
        if not all(isinstance(token, str) for column in sentence for token in column):
            raise TypeError("a token must be a str")
        return cls(forms, tuple(map(str.lower, forms)), pos, tags)


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

    def __init__(self, run: list[_Operation], source: _Words, target: _Words) -> None:
        self._run, self._source, self._target = run, source, target
        self._kinds = [operation.kind for operation in run]
        self._substitutions = [0, *accumulate(kind == (1, 1) for kind in self._kinds)]
        self._text, self._offsets = _join(source.lower[run[0].start : run[-1].end])
        self._target_text, self._target_offsets = _join(target.lower[run[0].target_start : run[-1].target_end])

    def merge(self) -> Iterator[_Operation]:
        parts = [_Part(0, len(self._run), len(self._run))]
        while parts:
            part = parts.pop()
            if part.untried == 0 or part.end - part.first == 1:
                yield _join_operations(self._run[part.first], self._run[part.end - 1])
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
        whole = _join_operations(self._run[first], self._run[end - 1])
        if not _CONTENT.isdisjoint(self._list_pos(whole)):
            return [_Part(first, end)]
        return [_Part(index, index + 1) for index in range(first, end)]

    def _apply(self, part: _Part, start: int, stop: int) -> list[_Part] | None:
        """Apply the first rule that fits to operations with a substitution."""
        first, end, untried = part
        untried = min(untried, stop - start)
        span = _join_operations(self._run[start], self._run[stop - 1])
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

    def _changes_the_beginning(self, span: _Operation) -> bool:
        """Tell whether words are added before one that loses its capital, or the other way round."""
        form, other = self._source.forms[span.start], self._target.forms[span.target_start]
        return (span.end - span.start == 1 and other[:1].isupper()) or (span.target_end - span.target_start == 1 and form[:1].isupper())

    def _is_after_punctuation(self, span: _Operation) -> bool:
        return (span.end - span.start > 1 and _is_punctuation(self._source, span.end - 2)) or (
            span.target_end - span.target_start > 1 and _is_punctuation(self._target, span.target_end - 2)
        )

    def _is_same_text(self, span: _Operation) -> bool:
        """Tell whether both sides are the same but for case, spaces, apostrophes and hyphens."""
        first = self._run[0]
        start, end = self._offsets[span.start - first.start], self._offsets[span.end - first.start]
        target_start = self._target_offsets[span.target_start - first.target_start]
        target_end = self._target_offsets[span.target_end - first.target_start]
        return end - start == target_end - target_start and self._text[start:end] == self._target_text[target_start:target_end]

    def _has_one_class(self, span: _Operation) -> bool:
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

    def _list_pos(self, span: _Operation) -> Tokens:
        return self._source.pos[span.start : span.end] + self._target.pos[span.target_start : span.target_end]

    def _is_two_words(self, span: _Operation, start: int) -> bool:
        """Tell whether two operations change one word each."""
        source, target = self._source.forms, self._target.forms
        if span.kind == (2, 2):
            return True
        return (self._kinds[start] == (1, 1) and _are_similar(source[span.start], target[span.target_start])) or (
            self._kinds[start + 1] == (1, 1) and _are_similar(source[span.end - 1], target[span.target_end - 1])
        )

    def _ends_with_a_determiner(self, span: _Operation, last: int) -> bool:
        tokens, target_tokens = self._kinds[last]
        return bool(
            (tokens and self._source.pos[span.end - 1] == "DET") or (target_tokens and self._target.pos[span.target_end - 1] == "DET")
        )


def _join_operations(first: _Operation, last: _Operation) -> _Operation:
    return _Operation(first.start, last.end, first.target_start, last.target_end)


def _join(words: Tokens) -> tuple[str, list[int]]:
    """Join words without apostrophes and hyphens, with the position of each."""
    bare = [word.translate(_WITHOUT_MARKS) for word in words]
    return "".join(bare), [0, *accumulate(map(len, bare))]


def _is_punctuation(words: _Words, index: int) -> bool:
    return words.pos[index] == "PUNCT" or words.forms[index] in punctuation


def _are_similar(one: str, other: str) -> bool:
    """Tell whether more than three quarters of the characters are common."""
    return 8 * count_common_characters(one, other) > 3 * (len(one) + len(other))
