"""Numbers, mostly of sentences: lists of numbers and ranges, such as ``3,10-12``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_DIGITS = 18
"""A number with more digits is larger than any corpus."""
_SHOWN = 40
_LIST = re.compile(r"[\d\s,-]*", re.ASCII)
_SEPARATOR = re.compile(r"\s*(?:,|\n)\s*")
RANGES_EXPECTED = "sentences are numbers and ranges such as 3,10-12"


def looks_like_ranges(text: str) -> bool:
    """Whether a text has only digits, commas, dashes and white space; a dash alone is standard input.

    >>> looks_like_ranges("3,10-12"), looks_like_ranges("3-x.txt"), looks_like_ranges("-")
    (True, False, False)
    """
    return text != "-" and _LIST.fullmatch(text) is not None


def iterate_ranges(text: str, last: int) -> Iterator[int]:
    """Yield the numbers of a list, separated by commas or line feeds, in its order; ``last`` is the largest possible number.

    A range is never larger than that, whatever is written.

    >>> list(iterate_ranges("3,10-12", 20))
    [3, 10, 11, 12]
    """
    for item in parse_ranges(text, RANGES_EXPECTED):
        if not 1 <= item.low <= item.high <= last:
            raise UsageError(f"sentences are numbered from 1 to {last:,}, found {item.text!r}")
        yield from range(item.low, item.high + 1)


class NumberRange(NamedTuple):
    """A number, or a range of them."""

    low: int
    high: int
    text: str
    """As it is written, for messages."""


def parse_ranges(text: str, expected: str, option: str = "") -> Iterator[NumberRange]:
    """Yield the ranges of a list; messages say what is ``expected``, and begin with the option if there is one."""
    if not text.strip():
        raise UsageError(f"{expected}, found an empty text")
    for part in _SEPARATOR.split(text.strip()):
        if not part:
            raise UsageError(f"{expected}, found a comma without a number before or after it: {text[:_SHOWN]!r}")
        first, dash, end = part.partition("-")
        if not (_is_number(first) and (_is_number(end) or not dash)):
            raise UsageError(f"{expected}, found {part[:_SHOWN]!r}")
        low, high = (int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS for digits in (first, end or first))
        if low > high:
            raise UsageError(f"{f'{option}: ' if option else ''}the range {part[:_SHOWN]!r} runs backwards")
        yield NumberRange(low, high, part[:_SHOWN])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def list_once(numbers: Iterable[int]) -> list[int]:
    """List numbers in ascending order; raise if one is repeated."""
    found: set[int] = set()
    for number in numbers:
        if number in found:
            raise UsageError(f"sentence {number:,} is given twice")
        found.add(number)
    return sorted(found)


def write_ranges(numbers: Iterable[int]) -> Iterator[str]:
    """Yield ascending numbers as numbers and ranges.

    >>> list(write_ranges([1, 2, 3, 7]))
    ['1-3', '7']
    """
    first = last = 0
    for number in numbers:
        if number != last + 1 or not first:
            if first:
                yield _write_range(first, last)
            first = number
        last = number
    if first:
        yield _write_range(first, last)


def _write_range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
