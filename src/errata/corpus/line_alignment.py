"""Lines of an output brought to the lines of its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus.line_search import Stretch, StretchFinder, UnalignableError, find_word_spans, share_words
from errata.corpus.texts import check_sentences
from errata.errors import InputError, UsageError, pluralise
from errata.settings import FILLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus.line_search import WordSpan
    from errata.settings import Fill


# --- Bring an output to the lines of its source.

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
    finder = StretchFinder(sources, outputs)
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


def _cut_texts(outputs: Sequence[str], finder: StretchFinder, found: Sequence[Sequence[Stretch]]) -> list[str | None]:
    """Make the text of each line of the source from its stretches; None if it has none."""
    cutter = _Cutter(outputs, finder)
    result: list[str | None] = []
    for stretches in found:
        pieces = [cutter.cut(stretch) for stretch in stretches]
        result.append(pieces[0] if len(pieces) == 1 else " ".join(piece.strip() for piece in pieces) if pieces else None)
    return result


class _Cutter:
    """Cuts stretches from the lines of an output."""

    def __init__(self, outputs: Sequence[str], finder: StretchFinder) -> None:
        self._outputs = outputs
        self._finder = finder
        self._line = -1
        self._spans: list[WordSpan] = []

    def cut(self, stretch: Stretch) -> str:
        """The text of a stretch, up to the word that follows it."""
        text = self._outputs[stretch.line]
        if stretch.start == 0 and stretch.end == len(self._finder.outputs[stretch.line]):
            return text
        if self._line != stretch.line:
            self._line, self._spans = stretch.line, find_word_spans(text)
        start = self._spans[stretch.start].start if stretch.start else 0
        end = self._spans[stretch.end].start if stretch.end < len(self._spans) else len(text)
        return text[start:end].strip()


def _check_alike(finder: StretchFinder, found: Sequence[Sequence[Stretch]]) -> None:
    """Raise if many lines in a row, in both texts, are unlike each other; a text that only lacks lines is not."""
    least = min(_MOST_UNLIKE, sum(map(bool, finder.sources)), sum(map(bool, finder.outputs)))
    line = output = lines = unlike = 0
    end = Stretch(len(finder.outputs), 0, 0)
    for number, (share, stretches) in enumerate([*_measure_lines(finder, found), (1.0, [end])]):
        if share < _ALIKE:
            lines += bool(finder.sources[number])
            unlike += bool(finder.sources[number]) and share < _UNLIKE
            continue
        others = sum(map(bool, finder.outputs[output : stretches[0].line]))
        if 0 < least <= min(unlike, others) and unlike >= _MOSTLY * lines:
            raise UnalignableError(line, output)
        line, output, lines, unlike = number + 1, stretches[-1].line + 1, 0, 0


def _measure_lines(finder: StretchFinder, found: Sequence[Sequence[Stretch]]) -> Iterator[tuple[float, Sequence[Stretch]]]:
    """Yield the share of equal words of each line of the source and what it became, and that."""
    for words, stretches in zip(finder.sources, found, strict=True):
        became = [word for stretch in stretches for word in finder.outputs[stretch.line][stretch.start : stretch.end]]
        yield share_words(words, tuple(became)) if words and became else 0.0, stretches


# --- What was done to bring an output to the lines of its source.

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


# --- List the operations of an alignment.

_LEAST_WORDS = 3
_SAME_LINE = 0.6
"""Share of equal words by which a missing line is found among those that were left out."""
_MOST_COMPARED = 10_000


def _list_operations(
    finder: StretchFinder, found: Sequence[Sequence[Stretch]], sources: Sequence[str], outputs: Sequence[str]
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
    finder: StretchFinder, found: Sequence[Sequence[Stretch]], sources: Sequence[str], outputs: Sequence[str]
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


def _find_group(found: Sequence[Sequence[Stretch]], first: int) -> tuple[int, range]:
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


def _describe_left_out(finder: StretchFinder, outputs: Sequence[str], number: int, elsewhere: dict[int, int]) -> LineOperation:
    line = range(number + 1, number + 2)
    if finder.repeated[number] < number:
        return LineOperation("repeated", range(0), line, (outputs[number],), f"as output line {finder.repeated[number] + 1:,}")
    note = f"source line {elsewhere[number] + 1:,} is similar" if number in elsewhere else ""
    return LineOperation("added", range(0), line, (outputs[number],), note)


def _find_elsewhere(finder: StretchFinder, missing: Sequence[int], left_out: Sequence[int]) -> dict[int, int]:
    """Find missing lines of the source that are similar to lines of the output that were left out: they are in another order there."""
    found: dict[int, int] = {}
    if len(missing) * len(left_out) > _MOST_COMPARED:
        return found
    for number in missing:
        own = finder.sources[number]
        shares = {other: share_words(own, finder.outputs[other]) for other in left_out if other not in found}
        best = max(shares, key=lambda other: shares[other], default=None)
        if len(own) >= _LEAST_WORDS and best is not None and shares[best] >= _SAME_LINE:
            found[best] = number
    return found


# --- A whole text cut into the units of its source: every word of it is in one unit.


class _CutDocument(NamedTuple):
    """A text, cut."""

    texts: list[str]
    """The text of each unit of the source."""
    missing: list[int]
    """The units that have words in the source, but not in the text, counted from 0."""
    added: int
    """Sentences of the text without a counterpart, which are in the unit before them, or in the first."""


def cut_document(units: Sequence[str], sentences: Sequence[str]) -> _CutDocument:
    """Cut the sentences of a text into the units of its source.

    >>> cut_document(["I likes cake .", "He go home ."], ["I like cake, and he goes home.", "Bye!"]).texts
    ['I like cake,', 'and he goes home. Bye!']
    """
    finder = StretchFinder(units, sentences)
    found = finder.find()
    used = {stretch.line for stretches in found for stretch in stretches}
    added = [number for number, words in enumerate(finder.outputs) if words and number not in used]
    first = next((number for number, stretches in enumerate(found) if stretches), 0)
    for line in added:
        before = [number for number, stretches in enumerate(found) if stretches and stretches[-1].line < line]
        stretches = found[max(before, default=first)]
        stretches.append(Stretch(line, 0, len(finder.outputs[line])))
        stretches.sort()
    texts = [text or "" for text in _cut_texts(sentences, finder, found)]
    missing = [number for number, text in enumerate(texts) if not text.strip() and finder.sources[number]]
    return _CutDocument([text.strip() for text in texts], missing, len(added))
