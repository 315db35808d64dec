"""A part of judgments: those of some judges, and those about some systems."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.errors import RequestError, UsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from errata.judgments.items import HumanJudgments, RankingItem


def choose_judgments(judgments: HumanJudgments, judges: Sequence[str] = (), leave_out: Sequence[str] = ()) -> HumanJudgments:
    """Keep the items of some judges (without ``judges``, of all), and leave out systems or judges by their names.

    A system that is left out is an opponent no more, and what is left of an item is ranked as before; items of which nothing is left are
    dropped.  Skipped items and items without a ranking stay counted, as files do not say for each which systems were shown.
    """
    _check(judges, judgments.judges, "judge")
    _check(leave_out, [*judgments.systems, *judgments.judges], "system or judge")
    kept = [item for item in judgments.items if (not judges or item.judge in judges) and item.judge not in leave_out]
    systems = set(leave_out)
    items = tuple(part for item in kept if (part := _leave_out(item, systems)).outputs)
    if not items:
        raise RequestError("no judgment is left: all judges or all systems were left out")
    return replace(judgments, items=items, single=sum(len(item.outputs) == 1 for item in items))


def _leave_out(item: RankingItem, systems: Collection[str]) -> RankingItem:
    outputs = [output._replace(systems=tuple(name for name in output.systems if name not in systems)) for output in item.outputs]
    return item._replace(outputs=tuple(output for output in outputs if output.systems))


def _check(names: Sequence[str], known: Sequence[str], what: str) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"there is no {what} {name!r} in the judgments; there are {', '.join(known)}{suggest(name, known)}")
