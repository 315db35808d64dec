"""Work in other processes: in worker processes of this machine, or on a Dask cluster of any number of machines.

Workers share no memory with the caller: work, tasks and results travel as bytes.  What a task raised and what it warned of is sent with
its result, so the caller sees the same as if it had done the task itself.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import threading
import traceback
import warnings
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from errata import __version__
from errata.errors import ErrataError, RequestError, pluralise
from errata.formats.writing import ENDING, are_handled_here, holding_signals
from errata.scoring.engines import TASKS_PER_JOB, count_cores, run_in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from contextlib import AbstractContextManager

    from distributed import Client, Future, LocalCluster

    from errata.scoring.engines import ResultValue, SharedValue, TaskValue


_RecordedWarning = tuple[str, type[Warning], str, int]
"""Text, category, file and line."""


class _Recorder:
    """Takes the place of what shows warnings while some thread records its own.

    ``warnings.catch_warnings`` is for a process that does one thing at a time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lists: dict[int, list[_RecordedWarning]] = {}
        self._before: warnings.catch_warnings[None] | None = None
        self._show_others = warnings.showwarning

    @contextmanager
    def record(self) -> Iterator[list[_RecordedWarning]]:
        """Record the warnings of this thread inside ``with``, all of them, in a list."""
        own: list[_RecordedWarning] = []
        with self._lock:
            if self._before is None:
                self._before = warnings.catch_warnings()
                self._before.__enter__()
                self._show_others, warnings.showwarning = warnings.showwarning, self._show  # type: ignore[assignment]
                warnings.simplefilter("always")
            self._lists[threading.get_ident()] = own
        try:
            yield own
        finally:
            with self._lock:
                del self._lists[threading.get_ident()]
                if not self._lists and self._before is not None:
                    self._before.__exit__(None, None, None)
                    self._before = None

    def _show(self, message: Warning, category: type[Warning], filename: str, lineno: int, *rest: object) -> None:
        own = self._lists.get(threading.get_ident())
        if own is not None:
            own.append((str(message), category, filename, lineno))
        else:
            self._show_others(message, category, filename, lineno, *rest)  # type: ignore[arg-type]


_RECORDER = _Recorder()


# --- Work, tasks and outcomes as bytes.

_UNSENDABLE = (pickle.PicklingError, AttributeError, TypeError)
"""What pickle raises for a function without a name, a lock, an open file."""


class _RemoteTraceback(Exception):  # noqa: N818 - it is the cause of an error, to be shown with it
    """The traceback of an error in a worker."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class _Outcome(NamedTuple):
    result: Any
    error: BaseException | None
    trace: str
    warned: list[_RecordedWarning]


class Job:
    """A function and what its tasks share, in a worker: loaded with the first task."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._loaded: tuple[Callable[[Any, Any], Any], Any] | None = None
        self._lock = threading.Lock()

    def do(self, task: bytes) -> bytes:
        """Do a task; return the outcome for ``_open_outcome``."""
        result, failed, trace = None, None, ""
        with _RECORDER.record() as warned:
            try:
                work, shared = self._load()
                result = work(shared, _load(task))
            except BaseException as error:  # noqa: BLE001 - it is raised where the result is wanted
                failed, trace = _make_portable(error), traceback.format_exc()
        try:
            return _pack(_Outcome(result, failed, trace, warned), "a result")
        except RequestError as error:
            return _pack(_Outcome(None, error, trace, []), "")

    def _load(self) -> tuple[Callable[[Any, Any], Any], Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded, self._packed = _load(self._packed), b""
            return self._loaded


def _open_outcome(packed: bytes) -> Any:
    """Return the result of a task, or raise what it raised; its warnings are given again."""
    outcome: _Outcome = pickle.loads(packed)  # noqa: S301 - from our own worker
    for text, category, file, line in outcome.warned:
        warnings.warn_explicit(text, category, file, line)
    if outcome.error is not None:
        raise outcome.error from _RemoteTraceback(outcome.trace)
    return outcome.result


def _pack(content: Any, what: str) -> bytes:
    try:
        return pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL)
    except _UNSENDABLE as error:
        raise RequestError(f"{what} cannot be sent to another process: {error}; use threads") from error


def _load(packed: bytes) -> Any:
    try:
        return pickle.loads(packed)  # noqa: S301 - from the process that started this one
    except (ImportError, AttributeError) as error:
        reason = f"{error}; what a script or a notebook defines must be in a module, or use threads"
        raise RequestError(f"a worker process cannot load its work: {reason}") from error


def _make_portable(error: BaseException) -> BaseException:
    """Return an exception that can be sent: itself, or one that says the same."""
    try:
        same = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
        if type(same) is type(error) and str(same) == str(error):
            return error
    except Exception:  # noqa: BLE001, S110 - an exception may be pickled by any code
        pass
    kinds = (kind for kind in type(error).__mro__ if issubclass(kind, ErrataError) and kind.__init__ is Exception.__init__)
    kind = next(kinds, None)
    return kind(str(error)) if kind is not None else RuntimeError(f"{type(error).__name__}: {error}")


# --- Worker processes of this machine.

_MOST_LOST = 10
"""How many workers may be killed by one task."""
_PROGRAM = (
    "import gc, sys; sys.path[:] = {path!r}; gc.set_threshold{threshold!r}; from errata.scoring.workers import _serve_tasks; _serve_tasks()"
)


@dataclass(frozen=True)
class ProcessEngine:
    """Does tasks in processes, for work that holds the interpreter's lock.  They end with the last result, an exception or this process.

    Each thread of a pool has a worker process, sends it a task and waits for the outcome.  A worker is a fresh interpreter (17 ms, where
    ``multiprocessing`` takes 60 ms) that imports what its work needs and nothing of the caller's script; forking is not safe in a process
    with threads.
    A task whose worker is killed, for example for want of memory, is done again by another worker, ``most_lost`` times at most.
    """

    jobs: int
    most_lost: int = _MOST_LOST
    name = "processes"

    def run(
        self,
        work: Callable[[SharedValue, TaskValue], ResultValue],
        shared: SharedValue,
        tasks: Iterable[TaskValue],
        *,
        one_each: bool = False,
    ) -> Generator[ResultValue]:
        crew = _Crew(_pack((work, shared), "the work"), self.most_lost)
        packed = (_pack(task, "a task") for task in tasks)
        results = run_in_threads(crew.do, packed, self.jobs, _block_interrupts, crew.stop, one_each=one_each)
        with closing(crew), closing(results) as outcomes:
            for outcome in outcomes:
                yield _open_outcome(outcome)


class _Crew:
    """The workers, one for each thread that has a task for it."""

    def __init__(self, job: bytes, most_lost: int) -> None:
        self._job, self._most_lost = job, most_lost
        self._workers: dict[int, _Worker] = {}
        self._lock = threading.Lock()
        self._stopped = False

    def do(self, task: bytes) -> bytes:
        """Have a task done by the worker of this thread, and by another one if it is killed; return the outcome."""
        status = 0
        for _ in range(self._most_lost):
            worker = self._get_worker()
            try:
                return worker.ask(task)
            except _ENDED:
                status = worker.end()
                with self._lock:
                    self._workers.pop(threading.get_ident(), None)
        lost = pluralise(self._most_lost, "worker process", "worker processes")
        raise RequestError(f"{lost} ended in the same task, the last with {_describe_status(status)}; fewer jobs need less memory")

    def _get_worker(self) -> _Worker:
        own = threading.get_ident()
        with self._lock:
            if self._stopped:
                raise RequestError("the work was stopped")
            if own not in self._workers:
                self._workers[own] = _Worker(self._job)
            return self._workers[own]

    def stop(self) -> None:
        """Kill all workers, so that the threads need not wait for them."""
        with self._lock:
            self._stopped = True
            for worker in self._workers.values():
                worker.kill()

    def close(self) -> None:
        """Leave nothing open, after the threads have ended."""
        for worker in self._workers.values():
            worker.end()


class _Worker:
    """A worker process and its pipes."""

    def __init__(self, job: bytes) -> None:
        import subprocess
        import sys

        program = _PROGRAM.format(path=sys.path, threshold=gc.get_threshold())
        errors = None if _is_open(2) else subprocess.DEVNULL
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter
            [sys.executable, "-P", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        )
        self._job: bytes | None = job

    def ask(self, task: bytes) -> bytes:
        """Have a task done; raise one of ``_ENDED`` if the process has ended."""
        process = self._process
        assert process.stdin is not None  # noqa: S101 - both are pipes
        assert process.stdout is not None  # noqa: S101
        if self._job is not None:
            _send_message(process.stdin, self._job)
            self._job = None
        _send_message(process.stdin, task)
        return _receive_message(process.stdout)

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()

    def end(self) -> int:
        """Kill the process and close its pipes; return its exit status."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was not written yet is not needed
                if pipe is not None:
                    pipe.close()
        return self._process.wait()


def _is_open(file: int) -> bool:
    try:
        os.fstat(file)
    except OSError:
        return False
    return True


def _describe_status(status: int) -> str:
    if status < 0:
        with suppress(ValueError):
            return f"signal {signal.Signals(-status).name}"
    return f"exit status {status}"


def _block_interrupts() -> None:
    """Block interrupts in this thread, and in the threads and processes that it starts.

    Ctrl-C reaches every process of a terminal, and only the caller must answer it.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


# --- In a worker process: it reads tasks from standard input and writes their outcomes to standard output.  A message is bytes in a
# pickle: they arrive whole, whatever they contain.

_ENDED = (EOFError, OSError, pickle.UnpicklingError)
"""What is raised if the process at the other end of a pipe has ended, also in the middle of a message."""


def _send_message(stream: IO[bytes], content: bytes) -> None:
    """Write one message."""
    pickle.dump(content, stream, protocol=pickle.HIGHEST_PROTOCOL)
    stream.flush()


def _receive_message(stream: IO[bytes]) -> bytes:
    """Read one message."""
    content: bytes = pickle.load(stream)  # noqa: S301 - from our own process
    return content


def _serve_tasks() -> None:
    """Do tasks until standard input ends.  The first message is the work."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # nothing that a library prints is taken for an outcome
    messages = _receive_all(requests)
    job = Job(next(messages))
    for task in messages:
        _send_message(replies, job.do(task))


def _receive_all(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield messages.  A thread waits for them, so that this process ends as soon as the other one does, also inside of a task."""
    received: SimpleQueue[bytes] = SimpleQueue()

    def receive() -> None:
        while True:
            try:
                received.put(_receive_message(stream))
            except _ENDED:
                os._exit(0)

    Thread(target=receive, daemon=True).start()
    while True:
        yield received.get()


# --- Dask.

_MOST_LOST_ON_CLUSTER = 50
"""How many workers may die in one task."""


class DaskEngine:
    """Does tasks on a Dask cluster.  ``scheduler`` is the address of one that runs; without it, one is started on this machine.

    A worker that dies costs time and nothing else: its tasks are given to others, and a worker that takes its place gets the job too.
    """

    name = "dask"

    def __init__(self, jobs: int | None = None, scheduler: str | None = None, most_lost: int = _MOST_LOST_ON_CLUSTER) -> None:
        from importlib.util import find_spec

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
        del one_each  # a worker would wait for texts on their way
        from uuid import uuid4

        from errata.scoring.dask_workers import JobPlugin

        name, packed = f"errata-{uuid4().hex}", _pack((work, shared), "the work")
        with self._connect() as client:
            client.register_plugin(JobPlugin(name, packed))
            try:
                for outcome in _Submissions(client, name, self._most_lost).run(tasks, TASKS_PER_JOB * self.jobs):
                    yield _open_outcome(outcome)
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
                finished.add(self._submit(_pack(task, "a task"), 0))
            if not self._tasks:
                return
            future = next(finished)
            outcome = self._collect(future)
            if isinstance(outcome, bytes):
                yield outcome
            else:
                finished.add(outcome)

    def _submit(self, task: bytes, lost: int) -> Future:
        from uuid import uuid4

        with holding_signals():  # Dask complains of a future that is not complete
            future = self._client.submit(_do_on_worker, self._name, task, key=f"{self._name}-{uuid4().hex}", pure=False)
            self._tasks[future] = task, lost
        return future

    def _collect(self, future: Future) -> bytes | Future:
        """Return the outcome of a task, or its next submission if workers died with it."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        task, lost = self._tasks.pop(future)
        try:
            outcome: bytes = future.result()
        except KilledWorker as error:
            lost += 1 + error.allowed_failures
        except (CancelledError, _JobMissingError):
            lost += 1
        else:
            return outcome
        if self._client.status != "running":
            raise RequestError("the connection to the Dask scheduler is lost")
        if lost >= self._most_lost:
            raise RequestError(f"{pluralise(lost, 'Dask worker')} died in the same task, perhaps for want of memory")
        return self._submit(task, lost)


class _JobMissingError(Exception):
    """A worker was asked for a task before it got the job."""


def _do_on_worker(name: str, task: bytes) -> bytes:
    """Do a task of a job on a worker of a cluster; return its outcome."""
    from distributed import get_worker

    from errata.scoring.dask_workers import JobPlugin

    plugin = get_worker().plugins.get(name)
    if not isinstance(plugin, JobPlugin):
        raise _JobMissingError(name)
    return plugin.job.do(task)


_SECONDS = 30
"""How long a scheduler and its first worker are waited for."""
_LOCAL = "127.0.0.1"


@contextmanager
def _start_cluster(jobs: int) -> Iterator[Client]:
    """Start a cluster of processes that nobody outside of this machine can reach; it ends with the block."""
    import logging
    from tempfile import TemporaryDirectory

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

    with _cleaning_up_on_signals(), _silenced(), TemporaryDirectory(prefix="errata-dask-", ignore_cleanup_errors=True) as folder:
        settings = {"temporary-directory": folder, "distributed.scheduler.allowed-failures": 0}  # who submits a task counts its failures
        with dask.config.set(settings), _closing_at_last(_start_uninterrupted(start)) as cluster, Client(cluster) as client:
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
    need = f"the workers of {scheduler} need errata {__version__}, as here"
    try:
        versions = client.run(_get_version)
    except Exception as error:
        raise RequestError(f"{need}; found {type(error).__name__}: {error}") from error
    if others := {version for version in versions.values() if version != __version__}:
        raise RequestError(f"{need}; found {', '.join(sorted(others))}")


def _get_version() -> str:
    """Get the version of errata on a worker."""
    return __version__


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep what Dask logs, for example that it restarts a worker, from the terminal."""
    import logging

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


class _Closes(Protocol):
    def close(self) -> object: ...


_Closing = TypeVar("_Closing", bound=_Closes)


def _start_uninterrupted(start: Callable[[], _Closing]) -> _Closing:
    """Start something whose threads and processes get no interrupts; if the caller gets one meanwhile, it is closed at once."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, initializer=_block_interrupts) as pool:
        started = pool.submit(start)
        try:
            return started.result()
        except KeyboardInterrupt:
            with suppress(Exception):
                started.result().close()
            raise


@contextmanager
def _cleaning_up_on_signals() -> Iterator[None]:
    """Leave the block if a signal ends the program, so that it cleans up; then the program ends by that signal."""
    ending = ENDING if are_handled_here() else ()
    caught: list[int] = []

    def leave(number: int, _: object) -> None:
        caught.append(number)
        raise KeyboardInterrupt

    handlers = {number: signal.signal(number, leave) for number in ending if signal.getsignal(number) is signal.SIG_DFL}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if caught:
            signal.raise_signal(caught[0])
