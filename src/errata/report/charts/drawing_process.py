"""Charts drawn in another process, which starts while this one still scores.

To import the libraries and to start their engine takes a second, and the engine holds the lock of the interpreter, so a thread would
not help.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple, Self

from errata.errors import RequestError, UsageError
from errata.report.charts.inline import render_svg, render_svgs
from errata.report.charts.libraries import explain_missing_charts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.report.charts.drawings import Drawing

_PROGRAM = "import sys; sys.path[:] = {path!r}; from errata.report.charts.drawing_process import serve; serve()"


class DrawnChart(NamedTuple):
    """A chart as SVG, or why it could not be drawn."""

    drawing: Drawing
    svg: str
    reason: str


class DrawingProcess:
    """A process that prepares to draw charts, and draws them once.

    Without one, because there are no processes or no libraries, they are drawn here.
    """

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._asked: tuple[list[Drawing], str] = ([], "chart")
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
        if child is not None:
            child.kill()
            child.communicate()

    def begin(self, drawings: Sequence[Drawing], prefix: str = "chart") -> None:
        """Begin to draw charts, as :func:`~errata.report.charts.inline.render_svgs` does."""
        self._asked = (list(drawings), prefix)
        if self._child is None or self._child.stdin is None:
            return
        pipe, self._child.stdin = self._child.stdin, None
        try:
            with pipe:
                pipe.write(pickle.dumps(self._asked))
        except OSError:  # it has ended, and what is asked for is drawn here
            self.close()

    def collect(self) -> list[DrawnChart]:
        """Wait for the charts; what fails in the process is tried here again, one by one."""
        drawings, prefix = self._asked
        svgs = self._receive()
        if svgs is not None:
            return [DrawnChart(drawing, svg, "") for drawing, svg in zip(drawings, svgs, strict=True)]
        return [_draw_here(drawing, prefix, number) for number, drawing in enumerate(drawings, start=1)]

    def _receive(self) -> list[str] | None:
        """Wait for what the process has drawn; None if it failed, or there is none."""
        child, self._child = self._child, None
        if child is None:
            return None
        try:
            svgs, _ = child.communicate()
        except BaseException:
            child.kill()
            child.communicate()
            raise
        if child.returncode != 0:
            return None
        result: list[str] = pickle.loads(svgs)  # noqa: S301 - from our own process
        return result


def _draw_here(drawing: Drawing, prefix: str, number: int) -> DrawnChart:
    try:
        svg = render_svg(drawing, prefix, number)
    except (RequestError, UsageError, MemoryError, ImportError) as error:
        return DrawnChart(drawing, "", str(error) or "there is not enough memory")
    return DrawnChart(drawing, svg, "")


def serve() -> None:
    """Prepare, read drawings from standard input, and write them to standard output."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints is taken for a drawing
    _prepare()
    drawings, prefix = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own process
    pickle.dump(render_svgs(drawings, prefix), output)
    output.close()


def _prepare() -> None:
    """Import what charts need, and start the engine."""
    import vl_convert

    import errata.report.charts.drawings  # noqa: F401 - its functions are asked for by name
    from errata.report.charts.scores import altair

    chart = altair().Chart(altair().Data(values=[{"x": 1}])).mark_point().encode(x="x:Q")
    vl_convert.vegalite_to_svg(chart.to_json())
