"""Dynamic programming over the lines between pairs that are certain.

All words of the output stand in a row, with a mark for the end of each line.  Line by line of the source, and word by word in each, the
lowest cost of explaining the output up to every position is computed.  At the end of a line of the source, the output may be cut; lines
of the output may be left out; a line of the source may be missing.
A cost and the position at which the current line began are one number, so one pass finds both.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from errata.line_alignment import costs
from errata.line_alignment.words import find_word_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.line_alignment.words import NumberedWords

MOST_POSITIONS = 1 << 24
"""Positions of the output that are kept, over all lines of the source."""
MOST_WORD_PAIRS = 1 << 31
"""Pairs of a word of the source and a position of the output that are visited."""
_MOST_COMPARED = 2_500
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


class Stretch(NamedTuple):
    """Words ``start`` to ``end`` of a line of the output."""

    line: int
    start: int
    end: int


class Window(NamedTuple):
    """The positions of the output that a line of the source may reach."""

    first: int
    last: int


class GapLines(NamedTuple):
    """The lines of a gap: numbers of their words, the lines of the output as they are written, and which repeat earlier ones."""

    sources: Sequence[NumberedWords]
    outputs: Sequence[NumberedWords]
    texts: Sequence[str]
    repeated: Sequence[bool]


class _Positions:
    """The output of a gap as a row of symbols: words and ends of lines."""

    def __init__(self, gap: GapLines, words: Sequence[str]) -> None:
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
            inserting += (costs.compute_word_cost(words[word]) for word in line)
            inserting.append(costs.compute_line_end_cost(text))
        self.inserted: NDArray[np.int64] = np.zeros(len(symbols) + 1, dtype=np.int64)
        np.cumsum(inserting, out=self.inserted[1:])
        self.inserted *= _COST
        self.left_out = [
            costs.compute_added_cost([words[number] for number in line], repeated=repeated)
            for line, repeated in zip(gap.outputs, gap.repeated, strict=True)
        ]
        self.cuts = self._find_cut_costs(gap)

    def _find_cut_costs(self, gap: GapLines) -> NDArray[np.int64]:
        """The cost of ending a line of the source at each position: nothing at the start of a line, impossible at its end."""
        import numpy as np

        found = np.zeros(len(self.symbols) + 1, dtype=np.int64)
        for start, line, text in zip(self.starts, gap.outputs, gap.texts, strict=False):
            for offset, (one, other) in enumerate(pairwise(find_word_spans(text)), start=1):
                before, after = text[one.start : one.end], text[other.start : other.end]
                found[start + offset] = costs.compute_cut_cost(before, after, has_space=one.end < other.start)
            if line:
                found[start + len(line)] = _IMPOSSIBLE
        return found * _COST


class GapAlignment:
    """The lowest-cost alignment of a gap; ``words`` has the texts of numbers, ``windows`` says where each line of the source may be."""

    def __init__(self, gap: GapLines, words: Sequence[str], windows: Sequence[Window]) -> None:
        self._gap = gap
        self._words = words
        self._places = _Positions(gap, words)
        self._last = len(self._places.symbols)
        self._windows = windows
        self._changes = self._find_changes()

    def find(self) -> list[list[Stretch]] | None:
        """Find the stretches of the output for each line of the source; None if the windows admit no alignment."""
        import numpy as np

        window = Window(0, self._windows[0].last)
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
            missing = before + costs.compute_missing_cost([self._words[word] for word in line])
            origins[missing < values] = _MISSING
            values = np.minimum(values, missing)
            self._empty_line(line, before, values, origins, window)
            self._leave_out(values, origins, window)
            kept.append((window, origins))
        reached = window.first <= self._last <= window.last and values[self._last - window.first] < _IMPOSSIBLE
        return self._trace(kept) if reached else None

    def _fit(self, values: NDArray[np.int64], old: Window, new: Window) -> NDArray[np.int64]:
        """The costs of positions in another window."""
        import numpy as np

        fitted = np.full(new.last - new.first + 1, _NEVER // _COST, dtype=np.int64)
        first, last = max(old.first, new.first), min(old.last, new.last)
        if first <= last:
            fitted[first - new.first : last - new.first + 1] = values[first - old.first : last - old.first + 1]
        return fitted

    def _align_line(self, line: NumberedWords, before: NDArray[np.int64], window: Window) -> NDArray[np.int64]:
        """Align a line of the source that begins at any position; the result has the lowest cost at which it ends, and where it began."""
        import numpy as np

        inserted = self._places.inserted[window.first : window.last + 1]
        symbols = self._places.symbols[window.first : window.last]
        values = before * _COST + np.arange(window.first, window.last + 1)
        values = np.minimum.accumulate(values - inserted) + inserted
        for word in line:
            following = values + costs.compute_word_cost(self._words[word]) * _COST
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
        if len(old) * len(new) <= _MOST_COMPARED:
            for word in old:
                for other in new:
                    cost = costs.compute_change_cost(self._words[word], self._words[other])
                    if cost is not None:
                        changes.setdefault(word, []).append((other, cost))
        return changes

    def _end_line(self, values: NDArray[np.int64], window: Window) -> NDArray[np.int64]:
        """End a line of the source: with a line of the output, or by a cut; it must have something of the output."""
        import numpy as np

        values = np.where(values % _COST == np.arange(window.first, window.last + 1), _NEVER, values)
        ended = values + self._places.cuts[window.first : window.last + 1]
        at_end = self._places.symbols[window.first : window.last] == _END
        ended[1:] = np.where(at_end, np.minimum(values[:-1], ended[1:]), ended[1:])
        np.minimum(ended, _NEVER, out=ended)
        return ended

    def _empty_line(
        self, line: NumberedWords, before: NDArray[np.int64], values: NDArray[np.int64], origins: NDArray[np.int32], window: Window
    ) -> None:
        """Align a line of the source with an empty line of the output."""
        cost = costs.compute_emptied_cost(len(line))
        for output in self._list_lines(window):
            start, end = self._places.starts[output : output + 2]
            if end == start + 1:
                here, there = start - window.first, end - window.first
                if before[here] + cost <= values[there]:
                    values[there], origins[there] = before[here] + cost, _EMPTIED

    def _leave_out(self, values: NDArray[np.int64], origins: NDArray[np.int32], window: Window) -> None:
        """Leave lines of the output out after a line of the source."""
        for line in self._list_lines(window):
            here, there = (start - window.first for start in self._places.starts[line : line + 2])
            cost = self._places.left_out[line]
            if values[here] + cost < values[there]:
                values[there], origins[there] = values[here] + cost, _LEFT_OUT

    def _list_lines(self, window: Window) -> range:
        """The lines of the output that are in a window as a whole."""
        first = bisect_left(self._places.starts, window.first)
        return range(first, bisect_right(self._places.starts, window.last) - 1)

    def _trace(self, kept: list[tuple[Window, NDArray[np.int32]]]) -> list[list[Stretch]]:
        """Follow the lowest costs back from the end."""
        number, position = len(self._gap.sources), self._last
        found: list[list[Stretch]] = [[] for _ in self._gap.sources]
        while number or position:
            window, origins = kept[number]
            origin = int(origins[position - window.first])
            if origin == _LEFT_OUT:
                position = self._places.starts[self._places.lines[position - 1]]
                continue
            number -= 1
            if origin == _EMPTIED:
                position -= 1
                found[number] = [Stretch(self._places.lines[position], 0, 0)]
            elif origin != _MISSING:
                found[number] = self._list_stretches(origin, position)
                position = origin
        return found

    def _list_stretches(self, first: int, last: int) -> list[Stretch]:
        """The stretches of lines between two positions."""
        result = []
        for line in range(self._places.lines[first], self._places.lines[last - 1] + 1):
            start, end = self._places.starts[line], self._places.starts[line + 1] - 1
            stretch = Stretch(line, max(first, start) - start, min(last, end) - start)
            if stretch.start < stretch.end or start == end:
                result.append(stretch)
        return result
