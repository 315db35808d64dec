"""What runs on the workers of a Dask cluster."""

from __future__ import annotations

from distributed import WorkerPlugin, get_worker

from errata import __version__
from errata.scoring.processes import Job


class JobPlugin(WorkerPlugin):  # type: ignore[misc]  # Dask has no types here
    """A job that a worker keeps.  The scheduler gives it to every worker, also to one that starts later in place of one that died."""

    def __init__(self, name: str, packed: bytes) -> None:
        self.name = name
        self._packed = packed
        self.job = Job(packed)

    def __reduce__(self) -> tuple[type[JobPlugin], tuple[str, bytes]]:
        return type(self), (self.name, self._packed)


class JobMissingError(Exception):
    """A worker was asked for a task before it got the job."""


def do_on_worker(name: str, task: bytes) -> bytes:
    """Do a task of a job; return its outcome."""
    plugin = get_worker().plugins.get(name)
    if not isinstance(plugin, JobPlugin):
        raise JobMissingError(name)
    return plugin.job.do(task)


def get_version() -> str:
    """Get the version of errata on a worker."""
    return __version__
