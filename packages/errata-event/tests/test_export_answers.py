"""Alternative answers in an export: what was proposed and judged, and the tables with what was accepted."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errata.cli import main
from errata.task.running import write_tables
from errata_event import boards
from errata_event.answers.proposals import ensure_pooled
from errata_event.export import export_event

from answering import ANSWERS, TWO_JUDGES, AnswersEvent, list_golds, prepare_answers
from example_events import WHEN_PUBLISHED, ExampleEvent

SENTENCE, PROPOSED = 3, "At first , I felt very lonely because I did n't know anybody there ."


@pytest.fixture
def answers(make_sqlite_event: Callable[..., ExampleEvent]) -> AnswersEvent:
    """Two teams propose the same, pooled edits are judged too, and all are accepted by two annotators."""
    prepared = prepare_answers(make_sqlite_event(TWO_JUDGES), annotators=2)
    item = prepared.propose(SENTENCE, PROPOSED)
    assert prepared.propose(SENTENCE, PROPOSED, team=1) == item
    ensure_pooled(prepared.event, ANSWERS)
    prepared.judge(item, "accept", 0, comment="=fine, I think")
    prepared.judge(item, "accept", 1)
    for other in prepared.items()[:6]:
        if other != item:
            prepared.judge(other, "accept", 0)
            prepared.judge(other, "reject", 1)
    return prepared


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_items_and_judgments_are_listed_with_names(answers: AnswersEvent, tmp_path: Path) -> None:
    export_event(answers.event, str(tmp_path / "out"), draw=False)
    folder = tmp_path / "out" / ANSWERS
    assert sorted(path.name for path in folder.iterdir()) == [
        "agreement.json",
        "items.csv",
        "items.json",
        "judgments.csv",
        "judgments.json",
    ]
    (item,) = [row for row in read_json(folder / "items.json") if row["teams"]]
    assert (item["sentence"], item["teams"], item["status"], item["amended"]) == (SENTENCE, ["Alpha", "Beta"], "accepted", False)
    assert item["accepted_edits"] == item["edits"] == [[2, 2, ","]]
    (row,) = [row for row in read_rows(folder / "items.csv") if row["teams"]]
    assert (row["teams"], row["edits"], row["status"]) == ("Alpha; Beta", '[[2,2,","]]', "accepted")
    assert len(read_rows(folder / "items.csv")) == len(answers.items()) > 20
    said = [judgment for judgment in read_json(folder / "judgments.json") if judgment["item"] == item["item"]]
    assert [(judgment["annotator"], judgment["verdict"], judgment["comment"]) for judgment in said] == [
        ("Judge 1", "accept", "=fine, I think"),
        ("Judge 2", "accept", ""),
    ]
    assert "'=fine, I think" in [judgment["comment"] for judgment in read_rows(folder / "judgments.csv")]
    agreement = read_json(folder / "agreement.json")
    assert agreement["pairs"][0]["annotators"] == ["Judge 1", "Judge 2"]
    assert agreement["observed"] == pytest.approx(1 / agreement["items"])


def test_the_tables_with_accepted_answers_are_those_of_the_site_and_of_task_run(
    answers: AnswersEvent, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers.example.clock.set(WHEN_PUBLISHED)
    export_event(answers.event, str(tmp_path / "out"), draw=False)
    phase = answers.example.phase("test")
    golds = {version.variant: version for version in list_golds(answers.event, phase, None)}
    assert list(golds) == ["gold", "proposed", "pooled"]
    for variant in ("proposed", "pooled"):
        again = tmp_path / variant
        folder = tmp_path / "out" / "test"
        assert main(["task", "run", str(folder / f"task-{variant}.toml"), "-o", str(again), "-q"]) == 0
        capsys.readouterr()
        site: dict[str, str] = {}
        for version in (golds["gold"], golds[variant]):
            board = boards._make(answers.event, version, named=True)
            assert board is not None
            site |= write_tables(board.tables)
        for name, text in site.items():
            assert (folder / f"tables-{variant}" / name).read_text() == (again / name).read_text() == text
        assert (folder / golds[variant].file_name).read_bytes() != (folder / "gold.m2").read_bytes()


def test_before_publication_there_is_no_gold_with_answers(answers: AnswersEvent, tmp_path: Path) -> None:
    names = export_event(answers.event, str(tmp_path / "out"), draw=False)
    assert "test/task.toml" in names
    assert "test/task-proposed.toml" not in names


def test_status_shows_how_far_judging_is(answers: AnswersEvent, capsys: pytest.CaptureFixture[str]) -> None:
    data = str(answers.example.data)
    assert main(["serve", "status", "--data", data]) == 0
    out = capsys.readouterr().out
    assert "Judging of answers" in out
    assert f"{len(answers.items())} proposals, 1 of them by teams: 1 accepted, 0 rejected, " in out
    assert main(["serve", "status", "--data", data, "--format", "json"]) == 0
    judging = json.loads(capsys.readouterr().out)["phases"][2]["judging"]
    assert [(own["name"], own["judged"]) for own in judging["annotators"]] == [("Judge 1", 6), ("Judge 2", 6)]
    assert {team["name"]: team["accepted"] for team in judging["teams"]} == {"Alpha": 1, "Beta": 1}
