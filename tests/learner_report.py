"""The example corpus with three systems and three metrics: what a report of them is compared with."""

from __future__ import annotations

import io
import json
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from errata.cli import main

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
GOLD = EXAMPLES / "learner.m2"
SYSTEMS = tuple(sorted((EXAMPLES / "systems").glob("*.txt")))
NAMES = [path.stem for path in SYSTEMS]
METRICS = ("maxmatch", "imeasure", "gleu")
ASKED = tuple(part for name in METRICS for part in ("-m", name))
STATISTICS = ("--replicates", "1000", "--seed", "7")
SIZE = 72
"""Sentences of the corpus."""

Record = dict[str, Any]


def call_errata(*arguments: object, status: int = 0) -> str:
    """What a command prints; its messages, if it fails."""
    printed, messages = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(messages):
        found = main([str(argument) for argument in arguments])
    assert found == status, messages.getvalue()
    return messages.getvalue() if status else printed.getvalue()


def write_report(path: Path, *arguments: object, charts: bool = False) -> Path:
    """Write a report, by default without charts, which take longer to be drawn than all the rest."""
    if charts:
        call_errata("report", *arguments, "-o", path)
    else:
        with patch("errata.report.charts.drawing.DrawingProcess", nullcontext):
            call_errata("report", *arguments, "-o", path)
    return path


def call_for_json(*arguments: object) -> Any:
    return json.loads(call_errata(*arguments, "--format", "json"))


@dataclass(frozen=True)
class Numbers:
    """What the other commands print about the same systems, as JSON."""

    score: dict[tuple[str, str], Record]
    """By metric and system, with intervals and sentences."""
    types: dict[str, dict[str, Record]]
    """By system and type."""
    compare: dict[str, Record]
    """By metric."""
    inspect: dict[str, list[Record]]
    """Sentences by system, with edits judged by MaxMatch, against the chosen annotator."""
    columns: dict[str, list[Record]]
    """Sentences by system, aligned by I-measure."""
    digest: Record

    def order(self, metric: str) -> list[str]:
        """The systems, the best first."""
        return sorted(NAMES, key=lambda name: -self.score[metric, name]["value"])

    def value(self, metric: str, system: str, number: int) -> float:
        """The value of a sentence."""
        value: float = self.score[metric, system]["per_sentence"][number - 1]["value"]
        return value

    def edits(self, system: str, number: int) -> list[Record]:
        """The edits of a sentence, against the chosen annotator."""
        (annotator,) = self.inspect[system][number - 1]["annotators"]
        edits: list[Record] = annotator["edits"]
        return edits

    def outputs(self, number: int) -> set[str]:
        """The different outputs of the systems."""
        return {own[number - 1]["system"] for own in self.inspect.values()}


@cache
def read_numbers() -> Numbers:
    """Ask the other commands."""
    scored = call_for_json("score", GOLD, *SYSTEMS, *ASKED, "--confidence", "0.95", *STATISTICS)["scores"]
    sentences = call_for_json("score", GOLD, *SYSTEMS, *ASKED, "--per-sentence")["scores"]
    score = {
        (item["metric"], item["system"]): {**item, "per_sentence": own["per_sentence"]} for item, own in zip(scored, sentences, strict=True)
    }
    typed = call_for_json("score", GOLD, *SYSTEMS, "--by-type")["scores"]
    return Numbers(
        score,
        {item["system"]: {own["type"]: own for own in item["types"]} for item in typed},
        {name: call_for_json("compare", GOLD, *SYSTEMS, "-m", name, "--test", "bootstrap", *STATISTICS) for name in METRICS},
        {path.stem: call_for_json("inspect", GOLD, path, "--chosen")["sentences"] for path in SYSTEMS},
        {path.stem: call_for_json("inspect", GOLD, path, "-m", "imeasure")["sentences"] for path in SYSTEMS},
        call_for_json("inspect", GOLD, *SYSTEMS, "--digest"),
    )


def list_inspected(system: str, *filters: object) -> list[int]:
    """The sentences that ``errata inspect`` shows with these filters."""
    shown = call_for_json("inspect", GOLD, SYSTEMS[NAMES.index(system)], *filters)
    return [sentence["sentence"] for sentence in shown["sentences"]]
