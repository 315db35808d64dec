"""What programs ask about alternative answers: they propose a file of them, and list what their team proposes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse

from errata.event.answers.item_keys import make_item_key
from errata.event.answers.of_teams import view_team
from errata.event.answers.proposals import measure_proposal_quota
from errata.event.answers.proposing import propose_file
from errata.server.interface import describe_problem
from errata.server.phase_addresses import find_phase
from errata.server.proposal_pages import find_most_bytes

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.event.answers.proposals import Proposal, ProposalQuota
    from errata.event.phases import Phase
    from errata.server.visits import Visit


def prepare_proposals(visit: Visit) -> int:
    """Refuse a file that would be refused whatever it contains; else say how many bytes it may have."""
    return find_most_bytes(visit, find_phase(visit.moment, visit.path("phase")))


def take_proposals(visit: Visit) -> Response:
    """Propose what a file has, and answer it."""
    phase = find_phase(visit.moment, visit.path("phase"))
    receipt = propose_file(visit.event, visit.account, phase.name, visit.read_file(), received_at=visit.received_at)
    record: dict[str, Any] = {
        "proposals": [{**_describe(proposal), "new": is_new} for proposal, is_new in receipt.proposals],
        "problems": [describe_problem(problem) for problem in receipt.problems],
        "quota": _measure(visit, phase),
    }
    if not receipt.is_accepted:
        return JSONResponse({"error": "the proposals were refused", **record}, 422)
    return JSONResponse(record, 201 if any(is_new for _, is_new in receipt.proposals) else 200)


def list_own_proposals(visit: Visit) -> Response:
    """List the proposals of a team, with what became of them once that is published."""
    phase = find_phase(visit.moment, visit.path("phase"))
    seen = view_team(visit.event, visit.account, phase.name)
    listed = [
        {
            **_describe(own.proposal),
            "at": own.proposal.at.isoformat(),
            "withdrawn": own.proposal.is_withdrawn,
            "status": own.status,
        }
        for own in seen.proposals
    ]
    return JSONResponse({"proposals": listed, "quota": _describe_quota(seen.quota)})


def _describe(proposal: Proposal) -> dict[str, Any]:
    item = proposal.item
    return {"id": make_item_key(item), "sentence": item.sentence, "edits": [list(edit) for edit in item.edits]}


def _measure(visit: Visit, phase: Phase) -> dict[str, Any]:
    with visit.event.database.read() as transaction:
        return _describe_quota(measure_proposal_quota(transaction, phase, visit.account.id))


def _describe_quota(quota: ProposalQuota) -> dict[str, Any]:
    return {**quota._asdict(), "left": quota.left}
