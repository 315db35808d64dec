"""An event with every kind of page: phases in all stages, teams with names that are hard to show, and a gold that was replaced."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from errata_event import uploading
from errata_event.submissions import PRIMARY

from example_events import DEFINITION, GOLD, OUTPUTS, ExampleEvent, make_example_event, vary

SETTINGS = """\
title = "Correcting learners' sentences: a shared task with a long title"
description = '''
Systems correct sentences that learners of English wrote.

All data of this event come with errata.
'''
contact = "organisers@example.org"
timezone = "Europe/Berlin"
metrics = ["maxmatch", "gleu"]
replicates = 100

"""
THREE_PHASES = (
    DEFINITION[DEFINITION.index("[[phases]]") :]
    .replace('name = "dev"\n', 'name = "dev"\ntitle = "Development"\n')
    .replace('name = "answers"\n', 'name = "answers"\ntitle = "Alternative answers"\n')
)
MORE_PHASES = """
[[phases]]
name = "blind"
title = "Anonymous until published"
gold = "gold.m2"
opens = "2027-02-01 00:00 UTC"
closes = "2027-02-20 12:00 UTC"
board = "closed"
names = "published"

[[phases]]
name = "later"
title = "Not yet"
gold = "gold.m2"
opens = "2027-05-01 00:00 UTC"
closes = "2027-05-20 12:00 UTC"
"""
PHASES = f"{SETTINGS}{THREE_PHASES}{MORE_PHASES}"
LONG, RIGHT_TO_LEFT = "University of Long Names and Even Longer Abbreviations (ULNELA", "פריז - צוות"
LONG = LONG[:59] + ")"
NAMES = ("Alpha", LONG, RIGHT_TO_LEFT, "Delta")
BLIND = "2027-02-10 12:00 UTC"
NOW = "2027-03-02 12:00 UTC"


@dataclass(frozen=True)
class PagesEvent:
    """The event, and who takes part."""

    made: ExampleEvent
    tokens: dict[str, str]
    """By name; that of the organiser has the name "organiser"."""
    own: str
    """The last submission of Alpha to ``dev``."""
    hidden: str
    """The submission of Alpha to ``test``, whose scores are hidden."""


def make_pages_event(folder: Path) -> PagesEvent:
    """Make the event in an empty folder."""
    made = make_example_event(folder, PHASES, now=BLIND)
    tokens = {"organiser": made.token}
    teams = []
    for name in NAMES:
        account, tokens[name] = made.add_with_token(name)
        teams.append(account)
    _, tokens["Judge"] = made.add_with_token("Judge", "annotator")
    texts = vary(12)
    for number, team in enumerate(teams):
        made.upload(team, "blind", texts[number])
        made.upload(team, "dev", texts[number + 4], f"Run {number}")
    made.board("dev")
    made.clock.set(NOW)
    _change_gold(made)
    for number, name in enumerate(OUTPUTS):
        receipt = made.upload(teams[0], "dev", name, "" if number else "A description of this system. " * 6)
        own = receipt.submission.public_id if receipt.submission is not None else ""
        if not number:
            uploading.mark_submission(made.event, teams[0], own, PRIMARY)
    hidden = made.upload(teams[0], "test", "eager").submission
    made.upload(teams[1], "test", "cautious")
    return PagesEvent(made, tokens, own, hidden.public_id if hidden is not None else "")


def _change_gold(made: ExampleEvent) -> None:
    """Remove an edit from the gold, as organisers who found a mistake."""
    lines = GOLD.decode().split("\n")
    lines.remove(next(line for line in lines if line.startswith("A ") and "noop" not in line))
    (made.folder / "gold.m2").write_text("\n".join(lines), "utf-8")
    made.event.update(str(made.folder / "event.toml"))
