"""Was the meaning kept: how far two semantic graphs agree, and how much of a source is in a correction."""

from __future__ import annotations

from errata.faithfulness.evaluation import Faithfulness, evaluate, paired
from errata.faithfulness.outcomes import UnitOutcome, outcomes
from errata.graph_comparison.agreement import Agreement, agreement
from errata.graph_comparison.distsim import Distributions, DistSimValue, distributions, distsim
from errata.graph_comparison.matched import Matched
from errata.graph_comparison.uccasim import Compared, Comparing, UccaSimValue, compare_graphs

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
