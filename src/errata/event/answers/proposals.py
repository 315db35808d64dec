"""Proposals: which team proposed which item.

A proposal of no team is one that was pooled from the unmatched edits of all teams.  A team that proposes the same twice has one proposal.
It may withdraw it while the phase accepts proposals, and propose it again.  Withdrawn proposals count for the limit of the phase, as
withdrawn submissions do, so the limit also bounds what is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.errors import RequestError, pluralise
from errata.event import audit
from errata.event.answers.answer_phases import name_phase_lock, require_proposing
from errata.event.answers.items import Item, find_item, keep_item, make_item
from errata.event.clock import from_micros, to_micros
from errata.event.event import LOCK
from errata.event.submissions import LimitError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from errata.event.accounts import Account
    from errata.event.answers.answer_phases import AnswersPhase
    from errata.event.answers.items import ItemEdits
    from errata.event.database import DatabaseTransaction
    from errata.event.event import Event
    from errata.event.phases import Phase


_WITHDRAWN = "proposal withdrawn"
_MOST_WITHDRAWALS = 5_000
"""Of a team; each can be proposed again, and both are in the log for ever."""


class Proposal(NamedTuple):
    """An item that a team proposed."""

    item: Item
    at: datetime
    is_withdrawn: bool


class PlacedItem(NamedTuple):
    """The edits of an item to be proposed, and the number of its sentence."""

    sentence: int
    edits: ItemEdits


class ProposalQuota(NamedTuple):
    """What a team has used of a phase."""

    total: int
    per_phase: int

    @property
    def left(self) -> int | None:
        """How many proposals are left; None for any number."""
        return max(0, self.per_phase - self.total) if self.per_phase else None

    def require(self, new: int) -> None:
        """Raise unless so many new ones are left."""
        if new and self.left is not None and new > self.left:
            raise LimitError(
                f"this phase accepts {pluralise(self.per_phase, 'proposal')} of a team; {self.total:,} were made before, "
                f"and {new:,} would be new"
            )


class Sources(NamedTuple):
    """Where an item comes from."""

    teams: frozenset[int]
    """The teams whose proposal it is, and who have not withdrawn it."""
    is_pooled: bool


def keep_proposals(event: Event, answers: AnswersPhase, team: Account, placed: Sequence[PlacedItem]) -> list[tuple[Proposal, bool]]:
    """Store the proposals of a team, all or none; return each with whether it is new.

    Raises if the phase is not open, or its limit would be passed.
    """
    kept: list[tuple[Proposal, bool]] = []
    changed = False
    with event.database.write(name_phase_lock(answers.phase.name), shared=LOCK) as transaction:
        moment = require_proposing(event, transaction, answers, team)
        quota = measure_proposal_quota(transaction, answers.phase, team.id)
        for sentence, edits in placed:
            id_ = keep_item(transaction, answers.phase.name, sentence, edits, moment.now)
            done = _keep(transaction, id_, team.id, moment.now)
            changed = changed or done != "known"
            kept.append((Proposal(Item(id_, answers.phase.name, sentence, edits), moment.now, False), done == "new"))
        new = sum(is_new for _, is_new in kept)
        quota.require(new)  # else all is rolled back
        if changed:
            audit.record(transaction, moment.now, team.id, "answers proposed", phase=answers.phase.name, proposals=len(kept), new=new)
    return kept


def _keep(transaction: DatabaseTransaction, item: int, team: int | None, now: datetime) -> Literal["new", "again", "known"]:
    """Store a proposal, or take back its withdrawal; return whether it is new, or was withdrawn."""
    of_team, values = ("team IS NULL", (item,)) if team is None else ("team = ?", (item, team))
    row = transaction.row(f"SELECT id, withdrawn_at FROM proposals WHERE item = ? AND {of_team}", *values)  # noqa: S608 - constants
    if row is None:
        transaction.insert("INSERT INTO proposals (item, team, at) VALUES (?, ?, ?)", item, team, to_micros(now))
        return "new"
    if row[1] is None:
        return "known"
    transaction.run("UPDATE proposals SET withdrawn_at = NULL WHERE id = ?", row[0])
    return "again"


def withdraw_proposal(event: Event, answers: AnswersPhase, team: Account, item_id: int) -> None:
    """Withdraw the proposal of a team; the item stays if another team proposes it, or it was pooled."""
    with event.database.write(name_phase_lock(answers.phase.name), shared=LOCK) as transaction:
        moment = require_proposing(event, transaction, answers, team)
        item = find_item(transaction, answers.phase.name, item_id)
        row = transaction.row("SELECT id, withdrawn_at FROM proposals WHERE item = ? AND team = ?", item.id, team.id)
        if row is None:
            raise RequestError("there is no such proposal")  # as if the item did not exist: others' proposals are not told
        if row[1] is None:
            done = transaction.row("SELECT count(*) FROM audit WHERE account = ? AND action = ?", team.id, _WITHDRAWN)
            if done is not None and done[0] >= _MOST_WITHDRAWALS:
                raise LimitError(f"a team can withdraw proposals {_MOST_WITHDRAWALS:,} times")
            transaction.run("UPDATE proposals SET withdrawn_at = ? WHERE id = ?", to_micros(moment.now), row[0])
            audit.record(transaction, moment.now, team.id, _WITHDRAWN, phase=answers.phase.name, item=item.id)


def keep_pooled(transaction: DatabaseTransaction, phase: Phase, placed: Sequence[PlacedItem], now: datetime) -> int:
    """Make these the pooled proposals of a phase, and withdraw all others of no team; return how many are new."""
    ids = {keep_item(transaction, phase.name, sentence, edits, now): None for sentence, edits in placed}
    new = sum(_keep(transaction, id_, None, now) == "new" for id_ in ids)
    query = (
        "SELECT p.id, p.item FROM proposals p JOIN items i ON i.id = p.item WHERE i.phase = ? AND p.team IS NULL AND p.withdrawn_at IS NULL"
    )
    for id_, item in transaction.rows(query, phase.name):
        if item not in ids:
            transaction.run("UPDATE proposals SET withdrawn_at = ? WHERE id = ?", to_micros(now), id_)
    return new


def measure_proposal_quota(transaction: DatabaseTransaction, phase: Phase, team: int) -> ProposalQuota:
    """Count the proposals of a team in a phase, withdrawn ones included."""
    row = transaction.row(
        "SELECT count(*) FROM proposals p JOIN items i ON i.id = p.item WHERE p.team = ? AND i.phase = ?", team, phase.name
    )
    return ProposalQuota(int(row[0]) if row is not None else 0, phase.per_phase)


def list_proposals(transaction: DatabaseTransaction, phase: str, team: int) -> list[Proposal]:
    """List the proposals of a team, withdrawn ones included, by sentence."""
    rows = transaction.rows(
        "SELECT i.id, i.phase, i.sentence, i.edits, p.at, p.withdrawn_at FROM proposals p JOIN items i ON i.id = p.item "
        "WHERE i.phase = ? AND p.team = ? ORDER BY i.sentence, p.id",
        phase,
        team,
    )
    return [Proposal(make_item(row), from_micros(row[4]), row[5] is not None) for row in rows]


def list_proposed_items(transaction: DatabaseTransaction, phase: str, sentence: int | None = None) -> dict[Item, Sources]:
    """List the items of a phase, or of one of its sentences, that somebody proposes, with where they come from, by sentence.

    This is for organisers and for golds: annotators must not see it.  Teams that were removed propose nothing, as they have no entry.
    """
    found: dict[Item, Sources] = {}
    of_sentence, values = ("", (phase,)) if sentence is None else ("AND i.sentence = ? ", (phase, sentence))
    rows = transaction.rows(
        "SELECT i.id, i.phase, i.sentence, i.edits, p.team FROM items i JOIN proposals p ON p.item = i.id "  # noqa: S608 - constants
        f"LEFT JOIN accounts a ON a.id = p.team WHERE i.phase = ? {of_sentence}AND p.withdrawn_at IS NULL AND a.disabled_at IS NULL "
        "ORDER BY i.sentence, i.id, p.id",
        *values,
    )
    known: dict[int, Item] = {}
    for row in rows:
        item = known.get(row[0]) or known.setdefault(row[0], make_item(row))
        before = found.get(item, Sources(frozenset(), is_pooled=False))
        own = Sources(frozenset(), is_pooled=True) if row[4] is None else Sources(frozenset({int(row[4])}), is_pooled=False)
        found[item] = Sources(before.teams | own.teams, before.is_pooled or own.is_pooled)
    return found


class Listed(NamedTuple):
    """An item without its edits and without where it comes from."""

    id: int
    sentence: int
    sha256: str
    """That of its edits, by which items of a sentence can be ordered without telling who proposed them."""


def list_proposed(transaction: DatabaseTransaction, phase: str) -> list[Listed]:
    """List what :func:`list_proposed_items` does, in a fraction of the time: there may be tens of thousands of pooled items."""
    rows = transaction.rows(
        "SELECT DISTINCT i.id, i.sentence, i.sha256 FROM items i JOIN proposals p ON p.item = i.id LEFT JOIN accounts a ON a.id = p.team "
        "WHERE i.phase = ? AND p.withdrawn_at IS NULL AND a.disabled_at IS NULL",
        phase,
    )
    return [Listed(*row) for row in rows]


def count_proposers(transaction: DatabaseTransaction, phase: str) -> dict[int, int]:
    """Count the proposals of each team that has some and has not withdrawn them; these teams are marked in tables."""
    rows = transaction.rows(
        "SELECT p.team, count(*) FROM accounts a JOIN proposals p ON p.team = a.id WHERE a.disabled_at IS NULL AND p.withdrawn_at IS NULL "
        "AND EXISTS (SELECT 1 FROM items i WHERE i.id = p.item AND i.phase = ?) GROUP BY p.team",
        phase,
    )
    return {int(team): int(count) for team, count in rows}
