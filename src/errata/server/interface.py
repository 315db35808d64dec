"""What programs ask, with a token: ``errata submit``, and any HTTP client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from starlette.responses import JSONResponse

from errata.event.phase_records import make_phase_record
from errata.event.results import find_scores
from errata.event.submissions import choose_entries, list_submissions, measure_quota
from errata.event.uploading import check_before, find_limit, upload
from errata.server.failures import NotFoundError
from errata.server.phase_addresses import find_phase

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.event.results import ShownScore
    from errata.event.submissions import Quota, Submission
    from errata.event.uploading import Receipt
    from errata.formats import Problem
    from errata.server.visits import Visit

DESCRIPTION = "errata-description"
"""The header with the description of a submission, percent-encoded."""


def list_phases(visit: Visit) -> Response:
    """List the phases."""
    return JSONResponse(
        {
            "title": visit.moment.definition.title,
            "now": visit.moment.now.isoformat(),
            "phases": [
                {
                    **make_phase_record(visit.moment.visibility, phase),
                    "per_day": phase.per_day,
                    "per_phase": phase.per_phase,
                }
                for phase in visit.moment.definition.phases
            ],
        }
    )


def prepare_upload(visit: Visit) -> int:
    """Refuse an upload that would be refused whatever it contains; else say how many bytes it may have."""
    phase = find_phase(visit.moment, visit.path("phase"))
    check_before(visit.event, phase.name)
    return find_limit(visit.event, phase.name, visit.site.settings.max_upload)


def take_upload(visit: Visit) -> Response:
    """Take an upload and answer it."""
    description = unquote(visit.request.headers.get(DESCRIPTION, ""))
    receipt = upload(visit.event, visit.account, visit.path("phase"), visit.read_file(), description, visit.received_at)
    record = describe_receipt(receipt)
    if receipt.submission is None:
        return JSONResponse({"error": "the upload was refused", **record}, 422)
    return JSONResponse(record, 201 if receipt.is_new else 200)


def list_own(visit: Visit) -> Response:
    """List the submissions of a team in a phase."""
    phase = find_phase(visit.moment, visit.path("phase"))
    if phase.is_answers:
        raise NotFoundError(f"nothing is submitted to {phase.name}; its proposals are at /api/phases/{phase.name}/proposals")
    shows = visit.moment.visibility.own_scores(phase, visit.account)
    with visit.event.database.read() as transaction:
        submissions = list_submissions(transaction, phase.name, visit.account.id)
        entry = choose_entries(submissions).get(visit.account.id)
        quota = measure_quota(transaction, phase, visit.account.id, visit.moment.now, visit.moment.definition.zone)
        version = visit.event.newest_gold(transaction, phase) if shows else None
    listed = []
    for submission in submissions:
        scores = find_scores(visit.event, submission, version, visit.account.name) if version is not None else None
        listed.append({"submission": describe_submission(submission, entry), "scores": _describe_scores(scores)})
    return JSONResponse({"submissions": listed, "quota": _describe_quota(quota)})


def describe_receipt(receipt: Receipt) -> dict[str, Any]:
    """Describe the answer to an upload."""
    return {
        "submission": None if receipt.submission is None else describe_submission(receipt.submission, receipt.entry),
        **({"entry": receipt.entry.number} if receipt.entry is not None else {}),
        "problems": [describe_problem(problem) for problem in receipt.problems],
        "scores": _describe_scores(receipt.scores),
        "quota": _describe_quota(receipt.quota),
    }


def describe_problem(problem: Problem) -> dict[str, Any]:
    """Describe an error or a warning."""
    return {"line": problem.line, "severity": problem.severity, "message": problem.message}


def describe_submission(submission: Submission, entry: Submission | None) -> dict[str, Any]:
    """Describe a submission; ``entry`` is the one of its team that counts."""
    return {
        "id": submission.public_id,
        "number": submission.number,
        "phase": submission.phase,
        "received_at": submission.received_at.isoformat(),
        "sha256": submission.sha256,
        "primary": submission.is_primary,
        "withdrawn": submission.is_withdrawn,
        "counts": entry is not None and entry.id == submission.id,
        "description": submission.description,
    }


def _describe_scores(scores: list[ShownScore] | None) -> list[dict[str, Any]] | None:
    return None if scores is None else [score._asdict() for score in scores]


def _describe_quota(quota: Quota) -> dict[str, Any]:
    return {**quota._asdict(), "left": quota.left, "resets_at": quota.resets_at.isoformat()}
