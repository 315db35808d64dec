"""The folder of a phase of alternative answers in an export: what was proposed and how it was judged, with names.

The golds with accepted answers, which are in the folder of the phase that the answers are about, follow from these rows.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.event.answers.progress import measure_progress
from errata.event.answers.rows import list_item_rows, list_judgment_rows
from errata.report.table import Column, Table
from errata.report.writers import csv, render_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.event.answers.agreement import AnnotatorAgreement, AnswerAgreement
    from errata.event.answers.progress import AnswerProgress
    from errata.event.database import DatabaseTransaction
    from errata.event.new_folder import NewFolder
    from errata.event.phases import Phase
    from errata.report.table import Cell

_ITEMS = ("item", "sentence", "edits", "teams", "pooled", "status", "amended", "accepted_edits")
_JUDGMENTS = ("judgment", "item", "sentence", "edits", "annotator", "verdict", "amended_edits", "comment", "at", "newest")
_EDITS = ("edits", "accepted_edits", "amended_edits")
"""Columns that are JSON, or empty."""


class AnswersState(NamedTuple):
    """What a phase of alternative answers had at one moment."""

    phase: Phase
    items: list[dict[str, Any]]
    judgments: list[dict[str, Any]]
    progress: AnswerProgress


def read_answers(transaction: DatabaseTransaction, phase: Phase) -> AnswersState:
    """Read the state of a phase."""
    return AnswersState(
        phase, list_item_rows(transaction, phase), list_judgment_rows(transaction, phase), measure_progress(transaction, phase)
    )


def write_answers(folder: NewFolder, state: AnswersState, names: Mapping[int, str]) -> None:
    """Write items and judgments, each as CSV and JSON, and how far annotators agree; ``names`` are those of annotators."""
    for name, columns, rows in (("items", _ITEMS, state.items), ("judgments", _JUDGMENTS, state.judgments)):
        folder.write(f"{state.phase.name}/{name}.csv", csv(_make_table(columns, rows)))
        folder.write(f"{state.phase.name}/{name}.json", f"{render_json([_read_edits(row) for row in rows])}\n")
    folder.write(f"{state.phase.name}/agreement.json", f"{render_json(make_agreement_record(state.progress.agreement, names))}\n")


def make_agreement_record(agreement: AnswerAgreement, names: Mapping[int, str]) -> dict[str, Any]:
    """Describe the agreement of annotators, for programs."""
    pairs = [{"annotators": [names.get(account, "?") for account in pair.annotators or ()], **_measure(pair)} for pair in agreement.pairs]
    return {**_measure(agreement.overall), "alpha": agreement.alpha, "pairs": pairs}


def _measure(pair: AnnotatorAgreement) -> dict[str, Any]:
    return {"items": pair.items, "observed": pair.observed, "kappa": pair.kappa}


def _make_table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Table:
    return Table(tuple(map(Column, columns)), tuple(tuple(_cell(row[name]) for name in columns) for row in rows))


def _cell(value: Any) -> Cell:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return value  # type: ignore[no-any-return]


def _read_edits(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: (json.loads(value) if value else None) if key in _EDITS else value for key, value in row.items()}
