"""The choice of one column of texts of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import InputError, pluralise, suggest
from errata.formats.chunks import list_columns

if TYPE_CHECKING:
    from collections.abc import Sequence


def choose_text_column(path: str, names: Sequence[str], texts: Sequence[str], asked: str | None = None) -> str:
    """Choose the column that was asked for, or the only one with texts; else raise :class:`InputError` that lists them.

    >>> choose_text_column("x.parquet", ["id", "text"], ["text"])
    'text'
    >>> choose_text_column("x.parquet", ["source", "target"], ["source", "target"], "sauce")
    Traceback (most recent call last):
    ...
    errata.errors.InputError: x.parquet: there is no column 'sauce'; choose from source, target; did you mean source?
    """
    if asked in texts and asked is not None:
        return asked
    if not texts:
        raise InputError(f"{path}: expected a column of texts, found {list_columns(names) or 'no columns'}")
    choice = f"choose from {list_columns(texts)}"
    if asked is None:
        if len(texts) == 1:
            return texts[0]
        raise InputError(
            f"{path}: expected the name of a column after it, as in {path}:{texts[0][:40]}, because there are "
            f"{pluralise(len(texts), 'column')} of texts; {choice}"
        )
    what = f"the column {asked[:40]!r} has no texts" if asked in names else f"there is no column {asked[:40]!r}"
    raise InputError(f"{path}: {what}; {choice}{suggest(asked, texts)}")
