"""Systems that flag cases at random, at every prevalence and bias.

Their precision is the prevalence and their recall is the bias, so precision, recall and F change with the data and with how often
the system flags; kappa and similar measures stay at 0 (Chodorow et al. 2012, section 3.3).
"""

from __future__ import annotations

from errata.detection.measures import Counts
from errata.errors import UsageError


def compute_chance_counts(prevalence: float, bias: float, cases: float = 1.0) -> Counts:
    """Compute the counts expected if system and annotator are independent.

    >>> [round(share, 2) for share in compute_chance_counts(0.2, 0.2)[:4]]
    [0.04, 0.16, 0.16, 0.64]
    """
    for name, share in (("prevalence", prevalence), ("bias", bias)):
        if not 0 <= share <= 1:
            raise UsageError(f"a {name} must be a number from 0 to 1, found {share}")
    return Counts(
        cases * prevalence * bias,
        cases * (1 - prevalence) * bias,
        cases * prevalence * (1 - bias),
        cases * (1 - prevalence) * (1 - bias),
    )
