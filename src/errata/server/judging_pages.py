"""The pages of annotators: the next item, and what becomes of a judgment.

Nothing on them depends on who proposed an item, on how many did, or on when: not its name, not its place, not what is said of it.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse

from errata.errors import ErrataError
from errata.event.answers.answer_phases import open_answers
from errata.event.answers.item_keys import find_by_key, make_item_key
from errata.event.answers.judging import LONGEST_COMMENT, find_judged_before, find_queue, judge_item, require_judging
from errata.event.answers.judging_views import JudgingView, view_item
from errata.event.answers.pooling import ensure_pooled
from errata.event.answers.proposing import LONGEST_SENTENCE
from errata.event.answers.verdicts import find_status, list_counted, list_judgments_of
from errata.server.answer_pages import find_answers_phase
from errata.server.answer_views import show_in_context
from errata.server.failures import status_of
from errata.server.judging_forms import SentJudgment, read_judgment
from errata.server.rendering import render_page

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.event.answers.items import Item
    from errata.event.answers.judging import Queue
    from errata.event.answers.verdicts import ItemJudgment
    from errata.event.phases import Phase
    from errata.server.visits import Visit

DONE = "done"
_LATE = "late"
"""What an address says of a judgment that decides nothing, because enough others were there before."""
_PLAIN = SentJudgment("", "", "", "")


def show_judging(visit: Visit) -> Response:
    """List the phases of alternative answers, with what an annotator has to do in each."""
    rows: list[tuple[Phase, Queue | None]] = []
    for phase in visit.moment.definition.phases:
        if not phase.is_answers:
            continue
        queue = None
        if visit.moment.visibility.judging(phase, visit.account):
            ensure_pooled(visit.event, phase.name)
            with visit.event.database.read() as transaction:
                queue = find_queue(transaction, phase, visit.account)
        rows.append((phase, queue))
    return render_page("judging.html", visit, visibility=visit.moment.visibility, rows=rows)


def show_next(visit: Visit) -> Response:
    """Show the item that an annotator judges next."""
    phase = find_answers_phase(visit)
    if not visit.moment.visibility.judging(phase, visit.account):
        return render_page("judging_closed.html", visit, phase=phase, visibility=visit.moment.visibility, message="", sent=_PLAIN)
    ensure_pooled(visit.event, phase.name)
    with visit.event.database.read() as transaction:
        queue = find_queue(transaction, phase, visit.account)
    is_late = visit.request.query_params.get(_LATE) == "1"
    if queue.next is None:
        return render_page("judging_empty.html", visit, phase=phase, queue=queue, visibility=visit.moment.visibility, is_late=is_late)
    return _show(visit, phase, queue.next, queue=queue, is_late=is_late)


def show_judged_item(visit: Visit) -> Response:
    """Show an item that its address names."""
    phase = find_answers_phase(visit)
    if not visit.moment.visibility.judging(phase, visit.account):
        return render_page("judging_closed.html", visit, phase=phase, visibility=visit.moment.visibility, message="", sent=_PLAIN)
    with visit.event.database.read() as transaction:
        item = find_by_key(transaction, phase.name, visit.path("item"))
    return _show(visit, phase, item, came_from=visit.request.query_params.get("from", ""))


def take_judgment(visit: Visit) -> Response:
    """Take a judgment; whatever is wrong with it, what was typed is shown again."""
    phase, sent = find_answers_phase(visit), read_judgment(visit.form)
    try:
        with visit.event.database.read() as transaction:
            require_judging(visit.event.moment(transaction), phase, visit.account)
            item = find_by_key(transaction, phase.name, visit.path("item"))
    except ErrataError as error:
        return _show_kept(visit, phase, sent, error)
    try:
        sent.check(_find_unchanged(visit, phase, item))
        judgment = judge_item(visit.event, visit.account, phase.name, item.id, sent.verdict, sent.comment, sent.text)
    except ErrataError as error:
        try:
            return _show(visit, phase, item, status_of(error), refusal=str(error), sent=sent, came_from=sent.came_from)
        except ErrataError:  # it was withdrawn or published meanwhile
            return _show_kept(visit, phase, sent, error)
    if sent.came_from == DONE:
        return RedirectResponse(f"/judging/{phase.name}/done#{make_item_key(item)}", 303)
    late = f"?{_LATE}=1" if _is_late(visit, phase, item, judgment) else ""
    return RedirectResponse(f"/judging/{phase.name}{late}", 303)


def _find_unchanged(visit: Visit, phase: Phase, item: Item) -> str:
    """What the field of an amendment had before anything was typed."""
    return field_of(view_item(visit.event, visit.account, phase.name, item.id))


def field_of(view: JudgingView) -> str:
    """The sentence with which the field of an amendment begins."""
    return view.amended.text if view.amended is not None else view.proposal.text


def _is_late(visit: Visit, phase: Phase, item: Item, judgment: ItemJudgment) -> bool:
    """Whether an item was decided by others before."""
    with visit.event.database.read() as transaction:
        counted = list_counted(list_judgments_of(transaction, item.id))
    before = list(takewhile(lambda own: own.annotator != judgment.annotator, counted))
    return judgment in counted and find_status(before, phase.judges) in {"accepted", "rejected"}


def _find_back(visit: Visit, phase: Phase, view: JudgingView) -> str:
    """The name of the item that was judged before this one; of the last one, if this one was not judged."""
    with visit.event.database.read() as transaction:
        item = find_judged_before(transaction, phase, visit.account, view.judgment)
    return make_item_key(item) if item is not None else ""


def _show(
    visit: Visit,
    phase: Phase,
    item: Item,
    status: int = 200,
    *,
    queue: Queue | None = None,
    refusal: str = "",
    sent: SentJudgment | None = None,
    **said: object,
) -> Response:
    """Show an item, with what was typed if it was refused."""
    view = view_item(visit.event, visit.account, phase.name, item.id)
    sentence = open_answers(visit.event, phase.name).sentence(item.sentence)
    if queue is None:
        with visit.event.database.read() as transaction:
            queue = find_queue(transaction, phase, visit.account)
    named = {"is_late": False, "came_from": "", **said}
    return render_page(
        "judging_item.html",
        visit,
        status,
        phase=phase,
        view=view,
        edits=show_in_context(sentence, item.edits),
        queue=queue,
        item=make_item_key(item),
        back=_find_back(visit, phase, view),
        refusal=refusal,
        sent=sent or SentJudgment("", view.judgment.comment if view.judgment is not None else "", field_of(view), ""),
        longest_comment=LONGEST_COMMENT,
        longest_sentence=LONGEST_SENTENCE,
        **named,
    )


def _show_kept(visit: Visit, phase: Phase, sent: SentJudgment, error: ErrataError) -> Response:
    """Say why a judgment is not possible any more, and show what was typed."""
    visibility = visit.moment.visibility
    return render_page("judging_closed.html", visit, status_of(error), phase=phase, visibility=visibility, message=str(error), sent=sent)
