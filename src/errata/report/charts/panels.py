"""Charts of several panels, side by side and below each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.report.charts.scores import Chart, altair, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_IN_A_ROW = 3
_SPACING = 28


def arrange_panels(panels: Sequence[Chart]) -> Chart:
    """Arrange panels, at most three in a row; a single one is a chart of its own."""
    alt = altair()
    if len(panels) == 1:
        return styled(panels[0])
    rows = [panels[first : first + MOST_IN_A_ROW] for first in range(0, len(panels), MOST_IN_A_ROW)]
    return styled(alt.vconcat(*(alt.hconcat(*row, spacing=_SPACING) for row in rows), spacing=_SPACING))
