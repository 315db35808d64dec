"""What pages show a team of its alternative answers: its unmatched edits by sentence, beside the gold, with what it proposes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import Edit
from errata.event.answers.answer_phases import open_answers
from errata.event.answers.corrected_sentences import list_annotations
from errata.event.answers.item_keys import make_item_key
from errata.event.answers.judging_views import GoldCorrection, ShownEdit, show_edits
from errata.event.answers.of_teams import OfferedSentence, TeamAnswers, TeamProposal, view_team
from errata.event.answers.segments import MarkedSentence, Segment, correct_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errata.corpus.corpus import Corpus, Sentence
    from errata.corpus.texts import Tokens
    from errata.event.answers.entry_edits import EntrySentence
    from errata.event.answers.items import ItemEdits
    from errata.event.phases import Phase
    from errata.server.visits import Visit

SENTENCES_ON_PAGE = 20
PROPOSALS_ON_PAGE = 50
_CONTEXT = 2
"""Words that are shown on each side of an edit."""


class EditInContext(NamedTuple):
    """An edit of an item with the words around it."""

    before: str
    edit: ShownEdit
    after: str


class OfferView(NamedTuple):
    """An unmatched edit, which a button proposes."""

    key: str
    edits: list[EditInContext]
    item: str
    """The name of the item, if the team proposes it; else empty."""


class ProposalView(NamedTuple):
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


class SentenceView(NamedTuple):
    """A sentence as a team sees it."""

    number: int
    source: str
    output: MarkedSentence | None
    """None if the entry of the team has no unmatched edit here."""
    gold: list[GoldCorrection]
    offers: list[OfferView]
    proposals: list[ProposalView]
    """Those of this sentence that are not withdrawn."""


class TeamView(NamedTuple):
    """All that the pages of a team need."""

    phase: Phase
    about: Phase
    answers: TeamAnswers
    gold: Corpus
    proposals: list[ProposalView]

    @property
    def pages(self) -> int:
        """How many pages of sentences there are."""
        return max(1, -(-len(self.answers.sentences) // SENTENCES_ON_PAGE))

    def page_of(self, number: int) -> int:
        """The page on which a sentence is."""
        places = [place for place, offered in enumerate(self.answers.sentences) if offered.sentence.number <= number]
        return max(places, default=0) // SENTENCES_ON_PAGE + 1

    def list_sentences(self, page: int) -> list[SentenceView]:
        """The sentences of a page."""
        shown = self.answers.sentences[(page - 1) * SENTENCES_ON_PAGE : page * SENTENCES_ON_PAGE]
        return [self._view(offered.sentence.number, offered) for offered in shown]

    def sentence(self, number: int) -> SentenceView:
        """Any sentence of the gold."""
        return self._view(number, next((own for own in self.answers.sentences if own.sentence.number == number), None))

    def _view(self, number: int, offered: OfferedSentence | None) -> SentenceView:
        sentence = self.gold[number - 1]
        corrections = [
            GoldCorrection(annotation.annotator, correct_sentence(sentence.tokens, annotation.edits))
            for annotation in list_annotations(sentence)
        ]
        own = [proposal for proposal in self.proposals if proposal.sentence == number and not proposal.is_withdrawn]
        names = {proposal.shown.proposal.item.id: proposal.item for proposal in own}
        offers = [
            OfferView(one.unmatched.key, show_in_context(sentence, one.unmatched.item), _find_name(names, one.item))
            for one in (offered.offered if offered is not None else ())
        ]
        output = show_output(offered.sentence) if offered is not None else None
        return SentenceView(number, sentence.text, output, corrections, offers, own)


def _find_name(names: Mapping[int, str], item: int | None) -> str:
    return names.get(item, "") if item is not None else ""


def view_answers(visit: Visit, phase: Phase) -> TeamView:
    """Collect what a team sees of a phase of alternative answers; raise while it has not opened."""
    seen = view_team(visit.event, visit.account, phase.name)
    answers = open_answers(visit.event, phase.name)
    proposals = [
        ProposalView(
            make_item_key(own.proposal.item),
            own,
            show_in_context(answers.sentence(own.proposal.item.sentence), own.proposal.item.edits),
        )
        for own in seen.proposals
    ]
    return TeamView(phase, answers.about, seen, answers.gold, proposals)


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


def show_output(sentence: EntrySentence) -> MarkedSentence:
    """Show what an output made of a sentence; without its edits if they do not make it, as insertions at one place may not."""
    made = [Edit(edit.start, edit.end, edit.corrections[:1]) for edit in sentence.edits if edit.outcome != "missed"]
    shown = correct_sentence(sentence.tokens, made)
    output = " ".join(sentence.output)
    return shown if shown.text == output else MarkedSentence((Segment("unchanged", output),))
