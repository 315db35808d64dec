"""Where work is done: in this thread, in threads, in processes or on a Dask cluster.  Results do not depend on it."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from errata.errors import UsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future


_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux says how much processor time a container gets: microseconds, or max, and of how many."""


def count_cores(quota: Path = _QUOTA) -> int:
    """Count the cores that this process may use: all, unless it is bound to some or its container has fewer.

    >>> count_cores() >= 1
    True
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, ValueError):
        time, period = quota.read_text(encoding="ascii").split()
        return max(1, min(allowed, -(-int(time) // int(period))))
    return allowed


SharedValue = TypeVar("SharedValue")
TaskValue = TypeVar("TaskValue")
ResultValue = TypeVar("ResultValue")

TASKS_PER_JOB = 2
"""Tasks that are taken ahead for each job: one that is done, and one that waits."""


class Engine(Protocol):
    """Does independent tasks, several at a time."""

    @property
    def name(self) -> str:
        """Its name, as on the command line."""

    @property
    def jobs(self) -> int:
        """How many tasks are done at a time."""

    def run(
        self,
        work: Callable[[SharedValue, TaskValue], ResultValue],
        shared: SharedValue,
        tasks: Iterable[TaskValue],
        *,
        one_each: bool = False,
    ) -> Generator[ResultValue]:
        """Yield ``work(shared, task)`` for each task, in the order in which they finish.

        At most ``TASKS_PER_JOB * jobs`` tasks are taken ahead of the results that were taken, so memory is bounded.
        With ``one_each``, no worker begins a task before the caller has dealt with its last result and asks for the next one, so a caller
        that is killed loses one task of each worker.  On a cluster, to which tasks must travel, one waits at each worker nevertheless.
        The first exception of ``work`` is raised, and no further task is begun.  ``contextlib.closing`` stops the work as soon as the
        caller fails:

            with closing(engine.run(work, shared, tasks)) as results:
                for result in results: ...

        ``work`` must be a function of a module, because other processes find it by its name.  They get ``shared`` once, and each task
        and its result pickled.
        """


class SerialEngine:
    """Does one task at a time in this thread, when its result is asked for.

    >>> list(SerialEngine().run(pow, 2, [1, 3]))
    [2, 8]
    """

    name = "serial"
    jobs = 1

    def run(
        self,
        work: Callable[[SharedValue, TaskValue], ResultValue],
        shared: SharedValue,
        tasks: Iterable[TaskValue],
        *,
        one_each: bool = False,
    ) -> Generator[ResultValue]:
        del one_each  # it always is so
        for task in tasks:
            yield work(shared, task)


@dataclass(frozen=True)
class ThreadEngine:
    """Does tasks in threads, for work that leaves the interpreter's lock.

    They share ``shared``, and have the context variables of the caller.

    >>> sorted(ThreadEngine(2).run(pow, 2, [1, 3, 5]))
    [2, 8, 32]
    """

    jobs: int
    name = "threads"

    def run(
        self,
        work: Callable[[SharedValue, TaskValue], ResultValue],
        shared: SharedValue,
        tasks: Iterable[TaskValue],
        *,
        one_each: bool = False,
    ) -> Generator[ResultValue]:
        return run_in_threads(lambda task: work(shared, task), tasks, self.jobs, one_each=one_each)


def run_in_threads(
    do: Callable[[TaskValue], ResultValue],
    tasks: Iterable[TaskValue],
    jobs: int,
    begin: Callable[[], object] | None = None,
    stop: Callable[[], object] | None = None,
    *,
    one_each: bool = False,
) -> Generator[ResultValue]:
    """Yield ``do(task)`` of each task, in the order in which they finish.

    Each thread calls ``begin`` first.  ``stop`` ends tasks that were begun and are not wanted any more.  Without it, they are finished
    before this is left, except after an interrupt: nobody can stop a thread.
    With ``one_each``, tasks that were read wait until the caller has dealt with a result.
    """
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(jobs, thread_name_prefix="errata", initializer=begin)
    finished: SimpleQueue[Future[ResultValue]] = SimpleQueue()
    unread, waiting = iter(tasks), deque[TaskValue]()
    most, begun, patient = TASKS_PER_JOB * jobs, 0, True
    try:
        while True:
            while begun < (jobs if one_each else most) and (waiting or _read_task(unread, waiting)):
                pool.submit(copy_context().run, do, waiting.popleft()).add_done_callback(finished.put)
                begun += 1
            if not begun:
                return
            while begun + len(waiting) < most and finished.empty() and _read_task(unread, waiting):
                pass
            result = finished.get().result()
            yield result
            begun -= 1  # the caller has dealt with the result
            del result  # nothing is kept for the caller
    except BaseException as error:
        patient = stop is not None or not _is_interrupt(error)
        raise
    finally:
        if stop is not None:
            stop()
        pool.shutdown(wait=patient, cancel_futures=True)


def _is_interrupt(error: BaseException | None) -> bool:
    """Tell whether an exception is an interrupt, or the end of a generator because of one."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _read_task(unread: Iterator[TaskValue], waiting: deque[TaskValue]) -> bool:
    """Read one more task; return whether there was one."""
    before = len(waiting)
    waiting.extend(islice(unread, 1))
    return len(waiting) > before


_NAMES = ("threads", "processes", "dask")
_SCHEDULER = "dask:"


def make_engine(text: str | None, jobs: int | None, prefer: Literal["threads", "processes"]) -> Engine:
    """Make an engine: threads, processes, dask (a cluster on this machine) or dask:tcp://HOST:PORT (a cluster that runs).

    ``jobs`` is the number of tasks that are done at a time, by default one for each core that this process may use, or that the cluster
    has.  Without a text it is the engine that is preferred, and no other thread or process is started for one job.

    >>> make_engine(None, 2, "threads").name, make_engine(None, 1, "threads").name
    ('threads', 'serial')
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs must be a whole number from 1, found {jobs}")
    if text is not None and text not in _NAMES and not (text.startswith(_SCHEDULER) and text != _SCHEDULER):
        expected = f"{', '.join(_NAMES)} or {_SCHEDULER}tcp://HOST:PORT"
        raise UsageError(f"there is no engine {text!r}; choose from {expected}{suggest(text, _NAMES)}")
    if text is not None and text.startswith("dask"):
        from errata.scoring.workers import DaskEngine

        return DaskEngine(jobs, text.removeprefix(_SCHEDULER) if text != "dask" else None)
    jobs = jobs or count_cores()
    if text is None and jobs == 1:
        return SerialEngine()
    if (text or prefer) == "processes":
        from errata.scoring.workers import ProcessEngine

        return ProcessEngine(jobs)

    return ThreadEngine(jobs)
