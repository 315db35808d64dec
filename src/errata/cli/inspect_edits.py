"""The view of ``errata inspect`` for edits: those of gold and of the system, judged by each annotator's reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from errata.cli.inspection import STYLES, Inspected
from errata.html import printable
from errata.metrics.views import MIXED
from errata.report.tables.edits import MARKS, list_edit_cells, write_change
from errata.report.writers import width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.cli.inspection import Filters
    from errata.corpus.corpus import Sentence, System
    from errata.corpus.texts import Tokens
    from errata.metrics import JudgedEdit, ShowsEdits
    from errata.metrics.evidence import Evidence
    from errata.report.table import Cell
    from errata.report.writers import Marked
    from errata.scoring import Score

_TYPE_WIDTH = 9
"""Characters of the column of types, if no type is longer."""


JoinTokens = Callable[[Iterable[str]], str]
"""Writes tokens as text."""


class Reading(NamedTuple):
    """The edits of a sentence, judged by one annotator's reference."""

    annotator: str
    chosen: bool
    edits: list[JudgedEdit]


def inspected_edits(
    evidence: Evidence,
    prepared: ShowsEdits,
    system: System,
    numbers: list[int],
    filters: Filters,
    *,
    only_chosen: bool,
    join: JoinTokens = " ".join,
) -> Iterator[Inspected]:
    """Yield the sentences that pass the filters; ``join`` writes tokens for people."""
    for number in numbers:
        place = evidence.index(number)
        sentence, hypothesis = evidence.corpus[place], system.sentences[place]
        if not filters.pass_text(sentence, hypothesis):
            continue
        readings = _list_readings(evidence, prepared, place, only_chosen=only_chosen)
        passing = [(reading.chosen, edit.outcome) for reading in readings for edit in reading.edits if filters.pass_edit(edit)]
        if filters.of_edits and not passing:
            continue
        outcomes = Counter[str](edit.outcome for reading in readings if reading.chosen for edit in reading.edits)
        matching = Counter[str](outcome for is_chosen, outcome in passing if is_chosen)
        yield Inspected(
            _record(number, sentence, hypothesis, readings),
            _described(number, sentence, hypothesis, readings, join),
            outcomes,
            matching,
            len(passing) - matching.total(),
        )


def list_edit_rows(
    score: Score, prepared: ShowsEdits, numbers: list[int], filters: Filters, *, only_chosen: bool
) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of CSV: each edit that passes the filters, of each annotator."""
    evidence, system = score.evidence, score.system
    for number in numbers:
        place = evidence.index(number)
        if filters.pass_text(evidence.corpus[place], system.sentences[place]):
            for annotator, chosen, edits in _list_readings(evidence, prepared, place, only_chosen=only_chosen):
                passing = filter(filters.pass_edit, edits)
                yield from (list_edit_cells(system.name, number, annotator, edit, chosen=chosen) for edit in passing)


def _list_readings(evidence: Evidence, prepared: ShowsEdits, place: int, *, only_chosen: bool) -> list[Reading]:
    """List the edits of the sentence at an index, judged by each annotator, or only by the chosen one; a mixture is always chosen."""
    judged = prepared.edits(place)
    chosen = evidence.chosen[place] if evidence.chosen is not None else None
    readings = [Reading(name, index == chosen, judged[index]) for index, name in enumerate(evidence.labels[place])]
    return [reading for reading in readings if reading.chosen or not (only_chosen or evidence.metric.mixes_references)]


def name_reference(label: str) -> str:
    """Name a reference: that of an annotator, or a mixture."""
    return "mixture" if label == MIXED else f"annotator {label}"


def _record(number: int, sentence: Sentence, hypothesis: Tokens, readings: list[Reading]) -> dict[str, object]:
    annotators = [
        {"annotator": reading.annotator, "chosen": reading.chosen, "edits": [asdict(edit) for edit in reading.edits]}
        for reading in readings
    ]
    return {"sentence": number, "source": sentence.text, "system": " ".join(hypothesis), "annotators": annotators}


def _described(number: int, sentence: Sentence, hypothesis: Tokens, readings: list[Reading], join: JoinTokens) -> list[Marked]:
    """Write the lines of one sentence."""
    lines: list[Marked] = [
        [(f"sentence {number}", "bold")],
        [("  source  ", "dim"), (join(sentence.tokens), "")],
        [("  system  ", "dim"), (join(hypothesis) or "(empty)", "")],
    ]
    space = max([_TYPE_WIDTH, *(width(printable(edit.type or "")) for reading in readings for edit in reading.edits)])
    for reading in readings:
        counts = ", ".join(f"{sum(edit.outcome == outcome for edit in reading.edits)} {outcome}" for outcome in MARKS)
        chosen = " (chosen)" if reading.chosen and len(readings) > 1 else ""
        lines.append([(f"  {name_reference(reading.annotator)}{chosen}: {counts}", "")])
        if reading.edits:
            lines.append([("    ", ""), *_in_context(sentence, reading.edits, join)])
        for edit in reading.edits:
            arrow = write_change(join(edit.original.split()), [join(text.split()) for text in edit.corrections])
            name = edit.type or ""
            place = f"{edit.start:>3}-{edit.end:<3} {name}{' ' * (space - width(printable(name)))}"
            lines.append([(f"    {MARKS[edit.outcome]} {place} {arrow}", STYLES[edit.outcome])])
    lines.append([])
    return lines


def _in_context(sentence: Sentence, edits: list[JudgedEdit], join: JoinTokens) -> Marked:
    """Write the source with its edits: [old → new], with the mark of each.

    A missed edit that overlaps one of the system's is only in the list below.
    """
    own = [edit for edit in edits if edit.outcome != "missed"]
    apart = [
        edit for edit in edits if edit.outcome == "missed" and not any(edit.start < other.end and other.start < edit.end for other in own)
    ]
    pieces: Marked = []
    position = 0
    for edit in sorted([*own, *apart], key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            continue  # two missed edits that overlap
        pieces.append((join(sentence.tokens[position : edit.start]) + (" " if edit.start > position else ""), ""))
        change = f"{join(edit.original.split())}→{'|'.join(join(text.split()) for text in edit.corrections)}"
        pieces.append((f"[{MARKS[edit.outcome]} {change}] ", STYLES[edit.outcome]))
        position = edit.end
    pieces.append((join(sentence.tokens[position:]), ""))
    return pieces
