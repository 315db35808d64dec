"""The submissions of a task: those that can be scored, and those that are set aside, with all their errors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata.checking import check_output
from errata.formats import Problem, display_path
from errata.report import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus import Corpus, System
    from errata.tokenisation.tokeniser import Tokeniser


class SetAside(NamedTuple):
    """A submission that cannot be scored."""

    team: str
    path: str
    problems: tuple[Problem, ...]
    """All errors."""


class Submissions(NamedTuple):
    """The submissions of a task."""

    systems: list[System]
    set_aside: list[SetAside]


def read_submissions(
    paths: Sequence[str],
    names: Sequence[str],
    gold: Corpus,
    warn: Callable[[Problem], None],
    tokeniser: Tokeniser | None = None,
    *,
    strict: bool = False,
) -> Submissions:
    """Read all submissions; one that cannot be read, or has another number of sentences than the gold, is set aside.

    ``warn`` takes the warnings of all submissions; with ``strict``, one that does not look like corrections is set aside too.
    """
    submissions = Submissions([], [])
    for path, name in zip(paths, names, strict=True):
        system, found = check_output(path, gold, tokeniser=tokeniser, strict=strict)
        errors = tuple(problem for problem in found if problem.severity == "error")
        for problem in found:
            if problem.severity != "error":
                warn(problem)
        if errors:
            submissions.set_aside.append(SetAside(name, display_path(path), errors))
        else:
            submissions.systems.append(replace(system, name=name))
    return submissions


def make_set_aside_table(set_aside: Sequence[SetAside], title: str) -> Table:
    """Make a table of all errors of submissions that were set aside."""
    columns = (
        Column("System", key="system"),
        Column("File", key="file"),
        Column("Line", "count", "line"),
        Column("Problem", key="problem"),
    )
    rows = tuple((item.team, item.path, problem.line, problem.message) for item in set_aside for problem in item.problems)
    return Table(columns, rows, f"{title}: submissions set aside" if title else "Submissions set aside")
