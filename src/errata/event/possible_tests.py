"""Whether pairs of teams can be tested: many teams are many pairs, and correcting p for them needs many replicates.

A task that cannot be tested is refused, and its file can be changed at once.  A leaderboard must not disappear when one more team takes
part, so it has no test then, and says why.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError
from errata.task.definition import Statistics

if TYPE_CHECKING:
    from errata.task.definition import Task

_OF_TESTS: dict[str, Any] = {"test": "", "correction": "", "alpha": None}
_OF_INTERVALS_TOO: dict[str, Any] = {"interval": "", "replicates": None, "seed": None, "rechoose": False, "resample": ""}


class PossibleTask(NamedTuple):
    """A task with the test that it asks for, if that is possible."""

    task: Task
    left_out: tuple[str, ...] = ()
    """Keys that it has no more."""
    why: str = ""
    """Why there is no test; empty if there is, or none was asked for."""


def fit_test(task: Task, teams: int) -> PossibleTask:
    """Leave out the test of a task if it is not possible with so many teams."""
    try:
        Statistics.of(task, teams)
    except RequestError as error:
        without = {**_OF_TESTS, **({} if task.confidence is not None else _OF_INTERVALS_TOO)}
        why = error.__cause__ or error  # the cause does not name the key of a file
        return PossibleTask(replace(task, **without), tuple(without), f"No test: {why}.")
    return PossibleTask(task)
