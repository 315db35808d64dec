"""Where work is done: in this thread, in threads, in processes or on a Dask cluster.  Results do not depend on it."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections import deque
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from errata.errors import UsageError, suggest
from errata.formats.writing import ENDING, are_handled_here

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future


# --- How many cores this process may use.

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


# --- Warnings of each thread alone: ``warnings.catch_warnings`` is for a process that does one thing at a time.

RecordedWarning = tuple[str, type[Warning], str, int]
"""Text, category, file and line."""


class _Recorder:
    """Takes the place of what shows warnings while some thread records its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lists: dict[int, list[RecordedWarning]] = {}
        self._before: warnings.catch_warnings[None] | None = None
        self._show_others = warnings.showwarning

    @contextmanager
    def record(self) -> Iterator[list[RecordedWarning]]:
        own: list[RecordedWarning] = []
        with self._lock:
            if self._before is None:
                self._before = warnings.catch_warnings()
                self._before.__enter__()
                self._show_others, warnings.showwarning = warnings.showwarning, self._show  # type: ignore[assignment]
                warnings.simplefilter("always")
            self._lists[threading.get_ident()] = own
        try:
            yield own
        finally:
            with self._lock:
                del self._lists[threading.get_ident()]
                if not self._lists and self._before is not None:
                    self._before.__exit__(None, None, None)
                    self._before = None

    def _show(self, message: Warning, category: type[Warning], filename: str, lineno: int, *rest: object) -> None:
        own = self._lists.get(threading.get_ident())
        if own is not None:
            own.append((str(message), category, filename, lineno))
        else:
            self._show_others(message, category, filename, lineno, *rest)  # type: ignore[arg-type]


_RECORDER = _Recorder()


def record_warnings() -> AbstractContextManager[list[RecordedWarning]]:
    """Record the warnings of this thread inside ``with``, all of them, in a list."""
    return _RECORDER.record()


# --- What an engine is.

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


# --- Interrupts while other threads and processes work: Ctrl-C reaches every process of a terminal, and only the caller must answer it.


class _Closes(Protocol):
    def close(self) -> object: ...


_Closing = TypeVar("_Closing", bound=_Closes)


def block_interrupts() -> None:
    """Block interrupts in this thread, and in the threads and processes that it starts."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


@contextmanager
def cleaning_up_on_signals() -> Iterator[None]:
    """Leave the block if a signal ends the program, so that it cleans up; then the program ends by that signal."""
    ending = ENDING if are_handled_here() else ()
    caught: list[int] = []

    def leave(number: int, _: object) -> None:
        caught.append(number)
        raise KeyboardInterrupt

    handlers = {number: signal.signal(number, leave) for number in ending if signal.getsignal(number) is signal.SIG_DFL}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if caught:
            signal.raise_signal(caught[0])


def start_uninterrupted(start: Callable[[], _Closing]) -> _Closing:
    """Start something whose threads and processes get no interrupts; if the caller gets one meanwhile, it is closed at once."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, initializer=block_interrupts) as pool:
        started = pool.submit(start)
        try:
            return started.result()
        except KeyboardInterrupt:
            with suppress(Exception):
                started.result().close()
            raise


def _is_interrupt(error: BaseException | None) -> bool:
    """Tell whether an exception is an interrupt, or the end of a generator because of one."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


# --- One task after another, in this thread.


class SerialEngine:
    """Does one task at a time, when its result is asked for.

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
        """Yield the result of each task."""
        del one_each  # it always is so
        for task in tasks:
            yield work(shared, task)


# --- Several tasks at a time in threads of this process, for work that leaves the interpreter's lock.


@dataclass(frozen=True)
class ThreadEngine:
    """Does tasks in threads.  They share ``shared``, and have the context variables of the caller.

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
        """Yield results in the order in which they finish."""
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


def _read_task(unread: Iterator[TaskValue], waiting: deque[TaskValue]) -> bool:
    """Read one more task; return whether there was one."""
    before = len(waiting)
    waiting.extend(islice(unread, 1))
    return len(waiting) > before


# --- Engines by name, as they are given on the command line.

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
        from errata.scoring.dask import DaskEngine

        return DaskEngine(jobs, text.removeprefix(_SCHEDULER) if text != "dask" else None)
    jobs = jobs or count_cores()
    if text is None and jobs == 1:
        return SerialEngine()
    if (text or prefer) == "processes":
        from errata.scoring.processes import ProcessEngine

        return ProcessEngine(jobs)

    return ThreadEngine(jobs)
