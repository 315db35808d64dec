"""Several tasks at a time in processes of their own, for work that holds the interpreter's lock."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
import warnings
from contextlib import closing, suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from errata.errors import ErrataError, RequestError, pluralise
from errata.scoring.engines import block_interrupts, record_warnings, run_in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from errata.scoring.engines import RecordedWarning, ResultValue, SharedValue, TaskValue


# --- Work, tasks and results as bytes, for workers that share no memory with the caller.
#
# What a task raised and what it warned of is sent with its result, so the caller sees the same as if it had done the task itself.

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
    warned: list[RecordedWarning]


class Job:
    """A function and what its tasks share, in a worker: loaded with the first task."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._loaded: tuple[Callable[[Any, Any], Any], Any] | None = None
        self._lock = threading.Lock()

    def do(self, task: bytes) -> bytes:
        """Do a task; return the outcome for :func:`open_outcome`."""
        result, failed, trace = None, None, ""
        with record_warnings() as warned:
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


def pack_job(work: Callable[[Any, Any], Any], shared: Any) -> bytes:
    """Pickle what :class:`Job` needs."""
    return _pack((work, shared), "the work")


def pack_task(task: Any) -> bytes:
    """Pickle a task."""
    return _pack(task, "a task")


def open_outcome(packed: bytes) -> Any:
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


# --- Several tasks at a time in processes of their own, for work that holds the interpreter's lock.
#
# Each thread of a pool has a worker process, sends it a task and waits for the outcome.  A worker is a fresh interpreter (17 ms, where
# ``multiprocessing`` takes 60 ms) that imports what its work needs and nothing of the caller's script; forking is not safe in a process
# with threads.  If a worker is killed, its thread starts another one and sends the task again.

_MOST_LOST = 10
"""How many workers may be killed by one task."""
_PROGRAM = (
    "import gc, sys; sys.path[:] = {path!r}; gc.set_threshold{threshold!r}; "
    "from errata.scoring.processes import _serve_tasks; _serve_tasks()"
)


@dataclass(frozen=True)
class ProcessEngine:
    """Does tasks in processes, which end with the last result, with an exception and with this process.

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
        """Yield results in the order in which they finish."""
        crew = _Crew(pack_job(work, shared), self.most_lost)
        packed = (pack_task(task) for task in tasks)
        results = run_in_threads(crew.do, packed, self.jobs, block_interrupts, crew.stop, one_each=one_each)
        with closing(crew), closing(results) as outcomes:
            for outcome in outcomes:
                yield open_outcome(outcome)


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


# --- A worker process: it reads tasks from standard input and writes their outcomes to standard output.
#
# A message is bytes in a pickle: they arrive whole, whatever they contain.

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
