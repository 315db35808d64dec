"""The process that runs a command: interrupts that Python would lose, what the user is told if it fails, and its end."""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from errata.errors import ErrataError, RequestError
from errata.plugins import name_failed_plugin
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import TextIO

_INTERRUPTED, _BUG = 130, 70
"""Exit statuses: that of shells for SIGINT, and EX_SOFTWARE."""
_INTERRUPT_RECEIVED = threading.Event()
"""Whether the user has interrupted the process; whatever fails then, fails because of that."""
_TRACEBACK = "ERRATA_TRACEBACK"
"""The environment variable that asks for tracebacks."""
_WHILE_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EAGAIN)
_NO_MEMORY = ("failed to map segment", "cannot allocate memory", "can't start new thread")
"""What is said if a library cannot be loaded, or a thread cannot be started, for want of memory."""
_OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""New objects until Python looks for garbage in cycles; by default it does so after 700, and most of a command's objects are its input."""
_SOON = 0.01
"""Seconds until a lost interrupt is repeated."""


def run_process() -> int:
    """Run errata with the arguments of the process; return its exit status, with nothing left to write or to be interrupted."""
    from errata.cli import main

    sys.unraisablehook = lambda lost: _report_lost(lost.exc_type, lost.exc_value)
    sys.excepthook = lambda kind, error, _: _report_lost(kind, error)  # C code prints exceptions with it before it raises others
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # it is ignored in the background
        signal.signal(signal.SIGINT, _interrupt)
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    status = main()
    for stream in (sys.stdout, sys.stderr):
        _finish(stream)
    if status == _INTERRUPTED:
        os._exit(status)  # Python may have another status if it was interrupted inside of a library
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # while Python ends, an interrupt would only print a traceback
    return status


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Remember the interrupt, because some library may turn it into another exception, and raise it."""
    _INTERRUPT_RECEIVED.set()
    signal.default_int_handler(number, frame)


def _report_lost(kind: type[BaseException], error: BaseException | None) -> None:
    """Handle an exception that Python or a library would print and forget, such as one in the end of an object.

    An interrupt is repeated, so that the user need not; for want of memory nothing can be said; anything else is a line.
    """
    if issubclass(kind, KeyboardInterrupt):
        again = threading.Timer(_SOON, os.kill, (os.getpid(), signal.SIGINT))
        again.daemon = True
        again.start()
    elif not issubclass(kind, MemoryError):
        print_to_stderr(f"errata: warning: ignored {kind.__name__}: {error}")


def _finish(stream: TextIO | None) -> None:
    """Write what is buffered; if that is impossible, drop it: Python would try again, and print a traceback."""
    if stream is None:
        return
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def report_failure(error: BaseException) -> int:
    """Print why a command failed, and return the exit status."""
    causes = list(_causes(error))
    if _INTERRUPT_RECEIVED.is_set() or any(isinstance(cause, KeyboardInterrupt) for cause in causes):
        print_to_stderr("errata: interrupted")
        return _INTERRUPTED
    if isinstance(error, BrokenPipeError):
        return 0  # the reader of a pipe has seen enough
    if lacking := next((cause for cause in causes if _is_lack_of_memory(cause)), None):
        message, status = _describe_lack(lacking), RequestError.exit_status
    elif isinstance(error, ErrataError):
        message, status = getattr(error, "detail", "") or str(error), error.exit_status  # with what only organisers may know
    elif (failed := name_failed_plugin(error)) is not None:
        message, status = failed, RequestError.exit_status
    elif isinstance(error, OSError):
        message, status = _describe_system_error(error)
    elif isinstance(error, ImportError):
        message = f"{type(error).__name__}: {error}; part of the installation is missing or damaged: errata doctor says which"
        status = _BUG
    else:
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        advice = f"{_TRACEBACK}=1 shows where" if not os.environ.get(_TRACEBACK) else "please report it with the traceback"
        message = f"{type(error).__name__}: {error}{notes}; this is a bug in errata, and {advice}"
        status = _BUG
    if os.environ.get(_TRACEBACK) and not isinstance(error, ErrataError):
        import traceback

        with suppress(OSError, ValueError):
            traceback.print_exception(error, file=sys.stderr)
    print_to_stderr(f"errata: error: {message}")
    return status


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and those that led to it; C code may turn an interrupt, or a lack of memory, into another exception."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _is_lack_of_memory(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    said = str(error).lower() if isinstance(error, ImportError | OSError | RuntimeError) else ""
    return isinstance(error, MemoryError) or any(words in said for words in _NO_MEMORY)


def _describe_lack(error: BaseException) -> str:
    what = str(error).partition("\n")[0].replace("std::bad_alloc", "")
    return f"not enough memory{f': {what}' if what else '; a smaller --max-tokens refuses the lines that need most'}"


def _describe_system_error(error: OSError) -> tuple[str, int]:
    """Describe an error of the system that no reader and no writer has explained."""
    reason = error.strerror or str(error)
    if error.filename is None:  # writers name their files, so what cannot be written is what is printed
        return f"cannot write to standard output: {reason}" if error.errno in _WHILE_WRITING else reason, RequestError.exit_status
    name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes | os.PathLike) else str(error.filename)
    return f"{name}: {reason}", ErrataError.exit_status
