"""A leaderboard has no test, and says so, if its teams are too many for one; it does not disappear."""

from __future__ import annotations

from pathlib import Path

from errata.task import read_task, run_task
from errata.task.definition import Task
from errata_event.boards import _make, fit_test
from errata_event.export import export_event

from example_events import make_example_event, vary

DEFINITION = """
title = "Many"
metrics = ["maxmatch"]
confidence = false
test = "randomisation"
replicates = 100
[[phases]]
name = "dev"
gold = "gold.m2"
opens = "2026-01-01 00:00 UTC"
closes = "2098-01-01 00:00 UTC"
"""


def test_too_many_teams_are_not_tested(tmp_path: Path) -> None:
    example = make_example_event(tmp_path, DEFINITION)
    try:
        for number, content in enumerate(vary(4)):  # 6 pairs need 119 replicates
            example.upload(example.add(f"T{number}"), "dev", content)
        event = example.event
        phase = event.moment().definition.phase("dev")
        with event.database.read() as transaction:
            version = event.newest_gold(transaction, phase)
        board = _make(event, version, named=True)
        assert board is not None
        assert len(board.teams) == 4
        assert not any(name.startswith("pairs") for name in board.tables)
        folder = tmp_path / "exported"
        export_event(event, str(folder), draw=False)
        result = run_task(read_task(str(folder / "dev" / "task.toml")), jobs=1)
        assert {name: table.flat.rows for name, table in result.tables.items() if name == "ranking"} == {
            name: table.flat.rows for name, table in board.tables.items() if name == "ranking"
        }
    finally:
        example.event.close()


def test_few_teams_are_tested() -> None:
    task = Task("task.toml", ["gold.m2"], [], test="randomisation", replicates=100)
    assert fit_test(task, 3) == (task, (), "")  # three pairs need 59 replicates
    left_out = fit_test(task, 4)
    assert left_out.why == (
        "No test: with 6 pairs and Holm's correction 100 replicates cannot show p up to 0.05; take at least 119 replicates."
    )
    assert left_out.task.replicates is None
    assert "test" in left_out.left_out
