"""Several tasks at a time in threads of this process, for work that leaves the interpreter's lock."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue
from typing import TYPE_CHECKING

from errata.engines.engine import TASKS_PER_JOB, TaskValue
from errata.engines.interrupts import is_interrupt

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from errata.engines.engine import ResultValue, SharedValue


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
        patient = stop is not None or not is_interrupt(error)
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
