"""Lists of sentences: files with a number or a range in each line, such as ``7`` or ``10-12``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.texts import iterate_ranges, looks_like_ranges
from errata.errors import FormatError, InputError, UsageError
from errata.formats.lines import display_path, read_lines
from errata.formats.problems import Problems

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike


def find_numbers(given: str, last: int) -> Iterator[int]:
    """Yield the numbers that a text names: numbers and ranges, or else a file of them; ``last`` is the largest possible number."""
    return iterate_ranges(given, last) if looks_like_ranges(given) else read_sentence_list(given, last)


def read_sentence_list(path: str | PathLike[str], last: int) -> Iterator[int]:
    """Yield the numbers of a file, in its order; ``last`` is the largest possible number.

    Empty lines are skipped.  A number in two lines is an error, so a file is read no further than it has new numbers.
    """
    path = str(path)
    shown = display_path(path)
    lines: dict[int, int] = {}
    for line in read_lines(path, Problems(shown)):
        try:
            numbers = iterate_ranges(line.text, last) if line.text.strip() else iter(())
            for number in numbers:
                _check_new(number, lines)
                lines[number] = line.number
                yield number
        except UsageError as error:
            raise FormatError(shown, line.number, str(error)) from None
    if not lines:
        raise InputError(f"{shown}: expected numbers of sentences, found none")


def _check_new(number: int, lines: dict[int, int]) -> None:
    if number in lines:
        raise UsageError(f"sentence {number:,} is given twice, first in line {lines[number]:,}")
