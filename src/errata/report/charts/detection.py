"""Charts of detection: curves over the threshold, and the measures of a random system, also for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

from errata.display import printable
from errata.report.charts.parts import PALETTE, Chart, altair, styled
from errata.studies.detection.measures import MEASURES, compute_chance_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.studies.detection.measures import Curve


_Panel = Literal["pr", "roc", "kappa", "bias"]
PANELS: tuple[_Panel, ...] = get_args(_Panel)
_POINTS = 400
"""Points of a line; more would not be visible."""
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
_SIZE = 260
_FEW = 12
"""Up to this many points are marked, because a line may have only one."""


def curve_chart(curves: Sequence[Curve], beta: float = 1.0, panels: Sequence[_Panel] = PANELS) -> Chart:
    """Plot precision against recall, ROC, kappa against false-positive rate, and measures against bias; a line for each system."""
    alt = altair()
    drawn = [curve.thinned(_POINTS) for curve in curves]
    built = [_BUILDERS[panel](drawn, beta) for panel in panels]
    own = {"color": "independent", "strokeDash": "independent"}
    rows = [alt.hconcat(*built[index : index + 2], spacing=28).resolve_scale(**own) for index in range(0, len(built), 2)]
    return styled(alt.vconcat(*rows, spacing=20).resolve_scale(**own))


def _pr(curves: Sequence[Curve], beta: float) -> Chart:
    del beta
    values = [(curve, curve.values("recall"), curve.values("precision")) for curve in curves]
    prevalence = curves[0].errors / curves[0].cases
    return _lines(values, "recall", "precision", chance=[(0.0, prevalence), (1.0, prevalence)], named=(0.02, prevalence))


def _roc(curves: Sequence[Curve], beta: float) -> Chart:
    del beta
    values = [(curve, curve.false_positive_rate, curve.values("recall")) for curve in curves]
    return _lines(values, "false-positive rate", "true-positive rate (recall)", chance=[(0.0, 0.0), (1.0, 1.0)], named=(0.58, 0.5))


def _kappa(curves: Sequence[Curve], beta: float) -> Chart:
    del beta
    values = [(curve, curve.false_positive_rate, curve.values("kappa")) for curve in curves]
    return _lines(values, "false-positive rate", "kappa", chance=[(0.0, 0.0), (1.0, 0.0)], named=(0.4, 0.0))


def _bias(curves: Sequence[Curve], beta: float) -> Chart:
    """Plot precision, recall, F and kappa against the share of flagged cases; colours show systems, dashes show measures."""
    alt = altair()
    names = {"precision": "precision", "recall": "recall", "f": f"F{beta:g}", "kappa": "kappa"}
    values = []
    for curve in curves:
        bias = curve.values("bias")
        for name, label in names.items():
            values += [
                {"bias": x, "value": y, "measure": label, "system": printable(curve.system_name)}
                for x, y in zip(bias.tolist(), curve.values(name, beta).tolist(), strict=True)
                if y == y  # noqa: PLR0124 - where it is defined
            ]
    several = len(curves) > 1
    coloured = [printable(curve.system_name) for curve in curves] if several else list(names.values())
    legend = alt.Legend(title=None, orient="top", symbolSize=500, labelLimit=90)
    colours = alt.Scale(domain=coloured, range=[PALETTE[index % len(PALETTE)] for index in range(len(coloured))])
    return (
        alt.Chart(alt.Data(values=values))
        .mark_line(strokeWidth=1.5 if several else 2)
        .encode(
            x=alt.X("bias:Q", title="bias (share of cases that are flagged)", scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("value:Q", title="precision, recall, F and kappa"),
            color=alt.Color("system:N" if several else "measure:N", scale=colours, legend=None if several else legend),
            strokeDash=alt.StrokeDash("measure:N", scale=_dashes(list(names.values())), legend=legend),
            order="bias:Q",
        )
        .properties(width=_SIZE, height=_SIZE)
    )


_BUILDERS: dict[_Panel, Any] = {"pr": _pr, "roc": _roc, "kappa": _kappa, "bias": _bias}


def _dashes(names: Sequence[str]) -> Any:
    return altair().Scale(domain=list(names), range=[_DASHES[index % len(_DASHES)] for index in range(len(names))])


def _lines(  # ``named`` is the position of the label of the thin line, where no other line goes
    lines: Sequence[tuple[Curve, Any, Any]], x: str, y: str, chance: Sequence[tuple[float, float]], named: tuple[float, float]
) -> Chart:
    """Draw a line for each system, and a thin one for systems that flag at random."""
    alt = altair()
    names = [printable(curve.system_name) for curve, _, _ in lines]
    values = [
        {"x": one, "y": other, "system": printable(curve.system_name), "order": index}
        for curve, xs, ys in lines
        for index, (one, other) in enumerate(zip(xs.tolist(), ys.tolist(), strict=True))
        if one == one and other == other  # noqa: PLR0124 - where both are defined
    ]
    legend = alt.Legend(title=None, orient="top", symbolSize=500) if len(names) > 1 else None
    colours = alt.Scale(domain=names, range=[PALETTE[index % len(PALETTE)] for index in range(len(names))])
    few = min(len(curve.thresholds) for curve, _, _ in lines) <= _FEW
    base = alt.Chart(alt.Data(values=values)).mark_line(strokeWidth=2, point=few)
    random = alt.Chart(alt.Data(values=[{"x": one, "y": other} for one, other in chance]))
    axis = alt.X("x:Q", title=x, scale=alt.Scale(domain=[0, 1]))
    values_axis = alt.Y("y:Q", title=y, scale=alt.Scale(domain=[0, 1]) if y != "kappa" else alt.Scale(zero=True))
    label = alt.Chart(alt.Data(values=[{"x": named[0], "y": named[1], "text": "chance"}]))
    return alt.layer(
        random.mark_line(strokeWidth=1, strokeDash=[3, 3], color="#666666").encode(x=axis, y=values_axis),
        label.mark_text(align="left", baseline="bottom", dy=-3, color="#666666", fontSize=11).encode(x="x:Q", y="y:Q", text="text:N"),
        base.encode(
            x=axis,
            y=values_axis,
            order="order:Q",
            color=alt.Color("system:N", scale=colours, legend=legend),
            strokeDash=alt.StrokeDash("system:N", scale=_dashes(names), legend=legend),
        ),
    ).properties(width=_SIZE, height=_SIZE)


def chance_chart(prevalences: Sequence[float], biases: Sequence[float], beta: float = 1.0) -> Chart:
    """Plot the measures of systems that flag at random: a panel for each measure, a line for each prevalence, bias on the x axis."""
    alt = altair()
    names = {"accuracy": "accuracy", "precision": "precision", "recall": "recall", "f": f"F{beta:g}", "kappa": "kappa"}
    values = [
        {"bias": bias, "prevalence": f"{prevalence:g}", "measure": label, "value": measured}
        for prevalence in prevalences
        for bias in biases
        for name, label in names.items()
        if (measured := MEASURES[name].value(compute_chance_counts(prevalence, bias), beta)) is not None
    ]
    shares = [f"{prevalence:g}" for prevalence in prevalences]
    title = "prevalence of errors"
    legend = alt.Legend(title=title, orient="top", titleFontWeight="normal", symbolSize=500)
    panels = []
    for index, label in enumerate(names.values()):
        axis = alt.Axis(labels=index == 0, ticks=index == 0)
        own = [item for item in values if item["measure"] == label]
        panels.append(
            alt.Chart(alt.Data(values=own))
            .mark_line(strokeWidth=2)
            .encode(
                x=alt.X("bias:Q", title="bias", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(values=[0, 0.5, 1])),
                y=alt.Y("value:Q", title=label, scale=alt.Scale(domain=[0, 1]), axis=axis),
                color=alt.Color(
                    "prevalence:N",
                    scale=alt.Scale(domain=shares, range=[PALETTE[k % len(PALETTE)] for k in range(len(shares))]),
                    legend=legend,
                ),
                strokeDash=alt.StrokeDash("prevalence:N", scale=_dashes(shares), legend=legend),
            )
            .properties(width=130, height=160)
        )
    return styled(alt.hconcat(*panels, spacing=12))


_COLUMNS, _ROWS = 61, 13


def plot(series: Sequence[tuple[str, str, Sequence[tuple[float, float]]]], x_label: str) -> str:
    """Plot series as lines of text, each with its letter, on axes from 0 to 1.

    If several series share a cell, the first is shown; values below 0 are not shown.
    """
    grid = [[" "] * _COLUMNS for _ in range(_ROWS)]
    for letter, _, points in reversed(series):
        for x, y in _steps(points):
            if 0 <= y <= 1:
                row = round((1 - y) * (_ROWS - 1))
                grid[row][round(x * (_COLUMNS - 1))] = letter
    lines = []
    for number, cells in enumerate(grid):
        value = 1 - number / (_ROWS - 1)
        label = f"{value:5.2f}" if number % 3 == 0 else " " * 5
        lines.append(f"{label} ┤{''.join(cells)}".rstrip())
    lines.append(" " * 6 + "└" + "─" * _COLUMNS)
    marks = [f"{index / 4:g}" for index in range(5)]
    axis = [" "] * (_COLUMNS + 4)
    for index, mark in enumerate(marks):
        start = max(0, round(index / 4 * (_COLUMNS - 1)) - len(mark) // 2)
        axis[start : start + len(mark)] = mark
    lines.append(" " * 7 + "".join(axis).rstrip() + f"  {x_label}")
    lines.append(" " * 7 + "  ".join(f"{letter} {name}" for letter, name, _ in series))
    return "\n".join(lines) + "\n"


def _steps(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Choose the nearest point for each column of the grid, between the ends of the series."""
    known = sorted(point for point in points if point[0] == point[0] and point[1] == point[1])
    if not known:
        return []
    lines = []
    index = 0
    for column in range(_COLUMNS):
        x = column / (_COLUMNS - 1)
        if not known[0][0] - 0.5 / _COLUMNS <= x <= known[-1][0] + 0.5 / _COLUMNS:
            continue
        while index + 1 < len(known) and abs(known[index + 1][0] - x) <= abs(known[index][0] - x):
            index += 1
        lines.append((x, known[index][1]))
    return lines
