"""The pages of a team: its submissions, their reports, and logging in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Route

from errata.errors import ErrataError, RequestError
from errata.report.page.document import make_page
from errata.task.definition import Statistics
from errata.task.running import GoldScores, Origin, TaskResult, build_task_report
from errata_event import accounts, contents
from errata_event.accounts import Account
from errata_event.boards import find_scores
from errata_event.server.rendering import home_of, send_file
from errata_event.server.requests import BACK, LOGIN, REPORT_POLICY, EventSite, NotFoundError, find_return, form, page, status_of
from errata_event.submissions import (
    DESCRIPTION,
    PRIMARY,
    RESTORED,
    WITHDRAWN,
    Quota,
    choose_entries,
    find_entry_of,
    find_submission,
    list_submissions,
)
from errata_event.uploading import FILE_NAME, check_before, find_limit, mark_submission, upload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.responses import Response

    from errata_event.boards import ShownScore
    from errata_event.definition import Phase
    from errata_event.golds import GoldVersion
    from errata_event.scoring import PhaseScorer
    from errata_event.server.requests import Visit
    from errata_event.submissions import Submission


def routes(site: EventSite) -> list[Route]:
    """List the addresses of teams, of their submissions, which organisers see too, and of the log-in."""
    own, seen = "/team/submissions/{submission}", "/organiser/submissions/{submission}"
    return [
        Route(LOGIN, page(site, _show_log_in)),
        Route(LOGIN, form(site, _log_in, None), methods=["POST"]),
        Route("/logout", form(site, _log_out, None), methods=["POST"]),
        Route("/team", page(site, _show_team, "team")),
        Route("/team/phases/{phase}", page(site, _show_team_phase, "team")),
        Route("/team/phases/{phase}", form(site, _take_form, "team", file=True), methods=["POST"]),
        Route("/team/phases/{phase}/gold", page(site, _show_team_gold, "team")),
        Route(own, page(site, _show_submission, "team")),
        Route(f"{own}/file", page(site, _send_submission, "team")),
        Route(f"{own}/report", page(site, _show_report, "team", is_slow=True)),
        Route(f"{own}/{{action}}", form(site, _mark_own, "team"), methods=["POST"]),
        Route(seen, page(site, _show_submission, "organiser")),
        Route(f"{seen}/file", page(site, _send_submission, "organiser")),
        Route(f"{seen}/report", page(site, _show_report, "organiser", is_slow=True)),
    ]


def _show_log_in(visit: Visit) -> Response:
    if visit.viewer is not None:
        return RedirectResponse(home_of(visit.viewer), 303)
    return visit.render("log_in.html", wrong=False, back=find_return(visit.request.query_params.get(BACK, "")))


def _log_in(visit: Visit) -> Response:
    token, back = visit.form.get("token", "").strip(), find_return(visit.form.get(BACK, ""))
    with visit.event.database.read() as transaction:
        found = Account.of_token(transaction, token)
    if found is None:
        return visit.render("log_in.html", 403, wrong=True, back=back)
    with visit.event.database.write("sessions") as transaction:
        secret = found.start_session(transaction, visit.moment.now)
    home = home_of(found)  # back to a page of their own, or to the first
    answer = RedirectResponse(back if urlsplit(back).path.startswith(f"{home}/") else home, 303)
    answer.set_cookie(
        visit.site.cookie,
        secret,
        max_age=int(accounts.SESSION_LIFETIME.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=visit.site.settings.is_https,
    )
    return answer


def _log_out(visit: Visit) -> Response:
    if visit.session:
        with visit.event.database.write("sessions") as transaction:
            accounts.end_session(transaction, visit.session)
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(visit.site.cookie, httponly=True, samesite="lax", secure=visit.site.settings.is_https)
    return answer


class _SubmissionView(NamedTuple):
    """A submission with everything that one who may see it sees of it."""

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
        return self.entry is not None and self.entry.id == self.submission.id


def _get_submission(visit: Visit) -> _SubmissionView:
    """Find the submission of an address: one of the team that asks, or any one for an organiser."""
    viewer, moment = visit.account, visit.moment
    with visit.event.database.read() as transaction:
        try:
            submission = find_submission(transaction, visit.path("submission"), None if viewer.role == "organiser" else viewer)
        except RequestError as error:
            raise NotFoundError(str(error)) from None
        team = Account.get(transaction, submission.team)
        phase = moment.definition.phase(submission.phase)
        entry = find_entry_of(transaction, phase.name, team.id)
        version = visit.event.newest_gold(transaction, phase)
    shows_scores = moment.visibility.scores_of(phase, team.id, viewer)
    base = "/organiser" if viewer.role == "organiser" else "/team"
    return _SubmissionView(
        submission,
        phase,
        team,
        entry,
        version,
        shows_scores,
        shows_scores and moment.visibility.gold(phase, viewer),
        f"{base}/submissions/{submission.public_id}",
    )


def _read_content(visit: Visit, view: _SubmissionView) -> bytes:
    with visit.event.database.read() as transaction:
        return contents.get(transaction, view.submission.sha256)


_MOST_ON_PAGE = 50
_MOST_IN_OVERVIEW = 5


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

    @classmethod
    def view(cls, visit: Visit, phase: Phase, team: Account, number: int = 1, most: int = _MOST_ON_PAGE) -> TeamPhase:
        """Collect what a team has submitted to a phase, for one who may see it; ``number`` is that of a page of so many."""
        moment = visit.moment
        with visit.event.database.read() as transaction:
            listed = list_submissions(transaction, phase.name, team.id)
            quota = Quota.measure(transaction, phase, team.id, moment.now, moment.definition.zone)
        shown = listed[::-1][(number - 1) * most : number * most]
        scores = _find_scores(visit, phase, team, shown)
        return cls(phase, team, len(listed), choose_entries(listed).get(team.id), shown, scores, quota, number)

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // _MOST_ON_PAGE))

    @property
    def labels(self) -> list[str]:
        first = next(iter((self.scores or {}).values()), [])
        return [score.label for score in first]


def _find_scores(visit: Visit, phase: Phase, team: Account, shown: Sequence[Submission]) -> dict[int, list[ShownScore]] | None:
    if not visit.moment.visibility.scores_of(phase, team.id, visit.viewer):
        return None
    if not shown:
        return {}
    with visit.event.database.read() as transaction:
        version = visit.event.newest_gold(transaction, phase)
    return {submission.id: find_scores(visit.event, submission, version, team.name) for submission in shown}


_ACTIONS = {"primary": PRIMARY, "withdraw": WITHDRAWN, "restore": RESTORED, "description": DESCRIPTION}
_M2 = b"S "
"""How an upload in M2 begins."""


def _show_submission(visit: Visit) -> Response:
    view = _get_submission(visit)
    accepted = visit.request.query_params.get("accepted", "")
    scorer = visit.event.scorer(view.version, visit.moment.definition)
    return visit.render(
        "submission.html",
        view=view,
        scores=find_scores(visit.event, view.submission, view.version, view.team.name) if view.shows_scores else None,
        problems=scorer.check(_read_content(visit, view), FILE_NAME, source_only=not view.shows_scores).problems,  # no gold while hidden
        accepted=accepted if accepted in {_NEW, _SAME} else "",
        may_change=visit.account.role != "organiser" and visit.moment.visibility.accepts(view.phase),
    )


def _send_submission(visit: Visit) -> Response:
    """Send the file back, under a name that errata chose."""
    view = _get_submission(visit)
    content = _read_content(visit, view)
    ending = "m2" if content.startswith(_M2) else "txt"
    return send_file(content, "text/plain; charset=utf-8", f"{view.phase.name}-{view.submission.number}.{ending}")


def _mark_own(visit: Visit) -> Response:
    """Do what a button of the page says."""
    action = visit.path("action")
    if action not in _ACTIONS:
        raise NotFoundError("there is no such page")
    view = _get_submission(visit)
    text = visit.form.get("description", "")
    mark_submission(visit.event, visit.account, view.submission.public_id, _ACTIONS[action], text, visit.received_at)
    return RedirectResponse(view.base, 303)


_NEW, _SAME = "new", "same"
"""What an address says about an upload that was just accepted."""


def _show_team(visit: Visit) -> Response:
    own = [
        TeamPhase.view(visit, phase, visit.account, most=_MOST_IN_OVERVIEW)
        for phase in visit.moment.definition.phases
        if not phase.is_answers
    ]
    answers = [phase for phase in visit.moment.definition.phases if phase.is_answers]
    return visit.render("team.html", own=own, answers=answers)


def _show_team_phase(visit: Visit) -> Response:
    return _show(visit, _find(visit))


def _show_team_gold(visit: Visit) -> Response:
    phase = _find(visit)
    if not visit.moment.visibility.gold(phase, visit.viewer):
        raise NotFoundError(f"the gold of {phase.name} is hidden")
    return send_file(visit.event.read_gold(phase), "text/plain; charset=utf-8", f"{phase.name}.m2")


def _take_form(visit: Visit) -> Response:
    """Take an upload: show the submission, or every problem for which it is refused."""
    phase = _find(visit)
    description = visit.form.get("description", "")
    try:
        check_before(visit.event, phase.name, visit.received_at)
        content = visit.read_form_file(find_limit(visit.event, phase.name, visit.site.settings.max_upload))
        receipt = upload(visit.event, visit.account, phase.name, content, description, visit.received_at)
    except ErrataError as error:
        return _show(visit, phase, status_of(error), refusal=str(error), description=description)
    if receipt.submission is None:
        return _show(visit, phase, 422, problems=receipt.problems, description=description)
    return RedirectResponse(f"/team/submissions/{receipt.submission.public_id}?accepted={_NEW if receipt.is_new else _SAME}", 303)


def _find(visit: Visit) -> Phase:
    phase = visit.phase
    if phase.is_answers:
        raise NotFoundError(f"nothing is submitted to {phase.name}")
    return phase


def _show(visit: Visit, phase: Phase, status: int = 200, **answer: object) -> Response:
    """Show the submissions and the form, with what was wrong with an upload if there was one."""
    named = {"refusal": "", "problems": [], "description": "", **answer}
    visibility = visit.moment.visibility
    return visit.render(
        "team_phase.html",
        status,
        own=TeamPhase.view(visit, phase, visit.account, visit.page_number),
        shows_gold=visibility.gold(phase, visit.viewer),
        **named,
    )


def _show_report(visit: Visit) -> Response:
    """Show the report of a submission, where its reader may see the gold; its policy takes it out of the origin of this server.

    It depends on nothing but the submission, the gold, the settings and the names that it shows.
    """
    view = _get_submission(visit)
    if not view.has_report:
        raise NotFoundError("there is no report of this submission: its edits cannot be compared with a hidden gold")
    scorer = visit.event.scorer(view.version, visit.moment.definition)
    name = f"{view.team.name} {view.submission.number}"
    key = (view.submission.sha256, view.version.id, scorer.settings, visit.moment.definition.title_of(view.phase), name)
    content = visit.site.reports.make(key, lambda: _make_report(scorer, view, _read_content(visit, view), name), len)
    return HTMLResponse(content, headers={"Content-Security-Policy": REPORT_POLICY})


def _make_report(scorer: PhaseScorer, view: _SubmissionView, content: bytes, name: str) -> bytes:
    prepared = scorer.prepared
    scored = GoldScores(prepared.golds[0], [[score] for score in scorer.score(content, view.submission.sha256, name)])
    result = TaskResult({}, [], [scored], Statistics.of(scorer.task, 1))
    return make_page(build_task_report(scorer.task, result, scored, Origin(""), prepared.tagger)).encode()
