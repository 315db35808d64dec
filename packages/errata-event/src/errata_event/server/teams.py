"""The pages of a team: its submissions, their reports, and logging in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import HTMLResponse, RedirectResponse

from errata.errors import ErrataError, RequestError
from errata.report.page.document import make_page
from errata.task.definition import Statistics
from errata.task.running import GoldScores, Origin, TaskResult, build_task_report
from errata_event import accounts, contents
from errata_event.boards import find_scores
from errata_event.definition import is_organiser
from errata_event.server.boards import read_gold
from errata_event.server.rendering import home_of, render_page, send_file
from errata_event.server.requests import (
    FIELD,
    REPORT_POLICY,
    NotFoundError,
    find_home,
    find_phase,
    find_return,
    status_of,
    too_large,
)
from errata_event.submissions import (
    DESCRIPTION,
    PRIMARY,
    RESTORED,
    WITHDRAWN,
    choose_entries,
    find_entry_of,
    find_submission,
    list_submissions,
    measure_quota,
)
from errata_event.uploading import FILE_NAME, check_before, find_limit, find_own, mark_submission, upload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.responses import Response

    from errata.formats.problems import Problem
    from errata_event.accounts import Account
    from errata_event.boards import ShownScore
    from errata_event.definition import Phase
    from errata_event.golds import GoldVersion
    from errata_event.scoring import PhaseScorer
    from errata_event.server.requests import Visit
    from errata_event.submissions import Quota, Submission


# --- Logging in with a token, and out again.


def show_log_in(visit: Visit) -> Response:
    """Show the form, or go on if somebody is logged in."""
    if visit.viewer is not None:
        return RedirectResponse(home_of(visit.viewer), 303)
    return render_page("log_in.html", visit, wrong=False, back=find_return(visit.request.query_params.get(FIELD, "")))


def log_in(visit: Visit) -> Response:
    """Start a session for a token."""
    token, back = visit.form.get("token", "").strip(), find_return(visit.form.get(FIELD, ""))
    with visit.event.database.read() as transaction:
        found = accounts.find_by_token(transaction, token)
    if found is None:
        return render_page("log_in.html", visit, 403, wrong=True, back=back)
    with visit.event.database.write("sessions") as transaction:
        secret = accounts.start_session(transaction, found, visit.moment.now)
    answer = RedirectResponse(find_home(found, back), 303)
    answer.set_cookie(
        visit.site.cookie,
        secret,
        max_age=int(accounts.SESSION_LIFETIME.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=visit.site.settings.is_https,
    )
    return answer


def log_out(visit: Visit) -> Response:
    """End the session."""
    if visit.session:
        with visit.event.database.write("sessions") as transaction:
            accounts.end_session(transaction, visit.session)
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(visit.site.cookie, httponly=True, samesite="lax", secure=visit.site.settings.is_https)
    return answer


# --- A submission with everything that one who may see it sees of it.


class _SubmissionView(NamedTuple):
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


def _get_submission(visit: Visit) -> _SubmissionView:
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
    return _SubmissionView(
        submission,
        phase,
        team,
        entry,
        version,
        shows_scores,
        shows_scores and moment.visibility.gold(phase, viewer),
        f"/{'organiser' if is_organiser(viewer) else 'team'}/submissions/{submission.public_id}",
    )


def _score_view(visit: Visit, view: _SubmissionView) -> list[ShownScore] | None:
    """Find the scores of a submission; None while they are hidden."""
    return find_scores(visit.event, view.submission, view.version, view.team.name) if view.shows_scores else None


def _list_problems(visit: Visit, view: _SubmissionView) -> list[Problem]:
    """List the warnings about a submission; nothing depends on the gold while scores are hidden."""
    scorer = visit.event.scorer(view.version, visit.moment.definition)
    return scorer.check(_read_content(visit, view), FILE_NAME, source_only=not view.shows_scores).problems


def _read_content(visit: Visit, view: _SubmissionView) -> bytes:
    """Read what was uploaded."""
    with visit.event.database.read() as transaction:
        return contents.get(transaction, view.submission.sha256)


# --- What a team has submitted to a phase, as its pages show it.

_MOST_ON_PAGE = 50
_MOST_IN_OVERVIEW = 5


class _TeamPhase(NamedTuple):
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
        return max(1, -(-self.total // _MOST_ON_PAGE))

    @property
    def labels(self) -> list[str]:
        """The names of the scores."""
        first = next(iter((self.scores or {}).values()), [])
        return [score.label for score in first]


def view_phase(visit: Visit, phase: Phase, team: Account, number: int = 1, most: int = _MOST_ON_PAGE) -> _TeamPhase:
    """Collect what a team has submitted to a phase, for one who may see it; ``number`` is that of a page of so many."""
    moment = visit.moment
    with visit.event.database.read() as transaction:
        listed = list_submissions(transaction, phase.name, team.id)
        quota = measure_quota(transaction, phase, team.id, moment.now, moment.definition.zone)
    shown = listed[::-1][(number - 1) * most : number * most]
    return _TeamPhase(
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


# --- The page of a submission: its scores, its warnings, its file, and what its team can do with it.

_ACTIONS = {"primary": PRIMARY, "withdraw": WITHDRAWN, "restore": RESTORED, "description": DESCRIPTION}
_M2 = b"S "
"""How an upload in M2 begins."""


def show_submission(visit: Visit) -> Response:
    """Show a submission."""
    view = _get_submission(visit)
    accepted = visit.request.query_params.get("accepted", "")
    return render_page(
        "submission.html",
        visit,
        view=view,
        visibility=visit.moment.visibility,
        scores=_score_view(visit, view),
        problems=_list_problems(visit, view),
        accepted=accepted if accepted in {_NEW, _SAME} else "",
        may_change=not is_organiser(visit.viewer) and visit.moment.visibility.accepts(view.phase),
    )


def send_submission(visit: Visit) -> Response:
    """Send the file back, under a name that errata chose."""
    view = _get_submission(visit)
    content = _read_content(visit, view)
    ending = "m2" if content.startswith(_M2) else "txt"
    return send_file(content, "text/plain; charset=utf-8", f"{view.phase.name}-{view.submission.number}.{ending}")


def mark_own(visit: Visit) -> Response:
    """Do what a button of the page says."""
    action = visit.path("action")
    if action not in _ACTIONS:
        raise NotFoundError("there is no such page")
    view = _get_submission(visit)
    text = visit.form.get("description", "")
    mark_submission(visit.event, visit.account, view.submission.public_id, _ACTIONS[action], text, visit.received_at)
    return RedirectResponse(view.base, 303)


# --- The pages of a team: what it has submitted, and the form with which it submits.

_NEW, _SAME = "new", "same"
"""What an address says about an upload that was just accepted."""


def show_team(visit: Visit) -> Response:
    """Show all phases to a team, with what it submitted last."""
    own = [
        view_phase(visit, phase, visit.account, most=_MOST_IN_OVERVIEW) for phase in visit.moment.definition.phases if not phase.is_answers
    ]
    answers = [phase for phase in visit.moment.definition.phases if phase.is_answers]
    return render_page("team.html", visit, visibility=visit.moment.visibility, own=own, answers=answers)


def show_team_phase(visit: Visit) -> Response:
    """Show a team all that it has submitted to a phase."""
    return _show(visit, _find(visit))


def show_team_gold(visit: Visit) -> Response:
    """Send a team the gold of a phase, where teams may see it."""
    phase = _find(visit)
    if not visit.moment.visibility.gold(phase, visit.viewer):
        raise NotFoundError(f"the gold of {phase.name} is hidden")
    return send_file(read_gold(visit, phase), "text/plain; charset=utf-8", f"{phase.name}.m2")


def take_form(visit: Visit) -> Response:
    """Take an upload: show the submission, or every problem for which it is refused."""
    phase = _find(visit)
    description = visit.form.get("description", "")
    try:
        check_before(visit.event, phase.name, visit.received_at)
        if visit.file is None:
            return _show(visit, phase, 422, refusal="no file was sent; choose one", description=description)
        most = find_limit(visit.event, phase.name, visit.site.settings.max_upload)
        content = visit.file.read(most + 1)
        if len(content) > most:
            refused = too_large(most)
            return _show(visit, phase, refused.status_code, refusal=refused.detail, description=description)
        receipt = upload(visit.event, visit.account, phase.name, content, description, visit.received_at)
    except ErrataError as error:
        return _show(visit, phase, status_of(error), refusal=str(error), description=description)
    if receipt.submission is None:
        return _show(visit, phase, 422, problems=receipt.problems, description=description)
    return RedirectResponse(f"/team/submissions/{receipt.submission.public_id}?accepted={_NEW if receipt.is_new else _SAME}", 303)


def _find(visit: Visit) -> Phase:
    phase = find_phase(visit.moment, visit.path("phase"))
    if phase.is_answers:
        raise NotFoundError(f"nothing is submitted to {phase.name}")
    return phase


def _show(visit: Visit, phase: Phase, status: int = 200, **answer: object) -> Response:
    """Show the submissions and the form, with what was wrong with an upload if there was one."""
    named = {"refusal": "", "problems": [], "description": "", **answer}
    visibility = visit.moment.visibility
    return render_page(
        "team_phase.html",
        visit,
        status,
        visibility=visibility,
        own=view_phase(visit, phase, visit.account, page_number(visit)),
        shows_gold=visibility.gold(phase, visit.viewer),
        **named,
    )


# --- The report page of a single submission, where its reader may see the gold.
#
# A report depends on nothing but the submission, the gold, the settings and the names that it shows.


def show_report(visit: Visit) -> Response:
    """Show the report of a submission; its policy takes it out of the origin of this server."""
    view = _get_submission(visit)
    if not view.has_report:
        raise NotFoundError("there is no report of this submission: its edits cannot be compared with a hidden gold")
    scorer = visit.event.scorer(view.version, visit.moment.definition)
    name = f"{view.team.name} {view.submission.number}"
    key = (view.submission.sha256, view.version.id, scorer.settings, visit.moment.definition.title_of(view.phase), name)
    content = visit.site.reports.make(key, lambda: _make_report(scorer, view, _read_content(visit, view), name), len)
    return HTMLResponse(content, headers={"Content-Security-Policy": REPORT_POLICY})


def _make_report(scorer: PhaseScorer, view: _SubmissionView, content: bytes, name: str) -> bytes:
    """Make the page of a submission."""
    prepared = scorer.prepared
    scored = GoldScores(prepared.golds[0], [[score] for score in scorer.score(content, view.submission.sha256, name)])
    result = TaskResult({}, [], [scored], Statistics.of(scorer.task, 1))
    return make_page(build_task_report(scorer.task, result, scored, Origin(""), prepared.tagger)).encode()
