"""Progress of long work on standard error: a bar on a terminal, and a notice if the slow core is in use."""

from __future__ import annotations

import sys
import time
from threading import Timer
from typing import TYPE_CHECKING, Self

from errata.report.markup import is_dumb, wants_styles
from errata.report.standard_error import print_to_stderr
from errata.report.streams import get_unfiltered
from errata.report.text import printable

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress, TaskID

_PATIENCE = 0.5
"""Seconds of work before a bar appears."""
_LONG = 5.0
"""Seconds before the notice about the slow core."""
_SHOWN: list[ProgressBar] = []
"""The bar on the terminal, if there is one: that of the work inside other work replaces the other."""
_SLOW_CORE = "errata: the core in plain Python is in use; it gives the same numbers as the compiled one but takes much longer"


class ProgressBar:
    """Counts steps; shows a bar after half a second, without an end if the total is not known.

    ``in_core`` says that the core does most of the work; if it is the one in plain Python, a notice is printed.
    """

    def __init__(self, what: str, total: int | None, *, in_core: bool = False) -> None:
        self._what = what
        self._notice = _slow_core_notice() if in_core else None
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if self._notice is not None:
            self._notice.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._notice is not None:
            self._notice.cancel()
        self._hide()

    def _hide(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            _SHOWN.remove(self)

    def advance(self, steps: int) -> None:
        """Count finished steps."""
        self._done += steps
        if self._bar is None and sys.stderr.isatty() and not is_dumb() and time.monotonic() - self._started > _PATIENCE:
            from rich.console import Console
            from rich.markup import escape
            from rich.progress import Progress

            console = Console(file=get_unfiltered(sys.stderr), color_system="auto" if wants_styles() else None)
            for other in tuple(_SHOWN):
                other._hide()  # noqa: SLF001 - it appears again with its next step
            _SHOWN.append(self)
            self._bar = Progress(console=console, transient=True)
            self._task = self._bar.add_task(escape(printable(self._what)), total=self._total)
            self._bar.start()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._done)


def _slow_core_notice() -> Timer | None:
    """Make a timer that prints the notice about the slow core; None if the core is fast."""
    from errata.core import NAME

    if NAME != "python":
        return None
    notice = Timer(_LONG, print_to_stderr, (_SLOW_CORE,))
    notice.daemon = True
    return notice
