"""The tables with alternative answers as they would be now, for organisers; nothing of them is kept."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from errata.event.answers.answer_phases import open_answers
from errata.event.answers.golds import write_golds
from errata.event.gold_versions import GoldVersion
from errata.event.results import list_entries, score_entries
from errata.event.scoring import PhaseScorer

if TYPE_CHECKING:
    from errata.event.event import Event
    from errata.event.gold_versions import GoldVariant
    from errata.task.tables import TaskTable

_NO_ID = 0
"""No version of a gold has this number, so no score that is kept is taken for one of a preview."""


class AnswerPreview(NamedTuple):
    """The tables with one variant of the gold."""

    variant: GoldVariant
    reason: str
    """What the gold is made of."""
    tables: dict[str, TaskTable]
    """None without a team that can be scored."""


def preview_tables(event: Event, phase_name: str) -> list[AnswerPreview]:
    """Make the tables with what is accepted so far."""
    answers = open_answers(event, phase_name)
    with event.database.read() as transaction:
        written = write_golds(transaction, answers)
        entries = list_entries(transaction, answers.about, named=True)
        now = event.moment(transaction).now
    previews: list[AnswerPreview] = []
    for variant, (m2, reason) in written.items():
        version = GoldVersion(_NO_ID, answers.about.name, variant, 1, hashlib.sha256(m2).hexdigest(), now, reason)
        scorer = PhaseScorer(answers.definition, answers.about, version, m2)
        previews.append(AnswerPreview(variant, reason, score_entries(event, scorer, entries).make_tables(scorer)))
    return previews
