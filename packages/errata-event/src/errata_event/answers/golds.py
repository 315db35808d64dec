"""Accepted items become gold: of what teams proposed, and of all items."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import pluralise
from errata_event import golds
from errata_event.accounts import list_removed
from errata_event.answers.items import AnswerTypes, compose, name_phase_lock, open_answers, require_answers
from errata_event.answers.judging import Decision, decide, list_judgments
from errata_event.answers.proposals import list_proposed_items
from errata_event.boards import list_entries, score_entries
from errata_event.event import LOCK
from errata_event.golds import GoldVariant, GoldVersion, add_version, write_m2
from errata_event.instants import to_micros
from errata_event.scoring import PhaseScorer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.task.tables import TaskTable
    from errata_event.accounts import Account
    from errata_event.answers.items import AnswersPhase, Item, ItemEdits
    from errata_event.answers.proposals import Sources
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import EventDefinition, Phase
    from errata_event.event import Event


# --- The golds with accepted answers: of what teams proposed, and of all items, those from the unmatched edits of all teams included.
#
# They follow from the gold, the proposals and the judgments, so they are the same whenever they are made.
# They are made once when a phase of alternative answers is published, by a decision or because its instant has passed.
# Then they change only if the gold is corrected or a team is removed.  Organisers can make them before, to look at the tables.

_SETTLED = timedelta(minutes=10)
"""So long after publication what arrived before it may still be stored; a request takes five minutes at most."""
_SECONDS = 2.0
"""How long golds are known to be made until then."""
_RULES = 1
"""Raised when the same judgments make another gold than before."""


class _Judged(NamedTuple):
    item: Item
    sources: Sources
    decision: Decision


def make_answer_golds(event: Event, phase_name: str) -> list[GoldVersion]:
    """Make the golds with accepted answers of a phase as they are now, unless they are made; return them.

    What is undecided is not accepted.
    """
    answers = open_answers(event, phase_name)
    with event.database.read() as transaction:
        state = _compute_state(transaction, answers.definition, answers.phase, answers.version)
        made = _write_golds(transaction, answers)
    with event.database.write(name_phase_lock(answers.phase.name), shared=LOCK) as transaction:
        now_state = _compute_state(transaction, answers.definition, answers.phase, answers.version)
        if now_state != state:  # somebody judged meanwhile
            state = now_state
            made = _write_golds(transaction, answers)
        now = event.clock()
        versions = [add_version(transaction, answers.about.name, variant, m2, now, reason)[0] for variant, (m2, reason) in made.items()]
        if _find_state(transaction, answers.phase) != state:
            transaction.insert("INSERT INTO answer_golds (phase, state, at) VALUES (?, ?, ?)", answers.phase.name, state, to_micros(now))
    return versions


def _write_golds(transaction: DatabaseTransaction, answers: AnswersPhase) -> dict[GoldVariant, tuple[bytes, str]]:
    """Write the golds with accepted answers as they are now, as M2, each with what it was made of."""
    judged = _list_judged(transaction, answers.phase)
    return {variant: _make(answers, [own for own in judged if _belongs(own, variant)]) for variant in list_answer_variants(answers.phase)}


def ensure_answer_golds(event: Event, phase: Phase) -> None:
    """Make the golds with accepted answers of a phase with submissions, if its answers are published and they are not made."""
    answers = find_unmade_answers(event, phase)
    if answers is not None:
        make_answer_golds(event, answers.name)


def find_unmade_answers(event: Event, phase: Phase) -> Phase | None:
    """Find the phase of answers about a phase with submissions, if it is published and its golds are not made.

    Every reader of a board asks, so once they are made only what can change later is looked at: gold, definition, and who was removed.
    """
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        answers = moment.definition.answers_about(phase)
        if answers is None or moment.visibility.stage(answers) != "published":
            return None
        version = golds.find_newest(transaction, phase.name)
        published = moment.visibility.published(answers)
        if version is None or published is None:
            return None
        changing = (version.id, moment.definition.sha256, published, frozenset(list_removed(transaction)))
        if event.made_golds.get((phase.name, changing)):
            return None
        if _find_state(transaction, answers) != _compute_state(transaction, moment.definition, answers, version):
            return answers
    event.made_golds.put((phase.name, changing), value=True, ttl=math.inf if moment.now - published >= _SETTLED else _SECONDS)
    return None


def _list_golds(event: Event, phase: Phase, viewer: Account | None) -> list[GoldVersion]:
    """List the newest version of every variant of a phase whose tables somebody may see, if he may see tables of this phase at all.

    Those with accepted answers exist as soon as the phase of answers is published, and before that only organisers see them.
    """
    ensure_answer_golds(event, phase)
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        answers = moment.definition.answers_about(phase)
        shown = answers is not None and moment.visibility.answers(answers, viewer)
        own = list_answer_variants(answers) if answers is not None and shown else []
        return [version for version in golds.list_newest(transaction, phase.name) if version.variant in {"gold", "given", *own}]


def list_answer_variants(phase: Phase) -> list[GoldVariant]:
    """List the variants of gold that a phase of alternative answers makes."""
    require_answers(phase)
    return ["proposed", "pooled"] if phase.pool else ["proposed"]


def _belongs(judged: _Judged, variant: GoldVariant) -> bool:
    """Whether an item counts for a variant: with those of teams, pooled ones do not."""
    return variant == "pooled" or bool(judged.sources.teams)


def _list_judged(transaction: DatabaseTransaction, phase: Phase) -> list[_Judged]:
    judgments = list_judgments(transaction, phase.name)
    return [
        _Judged(item, sources, decide(item, judgments.get(item.id, []), phase.judges))
        for item, sources in list_proposed_items(transaction, phase.name).items()
    ]


def _make(answers: AnswersPhase, judged: Iterable[_Judged]) -> tuple[bytes, str]:
    """Write a gold with what was accepted, and say what it was made of."""
    accepted: dict[int, list[ItemEdits]] = {}
    counts: Counter[str] = Counter()
    for own in judged:
        counts[own.decision.status] += 1
        if own.decision.status == "accepted":
            accepted.setdefault(own.item.sentence, []).append(own.decision.edits)
    types = AnswerTypes(answers.gold, answers.scorer.prepared.tagger, answers.scorer.task.types)
    composed = compose(answers.gold, accepted, types)
    undecided = counts["undecided"] + counts["disputed"]
    reason = (
        f"made of version {answers.version.number} of the gold: {pluralise(counts.total(), 'proposal')}, "
        f"{counts['accepted']:,} accepted, {counts['rejected']:,} rejected, {undecided:,} undecided"
    )
    return write_m2(composed.corpus), f"{reason}; {composed.note}" if composed.note else reason


def _compute_state(transaction: DatabaseTransaction, definition: EventDefinition, phase: Phase, version: GoldVersion) -> str:
    """Hash all that the golds depend on, by the numbers of rows that are only added."""
    judged = transaction.row("SELECT coalesce(max(j.id), 0) FROM judgments j JOIN items i ON i.id = j.item WHERE i.phase = ?", phase.name)
    proposed = transaction.rows(
        "SELECT p.id FROM proposals p JOIN items i ON i.id = p.item LEFT JOIN accounts a ON a.id = p.team "
        "WHERE i.phase = ? AND p.withdrawn_at IS NULL AND a.disabled_at IS NULL ORDER BY p.id",
        phase.name,
    )
    types = [definition.settings.get(key) for key in ("types", "tagger")]  # which accepted edits get
    made_of = [_RULES, version.sha256, phase.judges, phase.pool, types, judged, [id_ for (id_,) in proposed]]
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()


def _find_state(transaction: DatabaseTransaction, phase: Phase) -> str:
    row = transaction.row("SELECT state FROM answer_golds WHERE phase = ? ORDER BY id DESC LIMIT 1", phase.name)
    return str(row[0]) if row is not None else ""


# --- The tables with alternative answers as they would be now, for organisers; nothing of them is kept.

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
        written = _write_golds(transaction, answers)
        entries = list_entries(transaction, answers.about.name, named=True)
        now = event.moment(transaction).now
    previews: list[AnswerPreview] = []
    for variant, (m2, reason) in written.items():
        version = GoldVersion(_NO_ID, answers.about.name, variant, 1, hashlib.sha256(m2).hexdigest(), now, reason)
        scorer = PhaseScorer(answers.definition, answers.about, version, m2)
        previews.append(AnswerPreview(variant, reason, score_entries(event, scorer, entries).make_tables(scorer)))
    return previews
