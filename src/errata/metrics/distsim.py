"""DISTSIM: whether source and output have equally many units of some categories (Sulem et al. 2015; Choshen and Abend).

With a and b units of a category in the source and in the output of a sentence, DISTSIM = 2 Σ min(a, b) / Σ (a + b).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from errata.graph_comparison.distsim import MIN_WORDS, Distributions, make_distributions
from errata.metrics.base import RatioMetric, data_field
from errata.metrics.graph_metric import GraphMetric
from errata.ratios import Ratio
from errata.settings import text, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.graphs import Graph
    from errata.language.graphs import GraphBank
    from errata.ratios import Row

NO_CATEGORY = "_"
"""The notation for no category."""
_CATEGORIES = r"[^,()+]+(\+[^,()+]+)*"


def write_categories(names: Sequence[str]) -> str:
    """Write categories in the notation of the setting.

    >>> write_categories(["A", ""])
    'A+_'
    """
    return "+".join(name or NO_CATEGORY for name in names)


@dataclass(frozen=True)
class DistSim(GraphMetric, RatioMetric):
    """DISTSIM with its settings."""

    categories: str = text("A+D", "categories whose numbers of units are compared; _ means no category", pattern=_CATEGORIES, example="A+D")
    min_words: int = whole(MIN_WORDS, "words that a unit must have to be counted", most=1_000_000)
    graphs: GraphBank | None = data_field()
    """The graphs of all texts."""

    name: ClassVar[str] = "distsim"
    title: ClassVar[str] = "DISTSIM"
    summary: ClassVar[str] = "whether source and output have equally many units of some categories; needs semantic graphs, no references"
    paper: ClassVar[str] = "Sulem et al. 2015; Choshen and Abend"
    columns: ClassVar[tuple[str, ...]] = ("shared", "together")
    columns_explained: ClassVar[str] = "Shared: sum of the smaller count of each pair; together: sum of both counts."

    def compare(self, source: Graph, correction: Graph) -> Row:
        """Count the shared units and the units of both."""
        return self.count_units(make_distributions(source, correction, self.min_words))

    def count_units(self, pair: Distributions) -> Row:
        """Count from known distributions."""
        categories = ["" if name == NO_CATEGORY else name for name in self.categories.split("+")]
        return pair.shared(categories), pair.together(categories)

    def warnings(self, counts: Row) -> list[str]:
        """Warn if no unit has one of the categories."""
        named = " or ".join(self.categories.split("+"))
        return [] if counts[1] else [f"the value is meaningless: no unit of {self.min_words} or more words has the category {named}"]

    @property
    def ratio(self) -> Ratio:
        """Twice the shared units, divided by the units of both; 1 if there are none."""
        return Ratio((2, 0), (0, 1))

    @property
    def label(self) -> str:
        """The name in the paper, with the categories."""
        return f"DISTSIM {self.categories}"
