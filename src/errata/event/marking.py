"""What a team does with its submissions while their phase is open: marks one as primary, withdraws, restores and describes them.

Who owns a submission, and whether its phase is open, is looked at in the transaction that changes it.
So nothing that a board is made of changes once a phase has closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import RequestError, UsageError
from errata.event.accounts import require_admitted
from errata.event.event import LOCK
from errata.event.submissions import (
    DESCRIPTION,
    NO_SUBMISSION,
    PRIMARY,
    RESTORED,
    WITHDRAWN,
    Submission,
    check_description,
    find_submission,
    mark,
    name_team_lock,
    require_marks_left,
)
from errata.event.uploading import require_open

if TYPE_CHECKING:
    from datetime import datetime

    from errata.event.accounts import Account
    from errata.event.database import DatabaseTransaction
    from errata.event.event import Event

KINDS = (PRIMARY, WITHDRAWN, RESTORED, DESCRIPTION)


def mark_submission(
    event: Event, team: Account, public_id: str, kind: str, text: str = "", received_at: datetime | None = None
) -> Submission:
    """Mark a submission as the primary one of its team, withdraw or restore it, or describe it; return it as it is then.

    What changes nothing is not stored.  ``received_at`` is when it was asked; it may have waited since.
    """
    if kind not in KINDS:
        raise UsageError(f"expected one of {', '.join(KINDS)}, found {kind!r:.40}")
    description = check_description(text) if kind == DESCRIPTION else ""
    with event.database.write(name_team_lock(team.id), shared=LOCK) as transaction:
        submission = find_own(transaction, team, public_id)
        moment = event.moment(transaction, received_at)
        require_admitted(transaction, team)
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
        require_marks_left(transaction, submission)
        mark(transaction, submission, kind, description, moment.now, team)
        return find_submission(transaction, public_id)


def find_own(transaction: DatabaseTransaction, team: Account, public_id: str) -> Submission:
    """Find a submission of a team by its random name; one of another team is as unknown as one that does not exist."""
    submission = find_submission(transaction, public_id)
    if submission.team != team.id:
        raise RequestError(NO_SUBMISSION)
    return submission
