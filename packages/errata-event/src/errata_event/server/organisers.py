"""The pages of organisers: everything at a glance, decisions, people, and alternative answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import RedirectResponse

from errata.errors import ErrataError, RequestError, UsageError
from errata_event import accounts, audit, contents
from errata_event.accounts import list_accounts, list_aliases, list_removed
from errata_event.answers.golds import preview_tables
from errata_event.answers.items import open_answers
from errata_event.answers.judging import STATUSES, decide, ensure_pooled, list_judgments, show_item
from errata_event.answers.outcomes import count_undecided, measure_progress
from errata_event.answers.proposals import list_proposed_items
from errata_event.server.answers import EditInContext, find_answers_phase, show_in_context
from errata_event.server.boards import find_all_boards
from errata_event.server.rendering import render_page, send_file
from errata_event.server.requests import NotFoundError, Preview, find_phase, site_address, status_of
from errata_event.server.teams import page_number, view_phase
from errata_event.submissions import choose_entries, count_submissions, list_submissions

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata_event.accounts import Account, AccountRole
    from errata_event.answers.items import Item, MarkedSentence
    from errata_event.answers.judging import Decision, ItemJudgment
    from errata_event.answers.proposals import Sources
    from errata_event.definition import EventDefinition, Phase, Visibility, When
    from errata_event.server.requests import Visit
    from errata_event.submissions import Submission


# --- What becomes visible to whom when organisers close or publish a phase, in words.

_CLOSE, _PUBLISH = "close", "publish"
_STAGES: dict[str, When] = {_CLOSE: "closed", _PUBLISH: "published"}


def _list_consequences(definition: EventDefinition, visibility: Visibility, phase: Phase, kind: str) -> list[str]:
    """List what a decision changes."""
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


# --- Teams and annotators in the browser of an organiser: added, given a new token, removed.  A token is shown once, and stored nowhere.

_MANAGED: tuple[AccountRole, ...] = ("team", "annotator")
"""Roles that organisers manage here; organisers themselves are added on the command line."""
_RENEW, _REMOVE = "renew", "remove"


def show_people(visit: Visit) -> Response:
    """List teams and annotators, with forms to add some."""
    return _show(visit)


def add_person(visit: Visit) -> Response:
    """Add a team or an annotator, and show its token."""
    role, name = visit.form.get("role", ""), visit.form.get("name", "")
    try:
        if role not in _MANAGED:
            raise UsageError(f"choose one of {', '.join(_MANAGED)}")
        with visit.event.database.write("accounts") as transaction:
            account, token = accounts.add_account(transaction, role, name, visit.moment.now, visit.account.id)
    except ErrataError as error:
        return _show(visit, status_of(error), refusal=str(error), role=role, typed=name)
    return _show_token(visit, account, token)


def ask_change(visit: Visit) -> Response:
    """Ask whether a token is to be renewed, or somebody removed."""
    return render_page("person.html", visit, account=_find(visit), action=_find_action(visit))


def change_person(visit: Visit) -> Response:
    """Renew a token and show it, or remove somebody."""
    account, action = _find(visit), _find_action(visit)
    with visit.event.database.write("accounts") as transaction:
        if action == _REMOVE:
            accounts.remove_account(transaction, account, visit.moment.now, visit.account.id)
            return RedirectResponse("/organiser/people", 303)
        token = accounts.renew_token(transaction, account, visit.moment.now, visit.account.id)
    return _show_token(visit, account, token)


def _show(visit: Visit, status: int = 200, refusal: str = "", role: str = "team", typed: str = "") -> Response:
    with visit.event.database.read() as transaction:
        people = {own: accounts.list_accounts(transaction, own) for own in _MANAGED}
        removed = accounts.list_removed(transaction)
    return render_page("people.html", visit, status, people=people, removed=removed, refusal=refusal, role=role, typed=typed)


def _show_token(visit: Visit, account: Account, token: str) -> Response:
    return render_page("token.html", visit, account=account, token=token, address=site_address(visit))


def _find(visit: Visit) -> Account:
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


# --- The pages of organisers: everything at a glance, the boards with names before they are public, and what each team submitted.

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
        is_waiting=boards.is_pending,
        rows=_list_teams(visit, phase),
    )


def _list_teams(visit: Visit, phase: Phase) -> list[_TeamRow]:
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
    if stage != {_CLOSE: "open", _PUBLISH: "closed"}[kind]:
        raise RequestError(f"{phase.title} cannot be {'closed' if kind == _CLOSE else 'published'} now; it is {stage}")
    undecided = 0
    if phase.is_answers and kind == _PUBLISH:
        with visit.event.database.read() as transaction:
            undecided = count_undecided(transaction, phase)
    consequences = _list_consequences(visit.moment.definition, visit.moment.visibility, phase, kind)
    return render_page("decision.html", visit, phase=phase, kind=kind, consequences=consequences, undecided=undecided)


def carry_out(visit: Visit) -> Response:
    """Close or publish a phase."""
    phase, kind = _find_decision(visit)
    visit.event.decide(phase.name, kind, visit.account.id)
    return RedirectResponse(f"/organiser/phases/{phase.name}", 303)


def _find_decision(visit: Visit) -> tuple[Phase, str]:
    kind = visit.path("kind")
    if kind not in {_CLOSE, _PUBLISH}:
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


# --- The pages of organisers about alternative answers: how far judging is, what was decided, and the tables before they are published.

_ITEMS_ON_PAGE = 50


class _ItemRow(NamedTuple):
    """An item with where it comes from, what was said of it, and what was decided."""

    item: Item
    sources: Sources
    decision: Decision
    judgments: list[ItemJudgment]
    edits: list[EditInContext]
    amended: MarkedSentence | None


def show_progress(visit: Visit) -> Response:
    """Show how far judging is, how far annotators agree, and what became of each team's proposals."""
    phase = find_answers_phase(visit)
    ensure_pooled(visit.event, phase.name)
    with visit.event.database.read() as transaction:
        progress = measure_progress(transaction, phase)
        removed = list_removed(transaction)
    names = {row.annotator.id: row.annotator.name for row in progress.annotators}
    return render_page(
        "organiser_answers.html",
        visit,
        phase=phase,
        visibility=visit.moment.visibility,
        progress=progress,
        removed=removed,
        names=names,
    )


def show_items(visit: Visit) -> Response:
    """Show the items with all judgments and comments: those with a status if one is named, some a page."""
    phase, number = find_answers_phase(visit), page_number(visit)
    status = visit.request.query_params.get("status", "")
    if status and status not in STATUSES:
        raise NotFoundError("there is no such list")
    answers = open_answers(visit.event, phase.name)
    with visit.event.database.read() as transaction:
        judgments = list_judgments(transaction, phase.name)
        listed = [
            (item, sources, decide(item, judgments.get(item.id, []), phase.judges))
            for item, sources in list_proposed_items(transaction, phase.name).items()
        ]
        names = {account.id: account.name for role in ("team", "annotator") for account in list_accounts(transaction, role)}
    chosen = [own for own in listed if not status or own[2].status == status]
    rows: list[_ItemRow] = []
    for item, sources, decision in chosen[(number - 1) * _ITEMS_ON_PAGE : number * _ITEMS_ON_PAGE]:
        sentence = answers.sentence(item.sentence)
        amended = show_item(sentence, decision.edits) if decision.is_amended else None
        edits = show_in_context(sentence, item.edits)
        rows.append(_ItemRow(item, sources, decision, judgments.get(item.id, []), edits, amended))
    return render_page(
        "organiser_answer_items.html",
        visit,
        phase=phase,
        rows=rows,
        chosen=status,
        statuses=STATUSES,
        total=len(chosen),
        names=names,
        number=number,
        pages_total=max(1, -(-len(chosen) // _ITEMS_ON_PAGE)),
    )


def show_tables(visit: Visit) -> Response:
    """Show the tables with what is accepted so far."""
    phase = find_answers_phase(visit)
    about = visit.moment.definition.phase(phase.about)
    with visit.event.database.read() as transaction:
        proposers = {team.team.name for team in measure_progress(transaction, phase).teams if team.proposed}
    return render_page(
        "organiser_answer_tables.html",
        visit,
        phase=phase,
        about=about,
        visibility=visit.moment.visibility,
        kept=_find_preview(visit, phase.name),
        proposers=proposers,
    )


def _find_preview(visit: Visit, phase: str) -> Preview | None:
    """Make the tables anew; find the last ones if that takes longer than somebody waits, or None if there are none."""
    made: list[Preview] = []

    def make() -> None:
        now = visit.event.clock()
        made.append(Preview(now, preview_tables(visit.event, phase)))
        visit.site.previews.put(phase, made[0])

    visit.event.maker.make(("preview", phase), make)
    return made[0]._replace(is_current=True) if made else visit.site.previews.get(phase)
