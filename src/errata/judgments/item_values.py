"""Values of ranking items as files write them: numbers, ranks, names and durations, with errors that name the line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.judgments.items import RankedOutput

_MOST_DIGITS = 9
_SHOWN = 40
_DURATION = re.compile(r"(\d{1,6}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)", re.ASCII)
_SKIPPED = {"": False, "0": False, "false": False, "no": False, "1": True, "true": True, "yes": True}


class ItemLocation(NamedTuple):
    """Where a value stands."""

    path: str
    line: int

    def expected(self, what: str, found: object) -> FormatError:
        """Make an error."""
        return FormatError(self.path, self.line, f"expected {what}, found {str(found)[:_SHOWN]!r}")

    def parse_sentence(self, text: str) -> int:
        """Parse the number of a sentence."""
        if not _is_number(text):
            raise self.expected("the number of a sentence", text)
        return int(text)

    def parse_rank(self, text: str) -> int:
        """Parse a rank."""
        if not _is_number(text) or int(text) < 1:
            raise self.expected("a rank, which is a whole number from 1", text)
        return int(text)

    def parse_skipped(self, text: str) -> bool:
        """Parse whether a judge skipped the item."""
        if text.lower() not in _SKIPPED:
            raise self.expected("0 or 1 for whether the item was skipped", text)
        return _SKIPPED[text.lower()]

    def parse_judge(self, text: str) -> str:
        """Check the name of a judge."""
        if not text.strip():
            raise self.expected("the name of a judge", text)
        return text

    def parse_seconds(self, text: str) -> float:
        """Parse a duration."""
        if (match := _DURATION.fullmatch(text)) is None:
            raise self.expected("a duration such as 00:02:01.5", text)
        return 3600 * int(match[1]) + 60 * int(match[2]) + float(match[3])

    def check_outputs(self, outputs: Sequence[RankedOutput]) -> tuple[RankedOutput, ...]:
        """Check that outputs have names, and that no system occurs twice."""
        seen: set[str] = set()
        for output in outputs:
            if not output.systems or not all(output.systems):
                raise self.expected("the names of systems", ",".join(output.systems))
            for name in output.systems:
                if name in seen:
                    raise FormatError(self.path, self.line, f"the system {name[:_SHOWN]!r} is ranked twice in one item")
                seen.add(name)
        return tuple(outputs)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
