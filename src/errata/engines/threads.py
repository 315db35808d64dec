"""Several tasks at a time in threads of this process, for work that leaves the interpreter's lock."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue
from typing import TYPE_CHECKING

from errata.engines.engine import TASKS_PER_JOB
from errata.engines.interrupts import is_interrupt

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from errata.engines.engine import ResultValue, SharedValue, TaskValue


@dataclass(frozen=True)
class ThreadEngine:
    """Does tasks in threads.  They share ``shared``, and have the context variables of the caller.

    >>> sorted(ThreadEngine(2).run(pow, 2, [1, 3, 5]))
    [2, 8, 32]
    """

    jobs: int
    name = "threads"

    def run(
        self, work: Callable[[SharedValue, TaskValue], ResultValue], shared: SharedValue, tasks: Iterable[TaskValue]
    ) -> Generator[ResultValue]:
        """Yield results in the order in which they finish."""
        return run_in_threads(lambda task: work(shared, task), tasks, self.jobs)


def run_in_threads(
    do: Callable[[TaskValue], ResultValue],
    tasks: Iterable[TaskValue],
    jobs: int,
    begin: Callable[[], object] | None = None,
    stop: Callable[[], object] | None = None,
) -> Generator[ResultValue]:
    """Yield ``do(task)`` of each task, in the order in which they finish.

    Each thread calls ``begin`` first.  ``stop`` ends tasks that were begun and are not wanted any more.  Without it, they are finished
    before this is left, except after an interrupt: nobody can stop a thread.
    """
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="errata", initializer=begin)
    finished: SimpleQueue[Future[ResultValue]] = SimpleQueue()
    waiting, ahead, patient = iter(tasks), 0, True
    try:
        while True:
            for task in islice(waiting, TASKS_PER_JOB * jobs - ahead):
                pool.submit(copy_context().run, do, task).add_done_callback(finished.put)
                ahead += 1
            if not ahead:
                return
            result = finished.get().result()
            ahead -= 1
            yield result
            del result  # nothing is kept for the caller
    except BaseException as error:
        patient = stop is not None or not is_interrupt(error)
        raise
    finally:
        if stop is not None:
            stop()
        pool.shutdown(wait=patient, cancel_futures=True)
