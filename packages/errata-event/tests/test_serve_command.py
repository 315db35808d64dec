"""``errata serve``: an event is made, managed, exported and served."""

from __future__ import annotations

import csv
import http.client
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from errata.cli import _build_parser, main
from errata.report.writers import print_table, width
from errata_event.cli.serve import _ACTIONS, _make_judging_table
from errata_event.server import app
from errata_event.server.settings import ServerSettings

from example_events import DEFINITION, make_example_event, vary
from postgresql_server import GUARDED, PASSWORD, PostgresqlServer
from shared_fixtures import EXAMPLES

EVENT = "examples/event.toml"
TOKEN = re.compile(r"errata_[A-Za-z0-9_-]{43}")
EAGER = Path("examples/systems/eager.txt")
_SECONDS = 60

Call = Callable[..., tuple[str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls ``errata serve`` for an event in a folder of the test; returns standard output and error."""
    monkeypatch.delenv("ERRATA_DATABASE", raising=False)

    def serve(*arguments: str | Path, status: int = 0) -> tuple[str, str]:
        assert main(["serve", *map(str, arguments), "--data", str(tmp_path / "data")]) == status
        captured = capsys.readouterr()
        return captured.out, captured.err

    return serve


@pytest.fixture
def made(call: Call) -> Call:
    """The same, for an event that has been made."""
    call("init", EVENT)
    return call


def test_init_prints_the_token_once_and_says_what_to_do_next(call: Call, tmp_path: Path) -> None:
    out, err = call("init", EVENT)
    assert re.fullmatch(rf"organiser: {TOKEN.pattern}\n", out)
    assert "the event was made in" in err
    assert "phases dev, test, answers" in err
    assert "next: errata serve team add NAME" in err
    token = TOKEN.findall(out)[0].encode()
    assert not TOKEN.search(err)
    assert all(token not in path.read_bytes() for path in (tmp_path / "data").iterdir())
    assert "has an event already; errata serve update takes a changed file" in call("init", EVENT, status=1)[1]


def test_a_file_with_mistakes_makes_no_event(call: Call, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('[[phases]]\nname = "dev"\ngold = "none.m2"\nopens = "2026-01-01 00:00"\ncloses = "2027-01-01 00:00 UTC"\npre_day = 3\n')
    assert "bad.toml:6: phase 1: pre_day: unknown key; choose from" in call("init", bad, status=2)[1]
    assert "there is no event in" in call("status", status=2)[1]
    assert "did you mean examples/event.toml?" in call("init", "examples/evnt.toml", status=2)[1]


def test_teams_are_added_listed_renewed_and_removed(made: Call) -> None:
    out, err = made("team", "add", "Zoë", "Team B")
    assert re.fullmatch(rf"Zoë: {TOKEN.pattern}\nTeam B: {TOKEN.pattern}\n", out)
    assert "these tokens are shown only now" in err
    first = TOKEN.findall(out)
    renewed = TOKEN.findall(made("team", "renew", "zoë")[0])
    assert len(set(first + renewed)) == 3
    assert made("team", "remove", "Team B")[0] == "Team B: removed\n"
    out, _ = made("team", "list", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["name"], row["removed"]) for row in rows] == [("Team B", "yes"), ("Zoë", "no")]
    assert all(re.fullmatch(r"Team \d{4}", rows[0][f"anonymous_in_{phase}"]) for phase in ("dev", "test"))
    record = json.loads(made("team", "list", "--format", "json")[0])
    assert [account["removed"] for account in record["accounts"]] == [True, False]
    assert not TOKEN.search(out + json.dumps(record))


@pytest.mark.parametrize("role", ["annotator", "organiser"])
def test_other_roles_are_managed_likewise(made: Call, role: str) -> None:
    record = json.loads(made(role, "add", "Ann", "--format", "json")[0])
    (account,) = record["accounts"]
    assert (account["role"], account["name"]) == (role, "Ann")
    assert TOKEN.fullmatch(account["token"])
    assert "Anonymous in" not in made(role, "list")[0]
    assert "Ann: removed" in made(role, "remove", "Ann")[0]


def test_names_come_from_a_file_too(made: Call, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("One\n\n  Two  \r\nThree", encoding="utf-8")
    assert len(TOKEN.findall(made("team", "add", "Zero", "--names", names)[0])) == 4
    names.write_text("Four\nFi/ve\n")
    assert "names.txt:2: a name must have letters" in made("team", "add", "--names", names, status=2)[1]
    assert "Four" not in made("team", "list")[0]


def test_names_are_added_all_or_none(made: Call) -> None:
    assert "there is a team 'one' already" in made("team", "add", "One", "one", status=1)[1]
    assert "there is no team 'Nobody'" in made("team", "remove", "Nobody", status=2)[1]
    made("team", "add", "One")
    made("team", "remove", "One", "Nobody", status=2)
    assert json.loads(made("team", "list", "--format", "json")[0])["accounts"][0]["removed"] is False


def test_tokens_are_never_folded_in_a_narrow_terminal(made: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert TOKEN.search(made("team", "add", "One")[0])


def test_status_has_phases_instants_and_people(made: Call) -> None:
    made("team", "add", "One", "Two")
    made("team", "remove", "Two")
    out, _ = made("status")
    assert re.search(r"dev +open +0 +0\n", out)
    assert re.search(r"answers +coming +– +–\n", out)
    assert "2099-01-01 12:59 CET (UTC+01:00)  2098-12-31 23:59 AoE (UTC-12:00)" in out
    assert "organisers: 1, annotators: 0, teams: 1" in out
    record = json.loads(made("status", "--format", "json")[0])
    assert record["people"] == {"organiser": 1, "annotator": 0, "team": 1}
    assert [(phase["name"], phase["stage"]) for phase in record["phases"]] == [("dev", "open"), ("test", "open"), ("answers", "coming")]
    assert record["phases"][1]["closes"] == "2099-03-08T11:59:00+00:00"
    assert record["phases"][1]["accepts_until"] == "2099-03-08T12:09:00+00:00"
    assert record["phases"][0]["gold_versions"] == {"gold": 1}


def test_phases_are_closed_and_published(made: Call) -> None:
    assert "dev has not closed; errata serve close does that" in made("publish", "dev", status=1)[1]
    assert "dev was closed at" in made("close", "dev")[0]
    assert "dev is closed already" in made("close", "dev", status=1)[1]
    assert "dev was published at" in made("publish", "dev")[0]
    assert re.search(r"dev +published", made("status")[0])
    assert "there is no phase 'tset'; choose from dev, test, answers; did you mean test?" in made("close", "tset", status=2)[1]
    assert "answers has not opened yet" in made("close", "answers", status=1)[1]


def test_update_says_what_has_changed(call: Call, tmp_path: Path) -> None:
    definition, gold = tmp_path / "event.toml", tmp_path / "learner.m2"
    definition.write_text(Path(EVENT).read_text().replace("graphs/", ""))
    gold.write_bytes(Path("examples/learner.m2").read_bytes())
    call("init", definition)
    assert call("update", definition)[0] == "nothing has changed\n"
    definition.write_text(definition.read_text().replace("per_day = 2", "per_day = 3"))
    gold.write_bytes(gold.read_bytes().replace(b"|||Vform|||felt|||", b"|||Vform|||did feel|||"))
    out, _ = call("update", definition)
    assert out.startswith("changed: the definition; the gold of dev without alternative answers, version 2; the gold of test")


def test_the_log_says_who_did_what(made: Call) -> None:
    made("team", "add", "One", "Two")
    rows = list(csv.DictReader(io.StringIO(made("log", "--format", "csv")[0])))
    assert [(row["who"], row["action"], row["details"]) for row in rows[:1]] == [("command line", "team added", "name=Two")]
    assert rows[-1]["action"] == "definition read"
    record = json.loads(made("log", "--format", "json")[0])
    assert record["log"][0]["details"] == {"name": "Two"}
    assert "command line" in made("log")[0]


def test_export_writes_a_new_folder(made: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, _ = made("export", "-o", tmp_path / "out")
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert out.startswith(f"{len(files)} files written to ")
    assert "this folder is not empty, expected a new one" in made("export", "-o", tmp_path / "out", status=1)[1]
    assert "needs -o FOLDER" in made("export", status=2)[1]
    assert "needs -o FOLDER" in made("export", "-o", "-", status=2)[1]
    monkeypatch.chdir(tmp_path)
    made("export", "-o", "export")  # as the action is called
    assert Path("export/README.txt").is_file()


def test_output_of_lists_goes_to_a_file(made: Call, tmp_path: Path) -> None:
    assert made("status", "-o", tmp_path / "status.json")[0] == ""
    assert json.loads((tmp_path / "status.json").read_text())["title"] == "The example event"
    assert "tokens are printed, and stored nowhere" in made("team", "add", "One", "-o", tmp_path / "t.csv", status=2)[1]
    assert not (tmp_path / "t.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("frob", "frob: there is no such file, and no action of this name"),
        ("statu", "did you mean status?"),
        ("examples/event.toml dev", "one argument too many: 'dev'"),
        ("tem add x", "there is no action 'tem'; did you mean team?"),
        ("team", "errata serve team needs add, list, renew or remove"),
        ("team lst", "found 'lst'; did you mean list?"),
        ("team add", "errata serve team add needs one name or more"),
        ("team list x", "errata serve team list takes no name, found 'x'"),
        ("team list --names pyproject.toml", "--names needs errata serve team add"),
        ("team remove x --format json", "--format needs errata serve team add, list or renew"),
        ("init", "errata serve init needs one TASK, found 0"),
        ("close a b", "errata serve close needs one PHASE, found 2"),
        ("status x", "errata serve status takes no name, found 'x'"),
        ("status --port 3", "--port needs errata serve without an action"),
        ("close dev --format json", "--format needs errata serve init, team, annotator, organiser, status, log"),
        ("--format json", "--format needs errata serve init"),
        ("team add x --format latex", "--format latex would change characters of tokens; choose from table, json, csv"),
        ("organiser renew organiser --format markdown", "--format markdown would change characters of tokens"),
        ("init examples/event.toml --format latex", "--format latex would change characters of tokens"),
        ("--port 65536", "expected a whole number from 0 to 65,535"),
        ("--public-url ftp://x", "a public URL is like https://task.example.org"),
        ("status --database mysql://u:secret@host/db", "a database is postgresql://"),
    ],
)
def test_mistakes_are_answered(made: Call, arguments: str, message: str) -> None:
    _, err = made(*arguments.split(), status=2)
    assert message in err
    assert "secret" not in err


def test_without_an_event_every_action_says_how_to_make_one(call: Call, tmp_path: Path) -> None:
    for arguments in (["status"], ["team", "list"], ["close", "dev"], ["export", "-o", str(tmp_path / "out")], []):
        assert "errata serve init TASK makes one" in call(*arguments, status=2)[1]
    assert not (tmp_path / "data").exists()
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_called_like_an_action_needs_its_folder(made: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("status").write_text("no event")
    assert "The example event" in made("status")[0]
    assert "status:1: not TOML" in made("./status", status=2)[1]


def test_the_file_of_an_event_is_no_task(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["task", "run", EVENT, "-o", str(tmp_path / "out")]) == 2
    assert "this is the definition of an event, with phases; errata serve runs it" in capsys.readouterr().err


def test_the_database_is_taken_from_the_environment_and_never_shown(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://somebody:hunter2@127.0.0.1:1/nowhere?connect_timeout=2"
    monkeypatch.setenv("ERRATA_DATABASE", url)
    out, err = call("status", status=1)
    assert "the database cannot be reached" in err
    assert "hunter2" not in out + err
    monkeypatch.delenv("ERRATA_DATABASE")
    _, err = call("status", "--database", "postgresql://somebody:hunt%er2@127.0.0.1:1/nowhere", status=1)
    assert "hunt" not in err


@pytest.mark.parametrize("given", ["option", "environment"])
def test_a_database_of_postgresql_needs_no_folder_and_its_password_is_never_shown(
    postgresql: PostgresqlServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    given: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(EXAMPLES)
    import psycopg

    with postgresql.make_database() as superuser:
        url = superuser.replace(f"{quote('postgres')}@", f"{GUARDED}:{quote(PASSWORD, safe='')}@", 1)
        assert url != superuser
        with psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute(f"GRANT ALL ON SCHEMA public TO {GUARDED}".encode())
        if given == "environment":
            monkeypatch.setenv("ERRATA_DATABASE", url)
        more = ["--database", url] if given == "option" else []
        said = ""
        for arguments in ("status", f"init {EVENT}", f"init {EVENT}", "team add One", "close dev", "status", "log", "export -o out"):
            main(["serve", *arguments.split(), *more])
            captured = capsys.readouterr()
            said += captured.out + captured.err
        written = "".join(path.read_text(errors="replace") for path in Path("out").rglob("*") if path.is_file())
        assert "dev was closed" in said
        assert "there is no event in the database; errata serve init TASK makes one" in said
        assert Path("out/dev/gold.m2").is_file()
        assert not Path("event-data").exists()
        for secret in (PASSWORD, quote(PASSWORD, safe="")):
            assert secret not in said + written
        wrong = url.replace(quote(PASSWORD, safe=""), "wrong-secret")
        assert main(["serve", "status", "--database", wrong]) == 1
        assert "wrong-secret" not in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(made: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "install errata[server]" in made(status=1)[1]


def test_every_action_is_in_the_help_text() -> None:
    text = _build_parser("serve").commands["serve"].format_help()
    for name in _ACTIONS:
        assert re.search(rf"^  {name} ", text, re.MULTILINE) or f"and {name}" in text or f"with {name}" in text, name


@contextmanager
def serving(*arguments: str | Path, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str, list[str]]]:
    """Run the server; yield the process, the address, and the lines that it printed before."""
    command = [sys.executable, "-m", "errata", "serve", *map(str, arguments), "--port", "0"]
    environment = {**os.environ, "PYTHONWARNINGS": "error", **variables}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        lines: list[str] = []
        try:
            while (line := process.stdout.readline()) and not line.startswith("serving "):
                lines.append(line)
            yield process, line.split(" ")[1] if line else "", lines
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            try:
                process.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def ask(address: str, path: str) -> tuple[int, bytes]:
    host, _, port = address.removeprefix("http://").rstrip("/").rpartition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=_SECONDS)
    connection.request("GET", path)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, content


def test_one_command_makes_and_serves_an_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    with serving(EVENT, "--data", data) as (process, address, lines):
        assert re.fullmatch(rf"organiser: {TOKEN.pattern}\n", "".join(lines))
        assert main(["serve", "team", "add", "Alpha", "--data", str(data)]) == 0  # while it is served
        monkeypatch.setenv("ERRATA_TOKEN", TOKEN.findall(capsys.readouterr().out)[0])
        assert main(["submit", str(EAGER), "--server", address, "--phase", "dev", "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out)["submission"]["number"] == 1
        status, page = ask(address, "/")
        assert status == 200
        assert b"The example event" in page
        process.send_signal(signal.SIGINT)
        assert process.wait(_SECONDS) == 0
        assert process.stderr is not None
        said = process.stderr.read()
        assert "Traceback" not in said
        assert "warning" not in said
    with serving(EVENT, "--data", data) as (_, address, lines):
        assert lines == ["nothing has changed\n"]  # and no other token
        assert ask(address, "/")[0] == 200
    assert main(["serve", "status", "--data", str(data), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["phases"][0]["submissions"] == 1


def test_listening_for_others_is_warned_of(made: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing listens here: what would be served, and how, is only noted."""
    served: list[ServerSettings] = []
    monkeypatch.setattr(app, "run_server", lambda _event, settings, _tell: served.append(settings))
    warning = "192.0.2.1 is not only for this machine: put a reverse proxy in front, which ends TLS"
    assert warning in made("--host", "192.0.2.1", "--port", "80", "--max-upload", "2M")[1]
    assert "warning" not in made("--host", "::1", "--public-url", "https://task.example.org")[1]
    assert "warning" not in made()[1]
    assert served == [
        ServerSettings(host="192.0.2.1", port=80, max_upload=2 << 20),
        ServerSettings(host="::1", public_url="https://task.example.org"),
        ServerSettings(),
    ]


def test_a_port_that_is_taken_is_told(made: Call, tmp_path: Path) -> None:
    with serving("--data", tmp_path / "data") as (_, address, _lines):
        port = address.rstrip("/").rpartition(":")[2]
        assert f"the server cannot listen on 127.0.0.1, port {port}" in made("--port", port, status=1)[1]


def test_ctrl_c_while_a_leaderboard_is_made_ends_the_server_at_once_without_a_word(tmp_path: Path) -> None:
    slow = "confidence = 0.95\nreplicates = 1000000\n"
    example = make_example_event(tmp_path, DEFINITION.replace("confidence = false\n", slow), now="2027-01-02 00:00 UTC")
    text = (example.folder / "event.toml").read_text().replace("2027-01-01", "2020-01-01").replace("2027-03-31", "2090-03-31")
    (example.folder / "event.toml").write_text(text)
    example.event.update(str(example.folder / "event.toml"))
    for number, output in enumerate(vary(20)):
        example.upload(example.add(f"A{number}x"), "dev", output)
    example.event.close()
    with serving("--data", example.data) as (process, address, _):
        assert b"is being made" in ask(address, "/phases/dev")[1]
        process.send_signal(signal.SIGINT)
        assert process.wait(_SECONDS) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_the_progress_of_judging_fits_80_columns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    agreement = {"kappa": 0.123456, "items": 123_456}
    counts = dict.fromkeys(("items", "from_teams", "accepted", "rejected", "disputed", "undecided"), 123_456)
    annotators = [{"name": "N" * 60, "judged": 123_456, "left": 123_456, "skipped": 123_456}]
    print_table(_make_judging_table("answers", {"agreement": agreement, "annotators": annotators, **counts}))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    assert sum("N" * 20 in line for line in lines) == 1
    assert [line for line in lines if width(line) > 80] == []
