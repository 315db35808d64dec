"""Systems that flag cases at random: what measures say of them, at every prevalence and bias.

At chance precision is the prevalence and recall is the bias, so both, and F with them, move with the skew of the data and the
habits of a system that knows nothing; kappa and its relatives stay at 0 (Chodorow et al. 2012, section 3.3).
"""

from __future__ import annotations

from errata.detection.measures import Counts
from errata.errors import UsageError


def compute_chance_counts(prevalence: float, bias: float, cases: float = 1.0) -> Counts:
    """The counts that are expected where annotator and system say error independently of each other.

    >>> [round(share, 2) for share in compute_chance_counts(0.2, 0.2)[:4]]
    [0.04, 0.16, 0.16, 0.64]
    """
    for name, share in (("prevalence", prevalence), ("bias", bias)):
        if not 0 <= share <= 1:
            raise UsageError(f"a {name} lies between 0 and 1, found {share}")
    return Counts(
        cases * prevalence * bias,
        cases * (1 - prevalence) * bias,
        cases * prevalence * (1 - bias),
        cases * (1 - prevalence) * (1 - bias),
    )
