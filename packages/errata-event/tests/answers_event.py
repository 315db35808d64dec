"""An event in which alternative answers are proposed: three teams have submitted the example systems, and three annotators judge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from three_teams import add_three_teams

from errata_event.accounts import Account

from example_events import DEFINITION, DURING_ANSWERS, ExampleEvent, make_example_event

ANNOTATORS = ("Ann", "Ben", "Cid")
ANSWERS = 'about = "test"\n'
COMING = "2027-03-08 12:00 UTC"
CLOSED = "2027-03-14 12:00 UTC"


@dataclass(frozen=True)
class AnswersEvent:
    """The event, and who takes part."""

    made: ExampleEvent
    accounts: dict[str, Account]
    tokens: dict[str, str]
    """By name; that of the organiser has the name "organiser"."""


def make_answers_event(folder: Path, *settings: str, url: str | None = None, now: str = DURING_ANSWERS) -> AnswersEvent:
    """Make the event in an empty folder; ``settings`` are lines for the phase of answers."""
    definition = DEFINITION.replace(ANSWERS, ANSWERS + "".join(f"{line}\n" for line in settings))
    made = make_example_event(folder, definition, url)
    accounts: dict[str, Account] = {}
    tokens = {"organiser": made.token}
    for name, (account, token) in add_three_teams(made).items():
        accounts[name], tokens[name] = account, token
    for name in ANNOTATORS:
        accounts[name], tokens[name] = made.add_with_token(name, "annotator")
    made.clock.set(now)
    return AnswersEvent(made, accounts, tokens)
