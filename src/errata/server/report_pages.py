"""The report page of a single submission, where its reader may see the gold.

A report depends on nothing but the submission, the gold, the settings and the names that it shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse

from errata.report.page.document import make_page
from errata.server.answers import REPORT_POLICY
from errata.server.failures import NotFoundError
from errata.server.submission_views import get_submission, read_content
from errata.task.definition import Statistics
from errata.task.running import GoldScores, Origin, TaskResult, build_task_report

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.event.scoring import PhaseScorer
    from errata.server.submission_views import SubmissionView
    from errata.server.visits import Visit


def show_report(visit: Visit) -> Response:
    """Show the report of a submission; its policy takes it out of the origin of this server."""
    view = get_submission(visit)
    if not view.has_report:
        raise NotFoundError("there is no report of this submission: its edits cannot be compared with a hidden gold")
    scorer = visit.event.scorer(view.version, visit.moment.definition)
    name = f"{view.team.name} {view.submission.number}"
    key = (view.submission.sha256, view.version.id, scorer.settings, visit.moment.definition.title_of(view.phase), name)
    content = visit.site.reports.find(key, lambda: make_report(scorer, view, read_content(visit, view), name))
    return HTMLResponse(content, headers={"Content-Security-Policy": REPORT_POLICY})


def make_report(scorer: PhaseScorer, view: SubmissionView, content: bytes, name: str) -> bytes:
    """Make the page of a submission."""
    prepared = scorer.prepared
    scored = GoldScores(prepared.golds[0], [[score] for score in scorer.score(content, view.submission.sha256, name)])
    result = TaskResult({}, [], [scored], Statistics.of(scorer.task, 1))
    return make_page(build_task_report(scorer.task, result, scored, Origin(""), prepared.tagger)).encode()
