"""Estimates for each sentence, and the expected accuracy of a perfect corrector."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from errata.coverage.classical import ClassicalEstimates, compute_standard_error, count_coverage, estimate_classically
from errata.coverage.unseen import Distribution, count_frequencies, estimate
from errata.errors import InputError, UsageError, pluralise
from errata.stats.intervals import Matches

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.coverage.corrections import CorrectedSentence, Sameness

GAMMAS = (0.0, 0.001, 0.01, 0.1)
"""Probabilities above which corrections are counted, as in Table 1 of Choshen and Abend."""
FEW_ANSWERS = 10
"""With fewer answers an estimate is not reliable."""


@dataclass(frozen=True)
class SentenceEstimate:
    """The estimates for one sentence."""

    sentence: CorrectedSentence
    frequency_counts: tuple[int, ...]
    distribution: Distribution
    classical: ClassicalEstimates

    counts: tuple[int, ...] = ()
    """How often each correction was given."""

    @property
    def warning(self) -> str:
        """Why the estimate is not reliable; empty if it is."""
        if self.classical.answers < FEW_ANSWERS:
            return f"only {pluralise(self.classical.answers, 'answer')}"
        if self.frequency_counts[0] == self.classical.answers:
            return "no two answers are the same, so the number of other corrections cannot be estimated"
        return ""


def estimate_sentences(
    sentences: Sequence[CorrectedSentence], same: Sameness, progress: Callable[[int], None] | None = None
) -> list[SentenceEstimate]:
    """Estimate the distribution of corrections of every sentence."""
    if not sentences:
        raise InputError("there are no sentences to estimate")
    estimates = []
    for sentence in sentences:
        counts = tuple(sentence.grouped(same).values())
        frequency_counts = count_frequencies(counts)
        estimates.append(
            SentenceEstimate(
                sentence, frequency_counts, estimate(frequency_counts, sentence.name), estimate_classically(frequency_counts), counts
            )
        )
        if progress is not None:
            progress(1)
    return estimates


def compute_coverage(estimates: Sequence[SentenceEstimate]) -> Coverage:
    """Make the coverage of all sentences."""
    return Coverage(tuple(item.distribution for item in estimates))


@dataclass(frozen=True)
class Coverage:
    """Coverage and accuracy, averaged over sentences."""

    distributions: tuple[Distribution, ...]

    def variants(self, gamma: float = 0.0) -> float:
        """Compute the mean number of corrections that are more probable than this."""
        return _mean([item.number_above(gamma) for item in self.distributions])

    def mass(self, gamma: float = 0.0) -> float:
        """Compute the mean total probability of these corrections."""
        return _mean([item.mass_above(gamma) for item in self.distributions])

    def chances(self, references: int, *, distinct: bool = False) -> tuple[float, ...]:
        """Compute for each sentence the probability that a perfect corrector matches one of so many references."""
        if references < 0:
            raise UsageError(f"the number of references must be a whole number from 0, found {references}")
        return tuple(
            min(1.0, item.coverage_of_distinct(references) if distinct else item.coverage(references)) for item in self.distributions
        )

    def accuracy(self, references: int, *, distinct: bool = False) -> float:
        """Compute the expected accuracy of a perfect corrector."""
        return _mean(self.chances(references, distinct=distinct))

    def matches(self, references: int, *, distinct: bool = False) -> Matches:
        """Compute the distribution of the number of sentences that a perfect corrector matches."""
        return Matches(self.chances(references, distinct=distinct))

    def references_for(self, accuracy: float) -> int | None:
        """Find the fewest references for an expected accuracy of a perfect corrector; None if a billion are not enough."""
        if not 0 < accuracy < 1:
            raise UsageError(f"a target accuracy must be a number between 0 and 1, found {accuracy}")
        accuracy -= 1e-12  # against rounding errors
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
    """The unbiased expected accuracy by counting, and its standard error."""

    accuracy: float
    error: float | None
    """None if there are too few answers to leave one out."""


def count_accuracy(estimates: Sequence[SentenceEstimate], references: int) -> Counted | None:
    """Count the expected accuracy with so many references; None if a sentence has too few answers."""
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


def correct_accuracy(accuracy: float, coverage: float, needed: float = 1.0) -> float | None:
    """Correct the accuracy of a system for the coverage of its references; None if the result is not defined.

    The expected accuracy is TrueAcc - b, and the bias b is TrueAcc · needed · (1 - coverage), if ``needed`` is the share of
    sentences that need a correction (Choshen and Abend, section 3.4, equations 3 to 6).  So TrueAcc is the accuracy divided by
    that of a perfect corrector.

    >>> round(correct_accuracy(0.12, 0.24), 2), round(correct_accuracy(0.31, 0.24, needed=0.5), 2)
    (0.5, 0.5)
    """
    for name, share in (("accuracy", accuracy), ("coverage", coverage), ("needed", needed)):
        if not 0 <= share <= 1:
            raise UsageError(f"{name} must be a number from 0 to 1, found {share}")
    perfect = 1 - needed * (1 - coverage)
    return accuracy / perfect if perfect > 0 else None


def compute_worth(p_detect: float, p_correct: float, p_coverage: float, reward: float = 1.0, penalty: float = 0.0) -> float:
    """Compute the expected gain of correcting a phrase over leaving it (Choshen and Abend, section 3.1).

    ``p_detect`` is the probability that the phrase is wrong, ``p_correct`` that the corrector finds a valid correction, and
    ``p_coverage`` that it is among the references.  Below 0 the phrase should be left uncorrected.

    >>> compute_worth(0.7, 0.5, 0.4) < 0 < compute_worth(0.9, 0.5, 0.4)
    True
    """
    for name, chance in (("p_detect", p_detect), ("p_correct", p_correct), ("p_coverage", p_coverage)):
        if not 0 <= chance <= 1:
            raise UsageError(f"{name} must be a number from 0 to 1, found {chance}")
    rewarded = p_correct * p_coverage
    return rewarded * reward - (1 - rewarded) * penalty - (1 - p_detect)
