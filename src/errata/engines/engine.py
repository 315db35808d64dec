"""What an engine is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

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
