"""Files that are written together: all of them, or none is changed."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from errata import InputError, RequestError, UsageError
from errata.cli import main
from errata.formats.writing import _name_part, all_or_none, protecting, remove_leftovers, write_bytes, write_files
from errata.language import read_graphs, write_graphs

GOLD, SYSTEM, CASES = "examples/learner.m2", "examples/systems/eager.txt", "examples/prepositions.csv"
GRAPHS = "examples/graphs/source.mrp"
PARALLEL = ("src", "ref0", "ref1")


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """What a folder has: contents and modes of all files."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def fail_at(monkeypatch: pytest.MonkeyPatch, number: int, error: BaseException | None = None) -> list[str]:
    """Let the rename with a number fail; return the names of all renames."""
    replace, calls = os.replace, []

    def replace_or_fail(source: Path, target: Path) -> None:
        calls.append(Path(target).name)
        if len(calls) == number:
            raise error or OSError(errno.EIO, "Input/output error")
        replace(source, target)

    monkeypatch.setattr(os, "replace", replace_or_fail)
    return calls


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("existing", [(), ("src",), ("src", "ref0"), PARALLEL])
@pytest.mark.parametrize("links", [True, False])
def test_a_rename_that_fails_undoes_the_others(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    existing: tuple[str, ...],
    *,
    links: bool,
) -> None:
    for name in existing:
        (tmp_path / f"p.{name}").write_text(f"old {name}")
        (tmp_path / f"p.{name}").chmod(0o640)
    before = contents(tmp_path)
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(PermissionError(errno.EPERM, "no links here")))
    fail_at(monkeypatch, number)
    assert main(["convert", GOLD, "--to", "parallel", "-o", str(tmp_path / "p")]) == 1
    assert f"p.{PARALLEL[number - 1]}: cannot be written: Input/output error\n" in capsys.readouterr().err
    assert contents(tmp_path) == before


def test_what_cannot_be_restored_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        (tmp_path / name).write_text("old")
    monkeypatch.setattr(Path, "replace", lambda own, target: own.rename(target) if target.name == "a" and not seen else fail(target.name))
    seen: list[str] = []

    def fail(name: str) -> None:
        seen.append(name)
        raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(RequestError, match=r"b: cannot be written: Input/output error; could not be restored: .*a$"):
        write_files({str(tmp_path / name): ["new"] for name in "ab"})
    assert (tmp_path / "b").read_text() == "old"


def commands_with_several_outputs(folder: Path) -> dict[str, list[str]]:
    graphs = folder / "graphs"
    graphs.mkdir()
    return {
        "detect": ["detect", CASES, "--curves", f"{folder}/c.csv", "--chart", f"{folder}/c.svg", "-o", f"{folder}/c.json"],
        "coverage": [
            "coverage",
            "examples/corrections.tsv",
            "--chart",
            f"{folder}/a.svg",
            "--worth-chart",
            f"{folder}/b.svg",
            "-o",
            f"{folder}/c.md",
        ],
        "graphs": ["graphs", GRAPHS, "--to", "ucca", "-o", f"{graphs}/"],
        "hoo": [
            "hoo",
            "--gold",
            "examples/hoo/gold",
            "--system",
            "examples/hoo/edits",
            "--write-edits",
            f"{folder}/e/f",
            "-o",
            f"{folder}/h.csv",
        ],
        "task": ["task", "run", "examples/task.toml", "-o", f"{folder}/t/u"],
        "faithfulness": [
            "faithfulness",
            GRAPHS,
            "examples/graphs/bold.mrp",
            "--pairs",
            "1",
            "--picture",
            f"{folder}/p.svg",
            "-o",
            f"{folder}/p.json",
        ],
        "conservatism": ["conservatism", GOLD, SYSTEM, "--chart", f"{folder}/k.svg", "-o", f"{folder}/k.csv"],
    }


@pytest.mark.parametrize(
    "command",
    [
        "graphs",
        "hoo",
        "faithfulness",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("detect", "coverage", "task", "conservatism")),
    ],
)
def test_all_files_of_a_command_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    arguments = commands_with_several_outputs(tmp_path)[command]
    empty = sorted(tmp_path.rglob("*"))
    with monkeypatch.context() as patch:
        renames = fail_at(patch, 10_000)
        assert main(arguments) == 0
    assert len(renames) > 1
    written = contents(tmp_path)
    assert len(written) == len(renames)
    for name in written:
        (tmp_path / name).write_text("old")
    before = contents(tmp_path)
    with monkeypatch.context() as patch:
        fail_at(patch, len(renames))
        assert main(arguments) == 1
        assert contents(tmp_path) == before
    for name in written:
        (tmp_path / name).unlink()
    for folder in ("e/f", "e", "t/u", "t"):
        shutil.rmtree(tmp_path / folder, ignore_errors=True)
    with monkeypatch.context() as patch:
        fail_at(patch, 2)
        assert main(arguments) == 1
    assert sorted(tmp_path.rglob("*")) == empty  # no folder is left either


_ENDLESS = """
import sys, time
from errata.formats.writing import write_files

def lines(path):
    yield "new"
    if path.endswith("b"):
        print("ready", flush=True)
        time.sleep(60)

write_files({path: lines(path) for path in sys.argv[1:]})
"""


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Callable[[int], tuple[int, str]]]:
    """Runs a program that writes two files, and sends it a signal when one is written and the other is not."""
    for name in "ab":
        (tmp_path / name).write_text("old")

    def send(number: int) -> tuple[int, str]:
        with subprocess.Popen(
            [sys.executable, "-c", _ENDLESS, str(tmp_path / "a"), str(tmp_path / "b")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.send_signal(number)
            _, errors = process.communicate(timeout=30)
            return process.returncode, errors

    yield send
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text() == "old"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_program_and_leaves_nothing(writer: Callable[[int], tuple[int, str]], number: int) -> None:
    assert writer(number) == (-number, "")  # a shell says 128 + number: 143, 129


def test_an_interrupt_leaves_nothing(writer: Callable[[int], tuple[int, str]]) -> None:
    assert "KeyboardInterrupt" in writer(signal.SIGINT)[1]


def test_what_a_killed_program_left_is_removed_by_the_next(writer: Callable[[int], tuple[int, str]], tmp_path: Path) -> None:
    assert writer(signal.SIGKILL)[0] == -signal.SIGKILL
    left = [path for path in tmp_path.iterdir() if path.name.startswith(".errata-")]
    assert len(left) == 2
    write_files({str(tmp_path / "c"): ["new"]})
    assert not any(path.exists() for path in left)
    (tmp_path / "c").unlink()


def test_an_ignored_signal_is_ignored(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:

        def lines() -> Iterator[str]:
            signal.raise_signal(signal.SIGHUP)
            yield "new"

        write_files({str(tmp_path / "a"): lines()})
    finally:
        signal.signal(signal.SIGHUP, before)
    assert (tmp_path / "a").read_text() == "new\n"
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_signals_wait_while_files_are_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace

    def replace_and_interrupt(source: Path, target: Path) -> None:
        replace(source, target)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "replace", replace_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_files({str(tmp_path / name): ["new"] for name in "abc"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys("abc", "new\n")


def test_other_threads_write_too(tmp_path: Path) -> None:
    thread = threading.Thread(target=write_files, args=({str(tmp_path / name): ["new"] for name in "ab"},))
    thread.start()
    thread.join()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def limited(*command: str, size: int = 2000) -> subprocess.CompletedProcess[str]:
    """Run a command that may write files of some size only."""
    code = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "
        "from errata.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    return subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(("name", "size"), [("p.src", 1000), ("p.ref0", 4930)])
def test_a_full_disk_changes_nothing(tmp_path: Path, name: str, size: int) -> None:
    for extension in PARALLEL:
        (tmp_path / f"p.{extension}").write_text("old")
    before = contents(tmp_path)
    done = limited("convert", GOLD, "--to", "parallel", "-o", str(tmp_path / "p"), size=size)
    assert done.returncode == 1
    assert f"{name}: cannot be written: File too large" in done.stderr
    assert contents(tmp_path) == before


def test_a_full_disk_for_a_second_file_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("old")
    (tmp_path / "c.json").write_text("old")
    done = limited("detect", CASES, "--points", "3", "--curves", f"{tmp_path}/c.csv", "-o", f"{tmp_path}/c.json")
    assert done.returncode == 1
    assert "c.json: cannot be written: File too large" in done.stderr
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"c.csv": "old", "c.json": "old"}


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="only root can mount a small file system")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(tmp_path)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("no permission to mount a file system")
    try:
        (tmp_path / "p.src").write_text("old")
        assert main(["convert", GOLD, "--to", "parallel", "-o", str(tmp_path / "p")]) == 1
        assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"p.src": "old"}
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_modes_are_those_of_the_final_file_from_the_start(tmp_path: Path) -> None:
    (tmp_path / "secret").touch(mode=0o600)
    (tmp_path / "shared").touch()
    (tmp_path / "shared").chmod(0o664)
    modes = {}

    def lines(name: str) -> Iterator[str]:
        yield "new"
        modes[name] = min(stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir() if path.name.startswith(".errata-"))

    before = os.umask(0o022)
    try:
        for name in ("secret", "shared", "new"):
            write_files({str(tmp_path / name): lines(name)})
    finally:
        os.umask(before)
    assert modes == {"secret": 0o600, "shared": 0o644, "new": 0o644}
    assert {name: mode for name, (_, mode) in contents(tmp_path).items()} == {"secret": 0o600, "shared": 0o664, "new": 0o644}


def test_a_read_only_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != "a")  # root may write to every file
    with pytest.raises(RequestError, match="a: cannot be written: the file is read-only"):
        write_files({str(tmp_path / name): ["new"] for name in "ba"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old"}


def test_two_names_of_one_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("old")
    (tmp_path / "b.svg").symlink_to(tmp_path / "a.svg")
    with pytest.raises(UsageError, match="two results would be written to"):
        write_files({str(tmp_path / name): ["new"] for name in ("a.svg", "b.svg")})
    assert (tmp_path / "a.svg").read_text() == "old"


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError, match="loop: this is a link that leads back to itself, expected a file to write"):
        write_bytes(str(tmp_path / "loop"), b"new")
    assert (tmp_path / "loop").is_symlink()


def test_an_error_that_is_caught_takes_its_own_files_back(tmp_path: Path) -> None:
    with all_or_none():
        write_bytes(str(tmp_path / "a"), b"new")
        with pytest.raises(ZeroDivisionError):
            write_files({str(tmp_path / "b"): ["new"], str(tmp_path / "c"): (str(1 // number) for number in (1, 0))})
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_graphs_with_one_id_are_refused(tmp_path: Path) -> None:
    graphs = read_graphs(GRAPHS)
    with pytest.raises(Exception, match="two graphs have the same id"):
        write_graphs([*graphs, graphs[0]], f"{tmp_path}/")
    assert list(tmp_path.iterdir()) == []


def test_inputs_are_never_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names of files that come from the data are checked too."""
    shutil.copytree("examples/hoo", tmp_path / "hoo")
    edits = sorted(str(path) for path in (tmp_path / "hoo/edits").iterdir())
    graphs = tmp_path / "1.xml"
    write_graphs(read_graphs(GRAPHS)[:1], graphs)
    before = contents(tmp_path)
    for command in (
        ["hoo", "--gold", str(tmp_path / "hoo/gold"), "--system", *edits, "--write-edits", str(tmp_path / "hoo/edits")],
        ["graphs", str(graphs), "-o", f"{tmp_path}/"],
    ):
        assert main(command) == 2
        assert "would replace the input" in capsys.readouterr().err
        assert contents(tmp_path) == before
    with protecting([str(tmp_path / "hoo/gold")]), pytest.raises(UsageError, match=r"would replace the input .*gold"):
        write_files({str(tmp_path / "hoo/gold/1GE.xml"): ["x"]})


def part(folder: Path, machine: str = "", process: int = 0, age: float = 0) -> Path:
    """A temporary file of a process that has ended, by default."""
    name = _name_part("00000000").split("-")
    process = process or ended()
    path = folder / f"{name[0]}-{machine or name[1]}-{process}-{os.urandom(4).hex()}.part"
    path.touch()
    os.utime(path, (time.time() - age,) * 2)
    return path


def ended() -> int:
    with subprocess.Popen(["true"]) as process:
        process.wait()
        return process.pid


def test_only_files_that_are_left_over_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day = 25 * 60 * 60
    gone = [part(tmp_path), part(tmp_path, "0" * 8, age=day), part(tmp_path, process=os.getpid(), age=day)]
    kept = [
        part(tmp_path, "0" * 8),  # of another machine, whose processes are not known here
        part(tmp_path, "0" * 8, age=day - 7200),
        part(tmp_path, process=os.getpid()),
        part(tmp_path, process=os.getppid()),
        part(tmp_path).rename(tmp_path / ".errata-1-0123abcd.part"),
        part(tmp_path).rename(tmp_path / "errata.part"),
    ]
    link, folder = part(tmp_path), part(tmp_path)
    link.unlink()
    link.symlink_to(kept[0])
    folder.unlink()
    folder.mkdir()
    remove_leftovers(tmp_path)
    assert [path for path in gone if path.exists()] == []
    assert set(tmp_path.iterdir()) == {*kept, link, folder}
    foreign = part(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    remove_leftovers(tmp_path)
    assert foreign.exists()
