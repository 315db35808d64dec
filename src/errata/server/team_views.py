"""What a team has submitted to a phase, as its pages show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.event.results import find_scores
from errata.event.submissions import choose_entries, list_submissions, measure_quota

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.event.accounts import Account
    from errata.event.phases import Phase
    from errata.event.results import ShownScore
    from errata.event.submissions import Quota, Submission
    from errata.server.visits import Visit

MOST_ON_PAGE = 50
MOST_IN_OVERVIEW = 5


class TeamPhase(NamedTuple):
    """The submissions of a team to a phase, of which a page shows some."""

    phase: Phase
    team: Account
    total: int
    entry: Submission | None
    """The submission that counts."""
    shown: list[Submission]
    """The newest first."""
    scores: dict[int, list[ShownScore]] | None
    """The scores of those that are shown; None while they are hidden."""
    quota: Quota
    number: int
    """The page, counted from 1."""

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.total // MOST_ON_PAGE))

    @property
    def labels(self) -> list[str]:
        """The names of the scores."""
        first = next(iter((self.scores or {}).values()), [])
        return [score.label for score in first]


def view_phase(visit: Visit, phase: Phase, team: Account, number: int = 1, most: int = MOST_ON_PAGE) -> TeamPhase:
    """Collect what a team has submitted to a phase, for one who may see it; ``number`` is that of a page of so many."""
    moment = visit.moment
    with visit.event.database.read() as transaction:
        listed = list_submissions(transaction, phase.name, team.id)
        quota = measure_quota(transaction, phase, team.id, moment.now, moment.definition.zone)
    shown = listed[::-1][(number - 1) * most : number * most]
    return TeamPhase(
        phase, team, len(listed), choose_entries(listed).get(team.id), shown, _find_scores(visit, phase, team, shown), quota, number
    )


def _find_scores(visit: Visit, phase: Phase, team: Account, shown: Sequence[Submission]) -> dict[int, list[ShownScore]] | None:
    if not visit.moment.visibility.scores_of(phase, team.id, visit.viewer):
        return None
    if not shown:
        return {}
    with visit.event.database.read() as transaction:
        version = visit.event.newest_gold(transaction, phase)
    return {submission.id: find_scores(visit.event, submission, version, team.name) for submission in shown}


def page_number(visit: Visit) -> int:
    """The number of a page in an address; 1 if it has none."""
    text = visit.request.query_params.get("page", "1")
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < _MOST_DIGITS and int(text) else 1


_MOST_DIGITS = 7
