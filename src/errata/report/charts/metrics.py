"""One metric against another, with a point for each system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.report.charts.scatter import HEIGHT, WIDTH, IntervalBars, Plane, Point, draw_points, keep_defined
from errata.report.charts.scores import Chart, altair, styled
from errata.stats.correlation import FEWEST, compute_coefficients

if TYPE_CHECKING:
    from collections.abc import Sequence


Ends = tuple[float, float, float, float]
"""The ends of the intervals of a system by both metrics: low and high of the first, low and high of the second."""


def metrics_chart(
    systems: Sequence[tuple[str, float, float]], x_label: str, y_label: str, intervals: Sequence[Ends] = (), level: str = ""
) -> Chart:
    """Plot the values of systems by two metrics, times 100, given with their names; the heading has their correlations.

    ``intervals`` are those of all systems, of a confidence ``level``, or none.
    """
    alt = altair()
    points, missing = keep_defined([Point(name, 100 * x, 100 * y) for name, x, y in systems], f"{x_label} or {y_label}")
    bars = [
        IntervalBars(Point(name, 100 * x, 100 * y), *(100 * end for end in ends))
        for (name, x, y), ends in zip(systems, intervals, strict=bool(intervals))
    ]
    bars = [bar for bar in bars if bar.is_defined]
    plane = Plane.around([*points, *(corner for bar in bars for corner in bar.corners)])
    note = [describe_correlation([point.x for point in points], [point.y for point in points])]
    note += [*([f"bars: {level} intervals"] if bars else []), *([missing] if missing else [])]
    heading = alt.TitleParams(note, fontSize=12, fontWeight="normal", anchor="start")
    layers = draw_points(points, plane, f"{x_label}, times 100", f"{y_label}, times 100", bars)
    return styled(alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=heading))


def describe_correlation(one: Sequence[float], other: Sequence[float]) -> str:
    """Describe how two lists of values correlate, in a few words."""
    if len(one) < FEWEST:
        return f"a correlation needs {FEWEST} systems or more"
    found = compute_coefficients(one, other)
    if found is None:
        return "no correlation: all systems have the same value"
    spearman, pearson = found
    return f"Spearman's rho {spearman:.2f}, Pearson's r {pearson:.2f}, {len(one)} systems".replace("-", "\u2212")
