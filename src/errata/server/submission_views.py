"""A submission with everything that one who may see it sees of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError
from errata.event import accounts, contents
from errata.event.marking import find_own
from errata.event.results import find_scores
from errata.event.submissions import find_entry_of, find_submission
from errata.event.uploading import FILE_NAME
from errata.event.visibility import is_organiser
from errata.server.failures import NotFoundError

if TYPE_CHECKING:
    from errata.event.accounts import Account
    from errata.event.gold_versions import GoldVersion
    from errata.event.phases import Phase
    from errata.event.results import ShownScore
    from errata.event.submissions import Submission
    from errata.formats import Problem
    from errata.server.visits import Visit


class SubmissionView(NamedTuple):
    """A submission, its phase, and its team."""

    submission: Submission
    phase: Phase
    team: Account
    entry: Submission | None
    """The one of its team that counts."""
    version: GoldVersion
    shows_scores: bool
    has_report: bool
    """Whether its edits can be compared with the gold."""
    base: str
    """The address of its page."""

    @property
    def counts(self) -> bool:
        """Whether it is the one that counts."""
        return self.entry is not None and self.entry.id == self.submission.id


def get_submission(visit: Visit) -> SubmissionView:
    """Find the submission of an address: one of the team that asks, or any one for an organiser."""
    viewer, moment = visit.account, visit.moment
    with visit.event.database.read() as transaction:
        try:
            if is_organiser(viewer):
                submission = find_submission(transaction, visit.path("submission"))
            else:
                submission = find_own(transaction, viewer, visit.path("submission"))
        except RequestError as error:
            raise NotFoundError(str(error)) from None
        team = accounts.get_account(transaction, submission.team)
        phase = moment.definition.phase(submission.phase)
        entry = find_entry_of(transaction, phase.name, team.id)
        version = visit.event.newest_gold(transaction, phase)
    shows_scores = moment.visibility.scores_of(phase, team.id, viewer)
    return SubmissionView(
        submission,
        phase,
        team,
        entry,
        version,
        shows_scores,
        shows_scores and moment.visibility.gold(phase, viewer),
        f"/{'organiser' if is_organiser(viewer) else 'team'}/submissions/{submission.public_id}",
    )


def score_view(visit: Visit, view: SubmissionView) -> list[ShownScore] | None:
    """Find the scores of a submission; None while they are hidden."""
    return find_scores(visit.event, view.submission, view.version, view.team.name) if view.shows_scores else None


def list_problems(visit: Visit, view: SubmissionView) -> list[Problem]:
    """List the warnings about a submission; nothing depends on the gold while scores are hidden."""
    scorer = visit.event.scorer(view.version, visit.moment.definition)
    return scorer.check(read_content(visit, view), FILE_NAME, source_only=not view.shows_scores).problems


def read_content(visit: Visit, view: SubmissionView) -> bytes:
    """Read what was uploaded."""
    with visit.event.database.read() as transaction:
        return contents.get(transaction, view.submission.sha256)
