"""References that are given in Python: one or several for each source, as strings or tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.errors import MismatchError, UsageError
from errata.texts import Text, check_sentence, list_items, same_length

if TYPE_CHECKING:
    from collections.abc import Sequence

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
