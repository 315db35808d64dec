"""I-measure: how much better or worse than the source a system made the text, token by token.

Felice and Briscoe 2015, *Towards a standard evaluation method for grammatical error detection and correction*.
Source, hypothesis and reference are aligned; each column is a true or false positive or negative, for detection and correction.
Weighted accuracy is WAcc = (w·TP + TN) / (w·(TP+FP) + TN + FN - (w+1)·FPN/2), and I compares it with the source's own:
1 is a correct text, 0 as good as the source, -1 a text without anything right.
Each sentence is scored against the reference with the largest WAcc of correction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from errata import core
from errata.choice import Ratio, Row, Rule
from errata.errors import RequestError, UsageError
from errata.metrics.base import Metric
from errata.references import apply as apply_choice
from errata.references import combinations, errors_of, mixed_references, single_references

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus import Corpus, Tokens
    from errata.references import Alternative

References = Literal["mix", "single"]
Baseline = Literal["realigned", "existing"]

_CLASSES = ("tp", "tn", "fp", "fn", "fpn")
_ASPECTS = (("detection", _CLASSES[:4]), ("correction", _CLASSES))
_SYSTEM = tuple(f"{aspect}_{name}" for aspect, names in _ASPECTS for name in names)
_PER_SYSTEM = len(_SYSTEM)
_DETECTION = 4
"""Counts of detection, before those of correction."""

MOST_COMBINATIONS = 1024
"""References of a sentence that are all tried; beyond that the best found by changing one choice at a time is taken."""

MOST_TRIED = 10_000
"""References that such a search tries before it takes the best so far."""

_MOST_REMEMBERED = 500_000
"""Baselines kept for the next system."""


@dataclass(frozen=True)
class Measures:
    """What counts of true and false positives and negatives mean."""

    precision: Fraction
    recall: Fraction
    f: Fraction
    accuracy: Fraction
    wacc: Fraction

    @classmethod
    def of(cls, counts: Sequence[int], w: Fraction, beta: Fraction) -> Measures:
        """From tp, tn, fp, fn and fpn (0 if left out); what has nothing to divide by is 1.

        >>> Measures.of((1, 6, 0, 3), Fraction(2), Fraction("0.5")).wacc
        Fraction(8, 11)
        """
        tp, tn, fp, fn, fpn = (*counts, 0)[:5]
        precision, recall = _ratio(tp, tp + fp), _ratio(tp, tp + fn)
        below = beta**2 * precision + recall
        f = (1 + beta**2) * precision * recall / below if below else Fraction(0)
        wacc = _ratio(w * tp + tn, w * (tp + fp) + tn + fn - (w + 1) * Fraction(fpn, 2))
        return cls(precision, recall, f, _ratio(tp + tn, tp + tn + fp + fn - fpn), wacc)


def _ratio(above: int | Fraction, below: int | Fraction) -> Fraction:
    return Fraction(above) / Fraction(below) if below else Fraction(1)


def _same_ratio(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return (one[0] if one[1] else 1) * (other[1] or 1) == (other[0] if other[1] else 1) * (one[1] or 1)


def improvement(system: Fraction, baseline: Fraction) -> Fraction:
    """I of two weighted accuracies.

    >>> improvement(Fraction(3, 4), Fraction(1, 2)), improvement(Fraction(1, 4), Fraction(1, 2))
    (Fraction(1, 2), Fraction(-1, 2))
    """
    if system == baseline:
        return Fraction(math.floor(system))
    return (system - baseline) / (1 - baseline) if system > baseline else system / baseline - 1


@dataclass(frozen=True)
class IMeasure(Metric):
    """I-measure with its settings.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> score = errata.score(gold, errata.read_system("examples/systems/cautious.txt"), "imeasure")
    >>> round(score.value, 4)
    0.1836
    """

    w: float = 2.0
    """Weight of corrections against words left alone in WAcc; more than 1."""
    beta: float = 0.5
    """Weight of recall against precision in F."""
    references: References = "mix"
    """All references that mix the corrections of annotators, or each annotator's own only."""
    baseline: Baseline = "realigned"
    """The source aligned anew with the chosen reference, or put in the place of the hypothesis (as in the paper)."""
    gap: int = 2
    """Cost of a token against nothing in an alignment."""
    mismatch: int = 3
    """Cost of two different tokens; 2·gap > mismatch > gap."""
    choice: Rule = field(default="sentence", init=False, repr=False)

    name: ClassVar[str] = "imeasure"
    summary: ClassVar[str] = "token by token, better or worse than the source: WAcc, I (Felice and Briscoe 2015)"
    columns: ClassVar[tuple[str, ...]] = (*_SYSTEM, *(f"baseline_{name}" for name in _SYSTEM), "certified", "sentences")
    explanation: ClassVar[str] = (
        "I above 0: the system made the text better; below 0: worse than leaving it alone.  "
        "Certified: sentences for which every mixed reference was tried."
    )

    def __post_init__(self) -> None:
        if not (math.isfinite(self.w) and 1 < self.w <= 1000):  # noqa: PLR2004 - far beyond any use
            raise UsageError(f"imeasure setting w is a number above 1 up to 1000, found {self.w}")
        if not (math.isfinite(self.beta) and 0 <= self.beta <= 1000):  # noqa: PLR2004
            raise UsageError(f"imeasure setting beta is a number from 0 to 1000, found {self.beta}")
        if not (0 < self.gap < self.mismatch < 2 * self.gap <= 1000):  # noqa: PLR2004
            raise UsageError(
                f"imeasure settings gap and mismatch must satisfy 2·gap > mismatch > gap > 0, found {self.gap} and {self.mismatch}"
            )
        for setting, value, known in (
            ("references", self.references, get_args(References)),
            ("baseline", self.baseline, get_args(Baseline)),
        ):
            if value not in known:
                raise UsageError(f"imeasure setting {setting} is one of {', '.join(known)}, found {value!r}")

    def scorer(self, corpus: Corpus) -> IMeasureScorer:
        """Find the errors of every sentence and their alternatives."""
        return IMeasureScorer(self, corpus)

    def ratio(self) -> Ratio:
        """WAcc of correction; a sentence has only one row, so there is nothing to choose."""
        w = Fraction(repr(self.w))
        part, whole = w.numerator, w.denominator
        before, after = (0,) * _DETECTION, (0,) * (_PER_SYSTEM + 2)
        above = (2 * part, 2 * whole, 0, 0, 0)
        below = (2 * part, 2 * whole, 2 * part, 2 * whole, -(part + whole))
        return Ratio((*before, *above, *after), (*before, *below, *after))

    def value(self, counts: Row) -> float:
        """I for correction."""
        system, baseline = self._measures(counts)[1], self._measures(counts[_PER_SYSTEM:])[1]
        return float(improvement(system.wacc, baseline.wacc))

    def parts(self, counts: Row) -> dict[str, Any]:
        """Detection and correction of the system, the same of the baseline, and how many sentences are certified."""
        system, baseline = self._aspects(counts), self._aspects(counts[_PER_SYSTEM:])
        for aspect, _ in _ASPECTS:
            of_system, of_baseline = (Fraction(self._measure(counts[start:], aspect).wacc) for start in (0, _PER_SYSTEM))
            system[aspect]["i"] = float(improvement(of_system, of_baseline))
        return {**system, "baseline": baseline, "certified": counts[-2], "sentences": counts[-1]}

    def shown(self, counts: Row) -> dict[str, float]:
        """Correction in one line."""
        parts = self.parts(counts)
        correction, baseline = parts["correction"], parts["baseline"]["correction"]
        names = ("tp", "fp", "fn", "precision", "recall", "f", "wacc")
        return {**{name: correction[name] for name in names}, "baseline": baseline["wacc"], "certified": counts[-2]}

    @property
    def label(self) -> str:
        """The letter of the paper."""
        return "I"

    def best(self, rows: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """The first of the best rows: the largest WAcc of correction, ties by I, then accuracy, then the same for detection."""
        if len(rows) == 1:
            return rows[0]
        ratio = self.ratio()
        pairs = [ratio.of(row) for row in rows]
        most = pairs[0]
        for above, below in pairs:
            if (above if below else 1) * (most[1] or 1) > (most[0] if most[1] else 1) * (below or 1):
                most = (above, below)
        equal = [row for row, pair in zip(rows, pairs, strict=True) if _same_ratio(pair, most)]
        return equal[0] if len(set(equal)) == 1 else max(equal, key=self._key)

    def _key(self, row: tuple[int, ...]) -> tuple[Fraction, ...]:
        key: list[Fraction] = []
        for aspect in ("correction", "detection"):
            system, baseline = self._measure(row, aspect), self._measure(row[_PER_SYSTEM:], aspect)
            key += [system.wacc, improvement(system.wacc, baseline.wacc), system.accuracy]
        return tuple(key)

    def _measure(self, counts: Sequence[int], aspect: str) -> Measures:
        return self._measures(counts)[0 if aspect == "detection" else 1]

    def _measures(self, counts: Sequence[int]) -> tuple[Measures, Measures]:
        w, beta = Fraction(repr(self.w)), Fraction(repr(self.beta))
        return Measures.of(counts[:_DETECTION], w, beta), Measures.of(counts[_DETECTION:_PER_SYSTEM], w, beta)

    def _aspects(self, counts: Sequence[int]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for (aspect, names), part in zip(_ASPECTS, (counts[:_DETECTION], counts[_DETECTION:_PER_SYSTEM]), strict=True):
            measures = self._measure(counts, aspect)
            values = {name: float(getattr(measures, name)) for name in ("precision", "recall", "f", "accuracy", "wacc")}
            result[aspect] = {**dict(zip(names, part, strict=True)), **values}
        return result


class IMeasureScorer:
    """I-measure made ready for one corpus."""

    def __init__(self, metric: IMeasure, corpus: Corpus) -> None:
        self.corpus = corpus
        self._metric = metric
        self.labels = [(metric.references,)] * len(corpus)
        self._errors = [errors_of(sentence) if metric.references == "mix" else [] for sentence in corpus]
        self._references: dict[int, tuple[Tokens, ...]] = {}
        self._baselines: dict[tuple[int, Tokens], tuple[int, ...]] = {}

    def rows(self, first: int, hypotheses: list[Tokens]) -> list[tuple[Row, ...]]:
        """The counts of each sentence against its best reference."""
        return [(self._row(first + place, hypothesis),) for place, hypothesis in enumerate(hypotheses)]

    def _row(self, number: int, hypothesis: Tokens) -> Row:
        sentence = self.corpus[number]
        if self._metric.references == "mix" and combinations(self._errors[number]) > MOST_COMBINATIONS:
            return (*self._climb(number, hypothesis), 0, 1)
        if number not in self._references:
            mixed = (
                mixed_references(sentence.tokens, self._errors[number]) if self._metric.references == "mix" else single_references(sentence)
            )
            self._references[number] = tuple(mixed)
        return (*self._metric.best(self._counts(number, hypothesis, self._references[number])), 1, 1)

    def _climb(self, number: int, hypothesis: Tokens) -> tuple[int, ...]:
        """From each annotator's own choices, change one error at a time while that makes the score better."""
        tokens, errors = self.corpus[number].tokens, self._errors[number]
        best: tuple[int, ...] | None = None
        tried = 0
        for start in range(max(len(alternatives) for alternatives in errors)):
            choice = [alternatives[min(start, len(alternatives) - 1)] for alternatives in errors]
            reference = apply_choice(tokens, choice)
            row = self._counts(number, hypothesis, (reference,))[0] if reference is not None else None
            changed = True
            while changed and tried < MOST_TRIED:
                changed = False
                for place, alternatives in enumerate(errors):
                    if tried >= MOST_TRIED:
                        break
                    tried += len(alternatives) - 1
                    row, choice[place], better = self._best_alternative(number, hypothesis, choice, place, alternatives, row)
                    changed |= better
            if row is not None and (best is None or self._metric.best([best, row]) is not best):
                best = row
        if best is None:
            raise RequestError(f"{self.corpus.path or self.corpus.name}: no mixture of the corrections of sentence {number + 1} was found")
        return best

    def _best_alternative(
        self,
        number: int,
        hypothesis: Tokens,
        choice: list[Alternative],
        place: int,
        alternatives: Sequence[Alternative],
        row: tuple[int, ...] | None,
    ) -> tuple[tuple[int, ...] | None, Alternative, bool]:
        """The alternative of one error that is best with the choices of the others, its counts, and whether it is a better one."""
        tried = [
            (alternative, apply_choice(self.corpus[number].tokens, [*choice[:place], alternative, *choice[place + 1 :]]))
            for alternative in alternatives
            if alternative != choice[place]
        ]
        possible = [(alternative, reference) for alternative, reference in tried if reference is not None]
        rows = self._counts(number, hypothesis, tuple(reference for _, reference in possible))
        found = (row, choice[place], False)
        for (alternative, _), candidate in zip(possible, rows, strict=True):
            if found[0] is None or self._metric.best([found[0], candidate]) is not found[0]:
                found = (candidate, alternative, True)
        return found

    def _counts(self, number: int, hypothesis: Tokens, references: tuple[Tokens, ...]) -> list[tuple[int, ...]]:
        """Counts of the system and of its baseline for each reference."""
        metric, source = self._metric, self.corpus[number].tokens
        try:
            found = core.three_way_counts(source, hypothesis, references, metric.gap, metric.mismatch)
            if metric.baseline == "existing":
                return found
            if len(self._baselines) > _MOST_REMEMBERED:
                self._baselines.clear()
            missing = tuple(reference for reference in references if (number, reference) not in self._baselines)
            for reference, counts in zip(missing, core.three_way_counts(source, source, missing, metric.gap, metric.mismatch), strict=True):
                self._baselines[number, reference] = counts[:_PER_SYSTEM]
        except OverflowError as error:
            raise RequestError(f"{self.corpus.path or self.corpus.name}: sentence {number + 1} cannot be scored: {error}") from None
        return [counts[:_PER_SYSTEM] + self._baselines[number, reference] for counts, reference in zip(found, references, strict=True)]
