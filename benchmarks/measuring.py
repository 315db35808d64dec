"""What all measurements share."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from errata.report import Column, Table, render

Row = tuple[str | int | float | None, ...]


def best_of(rounds: int, action: Callable[[], object]) -> float:
    """Seconds of the fastest of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        started = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - started)
    return best


def show(title: str, headings: list[str], rows: list[Row]) -> None:
    columns = tuple(Column(name) for name in headings)
    print(render(Table(columns, tuple(rows), title), "table"), flush=True)


def lightly_edited(source: tuple[str, ...], words: list[str], draw: random.Random) -> tuple[str, ...]:
    """A sentence with every seventh word or so dropped, replaced or followed by another."""
    return tuple(
        word
        for token in source
        for word in ([token] if draw.random() < 0.85 else draw.choice([[], [draw.choice(words)], [token, draw.choice(words)]]))
    )
