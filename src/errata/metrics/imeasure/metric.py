"""I-measure: whether the output is better or worse than the source, token by token.

Felice and Briscoe 2015, *Towards a standard evaluation method for grammatical error detection and correction*.
Source, hypothesis and reference are aligned; each column is a true or false positive or negative, for detection and correction.
From these follows weighted accuracy, WAcc = (w·TP + TN) / (w·(TP + FP) + TN + FN - (w + 1)·FPN / 2), where FPN are columns that are
both FP and FN.  With sys and base the WAcc of output and source, I = (sys - base) / (1 - base) if sys is higher, else sys / base - 1:
1 is a correct text, 0 is as good as the source, -1 has nothing right.
Each sentence is scored against the reference with the largest WAcc of correction, of all mixtures of the annotators' corrections.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from errata.errors import UsageError, pluralise
from errata.metrics.base import Metric, Outcomes, SourceMeasure
from errata.metrics.imeasure.measures import (
    ASPECT_CLASSES,
    DETECTION,
    PER_SYSTEM,
    SYSTEM,
    MeasureName,
    Measures,
    compute_improvement,
    make_ratio,
)
from errata.metrics.references import CERTIFIED_EXPLAINED, REFERENCES, References
from errata.metrics.strategy import Choose, SingleRow
from errata.ratios import Ratio, Row
from errata.settings import number as real
from errata.settings import one_of, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.corpus import Corpus
    from errata.metrics.imeasure.scorer import IMeasureScorer
    from errata.metrics.views import Aspect

Maximised = Literal["wacc", "i", "accuracy", "f", "precision", "recall"]
Per = Literal["sentence", "corpus"]
Baseline = Literal["realigned", "existing"]
_BASELINES: dict[Baseline, str] = {
    "realigned": "in a new alignment with the chosen reference, as in the public scorer",
    "existing": "in the alignment of the output, with the source instead of the output, as in the paper",
}

_COUNTS = 2 * PER_SYSTEM + 2
_LARGEST = 1000
"""The largest value of settings; larger ones are not useful and make whole numbers long."""


@dataclass(frozen=True)
class IMeasure(Metric):
    """I-measure with its settings.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> score = errata.score(gold, errata.read_system("examples/systems/cautious.txt"), "imeasure")
    >>> round(score.value, 4)
    0.1836
    """

    w: float = real(2.0, "weight of corrections against tokens left unchanged in WAcc", above=1, most=_LARGEST)
    beta: float = real(0.5, "weight of recall against precision in F", most=_LARGEST)
    maximise: Maximised = one_of("wacc", get_args(Maximised), "the measure that the choice among references maximises")
    aspect: Aspect = one_of("correction", ("correction", "detection"), "whether it is the measure of correction or of detection")
    per: Per = one_of("sentence", get_args(Per), "whether it is maximised for each sentence or for the whole corpus")
    references: References = one_of("mix", REFERENCES, "the references of a sentence")
    baseline: Baseline = one_of("realigned", _BASELINES, "how the source is aligned to compute its WAcc")
    gap: int = whole(2, "cost of a token aligned with a gap", least=1, most=_LARGEST)
    mismatch: int = whole(3, "cost of two different tokens aligned; 2·gap > mismatch > gap", least=1, most=_LARGEST)

    in_parts: ClassVar[bool] = True
    name: ClassVar[str] = "imeasure"
    title: ClassVar[str] = "I-measure"
    aliases: ClassVar[tuple[str, ...]] = ("i", "i-measure", "wacc")
    summary: ClassVar[str] = "whether the output is better or worse than the source, token by token"
    paper: ClassVar[str] = "Felice and Briscoe 2015"
    columns: ClassVar[tuple[str, ...]] = (*SYSTEM, *(f"baseline_{name}" for name in SYSTEM), "certified", "sentences")
    explanation: ClassVar[str] = "I above 0: the output is better than the source; below 0: worse."
    columns_explained: ClassVar[str] = CERTIFIED_EXPLAINED

    def check(self) -> None:
        """Raise if the costs, or the measure to maximise, are not possible."""
        if not self.gap < self.mismatch < 2 * self.gap:
            raise UsageError(
                f"imeasure settings gap and mismatch must satisfy 2·gap > mismatch > gap > 0, found {self.gap} and {self.mismatch}"
            )
        if self.maximise == "i" and self.per == "corpus":
            raise UsageError("imeasure cannot maximise i per corpus, because I is not a ratio of sums; use maximise=wacc or per=sentence")

    @property
    def strategy(self) -> Choose | SingleRow:
        """One row per sentence, for its best reference; with per=corpus one for every reference that may be the best for the corpus."""
        return SingleRow() if self.per == "sentence" else Choose("optimal", self.ratio_of(_ratio_measure(self.maximise), self.aspect))

    @property
    def mixes_references(self) -> bool:
        """Whether its rows are of mixtures."""
        return self.references == "mix"

    def scorer(self, corpus: Corpus) -> IMeasureScorer:
        """Find the errors of every sentence, and their alternatives."""
        from errata.metrics.imeasure.scorer import IMeasureScorer

        return IMeasureScorer(self, corpus)

    def ratio_of(self, measure: MeasureName, aspect: Aspect, *, baseline: bool = False) -> Ratio:
        """Make the ratio of a measure of the system, or of its baseline, over all counts."""
        short = make_ratio(measure, *self._numbers)
        start = (PER_SYSTEM if baseline else 0) + (0 if aspect == "detection" else DETECTION)
        width = len(ASPECT_CLASSES[aspect])

        def long(part: tuple[int, ...]) -> tuple[int, ...]:
            return (*(0,) * start, *part[:width], *(0,) * (_COUNTS - start - width))

        return Ratio(long(short.numerator), long(short.denominator))

    def list_preferences(self) -> Iterator[tuple[Maximised, Aspect]]:
        """Yield the measures that decide between references: the maximised one, WAcc, I, accuracy, and those of the other aspect."""
        yield self.maximise, self.aspect
        for aspect in (self.aspect, "detection" if self.aspect == "correction" else "correction"):
            for measure in ("wacc", "i", "accuracy"):
                if (measure, aspect) != (self.maximise, self.aspect):
                    yield measure, aspect

    def key(self, counts: Sequence[int]) -> tuple[Fraction, ...]:
        """Compute the measures of :meth:`list_preferences`."""
        values = []
        for measure, aspect in self.list_preferences():
            system = self.measures(counts, aspect)
            if measure == "i":
                values.append(compute_improvement(system.wacc, self.measures(counts[PER_SYSTEM:], aspect).wacc))
            else:
                values.append(getattr(system, measure))
        return tuple(values)

    def value(self, counts: Row) -> float:
        """Compute I for correction."""
        return float(self._improvement(counts, "correction"))

    def values(self, counts: Any) -> Any:
        """Compute I for correction of many sums of counts."""
        import numpy as np

        system, source = (self.ratio_of("wacc", "correction", baseline=which).values(counts) for which in (False, True))
        values = np.floor(system)
        above, below = system > source, system < source
        values[above] = (system[above] - source[above]) / (1 - source[above])
        values[below] = system[below] / source[below] - 1
        return values

    def parts(self, counts: Row) -> dict[str, Any]:
        """Return detection and correction of system and baseline, and how many sentences are certified."""
        system, baseline = self._aspects(counts), self._aspects(counts[PER_SYSTEM:])
        for aspect in ASPECT_CLASSES:
            system[aspect]["i"] = float(self._improvement(counts, aspect))
        return {**system, "baseline": baseline, "certified": counts[-2], "sentences": counts[-1]}

    def shown(self, counts: Row) -> dict[str, float]:
        """Return the measures of correction that tables show."""
        parts = self.parts(counts)
        correction, baseline = parts["correction"], parts["baseline"]["correction"]
        names = ("tp", "fp", "fn", "precision", "recall", "f", "wacc")
        return {**{name: correction[name] for name in names}, "baseline": baseline["wacc"], "certified": counts[-2]}

    def in_words(self, counts: Row) -> str:
        """Describe weighted accuracy of system and source, and I."""
        shown = self.shown(counts)
        return f"WAcc {100 * shown['wacc']:.2f} (source {100 * shown['baseline']:.2f}), I {100 * self.value(counts):.2f}"

    def outcomes(self, counts: Row) -> Outcomes:
        """Count the classes of aligned tokens for correction; a wrong correction of an error is a false positive and a false negative."""
        tp, _, fp, fn, _ = counts[DETECTION:PER_SYSTEM]
        return Outcomes(tp, fp, fn)

    @property
    def source_measure(self) -> SourceMeasure:
        """Weighted accuracy of correction; the counts of the source are those of the baseline."""
        output, source = (slice(first + DETECTION, first + PER_SYSTEM) for first in (0, PER_SYSTEM))
        return SourceMeasure("WAcc", make_ratio("wacc", *self._numbers), output, source)

    def warnings(self, counts: Row) -> list[str]:
        """Warn if some references are not proved to be the best."""
        certified, sentences = counts[-2:]
        missing = sentences - certified
        what = f"{missing:,} of {pluralise(sentences, 'sentence')}"
        return [f"not certified: the reference may not be the best for {what}"] if missing else []

    def wacc_at(self, counts: Row, w: Fraction) -> float:
        """Compute WAcc of correction with another weight."""
        return float(Measures.of(counts[DETECTION:PER_SYSTEM], w, self._numbers[1]).wacc)

    @property
    def label(self) -> str:
        """The name in the paper."""
        return "I"

    def measures(self, counts: Sequence[int], aspect: Aspect) -> Measures:
        """Compute the measures of the first nine counts of a row."""
        part = counts[:DETECTION] if aspect == "detection" else counts[DETECTION:PER_SYSTEM]
        return Measures.of(part, *self._numbers)

    @cached_property
    def _numbers(self) -> tuple[Fraction, Fraction]:
        return Fraction(repr(self.w)), Fraction(repr(self.beta))

    def _improvement(self, counts: Sequence[int], aspect: Aspect) -> Fraction:
        return compute_improvement(self.measures(counts, aspect).wacc, self.measures(counts[PER_SYSTEM:], aspect).wacc)

    def _aspects(self, counts: Sequence[int]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for aspect, names in ASPECT_CLASSES.items():
            start = 0 if aspect == "detection" else DETECTION
            measures = self.measures(counts, aspect)
            values = {name: float(getattr(measures, name)) for name in ("precision", "recall", "f", "accuracy", "wacc")}
            result[aspect] = {**dict(zip(names, counts[start : start + len(names)], strict=True)), **values}
        return result


def _ratio_measure(maximised: Maximised) -> MeasureName:
    """Return the measure; I, which is not a ratio, is never maximised for a corpus."""
    return "wacc" if maximised == "i" else maximised
