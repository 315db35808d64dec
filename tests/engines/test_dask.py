"""The engine on a Dask cluster, that of a run and one that runs elsewhere: workers that die cost time, not numbers."""

from __future__ import annotations

import importlib.util
import os
import signal
import threading
import warnings
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from errata.errors import FormatError, InputWarning, RequestError
from errata.scoring import DaskEngine, make_engine, workers

import engine_work

pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a cluster with two workers."""
    with workers._start_cluster(2) as client:
        yield client.scheduler.address


@pytest.fixture
def cluster(scheduler: str) -> DaskEngine:
    return DaskEngine(None, scheduler)


def test_results_on_a_cluster(cluster: DaskEngine) -> None:
    assert cluster.jobs == 2
    for tasks in (0, 1, 20):
        assert sorted(cluster.run(engine_work.add, 7, range(tasks))) == list(range(7, 7 + tasks))
    shared = bytes(2_000_000)
    assert [len(result) for result in cluster.run(engine_work.add_big, shared, [bytes(500_000)] * 3)] == [2_500_000] * 3


def test_exceptions_and_warnings_on_a_cluster(cluster: DaskEngine) -> None:
    with pytest.raises(FormatError, match=r"gold\.m2:17"):
        list(cluster.run(engine_work.fail, "format", range(20)))
    with pytest.raises(RuntimeError, match="OddError: it is odd"):
        list(cluster.run(engine_work.fail, "odd", [3]))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(cluster.run(engine_work.warn, "odd line", range(3)))
    ours = [str(warning.message) for warning in caught if warning.category is InputWarning]
    assert sorted(ours) == ["odd line 0", "odd line 1", "odd line 2"]


def test_few_tasks_are_taken_ahead_on_a_cluster(cluster: DaskEngine) -> None:
    taken = count()
    with closing(cluster.run(engine_work.add, 0, taken)) as results:  # they have no end
        for _ in range(5):
            next(results)
        assert next(taken) <= 5 + 2 * cluster.jobs


def test_a_cluster_forgets_the_work(cluster: DaskEngine, scheduler: str) -> None:
    list(cluster.run(engine_work.add, 7, range(3)))
    with workers._find_cluster(scheduler) as client:
        kept = client.run(list_plugins)
    assert [name for names in kept.values() for name in names if name.startswith("errata")] == []


def list_plugins(dask_worker: object) -> list[str]:
    return list(dask_worker.plugins)  # type: ignore[attr-defined]


def test_workers_of_another_version(cluster: DaskEngine, scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from errata import __version__

    monkeypatch.setattr(workers, "__version__", "99.0")
    expected = f"the workers of {scheduler} need errata 99.0, as here; found {__version__}"
    with pytest.raises(RequestError, match=expected):
        list(cluster.run(engine_work.add, 1, [1]))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tcp://nowhere.invalid:1", "pigeon://1"])
def test_no_cluster_there(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_SECONDS", 0.3)
    with pytest.raises(RequestError, match=f"there is no Dask scheduler with workers at {address}: "):
        make_engine(f"dask:{address}", None, "threads")


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(RequestError, match=r"the engine dask needs Dask, which is not installed: pip install 'errata\[dask\]'"):
        make_engine("dask", 2, "threads")


@pytest.mark.slow
def test_workers_that_are_killed_cost_only_time(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    killed: list[int] = []
    killer = threading.Thread(target=lambda: killed.extend(engine_work.kill_workers(tmp_path, 4)))
    killer.start()
    results = []
    with closing(make_engine("dask", 2, "threads").run(engine_work.leave_trace, tmp_path, count())) as all_results:
        for result in all_results:
            results.append(result)
            if not killer.is_alive() and len(results) >= 30:
                break
    killer.join()
    assert len(killed) == 4
    assert len(set(results)) == len(results)
    assert set(range(max(results) - 4)) <= set(results)
    assert engine_work.list_running(tmp_path) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_a_task_that_kills_workers_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="2 Dask workers died in the same task, perhaps for want of memory"):
        list(DaskEngine(1, most_lost=2).run(engine_work.die, tmp_path, [3]))


@pytest.mark.slow
def test_a_signal_ends_a_cluster_quietly(tmp_path: Path) -> None:
    """As a batch system sends it when the time is over."""
    script = engine_work.start_script("dask", tmp_path)
    script.terminate()
    assert script.communicate(timeout=60)[1] == ""
    assert script.returncode == -signal.SIGTERM
    assert engine_work.wait_until_none_runs(tmp_path / "traces") == []
    assert [path.name for path in tmp_path.iterdir()] == ["traces"]


@pytest.mark.slow
def test_an_interrupt_from_the_terminal_ends_a_cluster_quietly(tmp_path: Path) -> None:
    """It reaches the workers too; nothing is left, no process and no folder."""
    script = engine_work.start_script("dask", tmp_path)
    os.killpg(script.pid, signal.SIGINT)
    assert script.communicate(timeout=60) == ("interrupted\n", "")
    assert engine_work.wait_until_none_runs(tmp_path / "traces") == []
    assert [path.name for path in tmp_path.iterdir()] == ["traces"]
