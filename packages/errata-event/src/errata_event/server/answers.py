"""The pages of alternative answers: teams propose, annotators judge."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import RedirectResponse

from errata.corpus.corpus import Edit
from errata.errors import ErrataError, RequestError, UsageError
from errata_event.answers.items import (
    MarkedSentence,
    Segment,
    correct_sentence,
    find_by_key,
    list_annotations,
    make_item_key,
    open_answers,
    require_answers,
)
from errata_event.answers.judging import (
    ITEM_VERDICTS,
    LONGEST_COMMENT,
    GoldCorrection,
    JudgingView,
    ShownEdit,
    ensure_pooled,
    find_judged_before,
    find_queue,
    find_status,
    judge_item,
    list_counted,
    list_judgments_of,
    list_own_judgments,
    require_judging,
    show_edits,
    show_item,
    view_item,
)
from errata_event.answers.outcomes import OfferedSentence, TeamAnswers, TeamProposal, view_team
from errata_event.answers.proposals import (
    LONGEST_SENTENCE,
    list_proposals,
    propose_edits,
    propose_file,
    propose_sentence,
    withdraw_proposal,
)
from errata_event.server.rendering import render_page
from errata_event.server.requests import NotFoundError, find_phase, status_of, too_large
from errata_event.server.teams import page_number
from errata_event.uploading import find_limit, require_open

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from starlette.responses import Response

    from errata.corpus.corpus import Corpus, Sentence
    from errata.corpus.texts import Tokens
    from errata_event.answers.items import Item, ItemEdits
    from errata_event.answers.judging import ItemJudgment, Queue
    from errata_event.answers.proposals import EntrySentence
    from errata_event.definition import Phase
    from errata_event.server.requests import Visit


# --- What pages show a team of its alternative answers: its unmatched edits by sentence, beside the gold, with what it proposes.

_SENTENCES_ON_PAGE = 20
_PROPOSALS_ON_PAGE = 50
_CONTEXT = 2
"""Words that are shown on each side of an edit."""


class EditInContext(NamedTuple):
    """An edit of an item with the words around it."""

    before: str
    edit: ShownEdit
    after: str


class _OfferView(NamedTuple):
    """An unmatched edit, which a button proposes."""

    key: str
    edits: list[EditInContext]
    item: str
    """The name of the item, if the team proposes it; else empty."""


class _ProposalView(NamedTuple):
    """A proposal of the team."""

    item: str
    """The name of the item."""
    shown: TeamProposal
    edits: list[EditInContext]

    @property
    def sentence(self) -> int:
        """The number of its sentence."""
        return self.shown.proposal.item.sentence

    @property
    def is_withdrawn(self) -> bool:
        """Whether it was withdrawn."""
        return self.shown.proposal.is_withdrawn


class _SentenceView(NamedTuple):
    """A sentence as a team sees it."""

    number: int
    source: str
    output: MarkedSentence | None
    """None if the entry of the team has no unmatched edit here."""
    gold: list[GoldCorrection]
    offers: list[_OfferView]
    proposals: list[_ProposalView]
    """Those of this sentence that are not withdrawn."""


class _TeamView(NamedTuple):
    """All that the pages of a team need."""

    phase: Phase
    about: Phase
    answers: TeamAnswers
    gold: Corpus
    proposals: list[_ProposalView]

    @property
    def pages(self) -> int:
        """How many pages of sentences there are."""
        return max(1, -(-len(self.answers.sentences) // _SENTENCES_ON_PAGE))

    def page_of(self, number: int) -> int:
        """The page on which a sentence is."""
        places = [place for place, offered in enumerate(self.answers.sentences) if offered.sentence.number <= number]
        return max(places, default=0) // _SENTENCES_ON_PAGE + 1

    def list_sentences(self, page: int) -> list[_SentenceView]:
        """The sentences of a page."""
        shown = self.answers.sentences[(page - 1) * _SENTENCES_ON_PAGE : page * _SENTENCES_ON_PAGE]
        return [self._view(offered.sentence.number, offered) for offered in shown]

    def sentence(self, number: int) -> _SentenceView:
        """Any sentence of the gold."""
        return self._view(number, next((own for own in self.answers.sentences if own.sentence.number == number), None))

    def _view(self, number: int, offered: OfferedSentence | None) -> _SentenceView:
        sentence = self.gold[number - 1]
        corrections = [
            GoldCorrection(annotation.annotator, correct_sentence(sentence.tokens, annotation.edits))
            for annotation in list_annotations(sentence)
        ]
        own = [proposal for proposal in self.proposals if proposal.sentence == number and not proposal.is_withdrawn]
        names = {proposal.shown.proposal.item.id: proposal.item for proposal in own}
        offers = [
            _OfferView(one.unmatched.key, show_in_context(sentence, one.unmatched.item), _find_name(names, one.item))
            for one in (offered.offered if offered is not None else ())
        ]
        output = _show_output(offered.sentence) if offered is not None else None
        return _SentenceView(number, sentence.text, output, corrections, offers, own)


def _find_name(names: Mapping[int, str], item: int | None) -> str:
    return names.get(item, "") if item is not None else ""


def _view_answers(visit: Visit, phase: Phase) -> _TeamView:
    """Collect what a team sees of a phase of alternative answers; raise while it has not opened."""
    seen = view_team(visit.event, visit.account, phase.name)
    answers = open_answers(visit.event, phase.name)
    proposals = [
        _ProposalView(
            make_item_key(own.proposal.item),
            own,
            show_in_context(answers.sentence(own.proposal.item.sentence), own.proposal.item.edits),
        )
        for own in seen.proposals
    ]
    return _TeamView(phase, answers.about, seen, answers.gold, proposals)


def show_in_context(sentence: Sentence, edits: ItemEdits) -> list[EditInContext]:
    """Show the edits of an item, each with the words around it."""
    return [
        EditInContext(
            _join(sentence.tokens, edit.start - _CONTEXT, edit.start), shown, _join(sentence.tokens, edit.end, edit.end + _CONTEXT)
        )
        for edit, shown in zip(edits, show_edits(sentence, edits), strict=True)
    ]


def _join(tokens: Tokens, start: int, end: int) -> str:
    return " ".join(tokens[max(0, start) : end])


def _show_output(sentence: EntrySentence) -> MarkedSentence:
    """Show what an output made of a sentence; without its edits if they do not make it, as insertions at one place may not."""
    made = [Edit(edit.start, edit.end, edit.corrections[:1]) for edit in sentence.edits if edit.outcome != "missed"]
    shown = correct_sentence(sentence.tokens, made)
    output = " ".join(sentence.output)
    return shown if shown.text == output else MarkedSentence((Segment("unchanged", output),))


# --- The pages on which a team proposes alternative answers from its own edits, or as a corrected sentence.

_ALONE, _TOGETHER = "only", "edit"
"""Fields of a form: the edit whose button was pressed, and those that are ticked."""
_SENTENCE, _PROPOSALS = "sentence", "proposals"
_MOST_DIGITS = 9


def show_unmatched(visit: Visit) -> Response:
    """Show a team its unmatched edits, some sentences a page."""
    return _show_answers(visit, _view_answers(visit, find_answers_phase(visit)), page_number(visit))


def take_edits(visit: Visit) -> Response:
    """Propose one edit, or several of a sentence together."""
    phase, number = find_answers_phase(visit), _find_number(visit.form.get("number", ""))
    alone = visit.form.get(_ALONE)
    keys = [alone] if alone else visit.lists.get(_TOGETHER, [])
    on_sentence_page = visit.form.get("from") == _SENTENCE
    try:
        if not keys:
            raise UsageError("nothing is ticked: tick the edits that are to be judged together, or press the button beside one")
        propose_edits(visit.event, visit.account, phase.name, number, keys, visit.received_at)
    except ErrataError as error:
        view = _view_answers(visit, phase)
        show = _show_one if on_sentence_page else _show_refused
        return show(visit, view, number, status_of(error), refusal=str(error), ticked=keys)
    return _go_back(visit, phase, number)


def show_sentence(visit: Visit) -> Response:
    """Show a team one sentence, with a field for another correction."""
    return _show_one(visit, _view_answers(visit, find_answers_phase(visit)), _find_number(visit.request.query_params.get("number", "")))


def take_sentence(visit: Visit) -> Response:
    """Propose a corrected sentence."""
    phase, number, text = find_answers_phase(visit), _find_number(visit.form.get("number", "")), visit.form.get("text", "")
    try:
        propose_sentence(visit.event, visit.account, phase.name, number, text, visit.received_at)
    except ErrataError as error:
        return _show_one(visit, _view_answers(visit, phase), number, status_of(error), text_refusal=str(error), text=text)
    return RedirectResponse(f"{_address_of_answers(phase)}/sentence?number={number}&done=1", 303)


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


def _find_number(text: str) -> int:
    """Find the number of a sentence in what a form has."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS):
        raise UsageError("expected the number of a sentence")
    return int(digits)


def _address_of_answers(phase: Phase) -> str:
    """The address of what a team proposes."""
    return f"/team/answers/{phase.name}"


def _go_back(visit: Visit, phase: Phase, number: int) -> Response:
    """Show the sentence again where the form was."""
    came_from, base = visit.form.get("from", ""), _address_of_answers(phase)
    if came_from == _SENTENCE:
        return RedirectResponse(f"{base}/sentence?number={number}", 303)
    page = _find_number(visit.form.get("page", "1"))
    if came_from == _PROPOSALS:
        return RedirectResponse(f"{base}/proposals?page={page}", 303)
    return RedirectResponse(f"{base}?page={page}#sentence-{number}", 303)


def _show_answers(visit: Visit, view: _TeamView, page: int, status: int = 200, **refused: object) -> Response:
    named = {"refused": 0, "refusal": "", "ticked": (), **refused}
    return render_page(
        "team_answers.html",
        visit,
        status,
        visibility=visit.moment.visibility,
        view=view,
        sentences=view.list_sentences(page),
        number=page,
        base=_address_of_answers(view.phase),
        **named,
    )


def _show_refused(visit: Visit, view: _TeamView, number: int, status: int, *, refusal: str, ticked: Collection[str]) -> Response:
    return _show_answers(visit, view, view.page_of(number), status, refused=number, refusal=refusal, ticked=ticked)


def _show_one(visit: Visit, view: _TeamView, number: int, status: int = 200, **refused: object) -> Response:
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
        base=_address_of_answers(view.phase),
        is_done=visit.request.method == "GET" and visit.request.query_params.get("done") == "1",
        **named,
    )


# --- The proposals of a team with what became of them, and files of proposals.

_TAKEN = "taken"
"""What an address says of a file that was just accepted."""


def show_proposals(visit: Visit) -> Response:
    """Show a team its proposals, and the verdicts once they are published."""
    phase, number = find_answers_phase(visit), page_number(visit)
    view = _view_answers(visit, phase)
    pages = max(1, -(-len(view.proposals) // _PROPOSALS_ON_PAGE))
    return render_page(
        "team_proposals.html",
        visit,
        visibility=visit.moment.visibility,
        view=view,
        shown=view.proposals[(number - 1) * _PROPOSALS_ON_PAGE : number * _PROPOSALS_ON_PAGE],
        number=number,
        pages_total=pages,
        base=_address_of_answers(phase),
        is_taken=_TAKEN in visit.request.query_params,
    )


def show_file(visit: Visit) -> Response:
    """Show the form for a file of proposals."""
    return _show_file(visit, find_answers_phase(visit))


def take_file(visit: Visit) -> Response:
    """Propose what a file has, or show every problem of it."""
    phase = find_answers_phase(visit)
    try:
        most = find_most_bytes(visit, phase)
        if visit.file is None:
            return _show_file(visit, phase, 422, refusal="no file was sent; choose one")
        content = visit.file.read(most + 1)
        if len(content) > most:
            refused = too_large(most)
            return _show_file(visit, phase, refused.status_code, refusal=refused.detail)
        receipt = propose_file(visit.event, visit.account, phase.name, content, received_at=visit.received_at)
    except ErrataError as error:
        return _show_file(visit, phase, status_of(error), refusal=str(error))
    if not receipt.is_accepted:
        return _show_file(visit, phase, 422, problems=receipt.problems)
    new = sum(is_new for _, is_new in receipt.proposals)
    if receipt.problems:  # what the gold accepts already is told, because nobody can look it up later
        return _show_file(visit, phase, problems=receipt.problems, taken=(new, len(receipt.proposals)))
    return RedirectResponse(f"{_address_of_answers(phase)}/proposals?{_TAKEN}", 303)


def find_most_bytes(visit: Visit, phase: Phase) -> int:
    """Find how many bytes a file of proposals may have; raise if none is accepted."""
    require_answers(phase)
    require_open(visit.moment, phase)
    return find_limit(visit.event, phase.about, visit.site.settings.max_upload)


def _show_file(visit: Visit, phase: Phase, status: int = 200, **answer: object) -> Response:
    named = {"refusal": "", "problems": [], "taken": None, **answer}
    view = _view_answers(visit, phase)
    return render_page(
        "team_proposal_file.html", visit, status, visibility=visit.moment.visibility, view=view, base=_address_of_answers(phase), **named
    )


# --- The form with which an annotator judges.


class _SentJudgment(NamedTuple):
    """What was sent."""

    verdict: str
    comment: str
    text: str
    """The sentence in the field of an amendment, which every form has."""
    came_from: str
    """The page to which a change of mind returns; else empty."""

    def check(self, unchanged: str) -> None:
        """Raise if no verdict was chosen, or a sentence was typed that the verdict would lose; ``unchanged`` is what the field had."""
        if self.verdict not in ITEM_VERDICTS:
            raise UsageError("choose what you say of the proposal: accept, reject, amend or skip")
        typed = self.text.split()
        if self.verdict != "amend" and typed and typed != unchanged.split():
            raise RequestError(
                f"you have typed another sentence, and then chosen {self.verdict!r}: send the sentence as an amendment, "
                "or empty its field, and choose again"
            )


def _read_judgment(form: Mapping[str, str]) -> _SentJudgment:
    """Read the form."""
    return _SentJudgment(form.get("verdict", ""), form.get("comment", ""), form.get("text", ""), form.get("from", ""))


# --- The pages of annotators: the next item, and what becomes of a judgment.
#
# Nothing on them depends on who proposed an item, on how many did, or on when: not its name, not its place, not what is said of it.

_DONE = "done"
_LATE = "late"
"""What an address says of a judgment that decides nothing, because enough others were there before."""
_PLAIN = _SentJudgment("", "", "", "")


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
    return _show_item(visit, phase, queue.next, queue=queue, is_late=is_late)


def show_judged_item(visit: Visit) -> Response:
    """Show an item that its address names."""
    phase = find_answers_phase(visit)
    if not visit.moment.visibility.judging(phase, visit.account):
        return render_page("judging_closed.html", visit, phase=phase, visibility=visit.moment.visibility, message="", sent=_PLAIN)
    with visit.event.database.read() as transaction:
        item = find_by_key(transaction, phase.name, visit.path("item"))
    return _show_item(visit, phase, item, came_from=visit.request.query_params.get("from", ""))


def take_judgment(visit: Visit) -> Response:
    """Take a judgment; whatever is wrong with it, what was typed is shown again."""
    phase, sent = find_answers_phase(visit), _read_judgment(visit.form)
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
            return _show_item(visit, phase, item, status_of(error), refusal=str(error), sent=sent, came_from=sent.came_from)
        except ErrataError:  # it was withdrawn or published meanwhile
            return _show_kept(visit, phase, sent, error)
    if sent.came_from == _DONE:
        return RedirectResponse(f"/judging/{phase.name}/done#{make_item_key(item)}", 303)
    late = f"?{_LATE}=1" if _is_late(visit, phase, item, judgment) else ""
    return RedirectResponse(f"/judging/{phase.name}{late}", 303)


def _find_unchanged(visit: Visit, phase: Phase, item: Item) -> str:
    """What the field of an amendment had before anything was typed."""
    return _field_of(view_item(visit.event, visit.account, phase.name, item.id))


def _field_of(view: JudgingView) -> str:
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


def _show_item(
    visit: Visit,
    phase: Phase,
    item: Item,
    status: int = 200,
    *,
    queue: Queue | None = None,
    refusal: str = "",
    sent: _SentJudgment | None = None,
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
        sent=sent or _SentJudgment("", view.judgment.comment if view.judgment is not None else "", _field_of(view), ""),
        longest_comment=LONGEST_COMMENT,
        longest_sentence=LONGEST_SENTENCE,
        **named,
    )


def _show_kept(visit: Visit, phase: Phase, sent: _SentJudgment, error: ErrataError) -> Response:
    """Say why a judgment is not possible any more, and show what was typed."""
    visibility = visit.moment.visibility
    return render_page("judging_closed.html", visit, status_of(error), phase=phase, visibility=visibility, message=str(error), sent=sent)


# --- What an annotator has judged, which he can change until it is published.

_JUDGMENTS_ON_PAGE = 50


class _JudgedItem(NamedTuple):
    """An item with what the annotator said last."""

    item: str
    """Its name in addresses."""
    sentence: int
    judgment: ItemJudgment
    edits: list[EditInContext]
    amended: MarkedSentence | None


def show_done(visit: Visit) -> Response:
    """Show an annotator what he has judged, the newest first."""
    phase, number = find_answers_phase(visit), page_number(visit)
    answers = open_answers(visit.event, phase.name)
    with visit.event.database.read() as transaction:
        own = list_own_judgments(transaction, phase, visit.account)
    shown = [
        _JudgedItem(
            make_item_key(item),
            item.sentence,
            judgment,
            show_in_context(answers.sentence(item.sentence), item.edits),
            show_item(answers.sentence(item.sentence), judgment.edits) if judgment.edits else None,
        )
        for item, judgment in own[(number - 1) * _JUDGMENTS_ON_PAGE : number * _JUDGMENTS_ON_PAGE]
    ]
    visibility = visit.moment.visibility
    return render_page(
        "judged.html",
        visit,
        phase=phase,
        shown=shown,
        total=len(own),
        number=number,
        pages_total=max(1, -(-len(own) // _JUDGMENTS_ON_PAGE)),
        may_change=visibility.judging(phase, visit.account),
    )
