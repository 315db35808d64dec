"""The whole event as a folder, from which ``errata task run`` gives the tables of the site."""

from __future__ import annotations

import csv
import os
import re
import shutil
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from errata import RequestError, UsageError, read
from errata.cli import main
from errata.formats import name_systems
from errata.task.running import write_tables
from errata.task.tables import TaskTable
from errata_event import accounts, boards, uploading
from errata_event.accounts import Account
from errata_event.boards import ScoredEntries
from errata_event.event import Event, create_event
from errata_event.export import _PhaseExport, export_event
from errata_event.golds import VARIANTS, add_version, find_newest, write_m2
from errata_event.submissions import PRIMARY, WITHDRAWN
from errata_event.uploading import _mark

from example_events import DEFINITION, EXAMPLES, GOLD, OUTPUTS, WHEN_PUBLISHED, ExampleEvent

SETTINGS = DEFINITION.replace(
    "confidence = false\n",
    """\
confidence = 0.9
replicates = 1000
seed = 7
test = "randomisation"
rank_by = "gleu"

[handles]
"v1.5 (best)" = ["Prep", "Nn"]
Nobody = ["Nn"]
""",
)
NAMES = ["Zoë", "v1.5 (best)", "a.txt", "A+B", "名前", "m2.M2", "x.gz", "out-1.2"]
"""Names that are odd as names of files."""


def add_entries(made: ExampleEvent, names: list[str], phase: str = "dev") -> None:
    """Upload something different for each team, without warnings: what two example systems make of some sentences."""
    cautious, eager = (OUTPUTS[name].split(b"\n") for name in ("cautious", "eager"))
    for number, name in enumerate(names):
        made.upload(made.add(name), phase, b"\n".join([*cautious[: 9 * number], *eager[9 * number :]]))


def read_folder(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def board_texts(event: Event, phase: str) -> dict[str, bytes]:
    """The tables of the site under the gold in force, in all formats."""
    with event.database.read() as transaction:
        versions = [version for variant in VARIANTS if (version := find_newest(transaction, phase, variant))]
    tables: dict[str, TaskTable] = {}
    for version in versions:
        board = boards._make(event, version, named=True)
        assert board is not None
        tables |= board.tables
    return {name: text.encode() for name, text in write_tables(tables).items()}


def test_the_tables_of_the_export_are_those_of_the_site_and_of_task_run(
    make_event: Callable[..., ExampleEvent], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_event(SETTINGS)
    add_entries(made, NAMES)
    export_event(made.event, str(tmp_path / "out"))
    folder = tmp_path / "out" / "dev"
    exported = read_folder(folder / "tables")
    assert main(["task", "run", str(folder / "task.toml"), "-o", str(tmp_path / "again")]) == 0
    capsys.readouterr()
    again = read_folder(tmp_path / "again")
    assert [name for name, text in again.items() if exported[name] != text] == []
    assert again.keys() == exported.keys()
    assert {name: text for name, text in exported.items() if name != "report.html"} == board_texts(made.event, "dev")
    assert {row["system"] for row in read_rows(folder / "tables" / "ranking-gleu.csv")} == set(NAMES)
    assert "ranking-maxmatch.csv" in exported
    assert any(b"(not done)" in text for name, text in exported.items() if name.startswith("types"))


def test_essays_with_alternative_answers_give_the_same_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("essays.sgml", "alternatives.sgml"):
        shutil.copy(EXAMPLES / name, tmp_path)
    (tmp_path / "event.toml").write_text(
        'title = "Essays"\nmetrics = ["maxmatch(beta=1)"]\ntypes = ["ArtOrDet", "Prep", "Nn", "Vform", "SVA"]\nprofile = "conll13"\n'
        'confidence = false\n[[phases]]\nname = "dev"\ngold = "essays.sgml"\nalternatives = "alternatives.sgml"\n'
        'opens = "2020-01-01 00:00 UTC"\ncloses = "2100-01-01 00:00 UTC"\n'
    )
    event, _ = create_event(str(tmp_path / "data"), str(tmp_path / "event.toml"))
    for path in sorted((EXAMPLES / "essays").glob("*.txt")):
        with event.database.write("accounts") as transaction:
            team, _ = accounts.add_account(transaction, "team", path.stem, event.clock())
        assert uploading.upload(event, team, "dev", path.read_bytes()).submission is not None
    export_event(event, str(tmp_path / "out"), draw=False)
    exported = read_folder(tmp_path / "out" / "dev" / "tables")
    assert main(["task", "run", str(tmp_path / "out" / "dev" / "task.toml"), "-o", str(tmp_path / "again"), "-q"]) == 0
    capsys.readouterr()
    written = read_folder(tmp_path / "again")
    for texts in (exported, written):
        assert texts.pop("report.html")
        assert texts.pop("report-alternatives.html")
    assert "types-alternatives.csv" in written
    assert exported == written == board_texts(event, "dev")
    event.close()


def test_every_name_of_a_team_is_the_name_of_its_system(sqlite_event: ExampleEvent, tmp_path: Path) -> None:
    for name in NAMES:
        sqlite_event.add(name)
    paths = [str(tmp_path / "systems" / f"{name}.txt") for name in NAMES]
    assert name_systems(paths) == NAMES
    for name in NAMES:
        assert name_systems([str(tmp_path / f"{name}.txt")]) == [name]


@pytest.mark.parametrize("name", ["CON", "nul", "Com1", "LPT9.b", "aux .x", "com²"])
def test_a_name_that_is_a_device_on_windows_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="cannot be the name of a file on Windows"):
        accounts.check_name(name)


def test_a_name_that_only_begins_like_a_device_is_not_refused() -> None:
    assert [accounts.check_name(name) for name in ("Conan", "com10", "null", "LPT")] == ["Conan", "com10", "null", "LPT"]


def test_teams_that_differ_in_case_only_are_one(sqlite_event: ExampleEvent) -> None:
    sqlite_event.add("Straße")
    with pytest.raises(RequestError, match="already"):
        sqlite_event.add("STRASSE")


def test_all_submissions_are_listed_with_their_marks(sqlite_event: ExampleEvent, tmp_path: Path) -> None:
    made = sqlite_event
    one, other = made.add("One"), made.add("Other")
    receipts = [made.upload(one, "dev", name, f"the output of {name}") for name in ("eager", "cautious", "rewriter")]
    made.upload(other, "dev", "eager", "=1+1")
    assert receipts[0].scores is not None
    first, second, third = (receipt.submission for receipt in receipts)
    assert first
    assert second
    assert third
    with made.event.database.write() as transaction:
        _mark(transaction, second, PRIMARY, "", made.clock(), one)
        _mark(transaction, third, WITHDRAWN, "", made.clock(), one)
    export_event(made.event, str(tmp_path / "out"), draw=False)
    folder = tmp_path / "out" / "dev"
    rows = read_rows(folder / "submissions.csv")
    assert [(row["team"], row["number"], row["entry"], row["primary"], row["withdrawn"]) for row in rows] == [
        ("One", "1", "no", "no", "no"),
        ("One", "2", "yes", "yes", "no"),
        ("One", "3", "no", "no", "yes"),
        ("Other", "1", "yes", "no", "no"),
    ]
    assert rows[0]["received_at"] == made.clock().isoformat()
    assert rows[0]["description"] == "the output of eager"
    assert rows[3]["description"] == "'=1+1"
    for row, output in zip(rows, ("eager", "cautious", "rewriter", "eager"), strict=True):
        content = (folder / row["file"]).read_bytes()
        assert content == OUTPUTS[output]
        assert sha256(content).hexdigest() == row["sha256"]
    assert (folder / "systems" / "One.txt").read_bytes() == OUTPUTS["cautious"]
    assert sorted(path.name for path in (folder / "systems").iterdir()) == ["One.txt", "Other.txt"]
    scores = read_rows(folder / "scores.csv")
    assert len(scores) == 4 * 2  # submissions and metrics
    assert scores[0]["metric"].startswith("maxmatch")
    assert float(scores[0]["value"]) == receipts[0].scores[0].value


def test_hidden_phases_are_exported_too_and_no_token_is(sqlite_event: ExampleEvent, tmp_path: Path) -> None:
    made = sqlite_event
    team, token = made.add_with_token("Team A")
    made.upload(team, "test", "eager")
    with made.event.database.write() as transaction:
        session = team.start_session(transaction, made.clock())
    export_event(made.event, str(tmp_path / "out"), draw=False)
    content = b"\n".join([name.encode() + b"\n" + text for name, text in read_folder(tmp_path / "out").items()])
    assert (tmp_path / "out" / "test" / "tables" / "ranking-maxmatch.md").is_file()
    for secret in (token, made.token, session):
        assert secret.encode() not in content
        assert sha256(secret.encode()).hexdigest().encode() not in content
    assert not re.search(rb"errata_[A-Za-z0-9_-]{43}", content)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700
    audit = read_rows(tmp_path / "out" / "audit.csv")
    assert [(row["who"], row["action"]) for row in audit[:2]] == [("team Team A", "submission accepted"), ("command line", "team added")]
    people = read_rows(tmp_path / "out" / "accounts.csv")
    assert [(row["role"], row["name"], row["removed"]) for row in people] == [("organiser", "organiser", "no"), ("team", "Team A", "no")]
    assert [[row[f"anonymous_in_{phase}"][:5] for phase in ("dev", "test")] for row in people] == [["", ""], ["Team ", "Team "]]
    assert (tmp_path / "out" / "event.toml").read_text() == DEFINITION


def test_a_team_that_was_removed_keeps_its_submissions_and_has_no_entry(sqlite_event: ExampleEvent, tmp_path: Path) -> None:
    made = sqlite_event
    add_entries(made, ["Stays", "Goes"])
    with made.event.database.write("accounts") as transaction:
        Account.find(transaction, "team", "Goes").remove(transaction, made.clock())
    export_event(made.event, str(tmp_path / "out"), draw=False)
    names = set(read_folder(tmp_path / "out"))
    assert {"dev/submissions/Goes/1.txt", "dev/systems/Stays.txt"} <= names
    assert "dev/systems/Goes.txt" not in names


def test_older_gold_and_its_tables_are_kept(sqlite_event: ExampleEvent, tmp_path: Path) -> None:
    made = sqlite_event
    add_entries(made, ["One", "Two"])
    before = board_texts(made.event, "dev")
    changed = GOLD.replace(b"|||Vform|||felt|||", b"|||Vform|||did feel|||")
    assert changed != GOLD
    (made.folder / "gold.m2").write_bytes(changed)
    assert made.event.update(str(made.folder / "event.toml"))
    export_event(made.event, str(tmp_path / "out"), draw=False)
    folder = tmp_path / "out" / "dev"
    assert read_folder(folder / "older" / "tables-gold-1") == before
    rows = read_rows(folder / "gold-versions.csv")
    assert [(row["variant"], row["version"], row["file"]) for row in rows] == [("gold", "1", "older/gold-1.m2"), ("gold", "2", "gold.m2")]
    assert [sha256((folder / row["file"]).read_bytes()).hexdigest() for row in rows] == [row["sha256"] for row in rows]


def test_each_gold_with_alternative_answers_has_its_task(
    make_sqlite_event: Callable[..., ExampleEvent], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_sqlite_event()
    add_entries(made, ["One", "Two"])
    more = GOLD.replace(b"\n\n", b"\nA 0 1|||Others|||Odd|||REQUIRED|||-NONE-|||2\n\n", 3)
    with made.event.database.write() as transaction:
        for variant, m2 in (("proposed", more), ("pooled", more + b"")):
            add_version(transaction, "dev", variant, m2, made.clock(), "2 items")  # type: ignore[arg-type]
    export_event(made.event, str(tmp_path / "out"))  # with charts, of which each page asks for its own
    folder = tmp_path / "out" / "dev"
    assert sorted(path.name for path in folder.glob("*.toml")) == ["task-pooled.toml", "task-proposed.toml", "task.toml"]
    for name in ("task", "task-pooled", "task-proposed"):
        again = tmp_path / name
        assert main(["task", "run", str(folder / f"{name}.toml"), "-o", str(again), "-q"]) == 0
        capsys.readouterr()
        exported, written = read_folder(folder / name.replace("task", "tables")), read_folder(again)
        pages = {file for file in written if file.endswith(".html")}
        assert exported.keys() == written.keys()
        assert all(exported[file] == written[file] for file in written.keys() - pages)
        assert len(pages) == (1 if name == "task" else 2)
    assert b"gold-proposed.m2" in (folder / "tables-proposed" / "ranking-alternatives-maxmatch.md").read_bytes()


def test_an_event_without_submissions_has_no_task(sqlite_event: ExampleEvent, tmp_path: Path) -> None:
    names = export_event(sqlite_event.event, str(tmp_path / "out"))
    assert "dev/gold.m2" in names
    assert "dev/task.toml" not in names
    assert set(read_folder(tmp_path / "out")) == set(names)
    assert (tmp_path / "out" / "dev" / "gold.m2").read_bytes() == write_m2(read(EXAMPLES / "learner.m2"))


def test_tables_that_cannot_be_made_are_told_and_all_else_is_written(
    make_sqlite_event: Callable[..., ExampleEvent], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise RequestError("the moon is full")

    made = make_sqlite_event()
    add_entries(made, ["One", "Two", "Three", "Four"])
    monkeypatch.setattr(ScoredEntries, "make_tables", refuse)
    told: list[str] = []
    names = export_event(made.event, str(tmp_path / "out"), warn=told.append, draw=False)
    assert len(told) == 1
    assert "the tables of dev/task.toml cannot be made: " in told[0]
    assert told[0].endswith("cannot be made: the moon is full")
    assert [name for name in names if name.startswith("dev/tables/")] == ["dev/tables/problem.txt"]
    assert {"dev/task.toml", "dev/scores.csv", "dev/systems/Four.txt"} <= set(names)


def test_a_folder_that_is_used_is_refused(sqlite_event: ExampleEvent, tmp_path: Path) -> None:
    used = tmp_path / "used"
    used.mkdir()
    (used / "notes.txt").write_text("mine")
    with pytest.raises(RequestError, match="this folder is not empty, expected a new one"):
        export_event(sqlite_event.event, str(used))
    with pytest.raises(RequestError, match="expected a new folder"):
        export_event(sqlite_event.event, str(used / "notes.txt"))
    (used / "notes.txt").unlink()
    export_event(sqlite_event.event, str(used))
    assert (used / "README.txt").is_file()


def test_all_is_written_or_nothing(sqlite_event: ExampleEvent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_entries(sqlite_event, ["One"])

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(_PhaseExport, "_write_task", fail)
    with pytest.raises(KeyboardInterrupt):
        export_event(sqlite_event.event, str(tmp_path / "a" / "out"))
    assert not (tmp_path / "a").exists()
    assert not [path for path in os.listdir(tmp_path) if path.startswith(".errata")]  # noqa: PTH208


def test_what_is_published_later_is_not_needed(make_sqlite_event: Callable[..., ExampleEvent], tmp_path: Path) -> None:
    made = make_sqlite_event()
    add_entries(made, ["One", "Two"], "test")
    export_event(made.event, str(tmp_path / "before"), draw=False)
    made.clock.set(WHEN_PUBLISHED)
    export_event(made.event, str(tmp_path / "after"), draw=False)
    before, after = (read_folder(tmp_path / name / "test") for name in ("before", "after"))
    assert {name: before[name] for name in before if name.startswith("tables/")} == {
        name: after[name] for name in after if name.startswith("tables/")
    }
