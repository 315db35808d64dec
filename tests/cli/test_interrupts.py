"""An interrupt at any time ends with one line and status 130, never with a traceback."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from errata.cli.process import report_failure

from thoroughness import often

SCRIPT = [str(Path(sys.executable).parent / "errata")]
MODULE = [sys.executable, "-m", "errata"]
ARGUMENTS = ["score", "examples/learner.m2", "examples/systems/eager.txt", "--confidence", "--replicates", "200"]
INTERRUPTED = (130, "errata: interrupted\n")
_HOOK = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if os.environ.get("LIST_IMPORTS"):
            with open(os.environ["LIST_IMPORTS"], "a") as file:
                print(name, file=file)
        if name == os.environ.get("INTERRUPT_AT"):
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""


@pytest.fixture(scope="module")
def hook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a module that Python runs when it starts, which interrupts the import of a module."""
    folder = tmp_path_factory.mktemp("hook")
    (folder / "sitecustomize.py").write_text(_HOOK)
    return folder


def run(command: list[str], hook: Path, **variables: str) -> tuple[int, str]:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env={**os.environ, "PYTHONPATH": str(hook), **variables}
    )
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", [SCRIPT, MODULE], ids=["script", "module"])
def test_interrupts_during_imports(command: list[str], hook: Path, tmp_path: Path) -> None:
    listed = tmp_path / "imports"
    assert run([*command, *ARGUMENTS], hook, LIST_IMPORTS=str(listed)) == (0, "")
    names = list(dict.fromkeys(listed.read_text().split()))
    inside = names[names.index("errata.__main__") + 1 :]
    assert len(inside) > 200
    assert not any(name.startswith("errata") for name in names[: names.index("errata.__main__")] if name != "errata")
    early = [name for name in inside if name.startswith("errata")][: often(5, 3)]
    for name in [*early, *random.Random(7).sample(inside, often(25, 3))]:
        assert run([*command, *ARGUMENTS], hook, INTERRUPT_AT=name) == INTERRUPTED, name


@pytest.mark.slow
@pytest.mark.parametrize("command", [SCRIPT, MODULE], ids=["script", "module"])
def test_interrupts_at_any_time(command: list[str]) -> None:
    draw = random.Random(9)
    for _ in range(often(20, 4)):
        started = subprocess.Popen([*command, *ARGUMENTS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1.2 * draw.random())
        started.send_signal(signal.SIGINT)
        out, said = started.communicate(timeout=60)
        before_errata = not out and "__main__.py" not in said and "errata:" not in said  # while Python itself starts
        assert before_errata or (started.returncode, said) in (INTERRUPTED, (0, ""))


def test_an_interrupt_that_becomes_another_exception(capfd: pytest.CaptureFixture[str]) -> None:
    """Python 3.11 raises a RuntimeError if the body of a class is interrupted while its attributes are named."""
    code = """
from errata.cli import process

def fail():
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as error:
        raise RuntimeError("Error calling __set_name__") from error

process.run_process = fail
from errata.__main__ import start
start()
"""
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 130
    assert capfd.readouterr() == ("", "errata: interrupted\n")


def test_an_interrupt_that_python_would_lose(capfd: pytest.CaptureFixture[str]) -> None:
    code = """
import sys
from errata import cli
from errata.cli import process

class Loses:
    def __del__(self):
        raise KeyboardInterrupt

def work():
    Loses()
    while True:
        pass

cli.main = work
try:
    process.run_process()
except KeyboardInterrupt:
    sys.exit(130)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 130
    assert capfd.readouterr() == ("", "")


def test_an_interrupt_that_a_library_prints(capfd: pytest.CaptureFixture[str]) -> None:
    """NumPy prints what happens while it is imported from C, and raises an ImportError."""
    code = """
import signal, sys
from errata import cli
from errata.cli import process

def fail(*_):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        sys.excepthook(*sys.exc_info())
    raise ImportError("failed to import") from None

cli._run = fail
sys.exit(process.run_process())
"""
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 130
    assert capfd.readouterr() == ("", "errata: interrupted\n")


def test_an_interrupt_behind_another_exception(capsys: pytest.CaptureFixture[str]) -> None:
    """Libraries in C turn an interrupt of an import into an ImportError."""
    error = ImportError("failed")
    error.__cause__ = KeyboardInterrupt()
    assert report_failure(error) == 130
    assert capsys.readouterr().err == INTERRUPTED[1]
