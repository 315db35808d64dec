"""Whether an output is significantly better or worse than its source, on the same references (Felice and Briscoe 2015, section 3).

A metric that counts the source beside the output, such as I-measure, has a measure of both for every sentence, against the reference
that was chosen for the output.  Both are compared as two systems are.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError, UsageError
from errata.listings import Listing, TableRow
from errata.metrics.evidence import collect_evidence
from errata.stats.bootstrap import Bootstrap
from errata.stats.comparison import Comparison, check_methods, correct_comparisons, make_comparison, swap_outputs, tell
from errata.stats.paired import Pair
from errata.stats.resampling import check_units, resample_sums
from errata.stats.units import collect_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.metrics.base import SourceMeasure
    from errata.metrics.evidence import Evidence, HasEvidence
    from errata.names import Correction, Test
    from errata.stats.bootstrap import Progress

SOURCE = "source"
"""The name of the other side of a comparison."""


class SourceComparison(NamedTuple):
    """A system against the source."""

    measure: str
    """What is compared, such as ``WAcc``."""
    value: float
    """The measure of the system."""
    source_value: float
    """The measure of the source on the same references."""
    comparison: Comparison
    t_p: float
    """The p-value of a two-sided paired t test over sentences, or documents, not corrected; the paper uses this test."""


class SourceComparisons(Listing[SourceComparison]):
    """Comparisons of systems with the source."""

    def rows(self) -> list[TableRow]:
        """List what is compared and its values, with the values of the comparison by name."""
        return [
            {
                "measure": item.measure,
                "value": item.value,
                "source_value": item.source_value,
                **item.comparison.to_record(),
                "t_p": item.t_p,
            }
            for item in self
        ]


def compare_with_source(
    evidence: Sequence[Evidence | HasEvidence],
    test: Test = "randomisation",
    correction: Correction = "holm",
    bootstrap: Bootstrap | None = None,
    progress: Progress | None = None,
) -> SourceComparisons:
    """Compare every system with the source, on the references chosen for the system; given as scores or evidence.

    ``progress`` is called with the number of replicates of tests that were just done; every system counts.
    """
    settings, evidence = Bootstrap.of(bootstrap), collect_evidence(evidence)
    check_methods(test, correction)
    if settings.choice == "again":
        raise UsageError("a comparison with the source keeps the references chosen for the system, so they cannot be rechosen")
    if not evidence:
        return SourceComparisons(())
    check_units(evidence, settings.by, "a test")
    pairs = [_Sides(item, settings, progress) for item in evidence]
    comparisons = [make_comparison((item.system_name, SOURCE), own.pair, test) for item, own in zip(evidence, pairs, strict=True)]
    if progress is not None and test != "randomisation":
        progress(settings.replicates * len(pairs))
    corrected = correct_comparisons([_in_sentences(item, own) for item, own in zip(comparisons, pairs, strict=True)], correction)
    return SourceComparisons(
        SourceComparison(own.measure.label, *own.totals, item, own.pair.test("t")[0]) for item, own in zip(corrected, pairs, strict=True)
    )


class _Sides:
    """Output and source of a system."""

    def __init__(self, evidence: Evidence, settings: Bootstrap, progress: Progress | None) -> None:
        self.measure = _find_measure(evidence)
        both = collect_units([evidence], settings.by)
        (matrix,) = both.matrices
        self.counts = (matrix[:, self.measure.output], matrix[:, self.measure.source])
        self.times = both.times
        self.sentences_per_unit = evidence.size / int(both.times.sum())
        values, units = self.measure.ratio.values, both._replace(matrices=list(self.counts))
        output, source = resample_sums(self.counts, settings, times=both.times if both.grouped else None)
        swaps = partial(tell, partial(swap_outputs, values, units, settings), progress)
        self.pair = Pair(values, self.counts, both.times, (values(output), values(source)), swaps, settings)

    @property
    def totals(self) -> tuple[float, float]:
        """The measures of the system and of the source."""
        output, source = (float(self.measure.ratio.values((self.times @ counts)[None, :])[0]) for counts in self.counts)
        return output, source


def _find_measure(evidence: Evidence) -> SourceMeasure:
    measure = evidence.metric.source_measure
    if measure is None or not evidence.chooses:
        raise RequestError(
            f"{evidence.metric} does not count the source on the same references, as imeasure does; "
            "compare the source as a system: errata compare GOLD source=SOURCE SYSTEM..."
        )
    return measure


def _in_sentences(item: Comparison, sides: _Sides) -> Comparison:
    """Convert the number of units needed to sentences."""
    import math

    if item.sentences_needed is None or sides.sentences_per_unit == 1:
        return item
    return replace(item, sentences_needed=math.ceil(item.sentences_needed * sides.sentences_per_unit))
