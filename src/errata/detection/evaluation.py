"""Evaluation of a system: counts and measures, for detection and correction, of all cases and of each type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from errata.detection.cases import count_cases
from errata.detection.measures import MEASURES, UNKNOWN_NUMBER, Counts
from errata.detection.statistics import compute_measure_intervals

if TYPE_CHECKING:
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
    """Count the cases of each type."""
    types = judged.cases.types
    if types is None:
        return {}
    rows = count_cases(judged.cases, judged.answers, aspect, types)
    proportions = judged.cases.known == "proportions"
    return {
        name: Evaluation(judged.answers.name, aspect, Counts(*(float(number) for number in row)), beta, proportions=proportions)
        for name, row in zip(types.names, rows, strict=True)
    }
