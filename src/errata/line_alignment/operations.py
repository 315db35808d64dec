"""What was done to bring an output to the lines of its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from errata.errors import pluralise

OperationKind = Literal["moved", "joined", "split", "recut", "missing", "added", "repeated"]
OPERATION_KINDS: dict[OperationKind, str] = {
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

    kind: OperationKind
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

    def count(self, kind: OperationKind) -> int:
        """Count the lines of a kind: those of the source, or those of the output that were left out."""
        return sum(len(item.source) or len(item.output) for item in self.operations if item.kind == kind)

    def summary(self) -> str:
        """Write one line about all operations."""
        counts = [f"{self.count(kind):,} {kind}" for kind in OPERATION_KINDS if self.count(kind)]
        size = f"{pluralise(self.output_lines, 'line')} for {len(self.lines):,} of the source"
        return f"{size}: {', '.join(counts) if counts else 'nothing to align'}"

    def report(self) -> str:
        """Write the summary, and one line for each operation.

        >>> from errata.line_alignment import align_lines
        >>> print(align_lines(["I likes cake .", "He go ."], ["Here you are:", "I like cake . He goes ."]).report())
        2 lines for 2 of the source: 2 joined, 1 added
        added: output line 1 was left out: 'Here you are:'
        joined: source lines 1-2 are output line 2, which was cut
        """
        return "\n".join([self.summary(), *map(str, self.operations)])
