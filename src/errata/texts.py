"""Sentences that are given in Python: strings or tokens, in lists, generators, or columns of NumPy, pandas, polars, Arrow and Datasets.

What is not a sequence of sentences gets an error that says what was expected, what was found, and where.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from collections.abc import Set as AbstractSet
from typing import Any

from errata.errors import MismatchError, UsageError

Tokens = tuple[str, ...]
"""A tokenised sentence."""
RAISE_LIMIT = "raise it with --max-tokens (max_tokens= in Python)"
Text = str | Tokens
"""A sentence as it was given: a string, or its tokens."""

DEFAULT_MAX_TOKENS = 4_000
"""Maximum number of tokens of a line of a file, or of a text of a corpus; time and memory grow with its square."""
_MOST_TOKENS = 1_000_000_000
_SENTENCE = "a sentence must be a string or a sequence of strings"
_SHOWN = 60
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
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
