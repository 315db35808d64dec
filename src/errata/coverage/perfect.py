"""The score of a perfect corrector, whose output is another person's correction.

Test sets are sampled from the answers of a crowd: sentences, an output for each, and a number of references (Choshen and Abend,
section 3.4).  They are scored by any metric that uses references.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from errata.coverage.answer_counts import AnswerCounter
from errata.coverage.answer_pool import AnswerPool
from errata.coverage.simulated import RowTable, UnitSets, make_simulated_sets
from errata.errors import RequestError, UsageError
from errata.metrics import Metric, registry
from errata.metrics.registry import check_contract
from errata.stats.bootstrap import Bootstrap
from errata.stats.intervals import Interval, make_interval
from errata.stats.resampling import resample_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.coverage.corrections import CorrectedSentence
    from errata.coverage.simulated import SimulatedSets
    from errata.metrics.ratios import Row

    Progress = Callable[[int], None]

SENTENCES, WITHOUT_ERRORS = 1312, 136
"""The sentences of the CoNLL-2014 test set: all, and those without errors."""
MOST_SIMULATIONS = 100_000
MOST_REFERENCES = 1_000
SCORED_OUTPUTS, MOST_SCORED_OUTPUTS = 5_000, 10_000_000
"""Outputs that are scored if a metric scores an output against all its references together: by default, and at most."""


@dataclass(frozen=True)
class Simulation:
    """Scores of a perfect corrector on simulated test sets."""

    references: int
    values: Any
    """One for each test set."""
    interval: Interval
    """The BCa interval of the first test set."""

    @property
    def mean(self) -> float:
        """The expected score."""
        return float(self.values.mean())

    def central(self, level: float = 0.95) -> tuple[float, float]:
        """Compute the central range of the scores of all test sets."""
        import numpy as np

        low, high = np.percentile(self.values, [50 * (1 - level), 50 * (1 + level)])
        return float(low), float(high)


class PerfectCorrector:
    """The answers of a crowd, scored against each other by a metric.

    If the metric scores an output against all its references together, ``scored`` outputs are sampled and scored for each number
    of references, and test sets are sampled from these; all outputs are scored if the test sets have no more.
    """

    def __init__(
        self,
        sentences: Sequence[CorrectedSentence],
        metric: str | Metric = "maxmatch",
        tokenise: Callable[[str], Sequence[str]] | None = None,
        progress: Progress | None = None,
        *,
        scored: int = SCORED_OUTPUTS,
    ) -> None:
        import numpy as np

        if not 1 <= scored <= MOST_SCORED_OUTPUTS:
            raise UsageError(f"scored outputs must be a whole number from 1 to {MOST_SCORED_OUTPUTS:,}, found {scored}")
        self.metric = registry.metric(metric)
        check_contract(self.metric)
        self.scored = scored
        self._answers = AnswerPool(sentences, tokenise or str.split)
        self._counter = AnswerCounter(self.metric, self._answers)
        self.counts_references_alone = self._counter.counts_references_alone()
        """Whether every output was scored against every reference once; else outputs are scored against all their references."""
        rows: list[Row] = []
        starts = []
        for index in range(len(sentences)):
            starts.append(len(rows))
            if self.counts_references_alone:
                rows += self._counter.count_all(index)
            if progress is not None:
                progress(1)
        self._table = RowTable(rows, np.array(starts), np.array([len(texts) for texts in self._answers.texts]))

    def count_steps(self, simulations: int) -> int:
        """Count the steps that ``simulate`` reports to ``progress``."""
        return simulations + (0 if self.counts_references_alone else self.scored)

    def simulate(
        self,
        references: int,
        *,
        sentences: int = SENTENCES,
        without_errors: int = WITHOUT_ERRORS,
        simulations: int = 1000,
        seed: int = 0,
        others: bool = False,
        progress: Progress | None = None,
    ) -> Simulation:
        """Sample test sets and score them; with ``others`` an answer is never its own reference.

        By default, as published, output and references are sampled from all answers.  An answer can then be its own reference,
        which raises the score if there are few answers.
        """
        import numpy as np

        if not 1 <= references <= MOST_REFERENCES:
            raise UsageError(f"references must be a whole number from 1 to {MOST_REFERENCES:,}, found {references:,}")
        if others and (self._answers.numbers < 2).any():  # noqa: PLR2004 - itself and another
            raise RequestError("references by others need two answers or more for every sentence")
        if not 0 <= without_errors < sentences:
            raise UsageError(f"sentences without errors must be from 0 to {sentences - 1:,}, found {without_errors:,}")
        if not 1 <= simulations <= MOST_SIMULATIONS:
            raise UsageError(f"simulations must be a whole number from 1 to {MOST_SIMULATIONS:,}, found {simulations}")
        draw = np.random.default_rng([seed, references])
        size = sentences - without_errors
        kinds = self._counter.count_error_free(references)
        error_free = [kinds[number % len(kinds)] for number in range(without_errors)]
        test_sets: SimulatedSets
        if self.counts_references_alone:
            sample = partial(self._answers.sample, draw, references, size, others=others)
            test_sets = make_simulated_sets(self.metric.strategy, self._table, sample, error_free)
        else:
            asked = min(self.scored, simulations * size)
            units = self._counter.count_sample(self._answers.sample(draw, references, asked, others=others), progress)
            if progress is not None:
                progress(self.scored - asked)
            test_sets = UnitSets(self.metric.strategy, units, error_free, size, draw if asked < simulations * size else None)
        values = np.empty(simulations)
        first: Any = None
        for number in range(simulations):
            matrix = test_sets.make_matrix(number)
            values[number] = self._values(matrix.sum(axis=0)[None, :])[0]
            first = matrix if first is None else first
            if progress is not None:
                progress(1)
        settings = Bootstrap(replicates=1000, seed=seed)
        replicates = self._values(resample_sums([first], settings)[0])
        return Simulation(references, values, make_interval(self._values, first, replicates, settings))

    def _values(self, sums: Any) -> Any:
        return self.metric.strategy.values(self.metric, sums)
