"""Precision against recall, with lines of equal F."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from errata.report.charts.scatter import HEIGHT, WIDTH, Plane, Point, draw_points, keep_defined
from errata.report.charts.scores import Chart, altair, start_chart, styled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINES = 10
"""Lines of equal F, at most about so many."""
_STEPS = 40
"""Points of a line, from each axis."""


def precision_recall_chart(systems: Sequence[tuple[str, float, float]], beta: float) -> Chart:
    """Plot the precision and recall of systems, given with their names, times 100, with lines of equal F."""
    alt = altair()
    points, missing = keep_defined(
        [Point(name, 100 * recall, 100 * precision) for name, precision, recall in systems], "precision and recall"
    )
    plane = Plane.around(points)
    lines = list(_list_lines(plane, beta))
    values = [{"f": level, "recall": recall, "precision": precision} for level, line in lines for recall, precision in line]
    x, y = (alt.Scale(domain=list(ends), nice=False, zero=False) for ends in plane[:2])
    curves = (
        start_chart(values)
        .mark_line(strokeWidth=1, color="#999999", strokeDash=[3, 3])
        .encode(x=alt.X("recall:Q", scale=x), y=alt.Y("precision:Q", scale=y), detail=alt.Detail("f:N"), order=alt.Order("recall:Q"))
    )
    top, right = _name_lines(lines, plane, f"F{beta:g}")
    layers = [curves, *top, *right] if values else []
    layers += draw_points(points, plane, "recall, times 100", "precision, times 100")
    note = [f"dashed: equal F{beta:g}, times 100", *([missing] if missing else [])]
    heading = alt.TitleParams(note, fontSize=12, fontWeight="normal", anchor="start", offset=24 if top else 8)
    return styled(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=heading))


def _name_lines(lines: Sequence[tuple[float, list[tuple[float, float]]]], plane: Plane, label: str) -> tuple[list[Chart], list[Chart]]:
    """Write F where a line leaves the plane: at the top, or at the right."""
    alt = altair()
    top: list[dict[str, Any]] = []
    right: list[dict[str, Any]] = []
    for level, line in lines:
        is_at_right = _is_near(line[-1][0], plane.x[1])
        recall, precision = line[-1] if is_at_right else line[0]
        (right if is_at_right else top).append({"recall": recall, "precision": precision, "text": f"{level:g}"})
    layers: tuple[list[Chart], list[Chart]] = ([], [])
    styles = ({"align": "center", "baseline": "bottom", "dy": -4}, {"align": "left", "baseline": "middle", "dx": 4})
    for own, style, layer in zip((top, right), styles, layers, strict=True):
        if own:
            own[-1]["text"] = f"{label} = {own[-1]['text']}"
            marks = start_chart(own).mark_text(fontSize=10, color="#666666", **style)
            layer.append(marks.encode(x=alt.X("recall:Q"), y=alt.Y("precision:Q"), text=alt.Text("text:N")))
    return layers


def _list_lines(plane: Plane, beta: float) -> Iterator[tuple[float, list[tuple[float, float]]]]:
    """List round values of F with the part of their line that is in the plane, from low to high recall; times 100.

    Lines only in the lower left corner, below all systems, are left out.
    """
    (left, right), (bottom, top) = plane[:2]
    lowest, highest = _compute_f(bottom, left, beta), _compute_f(top, right, beta)
    step = _round_step((highest - lowest) / _LINES)
    for number in range(math.floor(lowest / step) + 1, math.ceil(highest / step)):
        level = number * step
        line = []
        for index in range(_STEPS + 1):
            recall, precision = left + (right - left) * index / _STEPS, bottom + (top - bottom) * index / _STEPS
            line += [(recall, _solve(level, recall, beta)), (_solve(level, precision, 1 / beta if beta else math.inf), precision)]
        inside = sorted({(x, y) for x, y in line if left <= x <= right and bottom <= y <= top}, key=lambda place: (place[0], -place[1]))
        if len(inside) > 1 and (_is_near(inside[-1][0], right) or _is_near(inside[0][1], top)):  # so that there is space for its name
            yield round(level, 6), inside


def _is_near(value: float, end: float) -> bool:
    return math.isclose(value, end, abs_tol=1e-6)


def _compute_f(precision: float, recall: float, beta: float) -> float:
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def _solve(level: float, recall: float, beta: float) -> float:
    """Compute the precision that has this F with a recall; not a number if there is none.

    With 1/beta, this is the recall that has this F with a precision.
    """
    if math.isinf(beta):
        return math.nan
    below = (1 + beta**2) * recall - beta**2 * level
    return level * recall / below if below > 0 else math.nan


def _round_step(step: float) -> float:
    """Round a step to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return power * next(times for times in (1, 2, 5, 10) if step <= 1.001 * times * power)
