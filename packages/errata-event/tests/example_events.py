"""Small events of the example corpus, with a clock that tests set."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from errata_event import accounts, boards, uploading
from errata_event.accounts import Account, AccountRole
from errata_event.boards import Board
from errata_event.definition import Phase
from errata_event.event import Event, create_event
from errata_event.golds import GoldVariant, find_newest
from errata_event.instants import parse_instant
from errata_event.uploading import Receipt

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
GOLD = (EXAMPLES / "learner.m2").read_bytes()
OUTPUTS = {path.stem: path.read_bytes() for path in sorted((EXAMPLES / "systems").glob("*.txt"))}
"""Outputs of three systems for the example corpus."""
DEFINITION = """\
title = "The example event"
timezone = "Europe/Berlin"
metrics = ["maxmatch", "gleu"]
confidence = false

[[phases]]
name = "dev"
gold = "gold.m2"
opens = "2027-01-01 00:00 UTC"
closes = "2027-03-31 23:59 AoE"
gold_visible = "open"
per_day = 10

[[phases]]
name = "test"
gold = "gold.m2"
opens = "2027-03-01 00:00 UTC"
closes = "2027-03-07 12:00 UTC"
grace = "10 minutes"
publishes = "2027-03-20 12:00 UTC"
scores = "published"
board = "published"
names = "published"
per_phase = 5

[[phases]]
name = "answers"
kind = "alternatives"
about = "test"
opens = "2027-03-09 00:00 UTC"
closes = "2027-03-13 00:00 UTC"
publishes = "2027-03-20 12:00 UTC"
"""
"""Three phases; teams see the gold of ``dev`` at once, and of ``test`` nothing before its answers are discussed."""
DURING_TEST = "2027-03-02 12:00 UTC"
"""When ``dev`` and ``test`` are open."""
AFTER_TEST = "2027-03-08 12:00 UTC"
DURING_ANSWERS = "2027-03-10 12:00 UTC"
WHEN_PUBLISHED = "2027-03-21 12:00 UTC"


class SetClock:
    """Tells the time that it was set to."""

    def __init__(self, now: str = DURING_TEST) -> None:
        self.now = parse_instant(now, UTC)

    def __call__(self) -> datetime:
        return self.now

    def set(self, now: str) -> None:
        """Set it."""
        self.now = parse_instant(now, UTC)

    def advance(self, **by: float) -> None:
        """Set it later, by so many hours, seconds, and so on."""
        self.now += timedelta(**by)


@dataclass(frozen=True)
class ExampleEvent:
    """An event, with what tests do again and again."""

    event: Event
    clock: SetClock
    folder: Path
    """That of the definition ``event.toml`` and the gold; the data of the event are in ``data`` below."""
    url: str | None
    token: str
    """That of the organiser."""

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.folder / "data"

    def add(self, name: str, role: AccountRole = "team") -> Account:
        """Add an account."""
        return self.add_with_token(name, role)[0]

    def add_with_token(self, name: str, role: AccountRole = "team") -> tuple[Account, str]:
        """Add an account; return its token too."""
        with self.event.database.write("accounts") as transaction:
            return accounts.add_account(transaction, role, name, self.clock())

    def organiser(self) -> Account:
        """The organiser."""
        with self.event.database.read() as transaction:
            return Account.find(transaction, "organiser", "organiser")

    def phase(self, name: str) -> Phase:
        """A phase."""
        return self.event.moment().definition.phase(name)

    def upload(self, team: Account, phase: str = "dev", content: bytes | str = "eager", description: str = "") -> Receipt:
        """Upload bytes, or the output of the example system of a name."""
        return uploading.upload(self.event, team, phase, OUTPUTS[content] if isinstance(content, str) else content, description)

    def board(self, phase: str = "dev", variant: GoldVariant = "gold", *, named: bool = True) -> Board | None:
        """The board of a phase."""
        with self.event.database.read() as transaction:
            version = find_newest(transaction, phase, variant)
        return boards._make(self.event, version, named=named) if version is not None else None

    def write(self, text: str) -> str:
        """Write another definition; return its path."""
        path = self.folder / "event.toml"
        path.write_text(text, "utf-8")
        return str(path)

    def reopen(self) -> ExampleEvent:
        """Open the same event once more, as another process would."""
        return ExampleEvent(Event.open(str(self.data), self.url, self.clock), self.clock, self.folder, self.url, self.token)


def make_example_event(
    folder: Path, definition: str = DEFINITION, url: str | None = None, now: str = DURING_TEST, gold: bytes = GOLD
) -> ExampleEvent:
    """Make an event in an empty folder."""
    (folder / "gold.m2").write_bytes(gold)
    (folder / "event.toml").write_text(definition, "utf-8")
    clock = SetClock(now)
    event, token = create_event(str(folder / "data"), str(folder / "event.toml"), url, clock)
    return ExampleEvent(event, clock, folder, url, token)


def strip_gold(gold: bytes = GOLD) -> list[bytes]:
    """The blocks of a gold without its annotations: one line each."""
    return [block.strip().partition(b"\n")[0] for block in gold.strip().split(b"\n\n")]


def vary(count: int) -> list[bytes]:
    """So many different outputs: texts of the source and of the example systems, mixed by sentence."""
    texts = [content.decode().splitlines() for content in OUTPUTS.values()]
    lines = len(texts[0])
    made: list[bytes] = []
    for number in range(count):
        digits = [(number // len(texts) ** (index % 8)) % len(texts) for index in range(lines)]
        made.append("".join(f"{texts[digit][index]}\n" for index, digit in enumerate(digits)).encode())
    return made
