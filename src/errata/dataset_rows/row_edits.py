"""Edits in a row: starts, ends and texts, counted in characters of a text, or in tokens if the source is a list of them."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any, NamedTuple

from errata.corpus.corpus import FIRST_ANNOTATOR, Annotation, Edit, Sentence
from errata.corpus.texts import Tokens, list_items, same_length
from errata.errors import UsageError

_FIELDS = ("start", "end", "text")
_MORE = ("type", "annotator")


class RowEdit(NamedTuple):
    """An edit of a row."""

    start: int
    end: int
    text: str | None
    """None if the error was marked, but not corrected."""
    type: str = ""
    annotator: str = FIRST_ANNOTATOR


def are_edits(value: object) -> bool:
    """Whether a value of a row has edits: a dictionary of lists, or a list of dictionaries."""
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, Mapping) for item in value)


def list_edits(value: object) -> list[RowEdit]:
    """List the edits of a row.

    >>> list_edits({"start": [3], "end": [5], "text": ["goes"]})
    [RowEdit(start=3, end=5, text='goes', type='', annotator='0')]
    """
    if isinstance(value, Mapping):
        columns = {name: list_items(value[name], f"the {name} of edits must be a list") for name in (*_FIELDS, *_MORE) if name in value}
        _require(columns)
        same_length(**columns)
        records = [dict(zip(columns, own, strict=True)) for own in zip(*columns.values(), strict=True)]
    else:
        records = list_items(value, "edits must be a list")
    return [_make_edit(record, number) for number, record in enumerate(records, start=1)]


def _require(record: Mapping[str, Any]) -> None:
    if missing := next((name for name in _FIELDS if name not in record), None):
        raise UsageError(f"edits must have start, end and text, found no {missing}")


def _make_edit(record: Mapping[str, Any], number: int) -> RowEdit:
    _require(record)
    start, end, text = (record[name] for name in _FIELDS)
    try:
        start, end = (index(offset) for offset in (start, end) if not isinstance(offset, bool))  # also those of NumPy
    except (TypeError, ValueError):
        raise UsageError(f"edit {number:,}: start and end must be whole numbers, found {start!r:.20} and {end!r:.20}") from None
    if not 0 <= start <= end:
        raise UsageError(f"edit {number:,}: start must be from 0 to end, found {start} and {end}")
    if text is not None and not isinstance(text, str):
        tokens = list_items(text, f"edit {number:,}: the text must be a string or a list of tokens")
        if wrong := next((token for token in tokens if not isinstance(token, str)), None):
            raise UsageError(f"edit {number:,}: the tokens of the text must be strings, found {type(wrong).__name__}: {wrong!r:.40}")
        text = " ".join(tokens)
    return RowEdit(start, end, text, str(record.get("type") or ""), str(record.get("annotator", FIRST_ANNOTATOR)))


def correct_text(text: str, edits: list[RowEdit]) -> str:
    """Apply edits with offsets of characters; what was marked without a correction stays.

    >>> correct_text("He go home.", [RowEdit(3, 5, "goes")])
    'He goes home.'
    """
    parts: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.end > len(text):
            raise UsageError(f"an edit of {edit.start} to {edit.end} lies outside a text of {len(text):,} characters")
        if edit.start < position:
            raise UsageError(f"an edit of {edit.start} to {edit.end} overlaps one that ends at {position}")
        parts += [text[position : edit.start], text[edit.start : edit.end] if edit.text is None else edit.text]
        position = edit.end
    return "".join((*parts, text[position:]))


def make_sentence(tokens: Tokens, edits: list[RowEdit]) -> Sentence:
    """Make a sentence from edits with offsets of tokens, which stay as they are; those without a correction are left out."""
    annotators = dict.fromkeys(edit.annotator for edit in edits) or [FIRST_ANNOTATOR]
    annotations = []
    for annotator in annotators:
        own = [
            Edit(edit.start, edit.end, (edit.text,), edit.type) for edit in edits if edit.annotator == annotator and edit.text is not None
        ]
        annotations.append(Annotation(annotator, tuple(own)))
    return Sentence(tokens, tuple(annotations))
