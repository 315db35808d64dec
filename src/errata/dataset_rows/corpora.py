"""A corpus from rows."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from errata.corpus.corpus import WHITESPACE_TOKENS, Corpus, Sentence, make_parallel_sentence
from errata.corpus.texts import Text, check_sentence, list_references
from errata.corpus.tokenisation import TOKEN_RULES, split_at_spaces
from errata.dataset_rows.columns import EDITS, RowColumns, find_columns
from errata.dataset_rows.row_edits import are_edits, correct_text, list_edits, make_sentence
from errata.dataset_rows.row_lists import DataRow, list_rows
from errata.errors import ErrataError, InputWarning, UsageError, pluralise

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from errata.corpus.texts import Tokens
    from errata.dataset_rows.row_edits import RowEdit


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
    listed = list_rows(rows)
    columns = find_columns(list(listed[0]), source, references)
    values = [_take_values(row, columns, number) for number, row in enumerate(listed, start=1)]
    if EDITS not in columns.references and not any(are_edits(value) for _, value in values):
        found = list_references([text for text, _ in values], [value for _, value in values])
        return Corpus(tuple(_make_sentence(text, own, split) for (text, _), own in zip(values, found, strict=True)), name)
    sentences = []
    uncorrected = 0
    for number, (text, value) in enumerate(values, start=1):
        try:
            edits = list_edits(value)
            sentences.append(_make_edited_sentence(text, edits, split))
        except ErrataError as error:
            raise type(error)(f"row {number:,}: {error}") from None
        uncorrected += sum(edit.text is None for edit in edits)
    if uncorrected:
        warnings.warn(f"{pluralise(uncorrected, 'edit')} without a correction skipped", InputWarning, stacklevel=2)
    return Corpus(tuple(sentences), name)


def take_texts(row: DataRow, columns: RowColumns) -> tuple[Text, list[Text | None]]:
    """Return source and references of a row as texts; the edits of each annotator are applied, those without a correction are not.

    >>> take_texts({"text": "He go .", "edits": {"start": [3], "end": [5], "text": ["goes"]}}, RowColumns("text", ("edits",)))
    ('He go .', ['He goes .'])
    """
    source, value = _take_values(row, columns)
    if EDITS not in columns.references and not are_edits(value):
        return source, list_references([source], [value])[0]
    edits = list_edits(value)
    if isinstance(source, str):
        return source, [*_correct_by_annotator(source, edits)]
    sentence = make_sentence(source, edits)
    return source, [sentence.corrected(annotation) for annotation in sentence.annotations]


def _find_rule(tokenise: str) -> Callable[[str], Tokens]:
    if tokenise not in TOKEN_RULES:
        raise UsageError(f"rows must be tokenised by one of {', '.join(TOKEN_RULES)}, found {tokenise!r:.40}")
    if tokenise == WHITESPACE_TOKENS:
        return split_at_spaces
    from errata.corpus.tokenisation import load_rule

    return load_rule(tokenise)


def _take_values(row: DataRow, columns: RowColumns, number: int | None = None) -> tuple[Text, Any]:
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
    return make_parallel_sentence(_tokenise(source, split), [None if text is None else _tokenise(text, split) for text in references])


def _make_edited_sentence(source: Text, edits: list[RowEdit], split: Callable[[str], Tokens]) -> Sentence:
    if not isinstance(source, str):
        return make_sentence(source, edits)
    return _make_sentence(source, _correct_by_annotator(source, edits), split)


def _correct_by_annotator(source: str, edits: list[RowEdit]) -> list[str]:
    """Apply the edits of each annotator; without edits, the source is the only correction."""
    annotators = dict.fromkeys(edit.annotator for edit in edits) or [""]
    return [correct_text(source, [edit for edit in edits if edit.annotator == own]) for own in annotators]


def _tokenise(text: Text, split: Callable[[str], Tokens]) -> Tokens:
    return split(text) if isinstance(text, str) else text
