"""The pages of organisers: everything at a glance, the boards with names before they are public, and what each team submitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import RedirectResponse

from errata.errors import RequestError
from errata.event import accounts, audit, contents
from errata.event.aliases import list_aliases
from errata.event.answers.progress import count_undecided
from errata.event.submissions import choose_entries, count_submissions, list_submissions
from errata.server.board_views import find_all_boards
from errata.server.caching import send_file
from errata.server.decisions import CLOSE, PUBLISH, list_consequences
from errata.server.failures import NotFoundError
from errata.server.phase_addresses import find_phase
from errata.server.rendering import render_page
from errata.server.team_views import page_number, view_phase

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.event.accounts import Account
    from errata.event.phases import Phase
    from errata.event.submissions import Submission
    from errata.server.visits import Visit

_LINES_ON_PAGE = 100
_BEFORE, _MOST_DIGITS = "before", 18


class TeamRow(NamedTuple):
    """What a team has in a phase."""

    team: Account
    alias: str
    """What the anonymous board of the phase calls it."""
    is_removed: bool
    total: int
    entry: Submission | None
    last: Submission | None


def show_overview(visit: Visit) -> Response:
    """Show organisers where everything stands."""
    with visit.event.database.read() as transaction:
        counts = count_submissions(transaction)
        removed = accounts.list_removed(transaction)
        people = {
            role: [one for one in accounts.list_accounts(transaction, role) if one.id not in removed] for role in accounts.ACCOUNT_ROLES
        }
    return render_page("organiser.html", visit, visibility=visit.moment.visibility, counts=counts, people=people, now=visit.moment.now)


def show_organised_phase(visit: Visit) -> Response:
    """Show organisers a phase: its boards, hidden or not, and its teams."""
    phase = find_phase(visit.moment, visit.path("phase"))
    views = find_all_boards(visit, phase)
    boards = views.list_views()
    return render_page(
        "organiser_phase.html",
        visit,
        visibility=visit.moment.visibility,
        phase=phase,
        answers=visit.moment.definition.answers_about(phase),
        views=views,
        boards=boards.made,
        is_waiting=boards.is_in_making,
        rows=_list_teams(visit, phase),
    )


def _list_teams(visit: Visit, phase: Phase) -> list[TeamRow]:
    with visit.event.database.read() as transaction:
        teams = accounts.list_accounts(transaction, "team")
        removed = accounts.list_removed(transaction)
        names = list_aliases(transaction, phase.name, teams)
        submissions = list_submissions(transaction, phase.name)
    entries = choose_entries(submissions)
    by_team: dict[int, list[Submission]] = {}
    for submission in submissions:
        by_team.setdefault(submission.team, []).append(submission)
    return [
        TeamRow(
            team,
            names[team.id],
            team.id in removed,
            len(by_team.get(team.id, [])),
            entries.get(team.id),
            next(reversed(by_team.get(team.id, [])), None),
        )
        for team in teams
    ]


def show_organised_team(visit: Visit) -> Response:
    """Show organisers what a team has submitted to a phase, with scores."""
    phase = find_phase(visit.moment, visit.path("phase"))
    number = visit.path("team")
    with visit.event.database.read() as transaction:
        found = [team for team in accounts.list_accounts(transaction, "team") if str(team.id) == number]
        names = list_aliases(transaction, phase.name, found)
    if not found or phase.is_answers:
        raise NotFoundError("there is no such team")
    own = view_phase(visit, phase, found[0], page_number(visit))
    return render_page("organiser_team.html", visit, visibility=visit.moment.visibility, own=own, alias=names[found[0].id])


def send_gold(visit: Visit) -> Response:
    """Send organisers a version of the gold."""
    phase = find_phase(visit.moment, visit.path("phase"))
    version = find_all_boards(visit, phase).get_version(visit.path("version"))
    with visit.event.database.read() as transaction:
        content = contents.get(transaction, version.sha256)
    return send_file(content, "text/plain; charset=utf-8", f"{phase.name}-{visit.path('version')}.m2")


def ask_decision(visit: Visit) -> Response:
    """Say what closing or publishing a phase changes, and ask whether it is meant."""
    phase, kind = _find_decision(visit)
    stage = visit.moment.visibility.stage(phase)
    if stage != {CLOSE: "open", PUBLISH: "closed"}[kind]:
        raise RequestError(f"{phase.title} cannot be {'closed' if kind == CLOSE else 'published'} now; it is {stage}")
    undecided = 0
    if phase.is_answers and kind == PUBLISH:
        with visit.event.database.read() as transaction:
            undecided = count_undecided(transaction, phase)
    consequences = list_consequences(visit.moment.definition, visit.moment.visibility, phase, kind)
    return render_page("decision.html", visit, phase=phase, kind=kind, consequences=consequences, undecided=undecided)


def carry_out(visit: Visit) -> Response:
    """Close or publish a phase."""
    phase, kind = _find_decision(visit)
    visit.event.decide(phase.name, kind, visit.account.id)
    return RedirectResponse(f"/organiser/phases/{phase.name}", 303)


def _find_decision(visit: Visit) -> tuple[Phase, str]:
    kind = visit.path("kind")
    if kind not in {CLOSE, PUBLISH}:
        raise NotFoundError("there is no such page")
    return find_phase(visit.moment, visit.path("phase")), kind


def show_log(visit: Visit) -> Response:
    """Show the audit log, the newest lines first, or those before a line."""
    given = visit.request.query_params.get(_BEFORE, "")
    before = int(given) if given.isascii() and given.isdecimal() and len(given) <= _MOST_DIGITS else None
    with visit.event.database.read() as transaction:
        lines = audit.read_log(transaction, _LINES_ON_PAGE + 1, before)
        names = {account.id: account for role in accounts.ACCOUNT_ROLES for account in accounts.list_accounts(transaction, role)}
    shown = lines[:_LINES_ON_PAGE]
    return render_page("log.html", visit, lines=shown, names=names, before=before, older=shown[-1].id if len(lines) > len(shown) else None)
