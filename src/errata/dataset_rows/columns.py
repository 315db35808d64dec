"""Which columns of a data set are source and references: those that are named, or a pair of names that is known."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from errata.errors import UsageError, suggest

EDITS = "edits"
"""The name of columns of edits."""
_MOST_LISTED = 30
"""RowColumns that an error lists."""


class RowColumns(NamedTuple):
    """The names of columns."""

    source: str
    references: tuple[str, ...]
    """One column, with one reference or several or edits, or a column for each annotator."""


KNOWN_COLUMNS: tuple[tuple[str, str], ...] = (
    ("sentence", "corrections"),
    ("sentence", "correction"),
    ("text", EDITS),
    ("text", "corrections"),
    ("text", "correction"),
    ("tokens", EDITS),
    ("source", EDITS),
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
"""RowColumns of source and references that are recognised, as pairs; JFLEG has the first, W&I+LOCNESS the third."""


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
