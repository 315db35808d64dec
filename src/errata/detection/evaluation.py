"""Evaluation of a system: counts and measures, for detection and correction, of all cases and of each type."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from errata.detection.cases import count_cases
from errata.detection.measures import MEASURES, UNKNOWN_NUMBER, Counts
from errata.detection.statistics import compute_measure_intervals
from errata.language.types import MEMBERS

if TYPE_CHECKING:
    from collections.abc import Collection

    from errata.detection.statistics import JudgedSystem, ResampleCasesBy
    from errata.metrics.views import Aspect
    from errata.stats import Bootstrap, Interval


@dataclass(frozen=True)
class Evaluation:
    """Counts of a system and their measures."""

    system_name: str
    aspect: Aspect
    counts: Counts
    beta: float = 1.0
    intervals: dict[str, Interval | None] = field(default_factory=dict)
    """Of measures, if requested."""
    rule: str = ""
    """What the system flags, if it is decided by a threshold."""
    proportions: bool = False
    """Whether the counts are proportions of an unknown number of cases."""

    def value(self, measure: str) -> float | None:
        """Compute a measure; None if it is undefined."""
        return None if self._lacks_number(measure) else MEASURES[measure].value(self.counts, self.beta)

    def _lacks_number(self, measure: str) -> bool:
        return self.proportions and MEASURES[measure].needs_number

    @property
    def values(self) -> dict[str, float | None]:
        """All measures by name."""
        return {name: self.value(name) for name in MEASURES}

    @property
    def reasons(self) -> dict[str, str]:
        """Why measures are undefined."""
        undefined = [name for name, value in self.values.items() if value is None]
        return {name: UNKNOWN_NUMBER if self._lacks_number(name) else MEASURES[name].reason(self.counts) for name in undefined}


def list_aspects(judged: JudgedSystem) -> tuple[Aspect, ...]:
    """List detection, and correction if the system's corrections are known."""
    return ("detection", "correction") if judged.answers.fixed is not None else ("detection",)


def evaluate_detection(
    judged: JudgedSystem, aspect: Aspect = "detection", beta: float = 1.0, bootstrap: Bootstrap | None = None, by: ResampleCasesBy = "case"
) -> Evaluation:
    """Count the cases of a system; with intervals if ``bootstrap`` is given."""
    counts = Counts(*(float(number) for number in count_cases(judged.cases, judged.answers, aspect)[0]))
    intervals: dict[str, Interval | None] = {}
    if bootstrap is not None:
        computed = compute_measure_intervals(judged, list(MEASURES.values()), aspect, beta, bootstrap, by)
        intervals = dict(zip(MEASURES, computed, strict=True))
    proportions = judged.cases.known == "proportions"
    return Evaluation(judged.answers.name, aspect, counts, beta, intervals, judged.answers.rule, proportions)


def evaluate_types(judged: JudgedSystem, aspect: Aspect = "detection", beta: float = 1.0) -> dict[str, Evaluation]:
    """Count the cases of each type, and of types that only together have false positives."""
    types = judged.cases.types
    if types is None:
        return {}
    counted = zip(types.names, count_cases(judged.cases, judged.answers, aspect, types), strict=True)
    rows = {name: Counts(*(float(number) for number in row)) for name, row in counted}
    known = judged.cases.wrong_types
    if known is None and "" in rows and not any(row.fp or row.tn > 0 for name, row in rows.items() if name):
        known = ()
    if known is not None:
        rows = _remove_unknown(rows, known)
    proportions = judged.cases.known == "proportions"
    return {name: Evaluation(judged.answers.name, aspect, row, beta, proportions=proportions) for name, row in rows.items()}


def _remove_unknown(rows: dict[str, Counts], known: Collection[str]) -> dict[str, Counts]:
    """Remove the false positives of types where they are unknown, and the true negatives, which have no type.

    Types that the rules cannot distinguish are joined, as in scores by type.
    """
    joined = {}
    for name in known:
        members = [rows[member] for member in MEMBERS.get(name, ()) if member in rows]
        if members:
            joined[name] = Counts(*(sum(own) for own in zip(*members, rows.get(name, Counts(0, 0, 0, 0)), strict=True)))
    result = {}
    for name, row in {**rows, **joined}.items():
        result[name] = row if not name else row._replace(fp=row.fp if name in known else math.nan, tn=math.nan)
    return result
