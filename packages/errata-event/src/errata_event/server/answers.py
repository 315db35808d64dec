"""The pages of alternative answers: teams propose, annotators judge, organisers look on."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import RedirectResponse
from starlette.routing import Route

from errata.corpus.corpus import Edit
from errata.errors import ErrataError, RequestError, UsageError
from errata_event.accounts import list_accounts, list_removed
from errata_event.answers.golds import preview_tables
from errata_event.answers.items import (
    AnswersPhase,
    Item,
    MarkedSentence,
    Segment,
    list_annotations,
)
from errata_event.answers.judging import (
    ITEM_VERDICTS,
    LONGEST_COMMENT,
    STATUSES,
    GoldCorrection,
    JudgingView,
    Queue,
    ShownEdit,
    decide,
    find_judged_before,
    find_status,
    judge_item,
    list_counted,
    list_judgments,
    list_judgments_of,
    list_own_judgments,
    require_judging,
    show_edits,
    show_item,
)
from errata_event.answers.outcomes import AnswerProgress, OfferedSentence, TeamAnswers, TeamProposal
from errata_event.answers.proposals import (
    LONGEST_SENTENCE,
    ensure_pooled,
    list_proposals,
    list_proposed_items,
    propose_edits,
    propose_file,
    propose_sentence,
    withdraw_proposal,
)
from errata_event.server.requests import EventSite, NotFoundError, Preview, form, page, status_of
from errata_event.uploading import find_limit, require_open

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from starlette.responses import Response

    from errata.corpus.corpus import Corpus, Sentence
    from errata.corpus.texts import Tokens
    from errata_event.answers.items import ItemEdits
    from errata_event.answers.judging import Decision, ItemJudgment
    from errata_event.answers.proposals import EntrySentence, Sources
    from errata_event.definition import Phase
    from errata_event.server.requests import Visit


_SENTENCES_ON_PAGE = 20
_PROPOSALS_ON_PAGE = 50
_CONTEXT = 2
"""Words that are shown on each side of an edit."""


def routes(site: EventSite) -> list[Route]:
    """List the addresses for teams, annotators and organisers."""
    own, judging, seen = "/team/answers/{phase}", "/judging/{phase}", "/organiser/answers/{phase}"
    item = f"{judging}/items/{{item}}"
    return [
        Route(own, page(site, _show_unmatched, "team")),
        Route(f"{own}/edits", form(site, _take_edits, "team"), methods=["POST"]),
        Route(f"{own}/sentence", page(site, _show_sentence, "team")),
        Route(f"{own}/sentence", form(site, _take_sentence, "team"), methods=["POST"]),
        Route(f"{own}/withdraw", form(site, _withdraw, "team"), methods=["POST"]),
        Route(f"{own}/proposals", page(site, _show_proposals, "team")),
        Route(f"{own}/file", page(site, _show_file, "team")),
        Route(f"{own}/file", form(site, _take_file, "team", file=True), methods=["POST"]),
        Route("/judging", page(site, _show_judging, "annotator")),
        Route(judging, page(site, _show_next, "annotator")),
        Route(f"{judging}/done", page(site, _show_done, "annotator")),
        Route(item, page(site, _show_judged_item, "annotator")),
        Route(item, form(site, _take_judgment, "annotator"), methods=["POST"]),
        Route(seen, page(site, _show_progress, "organiser")),
        Route(f"{seen}/items", page(site, _show_items, "organiser")),
        Route(f"{seen}/tables", page(site, _show_tables, "organiser")),
    ]


# What pages show a team: its unmatched edits by sentence, beside the gold, with what it proposes.


class _EditInContext(NamedTuple):
    """An edit of an item with the words around it."""

    before: str
    edit: ShownEdit
    after: str


class _OfferView(NamedTuple):
    """An unmatched edit, which a button proposes."""

    key: str
    edits: list[_EditInContext]
    item: str
    """The name of the item, if the team proposes it; else empty."""


class _ProposalView(NamedTuple):
    """A proposal of the team."""

    item: str
    """The name of the item."""
    shown: TeamProposal
    edits: list[_EditInContext]

    @property
    def sentence(self) -> int:
        return self.shown.proposal.item.sentence

    @property
    def is_withdrawn(self) -> bool:
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
        places = [place for place, offered in enumerate(self.answers.sentences) if offered.sentence.number <= number]
        return max(places, default=0) // _SENTENCES_ON_PAGE + 1

    def list_sentences(self, page: int) -> list[_SentenceView]:
        shown = self.answers.sentences[(page - 1) * _SENTENCES_ON_PAGE : page * _SENTENCES_ON_PAGE]
        return [self._view(offered.sentence.number, offered) for offered in shown]

    def sentence(self, number: int) -> _SentenceView:
        return self._view(number, next((own for own in self.answers.sentences if own.sentence.number == number), None))

    def _view(self, number: int, offered: OfferedSentence | None) -> _SentenceView:
        sentence = self.gold[number - 1]
        corrections = [
            GoldCorrection(annotation.annotator, MarkedSentence.of(sentence.tokens, annotation.edits))
            for annotation in list_annotations(sentence)
        ]
        own = [proposal for proposal in self.proposals if proposal.sentence == number and not proposal.is_withdrawn]
        names = {proposal.shown.proposal.item.id: proposal.item for proposal in own}
        offers = [
            _OfferView(
                one.unmatched.key, _show_in_context(sentence, one.unmatched.item), names.get(one.item, "") if one.item is not None else ""
            )
            for one in (offered.offered if offered is not None else ())
        ]
        output = _show_output(offered.sentence) if offered is not None else None
        return _SentenceView(number, sentence.text, output, corrections, offers, own)


def _view_answers(visit: Visit, phase: Phase) -> _TeamView:
    """Collect what a team sees of a phase of alternative answers; raise while it has not opened."""
    seen = TeamAnswers.of(visit.event, visit.account, phase.name)
    answers = AnswersPhase.open(visit.event, phase.name)
    proposals = [
        _ProposalView(
            own.proposal.item.key,
            own,
            _show_in_context(answers.sentence(own.proposal.item.sentence), own.proposal.item.edits),
        )
        for own in seen.proposals
    ]
    return _TeamView(phase, answers.about, seen, answers.gold, proposals)


def _show_in_context(sentence: Sentence, edits: ItemEdits) -> list[_EditInContext]:
    return [
        _EditInContext(
            _join(sentence.tokens, edit.start - _CONTEXT, edit.start), shown, _join(sentence.tokens, edit.end, edit.end + _CONTEXT)
        )
        for edit, shown in zip(edits, show_edits(sentence, edits), strict=True)
    ]


def _join(tokens: Tokens, start: int, end: int) -> str:
    return " ".join(tokens[max(0, start) : end])


def _show_output(sentence: EntrySentence) -> MarkedSentence:
    """Show what an output made of a sentence; without its edits if they do not make it, as insertions at one place may not."""
    made = [Edit(edit.start, edit.end, edit.corrections[:1]) for edit in sentence.edits if edit.outcome != "missed"]
    shown = MarkedSentence.of(sentence.tokens, made)
    output = " ".join(sentence.output)
    return shown if shown.text == output else MarkedSentence((Segment("unchanged", output),))


# The pages on which a team proposes alternative answers from its own edits, as a corrected sentence, or as a file.

_ALONE, _TOGETHER = "only", "edit"
"""Fields of a form: the edit whose button was pressed, and those that are ticked."""
_SENTENCE, _PROPOSALS = "sentence", "proposals"
_MOST_DIGITS = 9


def _show_unmatched(visit: Visit) -> Response:
    return _show_answers(visit, _view_answers(visit, visit.answers_phase), visit.page_number)


def _take_edits(visit: Visit) -> Response:
    """Propose one edit, or several of a sentence together."""
    phase, number = visit.answers_phase, _find_number(visit.form.get("number", ""))
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


def _show_sentence(visit: Visit) -> Response:
    return _show_one(visit, _view_answers(visit, visit.answers_phase), _find_number(visit.request.query_params.get("number", "")))


def _take_sentence(visit: Visit) -> Response:
    phase, number, text = visit.answers_phase, _find_number(visit.form.get("number", "")), visit.form.get("text", "")
    try:
        propose_sentence(visit.event, visit.account, phase.name, number, text, visit.received_at)
    except ErrataError as error:
        return _show_one(visit, _view_answers(visit, phase), number, status_of(error), text_refusal=str(error), text=text)
    return RedirectResponse(f"{_address_of_answers(phase)}/sentence?number={number}&done=1", 303)


def _withdraw(visit: Visit) -> Response:
    phase = visit.answers_phase
    with visit.event.database.read() as transaction:  # looks at its own only, so what others propose does not even change the time
        own = list_proposals(transaction, phase.name, visit.account.id)
    item = next((proposal.item for proposal in own if proposal.item.key == visit.form.get("item")), None)
    if item is None:
        raise RequestError("there is no such proposal")
    withdraw_proposal(visit.event, AnswersPhase.open(visit.event, phase.name, visit.received_at), visit.account, item.id)
    return _go_back(visit, phase, item.sentence)


def _find_number(text: str) -> int:
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
    return visit.render(
        "team_answers.html",
        status,
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
    return visit.render(
        "team_answer_sentence.html",
        status,
        view=view,
        sentence=view.sentence(number),
        last=len(view.gold),
        base=_address_of_answers(view.phase),
        is_done=visit.request.method == "GET" and visit.request.query_params.get("done") == "1",
        **named,
    )


_TAKEN = "taken"
"""What an address says of a file that was just accepted."""


def _show_proposals(visit: Visit) -> Response:
    phase, number = visit.answers_phase, visit.page_number
    view = _view_answers(visit, phase)
    pages = max(1, -(-len(view.proposals) // _PROPOSALS_ON_PAGE))
    return visit.render(
        "team_proposals.html",
        view=view,
        shown=view.proposals[(number - 1) * _PROPOSALS_ON_PAGE : number * _PROPOSALS_ON_PAGE],
        number=number,
        pages_total=pages,
        base=_address_of_answers(phase),
        is_taken=_TAKEN in visit.request.query_params,
    )


def _show_file(visit: Visit) -> Response:
    return _render_file(visit, visit.answers_phase)


def _take_file(visit: Visit) -> Response:
    """Propose what a file has, or show every problem of it."""
    phase = visit.answers_phase
    try:
        content = visit.read_form_file(find_most_bytes(visit, phase))
        receipt = propose_file(visit.event, visit.account, phase.name, content, received_at=visit.received_at)
    except ErrataError as error:
        return _render_file(visit, phase, status_of(error), refusal=str(error))
    if not receipt.is_accepted:
        return _render_file(visit, phase, 422, problems=receipt.problems)
    new = sum(is_new for _, is_new in receipt.proposals)
    if receipt.problems:  # what the gold accepts already is told, because nobody can look it up later
        return _render_file(visit, phase, problems=receipt.problems, taken=(new, len(receipt.proposals)))
    return RedirectResponse(f"{_address_of_answers(phase)}/proposals?{_TAKEN}", 303)


def find_most_bytes(visit: Visit, phase: Phase) -> int:
    """Find how many bytes a file of proposals may have; raise if none is accepted."""
    phase.require_answers()
    require_open(visit.moment, phase)
    return find_limit(visit.event, phase.about, visit.site.settings.max_upload)


def _render_file(visit: Visit, phase: Phase, status: int = 200, **answer: object) -> Response:
    named = {"refusal": "", "problems": [], "taken": None, **answer}
    view = _view_answers(visit, phase)
    return visit.render("team_proposal_file.html", status, view=view, base=_address_of_answers(phase), **named)


class _SentJudgment(NamedTuple):
    """What an annotator sent with the form."""

    verdict: str
    comment: str
    text: str
    """The sentence in the field of an amendment, which every form has."""
    came_from: str
    """The page to which a change of mind returns; else empty."""

    @classmethod
    def read(cls, form: Mapping[str, str]) -> _SentJudgment:
        return cls(form.get("verdict", ""), form.get("comment", ""), form.get("text", ""), form.get("from", ""))

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


# The pages of annotators: the next item, what becomes of a judgment, and what was judged, which can be changed until it is published.
# Nothing on them depends on who proposed an item, on how many did, or on when: not its name, not its place, not what is said of it.

_DONE = "done"
_LATE = "late"
"""What an address says of a judgment that decides nothing, because enough others were there before."""
_PLAIN = _SentJudgment("", "", "", "")


def _show_judging(visit: Visit) -> Response:
    """List the phases of alternative answers, with what an annotator has to do in each."""
    rows: list[tuple[Phase, Queue | None]] = []
    for phase in visit.moment.definition.phases:
        if not phase.is_answers:
            continue
        queue = None
        if visit.moment.visibility.judging(phase, visit.account):
            ensure_pooled(visit.event, phase.name)
            with visit.event.database.read() as transaction:
                queue = Queue.find(transaction, phase, visit.account)
        rows.append((phase, queue))
    return visit.render("judging.html", rows=rows)


def _show_next(visit: Visit) -> Response:
    phase = visit.answers_phase
    if not visit.moment.visibility.judging(phase, visit.account):
        return visit.render("judging_closed.html", phase=phase, message="", sent=_PLAIN)
    ensure_pooled(visit.event, phase.name)
    with visit.event.database.read() as transaction:
        queue = Queue.find(transaction, phase, visit.account)
    is_late = visit.request.query_params.get(_LATE) == "1"
    if queue.next is None:
        return visit.render("judging_empty.html", phase=phase, queue=queue, is_late=is_late)
    return _show_item(visit, phase, queue.next, queue=queue, is_late=is_late)


def _show_judged_item(visit: Visit) -> Response:
    phase = visit.answers_phase
    if not visit.moment.visibility.judging(phase, visit.account):
        return visit.render("judging_closed.html", phase=phase, message="", sent=_PLAIN)
    with visit.event.database.read() as transaction:
        item = Item.find_by_key(transaction, phase.name, visit.path("item"))
    return _show_item(visit, phase, item, came_from=visit.request.query_params.get("from", ""))


def _take_judgment(visit: Visit) -> Response:
    """Take a judgment; whatever is wrong with it, what was typed is shown again."""
    phase, sent = visit.answers_phase, _SentJudgment.read(visit.form)
    try:
        with visit.event.database.read() as transaction:
            require_judging(visit.event.moment(transaction), phase, visit.account)
            item = Item.find_by_key(transaction, phase.name, visit.path("item"))
    except ErrataError as error:
        return _show_kept(visit, phase, sent, error)
    try:
        sent.check(_field_of(JudgingView.of(visit.event, visit.account, phase.name, item.id)))
        judgment = judge_item(visit.event, visit.account, phase.name, item.id, sent.verdict, sent.comment, sent.text)
    except ErrataError as error:
        try:
            return _show_item(visit, phase, item, status_of(error), refusal=str(error), sent=sent, came_from=sent.came_from)
        except ErrataError:  # it was withdrawn or published meanwhile
            return _show_kept(visit, phase, sent, error)
    if sent.came_from == _DONE:
        return RedirectResponse(f"/judging/{phase.name}/done#{item.key}", 303)
    late = f"?{_LATE}=1" if _is_late(visit, phase, item, judgment) else ""
    return RedirectResponse(f"/judging/{phase.name}{late}", 303)


def _field_of(view: JudgingView) -> str:
    """The sentence with which the field of an amendment begins."""
    return view.amended.text if view.amended is not None else view.proposal.text


def _is_late(visit: Visit, phase: Phase, item: Item, judgment: ItemJudgment) -> bool:
    with visit.event.database.read() as transaction:
        counted = list_counted(list_judgments_of(transaction, item.id))
    before = list(takewhile(lambda own: own.annotator != judgment.annotator, counted))
    return judgment in counted and find_status(before, phase.judges) in {"accepted", "rejected"}


def _find_back(visit: Visit, phase: Phase, view: JudgingView) -> str:
    """The name of the item that was judged before this one; of the last one, if this one was not judged."""
    with visit.event.database.read() as transaction:
        item = find_judged_before(transaction, phase, visit.account, view.judgment)
    return item.key if item is not None else ""


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
    view = JudgingView.of(visit.event, visit.account, phase.name, item.id)
    sentence = AnswersPhase.open(visit.event, phase.name).sentence(item.sentence)
    if queue is None:
        with visit.event.database.read() as transaction:
            queue = Queue.find(transaction, phase, visit.account)
    named = {"is_late": False, "came_from": "", **said}
    return visit.render(
        "judging_item.html",
        status,
        phase=phase,
        view=view,
        edits=_show_in_context(sentence, item.edits),
        queue=queue,
        item=item.key,
        back=_find_back(visit, phase, view),
        refusal=refusal,
        sent=sent or _SentJudgment("", view.judgment.comment if view.judgment is not None else "", _field_of(view), ""),
        longest_comment=LONGEST_COMMENT,
        longest_sentence=LONGEST_SENTENCE,
        **named,
    )


def _show_kept(visit: Visit, phase: Phase, sent: _SentJudgment, error: ErrataError) -> Response:
    """Say why a judgment is not possible any more, and show what was typed."""
    return visit.render("judging_closed.html", status_of(error), phase=phase, message=str(error), sent=sent)


_JUDGMENTS_ON_PAGE = 50


class _JudgedItem(NamedTuple):
    """An item with what the annotator said last."""

    item: str
    """Its name in addresses."""
    sentence: int
    judgment: ItemJudgment
    edits: list[_EditInContext]
    amended: MarkedSentence | None


def _show_done(visit: Visit) -> Response:
    phase, number = visit.answers_phase, visit.page_number
    answers = AnswersPhase.open(visit.event, phase.name)
    with visit.event.database.read() as transaction:
        own = list_own_judgments(transaction, phase, visit.account)
    shown = [
        _JudgedItem(
            item.key,
            item.sentence,
            judgment,
            _show_in_context(answers.sentence(item.sentence), item.edits),
            show_item(answers.sentence(item.sentence), judgment.edits) if judgment.edits else None,
        )
        for item, judgment in own[(number - 1) * _JUDGMENTS_ON_PAGE : number * _JUDGMENTS_ON_PAGE]
    ]
    return visit.render(
        "judged.html",
        phase=phase,
        shown=shown,
        total=len(own),
        number=number,
        pages_total=max(1, -(-len(own) // _JUDGMENTS_ON_PAGE)),
        may_change=visit.moment.visibility.judging(phase, visit.account),
    )


# The pages of organisers: how far judging is, what was decided, and the tables before they are published.

_ITEMS_ON_PAGE = 50


class _ItemRow(NamedTuple):
    """An item with where it comes from, what was said of it, and what was decided."""

    item: Item
    sources: Sources
    decision: Decision
    judgments: list[ItemJudgment]
    edits: list[_EditInContext]
    amended: MarkedSentence | None


def _show_progress(visit: Visit) -> Response:
    """Show how far judging is, how far annotators agree, and what became of each team's proposals."""
    phase = visit.answers_phase
    ensure_pooled(visit.event, phase.name)
    with visit.event.database.read() as transaction:
        progress = AnswerProgress.measure(transaction, phase)
        removed = list_removed(transaction)
    names = {row.annotator.id: row.annotator.name for row in progress.annotators}
    return visit.render(
        "organiser_answers.html",
        phase=phase,
        progress=progress,
        removed=removed,
        names=names,
    )


def _show_items(visit: Visit) -> Response:
    """Show the items with all judgments and comments: those with a status if one is named, some a page."""
    phase, number = visit.answers_phase, visit.page_number
    status = visit.request.query_params.get("status", "")
    if status and status not in STATUSES:
        raise NotFoundError("there is no such list")
    answers = AnswersPhase.open(visit.event, phase.name)
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
        edits = _show_in_context(sentence, item.edits)
        rows.append(_ItemRow(item, sources, decision, judgments.get(item.id, []), edits, amended))
    return visit.render(
        "organiser_answer_items.html",
        phase=phase,
        rows=rows,
        chosen=status,
        statuses=STATUSES,
        total=len(chosen),
        names=names,
        number=number,
        pages_total=max(1, -(-len(chosen) // _ITEMS_ON_PAGE)),
    )


def _show_tables(visit: Visit) -> Response:
    phase = visit.answers_phase
    about = visit.moment.definition.phase(phase.about)
    with visit.event.database.read() as transaction:
        proposers = {team.team.name for team in AnswerProgress.measure(transaction, phase).teams if team.proposed}
    return visit.render(
        "organiser_answer_tables.html",
        phase=phase,
        about=about,
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
