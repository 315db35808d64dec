"""The alignment of ERRANT (Felice et al. 2016), by words, lemmas and parts of speech; twin of ``native/linguistic_alignment.hpp``.

The costs are doubles that are added in a fixed order, so ties are the same everywhere; only whole numbers leave this file.
"""

from __future__ import annotations

from collections import Counter
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from errata.core.python.limits import MOST_ALIGNMENT_CELLS, MOST_ALIGNMENT_STEPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.texts import Tokens

_OPEN_CLASSES = frozenset({"ADJ", "ADV", "NOUN", "VERB"})
_OTHER_LEMMA, _OTHER_OPEN_CLASS, _OTHER_CLASS = 0.499, 0.25, 0.5
# Operations; a transposition is the number of its tokens, at least 2.
_MATCH, _SUBSTITUTION, _INSERTION, _DELETION = 0, 1, -1, -2
_LONGEST_TRANSPOSITION = (1 << 15) - 1
_NO_PAIR = "a pair must be a tuple of a number and the indices of two sentences"


class _Words(NamedTuple):
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


def _check_sentence(sentence: tuple[Tokens, Tokens, Tokens], *, linguistic: bool) -> _Words:
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
    return _Words(forms, tuple(map(str.lower, forms)), lemmas, pos)


def _count_known(words: Tokens, others: Tokens) -> list[int]:
    """Count for each word how many words up to it in a row are also among the others."""
    known, counts, count = set(others), [], 0
    for word in words:
        count = count + 1 if word in known else 0
        counts.append(count)
    return counts


class _Alignment:
    """The matrix of costs: a row for each number of source tokens, a column for each number of target tokens."""

    def __init__(self, source: _Words, target: _Words, most_cells: int, most_steps: int, *, linguistic: bool) -> None:
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
