"""Lines of an output brought to the lines of its source.

Some pairs of lines are certain, because phrases that occur once are in both; between them, dynamic programming finds which words of
the output belong to which line of the source.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus.texts import check_sentences
from errata.errors import InputError, UsageError, pluralise
from errata.settings import FILLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.settings import Fill


_UNLIKE, _ALIKE = 0.25, 0.5
"""Shares of equal words: below the first a line is hardly a correction of another, from the second on it plainly is."""
_MOST_UNLIKE, _MOSTLY = 10, 2 / 3
"""Lines in a row, none of them plainly alike, that may be unlike each other; and which share of them must be."""


def align_lines(
    sources: Iterable[str | Sequence[str]],
    outputs: Iterable[str | Sequence[str]],
    *,
    fill: Fill = "empty",
    source_name: str = "the source",
    output_name: str = "the output",
) -> LineAlignment:
    """Bring the lines of an output to those of its source; ``fill`` says what stands for a missing line.

    Lines are strings or tokens; the names are for messages.

    >>> align_lines(["I likes cake .", "He go home .", "Bye !"], ["I like cake.", "He goes", "home."], fill="source").lines
    ('I like cake.', 'He goes home.', 'Bye !')
    """
    if fill not in FILLS:
        raise UsageError(f"fill must be {' or '.join(map(repr, FILLS))}, found {fill!r}")
    sources, outputs = _list_lines(sources, "sources"), _list_lines(outputs, "outputs")
    finder = _StretchFinder(sources, outputs)
    try:
        found = finder.find()
        _check_alike(finder, found)
    except UnalignableError as error:
        line = f"line {error.output + 1:,}" if error.output < len(outputs) else "its end"
        raise InputError(
            f"{output_name} cannot be aligned from {line} on: it has too little in common with {source_name} from line "
            f"{error.source + 1:,} on"
        ) from None
    texts = _cut_texts(outputs, finder, found)
    lines = tuple(text if text is not None else sources[number] if fill == "source" else "" for number, text in enumerate(texts))
    return LineAlignment(lines, tuple(_list_operations(finder, found, sources, outputs)), len(outputs))


def _list_lines(texts: Iterable[str | Sequence[str]], what: str) -> list[str]:
    """List lines, each a string or its tokens."""
    return [text if isinstance(text, str) else " ".join(text) for text in check_sentences(texts, what)]


def _cut_texts(outputs: Sequence[str], finder: _StretchFinder, found: Sequence[Sequence[_Stretch]]) -> list[str | None]:
    """Make the text of each line of the source from its stretches; None if it has none."""
    cutter = _Cutter(outputs, finder)
    result: list[str | None] = []
    for stretches in found:
        pieces = [cutter.cut(stretch) for stretch in stretches]
        result.append(pieces[0] if len(pieces) == 1 else " ".join(piece.strip() for piece in pieces) if pieces else None)
    return result


class _Cutter:
    """Cuts stretches from the lines of an output."""

    def __init__(self, outputs: Sequence[str], finder: _StretchFinder) -> None:
        self._outputs = outputs
        self._finder = finder
        self._line = -1
        self._spans: list[_WordSpan] = []

    def cut(self, stretch: _Stretch) -> str:
        """The text of a stretch, up to the word that follows it."""
        text = self._outputs[stretch.line]
        if stretch.start == 0 and stretch.end == len(self._finder.outputs[stretch.line]):
            return text
        if self._line != stretch.line:
            self._line, self._spans = stretch.line, _find_word_spans(text)
        start = self._spans[stretch.start].start if stretch.start else 0
        end = self._spans[stretch.end].start if stretch.end < len(self._spans) else len(text)
        return text[start:end].strip()


def _check_alike(finder: _StretchFinder, found: Sequence[Sequence[_Stretch]]) -> None:
    """Raise if many lines in a row, in both texts, are unlike each other; a text that only lacks lines is not."""
    least = min(_MOST_UNLIKE, sum(map(bool, finder.sources)), sum(map(bool, finder.outputs)))
    line = output = lines = unlike = 0
    end = _Stretch(len(finder.outputs), 0, 0)
    for number, (share, stretches) in enumerate([*_measure_lines(finder, found), (1.0, [end])]):
        if share < _ALIKE:
            lines += bool(finder.sources[number])
            unlike += bool(finder.sources[number]) and share < _UNLIKE
            continue
        others = sum(map(bool, finder.outputs[output : stretches[0].line]))
        if 0 < least <= min(unlike, others) and unlike >= _MOSTLY * lines:
            raise UnalignableError(line, output)
        line, output, lines, unlike = number + 1, stretches[-1].line + 1, 0, 0


def _measure_lines(finder: _StretchFinder, found: Sequence[Sequence[_Stretch]]) -> Iterator[tuple[float, Sequence[_Stretch]]]:
    """Yield the share of equal words of each line of the source and what it became, and that."""
    for words, stretches in zip(finder.sources, found, strict=True):
        became = [word for stretch in stretches for word in finder.outputs[stretch.line][stretch.start : stretch.end]]
        yield _share_words(words, tuple(became)) if words and became else 0.0, stretches


_OperationKind = Literal["moved", "joined", "split", "recut", "missing", "added", "repeated"]
_OPERATION_KINDS: dict[_OperationKind, str] = {
    "moved": "lines with another number",
    "joined": "lines that the output joined, cut again",
    "split": "lines that the output split, joined again",
    "recut": "lines that the output cut at other positions",
    "missing": "lines that the output does not have",
    "added": "lines of the output that are left out",
    "repeated": "repeated lines of the output that are left out",
}
"""All kinds of operations."""
_MOST_SHOWN = 60
"""Characters of a line in a report."""


@dataclass(frozen=True)
class LineOperation:
    """Lines of the source and of the output that are not one line for one line with the same number."""

    kind: _OperationKind
    source: range
    """The lines of the source, counted from 1; empty for lines that were left out."""
    output: range
    """The lines of the output, counted from 1; empty for missing lines."""
    texts: tuple[str, ...] = ()
    """The lines that are missing or left out."""
    note: str = ""
    """What else is known."""

    def __str__(self) -> str:
        """Write the operation as a line of a report.

        >>> print(LineOperation("joined", range(3, 5), range(3, 4)))
        joined: source lines 3-4 are output line 3, which was cut
        """
        source, output = (_name_lines(what, lines) for what, lines in (("source", self.source), ("output", self.output)))
        is_source, is_output = ("is" if len(lines) == 1 else "are" for lines in (self.source, self.output))
        shown = f": {_shorten(self.texts[0])}" if self.texts else ""
        note = f" ({self.note})" if self.note else ""
        match self.kind:
            case "joined":
                return f"joined: {source} {is_source} {output}, which was cut"
            case "split":
                return f"split: {source} {is_source} {output}, which were joined"
            case "recut":
                return f"recut: {source} {is_source} {output}, which were joined and cut"
            case "moved":
                return f"moved: {source} {is_source} {output}"
            case "missing":
                return f"missing: {source} {is_source} not in the output{note}{shown}"
        left_out = "was left out" if is_output == "is" else "were left out"
        return f"{self.kind}: {output} {left_out}{note}{shown}"


def _name_lines(what: str, lines: range) -> str:
    if len(lines) == 1:
        return f"{what} line {lines[0]:,}"
    return f"{what} lines {lines[0]:,}-{lines[-1]:,}" if lines else ""


def _shorten(text: str) -> str:
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}...")


@dataclass(frozen=True)
class LineAlignment:
    """An output with one line for each line of its source, and how it was made."""

    lines: tuple[str, ...]
    """The lines, as many as the source has."""
    operations: tuple[LineOperation, ...]
    """All that is not one line for one line with the same number, in order."""
    output_lines: int
    """How many lines the output had."""

    def count(self, kind: _OperationKind) -> int:
        """Count the lines of a kind: those of the source, or those of the output that were left out."""
        return sum(len(item.source) or len(item.output) for item in self.operations if item.kind == kind)

    def summary(self) -> str:
        """Write one line about all operations."""
        counts = [f"{self.count(kind):,} {kind}" for kind in _OPERATION_KINDS if self.count(kind)]
        size = f"{pluralise(self.output_lines, 'line')} for {len(self.lines):,} of the source"
        return f"{size}: {', '.join(counts) if counts else 'nothing to align'}"

    def report(self) -> str:
        """Write the summary, and one line for each operation.

        >>> from errata.corpus import align_lines
        >>> print(align_lines(["I likes cake .", "He go ."], ["Here you are:", "I like cake . He goes ."]).report())
        2 lines for 2 of the source: 2 joined, 1 added
        added: output line 1 was left out: 'Here you are:'
        joined: source lines 1-2 are output line 2, which was cut
        """
        return "\n".join([self.summary(), *map(str, self.operations)])


_LEAST_WORDS = 3
_SAME_LINE = 0.6
"""Share of equal words by which a missing line is found among those that were left out."""
_MOST_COMPARED_LINES = 10_000


def _list_operations(
    finder: _StretchFinder, found: Sequence[Sequence[_Stretch]], sources: Sequence[str], outputs: Sequence[str]
) -> Iterator[LineOperation]:
    """List what is not one line for one line with the same number, in the order of the source; runs of lines are one operation."""
    run: list[LineOperation] = []
    for item in _list_singly(finder, found, sources, outputs):
        if run and not _continues(run[-1], item):
            yield _merge(run)
            run = []
        run.append(item)
    if run:
        yield _merge(run)


def _continues(one: LineOperation, other: LineOperation) -> bool:
    """Whether two operations are a run of missing lines, or of lines that moved as far."""
    if one.kind != other.kind or one.kind not in {"missing", "moved"} or one.note or other.note or one.source.stop != other.source.start:
        return False
    return one.kind == "missing" or one.output.stop == other.output.start


def _merge(run: Sequence[LineOperation]) -> LineOperation:
    source, output = range(run[0].source.start, run[-1].source.stop), range(run[0].output.start, run[-1].output.stop)
    return LineOperation(run[0].kind, source, output, tuple(text for item in run for text in item.texts), run[0].note)


def _list_singly(
    finder: _StretchFinder, found: Sequence[Sequence[_Stretch]], sources: Sequence[str], outputs: Sequence[str]
) -> Iterator[LineOperation]:
    missing = [number for number, stretches in enumerate(found) if not stretches]
    used = {stretch.line for stretches in found for stretch in stretches}
    left_out = [number for number in range(len(outputs)) if number not in used]
    elsewhere = _find_elsewhere(finder, missing, left_out)
    notes = {number: f"output line {other + 1:,} is similar" for other, number in elsewhere.items()}
    added = [_describe_left_out(finder, outputs, number, elsewhere) for number in left_out]
    position = first = 0
    while first < len(found):
        last, lines = _find_group(found, first)
        while lines and position < len(left_out) and left_out[position] < lines.start:
            yield added[position]
            position += 1
        if lines:
            yield from _describe_group(range(first, last), lines)
        for number in range(first, last):
            if not found[number]:
                yield LineOperation("missing", range(number + 1, number + 2), range(0), (sources[number],), notes.get(number, ""))
        first = last
    yield from added[position:]


def _find_group(found: Sequence[Sequence[_Stretch]], first: int) -> tuple[int, range]:
    """Find the end of the lines of the source that share lines of the output, and these."""
    if not found[first]:
        return first + 1, range(0)
    last, end = first + 1, found[first][-1].line
    following = last
    while following < len(found) and (not found[following] or found[following][0].line == end):
        if found[following]:
            last, end = following + 1, found[following][-1].line
        following += 1
    return last, range(found[first][0].line, end + 1)


def _describe_group(source: range, output: range) -> Iterator[LineOperation]:
    kind: _OperationKind
    if len(source) == len(output) == 1:
        if source == output:
            return
        kind = "moved"
    else:
        kind = "joined" if len(output) == 1 else "split" if len(source) == 1 else "recut"
    yield LineOperation(kind, range(source.start + 1, source.stop + 1), range(output.start + 1, output.stop + 1))


def _describe_left_out(finder: _StretchFinder, outputs: Sequence[str], number: int, elsewhere: dict[int, int]) -> LineOperation:
    line = range(number + 1, number + 2)
    if finder.repeated[number] < number:
        return LineOperation("repeated", range(0), line, (outputs[number],), f"as output line {finder.repeated[number] + 1:,}")
    note = f"source line {elsewhere[number] + 1:,} is similar" if number in elsewhere else ""
    return LineOperation("added", range(0), line, (outputs[number],), note)


def _find_elsewhere(finder: _StretchFinder, missing: Sequence[int], left_out: Sequence[int]) -> dict[int, int]:
    """Find missing lines of the source that are similar to lines of the output that were left out: they are in another order there."""
    found: dict[int, int] = {}
    if len(missing) * len(left_out) > _MOST_COMPARED_LINES:
        return found
    for number in missing:
        own = finder.sources[number]
        shares = {other: _share_words(own, finder.outputs[other]) for other in left_out if other not in found}
        best = max(shares, key=lambda other: shares[other], default=None)
        if len(own) >= _LEAST_WORDS and best is not None and shares[best] >= _SAME_LINE:
            found[best] = number
    return found


class _CutDocument(NamedTuple):
    """A text, cut."""

    texts: list[str]
    """The text of each unit of the source."""
    missing: list[int]
    """The units that have words in the source, but not in the text, counted from 0."""
    added: int
    """Sentences of the text without a counterpart, which are in the unit before them, or in the first."""


def cut_document(units: Sequence[str], sentences: Sequence[str]) -> _CutDocument:
    """Cut the sentences of a text into the units of its source; every word of it is in one unit.

    >>> cut_document(["I likes cake .", "He go home ."], ["I like cake, and he goes home.", "Bye!"]).texts
    ['I like cake,', 'and he goes home. Bye!']
    """
    finder = _StretchFinder(units, sentences)
    found = finder.find()
    used = {stretch.line for stretches in found for stretch in stretches}
    added = [number for number, words in enumerate(finder.outputs) if words and number not in used]
    first = next((number for number, stretches in enumerate(found) if stretches), 0)
    for line in added:
        before = [number for number, stretches in enumerate(found) if stretches and stretches[-1].line < line]
        stretches = found[max(before, default=first)]
        stretches.append(_Stretch(line, 0, len(finder.outputs[line])))
        stretches.sort()
    texts = [text or "" for text in _cut_texts(sentences, finder, found)]
    missing = [number for number, text in enumerate(texts) if not text.strip() and finder.sources[number]]
    return _CutDocument([text.strip() for text in texts], missing, len(added))


# --- Words of lines as numbers, so that a text compares equal whatever its tokenisation, case and quotation marks.

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Characters of scripts that do not separate words: each is a word."""
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+|`{{3,}}|``|''|\S")
"""A word, the fence of a block of code, the quotation marks of the Treebank, or any other character."""
_QUOTATION_MARKS = {"``": '"', "''": '"', "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "`": "'"}

_NumberedWords = tuple[int, ...]
"""The words of a line, as numbers."""


class _WordNumbers:
    """Numbers for words; equal words have equal numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.texts: list[str] = []
        """The word of each number, in lower case."""

    def number(self, line: str) -> _NumberedWords:
        """Number the words of a line: letters and digits that stand together, and every other character.

        >>> _WordNumbers().number("Do n't say ``no''"), _WordNumbers().number('do n\u2019t SAY "no"')
        ((0, 1, 2, 3, 4, 5, 6, 5), (0, 1, 2, 3, 4, 5, 6, 5))
        """
        return tuple([self._find(word) for word in _WORD.findall(line)])

    def _find(self, word: str) -> int:
        number = self._numbers.get(word)
        if number is None:
            normal = _QUOTATION_MARKS.get(word, word.casefold())
            number = self._numbers.get(normal)
            if number is None:
                number = self._numbers[normal] = len(self.texts)
                self.texts.append(normal)
            self._numbers[word] = number
        return number

    def number_all(self, lines: Iterable[str]) -> list[_NumberedWords]:
        return [self.number(line) for line in lines]


class _WordSpan(NamedTuple):
    """Where a word stands in its line."""

    start: int
    end: int


def _find_word_spans(line: str) -> list[_WordSpan]:
    """Find where the words of a line stand.

    >>> _find_word_spans("Yes, sir")
    [_WordSpan(start=0, end=3), _WordSpan(start=3, end=4), _WordSpan(start=5, end=8)]
    """
    return [_WordSpan(*word.span()) for word in _WORD.finditer(line)]


def _is_word(text: str) -> bool:
    """Tell whether this is a word, not a punctuation mark."""
    return text[:1].isalnum()


def _share_words(one: Sequence[int], other: Sequence[int]) -> float:
    """Compute the share of words of the longer line that occur in the other, in any order."""
    if one == other:
        return 1.0
    return (Counter(one) & Counter(other)).total() / max(len(one), len(other))


# What it costs to explain an output by its source; the alignment with the lowest cost is taken.
# Changing a word costs less than taking a line for missing and another for added, so a line that was rewritten stays a pair unless
# hardly any of its words are left.

_WORD_COST, _MARK_COST = 20, 12
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
_BLANK = 2
"""An empty line of the output without a counterpart."""
_LEAST_ALIKE = 0.5
_SENTENCE_ENDS = frozenset(".?!:;。？！")
_CLOSING = frozenset("\"'”’)]»")


def _compute_word_cost(text: str) -> int:
    """Compute the cost of an inserted or deleted word."""
    return _WORD_COST if _is_word(text) else _MARK_COST


def _compute_missing_cost(words: Sequence[str]) -> int:
    """Compute the cost of a line of the source that is not in the output."""
    return _LINE + _compute_line_cost(words) if words else _BLANK


def _compute_emptied_cost(words: int) -> int:
    """Compute the cost of a line of the source for which the output has an empty line."""
    return _EMPTIED_LINE + _EMPTIED_WORD * words if words else 0


def _compute_added_cost(words: Sequence[str], *, repeated: bool) -> int:
    """Compute the cost of a line of the output that is not in the source."""
    if not words:
        return _BLANK
    if repeated:
        return _REPEATED_LINE + _REPEATED_WORD * len(words)
    few_marks = len("".join(words)) < _FEW_MARKS and not any(map(_is_word, words))
    return _LINE * (2 if few_marks else 1) + _compute_line_cost(words)


def _compute_line_cost(words: Sequence[str]) -> int:
    return sum(_WORD_OF_LINE if _is_word(word) else _MARK_OF_LINE for word in words)


def _compute_line_end_cost(line: str) -> int:
    """Compute the cost of the end of a line of the output inside a line of the source."""
    return _LINE_AND_SENTENCE_END if _ends_sentence(line.rstrip()) else _LINE_END


def _compute_cut_cost(before: str, after: str, *, has_space: bool) -> int:
    """Compute the cost of a cut between two words of a line, as they are written."""
    capital = not after[:1].islower() and (_is_word(after) or after[:1] not in _SENTENCE_ENDS | _CLOSING)
    cost = _CUT if not capital else _CUT_AFTER_SENTENCE if _ends_sentence(before) else _CUT_BEFORE_CAPITAL
    return cost + (0 if has_space else _NO_SPACE) + (_BEFORE_MARK if after[:1] in _NEVER_FIRST else 0)


def _ends_sentence(text: str) -> bool:
    return text[-1:] in _SENTENCE_ENDS or text[-1:] in _CLOSING


def _compute_change_cost(one: str, other: str) -> int | None:
    """Compute the cost of a word that became another one; None if it is no less than that of a deletion and an insertion.

    >>> _compute_change_cost("goes", "go"), _compute_change_cost("cat", "dog"), _compute_change_cost(",", ".")
    (20, None, 12)
    """
    if not _is_word(one) or not _is_word(other):
        return _MARK_COST if not _is_word(one) and not _is_word(other) else None
    shorter = min(len(one), len(other))
    before = 0
    while before < shorter and one[before] == other[before]:
        before += 1
    after = 0
    while after < shorter - before and one[-1 - after] == other[-1 - after]:
        after += 1
    alike = (before + after) / max(len(one), len(other))
    return round(2 * _WORD_COST * (1 - alike)) if alike >= _LEAST_ALIKE else None


# --- Pairs of lines that plainly belong together, found by phrases that occur once in each text.
#
# A phrase of three words that occurs once in the source and once in the output is an anchor; the longest chain of anchors in the same
# order in both texts is kept.  Lines that most anchors connect are pairs.  A pair is certain if the pairs before and after it are
# neighbours in both texts, all three are similar, and no words moved across the ends of its lines.
# So whatever is joined, split, dropped, repeated or added is not certain, and neither are its neighbours.

_PHRASE = 3
"""Words of a phrase."""
_SIMILAR, _MOSTLY_EQUAL = 0.5, 0.8
"""Shares of equal words: of a certain pair, and of one of which the first or last word was changed."""


class _Anchors(NamedTuple):
    """Words that belong together: their positions in the source and in the output, in ascending order."""

    source: list[int]
    output: list[int]


class _FlatLines:
    """The words of all lines in a row."""

    def __init__(self, lines: Sequence[_NumberedWords]) -> None:
        import numpy as np

        self.lines = lines
        self.words: NDArray[np.int64] = np.fromiter(chain.from_iterable(lines), dtype=np.int64)
        self.starts: NDArray[np.int64] = np.zeros(len(lines) + 1, dtype=np.int64)
        np.cumsum([len(line) for line in lines], out=self.starts[1:])

    def find_lines(self, positions: Sequence[int]) -> list[int]:
        import numpy as np

        found: list[int] = (np.searchsorted(self.starts, positions, side="right") - 1).tolist()
        return found


def _find_anchors(source: _FlatLines, output: _FlatLines) -> _Anchors:
    """Find the longest chain of phrases that occur once in each text."""
    import numpy as np

    (own, own_places), (other, other_places) = (_find_single_phrases(text.words) for text in (source, output))
    _, at, other_at = np.intersect1d(own, other, assume_unique=True, return_indices=True)
    places, other_places = own_places[at], other_places[other_at]
    order = np.argsort(places)
    chained = _find_longest_rise(other_places[order].tolist())
    return _Anchors(places[order][chained].tolist(), other_places[order][chained].tolist())


def _find_single_phrases(words: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Find the phrases that occur once, and where."""
    import numpy as np

    if len(words) < _PHRASE:
        return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    numbers = words.astype(np.uint64)
    most = np.uint64(1 << 21)  # more words than any vocabulary here has; if it has more, a few phrases are mistaken for others
    phrases = (numbers[:-2] * most + numbers[1:-1]) * most + numbers[2:]
    values, places, counts = np.unique(phrases, return_index=True, return_counts=True)
    return values[counts == 1], places[counts == 1]


def _find_longest_rise(values: Sequence[int]) -> list[int]:
    """Find the indices of a longest subsequence of distinct values that rises.

    >>> _find_longest_rise([5, 1, 2, 9, 3])
    [1, 2, 4]
    """
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        length = bisect_left(ends, value)
        before.append(at_end[length - 1] if length else -1)
        if length == len(ends):
            ends.append(value)
            at_end.append(index)
        else:
            ends[length], at_end[length] = value, index
    chained: list[int] = []
    index = at_end[-1] if at_end else -1
    while index >= 0:
        chained.append(index)
        index = before[index]
    return chained[::-1]


def _find_certain_pairs(source: _FlatLines, output: _FlatLines, anchors: _Anchors) -> list[tuple[int, int]]:
    """Find the pairs of lines that certainly belong together, in order."""
    return _keep_certain(_add_equal(_pair_by_anchors(source, output, anchors), source.lines, output.lines), source.lines, output.lines)


def _pair_by_anchors(source: _FlatLines, output: _FlatLines, anchors: _Anchors) -> list[tuple[int, int]]:
    """Pair the lines that most anchors connect, and lines between such pairs if there are as many in both texts."""
    votes = Counter(zip(source.find_lines(anchors.source), output.find_lines(anchors.output), strict=True))
    taken: dict[int, int] = {}
    others: set[int] = set()
    for line, other in sorted(votes, key=lambda pair: (-votes[pair], pair)):
        if line not in taken and other not in others:
            taken[line] = other
            others.add(other)
    result: list[tuple[int, int]] = []
    for line in sorted(taken):
        other = taken[line]
        if result and other <= result[-1][1]:
            continue
        last_line, last_other = result[-1] if result else (-1, -1)
        if line - last_line == other - last_other:
            result += zip(range(last_line + 1, line), range(last_other + 1, other), strict=True)
        result.append((line, other))
    last_line, last_other = result[-1] if result else (-1, -1)
    if len(source.lines) - last_line == len(output.lines) - last_other:
        result += zip(range(last_line + 1, len(source.lines)), range(last_other + 1, len(output.lines)), strict=True)
    return result


def _add_equal(pairs: list[tuple[int, int]], sources: Sequence[_NumberedWords], outputs: Sequence[_NumberedWords]) -> list[tuple[int, int]]:
    """Add equal lines after and before pairs, where anchors found none."""
    result: list[tuple[int, int]] = []
    line, other = 0, 0
    for next_line, next_other in [*pairs, (len(sources), len(outputs))]:
        while line < next_line and other < next_other and sources[line] == outputs[other]:
            result.append((line, other))
            line, other = line + 1, other + 1
        back = 1
        while next_line - back >= line and next_other - back >= other and sources[next_line - back] == outputs[next_other - back]:
            back += 1
        result += ((next_line - step, next_other - step) for step in range(back - 1, 0, -1))
        if next_line < len(sources):
            result.append((next_line, next_other))
        line, other = next_line + 1, next_other + 1
    return result


def _keep_certain(
    pairs: list[tuple[int, int]], sources: Sequence[_NumberedWords], outputs: Sequence[_NumberedWords]
) -> list[tuple[int, int]]:
    shares = [_share_words(sources[line], outputs[other]) for line, other in pairs]
    size = (len(sources), len(outputs))

    def ends_together(index: int) -> bool:
        """Whether the lines of a pair end at the same place, and so do those before the next."""
        line, other = pairs[index] if index >= 0 else (-1, -1)
        following = pairs[index + 1] if index + 1 < len(pairs) else size
        if following != (line + 1, other + 1):
            return False
        if index < 0 or following == size:
            return True
        equal = (sources[line][-1:] == outputs[other][-1:]) + (sources[line + 1][:1] == outputs[other + 1][:1])
        least = (2.0, _MOSTLY_EQUAL, _SIMILAR)[equal]
        return min(shares[index], shares[index + 1]) >= least

    together = [ends_together(index) for index in range(-1, len(pairs))]
    return [pair for index, pair in enumerate(pairs) if together[index] and together[index + 1] and shares[index] >= _SIMILAR]


# --- Dynamic programming over the lines between pairs that are certain.
#
# All words of the output stand in a row, with a mark for the end of each line.  Line by line of the source, and word by word in each, the
# lowest cost of explaining the output up to every position is computed.  At the end of a line of the source, the output may be cut; lines
# of the output may be left out; a line of the source may be missing.
# A cost and the position at which the current line began are one number, so one pass finds both.

_MOST_POSITIONS = 1 << 24
"""Positions of the output that are kept, over all lines of the source."""
_MOST_WORD_PAIRS = 1 << 31
"""Pairs of a word of the source and a position of the output that are visited."""
_MOST_COMPARED_WORDS = 2_500
"""Pairs of changed words whose letters are compared."""
_END = -1
"""The end of a line, among numbers of words."""
_COST = 1 << 28
"""One unit of cost; what is below it is a position."""
_IMPOSSIBLE = 1 << 32
"""A cost above all others."""
_NEVER = _IMPOSSIBLE * _COST * 2
_MISSING, _EMPTIED, _LEFT_OUT = -1, -2, -3
"""How a position was reached, if not by a line of the source that began at an earlier position."""


class _Stretch(NamedTuple):
    """Words ``start`` to ``end`` of a line of the output."""

    line: int
    start: int
    end: int


class _Window(NamedTuple):
    """The positions of the output that a line of the source may reach."""

    first: int
    last: int


class _GapLines(NamedTuple):
    """The lines of a gap: numbers of their words, the lines of the output as they are written, and which repeat earlier ones."""

    sources: Sequence[_NumberedWords]
    outputs: Sequence[_NumberedWords]
    texts: Sequence[str]
    repeated: Sequence[bool]


class _Positions:
    """The output of a gap as a row of symbols: words and ends of lines."""

    def __init__(self, gap: _GapLines, words: Sequence[str]) -> None:
        import numpy as np

        symbols: list[int] = []
        self.starts = [0]
        self.lines: list[int] = []
        """The line of each symbol."""
        for number, line in enumerate(gap.outputs):
            symbols += line
            symbols.append(_END)
            self.lines += [number] * (len(line) + 1)
            self.starts.append(len(symbols))
        self.symbols: NDArray[np.int64] = np.array(symbols, dtype=np.int64)
        inserting: list[int] = []
        for line, text in zip(gap.outputs, gap.texts, strict=True):
            inserting += (_compute_word_cost(words[word]) for word in line)
            inserting.append(_compute_line_end_cost(text))
        self.inserted: NDArray[np.int64] = np.zeros(len(symbols) + 1, dtype=np.int64)
        np.cumsum(inserting, out=self.inserted[1:])
        self.inserted *= _COST
        self.left_out = [
            _compute_added_cost([words[number] for number in line], repeated=repeated)
            for line, repeated in zip(gap.outputs, gap.repeated, strict=True)
        ]
        self.cuts = self._find_cut_costs(gap)

    def _find_cut_costs(self, gap: _GapLines) -> NDArray[np.int64]:
        """The cost of ending a line of the source at each position: nothing at the start of a line, impossible at its end."""
        import numpy as np

        found = np.zeros(len(self.symbols) + 1, dtype=np.int64)
        for start, line, text in zip(self.starts, gap.outputs, gap.texts, strict=False):
            for offset, (one, other) in enumerate(pairwise(_find_word_spans(text)), start=1):
                before, after = text[one.start : one.end], text[other.start : other.end]
                found[start + offset] = _compute_cut_cost(before, after, has_space=one.end < other.start)
            if line:
                found[start + len(line)] = _IMPOSSIBLE
        return found * _COST


class _GapAlignment:
    """The lowest-cost alignment of a gap; ``words`` has the texts of numbers, ``windows`` says where each line of the source may be."""

    def __init__(self, gap: _GapLines, words: Sequence[str], windows: Sequence[_Window]) -> None:
        self._gap = gap
        self._words = words
        self._places = _Positions(gap, words)
        self._last = len(self._places.symbols)
        self._windows = windows
        self._changes = self._find_changes()

    def find(self) -> list[list[_Stretch]] | None:
        """Find the stretches of the output for each line of the source; None if the windows admit no alignment."""
        import numpy as np

        window = _Window(0, self._windows[0].last)
        values = np.full(window.last + 1, _NEVER // _COST, dtype=np.int64)
        values[0] = 0
        origins = np.full(len(values), _LEFT_OUT, dtype=np.int32)
        self._leave_out(values, origins, window)
        kept = [(window, origins)]
        for number, line in enumerate(self._gap.sources):
            before = self._fit(values, window, self._windows[number])
            window = self._windows[number]
            aligned = self._end_line(self._align_line(line, before, window), window)
            values, origins = aligned // _COST, (aligned % _COST).astype(np.int32)
            missing = before + _compute_missing_cost([self._words[word] for word in line])
            origins[missing < values] = _MISSING
            values = np.minimum(values, missing)
            self._empty_line(line, before, values, origins, window)
            self._leave_out(values, origins, window)
            kept.append((window, origins))
        reached = window.first <= self._last <= window.last and values[self._last - window.first] < _IMPOSSIBLE
        return self._trace(kept) if reached else None

    def _fit(self, values: NDArray[np.int64], old: _Window, new: _Window) -> NDArray[np.int64]:
        """The costs of positions in another window."""
        import numpy as np

        fitted = np.full(new.last - new.first + 1, _NEVER // _COST, dtype=np.int64)
        first, last = max(old.first, new.first), min(old.last, new.last)
        if first <= last:
            fitted[first - new.first : last - new.first + 1] = values[first - old.first : last - old.first + 1]
        return fitted

    def _align_line(self, line: _NumberedWords, before: NDArray[np.int64], window: _Window) -> NDArray[np.int64]:
        """Align a line of the source that begins at any position; the result has the lowest cost at which it ends, and where it began."""
        import numpy as np

        inserted = self._places.inserted[window.first : window.last + 1]
        symbols = self._places.symbols[window.first : window.last]
        values = before * _COST + np.arange(window.first, window.last + 1)
        values = np.minimum.accumulate(values - inserted) + inserted
        for word in line:
            following = values + _compute_word_cost(self._words[word]) * _COST
            reached = np.where(symbols == word, values[:-1], _NEVER)
            for other, cost in self._changes.get(word, ()):
                np.copyto(reached, values[:-1] + cost * _COST, where=symbols == other)
            np.minimum(following[1:], reached, out=following[1:])
            following -= inserted
            np.minimum.accumulate(following, out=following)
            following += inserted
            values = following
        return values

    def _find_changes(self) -> dict[int, list[tuple[int, int]]]:
        """The words of the output that a word of the source may have become, with their costs, for words that are in one text only."""
        sources = {word for line in self._gap.sources for word in line}
        outputs = {word for line in self._gap.outputs for word in line}
        old, new = sorted(sources - outputs), sorted(outputs - sources)
        changes: dict[int, list[tuple[int, int]]] = {}
        if len(old) * len(new) <= _MOST_COMPARED_WORDS:
            for word in old:
                for other in new:
                    cost = _compute_change_cost(self._words[word], self._words[other])
                    if cost is not None:
                        changes.setdefault(word, []).append((other, cost))
        return changes

    def _end_line(self, values: NDArray[np.int64], window: _Window) -> NDArray[np.int64]:
        """End a line of the source: with a line of the output, or by a cut; it must have something of the output."""
        import numpy as np

        values = np.where(values % _COST == np.arange(window.first, window.last + 1), _NEVER, values)
        ended = values + self._places.cuts[window.first : window.last + 1]
        at_end = self._places.symbols[window.first : window.last] == _END
        ended[1:] = np.where(at_end, np.minimum(values[:-1], ended[1:]), ended[1:])
        np.minimum(ended, _NEVER, out=ended)
        return ended

    def _empty_line(
        self, line: _NumberedWords, before: NDArray[np.int64], values: NDArray[np.int64], origins: NDArray[np.int32], window: _Window
    ) -> None:
        """Align a line of the source with an empty line of the output."""
        cost = _compute_emptied_cost(len(line))
        for output in self._list_lines(window):
            start, end = self._places.starts[output : output + 2]
            if end == start + 1:
                here, there = start - window.first, end - window.first
                if before[here] + cost <= values[there]:
                    values[there], origins[there] = before[here] + cost, _EMPTIED

    def _leave_out(self, values: NDArray[np.int64], origins: NDArray[np.int32], window: _Window) -> None:
        """Leave lines of the output out after a line of the source."""
        for line in self._list_lines(window):
            here, there = (start - window.first for start in self._places.starts[line : line + 2])
            cost = self._places.left_out[line]
            if values[here] + cost < values[there]:
                values[there], origins[there] = values[here] + cost, _LEFT_OUT

    def _list_lines(self, window: _Window) -> range:
        """The lines of the output that are in a window as a whole."""
        first = bisect_left(self._places.starts, window.first)
        return range(first, bisect_right(self._places.starts, window.last) - 1)

    def _trace(self, kept: list[tuple[_Window, NDArray[np.int32]]]) -> list[list[_Stretch]]:
        """Follow the lowest costs back from the end."""
        number, position = len(self._gap.sources), self._last
        found: list[list[_Stretch]] = [[] for _ in self._gap.sources]
        while number or position:
            window, origins = kept[number]
            origin = int(origins[position - window.first])
            if origin == _LEFT_OUT:
                position = self._places.starts[self._places.lines[position - 1]]
                continue
            number -= 1
            if origin == _EMPTIED:
                position -= 1
                found[number] = [_Stretch(self._places.lines[position], 0, 0)]
            elif origin != _MISSING:
                found[number] = self._list_stretches(origin, position)
                position = origin
        return found

    def _list_stretches(self, first: int, last: int) -> list[_Stretch]:
        """The stretches of lines between two positions."""
        result = []
        for line in range(self._places.lines[first], self._places.lines[last - 1] + 1):
            start, end = self._places.starts[line], self._places.starts[line + 1] - 1
            stretch = _Stretch(line, max(first, start) - start, min(last, end) - start)
            if stretch.start < stretch.end or start == end:
                result.append(stretch)
        return result


_NARROW = 1 << 22
"""Pairs of a word of the source and a position of the output up to which every position is tried."""
_MARGIN = 40
"""Words around a line in which anchors do not say where the line may be."""
_PART = 400
"""Lines that are aligned together if a text is so repetitive that hardly any of its phrases occurs once."""


class UnalignableError(Exception):
    """The lines of a gap have too little in common; ``source`` and ``output`` are where it begins, counted from 0."""

    def __init__(self, source: int, output: int) -> None:
        self.source = source
        self.output = output
        super().__init__(source, output)


class _LineBlock(NamedTuple):
    """Lines of the source, and lines of the output."""

    source: range
    output: range


class _StretchFinder:
    """Aligns an output with its source."""

    def __init__(self, sources: Sequence[str], outputs: Sequence[str]) -> None:
        self._texts = outputs
        self._numbers = _WordNumbers()
        self.sources = self._numbers.number_all(sources)
        """The words of the lines of the source."""
        self.outputs = self._numbers.number_all(outputs)
        """The words of the lines of the output."""
        first: dict[_NumberedWords, int] = {}
        self.repeated = [first.setdefault(line, number) if line else number for number, line in enumerate(self.outputs)]
        """For each line of the output, the first that is equal."""

    def find(self) -> list[list[_Stretch]]:
        """Find the stretches of the output that each line of the source became; none if it is missing."""
        guide = _Guide(self, _LineBlock(range(len(self.sources)), range(len(self.outputs))))
        found: list[list[_Stretch]] = []
        for gap in guide.list_gaps():
            found += self._align_gap(gap, guide)
            found += self._pair_next(gap, guide.block)
        return found

    def _pair_next(self, gap: _LineBlock, whole: _LineBlock) -> list[list[_Stretch]]:
        """The certain pair after a gap, if it is not the last gap."""
        line, other = gap.source.stop, gap.output.stop
        return [[_Stretch(other, 0, len(self.outputs[other]))]] if (line, other) != (whole.source.stop, whole.output.stop) else []

    def _align_gap(self, gap: _LineBlock, guide: _Guide) -> list[list[_Stretch]]:
        """Align the lines between two certain pairs; many of them part by part, if too many positions would have to be tried."""
        found: list[list[_Stretch]] = []
        while (windows := guide.find_windows(gap)) is None:
            part = _Guide(self, self._find_part(gap))
            gaps = part.list_gaps()[:-1]  # what is after the last certain pair is in the next part
            if not gaps:
                raise UnalignableError(gap.source.start, gap.output.start)
            for own in gaps:
                inner = part.find_windows(own)
                if inner is None:
                    raise UnalignableError(own.source.start, own.output.start)
                found += self._align_block(own, inner)
                found += self._pair_next(own, part.block)
            gap = _LineBlock(range(gaps[-1].source.stop + 1, gap.source.stop), range(gaps[-1].output.stop + 1, gap.output.stop))
        return found + self._align_block(gap, windows)

    def _find_part(self, gap: _LineBlock) -> _LineBlock:
        """The beginning of a gap: some lines of the source, and lines of the output with about as many words."""
        source = gap.source[:_PART]
        most = 2 * sum(len(self.sources[line]) + 1 for line in source)
        stop = gap.output.start
        while stop < gap.output.stop and most > 0:
            most -= len(self.outputs[stop]) + 1
            stop += 1
        return _LineBlock(source, range(gap.output.start, stop))

    def _align_block(self, gap: _LineBlock, windows: Sequence[_Window]) -> list[list[_Stretch]]:
        if not gap.source or not gap.output:
            return [[] for _ in gap.source]
        first, last = gap.output.start, gap.output.stop
        lines = _GapLines(
            self.sources[gap.source.start : gap.source.stop],
            self.outputs[first:last],
            self._texts[first:last],
            [self.repeated[number] < number for number in gap.output],
        )
        found = _GapAlignment(lines, self._numbers.texts, windows).find()
        if found is None:
            raise UnalignableError(gap.source.start, first)
        return [[stretch._replace(line=stretch.line + first) for stretch in own] for own in found]


class _Guide:
    """The anchors of a block: they say which pairs of lines are certain, and where other lines may be."""

    def __init__(self, lines: _StretchFinder, block: _LineBlock) -> None:
        self.block = block
        self._source = _FlatLines(lines.sources[block.source.start : block.source.stop])
        self._output = _FlatLines(lines.outputs[block.output.start : block.output.stop])
        self._anchors = _find_anchors(self._source, self._output)
        self._anchor_lines = self._output.find_lines(self._anchors.output)

    def list_gaps(self) -> list[_LineBlock]:
        """List the lines before and after every certain pair, some of which are empty."""
        gaps = []
        line, other = self.block.source.start, self.block.output.start
        for place, other_place in _find_certain_pairs(self._source, self._output, self._anchors):
            stop, other_stop = self.block.source.start + place, self.block.output.start + other_place
            gaps.append(_LineBlock(range(line, stop), range(other, other_stop)))
            line, other = stop + 1, other_stop + 1
        return [*gaps, _LineBlock(range(line, self.block.source.stop), range(other, self.block.output.stop))]

    def find_windows(self, gap: _LineBlock) -> list[_Window] | None:
        """Find the positions that each line of a gap may reach, counted from its beginning; None if these are too many."""
        lines = range(gap.source.start - self.block.source.start, gap.source.stop - self.block.source.start)
        outputs = range(gap.output.start - self.block.output.start, gap.output.stop - self.block.output.start)
        starts, output_starts = self._source.starts, self._output.starts
        words = int(starts[lines.stop] - starts[lines.start])
        positions = int(output_starts[outputs.stop] - output_starts[outputs.start]) + len(outputs)
        if max(words, len(lines)) * positions <= _NARROW:
            return [_Window(0, positions)] * len(lines)
        shift = int(output_starts[outputs.start]) + outputs.start
        windows = []
        for number in lines:
            before = bisect_left(self._anchors.source, int(starts[number]) - _MARGIN) - 1
            after = bisect_left(self._anchors.source, int(starts[number + 1]) + _MARGIN)
            low = self._anchors.output[before] + self._anchor_lines[before] - shift if before >= 0 else 0
            high = self._anchors.output[after] + self._anchor_lines[after] - shift if after < len(self._anchor_lines) else positions
            windows.append(_Window(min(max(0, low), positions), min(max(0, high), positions)))
        sizes = [window.last - window.first + 1 for window in windows]
        cells = sum(size * len(self._source.lines[number]) for size, number in zip(sizes, lines, strict=True))
        return windows if sum(sizes) <= _MOST_POSITIONS and cells <= _MOST_WORD_PAIRS else None
