"""Rows of data sets, such as those of Hugging Face, as a corpus."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Iterable, Mapping
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.corpus import (
    FIRST_ANNOTATOR,
    WHITESPACE_TOKENS,
    Annotation,
    Corpus,
    Edit,
    Sentence,
)
from errata.corpus.texts import Text, Tokens, check_sentence, list_items, list_references, same_length
from errata.corpus.tokenisation import TOKEN_RULES
from errata.errors import ErrataError, InputWarning, UsageError, pluralise, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def from_rows(
    rows: object,
    source: str | None = None,
    references: str | Collection[str] | None = None,
    *,
    tokenise: str = WHITESPACE_TOKENS,
    name: str = "gold",
) -> Corpus:
    """Make a corpus of the rows of a data set, as they are: a ``datasets.Dataset``, a slice of it, a list of dictionaries, a data frame.

    ``source`` and ``references`` name columns; without them, pairs of names in :data:`KNOWN_COLUMNS` are recognised.
    A value of the column of references is a reference, a list of references, or edits (``start``, ``end`` and ``text``), whose offsets
    count characters if the source is a string, and tokens if it is a list of tokens.  Several columns are those of several annotators.
    ``tokenise`` says how strings are tokenised: at white space, or by a rule of :data:`errata.corpus.tokenisation.TOKEN_RULES`.

    >>> corpus = from_rows([{"sentence": "He go home .", "corrections": ["He goes home .", "He went home ."]}])
    >>> [annotation.edits[0].corrections for annotation in corpus[0].annotations]
    [('goes',), ('went',)]
    """
    split = _find_rule(tokenise)
    listed = _list_rows(rows)
    columns = find_columns(list(listed[0]), source, references)
    values = [_take_values(row, columns, number) for number, row in enumerate(listed, start=1)]
    if _EDITS not in columns.references and not any(_are_edits(value) for _, value in values):
        found = list_references([text for text, _ in values], [value for _, value in values])
        return Corpus(tuple(_make_sentence(text, own, split) for (text, _), own in zip(values, found, strict=True)), name)
    sentences = []
    uncorrected = 0
    for number, (text, value) in enumerate(values, start=1):
        try:
            edits = _list_edits(value)
            sentences.append(_make_edited_sentence(text, edits, split))
        except ErrataError as error:
            raise type(error)(f"row {number:,}: {error}") from None
        uncorrected += sum(edit.text is None for edit in edits)
    if uncorrected:
        warnings.warn(f"{pluralise(uncorrected, 'edit')} without a correction skipped", InputWarning, stacklevel=2)
    return Corpus(tuple(sentences), name)


def _find_rule(tokenise: str) -> Callable[[str], Tokens]:
    if tokenise not in TOKEN_RULES:
        raise UsageError(f"rows must be tokenised by one of {', '.join(TOKEN_RULES)}, found {tokenise!r:.40}")
    if tokenise == WHITESPACE_TOKENS:
        return lambda text: tuple(text.split())
    from errata.corpus.tokenisation import load_rule

    return load_rule(tokenise)


def _take_values(row: _DataRow, columns: RowColumns, number: int | None = None) -> tuple[Text, Any]:
    """Return the source of a row, and what its columns of references have."""
    where = "" if number is None else f"row {number:,}: "
    for name in (columns.source, *columns.references):
        if name not in row:
            raise UsageError(f"{where}there is no column {name!r}")
    try:
        source = check_sentence(row[columns.source])
    except UsageError as error:
        raise UsageError(f"{where}column {columns.source!r}: {error}") from None
    if len(columns.references) == 1:
        return source, row[columns.references[0]]
    return source, [row[name] for name in columns.references]


def _make_sentence(source: Text, references: Sequence[Text | None], split: Callable[[str], Tokens]) -> Sentence:
    return Sentence.from_texts(_tokenise(source, split), [None if text is None else _tokenise(text, split) for text in references])


def _make_edited_sentence(source: Text, edits: list[_RowEdit], split: Callable[[str], Tokens]) -> Sentence:
    if not isinstance(source, str):
        return _annotate(source, edits)
    return _make_sentence(source, _correct_by_annotator(source, edits), split)


def _correct_by_annotator(source: str, edits: list[_RowEdit]) -> list[str]:
    """Apply the edits of each annotator; without edits, the source is the only correction."""
    annotators = dict.fromkeys(edit.annotator for edit in edits) or [""]
    return [_correct_text(source, [edit for edit in edits if edit.annotator == own]) for own in annotators]


def _tokenise(text: Text, split: Callable[[str], Tokens]) -> Tokens:
    return split(text) if isinstance(text, str) else text


_EDITS = "edits"
"""The name of columns of edits."""
_MOST_LISTED = 30
"""RowColumns that an error lists."""


class RowColumns(NamedTuple):
    """The names of columns."""

    source: str
    references: tuple[str, ...]
    """One column, with one reference or several or edits, or a column for each annotator."""

    def take_texts(self, row: _DataRow) -> tuple[Text, list[Text | None]]:
        """Return source and references of a row as texts; the edits of each annotator are applied, those without a correction are not.

        >>> RowColumns("text", ("edits",)).take_texts({"text": "He go .", "edits": {"start": [3], "end": [5], "text": ["goes"]}})
        ('He go .', ['He goes .'])
        """
        source, value = _take_values(row, self)
        if _EDITS not in self.references and not _are_edits(value):
            return source, list_references([source], [value])[0]
        edits = _list_edits(value)
        if isinstance(source, str):
            return source, [*_correct_by_annotator(source, edits)]
        sentence = _annotate(source, edits)
        return source, [sentence.corrected(annotation) for annotation in sentence.annotations]


KNOWN_COLUMNS: tuple[tuple[str, str], ...] = (
    ("sentence", "corrections"),
    ("sentence", "correction"),
    ("text", _EDITS),
    ("text", "corrections"),
    ("text", "correction"),
    ("tokens", _EDITS),
    ("source", _EDITS),
    ("src_tokens", "tgt_tokens"),
    ("source", "references"),
    ("source", "reference"),
    ("source", "target"),
    ("source", "targets"),
    ("source", "corrected"),
    ("src", "tgt"),
    ("src", "ref"),
    ("src", "refs"),
    ("input", "output"),
    ("input", "target"),
    ("input_text", "target_text"),
    ("original", "corrected"),
    ("original", "correction"),
    ("incorrect", "correct"),
    ("ungrammatical", "grammatical"),
)
"""Columns of source and references that are recognised, as pairs; JFLEG has the first, W&I+LOCNESS the third."""


def find_columns(names: Collection[str], source: str | None = None, references: str | Collection[str] | None = None) -> RowColumns:
    """Find the columns of source and references among the names of all columns; those that are named must exist.

    >>> find_columns(["sentence", "corrections"])
    RowColumns(source='sentence', references=('corrections',))
    >>> find_columns(["id", "learner", "ref0", "ref1"], "learner", ["ref0", "ref1"])
    RowColumns(source='learner', references=('ref0', 'ref1'))
    """
    if not isinstance(source, str | None) or not isinstance(references, str | Collection | None):
        raise UsageError(f"columns must be named by strings, found {source!r:.40} and {references!r:.40}")
    wanted = (references,) if isinstance(references, str) else None if references is None else tuple(references)
    if wanted == ():
        raise UsageError("references must name one column or more, found none")
    for name in (*([] if source is None else [source]), *(wanted or ())):
        if name not in names:
            raise UsageError(f"the rows have no column {name!r}; choose from {_list(names)}{suggest(str(name), names)}")
    if source is not None and wanted is not None:
        return RowColumns(source, wanted)
    found = [
        pair for pair in KNOWN_COLUMNS if set(pair) <= set(names) and source in {None, pair[0]} and (wanted is None or wanted == (pair[1],))
    ]
    if len(found) == 1:
        return RowColumns(found[0][0], (found[0][1],))
    missing = " and ".join(name for name, given in (("source=", source), ("references=", wanted)) if given is None)
    if found:
        pairs = "; ".join(" and ".join(pair) for pair in found)
        raise UsageError(f"several columns may be source and references: {pairs}; name them with {missing}")
    known = "; ".join(" and ".join(pair) for pair in KNOWN_COLUMNS)
    raise UsageError(
        f"the columns of source and references are not known, found {_list(names)}; name them with {missing}, or use a pair of: {known}"
    )


def _list(names: Collection[str]) -> str:
    listed = list(map(str, names))
    return ", ".join(listed[:_MOST_LISTED]) + (", …" if len(listed) > _MOST_LISTED else "")


_RULE = "rows must be a data set, or a list of dictionaries"
_DataRow = Mapping[str, Any]
"""A row: values by the names of their columns."""


def _list_rows(rows: object) -> list[_DataRow]:
    """List the rows of anything that has some.

    >>> _list_rows({"sentence": ["A cat", "A dog"], "corrections": [["a cat"], ["a dog"]]})[1]
    {'sentence': 'A dog', 'corrections': ['a dog']}
    """
    if isinstance(rows, Mapping):
        return _turn_columns(rows)
    found = _take_rows(rows)
    for number, row in enumerate(found, start=1):
        if not isinstance(row, Mapping):
            raise UsageError(f"{_RULE}, found {type(row).__name__} as row {number:,}: {row!r:.60}")
    if not found:
        raise UsageError(f"{_RULE}, found no row")
    return found


def _take_rows(rows: object) -> list[Any]:
    if hasattr(rows, "iter_rows"):  # polars
        return list(rows.iter_rows(named=True))
    if hasattr(rows, "to_pylist"):  # Arrow
        return list(rows.to_pylist())
    if hasattr(rows, "iloc") and hasattr(rows, "to_dict"):  # pandas
        if not hasattr(rows, "columns"):
            raise UsageError(f"{_RULE}, found a single column ({type(rows).__name__})")
        return [{name: _without_nan(value) for name, value in row.items()} for row in rows.to_dict("records")]
    if hasattr(rows, "column_names") and isinstance(rows, Iterable):  # Datasets
        return list(rows)
    return list_items(rows, _RULE)


def _without_nan(value: Any) -> Any:
    """Return None for what pandas has instead of it."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _turn_columns(columns: Mapping[Any, Any]) -> list[_DataRow]:
    """Make rows of a slice of a data set, which has a list for each column."""
    if any(hasattr(column, "column_names") for column in columns.values()):
        splits = ", ".join(map(str, columns))
        raise UsageError(f"{_RULE}, found several splits; choose one of them: {splits}")
    if columns and all(isinstance(column, str) for column in columns.values()):
        raise UsageError(f"{_RULE}, found a single row with {', '.join(map(str, columns))}; put it into a list")
    lists = {str(name): list_items(column, f"the column {name!r} must be a list") for name, column in columns.items()}
    same_length(**lists)
    rows: list[_DataRow] = [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]
    if not rows:
        raise UsageError(f"{_RULE}, found no row")
    return rows


# Edits in a row: starts, ends and texts, counted in characters of a text, or in tokens if the source is a list of them.

_FIELDS = ("start", "end", "text")
_MORE = ("type", "annotator")


class _RowEdit(NamedTuple):
    """An edit of a row."""

    start: int
    end: int
    text: str | None
    """None if the error was marked, but not corrected."""
    type: str = ""
    annotator: str = FIRST_ANNOTATOR


def _are_edits(value: object) -> bool:
    """Whether a value of a row has edits: a dictionary of lists, or a list of dictionaries."""
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _list_edits(value: object) -> list[_RowEdit]:
    """List the edits of a row.

    >>> _list_edits({"start": [3], "end": [5], "text": ["goes"]})
    [_RowEdit(start=3, end=5, text='goes', type='', annotator='0')]
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


def _make_edit(record: Mapping[str, Any], number: int) -> _RowEdit:
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
    return _RowEdit(start, end, text, str(record.get("type") or ""), str(record.get("annotator", FIRST_ANNOTATOR)))


def _correct_text(text: str, edits: list[_RowEdit]) -> str:
    """Apply edits with offsets of characters; what was marked without a correction stays.

    >>> _correct_text("He go home.", [_RowEdit(3, 5, "goes")])
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


def _annotate(tokens: Tokens, edits: list[_RowEdit]) -> Sentence:
    """Make a sentence from edits with offsets of tokens, which stay as they are; those without a correction are left out."""
    annotators = dict.fromkeys(edit.annotator for edit in edits) or [FIRST_ANNOTATOR]
    annotations = []
    for annotator in annotators:
        own = [
            Edit(edit.start, edit.end, (edit.text,), edit.type) for edit in edits if edit.annotator == annotator and edit.text is not None
        ]
        annotations.append(Annotation(annotator, tuple(own)))
    return Sentence(tokens, tuple(annotations))
