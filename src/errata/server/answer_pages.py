"""The pages on which a team proposes alternative answers from its own edits, or as a corrected sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse

from errata.errors import ErrataError, RequestError, UsageError
from errata.event.answers.answer_phases import open_answers
from errata.event.answers.item_keys import make_item_key
from errata.event.answers.proposals import list_proposals, withdraw_proposal
from errata.event.answers.proposing import propose_edits, propose_sentence
from errata.server.answer_views import TeamView, view_answers
from errata.server.failures import NotFoundError, status_of
from errata.server.phase_addresses import find_phase
from errata.server.rendering import render_page
from errata.server.team_views import page_number

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.responses import Response

    from errata.event.phases import Phase
    from errata.server.visits import Visit

_ALONE, _TOGETHER = "only", "edit"
"""Fields of a form: the edit whose button was pressed, and those that are ticked."""
_SENTENCE, _PROPOSALS = "sentence", "proposals"
_MOST_DIGITS = 9


def show_unmatched(visit: Visit) -> Response:
    """Show a team its unmatched edits, some sentences a page."""
    return _show(visit, view_answers(visit, find_answers_phase(visit)), page_number(visit))


def take_edits(visit: Visit) -> Response:
    """Propose one edit, or several of a sentence together."""
    phase, number = find_answers_phase(visit), find_number(visit.form.get("number", ""))
    alone = visit.form.get(_ALONE)
    keys = [alone] if alone else visit.lists.get(_TOGETHER, [])
    on_sentence_page = visit.form.get("from") == _SENTENCE
    try:
        if not keys:
            raise UsageError("nothing is ticked: tick the edits that are to be judged together, or press the button beside one")
        propose_edits(visit.event, visit.account, phase.name, number, keys, visit.received_at)
    except ErrataError as error:
        view = view_answers(visit, phase)
        show = _show_one if on_sentence_page else _show_refused
        return show(visit, view, number, status_of(error), refusal=str(error), ticked=keys)
    return _go_back(visit, phase, number)


def show_sentence(visit: Visit) -> Response:
    """Show a team one sentence, with a field for another correction."""
    return _show_one(visit, view_answers(visit, find_answers_phase(visit)), find_number(visit.request.query_params.get("number", "")))


def take_sentence(visit: Visit) -> Response:
    """Propose a corrected sentence."""
    phase, number, text = find_answers_phase(visit), find_number(visit.form.get("number", "")), visit.form.get("text", "")
    try:
        propose_sentence(visit.event, visit.account, phase.name, number, text, visit.received_at)
    except ErrataError as error:
        return _show_one(visit, view_answers(visit, phase), number, status_of(error), text_refusal=str(error), text=text)
    return RedirectResponse(f"{address_of_answers(phase)}/sentence?number={number}&done=1", 303)


def withdraw(visit: Visit) -> Response:
    """Withdraw a proposal."""
    phase = find_answers_phase(visit)
    with visit.event.database.read() as transaction:  # looks at its own only, so what others propose does not even change the time
        own = list_proposals(transaction, phase.name, visit.account.id)
    item = next((proposal.item for proposal in own if make_item_key(proposal.item) == visit.form.get("item")), None)
    if item is None:
        raise RequestError("there is no such proposal")
    withdraw_proposal(visit.event, open_answers(visit.event, phase.name, visit.received_at), visit.account, item.id)
    return _go_back(visit, phase, item.sentence)


def find_answers_phase(visit: Visit) -> Phase:
    """Find the phase of alternative answers that an address names."""
    phase = find_phase(visit.moment, visit.path("phase"))
    if not phase.is_answers:
        raise NotFoundError(f"no alternative answers are proposed in {phase.name}")
    return phase


def find_number(text: str) -> int:
    """Find the number of a sentence in what a form has."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS):
        raise UsageError("expected the number of a sentence")
    return int(digits)


def address_of_answers(phase: Phase) -> str:
    """The address of what a team proposes."""
    return f"/team/answers/{phase.name}"


def _go_back(visit: Visit, phase: Phase, number: int) -> Response:
    """Show the sentence again where the form was."""
    came_from, base = visit.form.get("from", ""), address_of_answers(phase)
    if came_from == _SENTENCE:
        return RedirectResponse(f"{base}/sentence?number={number}", 303)
    page = find_number(visit.form.get("page", "1"))
    if came_from == _PROPOSALS:
        return RedirectResponse(f"{base}/proposals?page={page}", 303)
    return RedirectResponse(f"{base}?page={page}#sentence-{number}", 303)


def _show(visit: Visit, view: TeamView, page: int, status: int = 200, **refused: object) -> Response:
    named = {"refused": 0, "refusal": "", "ticked": (), **refused}
    return render_page(
        "team_answers.html",
        visit,
        status,
        visibility=visit.moment.visibility,
        view=view,
        sentences=view.list_sentences(page),
        number=page,
        base=address_of_answers(view.phase),
        **named,
    )


def _show_refused(visit: Visit, view: TeamView, number: int, status: int, *, refusal: str, ticked: Collection[str]) -> Response:
    return _show(visit, view, view.page_of(number), status, refused=number, refusal=refusal, ticked=ticked)


def _show_one(visit: Visit, view: TeamView, number: int, status: int = 200, **refused: object) -> Response:
    if not 1 <= number <= len(view.gold):
        raise NotFoundError(f"sentences are numbered from 1 to {len(view.gold):,}")
    named = {"refusal": "", "ticked": (), "text_refusal": "", "text": None, **refused}
    return render_page(
        "team_answer_sentence.html",
        visit,
        status,
        visibility=visit.moment.visibility,
        view=view,
        sentence=view.sentence(number),
        last=len(view.gold),
        base=address_of_answers(view.phase),
        is_done=visit.request.method == "GET" and visit.request.query_params.get("done") == "1",
        **named,
    )
