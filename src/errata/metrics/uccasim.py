"""UCCASIM: how much of the meaning of the source a system keeps, and what it adds (Choshen and Abend).

R is the share of the units of meaning of the source that the output keeps, P the share of those of the output that the source has, and
UCCASIM = 2PR / (P + R).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from errata.graph_comparison.uccasim import COLUMNS, UccaSimSettings, UccaSimValue, align_graphs
from errata.metrics.base import data_field
from errata.metrics.graph_metric import GraphMetric
from errata.ratios import harmonic_mean
from errata.settings import one_of

if TYPE_CHECKING:
    from errata.corpus.graphs import Graph
    from errata.language.graphs import GraphBank
    from errata.ratios import Row

Direction = Literal["both", "source", "correction", "mean"]
_DIRECTIONS: dict[Direction, str] = {
    "both": "each side is matched with the other",
    "source": "the source is matched with the correction",
    "correction": "the correction is matched with the source",
    "mean": "the mean of source and correction",
}


@dataclass(frozen=True)
class UccaSim(GraphMetric, UccaSimSettings):
    """UCCASIM: F of the units of source and output that have a counterpart in the other graph.

    >>> import errata
    >>> gold, output = errata.read("examples/graphs/learner.m2"), errata.read_system("examples/graphs/bold.txt")
    >>> graphs = [graph for name in ("source", "bold") for graph in errata.read_graphs(f"examples/graphs/{name}.mrp")]
    >>> print(errata.score(gold, output, errata.UccaSim(graphs=errata.GraphBank(graphs))))
    uccasim of bold: 0.7858 (source_kept 37, source_units 51, correction_kept 36, correction_units 42, precision 0.8571, recall 0.7255)
    """

    direction: Direction = one_of("both", _DIRECTIONS, "which best matches count")
    graphs: GraphBank | None = data_field()
    """The graphs of all texts."""

    name: ClassVar[str] = "uccasim"
    title: ClassVar[str] = "UCCASIM"
    summary: ClassVar[str] = "units of meaning that source and output share; needs semantic graphs, no references"
    paper: ClassVar[str] = "Choshen and Abend"
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    columns_explained: ClassVar[str] = "Recall: units of the source that are kept; precision: units of the output that the source has."

    def compare(self, source: Graph, correction: Graph) -> Row:
        """Count matched units and all units."""
        return align_graphs(source, correction, self).counts

    def warnings(self, counts: Row) -> list[str]:
        """Warn if neither side has units."""
        nothing = "the value is meaningless: neither the graphs of the source nor those of the output have units"
        return [] if counts[1] or counts[3] else [nothing]

    def value(self, counts: Row) -> float:
        """Compute F of the units of both sides."""
        named = UccaSimValue.of(counts)
        values = {"both": named.matched.f, "source": named.from_source.f, "correction": named.from_correction.f, "mean": named.mean}
        return values[self.direction]

    def values(self, counts: Any) -> Any:
        """Compute F of many sums of counts."""
        kept, source, found, output, output_reached, source_reached = counts.T
        both, ahead, back = (
            _f(precise, output, recalled, source) for precise, recalled in ((found, kept), (output_reached, kept), (found, source_reached))
        )
        return {"both": both, "source": ahead, "correction": back, "mean": (ahead + back) / 2}[self.direction]

    def parts(self, counts: Row) -> dict[str, Any]:
        """Return the counts, and F of both directions."""
        named = UccaSimValue.of(counts)
        return {
            **super().parts(counts),
            "precision": named.matched.precision,
            "recall": named.matched.recall,
            "f": named.matched.f,
            "from_source": named.from_source.f,
            "from_correction": named.from_correction.f,
            "mean": named.mean,
        }

    def shown(self, counts: Row) -> dict[str, float]:
        """Return the counts, precision and recall that tables show."""
        parts = self.parts(counts)
        return {name: parts[name] for name in (*COLUMNS[:4], "precision", "recall")}

    @property
    def label(self) -> str:
        """The name in the paper."""
        return "UCCASIM" if self.direction == "both" else f"UCCASIM ({self.direction})"


def _f(precise: Any, guessed: Any, recalled: Any, expected: Any) -> Any:
    """Compute F of many counts."""
    import numpy as np

    above, below = harmonic_mean((precise, guessed), (recalled, expected))
    return np.divide(above, below, out=np.zeros(len(above)), where=below != 0)
