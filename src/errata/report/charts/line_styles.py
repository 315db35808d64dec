"""Colours and dashes by which lines differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.report.charts.scores import PALETTE, Chart, altair

if TYPE_CHECKING:
    from collections.abc import Sequence

_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [1, 3])


def style_lines(field: str, order: Sequence[int]) -> tuple[Chart, Chart]:
    """Give each line a colour; if there are more lines than colours, dashes differ too."""
    alt = altair()
    colours = [PALETTE[place % len(PALETTE)] for place in range(len(order))]
    dashes = [_DASHES[place // len(PALETTE) % len(_DASHES)] for place in range(len(order))]
    return (
        alt.Color(f"{field}:N", scale=alt.Scale(domain=list(order), range=colours), legend=None),
        alt.StrokeDash(f"{field}:N", scale=alt.Scale(domain=list(order), range=dashes), legend=None),
    )
