"""Work, tasks and results as bytes, for workers that share no memory with the caller.

What a task raised and what it warned of is sent with its result, so the caller sees the same as if it had done the task itself.
"""

from __future__ import annotations

import pickle
import threading
import traceback
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.engines.recorded_warnings import record_warnings
from errata.errors import ErrataError, RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from errata.engines.recorded_warnings import RecordedWarning

_UNSENDABLE = (pickle.PicklingError, AttributeError, TypeError)
"""What pickle raises for a function without a name, a lock, an open file."""


class RemoteTraceback(Exception):  # noqa: N818 - it is the cause of an error, to be shown with it
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
        raise outcome.error from RemoteTraceback(outcome.trace)
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
