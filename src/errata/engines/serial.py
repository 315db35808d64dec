"""One task after another, in this thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from errata.engines.engine import ResultValue, SharedValue, TaskValue


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
