"""Work for engines, in a module, because other processes find it by its name; and what kills workers while they do it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from errata.errors import FormatError, InputWarning


class OddError(Exception):
    """An exception that cannot be loaded from a pickle."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first + second)


def add(shared: int, task: int) -> int:
    return shared + task


def log_task(shared: str, task: int) -> int:
    with Path(shared).open("ab", buffering=0) as log:
        log.write(b".")
    return task


def add_slowly(shared: float, task: int) -> int:
    time.sleep(shared)
    return task


def add_big(shared: bytes, task: bytes) -> bytes:
    return shared + task


def fail(shared: str, task: int) -> int:
    if task == 3:
        match shared:
            case "format":
                raise FormatError("gold.m2", 17, "an A line is expected")
            case "odd":
                raise OddError("it is ", "odd")
            case "exit":
                sys.exit(3)
            case _:
                error = ValueError(shared)
                error.add_note("in task 3")
                raise error
    return task


def warn(shared: str, task: int) -> int:
    warnings.warn(f"{shared} {task}", InputWarning, stacklevel=1)
    return task


def print_much(shared: str, task: int) -> int:
    os.write(1, shared.encode())
    return task


def make_lock(shared: None, task: object) -> object:  # noqa: ARG001
    import threading

    return threading.Lock()


def get_process(shared: float, task: int) -> int:  # noqa: ARG001
    time.sleep(shared)
    return os.getpid()


def die(shared: Path, task: int) -> int:
    """Die by a signal as often as a task says; files remember it."""
    marks = [shared / f"{task}-{number}" for number in range(task)]
    for mark in marks:
        if not mark.exists():
            mark.touch()
            kill_myself()
    return task


def kill_myself() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def leave_trace(shared: Path, task: int) -> int:
    """Write the number of the process, and take a while."""
    (shared / str(os.getpid())).touch()
    time.sleep(0.05 if task >= 0 else 600)
    return task


def list_running(folder: Path) -> list[int]:
    """The processes that left a trace and still run."""
    return [int(path.name) for path in folder.iterdir() if is_running(int(path.name))]


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_until_none_runs(folder: Path, seconds: float = 20) -> list[int]:
    """Those that run after a while."""
    end = time.monotonic() + seconds
    while (left := list_running(folder)) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def kill_workers(folder: Path, times: int, every: float = 0.1) -> Iterator[int]:
    """Kill one of the processes that left a trace, again and again; yield each that was killed."""
    killed = 0
    while killed < times:
        time.sleep(every)
        for process in list_running(folder)[:1]:
            os.kill(process, signal.SIGKILL)
            killed += 1
            yield process


SCRIPT = """
import sys
from contextlib import closing
from pathlib import Path
import engine_work
from errata.scoring import make_engine

if __name__ == "__main__":
    engine = make_engine(sys.argv[1], 2, "threads")
    try:
        with closing(engine.run(engine_work.leave_trace, Path(sys.argv[2]), [1, 1, 1, -1, -1, -1, -1])) as results:
            for result in results:
                print(result, flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def start_script(engine: str, folder: Path) -> subprocess.Popen[str]:
    """Start a script that works in a session of its own, as in a terminal; return when some tasks are done and others take for ever."""
    traces = folder / "traces"
    traces.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(folder)}
    script = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, engine, str(traces)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=environment,
    )
    assert script.stdout is not None
    assert [script.stdout.readline() for _ in range(3)] == ["1\n", "1\n", "1\n"]
    return script
