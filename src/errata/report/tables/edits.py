"""Tables of edits: those that were counted, and every single one for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.texts import write_ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.metrics.views import JudgedEdit
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


EDIT_COLUMNS = ("system", "sentence", "annotator", "chosen", "outcome", "start", "end", "original", "correction", "type")
"""The columns of all edits in CSV."""
_MOST_SENTENCES = 5
"""Sentences of an edit that a table for people names."""
_ALTERNATIVES = "||"
"""What separates alternatives in CSV, as in M2."""


def list_edit_cells(system: str, sentence: int, annotator: str, edit: JudgedEdit, *, chosen: bool) -> tuple[Cell, ...]:
    """List the cells of an edit in CSV."""
    place = (system, sentence, annotator, "yes" if chosen else "no", edit.outcome, edit.start, edit.end)
    return (*place, edit.original, _ALTERNATIVES.join(edit.corrections), edit.type)


def digest_table(digest: EditDigest, title: str, notes: Sequence[str] = (), *, several: bool = False) -> Table:
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
                what = write_change(edit.original, edit.corrections)
                rows.append((f"{MARKS[outcome]} {outcome}", what, write_types(edit), edit.count, *systems, name_sentences(edit)))
    return Table(tuple(columns), tuple(rows), title, (*_describe_rest(digest), *notes))


def flat_digest_table(digests: Sequence[tuple[str | None, EditDigest]]) -> Table:
    """Make a table for programs; each digest is of a system, or of all together if it has no name."""
    from errata.report.table import Column, Table

    names = ("system", "outcome", "original", "correction", "type", "count", "systems", "sentences")
    rows: list[tuple[Cell, ...]] = []
    for system, digest in digests:
        for edit in digest.edits:
            texts = (edit.outcome, edit.original, _ALTERNATIVES.join(edit.corrections), write_types(edit))
            rows.append((system, *texts, edit.count, sum(map(bool, edit.systems)), ",".join(write_ranges(edit.sentences))))
    return Table(tuple(map(Column, names)), tuple(rows))


def write_types(edit: CountedEdit) -> str | None:
    """Write the types of an edit, with their counts if there are several.

    >>> from errata.scoring import CountedEdit
    >>> write_types(CountedEdit("right", "an", ("a",), (("ArtOrDet", 3), ("SVA", 1)), 4, (7,), (4,)))
    'ArtOrDet 3, SVA 1'
    """
    if len(edit.types) == 1:
        return edit.types[0][0]
    return ", ".join(f"{name} {count:,}" for name, count in edit.types) or None


def name_sentences(edit: CountedEdit) -> str:
    """List the first sentences of an edit, and say how many more there are."""
    named = ",".join(map(str, edit.sentences[:_MOST_SENTENCES]))
    more = len(edit.sentences) - _MOST_SENTENCES
    return f"{named} and {more:,} more" if more > 0 else named


def _describe_rest(digest: EditDigest) -> list[str]:
    """Say how many edits are not in the table."""
    if not digest.edits:
        return ["There are no such edits."]
    left = [f"{count:,} {outcome}" for outcome, count in digest.left_out.items() if count]
    return [f"Edits not shown: {', '.join(left)}; none of them is more frequent."] if left else []


def describe_digest(digest: EditDigest, systems: Sequence[str] = ()) -> dict[str, object]:
    """Describe a digest for JSON; ``systems`` are the names of several systems that were counted together."""
    return {"edits": [describe_edit(edit, systems) for edit in digest.edits], "left_out": dict(digest.left_out)}


def describe_edit(edit: CountedEdit, systems: Sequence[str] = ()) -> dict[str, object]:
    """Describe an edit for JSON."""
    record: dict[str, object] = {
        "outcome": edit.outcome,
        "original": edit.original,
        "corrections": list(edit.corrections),
        "types": dict(edit.types),
        "count": edit.count,
        "sentences": list(edit.sentences),
    }
    if systems:
        record["systems"] = {name: count for name, count in zip(systems, edit.systems, strict=True) if count}
    return record
