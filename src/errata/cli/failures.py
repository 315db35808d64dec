"""What the user is told if a command fails, and functions of the user."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from threading import Event
from typing import TYPE_CHECKING, Any

from errata.errors import ErrataError, RequestError, UsageError
from errata.plugins import name_failed_plugin
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType


# --- What the user is told if a command fails: one line, and an exit status.

INTERRUPTED, _BUG = 130, 70
"""Exit statuses: that of shells for SIGINT, and EX_SOFTWARE."""
INTERRUPT_RECEIVED = Event()
"""Whether the user has interrupted the process; whatever fails then, fails because of that."""
_TRACEBACK = "ERRATA_TRACEBACK"
"""The environment variable that asks for tracebacks."""
_WHILE_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EAGAIN)
_NO_MEMORY = ("failed to map segment", "cannot allocate memory", "can't start new thread")
"""What is said if a library cannot be loaded, or a thread cannot be started, for want of memory."""


def report_failure(error: BaseException) -> int:
    """Print why a command failed, and return the exit status."""
    causes = list(_causes(error))
    if INTERRUPT_RECEIVED.is_set() or any(isinstance(cause, KeyboardInterrupt) for cause in causes):
        print_to_stderr("errata: interrupted")
        return INTERRUPTED
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


# --- Functions that the user names as MODULE:FUNCTION; what fails in them is reported as theirs.


def find_function(text: str, option: str) -> Callable[[str], Sequence[str]]:
    """Find a function from a text to a list of texts; it is the user's own code that runs, also from the current folder."""
    module, colon, name = text.partition(":")
    if not (module and colon and name):
        raise UsageError(f"{option} is written MODULE:FUNCTION, found {text!r}")
    try:
        function = getattr(_import_also_from_here(module), name)
    except (Exception, SystemExit) as error:
        raise UsageError(f"{option} {text} cannot be loaded: {_describe(error)}") from error
    if not callable(function):
        raise UsageError(f"{option} {text} is not a function")

    def call(given: str) -> Sequence[str]:
        most = len(given) + 1
        try:
            result: Any = function(given)
            is_list = isinstance(result, Iterable) and not isinstance(result, str | bytes)
            pieces = list(islice(result, most + 1)) if is_list else []
        except (Exception, SystemExit) as error:
            raise RequestError(f"{option} {text} failed: {_describe(error)}") from error
        if not is_list:
            raise RequestError(f"{option} {text} must return a list of strings, found {type(result).__name__}")
        for piece in pieces:
            if not isinstance(piece, str):
                raise RequestError(f"{option} {text} must return a list of strings, found {type(piece).__name__} in it")
        if len(pieces) > most:
            raise RequestError(f"{option} {text} must return parts of the text, found more than {most:,} for {len(given):,} characters")
        return pieces

    return call


def _import_also_from_here(module: str) -> ModuleType:
    """Import a module that is installed, else from the current folder, which is searched for nothing else."""
    import sys
    from contextlib import suppress
    from importlib import import_module

    sys.path.append("")
    try:
        return import_module(module)
    finally:
        with suppress(ValueError):  # the module itself may have removed it
            del sys.path[len(sys.path) - 1 - sys.path[::-1].index("")]


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
