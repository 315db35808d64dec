"""Tasks on a Dask cluster: one that is started on this machine for a run, or one that runs already, on any number of machines."""

from __future__ import annotations

import logging
import os
import signal
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import islice
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from errata import __version__
from errata.errors import RequestError, pluralise
from errata.formats.writing import holding_signals
from errata.scoring.engines import TASKS_PER_JOB, cleaning_up_on_signals, count_cores, start_uninterrupted
from errata.scoring.processes import open_outcome, pack_job, pack_task

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from contextlib import AbstractContextManager

    from distributed import Client, Future, LocalCluster

    from errata.scoring.engines import ResultValue, SharedValue, TaskValue


# --- Tasks on a Dask cluster: one that is started on this machine for a run, or one that runs already, on any number of machines.
#
# A worker that dies costs time and nothing else: its tasks are given to others, and a worker that takes its place gets the job too.

_MOST_LOST_ON_CLUSTER = 50
"""How many workers may die in one task."""


class DaskEngine:
    """Does tasks on a Dask cluster.  ``scheduler`` is the address of one that runs; without it, one is started on this machine."""

    name = "dask"

    def __init__(self, jobs: int | None = None, scheduler: str | None = None, most_lost: int = _MOST_LOST_ON_CLUSTER) -> None:
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
        from errata.scoring.dask_workers import JobPlugin

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
        return _start_cluster(self.jobs) if self._scheduler is None else _find_cluster(self._scheduler)

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
        from errata.scoring.dask_workers import do_on_worker

        with holding_signals():  # Dask complains of a future that is not complete
            future = self._client.submit(do_on_worker, self._name, task, key=f"{self._name}-{uuid4().hex}", pure=False)
            self._tasks[future] = task, lost
        return future

    def _collect(self, future: Future) -> bytes | Future:
        """Return the outcome of a task, or its next submission if workers died with it."""
        from distributed import KilledWorker

        from errata.scoring.dask_workers import JobMissingError

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


# --- Dask clusters: those that are started here, and those that run elsewhere.

_SECONDS = 30
"""How long a scheduler and its first worker are waited for."""
_LOCAL = "127.0.0.1"


@contextmanager
def _start_cluster(jobs: int) -> Iterator[Client]:
    """Start a cluster of processes that nobody outside of this machine can reach; it ends with the block."""
    import dask
    from distributed import Client, LocalCluster

    def start() -> LocalCluster:
        return LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            host=_LOCAL,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": f"{_LOCAL}:0"},  # a free port, for a server without a dashboard
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            local_directory=folder,
        )

    with cleaning_up_on_signals(), _silenced(), TemporaryDirectory(prefix="errata-dask-", ignore_cleanup_errors=True) as folder:
        settings = {"temporary-directory": folder, "distributed.scheduler.allowed-failures": 0}  # who submits a task counts its failures
        with dask.config.set(settings), _closing_at_last(start_uninterrupted(start)) as cluster, Client(cluster) as client:
            try:
                yield client
            finally:
                _kill_workers(cluster)


@contextmanager
def _closing_at_last(cluster: LocalCluster) -> Iterator[LocalCluster]:
    """Close a cluster, whatever state its workers are in: some may have died while they were started."""
    try:
        yield cluster
    finally:
        with suppress(Exception):
            cluster.close()


def _kill_workers(cluster: LocalCluster) -> None:
    """Kill the workers of a cluster that is closed next, which waits some seconds for each that is in the middle of a task."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGKILL)


@contextmanager
def _find_cluster(scheduler: str) -> Iterator[Client]:
    """Connect to the scheduler at an address, whose workers must have this version of errata."""
    from distributed import Client

    with _silenced():
        try:
            client = Client(scheduler, timeout=_SECONDS)
            client.wait_for_workers(1, timeout=_SECONDS)
        except (OSError, ValueError) as error:
            raise RequestError(f"there is no Dask scheduler with workers at {scheduler}: {error}") from error
        with client:
            _check_versions(client, scheduler)
            yield client


def _check_versions(client: Client, scheduler: str) -> None:
    from errata.scoring.dask_workers import get_version

    need = f"the workers of {scheduler} need errata {__version__}, as here"
    try:
        versions = client.run(get_version)
    except Exception as error:
        raise RequestError(f"{need}; found {type(error).__name__}: {error}") from error
    if others := {version for version in versions.values() if version != __version__}:
        raise RequestError(f"{need}; found {', '.join(sorted(others))}")


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep what Dask logs, for example that it restarts a worker, from the terminal."""
    import dask
    import distributed  # noqa: F401 - its loggers get their levels here

    loggers = [logging.getLogger(name) for name in tuple(logging.Logger.manager.loggerDict) if name.startswith("distributed")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "10GB"}):  # tasks are texts
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
