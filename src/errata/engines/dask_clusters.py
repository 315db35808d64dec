"""Dask clusters: those that are started here, and those that run elsewhere."""

from __future__ import annotations

import logging
import os
import signal
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from errata.engines.interrupts import cleaning_up_on_signals, start_uninterrupted
from errata.errors import RequestError
from errata.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from distributed import Client, LocalCluster

_SECONDS = 30
"""How long a scheduler and its first worker are waited for."""
_LOCAL = "127.0.0.1"


@contextmanager
def start_cluster(jobs: int) -> Iterator[Client]:
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
def find_cluster(scheduler: str) -> Iterator[Client]:
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
    from errata.engines.dask_work import get_version

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
