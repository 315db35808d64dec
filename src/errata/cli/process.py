"""The process that runs a command: its memory, interrupts that Python would lose, and its end."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from errata.cli import main
from errata.cli.failures import INTERRUPT_RECEIVED, INTERRUPTED
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    from types import FrameType
    from typing import TextIO

_OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""New objects until Python looks for garbage in cycles; by default it does so after 700, and most of a command's objects are its input."""
_SOON = 0.01
"""Seconds until a lost interrupt is repeated."""


def run_process() -> int:
    """Run errata with the arguments of the process; return its exit status, with nothing left to write or to be interrupted."""
    sys.unraisablehook = lambda lost: _report_lost(lost.exc_type, lost.exc_value)
    sys.excepthook = lambda kind, error, _: _report_lost(kind, error)  # C code prints exceptions with it before it raises others
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # it is ignored in the background
        signal.signal(signal.SIGINT, _interrupt)
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    status = main()
    for stream in (sys.stdout, sys.stderr):
        _finish(stream)
    if status == INTERRUPTED:
        os._exit(status)  # Python may have another status if it was interrupted inside of a library
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # while Python ends, an interrupt would only print a traceback
    return status


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Remember the interrupt, because some library may turn it into another exception, and raise it."""
    INTERRUPT_RECEIVED.set()
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
