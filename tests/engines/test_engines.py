"""Every engine gives the same results, raises what work raises, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import closing
from contextvars import ContextVar
from itertools import count
from pathlib import Path

import pytest

from errata.errors import FormatError, InputWarning, RequestError, UsageError
from errata.scoring import Engine, ProcessEngine, SerialEngine, ThreadEngine, count_cores, make_engine

import engine_work

ENGINES: list[Engine] = [SerialEngine(), ThreadEngine(1), ThreadEngine(3), ProcessEngine(1), ProcessEngine(3)]
every_engine = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: f"{engine.name}-{engine.jobs}")
PROCESSES = ProcessEngine(2)
NUMBER: ContextVar[int] = ContextVar("number", default=0)


@every_engine
@pytest.mark.parametrize("tasks", [0, 1, 20])
def test_results_do_not_depend_on_the_engine(engine: Engine, tasks: int) -> None:
    assert sorted(engine.run(engine_work.add, 7, range(tasks))) == list(range(7, 7 + tasks))


@every_engine
def test_an_exception_of_work_is_raised(engine: Engine) -> None:
    with pytest.raises(ValueError, match="too small") as caught:
        list(engine.run(engine_work.fail, "too small", range(50)))
    assert caught.value.__notes__ == ["in task 3"]
    with pytest.raises(FormatError, match=r"gold\.m2:17") as wrong:
        list(engine.run(engine_work.fail, "format", [3]))
    assert (wrong.value.path, wrong.value.line) == ("gold.m2", 17)
    with pytest.raises(SystemExit, match="3"):
        list(engine.run(engine_work.fail, "exit", [3]))


@every_engine
def test_an_exception_of_the_tasks_is_raised(engine: Engine) -> None:
    def tasks() -> Iterator[int]:
        yield from range(5)
        raise FormatError("gold.m2", 5, "the end is missing")

    with pytest.raises(FormatError, match=r"gold\.m2:5"):
        list(engine.run(engine_work.add, 0, tasks()))


@every_engine
def test_few_tasks_are_taken_ahead(engine: Engine) -> None:
    taken = count()
    results = engine.run(engine_work.add, 0, taken)  # they have no end
    for number in range(1, 12):
        next(results)
        assert next(taken) <= number + 2 * engine.jobs + number  # each look at the counter takes one
    results.close()


@every_engine
def test_no_worker_begins_a_task_before_its_last_result_is_dealt_with(engine: Engine, tmp_path: Path) -> None:
    log = tmp_path / "log"
    for dealt_with, _ in enumerate(engine.run(engine_work.log_task, str(log), range(12), one_each=True)):
        time.sleep(0.01)
        assert log.stat().st_size <= dealt_with + engine.jobs


@every_engine
def test_warnings_reach_the_caller(engine: Engine) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(engine.run(engine_work.warn, "odd line", range(3)))
    assert sorted(str(warning.message) for warning in caught) == ["odd line 0", "odd line 1", "odd line 2"]
    assert {warning.category for warning in caught} == {InputWarning}
    assert {Path(warning.filename).name for warning in caught} == {"engine_work.py"}


@every_engine
def test_large_work_tasks_and_results(engine: Engine) -> None:
    shared = bytes(3_000_000)
    results = list(engine.run(engine_work.add_big, shared, [bytes([number]) * 1_000_000 for number in range(8)]))
    assert sorted((len(result), result[-1]) for result in results) == [(4_000_000, number) for number in range(8)]


def test_threads_have_the_context_of_the_caller() -> None:
    def get(shared: int, task: int) -> int:
        return NUMBER.get() + shared + task

    token = NUMBER.set(100)
    assert sorted(ThreadEngine(2).run(get, 10, [1, 2])) == [111, 112]
    NUMBER.reset(token)


def test_threads_finish_what_they_began_before_an_exception_is_raised() -> None:
    done: list[int] = []

    def work(shared: threading.Event, task: int) -> None:
        if task == 0:
            raise ValueError("too small")
        shared.set()
        time.sleep(0.05)
        done.append(task)

    begun = threading.Event()
    with pytest.raises(ValueError, match="too small"):
        list(ThreadEngine(2).run(work, begun, [1, 0, 2, 3]))
    assert len(done) == begun.is_set() + (2 in done) + (3 in done)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("errata")]


def test_processes_end_with_the_last_result_and_with_a_failure(tmp_path: Path) -> None:
    assert sorted(PROCESSES.run(engine_work.leave_trace, tmp_path, range(6))) == list(range(6))
    assert len(list(tmp_path.iterdir())) == 2
    assert engine_work.list_running(tmp_path) == []
    with closing(PROCESSES.run(engine_work.leave_trace, tmp_path, [1, -1, -1])) as results:
        assert next(results) == 1
    assert engine_work.list_running(tmp_path) == []
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("errata")]


def test_a_process_that_is_killed_costs_its_task_only_time(tmp_path: Path) -> None:
    """Task 3 kills three workers, task 2 two, task 1 one."""
    assert sorted(PROCESSES.run(engine_work.die, tmp_path, [3, 0, 2, 0, 0, 1])) == [0, 0, 0, 1, 2, 3]


def test_processes_killed_from_outside(tmp_path: Path) -> None:
    killed: list[int] = []
    killer = threading.Thread(target=lambda: killed.extend(engine_work.kill_workers(tmp_path, 5)))
    killer.start()
    results = []
    for result in PROCESSES.run(engine_work.leave_trace, tmp_path, count()):
        results.append(result)
        if not killer.is_alive() and len(results) > 20:
            break
    killer.join()
    assert len(killed) == 5
    assert len(set(results)) == len(results)
    assert set(range(max(results) - 4)) <= set(results)  # none is lost; of the last some were not waited for
    assert engine_work.wait_until_none_runs(tmp_path) == []


def test_a_task_that_kills_every_worker_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"^3 worker processes ended in the same task, the last with signal SIGKILL; fewer jobs"):
        list(ProcessEngine(2, most_lost=3).run(engine_work.die, tmp_path, [0, 4, 0]))


def test_an_exception_that_cannot_be_pickled_is_told_in_another() -> None:
    with pytest.raises(RuntimeError, match="OddError: it is odd"):
        list(PROCESSES.run(engine_work.fail, "odd", [3]))


def test_what_cannot_be_sent_is_explained() -> None:
    with pytest.raises(RequestError, match=r"the work cannot be sent to another process: .*; use threads"):
        list(PROCESSES.run(lambda shared, task: shared + task, 1, [1]))
    with pytest.raises(RequestError, match="a task cannot be sent to another process: "):
        list(PROCESSES.run(engine_work.make_lock, None, [threading.Lock()]))
    with pytest.raises(RequestError, match="a result cannot be sent to another process: "):
        list(PROCESSES.run(engine_work.make_lock, None, [1]))


def test_what_a_script_defines_is_explained() -> None:
    script = "from errata.scoring import ProcessEngine\ndef work(a, b): ...\nlist(ProcessEngine(1).run(work, 1, [1]))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "RequestError: a worker process cannot load its work: Can't get attribute 'work'" in done.stderr
    assert "what a script or a notebook defines must be in a module, or use threads" in done.stderr


def test_what_work_prints_is_no_result(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(PROCESSES.run(engine_work.print_much, "hello\n", [1])) == [1]
    assert capfd.readouterr() == ("", "hello\n")


def test_an_interrupt_from_the_terminal_ends_processes_quietly(tmp_path: Path) -> None:
    script = engine_work.start_script("processes", tmp_path)
    os.killpg(script.pid, signal.SIGINT)  # Ctrl-C reaches all
    assert script.communicate(timeout=60) == ("interrupted\n", "")
    assert script.returncode == 0
    assert engine_work.list_running(tmp_path / "traces") == []


def test_processes_end_if_their_caller_is_killed(tmp_path: Path) -> None:
    script = engine_work.start_script("processes", tmp_path)
    script.kill()
    assert script.communicate(timeout=60) == ("", "")
    assert engine_work.wait_until_none_runs(tmp_path / "traces") == []


@pytest.mark.parametrize(
    ("text", "jobs", "prefer", "name", "expected"),
    [
        (None, 1, "processes", "serial", 1),
        (None, 2, "processes", "processes", 2),
        (None, 2, "threads", "threads", 2),
        ("threads", 1, "processes", "threads", 1),
        ("processes", 3, "threads", "processes", 3),
        ("processes", None, "threads", "processes", count_cores()),
    ],
)
def test_engines_by_name(text: str | None, jobs: int | None, prefer: str, name: str, expected: int) -> None:
    engine = make_engine(text, jobs, prefer)  # type: ignore[arg-type]
    assert (engine.name, engine.jobs) == (name, expected)


@pytest.mark.parametrize("text", ["thread", "", "dask:", "dasks", "spark"])
def test_an_unknown_engine(text: str) -> None:
    with pytest.raises(UsageError, match=f"there is no engine '{text}'; choose from threads, processes, dask or dask:tcp://HOST:PORT"):
        make_engine(text, 1, "threads")


def test_jobs_are_counted_from_one() -> None:
    with pytest.raises(UsageError, match="jobs must be a whole number from 1, found 0"):
        make_engine(None, 0, "threads")


@pytest.mark.parametrize(("written", "most"), [("max 100000", 10**6), ("100000 100000", 1), ("150000 100000", 2), ("odd", 10**6)])
def test_cores_of_a_container(written: str, most: int, tmp_path: Path) -> None:
    quota = tmp_path / "cpu.max"
    quota.write_text(written, encoding="ascii")
    allowed = len(os.sched_getaffinity(0))
    assert count_cores(quota) == min(most, allowed)
    assert count_cores(tmp_path / "none") == allowed
