"""The alignment and the rules of ERRANT, in plain Python; twin of ``native/linguistic_alignment.hpp`` and ``native/merging.hpp``."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from itertools import accumulate
from math import inf
from string import punctuation
from typing import TYPE_CHECKING, NamedTuple

from errata.core.limits import MOST_ALIGNMENT_CELLS, MOST_ALIGNMENT_STEPS, MOST_RUN_OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.texts import Tokens


# The alignment of ERRANT (Felice et al. 2016), by words, lemmas and parts of speech; twin of ``native/linguistic_alignment.hpp``.
# The costs are doubles that are added in a fixed order, so ties are the same everywhere; only whole numbers leave this file.

_OPEN_CLASSES = frozenset({"ADJ", "ADV", "NOUN", "VERB"})
_OTHER_LEMMA, _OTHER_OPEN_CLASS, _OTHER_CLASS = 0.499, 0.25, 0.5
# Operations; a transposition is the number of its tokens, at least 2.
_MATCH, _SUBSTITUTION, _INSERTION, _DELETION = 0, 1, -1, -2
_LONGEST_TRANSPOSITION = (1 << 15) - 1
_NO_PAIR = "a pair must be a tuple of a number and the indices of two sentences"


class _WordsToAlign(NamedTuple):
    forms: Tokens
    lower: Tokens
    lemmas: Tokens
    pos: Tokens


def align_parses(
    sentences: Sequence[tuple[Tokens, Tokens, Tokens]],
    pairs: Sequence[tuple[int, int, int]],
    linguistic: bool,  # noqa: FBT001 - as in the core
    *,
    most_cells: int = MOST_ALIGNMENT_CELLS,
    most_steps: int = MOST_ALIGNMENT_STEPS,
) -> list[list[tuple[int, int, int, int]]]:
    """Find the operations between sentences (forms, lemmas, parts of speech), for triples of number, source index and target index."""
    known = [_check_sentence(sentence, linguistic=linguistic) for sentence in sentences]
    for pair in pairs:
        if not isinstance(pair, tuple):
            raise TypeError(_NO_PAIR)
        if len(pair) != 3:  # noqa: PLR2004 - as the message says
            raise ValueError(_NO_PAIR)
        _, source, target = pair
        if not (0 <= source < len(known) and 0 <= target < len(known)):
            raise IndexError("a pair must have the indices of two sentences")
    found = []
    for number, source, target in pairs:
        try:
            found.append(_Alignment(known[source], known[target], most_cells, most_steps, linguistic=linguistic).trace())
        except OverflowError as error:
            message = f"sentence {number} cannot be aligned: {error}"
            raise OverflowError(message) from None
    return found


def count_common_characters(one: str, other: str, *, most_steps: int = MOST_ALIGNMENT_STEPS) -> int:
    """Count the characters of a longest common subsequence of two words."""
    if not (isinstance(one, str) and isinstance(other, str)):
        raise TypeError("a word must be a str")
    if -(-len(one) // 64) * len(other) > most_steps:
        raise OverflowError("the words are too long to be compared in seconds")
    return _count_common(one, other)


def _count_common(one: str, other: str) -> int:
    """Count as Hyyrö (2004) does: a bit for each character of one word, which is cleared where the subsequence grows."""
    places: dict[str, int] = {}
    for index, character in enumerate(one):
        places[character] = places.get(character, 0) | 1 << index
    every = (1 << len(one)) - 1
    row = every
    for character in other:
        equal = row & places.get(character, 0)
        row = ((row + equal) | (row - equal)) & every
    return len(one) - row.bit_count()


def _check_sentence(sentence: tuple[Tokens, Tokens, Tokens], *, linguistic: bool) -> _WordsToAlign:
    if not isinstance(sentence, tuple):
        raise TypeError("a sentence must be a tuple of tokens")
    if len(sentence) != 3:  # noqa: PLR2004 - as the message says
        raise ValueError("a sentence must be a tuple of forms, lemmas and parts of speech")
    forms, lemmas, pos = sentence
    for column in sentence:
        if not isinstance(column, tuple):
            raise TypeError("a sentence must be a tuple of tokens")
        if not all(isinstance(token, str) for token in column):
            raise TypeError("a token must be a str")
    if linguistic and not len(forms) == len(lemmas) == len(pos):
        raise ValueError("a sentence must have a lemma and a part of speech for each token")
    return _WordsToAlign(forms, tuple(map(str.lower, forms)), lemmas, pos)


def _count_known(words: Tokens, others: Tokens) -> list[int]:
    """Count for each word how many words up to it in a row are also among the others."""
    known, counts, count = set(others), [], 0
    for word in words:
        count = count + 1 if word in known else 0
        counts.append(count)
    return counts


class _Alignment:
    """The matrix of costs: a row for each number of source tokens, a column for each number of target tokens."""

    def __init__(self, source: _WordsToAlign, target: _WordsToAlign, most_cells: int, most_steps: int, *, linguistic: bool) -> None:
        self._source, self._target = source, target
        rows, columns = len(source.forms), len(target.forms)
        while rows and columns and source.forms[rows - 1] == target.forms[columns - 1]:  # a common end always matches
            rows, columns = rows - 1, columns - 1
        self._rows, self._columns = rows, columns
        self._steps, self._most_steps = 0, most_steps
        if (rows + 1) * (columns + 1) > most_cells or min(rows, columns) > _LONGEST_TRANSPOSITION:
            raise OverflowError("source and target are too long to be aligned in a gigabyte of memory; cut the sentence")
        if linguistic:
            self._count(sum(map(len, source.forms[:rows])) * sum(-(-len(word) // 64) for word in target.forms[:columns]))
        self._costs = [[float(column) for column in range(columns + 1)]]
        self._operations = [[_INSERTION] * (columns + 1)]
        if linguistic:
            self._fill_linguistically()
        else:
            self._fill()

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > self._most_steps:
            raise OverflowError("source and target are too long to be aligned in seconds; cut the sentence")

    def _fill(self) -> None:
        for row in range(1, self._rows + 1):
            above, costs, operations = self._costs[-1], [float(row)], [_DELETION]
            for column in range(1, self._columns + 1):
                if self._source.forms[row - 1] == self._target.forms[column - 1]:
                    best, operation = above[column - 1], _MATCH
                else:
                    best, operation = above[column] + 1, _DELETION
                    if costs[-1] + 1 <= best:
                        best, operation = costs[-1] + 1, _INSERTION
                    if above[column - 1] + 1 <= best:
                        best, operation = above[column - 1] + 1, _SUBSTITUTION
                costs.append(best)
                operations.append(operation)
            self._costs.append(costs)
            self._operations.append(operations)

    def _fill_linguistically(self) -> None:
        source, target = self._source, self._target
        rows, columns = self._rows, self._columns
        known = _count_known(source.lower[:rows], target.lower[:columns])
        known_in_target = _count_known(target.lower[:columns], source.lower[:rows])
        changes_above = [0] * (columns + 1)  # how many cells in a row, along the diagonal up to this one, differ from the one before
        for row in range(1, rows + 1):
            above, costs, operations, changes = self._costs[-1], [float(row)], [_DELETION], [0]
            for column in range(1, columns + 1):
                diagonal = above[column - 1]
                if source.forms[row - 1] == target.forms[column - 1]:
                    best, operation = diagonal, _MATCH
                else:
                    best, operation = above[column] + 1, _DELETION
                    if costs[-1] + 1 <= best:
                        best, operation = costs[-1] + 1, _INSERTION
                    substitution = self._add_substitution(diagonal, row - 1, column - 1, best)
                    if substitution <= best:
                        best, operation = substitution, _SUBSTITUTION
                    reach = min(changes_above[column - 1], known[row - 1] - 1, known_in_target[column - 1] - 1)
                    if reach > 0 and (size := self._find_transposition(row, column, reach)):
                        transposition = self._costs[row - size][column - size] + (size - 1)
                        if transposition <= best:
                            best, operation = transposition, size
                costs.append(best)
                operations.append(operation)
                changes.append(changes_above[column - 1] + 1 if best != diagonal else 0)
            self._costs.append(costs)
            self._operations.append(operations)
            changes_above = changes

    def _add_substitution(self, before: float, row: int, column: int, best: float) -> float:
        """Add the cost of a substitution; infinite if it exceeds the best cost whatever the characters are."""
        source, target = self._source, self._target
        if source.lower[row] == target.lower[column]:
            return before
        lemma = 0.0 if source.lemmas[row] == target.lemmas[column] else _OTHER_LEMMA
        pos, other_pos = source.pos[row], target.pos[column]
        cost = lemma + (0.0 if pos == other_pos else _OTHER_OPEN_CLASS if {pos, other_pos} <= _OPEN_CLASSES else _OTHER_CLASS)
        if before + cost > best:
            return inf
        one, other = source.forms[row], target.forms[column]
        length = len(one) + len(other)
        return before + (cost + (length - 2 * _count_common(one, other)) / length)

    def _find_transposition(self, row: int, column: int, reach: int) -> int:
        """Find the fewest tokens, up to this cell, that are the same in another order; 0 if there are none."""
        balance = Counter((self._source.lower[row - 1],))
        balance.subtract((self._target.lower[column - 1],))
        others = sum(map(bool, balance.values()))
        for back in range(1, reach + 1):
            for word, change in ((self._source.lower[row - 1 - back], 1), (self._target.lower[column - 1 - back], -1)):
                others -= balance[word] != 0
                balance[word] += change
                others += balance[word] != 0
            if not others:
                self._count(back)
                return back + 1
        self._count(reach)
        return 0

    def trace(self) -> list[tuple[int, int, int, int]]:
        """List the operations of the best path, without matches."""
        found = []
        row, column = self._rows, self._columns
        while row or column:
            operation = self._operations[row][column] if row else _INSERTION
            before = row if operation == _INSERTION else row - max(operation, 1)
            target_before = column if operation == _DELETION else column - max(operation, 1)
            if operation != _MATCH:
                found.append((before, row, target_before, column))
            row, column = before, target_before
        return found[::-1]


# Which operations of an alignment are one edit, by the rules of ERRANT (Felice et al. 2016); twin of ``native/merging.hpp``.
# A run is operations without a match between them.
# The rules look at its parts of two and more operations, the longest first, then from the left; the first rule that applies makes an edit
# or
# a cut, and they go on with what is before and after.

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
    words, target_words = _WordsToMerge.of(source), _WordsToMerge.of(target)
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


class _WordsToMerge(NamedTuple):
    """The words of a sentence."""

    forms: Tokens
    lower: Tokens
    pos: Tokens
    tags: Tokens

    @classmethod
    def of(cls, sentence: tuple[Tokens, Tokens, Tokens]) -> _WordsToMerge:
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

    def __init__(self, run: list[_Operation], source: _WordsToMerge, target: _WordsToMerge) -> None:
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


def _is_punctuation(words: _WordsToMerge, index: int) -> bool:
    return words.pos[index] == "PUNCT" or words.forms[index] in punctuation


def _are_similar(one: str, other: str) -> bool:
    """Tell whether more than three quarters of the characters are common."""
    return 8 * count_common_characters(one, other) > 3 * (len(one) + len(other))


# The lines of a parsed sentence in a file that errata wrote, split into cells; twin of ``native/parse_lines.hpp``.

_COLUMNS = 10
_MOST_KNOWN = 1_000_000
_HEAD = re.compile("0|[1-9][0-9]{0,8}")


class ParseReader:
    """Reads the lines of parsed sentences that errata wrote; equal cells are one string."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def read(self, text: str) -> tuple[Tokens, Tokens, Tokens, Tokens, tuple[int, ...], Tokens] | None:
        """Split lines into forms, lemmas, parts of speech, tags, heads and dependencies; None if they are written in another way."""
        if not isinstance(text, str):
            raise TypeError("lines must be a str")
        text.encode()  # as in the core, it must be valid Unicode
        rows = [line.split("\t") for line in text.split("\n")[1:]]
        if not rows or any(len(row) != _COLUMNS or not all(row) for row in rows):
            return None
        numbers, forms, lemmas, pos, tags, features, heads, deps, *others = zip(*rows, strict=True)
        if numbers != tuple(map(str, range(1, len(rows) + 1))) or {*features, *others[0], *others[1]} != {"_"}:
            return None
        if not all(map(_HEAD.fullmatch, heads)):
            return None
        places = tuple(token if head == "0" else int(head) - 1 for token, head in enumerate(heads))
        if max(places) >= len(rows) or any(head == number for head, number in zip(heads, numbers, strict=True)):
            return None
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        return self._share(forms), self._share(lemmas), self._share(pos), self._share(tags), places, self._share(deps)

    def _share(self, cells: Tokens) -> Tokens:
        return tuple(map(self._known.setdefault, cells, cells))
