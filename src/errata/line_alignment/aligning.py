"""Bring an output to the lines of its source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import InputError, UsageError
from errata.line_alignment.alignment import StretchFinder, UnalignableError
from errata.line_alignment.gaps import Stretch
from errata.line_alignment.listing import list_operations
from errata.line_alignment.operations import LineAlignment
from errata.line_alignment.words import find_word_spans, share_words
from errata.names import FILLS
from errata.texts import check_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.line_alignment.words import WordSpan
    from errata.names import Fill

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
    texts = cut_texts(outputs, finder, found)
    lines = tuple(text if text is not None else sources[number] if fill == "source" else "" for number, text in enumerate(texts))
    return LineAlignment(lines, tuple(list_operations(finder, found, sources, outputs)), len(outputs))


def _list_lines(texts: Iterable[str | Sequence[str]], what: str) -> list[str]:
    """List lines, each a string or its tokens."""
    return [text if isinstance(text, str) else " ".join(text) for text in check_sentences(texts, what)]


def cut_texts(outputs: Sequence[str], finder: StretchFinder, found: Sequence[Sequence[Stretch]]) -> list[str | None]:
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
