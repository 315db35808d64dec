"""Labelled tokens: a token and its label on every line, ``c`` (correct) or ``i`` (incorrect), and an empty line between sentences.

The files of MultiGED 2023, and those that systems for error detection read and write (Rei and Yannakoudakis 2016).  Columns are
separated by tabs, or by other white space if the first line has no tab.  The first column is the token and the last the label;
columns between them are for other programs.  Behind the label may be the probability that the token is incorrect; or instead of it
the probabilities of both labels, as ``c:0.9`` and ``i:0.1``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.errors import FormatError, pluralise
from errata.formats.lines import SharedTexts, display_path, open_bytes, read_lines
from errata.formats.problems import Problems

if TYPE_CHECKING:
    from collections.abc import Iterator

_LABELS = {"c": False, "i": True}
_EXPECTED = "the label c or i"
_BEGINNING = 1 << 16
"""Bytes that are read to recognise labelled tokens."""
_BOTH = ["c", "i"]
_PAIR = 2
"""Columns of a token and its label, or of both probabilities."""

_Columns = Literal["label", "label and probability", "probabilities"]


class LabelledSentence(NamedTuple):
    """The tokens of a sentence, and what is said about each."""

    first_line: int
    tokens: tuple[str, ...]
    incorrect: list[bool | None]
    """Whether the label is ``i``; None without labels."""
    probabilities: list[float | None]
    """How probable it is that the token is incorrect; None if unknown."""


class _Layout(NamedTuple):
    """The columns of a file, from its first line."""

    separator: str | None
    fields: int
    columns: _Columns


def read_labelled_tokens(path: str) -> Iterator[LabelledSentence]:
    """Yield the sentences of a file; all lines must have the columns of the first."""
    shown, share = display_path(path), SharedTexts()
    layout: _Layout | None = None
    sentence: list[tuple[str, bool | None, float | None]] = []
    first = 0
    for line in read_lines(path, Problems(shown)):
        text = line.text.rstrip()
        if text:
            layout = layout or _find_layout(text, shown, line.number)
            sentence.append(_read_token(text, layout, shown, line.number))
            first = first or line.number
        elif sentence:
            yield _make_sentence(first, sentence, share)
            sentence, first = [], 0
    if sentence:
        yield _make_sentence(first, sentence, share)


def _make_sentence(first: int, read: list[tuple[str, bool | None, float | None]], share: SharedTexts) -> LabelledSentence:
    tokens, incorrect, probabilities = zip(*read, strict=True)
    return LabelledSentence(first, share(tokens), list(incorrect), list(probabilities))


def _find_layout(text: str, path: str, line: int) -> _Layout:
    separator = "\t" if "\t" in text else None
    fields = text.split(separator)
    columns = _find_columns(fields)
    if len(fields) < _PAIR:
        raise FormatError(path, line, f"expected a token and {_EXPECTED}, found {text[:60]!r}")
    if columns is None:
        raise FormatError(path, line, f"expected {_EXPECTED}, found {fields[-1][:60]!r}")
    return _Layout(separator, len(fields), columns)


def _find_columns(fields: list[str]) -> _Columns | None:
    last = [field.strip() for field in fields[-_PAIR:]]
    if last[-1] in _LABELS:
        return "label"
    if len(fields) > _PAIR and last[0] in _LABELS:
        return "label and probability"
    if len(fields) > _PAIR and sorted(field.partition(":")[0] for field in last) == _BOTH:
        return "probabilities"
    return None


def _read_token(text: str, layout: _Layout, path: str, line: int) -> tuple[str, bool | None, float | None]:
    fields = text.split(layout.separator)
    if len(fields) != layout.fields:
        raise FormatError(path, line, f"expected {pluralise(layout.fields, 'column')}, found {len(fields):,}")
    token, last = fields[0], [field.strip() for field in fields[-_PAIR:]]
    if not token.strip():
        raise FormatError(path, line, "expected a token, found none")
    if layout.columns == "probabilities":
        by_label = dict(field.partition(":")[::2] for field in last)
        if sorted(by_label) != _BOTH:
            raise FormatError(path, line, f"expected probabilities such as c:0.9 and i:0.1, found {' '.join(last)[:60]!r}")
        _read_probability(by_label["c"], path, line)
        return token, None, _read_probability(by_label["i"], path, line)
    label = last[0] if layout.columns == "label and probability" else last[-1]
    if label not in _LABELS:
        raise FormatError(path, line, f"expected {_EXPECTED}, found {label[:60]!r}")
    probability = _read_probability(last[-1], path, line) if layout.columns == "label and probability" else None
    return token, _LABELS[label], probability


def _read_probability(text: str, path: str, line: int) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise FormatError(path, line, f"expected a probability from 0 to 1, found {text[:60]!r}")
    return number


def is_labelled_tokens(path: str) -> bool:
    """Tell whether most lines at the beginning of a file are labelled tokens; standard input is not looked at."""
    if not os.path.isfile(path):  # noqa: PTH113 - never raises
        return False
    with open_bytes(path) as file:
        beginning = file.read(_BEGINNING)
    whole = beginning if len(beginning) < _BEGINNING else beginning.rpartition(b"\n")[0]
    lines = [line.rstrip() for line in whole.decode("utf-8", "replace").split("\n") if line.strip()]
    fields = [line.split("\t" if "\t" in line else None) for line in lines]
    labelled = sum(len(own) >= _PAIR and _find_columns(own) is not None for own in fields)
    return labelled * 2 > len(lines)
