"""What it costs to explain an output by its source; the alignment with the lowest cost is taken.

Changing a word costs less than taking a line for missing and another for added, so a line that was rewritten stays a pair unless
hardly any of its words are left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.line_alignment.words import is_word

if TYPE_CHECKING:
    from collections.abc import Sequence

WORD, MARK = 20, 12
"""An inserted or deleted word, or punctuation mark; a mark that replaces another costs the same."""
_LINE_END, _LINE_AND_SENTENCE_END = 20, 40
"""The end of a line of the output inside a line of the source."""
_CUT, _CUT_BEFORE_CAPITAL, _CUT_AFTER_SENTENCE = 50, 30, 10
"""The end of a line of the source inside a line of the output."""
_NO_SPACE, _BEFORE_MARK = 20, 20
"""What is added if there is no space, and before a mark that hardly ever begins a line."""
_NEVER_FIRST = frozenset(",.;:?!)]}…、。，？！")
_LINE, _WORD_OF_LINE, _MARK_OF_LINE = 20, 17, 10
"""A line without a counterpart, and each of its words and punctuation marks."""
_FEW_MARKS = 3
"""Fewer marks than this, without a word, are more likely the end of another line than a line of their own."""
_REPEATED_LINE, _REPEATED_WORD = 20, 5
_EMPTIED_LINE, _EMPTIED_WORD = 10, 10
"""A line whose counterpart is empty."""
BLANK = 2
"""An empty line of the output without a counterpart."""
_LEAST_ALIKE = 0.5
_SENTENCE_ENDS = frozenset(".?!:;。？！")
_CLOSING = frozenset("\"'”’)]»")


def compute_word_cost(text: str) -> int:
    """Compute the cost of an inserted or deleted word."""
    return WORD if is_word(text) else MARK


def compute_missing_cost(words: Sequence[str]) -> int:
    """Compute the cost of a line of the source that is not in the output."""
    return _LINE + _compute_line_cost(words) if words else BLANK


def compute_emptied_cost(words: int) -> int:
    """Compute the cost of a line of the source for which the output has an empty line."""
    return _EMPTIED_LINE + _EMPTIED_WORD * words if words else 0


def compute_added_cost(words: Sequence[str], *, repeated: bool) -> int:
    """Compute the cost of a line of the output that is not in the source."""
    if not words:
        return BLANK
    if repeated:
        return _REPEATED_LINE + _REPEATED_WORD * len(words)
    few_marks = len("".join(words)) < _FEW_MARKS and not any(map(is_word, words))
    return _LINE * (2 if few_marks else 1) + _compute_line_cost(words)


def _compute_line_cost(words: Sequence[str]) -> int:
    return sum(_WORD_OF_LINE if is_word(word) else _MARK_OF_LINE for word in words)


def compute_line_end_cost(line: str) -> int:
    """Compute the cost of the end of a line of the output inside a line of the source."""
    return _LINE_AND_SENTENCE_END if _ends_sentence(line.rstrip()) else _LINE_END


def compute_cut_cost(before: str, after: str, *, has_space: bool) -> int:
    """Compute the cost of a cut between two words of a line, as they are written."""
    capital = not after[:1].islower() and (is_word(after) or after[:1] not in _SENTENCE_ENDS | _CLOSING)
    cost = _CUT if not capital else _CUT_AFTER_SENTENCE if _ends_sentence(before) else _CUT_BEFORE_CAPITAL
    return cost + (0 if has_space else _NO_SPACE) + (_BEFORE_MARK if after[:1] in _NEVER_FIRST else 0)


def _ends_sentence(text: str) -> bool:
    return text[-1:] in _SENTENCE_ENDS or text[-1:] in _CLOSING


def compute_change_cost(one: str, other: str) -> int | None:
    """Compute the cost of a word that became another one; None if it is no less than that of a deletion and an insertion.

    >>> compute_change_cost("goes", "go"), compute_change_cost("cat", "dog"), compute_change_cost(",", ".")
    (20, None, 12)
    """
    if not is_word(one) or not is_word(other):
        return MARK if not is_word(one) and not is_word(other) else None
    shorter = min(len(one), len(other))
    before = 0
    while before < shorter and one[before] == other[before]:
        before += 1
    after = 0
    while after < shorter - before and one[-1 - after] == other[-1 - after]:
        after += 1
    alike = (before + after) / max(len(one), len(other))
    return round(2 * WORD * (1 - alike)) if alike >= _LEAST_ALIKE else None
