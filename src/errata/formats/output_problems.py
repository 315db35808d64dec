"""Problems of outputs that can be read, but do not look like corrections of their gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.checks import TOKENISE_SAMPLES, describe_unsplit
from errata.errors import MismatchError
from errata.formats.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.corpus.checks import OutputChecks
    from errata.corpus.corpus import System


def list_output_problems(checks: OutputChecks, system: System, *, every: bool = False) -> list[Problem]:
    """List what is found about an output; ``every`` lists single lines too."""
    name = system.path or system.name
    return [Problem(name, finding.line, "warning", finding.message) for finding in checks.find(system, every=every)]


def warn_of_unsplit(name: str, texts: Iterable[str], sources: Iterable[str], warn: Callable[[Problem], None] | None) -> None:
    """Warn if texts of many samples are not tokenised, although their sources are."""
    if warn is not None and (found := describe_unsplit(texts, sources)) is not None:
        warn(Problem(name, None, "warning", f"{found}; are they tokenised like their sources? {TOKENISE_SAMPLES}"))


def report_output_problems(problems: Sequence[Problem], warn: Callable[[Problem], None], *, strict: bool) -> None:
    """Warn of problems; raise the first if they are to be errors."""
    if strict and problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        raise MismatchError(f"{problems[0]}{more}")
    for problem in problems:
        warn(problem)
