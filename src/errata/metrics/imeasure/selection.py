"""The best rows of the blocks of a sentence, by the maximised measure and those that decide ties."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from errata.metrics.imeasure.block_choice import Goal, find_frontier, list_sums, narrow_blocks
from errata.metrics.imeasure.measures import compute_improvement
from errata.metrics.strategy import Choose

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.metrics.imeasure.block_choice import Blocks
    from errata.metrics.imeasure.metric import IMeasure
    from errata.metrics.views import Aspect
    from errata.ratios import Row

MOST_SUMS = 10_000
"""The most distinct sums of counts that are listed if I itself is maximised."""


def select_rows(metric: IMeasure, blocks: Blocks) -> list[tuple[tuple[Row, ...], bool]]:
    """Select the rows of the blocks for each row of a sentence, and whether they are proved to be the best.

    A sentence has one row; with per=corpus one for every choice that may be the best for the corpus.
    """
    strategy = metric.strategy
    if not isinstance(strategy, Choose):
        return [select_best(metric, blocks)]
    return [select_best(metric, corner) for corner in find_frontier(blocks, strategy.ratio)]


def select_best(metric: IMeasure, blocks: Blocks) -> tuple[tuple[Row, ...], bool]:
    """Select the best rows of the blocks for a sentence, and whether they are proved to be the best."""
    preferences = list(metric.list_preferences())
    certified = True
    if metric.maximise == "i" and any(len(rows) > 1 for rows in blocks):
        sums = list_sums(blocks, MOST_SUMS)
        if sums is not None:
            return sums[max(_largest_improvement(metric, sums), key=metric.key)], True
        del preferences[0]
        certified = False
    accuracy = Fraction(0)
    for measure, aspect in preferences:
        if all(len(rows) == 1 for rows in blocks):
            break
        if measure == "i":
            blocks = _improve(metric, blocks, aspect, accuracy)
        else:
            blocks, value = narrow_blocks(blocks, Goal(metric.ratio_of(measure, aspect)))
            accuracy = value if measure == "wacc" else accuracy
    return tuple(rows[0] for rows in blocks), certified


def _improve(metric: IMeasure, blocks: Blocks, aspect: Aspect, accuracy: Fraction) -> Blocks:
    """Select the rows with the largest I among those with the same WAcc: those with the smallest WAcc of the baseline.

    If WAcc is 1, I is always 1; if WAcc is 0, I is -1 unless the baseline's WAcc is also 0.
    """
    if accuracy == 1:
        return blocks
    narrowed, baseline = narrow_blocks(blocks, Goal(metric.ratio_of("wacc", aspect, baseline=True), largest=False))
    return narrowed if accuracy or not baseline else blocks


def _largest_improvement(metric: IMeasure, sums: Iterable[Row]) -> list[Row]:
    """Select the sums of counts with the largest I."""
    system, baseline = (metric.ratio_of("wacc", metric.aspect, baseline=which) for which in (False, True))
    same: dict[tuple[int, int, int, int], list[Row]] = {}
    for row in sums:
        same.setdefault((*system.of(row), *baseline.of(row)), []).append(row)

    def value(pairs: tuple[int, int, int, int]) -> Fraction:
        above, below, base_above, base_below = pairs
        return compute_improvement(
            Fraction(above, below) if below else Fraction(1), Fraction(base_above, base_below) if base_below else Fraction(1)
        )

    values = {pairs: value(pairs) for pairs in same}
    most = max(values.values())
    return [row for pairs, rows in same.items() if values[pairs] == most for row in rows]
