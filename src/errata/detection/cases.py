"""Cases: positions where a writer, annotators and a system each have a value (Chodorow et al. 2012).

A case is an error to the share of its judges who say so; with one annotator that is 0 or 1.  Everything is in arrays, for tables
may have many millions of cases.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args

from errata.errors import UsageError
from errata.metrics.views import Aspect

ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
"""What of a case counts: that an error is flagged, or that it is corrected."""


class Labels(NamedTuple):
    """A name for every case."""

    codes: Any
    """For each case the index of its name."""
    names: tuple[str, ...]


def describe_threshold(threshold: float) -> str:
    """In words."""
    return f"It flags cases with a confidence of {threshold:g} or more; what it would write then is unknown"


@dataclass(frozen=True)
class Answers:
    """What a system says about every case."""

    name: str
    flagged: Any
    """Whether it says that something is wrong."""
    fixed: Any = None
    """The share of judges who say that something is wrong and want what it writes; None where corrections are not known."""
    confidence: Any = None
    """How sure it is that something is wrong, from 0 to 1; None where it does not say."""
    rule: str = ""
    """What it flags, where that is not simply what it said."""

    def at(self, threshold: float) -> Answers:
        """The same system if it flagged what it is at least this sure of; what it would then write is not known."""
        if self.confidence is None:
            raise UsageError(f"a threshold needs confidences, and {self.name} has none")
        return Answers(self.name, self.confidence >= threshold, None, self.confidence, describe_threshold(threshold))


@dataclass(frozen=True)
class Cases:
    """A table of cases with the answers of one or more systems."""

    error: Any
    """The share of judges who say that something is wrong."""
    systems: tuple[Answers, ...]
    what: str = "cases"
    """What a case is, in words."""
    negatives: bool = True
    """Whether positions without an error are cases too; without them there are no true negatives."""
    left_out: tuple[tuple[str, int], ...] = ()
    """How many positions are no cases, by the rule that says so."""
    notes: tuple[str, ...] = ()
    """What else a reader has to know of them."""
    graded: bool = False
    """Whether there are several judges."""
    types: Labels | None = field(default=None, repr=False)
    units: Labels | None = field(default=None, repr=False)
    """What is drawn again: sentences, for example; each case alone where it is not known."""
    documents: Labels | None = field(default=None, repr=False)
    unit_name: str = "unit"
    """What people call a unit."""

    def __len__(self) -> int:
        return len(self.error)


def classify_cases(cases: Cases, answers: Answers, aspect: Aspect) -> Any:
    """For each of true positives, false positives, false negatives, true negatives and both, the share of every case, in turn.

    A position that is wrong, and corrected to something else than is wanted, is a true positive of detection; for correction it is
    a false positive and a false negative, and *both* counts how often, for it is one case all the same.
    """
    if aspect == "correction" and answers.fixed is None:
        raise UsageError(f"correction needs to know what {answers.name} writes and what annotators want")
    import numpy as np

    error, flagged = np.asarray(cases.error, dtype=float), np.asarray(answers.flagged, dtype=bool)
    hit = error if aspect == "detection" else np.asarray(answers.fixed, dtype=float)
    yield hit * flagged
    yield (1 - hit) * flagged
    yield error - hit * flagged
    yield (1 - error) * ~flagged
    yield (error - hit) * flagged


def count_cases(cases: Cases, answers: Answers, aspect: Aspect, groups: Labels | None = None) -> Any:
    """The five counts of all cases, or of each group of cases, a row for each."""
    import numpy as np

    if groups is None:
        counts = np.array([[part.sum() for part in classify_cases(cases, answers, aspect)]])
    else:
        size = len(groups.names)
        counts = np.stack(
            [np.bincount(groups.codes, weights=part, minlength=size) for part in classify_cases(cases, answers, aspect)], axis=1
        )
    if not cases.negatives:
        counts[:, 3] = np.nan
    return counts
