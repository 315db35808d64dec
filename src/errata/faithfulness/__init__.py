"""Was the meaning kept: how far two semantic graphs agree, and how much of a source is in a correction."""

from __future__ import annotations

from errata.faithfulness.agreement import Agreement, agreement
from errata.faithfulness.distsim import Distributions, DistSimValue, distributions, distsim
from errata.faithfulness.evaluation import Faithfulness, evaluate, paired
from errata.faithfulness.matched import Matched
from errata.faithfulness.outcomes import UnitOutcome, outcomes
from errata.faithfulness.uccasim import Compared, Comparing, UccaSimValue, compare_graphs

__all__ = [
    "Agreement",
    "Compared",
    "Comparing",
    "DistSimValue",
    "Distributions",
    "Faithfulness",
    "Matched",
    "UccaSimValue",
    "UnitOutcome",
    "agreement",
    "compare_graphs",
    "distributions",
    "distsim",
    "evaluate",
    "outcomes",
    "paired",
]
