"""Sentences and references that are given in Python, and numbers of sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sized
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import MismatchError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


# Sentences that are given in Python: strings or tokens, in lists, generators, or columns of NumPy, pandas, polars, Arrow and
# Datasets.
# What is not a sequence of sentences gets an error that says what was expected, what was found, and where.

Tokens = tuple[str, ...]
"""A tokenised sentence."""
RAISE_LIMIT = "raise it with --max-tokens (max_tokens= in Python)"
Text = str | Tokens
"""A sentence as it was given: a string, or its tokens."""

DEFAULT_MAX_TOKENS = 4_000
"""Maximum number of tokens of a line of a file, or of a text of a corpus; time and memory grow with its square."""
_MOST_TOKENS = 1_000_000_000
_SENTENCE = "a sentence must be a string or a sequence of strings"
_MOST_SHOWN_CHARACTERS = 60
"""Characters that are shown of a wrong value."""


def check_sentences(values: object, what: str) -> list[Text]:
    """List sentences, each a string or its tokens; ``what`` names them in errors, in the plural.

    >>> check_sentences(("A cat", ["A", "dog"]), "sources")
    ['A cat', ('A', 'dog')]
    >>> check_sentences("A cat", "sources")
    Traceback (most recent call last):
    ...
    errata.errors.UsageError: sources must be a list of sentences, found a single string: 'A cat'
    """
    items = list_items(values, f"{what} must be a list of sentences")
    if set(map(type, items)) <= {str}:  # as most lists
        return items
    return [_check_item(item, number, what) for number, item in enumerate(items, start=1)]


def list_items(values: object, rule: str) -> list[Any]:
    """List the items of anything that has an order, as Python's own objects; else raise an error with the rule."""
    if type(values) is list or type(values) is tuple:
        return list(values)
    if isinstance(values, str):
        raise UsageError(f"{rule}, found a single string: {_show(values)}")
    if hasattr(values, "columns") or hasattr(values, "column_names"):
        raise UsageError(f"{rule}, found a table ({type(values).__name__}); choose one of its columns")
    if isinstance(values, (bytes, bytearray, memoryview, AbstractSet, Mapping)) or getattr(values, "ndim", 1) == 0:
        raise UsageError(f"{rule}, found {_describe(values)}")
    for convert in ("to_pylist", "to_list", "tolist"):  # Arrow; pandas and polars; NumPy
        if callable(method := getattr(values, convert, None)):
            values = method()
            break
    if not isinstance(values, Iterable):
        raise UsageError(f"{rule}, found {_describe(values)}")
    return list(values)


def check_sentence(text: object) -> Text:
    """Return a sentence, a string or its tokens; raise if it is anything else.

    >>> check_sentence(["A", "cat"])
    ('A', 'cat')
    """
    if type(text) is str:
        return text
    if type(text) is tuple and set(map(type, text)) <= {str}:  # as readers make them
        return text
    if isinstance(text, str):
        return _as_plain(text)
    tokens = list_items(text, _SENTENCE)
    for token in tokens:
        if not isinstance(token, str):
            raise UsageError(f"{_SENTENCE}, found an item of type {_describe(token)}")
    return tuple(map(_as_plain, tokens))


def _check_item(item: object, number: int, what: str) -> Text:
    try:
        return check_sentence(item)
    except UsageError as error:
        raise UsageError(f"{what}, sentence {number:,}: {error}") from None


def _as_plain(text: str) -> str:
    """Make a plain string of one of a class of its own, as those of NumPy are."""
    return text if type(text) is str else str.__str__(text)


def same_length(**columns: Sized) -> None:
    """Raise unless all have the same length; they are named in errors by the names of the arguments.

    >>> same_length(sources=["A cat", "A dog"], predictions=["A cat"])
    Traceback (most recent call last):
    ...
    errata.errors.MismatchError: sources and predictions must have the same length, found 2 and 1
    """
    names, lengths = list(columns), list(map(len, columns.values()))
    for name, length in zip(names[1:], lengths[1:], strict=True):
        if length != lengths[0]:
            raise MismatchError(f"{names[0]} and {name} must have the same length, found {lengths[0]:,} and {length:,}")


def check_max_tokens(value: object) -> None:
    """Raise unless a value is a number of tokens."""
    if type(value) is not int or not 1 <= value <= _MOST_TOKENS:
        raise UsageError(f"max_tokens must be a whole number from 1 to {_MOST_TOKENS:,}, found {value!r:.40}")


def _describe(value: object) -> str:
    """Say what was found: the type, and the value unless it is long."""
    if value is None or (isinstance(value, Sized) and not isinstance(value, (str, bytes, bytearray))):
        return type(value).__name__
    return f"{type(value).__name__}: {_show(value)}"


def _show(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _MOST_SHOWN_CHARACTERS else f"{shown[:_MOST_SHOWN_CHARACTERS]}…"


_WHAT = "references"
_RULE = "references must be a list with one item for each source: a reference, or a list of references"


def list_references(sources: Sequence[Text], references: object) -> list[list[Text | None]]:
    """List the references of every source; None stands for an annotator who has none.

    If a source is a string, a list of strings has several references.
    If a source is a list of tokens, a list of strings is one reference, and a list of lists has several.

    >>> list_references(["He go", "She run"], ["He goes", ["She runs", "She ran"]])
    [['He goes'], ['She runs', 'She ran']]
    >>> list_references([("He", "go")], [["He", "goes"]])
    [[('He', 'goes')]]
    """
    items = list_items(references, _RULE)
    if len(items) != len(sources):
        _refuse_columns(items, len(sources))
        same_length(sources=sources, references=items)
    found = [_list_own(source, item, number) for number, (source, item) in enumerate(zip(sources, items, strict=True), start=1)]
    _refuse_single_words(sources, found)
    return found


def _list_own(source: Text, item: object, number: int) -> list[Text | None]:
    """List the references of one source."""
    place = f"{_WHAT}, sentence {number:,}"
    try:
        if isinstance(item, str):
            return [check_sentence(item)]
        members = list_items(item, "expected a reference, or a list of references")
        if not isinstance(source, str) and members and all(isinstance(member, str) for member in members):
            return [check_sentence(members)]
        own = [None if member is None else check_sentence(member) for member in members]
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from None
    if all(text is None for text in own):
        raise UsageError(f"{place}: expected one reference or more, found none")
    return own


def _refuse_columns(items: Sequence[Any], sources: int) -> None:
    """Raise with advice if there seems to be one list for each annotator, as other tools want them."""
    if items and all(not isinstance(item, str) and hasattr(item, "__len__") and len(item) == sources for item in items):
        raise MismatchError(
            f"sources and references must have the same length, found {sources:,} and {len(items):,}; "
            f"the references seem to have a list for each annotator, but must have one for each source: list(zip(*references))"
        )


def _refuse_single_words(sources: Sequence[Text], found: Sequence[Sequence[Text | None]]) -> None:
    """Raise if all lists of several references have single words only: they are tokens of one reference, whose source is a string."""
    several = [(source, own) for source, own in zip(sources, found, strict=True) if len(own) > 1]
    if several and all(_are_single_words(source, own) for source, own in several):
        raise UsageError(
            "references must be strings if their sources are, found lists of single words; "
            "give the tokens of the sources too, or each reference as a list of one: [[tokens], ...]"
        )


def _are_single_words(source: Text, own: Sequence[Text | None]) -> bool:
    return isinstance(source, str) and len(source.split()) > 1 and all(isinstance(text, str) and len(text.split()) == 1 for text in own)


_MOST_DIGITS = 18
"""A number with more digits is larger than any corpus."""
_MOST_SHOWN_NUMBERS = 40
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


class _NumberRange(NamedTuple):
    """A number, or a range of them."""

    low: int
    high: int
    text: str
    """As it is written, for messages."""


def parse_ranges(text: str, expected: str, option: str = "") -> Iterator[_NumberRange]:
    """Yield the ranges of a list; messages say what is ``expected``, and begin with the option if there is one."""
    if not text.strip():
        raise UsageError(f"{expected}, found an empty text")
    for part in _SEPARATOR.split(text.strip()):
        if not part:
            raise UsageError(f"{expected}, found a comma without a number before or after it: {text[:_MOST_SHOWN_NUMBERS]!r}")
        first, dash, end = part.partition("-")
        if not (_is_number(first) and (_is_number(end) or not dash)):
            raise UsageError(f"{expected}, found {part[:_MOST_SHOWN_NUMBERS]!r}")
        low, high = (int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS for digits in (first, end or first))
        if low > high:
            raise UsageError(f"{f'{option}: ' if option else ''}the range {part[:_MOST_SHOWN_NUMBERS]!r} runs backwards")
        yield _NumberRange(low, high, part[:_MOST_SHOWN_NUMBERS])


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


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
