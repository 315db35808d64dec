"""What the workers of a Dask cluster keep; a file of its own, because it cannot be loaded without Dask."""

from __future__ import annotations

from distributed import WorkerPlugin

from errata.scoring.workers import Job


class JobPlugin(WorkerPlugin):  # type: ignore[misc]  # Dask has no types here
    """A job that a worker keeps.  The scheduler gives it to every worker, also to one that starts later in place of one that died."""

    def __init__(self, name: str, packed: bytes) -> None:
        self.name = name
        self._packed = packed
        self.job = Job(packed)

    def __reduce__(self) -> tuple[type[JobPlugin], tuple[str, bytes]]:
        return type(self), (self.name, self._packed)
