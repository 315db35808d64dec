"""Tables of edits: those that were counted, and every single one for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.texts import write_ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.report.table import Cell, Table
    from errata.scoring.edits import CountedEdit, EditDigest


MARKS = {"right": "+", "wrong": "x", "missed": "-"}
"""The sign of each outcome."""
EMPTY_SIGN = "∅"
"""What stands for no tokens."""


def write_change(original: str, corrections: Sequence[str]) -> str:
    """Write what an edit changes.

    >>> write_change("informations", ("information",)), write_change("", ("a", "the")), write_change("the", ("",))
    ('informations → information', '∅ → a | the', 'the → ∅')
    """
    return f"{original or EMPTY_SIGN} → {' | '.join(text or EMPTY_SIGN for text in corrections)}"


_ALL = "all systems"
_MOST_SENTENCES = 5
"""Sentences of an edit that a table for people names."""
_ALTERNATIVES = "||"
"""What separates alternatives in CSV, as in M2."""


class WrittenEdit(NamedTuple):
    """An edit that was counted, as people read it."""

    change: str
    types: str | None
    """With their counts if there are several; None if there are none."""
    sentences: str
    """The first ones, and how many more there are."""

    @classmethod
    def of(cls, edit: CountedEdit) -> WrittenEdit:
        """Write an edit."""
        return cls(write_change(edit.original, edit.corrections), _write_types(edit), _name_sentences(edit))


def _write_types(edit: CountedEdit) -> str | None:
    """Write the types of an edit, with their counts if there are several.

    >>> from errata.scoring import CountedEdit
    >>> _write_types(CountedEdit("right", "an", ("a",), (("ArtOrDet", 3), ("SVA", 1)), 4, (7,), (4,)))
    'ArtOrDet 3, SVA 1'
    """
    if len(edit.types) == 1:
        return edit.types[0][0]
    return ", ".join(f"{name} {count:,}" for name, count in edit.types) or None


def _name_sentences(edit: CountedEdit) -> str:
    """List the first sentences of an edit, and say how many more there are."""
    named = ",".join(map(str, edit.sentences[:_MOST_SENTENCES]))
    more = len(edit.sentences) - _MOST_SENTENCES
    return f"{named} and {more:,} more" if more > 0 else named


class EditDigests(NamedTuple):
    """The edits of some systems, counted for each, and for all together if there are several."""

    systems: Sequence[str]
    digests: Sequence[EditDigest]
    together: EditDigest | None

    def tables(self, notes: Sequence[str]) -> list[Table]:
        """Make a table of each system and one of all; the last has the notes on all of them."""
        if self.together is None:
            return [_digest_table(self.digests[0], "", notes)]
        tables = [_digest_table(digest, system) for system, digest in zip(self.systems, self.digests, strict=True)]
        return [*tables, _digest_table(self.together, _ALL, notes, several=True)]

    def flat_table(self) -> Table:
        """Make a table for programs; rows of all systems together have no name."""
        listed: list[tuple[str | None, EditDigest]] = [*zip(self.systems, self.digests, strict=True)]
        listed += [(None, self.together)] if self.together is not None else []
        from errata.report.table import Column, Table

        names = ("system", "outcome", "original", "correction", "type", "count", "systems", "sentences")
        rows: list[tuple[Cell, ...]] = []
        for system, digest in listed:
            for edit in digest.edits:
                texts = (edit.outcome, edit.original, _ALTERNATIVES.join(edit.corrections), _write_types(edit))
                rows.append((system, *texts, edit.count, sum(map(bool, edit.systems)), ",".join(write_ranges(edit.sentences))))
        return Table(tuple(map(Column, names)), tuple(rows))


def _digest_table(digest: EditDigest, title: str, notes: Sequence[str] = (), *, several: bool = False) -> Table:
    """Make a table for people: right, wrong and missed edits, each the most frequent first; the first note says how many
    others there are.

    ``several`` says that they are of several systems together; then a column counts systems.
    """
    from errata.metrics.views import EDIT_OUTCOMES
    from errata.report.table import Column, Table

    columns = [Column("Outcome"), Column("Edit"), Column("Type"), Column("Count", "count")]
    columns += [*([Column("Systems", "count")] if several else []), Column("Sentences")]
    rows: list[tuple[Cell, ...]] = []
    for outcome in EDIT_OUTCOMES:
        for edit in digest.edits:
            if edit.outcome == outcome:
                systems = [sum(map(bool, edit.systems))] if several else []
                own = WrittenEdit.of(edit)
                rows.append((f"{MARKS[outcome]} {outcome}", own.change, own.types, edit.count, *systems, own.sentences))
    return Table(tuple(columns), tuple(rows), title, (*_describe_rest(digest), *notes))


def _describe_rest(digest: EditDigest) -> list[str]:
    """Say how many edits are not in the table."""
    if not digest.edits:
        return ["There are no such edits."]
    left = [f"{count:,} {outcome}" for outcome, count in digest.left_out.items() if count]
    return [f"Edits not shown: {', '.join(left)}; none of them is more frequent."] if left else []
