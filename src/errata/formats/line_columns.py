"""A column of which each line of a file has one text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from errata.formats.text_arrays import TextBatch

if TYPE_CHECKING:
    from errata.formats.line_blocks import LineBlocks, WholeLines


class LineColumn(ABC):
    """Reads lines in blocks, and makes texts of them."""

    unit = "lines"
    sentences: int | None = None

    def __init__(self, blocks: LineBlocks) -> None:
        self.blocks = blocks

    @abstractmethod
    def parse(self, lines: WholeLines) -> Any:
        """Make an Arrow array with the text of each line."""

    def read(self, count: int) -> Any:
        """Read the next texts."""
        batch = TextBatch(self.blocks.path)
        left = count
        while left and (lines := self.blocks.take(left)):
            batch.add(self.parse(lines), lines.first)
            left -= len(lines.ends)
        return batch.make_array()

    def skip(self, count: int) -> int:
        """Skip texts."""
        return self.blocks.skip(count)

    def close(self) -> None:
        """Close the file."""
        self.blocks.close()
