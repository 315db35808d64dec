"""Cases: positions where a writer, annotators and a system each have a value (Chodorow et al. 2012).

A case counts as an error by the share of its annotators who say so; with one annotator that is 0 or 1.  Everything is in arrays,
because tables may have many millions of cases.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from errata.errors import UsageError
from errata.metrics.views import Aspect

ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
"""What counts: that an error is flagged, or that it is corrected."""

DEFAULT_THRESHOLD = 0.5
"""The confidence from which a system flags a case, if nothing else is known."""

Known = Literal["cases", "counts", "proportions"]
"""What is known of cases: each of them, only how many have each outcome, or only what share of them."""


class Labels(NamedTuple):
    """A name for every case."""

    codes: Any
    """The index of the name of each case."""
    names: tuple[str, ...]


def describe_threshold(threshold: float) -> str:
    """Describe what a system flags at a threshold."""
    return f"The system flags cases with a confidence of at least {threshold:g}; its corrections at this threshold are unknown"


@dataclass(frozen=True)
class Answers:
    """What a system says about every case."""

    name: str
    flagged: Any
    """Whether the system flags the case."""
    fixed: Any = None
    """The share of annotators who say error and want the system's correction; None if corrections are unknown."""
    confidence: Any = None
    """The system's confidence that there is an error, from 0 to 1; None if unknown."""
    rule: str = ""
    """What the system flags, if it is decided by a threshold."""

    def at(self, threshold: float) -> Answers:
        """Flag the cases with at least this confidence instead; the corrections are then unknown."""
        if self.confidence is None:
            raise UsageError(f"a threshold needs confidences, but {self.name} has none")
        return Answers(self.name, self.confidence >= threshold, None, self.confidence, describe_threshold(threshold))


@dataclass(frozen=True)
class Cases:
    """A table of cases with the answers of one or more systems."""

    error: Any
    """The share of annotators who say error."""
    systems: tuple[Answers, ...]
    what: str = "cases"
    """What a case is, for reports."""
    negatives: bool = True
    """Whether positions without an error are cases too; otherwise there are no true negatives."""
    left_out: tuple[tuple[str, int], ...] = ()
    """How many positions are not cases, by the reason."""
    notes: tuple[str, ...] = ()
    """Other notes for reports."""
    graded: bool = False
    """Whether there are several annotators."""
    types: Labels | None = field(default=None, repr=False)
    wrong_types: tuple[str, ...] | None = None
    """The types whose false positives are known, if only some cases have a type."""
    units: Labels | None = field(default=None, repr=False)
    """The sentence, or other unit, that each case is in; None if unknown."""
    documents: Labels | None = field(default=None, repr=False)
    weights: Any = field(default=None, repr=False)
    """How many cases each row stands for, or what share of all cases; None if each is one case."""
    known: Known = "cases"

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.error)

    @property
    def total(self) -> int | None:
        """The number of cases; None if only their proportions are known."""
        if self.known == "proportions":
            return None
        return len(self) if self.weights is None else round(float(self.weights.sum()))


def classify_cases(cases: Cases, answers: Answers, aspect: Aspect) -> Any:
    """Yield the shares of all cases: true positives, false positives, false negatives, true negatives and both.

    An error that is flagged but corrected wrongly is a true positive of detection; for correction it is a false positive and a
    false negative, and *both* counts such cases, because each is still one case.
    """
    if aspect == "correction" and answers.fixed is None:
        raise UsageError(f"correction needs the corrections of {answers.name} and of annotators")
    import numpy as np

    error, flagged = np.asarray(cases.error, dtype=float), np.asarray(answers.flagged, dtype=bool)
    hit = error if aspect == "detection" else np.asarray(answers.fixed, dtype=float)
    yield hit * flagged
    yield (1 - hit) * flagged
    yield error - hit * flagged
    yield (1 - error) * ~flagged
    yield (error - hit) * flagged


def count_cases(cases: Cases, answers: Answers, aspect: Aspect, groups: Labels | None = None) -> Any:
    """Count all cases, or those of each group: a row of five counts for each."""
    import numpy as np

    parts = classify_cases(cases, answers, aspect)
    if cases.weights is not None:
        parts = (part * cases.weights for part in parts)
    if groups is None:
        counts = np.array([[part.sum() for part in parts]])
    else:
        size = len(groups.names)
        counts = np.stack(
            [np.bincount(groups.codes, weights=part, minlength=size) for part in parts],
            axis=1,
            dtype=float,  # without cases, bincount makes whole numbers
            casting="unsafe",
        )
    if not cases.negatives:
        counts[:, 3] = np.nan
    return counts
