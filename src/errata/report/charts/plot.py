"""Small plots for a terminal: a letter for each series on a grid of characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

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
