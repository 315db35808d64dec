"""What programs ask, with a token: ``errata submit``, and any HTTP client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from starlette.responses import JSONResponse
from starlette.routing import Route

from errata_event.answers.outcomes import TeamAnswers
from errata_event.answers.proposals import ProposalQuota, propose_file
from errata_event.boards import find_scores
from errata_event.server.answers import find_most_bytes
from errata_event.server.requests import EventSite, NotFoundError, api
from errata_event.submissions import Quota, choose_entries, list_submissions
from errata_event.uploading import check_before, find_limit, upload

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.formats.problems import Problem
    from errata_event.answers.proposals import Proposal
    from errata_event.boards import ShownScore
    from errata_event.server.requests import Visit
    from errata_event.submissions import Submission
    from errata_event.uploading import Receipt


_DESCRIPTION = "errata-description"
"""The header with the description of a submission, percent-encoded."""


def routes(site: EventSite) -> list[Route]:
    """List the addresses of programs."""
    submissions, proposals = "/api/phases/{phase}/submissions", "/api/phases/{phase}/proposals"
    return [
        Route("/api/phases", api(site, _list_phases)),
        Route(submissions, api(site, _list_own, "team")),
        Route(submissions, api(site, _take_upload, "team", upload=_prepare_upload), methods=["POST"]),
        Route(proposals, api(site, _list_own_proposals, "team")),
        Route(proposals, api(site, _take_proposals, "team", upload=_prepare_proposals), methods=["POST"]),
    ]


def _list_phases(visit: Visit) -> Response:
    return JSONResponse(
        {
            "title": visit.moment.definition.title,
            "now": visit.moment.now.isoformat(),
            "phases": [
                {
                    **visit.moment.visibility.record(phase),
                    "per_day": phase.per_day,
                    "per_phase": phase.per_phase,
                }
                for phase in visit.moment.definition.phases
            ],
        }
    )


def _prepare_upload(visit: Visit) -> int:
    """Refuse an upload that would be refused whatever it contains; else say how many bytes it may have."""
    phase = visit.phase
    check_before(visit.event, phase.name)
    return find_limit(visit.event, phase.name, visit.site.settings.max_upload)


def _take_upload(visit: Visit) -> Response:
    description = unquote(visit.request.headers.get(_DESCRIPTION, ""))
    receipt = upload(visit.event, visit.account, visit.path("phase"), visit.read_file(), description, visit.received_at)
    record = _describe_receipt(receipt)
    if receipt.submission is None:
        return JSONResponse({"error": "the upload was refused", **record}, 422)
    return JSONResponse(record, 201 if receipt.is_new else 200)


def _list_own(visit: Visit) -> Response:
    phase = visit.phase
    if phase.is_answers:
        raise NotFoundError(f"nothing is submitted to {phase.name}; its proposals are at /api/phases/{phase.name}/proposals")
    shows = visit.moment.visibility.own_scores(phase, visit.account)
    with visit.event.database.read() as transaction:
        submissions = list_submissions(transaction, phase.name, visit.account.id)
        entry = choose_entries(submissions).get(visit.account.id)
        quota = Quota.measure(transaction, phase, visit.account.id, visit.moment.now, visit.moment.definition.zone)
        version = visit.event.newest_gold(transaction, phase) if shows else None
    listed = []
    for submission in submissions:
        scores = find_scores(visit.event, submission, version, visit.account.name) if version is not None else None
        listed.append({"submission": _describe_submission(submission, entry), "scores": _describe_scores(scores)})
    return JSONResponse({"submissions": listed, "quota": _describe_upload_quota(quota)})


def _describe_receipt(receipt: Receipt) -> dict[str, Any]:
    return {
        "submission": None if receipt.submission is None else _describe_submission(receipt.submission, receipt.entry),
        **({"entry": receipt.entry.number} if receipt.entry is not None else {}),
        "problems": [_describe_problem(problem) for problem in receipt.problems],
        "scores": _describe_scores(receipt.scores),
        "quota": _describe_upload_quota(receipt.quota),
    }


def _describe_problem(problem: Problem) -> dict[str, Any]:
    return {"line": problem.line, "severity": problem.severity, "message": problem.message}


def _describe_submission(submission: Submission, entry: Submission | None) -> dict[str, Any]:
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


def _describe_upload_quota(quota: Quota) -> dict[str, Any]:
    return {**quota._asdict(), "left": quota.left, "resets_at": quota.resets_at.isoformat()}


def _prepare_proposals(visit: Visit) -> int:
    """Refuse a file that would be refused whatever it contains; else say how many bytes it may have."""
    return find_most_bytes(visit, visit.phase)


def _take_proposals(visit: Visit) -> Response:
    phase = visit.phase
    receipt = propose_file(visit.event, visit.account, phase.name, visit.read_file(), received_at=visit.received_at)
    with visit.event.database.read() as transaction:
        quota = ProposalQuota.measure(transaction, phase, visit.account.id)
    record: dict[str, Any] = {
        "proposals": [{**_describe(proposal), "new": is_new} for proposal, is_new in receipt.proposals],
        "problems": [_describe_problem(problem) for problem in receipt.problems],
        "quota": _describe_proposal_quota(quota),
    }
    if not receipt.is_accepted:
        return JSONResponse({"error": "the proposals were refused", **record}, 422)
    return JSONResponse(record, 201 if any(is_new for _, is_new in receipt.proposals) else 200)


def _list_own_proposals(visit: Visit) -> Response:
    """List the proposals of a team, with what became of them once that is published."""
    phase = visit.phase
    seen = TeamAnswers.of(visit.event, visit.account, phase.name)
    listed = [
        {
            **_describe(own.proposal),
            "at": own.proposal.at.isoformat(),
            "withdrawn": own.proposal.is_withdrawn,
            "status": own.status,
        }
        for own in seen.proposals
    ]
    return JSONResponse({"proposals": listed, "quota": _describe_proposal_quota(seen.quota)})


def _describe(proposal: Proposal) -> dict[str, Any]:
    item = proposal.item
    return {"id": item.key, "sentence": item.sentence, "edits": [list(edit) for edit in item.edits]}


def _describe_proposal_quota(quota: ProposalQuota) -> dict[str, Any]:
    return {**quota._asdict(), "left": quota.left}
