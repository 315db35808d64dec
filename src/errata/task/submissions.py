"""The submissions of a task: those that can be scored, and those that are set aside, with all their errors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.checks import OutputChecks
from errata.corpus.tokenisation import find_tokeniser
from errata.errors import pluralise
from errata.formats import Problem, display_path
from errata.formats.checking import check_output
from errata.report import Column, Table
from errata.task.tables import TaskTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.task.definition import Task

SET_ASIDE = "set-aside"
"""The name of the table of submissions that cannot be scored."""


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


class OutputCheck:
    """Reads outputs as a task asks, and lists their problems.  It is called as a function; threads may share it.

    All that it says of an output depends on the output, the corpus that it is given, and the task.
    """

    def __init__(self, task: Task, corpus: Corpus) -> None:
        """``corpus`` is whole: a task of some sentences has outputs of all."""
        with task.naming("tokenise"):
            self._tokeniser = find_tokeniser(task.tokenise, corpus)
        self._corpus, self._strict = corpus, task.strict
        self._checks = OutputChecks(corpus)

    def __call__(self, path: str, name: str) -> tuple[System, list[Problem]]:
        """Read a file as the system of this name, as far as it can be read; list all its errors and warnings.

        A :class:`errata.formats.lines.GivenFile` is read like a path, once.
        """
        system, found = check_output(path, self._corpus, tokeniser=self._tokeniser, strict=self._strict, checks=self._checks)
        return replace(system, name=name), found


def read_submissions(
    paths: Sequence[str], names: Sequence[str], check: Callable[[str, str], tuple[System, list[Problem]]], warn: Callable[[Problem], None]
) -> Submissions:
    """Read all submissions; one with an error, such as another number of sentences than the gold, is set aside.

    ``check`` reads a file as the system of a name; ``warn`` takes the warnings of all submissions.
    """
    submissions = Submissions([], [])
    for path, name in zip(paths, names, strict=True):
        system, found = check(path, name)
        errors = tuple(problem for problem in found if problem.severity == "error")
        for problem in found:
            if problem.severity != "error":
                warn(problem)
        if errors:
            submissions.set_aside.append(SetAside(name, display_path(path), errors))
        else:
            submissions.systems.append(system)
    return submissions


def add_set_aside(tables: Mapping[str, TaskTable], set_aside: Sequence[SetAside], title: str) -> dict[str, TaskTable]:
    """Add the table of all errors of submissions that were set aside, if there are any."""
    return {**tables, SET_ASIDE: TaskTable.of(make_set_aside_table(set_aside, title))} if set_aside else dict(tables)


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


def describe_set_aside(set_aside: Sequence[SetAside]) -> list[str]:
    """Say which submissions cannot be scored."""
    listed = ", ".join(f"{item.team} ({pluralise(len(item.problems), 'problem')})" for item in set_aside)
    return [f"Set aside, because they cannot be scored: {listed}."] if listed else []
