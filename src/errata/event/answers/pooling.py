"""Pooled items: every wrong edit of every team's entry, each an item of its own, whoever made it.

A table with the accepted ones favours no team, because annotators judge the edits of all.
Entries are final when the phase of answers opens, because the phase that it is about has closed.  So they are pooled once, when somebody
first asks.  They are pooled again only if the gold, the settings or the entries have changed, as when organisers correct the gold or remove
a team: new items are added, and those that nobody makes any more are withdrawn.  Judgments stay, and nothing changes after publication.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.event import audit, contents
from errata.event.answers.answer_phases import name_phase_lock, open_answers
from errata.event.answers.composing import changes_gold
from errata.event.answers.entry_edits import read_output
from errata.event.answers.items import check_edits
from errata.event.answers.proposals import PlacedItem, keep_pooled
from errata.event.clock import to_micros
from errata.event.event import LOCK
from errata.event.results import list_entries

if TYPE_CHECKING:
    from errata.event.answers.answer_phases import AnswersPhase
    from errata.event.boards import Entry
    from errata.event.database import DatabaseTransaction
    from errata.event.event import Event, Moment
    from errata.event.phases import Phase


class _Pool(NamedTuple):
    placed: list[PlacedItem]
    left_out: int
    """Edits that cannot be written into a gold."""


def ensure_pooled(event: Event, phase_name: str) -> None:
    """Pool the unmatched edits of all entries, if the phase does so, is open or being judged, and they are not pooled already."""
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        phase = moment.definition.phase(phase_name)
        if not _is_asked(moment, phase) or _is_pooled(transaction, phase, _compute_state(event, transaction, moment, phase)):
            return
    answers = open_answers(event, phase_name)
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        entries = list_entries(transaction, answers.about, named=True)
        state = _compute_state(event, transaction, moment, phase)
        texts = [(entry, contents.get(transaction, entry.submission.sha256)) for entry in entries]
    pool = _collect(answers, texts)
    with event.database.write(name_phase_lock(phase.name), shared=LOCK) as transaction:
        moment = event.moment(transaction)
        # Another process may have done the same meanwhile, or something may have changed; then the next who asks pools again.
        if (
            not _is_asked(moment, phase)
            or _compute_state(event, transaction, moment, phase) != state
            or _is_pooled(transaction, phase, state)
        ):
            return
        new = keep_pooled(transaction, phase, pool.placed, moment.now)
        transaction.insert("INSERT INTO pools (phase, state, at) VALUES (?, ?, ?)", phase.name, state, to_micros(moment.now))
        audit.record(
            transaction,
            moment.now,
            None,
            "edits pooled",
            phase=phase.name,
            entries=len(entries),
            items=len(pool.placed),
            new=new,
            left_out=pool.left_out,
        )


def _is_asked(moment: Moment, phase: Phase) -> bool:
    about_is_open = phase.is_answers and moment.visibility.accepts(moment.definition.phase(phase.about))
    return phase.is_answers and phase.pool and moment.visibility.stage(phase) in {"open", "closed"} and not about_is_open


def _compute_state(event: Event, transaction: DatabaseTransaction, moment: Moment, phase: Phase) -> str:
    """Hash all that the pool depends on."""
    about = moment.definition.phase(phase.about)
    made_of = [
        event.newest_gold(transaction, about).sha256,
        moment.definition.settings_hash,
        sorted(entry.submission.sha256 for entry in list_entries(transaction, about, named=True)),
    ]
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def _is_pooled(transaction: DatabaseTransaction, phase: Phase, state: str) -> bool:
    return transaction.row("SELECT state FROM pools WHERE phase = ? ORDER BY id DESC LIMIT 1", phase.name) == (state,)


def _collect(answers: AnswersPhase, texts: list[tuple[Entry, bytes]]) -> _Pool:
    """List every wrong edit that gold does not have, each once, by sentence."""
    found: dict[PlacedItem, None] = {}
    left_out = 0
    for entry, content in texts:
        for sentence in read_output(answers, content, entry.submission.sha256, entry.name):
            for unmatched in sentence.unmatched:
                if unmatched.edit.outcome != "wrong" or not changes_gold(answers.sentence(sentence.number), unmatched.item):
                    continue
                try:
                    check_edits(sentence.tokens, unmatched.item)
                except RequestError:
                    left_out += 1
                    continue
                found[PlacedItem(sentence.number, unmatched.item)] = None
    return _Pool(sorted(found), left_out)
