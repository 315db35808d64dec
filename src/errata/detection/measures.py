"""Measures of the counts of cases, each with the reason why it may be undefined.

All follow from the four counts, and N is their sum (Chodorow et al. 2012, section 3.3).  An error that is flagged but corrected
wrongly is one case of detection; of correction it is a false positive and a false negative, and counts twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from errata.errors import UsageError, suggest
from errata.metrics.ratios import UNDEFINED, PrecisionRecallF

if TYPE_CHECKING:
    from collections.abc import Callable


NO_NEGATIVES = "there are no true negatives among these cases"
NO_WRONG_TYPES = "false positives have no type here"
UNKNOWN_NUMBER = "the number of cases is unknown"


class Counts(NamedTuple):
    """Counts of cases, or sums of weights if judgments are graded."""

    tp: float
    fp: float
    """Not a number if false positives are unknown."""
    fn: float
    tn: float
    """Not a number if true negatives are undefined."""
    both: float = 0.0
    """False positives that are false negatives too; 0 for detection."""

    @property
    def n(self) -> float:
        """The sum of the four counts; a case that is a false positive and a false negative counts twice."""
        return self.tp + self.fp + self.fn + self.tn


_ROUNDED = 1e-9
"""Sums below this share of all cases are rounding errors, unless they are half a case."""
_NEARLY = 1e-6
"""Differences of shares below this have lost digits."""


def find_rounding(cases: Any) -> Any:
    """Find how large rounding errors of sums over so many cases may be.

    >>> [f"{find_rounding(cases):g}" for cases in (1, 1e3, 1e12)]
    ['1e-09', '1e-06', '0.5']
    """
    import numpy as np

    return np.minimum(_ROUNDED * np.abs(cases), 0.5)


def remove_rounding(counts: Any) -> Any:
    """Copy counts and set those to 0 that differ from 0 only by rounding."""
    import numpy as np

    rounded = np.array(counts, dtype=float)
    nothing = find_rounding(np.nansum(rounded[..., :4], axis=-1))
    for index in range(4):
        column = rounded[..., index]
        rounded[..., index] = np.where(np.abs(column) <= nothing, 0.0, column)
    return rounded


class _Margins:
    """Sums of counts for measures, over many rows; computed only when needed, because there may be millions."""

    def __init__(self, counts: Any, beta: float) -> None:
        self.counts = counts
        self.tp, self.fp, self.fn, self.tn = (counts[..., index] for index in range(4))
        self.beta = beta

    @property
    def errors(self) -> Any:
        return self.tp + self.fn

    @property
    def flagged(self) -> Any:
        return self.tp + self.fp

    @property
    def right(self) -> Any:
        """Cases without an error."""
        return self.tn + self.fp

    @property
    def kept(self) -> Any:
        """Cases that the system does not flag."""
        return self.tn + self.fn

    @cached_property
    def n(self) -> Any:
        return self.errors + self.right

    def expected(self) -> Any:
        """Compute the agreement expected by chance."""
        return (self.errors * self.flagged + self.right * self.kept) / (self.n * self.n)


def _correct_for_chance(agreement: Any, chance: Any) -> Any:
    return (agreement - chance) / (1 - chance)


def _accuracy(m: _Margins) -> Any:
    return (m.tp + m.tn) / m.n


def _kappa(m: _Margins) -> Any:
    """Compute Cohen's kappa; the same from products of counts, if nearly all agreement is expected."""
    import numpy as np

    expected = m.expected()
    kappa, nearly = _correct_for_chance(_accuracy(m), expected), 1 - expected < _NEARLY
    if not np.any(nearly):
        return kappa
    return np.where(nearly, 2 * (m.tp * m.tn - m.fp * m.fn) / (m.flagged * m.right + m.errors * m.kept), kappa)


def _disagreement(m: _Margins) -> Any:
    import numpy as np

    disagreement = 1 - _accuracy(m)
    return np.where(disagreement < _NEARLY, (m.fp + m.fn) / m.n, disagreement)


def _share(name: Literal["precision", "recall", "f"]) -> Callable[[_Margins], Any]:
    """Make a function that computes precision, recall or F."""

    def share(m: _Margins) -> Any:
        ratios = PrecisionRecallF.over((1, 0, 0, 0, 0), (1, 1, 0, 0, 0), (1, 0, 1, 0, 0), m.beta)
        return getattr(ratios, name).values(m.counts, UNDEFINED)

    return share


def _tnr(m: _Margins) -> Any:
    return m.tn / m.right


def _matthews(m: _Margins) -> Any:
    # Each root is taken separately, because the product of four counts may overflow.
    import numpy as np

    sides = np.sqrt(m.errors) * np.sqrt(m.flagged) * np.sqrt(m.right) * np.sqrt(m.kept)
    return (m.tp * m.tn - m.fp * m.fn) / sides


def _alpha(m: _Margins) -> Any:
    """Compute Krippendorff's alpha of two coders; chance is two values sampled from both without replacement."""
    said = m.errors + m.flagged
    chance = 2 * said * (2 * m.n - said) / (2 * m.n * (2 * m.n - 1))
    return 1 - _disagreement(m) / chance


def _ac1(m: _Margins) -> Any:
    """Compute Gwet's AC1; its chance agreement is largest if both classes are equally frequent."""
    share = (m.errors + m.flagged) / (2 * m.n)
    return _correct_for_chance(_accuracy(m), 2 * share * (1 - share))


@dataclass(frozen=True)
class Measure:
    """A measure of counts."""

    name: str
    label: str
    of: Callable[[_Margins], Any]
    undefined: str
    """Why it can be undefined."""
    needs_negatives: bool = True
    needs_number: bool = False
    """Whether it depends on the number of cases, so that their proportions are not enough."""
    chance: str = ""
    """The value of a system that flags cases at random."""

    def values(self, counts: Any, beta: float = 1.0, *, rounded: bool = True) -> Any:
        """Compute the measure of rows of five counts; not a number if undefined.  ``rounded``: counts may have rounding errors."""
        import numpy as np

        if rounded:
            counts = remove_rounding(counts)
        with np.errstate(all="ignore"):
            values = np.asarray(self.of(_Margins(counts, beta)), dtype=float)
        return np.where(np.isfinite(values), values, np.nan)

    def value(self, counts: Counts, beta: float = 1.0) -> float | None:
        """Compute the measure of one row of counts; None if undefined.

        >>> MEASURES["kappa"].value(Counts(12, 18, 28, 142))
        0.206...
        """
        import numpy as np

        value = float(self.values(np.array(counts, dtype=float), beta))
        return None if np.isnan(value) else value

    def reason(self, counts: Counts) -> str:
        """Say why it is undefined for these counts."""
        if self.needs_negatives and counts.tn != counts.tn:
            return NO_NEGATIVES
        if counts.fp != counts.fp and self.name != "recall":
            return NO_WRONG_TYPES
        if self.needs_negatives and counts.n == 0:
            return "there are no cases"
        return self.undefined


_ALL = (
    Measure("accuracy", "Accuracy", _accuracy, "there are no cases"),
    Measure("precision", "Precision", _share("precision"), "the system flags nothing", needs_negatives=False, chance="prevalence"),
    Measure("recall", "Recall", _share("recall"), "there are no errors", needs_negatives=False, chance="bias"),
    Measure("f", "F", _share("f"), "there are no errors, and the system flags nothing", needs_negatives=False),
    Measure("tnr", "True-negative rate", _tnr, "every case is an error", chance="1 - bias"),
    Measure("prevalence", "Prevalence", lambda m: m.errors / m.n, "there are no cases"),
    Measure("bias", "Bias", lambda m: m.flagged / m.n, "there are no cases"),
    Measure("expected", "Expected accuracy", _Margins.expected, "there are no cases"),
    Measure(
        "kappa",
        "Cohen's kappa",
        _kappa,
        "annotator and system put all cases into one class",
        chance="0",
    ),
    Measure("mcc", "Matthews correlation", _matthews, "annotator or system put all cases into one class", chance="0"),
    Measure(
        "informedness",
        "Informedness",
        lambda m: m.tp / m.errors + _tnr(m) - 1,
        "all cases are errors, or none is",
        chance="0",
    ),
    Measure(
        "markedness",
        "Markedness",
        lambda m: m.tp / m.flagged + m.tn / m.kept - 1,
        "the system flags every case, or none",
        chance="0",
    ),
    Measure(
        "alpha",
        "Krippendorff's alpha",
        _alpha,
        "annotator and system put all cases into one class",
        needs_number=True,
        chance="about 0",
    ),
    Measure("ac1", "Gwet's AC1", _ac1, "there are no cases"),
)
MEASURES: dict[str, Measure] = {measure.name: measure for measure in _ALL}
"""All measures by name, in the order of reports."""


def find_measure(name: str) -> Measure:
    """Find a measure by its name."""
    if name not in MEASURES:
        raise UsageError(f"unknown measure {name!r}; choose from {', '.join(MEASURES)}{suggest(name, MEASURES)}")
    return MEASURES[name]
