"""What must hold for the export of a whole event: its tables are those of the site and of ``errata task run``, its lists are complete."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import errata

from whole_event import TEAMS, TEST_GOLD
from whole_event_story import CLICKED, FILED, METRICS, OWN, Story, correct_gold, count_kappa, rows_of


def compare_with_site(story: Story, folder: Path) -> None:
    """All files that the boards offer are in the export, and no other table."""
    for phase, version, where in (
        ("dev", "gold-1", "tables"),
        ("test", "gold-1", "older/tables-gold-1"),
        ("test", "gold-2", "tables"),
        ("test", "proposed-1", "tables-proposed"),
        ("test", "pooled-1", "tables-pooled"),
    ):
        base = f"/phases/{phase}/tables/{version}"
        offered = set(re.findall(rf'href="{base}/([a-z-]+\.(?:csv|json|md|tex))"', story.page(base)))
        written = {path.name for path in (folder / phase / where).iterdir() if path.suffix != ".html"}
        own = {name for name in written if ("alternatives" in name) == (version in {"proposed-1", "pooled-1"})}
        assert offered == own
        assert {name for name in offered if story.table(phase, name, version) != (folder / phase / where / name).read_bytes()} == set()


def compare_with_task(story: Story, folder: Path, phase: str, variant: str) -> None:
    """A task of the export writes again what is in its folder of tables."""
    again = f"again-{phase}{variant}"
    story.event.run("task", "run", f"exported/{phase}/task{variant}.toml", "-o", again, "--jobs", "1", "-q")
    old, new = (
        {path.name: path.read_bytes() for path in own.iterdir()}
        for own in (folder / phase / f"tables{variant}", story.event.folder / again)
    )
    assert set(old) == set(new)
    assert {name for name in old if old[name] != new[name] and not name.endswith(".html")} == set()


def check_lists(story: Story, folder: Path) -> None:
    """The lists of the export have what the test has counted."""
    for phase in ("dev", "test"):
        listed = [row["team"] for row in rows_of((folder / phase / "submissions.csv").read_bytes())]
        assert sorted(listed) == sorted(team for own, team in story.accepted if own == phase)
    for name, gold in (("older/gold-1.m2", TEST_GOLD), ("gold.m2", correct_gold())):
        assert (folder / "test" / name).read_bytes().split() == gold.split()
    answers = folder / "answers"
    items = json.loads((answers / "items.json").read_text())
    teams = {item["sentence"]: item["teams"] for item in items if item["teams"]}
    assert teams == {CLICKED: ["Alpha", "Beta"], OWN: ["Beta"], **{number: ["Beta"] for number in FILED}}
    pooled = [item for item in items if item["pooled"]]
    wrong = list_wrong_edits(story.event.folder)
    assert len(pooled) == len(wrong)
    assert [one for one in wrong if not any(has_edit(item, one) for item in pooled)] == []
    judged = Counter((row["annotator"], row["sentence"], row["verdict"]) for row in rows_of((answers / "judgments.csv").read_bytes()))
    assert judged == Counter((name, item.partition("-")[0], own[item]) for name, own in story.verdicts.items() for item in own)
    assert json.loads((answers / "agreement.json").read_text())["kappa"] == pytest.approx(float(count_kappa(story)), abs=1e-12)


def has_edit(item: dict[str, Any], wrong: tuple[int, int, int, str]) -> bool:
    """Whether an item has an edit; what is right at the same place belongs to it."""
    sentence, *place, correction = wrong
    return item["sentence"] == sentence and any(edit[:2] == place and correction in edit[2] for edit in item["edits"])


def list_wrong_edits(folder: Path) -> set[tuple[int, int, int, str]]:
    """List the wrong edits of all entries, which are pooled."""
    (folder / "own.m2").write_bytes(correct_gold())
    corpus = errata.read(folder / "own.m2")
    scores = [errata.score(corpus, errata.read_system(folder / f"{team}.own"), METRICS[0]) for team in TEAMS]
    return {
        (number, edit.start, edit.end, edit.corrections[0])
        for score in scores
        for number in range(1, len(corpus) + 1)
        for edit in score.edits(number)
        if edit.outcome == "wrong"
    }
