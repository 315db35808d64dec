"""The story of a whole event as a test knows it: what was sent, what should have been accepted, and what the scores should be."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from fractions import Fraction
from io import StringIO
from pathlib import Path

from playwright.sync_api import Browser

import errata
from errata.metrics import metric

from served_event import Answer, Client, ServedEvent
from whole_event import ENTRIES, TEAMS, TEST_GOLD, WholeEvent

METRICS = ("maxmatch(beta=0.5)", "gleu")
DATA = ("--data", "data")
CLICKED, OWN, FILED = 9, 17, (1, 35)
"""Sentences of the test set: two teams propose the same for the first; one writes another, and sends a file for the others."""
DISPUTED = OWN
"""The sentence with the proposal about which annotators disagree; it has no other."""
Row = dict[str, str]


@dataclass
class Story:
    """What has happened so far, as the test knows it."""

    event: WholeEvent
    server: ServedEvent
    chromium: Browser
    accepted: list[tuple[str, str]] = field(default_factory=list)
    """The phase and the team of each accepted upload."""
    verdicts: dict[str, dict[str, str]] = field(default_factory=dict)
    """What each annotator says, by item."""

    def team(self, name: str) -> Client:
        return self.server.client(self.event.tokens[name])

    def page(self, path: str) -> str:
        return self.server.client().get(path).text

    def table(self, phase: str, table: str, version: str = "gold-1") -> bytes:
        answer = self.server.client().get(f"/phases/{phase}/tables/{version}/{table}")
        assert answer.status == 200, answer.text
        return answer.body

    def submit(self, phase: str, name: str, content: bytes, *, compress: bool = False) -> Answer:
        answer = self.team(name).submit(phase, content, compress=compress)
        assert answer.status == 201, answer.text
        self.accepted.append((phase, name))
        return answer

    def submit_by_command(self, phase: str, name: str, content: bytes, *options: str, status: int = 0) -> str:
        self.event.write("sent.txt", content)
        address = f"http://{self.server.host}:{self.server.port}"
        arguments = ("submit", "sent.txt", "--server", address, "--phase", phase, *options)
        said = self.event.run(*arguments, status=status, token=self.event.tokens[name])
        if not status and not options:
            self.accepted.append((phase, name))
        return said


def rows_of(table: bytes) -> list[Row]:
    return list(csv.DictReader(StringIO(table.decode())))


def score_all(folder: Path, gold: bytes, half: int) -> dict[tuple[str, str], float]:
    """Score all entries as everybody would with the files, by metric and team."""
    (folder / "own.m2").write_bytes(gold)
    corpus = errata.read(folder / "own.m2")
    values = {}
    for team in TEAMS:
        (folder / f"{team}.own").write_bytes(ENTRIES[team][half])
        system = errata.read_system(folder / f"{team}.own")
        for name in METRICS:
            values[metric(name).name, team] = errata.score(corpus, system, name).value
    return values


def check_board(
    story: Story, phase: str, version: str, expected: dict[tuple[str, str], float], kind: str = "", *, named: bool = True
) -> None:
    """Check the rankings of a board: the scores, with their teams if it names them, the best first."""
    for name in METRICS:
        own = metric(name).name
        rows = rows_of(story.table(phase, f"ranking{kind}-{own}.csv", version))
        found = {row["system"]: float(row["value"]) for row in rows}
        ranked = sorted(TEAMS, key=lambda team: -expected[own, team])
        assert list(found.values()) == [expected[own, team] for team in ranked]
        assert list(found) == ranked if named else set(found).isdisjoint(TEAMS)


def correct_gold() -> bytes:
    """The gold without one of its edits, as of organisers who found a mistake."""
    lines = TEST_GOLD.split(b"\n")
    lines.remove(next(line for line in lines if line.startswith(b"A ") and b"noop" not in line))
    return b"\n".join(lines)


def sources() -> list[str]:
    """The sentences of the test set."""
    return [line[2:].decode() for line in TEST_GOLD.split(b"\n") if line.startswith(b"S ")]


def proposals() -> dict[int, str]:
    """The corrected sentences that teams propose; three are in the output of the first team."""
    texts = ENTRIES["Alpha"][1].decode().splitlines()
    return {
        **{number: texts[number - 1] for number in (CLICKED, *FILED)},
        OWN: "My father , however , misses his former colleagues and the coffee breaks .",
    }


def count_kappa(story: Story) -> Fraction:
    """Cohen's kappa of the first two annotators."""
    pairs = [(story.verdicts["Ann"][item], said) for item, said in story.verdicts["Ben"].items()]
    observed = Fraction(sum(one == other for one, other in pairs), len(pairs))
    shares = [[Fraction(sum(pair[index] == says for pair in pairs), len(pairs)) for index in (0, 1)] for says in ("accept", "reject")]
    chance = sum((one * other for one, other in shares), Fraction(0))
    return (observed - chance) / (1 - chance)


def list_wrong(folder: Path, gold: bytes, *numbers: int) -> list[int]:
    """List those of some proposals, as a system writes them, that have a wrong edit."""
    texts = [proposals()[number] if number in numbers else text for number, text in enumerate(sources(), start=1)]
    (folder / "own.m2").write_bytes(gold)
    (folder / "own.txt").write_text("".join(f"{text}\n" for text in texts), "utf-8")
    score = errata.score(errata.read(folder / "own.m2"), errata.read_system(folder / "own.txt"), METRICS[0])
    return [number for number in numbers if any(edit.outcome == "wrong" for edit in score.edits(number))]
