"""Which words of an output belong to which line of its source."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from errata.line_alignment.anchors import FlatLines, find_anchors, find_certain_pairs
from errata.line_alignment.gaps import MOST_POSITIONS, MOST_WORD_PAIRS, GapAlignment, GapLines, Stretch, Window
from errata.line_alignment.words import WordNumbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.line_alignment.words import NumberedWords

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


class LineBlock(NamedTuple):
    """Lines of the source, and lines of the output."""

    source: range
    output: range


class StretchFinder:
    """Aligns an output with its source."""

    def __init__(self, sources: Sequence[str], outputs: Sequence[str]) -> None:
        self._texts = outputs
        self._numbers = WordNumbers()
        self.sources = self._numbers.number_all(sources)
        """The words of the lines of the source."""
        self.outputs = self._numbers.number_all(outputs)
        """The words of the lines of the output."""
        first: dict[NumberedWords, int] = {}
        self.repeated = [first.setdefault(line, number) if line else number for number, line in enumerate(self.outputs)]
        """For each line of the output, the first that is equal."""

    def find(self) -> list[list[Stretch]]:
        """Find the stretches of the output that each line of the source became; none if it is missing."""
        guide = _Guide(self, LineBlock(range(len(self.sources)), range(len(self.outputs))))
        found: list[list[Stretch]] = []
        for gap in guide.list_gaps():
            found += self._align_gap(gap, guide)
            found += self._pair_next(gap, guide.block)
        return found

    def _pair_next(self, gap: LineBlock, whole: LineBlock) -> list[list[Stretch]]:
        """The certain pair after a gap, if it is not the last gap."""
        line, other = gap.source.stop, gap.output.stop
        return [[Stretch(other, 0, len(self.outputs[other]))]] if (line, other) != (whole.source.stop, whole.output.stop) else []

    def _align_gap(self, gap: LineBlock, guide: _Guide) -> list[list[Stretch]]:
        """Align the lines between two certain pairs; many of them part by part, if too many positions would have to be tried."""
        found: list[list[Stretch]] = []
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
            gap = LineBlock(range(gaps[-1].source.stop + 1, gap.source.stop), range(gaps[-1].output.stop + 1, gap.output.stop))
        return found + self._align_block(gap, windows)

    def _find_part(self, gap: LineBlock) -> LineBlock:
        """The beginning of a gap: some lines of the source, and lines of the output with about as many words."""
        source = gap.source[:_PART]
        most = 2 * sum(len(self.sources[line]) + 1 for line in source)
        stop = gap.output.start
        while stop < gap.output.stop and most > 0:
            most -= len(self.outputs[stop]) + 1
            stop += 1
        return LineBlock(source, range(gap.output.start, stop))

    def _align_block(self, gap: LineBlock, windows: Sequence[Window]) -> list[list[Stretch]]:
        if not gap.source or not gap.output:
            return [[] for _ in gap.source]
        first, last = gap.output.start, gap.output.stop
        lines = GapLines(
            self.sources[gap.source.start : gap.source.stop],
            self.outputs[first:last],
            self._texts[first:last],
            [self.repeated[number] < number for number in gap.output],
        )
        found = GapAlignment(lines, self._numbers.texts, windows).find()
        if found is None:
            raise UnalignableError(gap.source.start, first)
        return [[stretch._replace(line=stretch.line + first) for stretch in own] for own in found]


class _Guide:
    """The anchors of a block: they say which pairs of lines are certain, and where other lines may be."""

    def __init__(self, lines: StretchFinder, block: LineBlock) -> None:
        self.block = block
        self._source = FlatLines(lines.sources[block.source.start : block.source.stop])
        self._output = FlatLines(lines.outputs[block.output.start : block.output.stop])
        self._anchors = find_anchors(self._source, self._output)
        self._anchor_lines = self._output.find_lines(self._anchors.output)

    def list_gaps(self) -> list[LineBlock]:
        """List the lines before and after every certain pair, some of which are empty."""
        gaps = []
        line, other = self.block.source.start, self.block.output.start
        for place, other_place in find_certain_pairs(self._source, self._output, self._anchors):
            stop, other_stop = self.block.source.start + place, self.block.output.start + other_place
            gaps.append(LineBlock(range(line, stop), range(other, other_stop)))
            line, other = stop + 1, other_stop + 1
        return [*gaps, LineBlock(range(line, self.block.source.stop), range(other, self.block.output.stop))]

    def find_windows(self, gap: LineBlock) -> list[Window] | None:
        """Find the positions that each line of a gap may reach, counted from its beginning; None if these are too many."""
        lines = range(gap.source.start - self.block.source.start, gap.source.stop - self.block.source.start)
        outputs = range(gap.output.start - self.block.output.start, gap.output.stop - self.block.output.start)
        starts, output_starts = self._source.starts, self._output.starts
        words = int(starts[lines.stop] - starts[lines.start])
        positions = int(output_starts[outputs.stop] - output_starts[outputs.start]) + len(outputs)
        if max(words, len(lines)) * positions <= _NARROW:
            return [Window(0, positions)] * len(lines)
        shift = int(output_starts[outputs.start]) + outputs.start
        windows = []
        for number in lines:
            before = bisect_left(self._anchors.source, int(starts[number]) - _MARGIN) - 1
            after = bisect_left(self._anchors.source, int(starts[number + 1]) + _MARGIN)
            low = self._anchors.output[before] + self._anchor_lines[before] - shift if before >= 0 else 0
            high = self._anchors.output[after] + self._anchor_lines[after] - shift if after < len(self._anchor_lines) else positions
            windows.append(Window(min(max(0, low), positions), min(max(0, high), positions)))
        sizes = [window.last - window.first + 1 for window in windows]
        cells = sum(size * len(self._source.lines[number]) for size, number in zip(sizes, lines, strict=True))
        return windows if sum(sizes) <= MOST_POSITIONS and cells <= MOST_WORD_PAIRS else None
