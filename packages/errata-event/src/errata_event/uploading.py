"""An upload from its bytes to its answer: accepted, with its scores where the phase shows them, or refused with every problem."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError, UsageError
from errata.formats.problems import Problem
from errata.task.running import RefusalError
from errata_event import audit, contents
from errata_event.boards import ShownScore, SubmissionScores
from errata_event.database import DatabaseUnavailableError
from errata_event.event import LOCK
from errata_event.instants import show_instant, to_micros
from errata_event.submissions import (
    DESCRIPTION,
    PRIMARY,
    RESTORED,
    WITHDRAWN,
    LimitError,
    Quota,
    Submission,
    check_text,
    find_entry_of,
    find_submission,
    list_submissions,
)

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from errata_event.accounts import Account
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import Phase
    from errata_event.event import Event, Moment


# While the scores of a phase are hidden, the answer depends on the source texts, the upload and the limits, and on nothing else:
# the gold is neither compared with nor scored against, not even after the answer.
# A limit is counted in the transaction that inserts, under a lock of the team, so parallel uploads cannot pass it.
# The same file of the same team in the same phase is one submission: an upload that is sent again, because its answer was lost, counts
# once.

_TIMES_THE_SOURCE, _SPARE_BYTES = 16, 1 << 16
"""An upload has at most so many times the bytes of its source, and some more; M2 repeats the source and has a line for each edit."""
_LONGEST_DESCRIPTION = 2_000
_MOST_MARKS = 1_000
"""Of a submission; nobody needs as many, and all are kept."""
_ADDRESS_BYTES = 9
_MOST_TIMES = 5
"""An upload is checked again if the gold has changed since; not for ever."""
FILE_NAME = "the upload"
"""What messages call an upload, whatever its file is called on the disk of a team."""


class ClosedError(RequestError):
    """A phase accepts nothing now."""


class Receipt(NamedTuple):
    """The answer to an upload."""

    submission: Submission | None
    """None if it is refused."""
    is_new: bool
    """Whether it was not accepted before."""
    problems: list[Problem]
    """Errors, for which it is refused, and warnings."""
    scores: list[ShownScore] | None
    """None while they are hidden."""
    quota: Quota
    entry: Submission | None = None
    """What counts of the team now: not what it sent, if it has marked another one as primary, or sent an earlier file again."""


def require_open(moment: Moment, phase: Phase) -> None:
    """Raise unless a phase accepts something at a moment."""
    visibility, zone = moment.visibility, moment.definition.zone
    if visibility.accepts(phase):
        return
    if visibility.stage(phase) == "coming":
        raise ClosedError(f"the phase {phase.name} opens at {show_instant(phase.opens, zone)}; it is {show_instant(moment.now, zone)} now")
    closed, until = visibility.closes(phase), visibility.deadline(phase)
    grace = f", and accepted what arrived before {show_instant(until, zone)}" if until > closed else ""
    raise ClosedError(f"the phase {phase.name} closed at {show_instant(closed, zone)}{grace}; it is {show_instant(moment.now, zone)} now")


def check_before(event: Event, phase_name: str, received_at: datetime | None = None) -> None:
    """Raise if an upload would be refused whatever it contains; this is asked before it is read."""
    with event.database.read() as transaction:
        moment = event.moment(transaction, received_at)
        phase = moment.definition.phase(phase_name)
        phase.require_submissions()
        require_open(moment, phase)


def find_limit(event: Event, phase_name: str, most: int) -> int:
    """Find how many bytes an upload may have: so many times what the source has, and never more than ``most``."""
    moment = event.moment()
    with event.database.read() as transaction:
        version = event.newest_gold(transaction, moment.definition.phase(phase_name))
    source = event.scorer(version, moment.definition).prepared.whole
    return min(most, _SPARE_BYTES + _TIMES_THE_SOURCE * sum(len(sentence.text.encode()) + 1 for sentence in source))


def upload(
    event: Event, team: Account, phase_name: str, content: bytes, description: str = "", received_at: datetime | None = None
) -> Receipt:
    """Check, store and score an upload that had arrived completely at ``received_at``, or has now.

    What arrived while the phase was open counts, also if the phase was closed while it waited for others.
    """
    if team.role != "team":
        raise RequestError(f"only teams submit, and {team.name} is an {team.role}")
    description = _check_description(description)
    received_at = event.clock() if received_at is None else received_at
    for _ in range(_MOST_TIMES):
        receipt = _try_upload(event, team, phase_name, content, description, received_at)
        if receipt is not None:
            return receipt
    raise RequestError("the definition or the gold of the event is being changed; send it again")


def _accept(
    transaction: DatabaseTransaction, phase: Phase, team: Account, content: bytes, description: str, received_at: datetime, zone: tzinfo
) -> tuple[Submission, bool]:
    """Store an upload that was checked, in a transaction under the lock of the team; raise if a limit is reached.

    Returns the submission, and whether it is new: the same content as before is the submission that it was.
    """
    sha256 = contents.put(transaction, content)
    description = _check_description(description)
    if (same := _find_same(transaction, phase, team, sha256)) is not None:
        if same.is_withdrawn:
            _require_marks_left(transaction, same)
            _mark(transaction, same, RESTORED, "", received_at, team)
        if description and description != same.description:
            _require_marks_left(transaction, same)
            _mark(transaction, same, DESCRIPTION, description, received_at, team)
        return find_submission(transaction, same.public_id), False
    if refusal := Quota.measure(transaction, phase, team.id, received_at, zone).refusal(zone):
        raise LimitError(refusal)
    row = transaction.row("SELECT coalesce(max(number), 0) + 1 FROM submissions WHERE team = ? AND phase = ?", team.id, phase.name)
    number = int(row[0]) if row is not None else 1
    public_id = secrets.token_urlsafe(_ADDRESS_BYTES)
    id_ = transaction.insert(
        "INSERT INTO submissions (public_id, team, phase, number, received_at, sha256) VALUES (?, ?, ?, ?, ?, ?)",
        public_id,
        team.id,
        phase.name,
        number,
        to_micros(received_at),
        sha256,
    )
    submission = Submission(id_, public_id, team.id, phase.name, number, received_at, sha256)
    if description:
        _mark(transaction, submission, DESCRIPTION, description, received_at, team)
    audit.record(transaction, received_at, team.id, "submission accepted", phase=phase.name, number=number, sha256=sha256)
    return submission._replace(description=description), True


def _check_description(text: str) -> str:
    """Return a description without white space around it; raise if it is too long, or has what nobody can see."""
    return check_text(text, "a description", _LONGEST_DESCRIPTION)


def _require_marks_left(transaction: DatabaseTransaction, submission: Submission) -> None:
    row = transaction.row("SELECT count(*) FROM marks WHERE submission = ?", submission.id)
    if row is not None and row[0] >= _MOST_MARKS:
        raise LimitError(f"a submission can be marked {_MOST_MARKS:,} times")


def _mark(transaction: DatabaseTransaction, submission: Submission, kind: str, text: str, now: datetime, account: Account) -> None:
    """Mark a submission as the primary one of its team, withdraw or restore it, or describe it."""
    transaction.run(
        "INSERT INTO marks (submission, kind, text, at, account) VALUES (?, ?, ?, ?, ?)",
        submission.id,
        kind,
        text,
        to_micros(now),
        account.id,
    )
    audit.record(transaction, now, account.id, f"submission marked: {kind}", phase=submission.phase, number=submission.number)


def _find_same(transaction: DatabaseTransaction, phase: Phase, team: Account, sha256: str) -> Submission | None:
    return next(iter(list_submissions(transaction, phase.name, team.id, sha256)), None)


def _note_refusal(event: Event, team: Account, phase: Phase, now: datetime, problems: int) -> None:
    refused = event.refusals.count(team.id, phase.name, now)
    if refused:
        with suppress(DatabaseUnavailableError), event.database.write() as transaction:  # the team is told why it is refused all the same
            audit.record(transaction, now, team.id, "upload refused", phase=phase.name, problems=problems, refused=refused)


def _try_upload(event: Event, team: Account, phase_name: str, content: bytes, description: str, received_at: datetime) -> Receipt | None:
    """Upload; None if the definition or the gold has changed since it was checked."""
    sha256 = hashlib.sha256(content).hexdigest()
    with event.database.read() as transaction:
        moment = event.moment(transaction, received_at)
        phase = moment.definition.phase(phase_name)
        phase.require_submissions()
        require_open(moment, phase)
        version = event.newest_gold(transaction, phase)
        zone = moment.definition.zone
        quota = Quota.measure(transaction, phase, team.id, received_at, zone)
        if (refusal := quota.refusal(zone)) and _find_same(transaction, phase, team, sha256) is None:
            raise LimitError(refusal)
    shows_scores = moment.visibility.own_scores(phase, team)
    scorer = event.scorer(version, moment.definition)
    checked = scorer.check(content, FILE_NAME, source_only=not shows_scores)
    problems, scores = checked.problems, None
    if shows_scores and not checked.errors:
        try:
            scores = SubmissionScores.compute(scorer, content, sha256, team.name, checked)
        except RefusalError as error:
            problems = [*problems, Problem(FILE_NAME, None, "error", error.reason)]
    if any(problem.severity == "error" for problem in problems):
        _note_refusal(event, team, phase, received_at, len(problems))
        return Receipt(None, False, problems, None, quota)
    with event.database.write(f"team {team.id}", shared=LOCK) as transaction:
        now = event.moment(transaction, received_at)
        if now.definition.sha256 != moment.definition.sha256 or event.newest_gold(transaction, phase).id != version.id:
            return None
        team.require_admitted(transaction)
        require_open(now, phase)
        submission, is_new = _accept(transaction, phase, team, content, description, received_at, zone)
        quota = Quota.measure(transaction, phase, team.id, received_at, zone)
        if scores is not None:
            scores.keep(transaction, submission, received_at)
    with event.database.read() as transaction:
        entry = find_entry_of(transaction, phase.name, team.id)
    return Receipt(submission, is_new, problems, scores.shown if scores is not None else None, quota, entry)


# What a team does with its submissions while their phase is open: it marks one as primary, withdraws, restores and describes them.
# Who owns a submission, and whether its phase is open, is looked at in the transaction that changes it.
# So nothing that a board is made of changes once a phase has closed.

_KINDS = (PRIMARY, WITHDRAWN, RESTORED, DESCRIPTION)


def mark_submission(
    event: Event, team: Account, public_id: str, kind: str, text: str = "", received_at: datetime | None = None
) -> Submission:
    """Mark a submission as the primary one of its team, withdraw or restore it, or describe it; return it as it is then.

    What changes nothing is not stored.  ``received_at`` is when it was asked; it may have waited since.
    """
    if kind not in _KINDS:
        raise UsageError(f"expected one of {', '.join(_KINDS)}, found {kind!r:.40}")
    description = _check_description(text) if kind == DESCRIPTION else ""
    with event.database.write(f"team {team.id}", shared=LOCK) as transaction:
        submission = find_submission(transaction, public_id, team)
        moment = event.moment(transaction, received_at)
        team.require_admitted(transaction)
        require_open(moment, moment.definition.phase(submission.phase))
        if kind == PRIMARY and submission.is_withdrawn:
            raise RequestError("a submission that is withdrawn cannot be the primary one; restore it first")
        changed = {
            PRIMARY: not submission.is_primary,
            WITHDRAWN: not submission.is_withdrawn,
            RESTORED: submission.is_withdrawn,
            DESCRIPTION: description != submission.description,
        }
        if not changed[kind]:
            return submission
        _require_marks_left(transaction, submission)
        _mark(transaction, submission, kind, description, moment.now, team)
        return find_submission(transaction, public_id)
