"""What the references of a test set hide: how many corrections a sentence has, and what a perfect corrector would score."""

from errata.coverage.classical import ClassicalEstimates, classical, counted_coverage
from errata.coverage.corrections import CorrectedSentence, Sameness, corrections_of, read_corrections
from errata.coverage.estimation import Coverage, SentenceEstimate, coverage_of, estimate_sentences, worth_correcting
from errata.coverage.intervals import coverage_intervals, estimate_intervals
from errata.coverage.unseen import Distribution, estimate, fingerprint_of

__all__ = [
    "ClassicalEstimates",
    "CorrectedSentence",
    "Coverage",
    "Distribution",
    "Sameness",
    "SentenceEstimate",
    "classical",
    "corrections_of",
    "counted_coverage",
    "coverage_intervals",
    "coverage_of",
    "estimate",
    "estimate_intervals",
    "estimate_sentences",
    "fingerprint_of",
    "read_corrections",
    "worth_correcting",
]
