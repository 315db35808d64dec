"""Progress of long work on standard error, which may be full or closed."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from threading import Timer
from typing import TYPE_CHECKING, Self

from errata.display import printable

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress, TaskID


def print_to_stderr(line: str) -> None:
    """Print a line, made safe for a terminal.

    If that fails nobody can be told; what a command does, and its status, must not depend on it.
    """
    with suppress(OSError, ValueError, AttributeError):
        print(printable(line), file=sys.stderr, flush=True)


_PATIENCE = 0.5
"""Seconds of work before a bar appears."""
_LONG = 5.0
"""Seconds before the notice about the slow core."""
_BETWEEN_LINES = 60.0
"""Seconds between two lines of a log."""
_FIRST_LINE = 10.0
"""Seconds before the first line of a log."""
_SHOWN: list[ProgressBar] = []
"""The bar on the terminal, if there is one: that of the work inside other work replaces the other."""
_SLOW_CORE = "errata: the core in plain Python is in use; it gives the same numbers as the compiled one but takes much longer"


class ProgressBar:
    """Counts steps; shows a bar after half a second, without an end if the total is not known.

    ``in_core`` says that the core does most of the work; if it is the one in plain Python, a notice is printed.
    ``counted`` names what is counted, such as sentences, for work that may take hours: the bar has its rate, and if standard error is
    not a terminal, a line is printed every minute.
    """

    def __init__(self, what: str, total: int | None, *, in_core: bool = False, counted: str = "") -> None:
        self._what = what
        self._counted = counted
        self._printed = time.monotonic() - _BETWEEN_LINES + _FIRST_LINE
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
        now = time.monotonic()
        if self._bar is None and now - self._started > _PATIENCE:
            self._show()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._done, rate=self._describe_rate(now))
        elif self._counted and not sys.stderr.isatty() and now - self._printed > _BETWEEN_LINES:
            self._printed = now
            print_to_stderr(f"errata: {self._what}: {self.describe(now - self._started)}")

    def _show(self) -> None:
        """Show the bar, if standard error is a terminal that can."""
        from errata.report.writers import open_console

        console = open_console(sys.stderr)
        if console is None:
            return
        from rich.markup import escape
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        for other in tuple(_SHOWN):
            other._hide()  # noqa: SLF001 - it appears again with its next step
        _SHOWN.append(self)
        rate = [TextColumn("{task.fields[rate]}")] if self._counted else []
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), *rate)
        self._bar = Progress(*columns, console=console, transient=True)
        self._task = self._bar.add_task(escape(printable(self._what)), total=self._total, rate="")
        self._bar.start()

    def _describe_rate(self, now: float) -> str:
        return f"{self._done / max(now - self._started, 1e-9):,.0f} {self._counted}/s" if self._counted else ""

    def describe(self, seconds: float) -> str:
        """Say how much was done in so many seconds, how fast, and how long the rest will take."""
        rate = self._done / max(seconds, 1e-9)
        of = "" if self._total is None else f" of {self._total:,}"
        left = "" if not self._total or not rate else f", {_describe_time((self._total - self._done) / rate)} left"
        return f"{self._done:,}{of} {self._counted}, {rate:,.0f} a second{left}"


def _describe_time(seconds: float) -> str:
    """Say how long, in the unit that fits.

    >>> _describe_time(42.4), _describe_time(300), _describe_time(9000)
    ('42 s', '5 min', '2 h 30 min')
    """
    if seconds < 100:  # noqa: PLR2004 - two digits
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"  # noqa: PLR2004


def _slow_core_notice() -> Timer | None:
    """Make a timer that prints the notice about the slow core; None if the core is fast."""
    from errata.core import NAME

    if NAME != "python":
        return None
    notice = Timer(_LONG, print_to_stderr, (_SLOW_CORE,))
    notice.daemon = True
    return notice
