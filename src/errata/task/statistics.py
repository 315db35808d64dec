"""Intervals and tests that a task asks for, with the settings that the options of the same names have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from errata.errors import UsageError
from errata.stats import Bootstrap, compare, compute_intervals, rank_systems
from errata.stats.comparison import check_methods, check_replicates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.report.page.data import Watch
    from errata.scoring import Score
    from errata.stats import Comparison, Interval
    from errata.task.definition import Task

_DEFAULT_ALPHA = 0.05
_RESAMPLING = ("interval", "replicates", "seed", "rechoose", "resample")
_TESTING = ("correction", "alpha")


class Significance:
    """The tests of all pairs of systems."""

    def __init__(self, scores: Sequence[Score], comparisons: Sequence[Comparison], alpha: float) -> None:
        self.comparisons = comparisons
        self._ranks = dict(
            zip(
                (score.system_name for score in scores),
                rank_systems([(score.system_name, score.value) for score in scores], comparisons, alpha),
                strict=True,
            )
        )
        self._pairs = {frozenset((item.first, item.second)): item for item in comparisons}

    def rank(self, system: str) -> int:
        """Return the rank of a system, which it shares with others if the differences are not significant."""
        return self._ranks[system]

    def pair(self, system: str, other: str) -> Comparison:
        """Return the comparison of two systems."""
        return self._pairs[frozenset((system, other))]


@dataclass(frozen=True)
class Statistics:
    """What is computed beside scores."""

    bootstrap: Bootstrap | None = None
    """The settings of intervals; None for no intervals."""
    test: str = ""
    """The test of pairs; empty for none."""
    correction: str = "holm"
    alpha: float = _DEFAULT_ALPHA
    test_bootstrap: Bootstrap | None = None
    """The settings of tests."""

    @classmethod
    def of(cls, task: Task, systems: int) -> Statistics:
        """Read the settings of a task with so many systems; raise if they do not fit together."""
        for keys, needed in ((_RESAMPLING, ("confidence", "test")), (_TESTING, ("test",))):
            for key in keys:
                if getattr(task, key) not in {None, "", False} and not any(getattr(task, other) for other in needed):
                    with task.naming(key):
                        raise UsageError(f"{key} needs {' or '.join(needed)}")
        given: dict[str, Any] = {
            "method": task.interval or None,
            "replicates": task.replicates,
            "seed": task.seed,
            "choice": "again" if task.rechoose else None,
            "by": task.resample or None,
        }
        resampling = {name: value for name, value in given.items() if value is not None}
        alpha = _DEFAULT_ALPHA if task.alpha is None else task.alpha
        with task.naming("alpha"):
            if not (0 < alpha < 1 and 1 - alpha < 1):
                raise UsageError(f"alpha must lie between 0 and 1, found {alpha}")
        with task.naming("test" if task.test and task.confidence is None else "confidence"):
            bootstrap = Bootstrap(task.confidence, **resampling) if task.confidence is not None else None
            tested = Bootstrap(1 - alpha, **resampling) if task.test else None
        correction = task.correction or "holm"
        if tested is not None:
            with task.naming("test"):
                check_methods(task.test, correction)
                check_replicates(systems, task.test, correction, tested, alpha)  # type: ignore[arg-type]  # they are checked
        return cls(bootstrap, task.test, correction, alpha, tested)

    def intervals(self, scores: Sequence[Score], watch: Watch) -> list[Interval]:
        """Compute the intervals of scores; none if none are wanted."""
        if self.bootstrap is None:
            return []
        with watch("resampling", self.bootstrap.replicates * len(scores)) as progress:
            return list(compute_intervals(scores, self.bootstrap, progress=progress))

    def significance(self, scores: Sequence[Score], watch: Watch) -> Significance | None:
        """Test all pairs of systems; None if no test is wanted, or there is no pair."""
        if self.test_bootstrap is None or len(scores) < 2:  # noqa: PLR2004 - a pair
            return None
        pairs = len(scores) * (len(scores) - 1) // 2
        with watch("testing pairs", self.test_bootstrap.replicates * pairs) as progress:
            comparisons = compare(
                scores,
                self.test,  # type: ignore[arg-type]  # it is checked
                self.correction,  # type: ignore[arg-type]
                self.test_bootstrap,
                progress=progress,
            )
        return Significance(scores, comparisons, self.alpha)

    @property
    def how(self) -> str:
        """How pairs are tested."""
        return f"{self.test} test, {self.correction} correction, alpha {self.alpha:g}; {self.test_bootstrap}"
