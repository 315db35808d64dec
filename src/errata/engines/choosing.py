"""Engines by name, as they are given on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from errata.engines.cores import count_cores
from errata.errors import UsageError, suggest

if TYPE_CHECKING:
    from errata.engines.engine import Engine

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
        from errata.engines.dask_engine import DaskEngine

        return DaskEngine(jobs, text.removeprefix(_SCHEDULER) if text != "dask" else None)
    jobs = jobs or count_cores()
    if text is None and jobs == 1:
        from errata.engines.serial import SerialEngine

        return SerialEngine()
    if (text or prefer) == "processes":
        from errata.engines.processes import ProcessEngine

        return ProcessEngine(jobs)
    from errata.engines.threads import ThreadEngine

    return ThreadEngine(jobs)
