"""Interrupts while other threads and processes work: Ctrl-C reaches every process of a terminal, and only the caller must answer it."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol, TypeVar

from errata.formats.writing import ENDING, are_handled_here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class _Closes(Protocol):
    def close(self) -> object: ...


_Closing = TypeVar("_Closing", bound=_Closes)


def block_interrupts() -> None:
    """Block interrupts in this thread, and in the threads and processes that it starts."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


@contextmanager
def cleaning_up_on_signals() -> Iterator[None]:
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


def start_uninterrupted(start: Callable[[], _Closing]) -> _Closing:
    """Start something whose threads and processes get no interrupts; if the caller gets one meanwhile, it is closed at once."""
    with ThreadPoolExecutor(1, initializer=block_interrupts) as pool:
        started = pool.submit(start)
        try:
            return started.result()
        except KeyboardInterrupt:
            with suppress(Exception):
                started.result().close()
            raise


def is_interrupt(error: BaseException | None) -> bool:
    """Tell whether an exception is an interrupt, or the end of a generator because of one."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None
