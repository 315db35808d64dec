"""Tasks on a Dask cluster: one that is started on this machine for a run, or one that runs already, on any number of machines.

A worker that dies costs time and nothing else: its tasks are given to others, and a worker that takes its place gets the job too.
"""

from __future__ import annotations

from concurrent.futures import CancelledError
from contextlib import suppress
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from errata.engines.cores import count_cores
from errata.engines.dask_clusters import find_cluster, start_cluster
from errata.engines.engine import TASKS_PER_JOB
from errata.engines.outcomes import open_outcome, pack_job, pack_task
from errata.errors import RequestError, pluralise
from errata.formats.writing import holding_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from contextlib import AbstractContextManager

    from distributed import Client, Future

    from errata.engines.engine import ResultValue, SharedValue, TaskValue

MOST_LOST_ON_CLUSTER = 50
"""How many workers may die in one task."""


class DaskEngine:
    """Does tasks on a Dask cluster.  ``scheduler`` is the address of one that runs; without it, one is started on this machine."""

    name = "dask"

    def __init__(self, jobs: int | None = None, scheduler: str | None = None, most_lost: int = MOST_LOST_ON_CLUSTER) -> None:
        if find_spec("distributed") is None:
            raise RequestError("the engine dask needs Dask, which is not installed: pip install 'errata[dask]'")
        self._scheduler, self._most_lost = scheduler, most_lost
        if jobs is None:
            jobs = count_cores() if scheduler is None else self._count_threads()
        self.jobs = jobs

    def run(
        self,
        work: Callable[[SharedValue, TaskValue], ResultValue],
        shared: SharedValue,
        tasks: Iterable[TaskValue],
        *,
        one_each: bool = False,
    ) -> Generator[ResultValue]:
        """Yield results in the order in which they finish."""
        del one_each  # a worker would wait for texts on their way
        from errata.engines.dask_work import JobPlugin

        name, packed = f"errata-{uuid4().hex}", pack_job(work, shared)
        with self._connect() as client:
            client.register_plugin(JobPlugin(name, packed))
            try:
                for outcome in _Submissions(client, name, self._most_lost).run(tasks, TASKS_PER_JOB * self.jobs):
                    yield open_outcome(outcome)
            finally:
                if self._scheduler is not None:  # the other one ends now
                    with suppress(Exception):
                        client.unregister_worker_plugin(name)

    def _connect(self) -> AbstractContextManager[Client]:
        return start_cluster(self.jobs) if self._scheduler is None else find_cluster(self._scheduler)

    def _count_threads(self) -> int:
        with self._connect() as client:
            threads: dict[str, int] = client.nthreads()
            return sum(threads.values())


class _Submissions:
    """The tasks of a job that a cluster has, and how often workers died with each."""

    def __init__(self, client: Client, name: str, most_lost: int) -> None:
        self._client, self._name, self._most_lost = client, name, most_lost
        self._tasks: dict[Future, tuple[bytes, int]] = {}

    def run(self, tasks: Iterable[Any], most: int) -> Iterator[bytes]:
        """Yield the outcomes of tasks, of which the cluster has at most so many."""
        from distributed import as_completed

        finished, waiting = as_completed(), iter(tasks)
        while True:
            for task in islice(waiting, most - len(self._tasks)):
                finished.add(self._submit(pack_task(task), 0))
            if not self._tasks:
                return
            future = next(finished)
            outcome = self._collect(future)
            if isinstance(outcome, bytes):
                yield outcome
            else:
                finished.add(outcome)

    def _submit(self, task: bytes, lost: int) -> Future:
        from errata.engines.dask_work import do_on_worker

        with holding_signals():  # Dask complains of a future that is not complete
            future = self._client.submit(do_on_worker, self._name, task, key=f"{self._name}-{uuid4().hex}", pure=False)
            self._tasks[future] = task, lost
        return future

    def _collect(self, future: Future) -> bytes | Future:
        """Return the outcome of a task, or its next submission if workers died with it."""
        from distributed import KilledWorker

        from errata.engines.dask_work import JobMissingError

        task, lost = self._tasks.pop(future)
        try:
            outcome: bytes = future.result()
        except KilledWorker as error:
            lost += 1 + error.allowed_failures
        except (CancelledError, JobMissingError):
            lost += 1
        else:
            return outcome
        if self._client.status != "running":
            raise RequestError("the connection to the Dask scheduler is lost")
        if lost >= self._most_lost:
            raise RequestError(f"{pluralise(lost, 'Dask worker')} died in the same task, perhaps for want of memory")
        return self._submit(task, lost)
