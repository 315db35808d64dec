"""Charts drawn in another process, which starts while this one still scores.

To import the libraries and to start their engine takes a second, and the engine holds the lock of the interpreter, so a thread would
not help.  The engine also ends its process if it finds too little memory, so it is never started in this one.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple, Self

from errata.errors import RequestError, UsageError
from errata.report.charts.inline import render_svg
from errata.report.charts.libraries import explain_missing_charts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.report.charts.drawings import Drawing

_PROGRAM = "import sys; sys.path[:] = {path!r}; from errata.report.charts.drawing_process import serve; serve()"
_ENDED = "the process that draws charts ended, perhaps for want of memory"


class DrawnChart(NamedTuple):
    """A chart as SVG, or why it could not be drawn."""

    drawing: Drawing
    svg: str
    reason: str


class DrawingProcess:
    """A process that prepares to draw charts, and draws them when it is asked, once or several times."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._asked: list[Drawing] = []
        if explain_missing_charts() or not sys.executable or getattr(sys, "frozen", False):
            return
        command = [sys.executable, "-P", "-c", _PROGRAM.format(path=sys.path)]
        try:
            self._child = subprocess.Popen(  # noqa: S603 - this interpreter
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError:
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if it still runs."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was not written yet is not needed
                    continue
        child.wait()

    def begin(self, drawings: Sequence[Drawing], prefix: str = "chart") -> None:
        """Begin to draw charts, as :func:`~errata.report.charts.inline.render_svgs` does."""
        self._asked = list(drawings)
        if self._child is None or self._child.stdin is None:
            return
        try:
            pickle.dump((self._asked, prefix), self._child.stdin)
            self._child.stdin.flush()
        except OSError:  # it has ended
            self.close()

    def collect(self) -> list[DrawnChart]:
        """Wait for the charts; each that cannot be drawn has a reason."""
        results = [("", _ENDED)] * len(self._asked)
        if self._child is not None and self._child.stdout is not None:
            try:
                results = pickle.load(self._child.stdout)  # noqa: S301 - from our own process
            except (EOFError, OSError, pickle.UnpicklingError):
                self.close()
            except BaseException:
                self.close()
                raise
        return [DrawnChart(drawing, *result) for drawing, result in zip(self._asked, results, strict=True)]


def serve() -> None:
    """Prepare, then read drawings from standard input and write charts to standard output, until the input ends."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints is taken for a drawing
    _prepare()
    while True:
        try:
            drawings, prefix = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own process
        except EOFError:
            return
        pickle.dump([_draw(drawing, prefix, number) for number, drawing in enumerate(drawings, start=1)], output)
        output.flush()


def _draw(drawing: Drawing, prefix: str, number: int) -> tuple[str, str]:
    try:
        return render_svg(drawing, prefix, number), ""
    except (RequestError, UsageError, MemoryError) as error:
        return "", str(error) or "there is not enough memory"


def _prepare() -> None:
    """Import what charts need, and start the engine."""
    import vl_convert

    import errata.report.charts.drawings  # noqa: F401 - its functions are asked for by name
    from errata.report.charts.scores import altair

    chart = altair().Chart(altair().Data(values=[{"x": 1}])).mark_point().encode(x="x:Q")
    vl_convert.vegalite_to_svg(chart.to_json())
