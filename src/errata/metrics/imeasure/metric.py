"""I-measure: how much better or worse than the source a system made the text, token by token.

Felice and Briscoe 2015, *Towards a standard evaluation method for grammatical error detection and correction*.
Source, hypothesis and reference are aligned; each column is a true or false positive or negative, for detection and correction.
From these come weighted accuracy and I: 1 is a correct text, 0 as good as the source, -1 a text without anything right.
Each sentence is scored against the reference with the largest WAcc of correction, of all that mix the annotators' corrections.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from errata.errors import UsageError
from errata.metrics.base import Metric, Outcomes
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
from errata.metrics.strategy import Choose, SingleRow
from errata.ratios import Ratio, Row
from errata.settings import number, one_of, whole
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus import Corpus
    from errata.metrics.imeasure.scorer import IMeasureScorer
    from errata.metrics.views import Aspect

Maximised = Literal["wacc", "i", "accuracy", "f", "precision", "recall"]
Per = Literal["sentence", "corpus"]
References = Literal["mix", "single"]
Baseline = Literal["realigned", "existing"]
_REFERENCES: dict[References, str] = {"mix": "all mixtures of the corrections of annotators", "single": "each annotator's own corrections"}
_BASELINES: dict[Baseline, str] = {
    "realigned": "anew with the chosen reference, as the public scorer does",
    "existing": "in the place of the hypothesis, as in the paper",
}

_COUNTS = 2 * PER_SYSTEM + 2
_LARGEST = 1000
"""Settings beyond it are of no use and make whole numbers long."""


@dataclass(frozen=True)
class IMeasure(Metric):
    """I-measure with its settings.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> score = errata.score(gold, errata.read_system("examples/systems/cautious.txt"), "imeasure")
    >>> round(score.value, 4)
    0.1836
    """

    w: float = number(2.0, "weight of corrections against words left alone in WAcc", above=1, most=_LARGEST)
    beta: float = number(0.5, "weight of recall against precision in F", most=_LARGEST)
    maximise: Maximised = one_of("wacc", get_args(Maximised), "the measure that the choice among references makes as large as possible")
    aspect: Aspect = one_of("correction", ("correction", "detection"), "whether that is the measure of correction or of detection")
    per: Per = one_of("sentence", get_args(Per), "whether it is made largest for each sentence or for the whole corpus")
    references: References = one_of("mix", _REFERENCES, "what a sentence is compared with")
    baseline: Baseline = one_of("realigned", _BASELINES, "how the unchanged source is aligned")
    gap: int = whole(2, "cost of a token against nothing in an alignment", least=1, most=_LARGEST)
    mismatch: int = whole(3, "cost of two different tokens; 2·gap > mismatch > gap", least=1, most=_LARGEST)

    name: ClassVar[str] = "imeasure"
    title: ClassVar[str] = "I-measure"
    summary: ClassVar[str] = "token by token, how much better or worse than the source the text became"
    paper: ClassVar[str] = "Felice and Briscoe 2015"
    columns: ClassVar[tuple[str, ...]] = (*SYSTEM, *(f"baseline_{name}" for name in SYSTEM), "certified", "sentences")
    explanation: ClassVar[str] = "I above 0: the system made the text better; below 0: worse."
    columns_explained: ClassVar[str] = "Certified: sentences whose reference is proved to be the best of all."

    def check(self) -> None:
        """Costs keep gaps aligned, and what is maximised per corpus is a ratio of sums."""
        if not self.gap < self.mismatch < 2 * self.gap:
            raise UsageError(
                f"imeasure settings gap and mismatch must satisfy 2·gap > mismatch > gap > 0, found {self.gap} and {self.mismatch}"
            )
        if self.maximise == "i" and self.per == "corpus":
            raise UsageError(
                "imeasure cannot maximise i per corpus, for I is no ratio of sums; maximise wacc per corpus, or i per sentence"
            )

    @property
    def strategy(self) -> Choose | SingleRow:
        """A sentence has one row, of the reference that is best for it, or one for every ratio that may be best for the corpus."""
        return SingleRow() if self.per == "sentence" else Choose("optimal", self.ratio_of(_ratio_measure(self.maximise), self.aspect))

    def scorer(self, corpus: Corpus) -> IMeasureScorer:
        """Find the errors of every sentence and their alternatives."""
        from errata.metrics.imeasure.scorer import IMeasureScorer

        return IMeasureScorer(self, corpus)

    def ratio_of(self, measure: MeasureName, aspect: Aspect, *, baseline: bool = False) -> Ratio:
        """A measure of the system or its baseline as a ratio of sums of all counts."""
        short = make_ratio(measure, *self._numbers)
        start = (PER_SYSTEM if baseline else 0) + (0 if aspect == "detection" else DETECTION)
        width = len(ASPECT_CLASSES[aspect])

        def long(part: tuple[int, ...]) -> tuple[int, ...]:
            return (*(0,) * start, *part[:width], *(0,) * (_COUNTS - start - width))

        return Ratio(long(short.numerator), long(short.denominator))

    def list_preferences(self) -> Iterator[tuple[Maximised, Aspect]]:
        """What decides between references, in order: the measure maximised, then WAcc, I and accuracy, then those of the other aspect."""
        yield self.maximise, self.aspect
        for aspect in (self.aspect, "detection" if self.aspect == "correction" else "correction"):
            for measure in ("wacc", "i", "accuracy"):
                if (measure, aspect) != (self.maximise, self.aspect):
                    yield measure, aspect

    def key(self, counts: Sequence[int]) -> tuple[Fraction, ...]:
        """The measures that :meth:`preferences` names."""
        values = []
        for measure, aspect in self.list_preferences():
            system = self.measures(counts, aspect)
            if measure == "i":
                values.append(compute_improvement(system.wacc, self.measures(counts[PER_SYSTEM:], aspect).wacc))
            else:
                values.append(getattr(system, measure))
        return tuple(values)

    def value(self, counts: Row) -> float:
        """I for correction."""
        return float(self._improvement(counts, "correction"))

    def values(self, counts: Any) -> Any:
        """I for correction of many sums of counts."""
        import numpy as np

        system, source = (self.ratio_of("wacc", "correction", baseline=which).values(counts) for which in (False, True))
        values = np.floor(system)
        above, below = system > source, system < source
        values[above] = (system[above] - source[above]) / (1 - source[above])
        values[below] = system[below] / source[below] - 1
        return values

    def parts(self, counts: Row) -> dict[str, Any]:
        """Detection and correction of the system, the same of the baseline, and how many sentences are certified."""
        system, baseline = self._aspects(counts), self._aspects(counts[PER_SYSTEM:])
        for aspect in ASPECT_CLASSES:
            system[aspect]["i"] = float(self._improvement(counts, aspect))
        return {**system, "baseline": baseline, "certified": counts[-2], "sentences": counts[-1]}

    def shown(self, counts: Row) -> dict[str, float]:
        """Correction in one line."""
        parts = self.parts(counts)
        correction, baseline = parts["correction"], parts["baseline"]["correction"]
        names = ("tp", "fp", "fn", "precision", "recall", "f", "wacc")
        return {**{name: correction[name] for name in names}, "baseline": baseline["wacc"], "certified": counts[-2]}

    def in_words(self, counts: Row) -> str:
        """Weighted accuracy of system and source, and I."""
        shown = self.shown(counts)
        return f"WAcc {100 * shown['wacc']:.2f} (source {100 * shown['baseline']:.2f}), I {100 * self.value(counts):.2f}"

    def outcomes(self, counts: Row) -> Outcomes:
        """Classes of words in correction; one that is changed to the wrong word is a false positive and a false negative."""
        tp, _, fp, fn, _ = counts[DETECTION:PER_SYSTEM]
        return Outcomes(tp, fp, fn)

    def warnings(self, counts: Row) -> list[str]:
        """Some references are only the best found."""
        certified, sentences = counts[-2:]
        missing = sentences - certified
        what = f"{missing:,} of {pluralise(sentences, 'sentence')}"
        return [f"uncertified, scored with the best reference found: {what}"] if missing else []

    def wacc_at(self, counts: Row, w: Fraction) -> float:
        """WAcc of correction with another weight, for the same counts."""
        return float(Measures.of(counts[DETECTION:PER_SYSTEM], w, self._numbers[1]).wacc)

    @property
    def label(self) -> str:
        """The letter of the paper."""
        return "I"

    def measures(self, counts: Sequence[int], aspect: Aspect) -> Measures:
        """The measures of the nine counts that a row begins with."""
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
    """The measure of that name; I, which is none, is never maximised for a whole corpus."""
    return "wacc" if maximised == "i" else maximised
