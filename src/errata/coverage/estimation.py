"""From the corrections of sentences to what a perfect corrector would get: estimates for each, and their means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from errata.coverage.classical import ClassicalEstimates, compute_standard_error, count_coverage, estimate_classically
from errata.coverage.unseen import Distribution, count_frequencies, estimate
from errata.errors import InputError, UsageError
from errata.stats.accuracy import Matches
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.coverage.corrections import CorrectedSentence, Sameness

GAMMAS = (0.0, 0.001, 0.01, 0.1)
"""Probabilities above which corrections are counted, as in Table 1 of Choshen and Abend 2018."""
FEW_ANSWERS = 10
"""Fewer say next to nothing about what was not given."""


@dataclass(frozen=True)
class SentenceEstimate:
    """What is estimated of one sentence."""

    sentence: CorrectedSentence
    fingerprint: tuple[int, ...]
    distribution: Distribution
    classical: ClassicalEstimates

    counts: tuple[int, ...] = ()
    """How often each kind of correction was given."""

    @property
    def warning(self) -> str:
        """Why the estimate should not be trusted, if so."""
        if self.classical.answers < FEW_ANSWERS:
            return f"only {pluralise(self.classical.answers, 'correction')}"
        if self.fingerprint[0] == self.classical.answers:
            return "no two corrections are the same, so nothing says how many more there are"
        return ""


def estimate_sentences(
    sentences: Sequence[CorrectedSentence], same: Sameness, progress: Callable[[int], None] | None = None
) -> list[SentenceEstimate]:
    """The distribution of corrections of every sentence."""
    if not sentences:
        raise InputError("there are no sentences to estimate")
    estimates = []
    for sentence in sentences:
        counts = tuple(sentence.grouped(same).values())
        fingerprint = count_frequencies(counts)
        estimates.append(
            SentenceEstimate(sentence, fingerprint, estimate(fingerprint, sentence.name), estimate_classically(fingerprint), counts)
        )
        if progress is not None:
            progress(1)
    return estimates


def compute_coverage(estimates: Sequence[SentenceEstimate]) -> Coverage:
    """All sentences together."""
    return Coverage(tuple(item.distribution for item in estimates))


@dataclass(frozen=True)
class Coverage:
    """Means over sentences."""

    distributions: tuple[Distribution, ...]

    def variants(self, gamma: float = 0.0) -> float:
        """How many corrections a sentence has that are more probable than this."""
        return _mean([item.number_above(gamma) for item in self.distributions])

    def mass(self, gamma: float = 0.0) -> float:
        """How probable these are together."""
        return _mean([item.mass_above(gamma) for item in self.distributions])

    def chances(self, references: int, *, distinct: bool = False) -> tuple[float, ...]:
        """For each sentence, the chance that a perfect corrector matches one of so many references."""
        if references < 0:
            raise UsageError(f"references are a whole number from 0, found {references}")
        return tuple(
            min(1.0, item.coverage_of_distinct(references) if distinct else item.coverage(references)) for item in self.distributions
        )

    def accuracy(self, references: int, *, distinct: bool = False) -> float:
        """The expected accuracy of a perfect corrector."""
        return _mean(self.chances(references, distinct=distinct))

    def matches(self, references: int, *, distinct: bool = False) -> Matches:
        """The whole distribution of the number of sentences that a perfect corrector matches."""
        return Matches(self.chances(references, distinct=distinct))

    def references_for(self, accuracy: float) -> int | None:
        """The fewest references with which a perfect corrector is expected to reach an accuracy; None where a billion do not."""
        if not 0 < accuracy < 1:
            raise UsageError(f"a wanted accuracy lies between 0 and 1, found {accuracy}")
        accuracy -= 1e-12  # what is only rounded is reached
        low, high = 0, 1
        while self.accuracy(high) < accuracy:
            low, high = high, 2 * high
            if high > 1 << 30:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.accuracy(middle) < accuracy else (low, middle)
        return high


class Counted(NamedTuple):
    """The expected accuracy by counting alone, without bias, and its standard error."""

    accuracy: float
    error: float | None
    """None where there are too few answers to leave one out."""


def count_accuracy(estimates: Sequence[SentenceEstimate], references: int) -> Counted | None:
    """What counting says of so many references; None where a sentence has too few answers."""
    coverages = [count_coverage(item.counts, references) for item in estimates]
    values = [value for value in coverages if value is not None]
    if len(values) < len(coverages):
        return None
    errors = [compute_standard_error(item.counts, references) for item in estimates]
    known = [error for error in errors if error is not None]
    error = math.sqrt(sum(own**2 for own in known)) / len(known) if len(known) == len(errors) else None
    return Counted(_mean(values), error)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def compute_worth(p_detect: float, p_correct: float, p_coverage: float, reward: float = 1.0, penalty: float = 0.0) -> float:
    """How much more a corrector expects by correcting a phrase than by leaving it (Choshen and Abend 2018, section 3.1).

    ``p_detect`` is the chance that the phrase is wrong, ``p_correct`` that the corrector finds a valid correction, ``p_coverage``
    that a valid one is among the references.  Below 0 it should leave the phrase alone.

    >>> compute_worth(0.7, 0.5, 0.4) < 0 < compute_worth(0.9, 0.5, 0.4)
    True
    """
    for name, chance in (("p_detect", p_detect), ("p_correct", p_correct), ("p_coverage", p_coverage)):
        if not 0 <= chance <= 1:
            raise UsageError(f"{name} lies between 0 and 1, found {chance}")
    rewarded = p_correct * p_coverage
    return rewarded * reward - (1 - rewarded) * penalty - (1 - p_detect)
