"""A text file as a column: one sentence per line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from errata.formats.line_columns import LineColumn
from errata.formats.lines import Line
from errata.formats.text import refuse_edit
from errata.formats.text_arrays import has_odd_text, make_texts

if TYPE_CHECKING:
    from errata.formats.line_blocks import WholeLines

_SEPARATOR = b"|||"
"""Every edit of M2 contains it."""


class TextFileColumn(LineColumn):
    """The lines of a text; refuses a file that contains M2 edits, as :func:`errata.formats.text.read_text` does."""

    def parse(self, lines: WholeLines) -> Any:
        """Make an array of lines."""
        content = lines.content.replace(b"\n", b"")
        array = make_texts(content, lines.ends - np.arange(len(lines.ends)))
        if has_odd_text(array, content):
            for line in lines.decode(self.blocks.path):
                refuse_edit(line, self.blocks.path)
        self._refuse_edits(lines)
        return array

    def _refuse_edits(self, lines: WholeLines) -> None:
        """Look at the lines that begin as edits do."""
        starts = np.concatenate([[0], lines.ends[:-1] + 1])
        content = np.frombuffer(lines.content, np.uint8)
        suspects = np.flatnonzero(content[starts] == ord("A"))
        suspects = suspects[content[starts[suspects] + 1] == ord(" ")]
        for index in suspects.tolist():
            line = lines.content[int(starts[index]) : int(lines.ends[index])]
            if _SEPARATOR in line:
                refuse_edit(Line(lines.first + index, line.decode("utf-8")), self.blocks.path)
