"""The pages of organisers: everything at a glance, boards before they are public, decisions, and people."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import RedirectResponse
from starlette.routing import Route

from errata.errors import ErrataError, RequestError, UsageError
from errata_event import accounts, audit, contents
from errata_event.answers.outcomes import count_undecided
from errata_event.server.boards import find_all_boards
from errata_event.server.rendering import send_file
from errata_event.server.requests import EventSite, NotFoundError, form, page, status_of
from errata_event.server.teams import TeamPhase
from errata_event.submissions import choose_entries, count_submissions, list_submissions

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata_event.accounts import Account, AccountRole
    from errata_event.definition import EventDefinition, Phase, Visibility, When
    from errata_event.server.requests import Visit
    from errata_event.submissions import Submission


def routes(site: EventSite) -> list[Route]:
    """List the addresses of organisers."""
    phase, person = "/organiser/phases/{phase}", "/organiser/people/{account}/{action}"
    return [
        Route("/organiser", page(site, _show_overview, "organiser")),
        Route("/organiser/log", page(site, _show_log, "organiser")),
        Route("/organiser/people", page(site, _show_people, "organiser")),
        Route("/organiser/people", form(site, _add_person, "organiser"), methods=["POST"]),
        Route(person, page(site, _ask_change, "organiser")),
        Route(person, form(site, _change_person, "organiser"), methods=["POST"]),
        Route(phase, page(site, _show_organised_phase, "organiser")),
        Route(f"{phase}/teams/{{team}}", page(site, _show_organised_team, "organiser")),
        Route(f"{phase}/golds/{{version}}", page(site, _send_gold, "organiser")),
        Route(f"{phase}/{{kind}}", page(site, _ask_decision, "organiser")),
        Route(f"{phase}/{{kind}}", form(site, _carry_out, "organiser"), methods=["POST"]),
    ]


_CLOSE, _PUBLISH = "close", "publish"
_STAGES: dict[str, When] = {_CLOSE: "closed", _PUBLISH: "published"}


def _list_consequences(definition: EventDefinition, visibility: Visibility, phase: Phase, kind: str) -> list[str]:
    """Say in words what a decision to close or to publish a phase makes visible, and to whom."""
    stage = _STAGES[kind]
    listed: list[str] = []
    if kind == _CLOSE:
        what = "proposals" if phase.is_answers else "submissions"
        listed.append(f"Teams can send no more {what} from now on, and cannot change or withdraw those that they sent.")
        if phase.grace:
            listed.append("The grace period ends too.")
    if phase.is_answers:
        if kind == _PUBLISH:
            listed.append("The judgments end.")
            listed.append(_tell_who_sees_answers(definition.phase(phase.about), visibility))
        return listed
    if phase.scores == stage:
        listed.append("Each team sees the scores of its own submissions.")
    if phase.board == stage:
        named = "with the names of the teams" if phase.names in {"open", "closed", stage} else "without the names of the teams"
        listed.append(f"Everybody sees the leaderboard, {named}.")
    elif phase.names == stage and phase.board != "never":
        listed.append("The leaderboard, which everybody sees, names the teams.")
    if phase.gold_visible == stage:
        listed.append("Everybody can download the gold, and each team sees the report pages of its submissions.")
    if len(listed) == (kind == _CLOSE) + bool(kind == _CLOSE and phase.grace):
        listed.append("Nothing becomes visible that is not visible now.")
    return listed


def _tell_who_sees_answers(about: Phase, visibility: Visibility) -> str:
    """Say who sees the tables with accepted answers, which are never visible before the others of their phase."""
    boards = f"the leaderboards of {about.title} with the accepted answers"
    if visibility.board(about, None):
        return f"Everybody sees {boards}."
    if about.board == "never":
        return f"Only organisers see {boards}, because that phase has no public leaderboard."
    return f"Everybody sees {boards} when that phase is {'published' if about.board == 'published' else about.board}, and not before."


# Teams and annotators are added, given a new token, and removed.  A token is shown once, and stored nowhere.

_MANAGED: tuple[AccountRole, ...] = ("team", "annotator")
"""Roles that organisers manage here; organisers themselves are added on the command line."""
_RENEW, _REMOVE = "renew", "remove"


def _show_people(visit: Visit) -> Response:
    return _render_people(visit)


def _add_person(visit: Visit) -> Response:
    role, name = visit.form.get("role", ""), visit.form.get("name", "")
    try:
        if role not in _MANAGED:
            raise UsageError(f"choose one of {', '.join(_MANAGED)}")
        with visit.event.database.write("accounts") as transaction:
            account, token = accounts.add_account(transaction, role, name, visit.moment.now, visit.account.id)
    except ErrataError as error:
        return _render_people(visit, status_of(error), refusal=str(error), role=role, typed=name)
    return _show_token(visit, account, token)


def _ask_change(visit: Visit) -> Response:
    return visit.render("person.html", account=_find_person(visit), action=_find_action(visit))


def _change_person(visit: Visit) -> Response:
    account, action = _find_person(visit), _find_action(visit)
    with visit.event.database.write("accounts") as transaction:
        if action == _REMOVE:
            account.remove(transaction, visit.moment.now, visit.account.id)
            return RedirectResponse("/organiser/people", 303)
        token = account.renew_token(transaction, visit.moment.now, visit.account.id)
    return _show_token(visit, account, token)


def _render_people(visit: Visit, status: int = 200, refusal: str = "", role: str = "team", typed: str = "") -> Response:
    with visit.event.database.read() as transaction:
        people = {own: accounts.list_accounts(transaction, own) for own in _MANAGED}
        removed = accounts.list_removed(transaction)
    return visit.render("people.html", status, people=people, removed=removed, refusal=refusal, role=role, typed=typed)


def _show_token(visit: Visit, account: Account, token: str) -> Response:
    return visit.render("token.html", account=account, token=token, address=visit.site_address)


def _find_person(visit: Visit) -> Account:
    number = visit.path("account")
    with visit.event.database.read() as transaction:
        found = [one for role in _MANAGED for one in accounts.list_accounts(transaction, role) if str(one.id) == number]
    if not found:
        raise NotFoundError("there is no such team or annotator")
    return found[0]


def _find_action(visit: Visit) -> str:
    action = visit.path("action")
    if action not in {_RENEW, _REMOVE}:
        raise NotFoundError("there is no such page")
    return action


_LINES_ON_PAGE = 100
_BEFORE, _MOST_DIGITS = "before", 18


class _TeamRow(NamedTuple):
    """What a team has in a phase."""

    team: Account
    alias: str
    """What the anonymous board of the phase calls it."""
    is_removed: bool
    total: int
    entry: Submission | None
    last: Submission | None


def _show_overview(visit: Visit) -> Response:
    with visit.event.database.read() as transaction:
        counts = count_submissions(transaction)
        removed = accounts.list_removed(transaction)
        people = {
            role: [one for one in accounts.list_accounts(transaction, role) if one.id not in removed] for role in accounts.ACCOUNT_ROLES
        }
    return visit.render("organiser.html", counts=counts, people=people, now=visit.moment.now)


def _show_organised_phase(visit: Visit) -> Response:
    """Show organisers a phase: its boards, hidden or not, and its teams."""
    phase = visit.phase
    views = find_all_boards(visit, phase)
    boards = views.list_views()
    return visit.render(
        "organiser_phase.html",
        phase=phase,
        answers=visit.moment.definition.answers_about(phase),
        views=views,
        boards=boards.made,
        is_waiting=boards.is_pending,
        rows=_list_teams(visit, phase),
    )


def _list_teams(visit: Visit, phase: Phase) -> list[_TeamRow]:
    with visit.event.database.read() as transaction:
        teams = accounts.list_accounts(transaction, "team")
        removed = accounts.list_removed(transaction)
        names = accounts.list_aliases(transaction, phase.name, teams)
        submissions = list_submissions(transaction, phase.name)
    entries = choose_entries(submissions)
    by_team: dict[int, list[Submission]] = {}
    for submission in submissions:
        by_team.setdefault(submission.team, []).append(submission)
    return [
        _TeamRow(
            team,
            names[team.id],
            team.id in removed,
            len(by_team.get(team.id, [])),
            entries.get(team.id),
            next(reversed(by_team.get(team.id, [])), None),
        )
        for team in teams
    ]


def _show_organised_team(visit: Visit) -> Response:
    phase = visit.phase
    number = visit.path("team")
    with visit.event.database.read() as transaction:
        found = [team for team in accounts.list_accounts(transaction, "team") if str(team.id) == number]
        names = accounts.list_aliases(transaction, phase.name, found)
    if not found or phase.is_answers:
        raise NotFoundError("there is no such team")
    own = TeamPhase.view(visit, phase, found[0], visit.page_number)
    return visit.render("organiser_team.html", own=own, alias=names[found[0].id])


def _send_gold(visit: Visit) -> Response:
    phase = visit.phase
    version = find_all_boards(visit, phase).get_version(visit.path("version"))
    with visit.event.database.read() as transaction:
        content = contents.get(transaction, version.sha256)
    return send_file(content, "text/plain; charset=utf-8", f"{phase.name}-{visit.path('version')}.m2")


def _ask_decision(visit: Visit) -> Response:
    """Say what closing or publishing a phase changes, and ask whether it is meant."""
    phase, kind = _find_decision(visit)
    stage = visit.moment.visibility.stage(phase)
    if stage != {_CLOSE: "open", _PUBLISH: "closed"}[kind]:
        raise RequestError(f"{phase.title} cannot be {'closed' if kind == _CLOSE else 'published'} now; it is {stage}")
    undecided = 0
    if phase.is_answers and kind == _PUBLISH:
        with visit.event.database.read() as transaction:
            undecided = count_undecided(transaction, phase)
    consequences = _list_consequences(visit.moment.definition, visit.moment.visibility, phase, kind)
    return visit.render("decision.html", phase=phase, kind=kind, consequences=consequences, undecided=undecided)


def _carry_out(visit: Visit) -> Response:
    phase, kind = _find_decision(visit)
    visit.event.decide(phase.name, kind, visit.account.id)
    return RedirectResponse(f"/organiser/phases/{phase.name}", 303)


def _find_decision(visit: Visit) -> tuple[Phase, str]:
    kind = visit.path("kind")
    if kind not in {_CLOSE, _PUBLISH}:
        raise NotFoundError("there is no such page")
    return visit.phase, kind


def _show_log(visit: Visit) -> Response:
    """Show the audit log, the newest lines first, or those before a line."""
    given = visit.request.query_params.get(_BEFORE, "")
    before = int(given) if given.isascii() and given.isdecimal() and len(given) <= _MOST_DIGITS else None
    with visit.event.database.read() as transaction:
        lines = audit.read_log(transaction, _LINES_ON_PAGE + 1, before)
        names = {account.id: account for role in accounts.ACCOUNT_ROLES for account in accounts.list_accounts(transaction, role)}
    shown = lines[:_LINES_ON_PAGE]
    return visit.render("log.html", lines=shown, names=names, before=before, older=shown[-1].id if len(lines) > len(shown) else None)
