"""Events in which alternative answers are proposed and judged, with what tests do again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from three_teams import add_three_teams

from errata import Corpus
from errata_event.accounts import Account
from errata_event.answers import golds as answer_golds
from errata_event.answers.items import AnswersPhase, Item
from errata_event.answers.judging import ItemJudgment, judge_item
from errata_event.answers.proposals import list_proposed_items, propose_sentence
from errata_event.definition import Phase
from errata_event.event import Event
from errata_event.golds import GoldVersion, list_newest

from example_events import DEFINITION, DURING_ANSWERS, ExampleEvent

ANSWERS = "answers"
TWO_JUDGES = f"{DEFINITION}judges = 2\n"
UNPOOLED = f"{DEFINITION}pool = false\n"


@dataclass(frozen=True)
class AnswersEvent:
    """An event while alternative answers are proposed, with teams whose entries are the example systems, and annotators."""

    example: ExampleEvent
    teams: list[Account]
    """Alpha (eager), Beta (cautious) and Gamma (rewriter)."""
    annotators: list[Account]

    @property
    def event(self) -> Event:
        """The event."""
        return self.example.event

    @property
    def answers(self) -> AnswersPhase:
        """Its phase of answers."""
        return AnswersPhase.open(self.event, ANSWERS)

    @property
    def gold(self) -> Corpus:
        """The gold that is discussed."""
        return self.answers.gold

    def propose(self, number: int, text: str, team: int = 0) -> Item:
        """Propose a corrected sentence."""
        return propose_sentence(self.event, self.teams[team], ANSWERS, number, text)[0].item

    def judge(self, item: Item, verdict: str, annotator: int = 0, comment: str = "", text: str = "") -> ItemJudgment:
        """Judge an item."""
        return judge_item(self.event, self.annotators[annotator], ANSWERS, item.id, verdict, comment, text)

    def items(self) -> list[Item]:
        """All items."""
        with self.event.database.read() as transaction:
            return list(list_proposed_items(transaction, ANSWERS))

    def judge_all(self, verdict: str = "accept", items: Sequence[Item] | None = None) -> None:
        """Judge all items alike."""
        for item in self.items() if items is None else items:
            self.judge(item, verdict)


def prepare_answers(example: ExampleEvent, annotators: int = 1) -> AnswersEvent:
    """Let three teams submit the example systems, and set the clock to when answers are proposed."""
    teams = [team for team, _ in add_three_teams(example).values()]
    judges = [example.add(f"Judge {number}", "annotator") for number in range(1, annotators + 1)]
    example.clock.set(DURING_ANSWERS)
    return AnswersEvent(example, teams, judges)


def list_golds(event: Event, phase: Phase, viewer: Account | None) -> list[GoldVersion]:
    """List the newest version of every variant of a phase whose tables somebody may see, if he may see tables of this phase at all.

    Those with accepted answers exist as soon as the phase of answers is published, and before that only organisers see them.
    """
    answer_golds.ensure_answer_golds(event, phase)
    with event.database.read() as transaction:
        moment = event.moment(transaction)
        answers = moment.definition.answers_about(phase)
        shown = answers is not None and moment.visibility.answers(answers, viewer)
        own = answer_golds._list_variants(answers) if answers is not None and shown else []
        return [version for version in list_newest(transaction, phase.name) if version.variant in {"gold", "given", *own}]
