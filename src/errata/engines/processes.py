"""Several tasks at a time in processes of their own, for work that holds the interpreter's lock.

Each thread of a pool has a worker process, sends it a task and waits for the outcome.  A worker is a fresh interpreter (17 ms, where
``multiprocessing`` takes 60 ms) that imports what its work needs and nothing of the caller's script; forking is not safe in a process
with threads.  If a worker is killed, its thread starts another one and sends the task again.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from errata.engines.interrupts import block_interrupts
from errata.engines.outcomes import open_outcome, pack_job, pack_task
from errata.engines.threads import run_in_threads
from errata.engines.worker import ENDED, receive_message, send_message
from errata.errors import RequestError, pluralise

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from errata.engines.engine import ResultValue, SharedValue, TaskValue

MOST_LOST = 10
"""How many workers may be killed by one task."""
_PROGRAM = (
    "import gc, sys; sys.path[:] = {path!r}; gc.set_threshold{threshold!r}; from errata.engines.worker import serve_tasks; serve_tasks()"
)


@dataclass(frozen=True)
class ProcessEngine:
    """Does tasks in processes, which end with the last result, with an exception and with this process.

    A task whose worker is killed, for example for want of memory, is done again by another worker, ``most_lost`` times at most.
    """

    jobs: int
    most_lost: int = MOST_LOST
    name = "processes"

    def run(
        self,
        work: Callable[[SharedValue, TaskValue], ResultValue],
        shared: SharedValue,
        tasks: Iterable[TaskValue],
        *,
        one_each: bool = False,
    ) -> Generator[ResultValue]:
        """Yield results in the order in which they finish."""
        crew = _Crew(pack_job(work, shared), self.most_lost)
        packed = (pack_task(task) for task in tasks)
        results = run_in_threads(crew.do, packed, self.jobs, block_interrupts, crew.stop, one_each=one_each)
        with closing(crew), closing(results) as outcomes:
            for outcome in outcomes:
                yield open_outcome(outcome)


class _Crew:
    """The workers, one for each thread that has a task for it."""

    def __init__(self, job: bytes, most_lost: int) -> None:
        self._job, self._most_lost = job, most_lost
        self._workers: dict[int, _Worker] = {}
        self._lock = threading.Lock()
        self._stopped = False

    def do(self, task: bytes) -> bytes:
        """Have a task done by the worker of this thread, and by another one if it is killed; return the outcome."""
        status = 0
        for _ in range(self._most_lost):
            worker = self._get_worker()
            try:
                return worker.ask(task)
            except ENDED:
                status = worker.end()
                with self._lock:
                    self._workers.pop(threading.get_ident(), None)
        lost = pluralise(self._most_lost, "worker process", "worker processes")
        raise RequestError(f"{lost} ended in the same task, the last with {_describe_status(status)}; fewer jobs need less memory")

    def _get_worker(self) -> _Worker:
        own = threading.get_ident()
        with self._lock:
            if self._stopped:
                raise RequestError("the work was stopped")
            if own not in self._workers:
                self._workers[own] = _Worker(self._job)
            return self._workers[own]

    def stop(self) -> None:
        """Kill all workers, so that the threads need not wait for them."""
        with self._lock:
            self._stopped = True
            for worker in self._workers.values():
                worker.kill()

    def close(self) -> None:
        """Leave nothing open, after the threads have ended."""
        for worker in self._workers.values():
            worker.end()


class _Worker:
    """A worker process and its pipes."""

    def __init__(self, job: bytes) -> None:
        program = _PROGRAM.format(path=sys.path, threshold=gc.get_threshold())
        errors = None if _is_open(2) else subprocess.DEVNULL
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter
            [sys.executable, "-P", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        )
        self._job: bytes | None = job

    def ask(self, task: bytes) -> bytes:
        """Have a task done; raise one of ``ENDED`` if the process has ended."""
        process = self._process
        assert process.stdin is not None  # noqa: S101 - both are pipes
        assert process.stdout is not None  # noqa: S101
        if self._job is not None:
            send_message(process.stdin, self._job)
            self._job = None
        send_message(process.stdin, task)
        return receive_message(process.stdout)

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()

    def end(self) -> int:
        """Kill the process and close its pipes; return its exit status."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was not written yet is not needed
                if pipe is not None:
                    pipe.close()
        return self._process.wait()


def _is_open(file: int) -> bool:
    try:
        os.fstat(file)
    except OSError:
        return False
    return True


def _describe_status(status: int) -> str:
    if status < 0:
        with suppress(ValueError):
            return f"signal {signal.Signals(-status).name}"
    return f"exit status {status}"
