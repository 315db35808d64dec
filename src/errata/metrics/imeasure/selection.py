"""Which rows of the blocks of a sentence are the best, by the measure that is maximised and those that decide between equals."""

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
"""Different sums of counts that are all looked at when I itself is maximised."""


def select_rows(metric: IMeasure, blocks: Blocks) -> list[tuple[tuple[Row, ...], bool]]:
    """For each row of a sentence the rows of its blocks that make it up, and whether they are proved to be the best.

    A sentence has one row, or where the whole corpus chooses one for every ratio that may turn out to be the best.
    """
    strategy = metric.strategy
    if not isinstance(strategy, Choose):
        return [_best(metric, blocks)]
    return [_best(metric, corner) for corner in find_frontier(blocks, strategy.ratio)]


def _best(metric: IMeasure, blocks: Blocks) -> tuple[tuple[Row, ...], bool]:
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
    """The rows with the largest I among those that all give the same WAcc: where the baseline's is smallest.

    A WAcc of 1 has an I of 1 in any case, and a WAcc of 0 one of -1 unless the baseline's is 0 too.
    """
    if accuracy == 1:
        return blocks
    narrowed, baseline = narrow_blocks(blocks, Goal(metric.ratio_of("wacc", aspect, baseline=True), largest=False))
    return narrowed if accuracy or not baseline else blocks


def _largest_improvement(metric: IMeasure, sums: Iterable[Row]) -> list[Row]:
    """The sums of counts with the largest I."""
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
