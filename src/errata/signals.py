"""Signals that end a program, and how they are made to wait."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that end a program without a word to Python."""


def are_handled_here() -> bool:
    """Whether this is the main thread: Python handles signals only there, so other threads are never interrupted."""
    return threading.current_thread() is threading.main_thread()


@contextmanager
def holding_signals() -> Iterator[None]:
    """Let signals wait until the end of the block."""
    if not are_handled_here():
        yield
        return
    waiting: list[int] = []
    handlers: dict[int, Any] = {}
    try:
        for number in (signal.SIGINT, *ENDING):
            if signal.getsignal(number) not in {None, signal.SIG_IGN}:
                handlers[number] = signal.signal(number, lambda number, _: waiting.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(waiting):
            signal.raise_signal(number)
