"""Faithfulness: how much of the meaning of the source a system keeps.  These metrics look at graphs and at no reference."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from errata.errors import UsageError
from errata.graph_comparison.distsim import LEAST, distributions
from errata.graph_comparison.uccasim import COLUMNS, Comparing, UccaSimValue, compare_graphs
from errata.metrics.base import Metric
from errata.metrics.choice import Ratio, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus import Corpus, Tokens
    from errata.graphs import Graph
    from errata.graphs.bank import GraphBank
    from errata.metrics.choice import Row

Direction = Literal["both", "source", "correction", "mean"]
NO_REFERENCE = "none"


class FaithfulnessMetric(Metric):
    """What both have in common: graphs, and a single row a sentence."""

    referenceless: ClassVar[bool] = True
    choice: Rule = "sentence"
    graphs: GraphBank | None

    @abstractmethod
    def compared(self, source: Graph, correction: Graph) -> Row:
        """The counts of a sentence."""

    def scorer(self, corpus: Corpus) -> FaithfulnessScorer:
        """Find the graphs of the source."""
        if self.graphs is None:
            raise UsageError(
                f"{self.name} compares semantic graphs, and none are given; give files or a parser "
                f"(--graphs or --parser; {type(self).__name__}(graphs=GraphBank(...)) in Python)"
            )
        return FaithfulnessScorer(self._sources(corpus, self.graphs), self.graphs, self.compared)

    def _sources(self, corpus: Corpus, graphs: GraphBank) -> list[Graph]:
        return graphs.of_text([sentence.tokens for sentence in corpus], corpus.path or corpus.name, of_source=True)

    def data(self, corpus: Corpus) -> str:
        """The graphs of the source, for signatures; like its text, those of an output are the system's."""
        if self.graphs is None:
            return ""
        known = self.graphs.fingerprint([sentence.tokens for sentence in corpus])
        return f"graphs of the source sha256 {known}" + (f", parser {self.graphs.parser}" if self.graphs.parser else "")

    @abstractmethod
    def nothing_counted(self, counts: Row) -> str:
        """Why a value says nothing, if no unit is counted."""


@dataclass(frozen=True)
class UccaSim(Comparing, FaithfulnessMetric):
    """UCCASIM: the units of source and output that have a counterpart in each other.

    >>> import errata
    >>> gold, output = errata.read("examples/graphs/learner.m2"), errata.read_system("examples/graphs/bold.txt")
    >>> graphs = [graph for name in ("source", "bold") for graph in errata.read_graphs(f"examples/graphs/{name}.mrp")]
    >>> print(errata.score(gold, output, errata.UccaSim(graphs=errata.GraphBank(graphs))))
    uccasim of bold: 0.7858 (source_kept 37, source_units 51, correction_kept 36, correction_units 42, precision 0.8571, recall 0.7255)
    """

    direction: Direction = "both"
    """Whose best matches count: each side's own, those of the source, those of the correction, or the mean of the last two."""
    graphs: GraphBank | None = field(default=None, repr=False, compare=False, metadata={"data": True})
    """Where graphs are found."""

    name: ClassVar[str] = "uccasim"
    summary: ClassVar[str] = "semantic units of source and output that have a counterpart in each other; needs graphs, not references"
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    columns_explained: ClassVar[str] = "Recall: units of the source that are kept; precision: units of the output that the source has."

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.direction not in get_args(Direction):
            raise UsageError(f"uccasim setting direction is one of {', '.join(get_args(Direction))}, found {self.direction!r}")
        _check_bank(self.graphs)

    def compared(self, source: Graph, correction: Graph) -> Row:
        """Units found and counted."""
        return compare_graphs(source, correction, self).counts

    def nothing_counted(self, counts: Row) -> str:
        """Neither side has units."""
        return "" if counts[1] or counts[3] else "neither the graphs of the source nor those of the output have units"

    def ratio(self) -> Ratio:
        """Units of both sides that are found, of all; there is nothing to choose, for every sentence has one row."""
        return Ratio((1, 0, 1, 0, 0, 0), (0, 1, 0, 1, 0, 0))

    def value(self, counts: Row) -> float:
        """F of the units of both sides."""
        found = UccaSimValue.of(counts)
        values = {"both": found.matched.f, "source": found.from_source.f, "correction": found.from_correction.f, "mean": found.mean}
        return values[self.direction]

    def values(self, counts: Any) -> Any:
        """The same for many sums of counts."""
        kept, source, found, output, output_reached, source_reached = counts.T
        both, ahead, back = (
            _f(kept, source, found, output),
            _f(kept, source, output_reached, output),
            _f(source_reached, source, found, output),
        )
        return {"both": both, "source": ahead, "correction": back, "mean": (ahead + back) / 2}[self.direction]

    def parts(self, counts: Row) -> dict[str, Any]:
        """The counts, and F of both directions."""
        found = UccaSimValue.of(counts)
        return {
            **dict(zip(self.columns, counts, strict=True)),
            "precision": found.matched.precision,
            "recall": found.matched.recall,
            "f": found.matched.f,
            "from_source": found.from_source.f,
            "from_correction": found.from_correction.f,
            "mean": found.mean,
        }

    def shown(self, counts: Row) -> dict[str, float]:
        """Without what only the directions need."""
        parts = self.parts(counts)
        return {name: parts[name] for name in (*COLUMNS[:4], "precision", "recall")}

    @property
    def label(self) -> str:
        """As the paper has it."""
        return "UCCASIM" if self.direction == "both" else f"UCCASIM ({self.direction})"


@dataclass(frozen=True)
class DistSim(FaithfulnessMetric):
    """DISTSIM: whether source and output have as many units of some categories, sentence by sentence."""

    categories: str = "A+D"
    """Categories, with a plus between them."""
    least: int = LEAST
    """Words that a unit must have to be counted."""
    graphs: GraphBank | None = field(default=None, repr=False, compare=False, metadata={"data": True})
    """Where graphs are found."""

    name: ClassVar[str] = "distsim"
    summary: ClassVar[str] = "semantic units of some categories that source and output both have; needs graphs, not references"
    columns: ClassVar[tuple[str, ...]] = ("shared", "together")
    columns_explained: ClassVar[str] = "Shared: units that both have in number; together: units of both."

    def __post_init__(self) -> None:
        if not all(self.categories.split("+")):
            raise UsageError(f"distsim setting categories is written such as A+D, found {self.categories!r}")
        if self.least < 0:
            raise UsageError(f"distsim setting least is a number of words, found {self.least}")
        _check_bank(self.graphs)

    def compared(self, source: Graph, correction: Graph) -> Row:
        """Shared units, and units of both."""
        pair = distributions(source, correction, self.least)
        categories = self.categories.split("+")
        return pair.shared(categories), pair.together(categories)

    def nothing_counted(self, counts: Row) -> str:
        """No unit has one of the categories."""
        return "" if counts[1] else f"no unit of {self.least} or more words has the category {' or '.join(self.categories.split('+'))}"

    def ratio(self) -> Ratio:
        """Twice the shared units, of all."""
        return Ratio((2, 0), (0, 1))

    def value(self, counts: Row) -> float:
        """Twice the shared units, of all; 1 if there are none."""
        return 2 * counts[0] / counts[1] if counts[1] else 1.0

    def parts(self, counts: Row) -> dict[str, Any]:
        """Both counts."""
        return dict(zip(self.columns, counts, strict=True))

    @property
    def label(self) -> str:
        """As the paper has it."""
        return f"DISTSIM {self.categories}"


def _check_bank(graphs: object) -> None:
    from errata.graphs.bank import GraphBank

    if graphs is not None and not isinstance(graphs, GraphBank):
        raise UsageError(f"graphs are given in a GraphBank, found {type(graphs).__name__}")


class FaithfulnessScorer:
    """Compares the graph of each output with that of its source."""

    def __init__(self, sources: Sequence[Graph], graphs: GraphBank, compared: Callable[[Graph, Graph], Row]) -> None:
        self.sources, self.graphs = sources, graphs
        self._compared = compared
        self._outputs: list[Graph] = []

    def begin(self, hypotheses: Sequence[Tokens]) -> None:
        """Find the graphs of a whole output, some of which may be cut from passages."""
        self._outputs = self.graphs.of_text(hypotheses, "")

    def labels(self, sentence: int, rows: int) -> tuple[str, ...]:
        """There is no reference."""
        del sentence, rows
        return (NO_REFERENCE,)

    def rows(self, first: int, hypotheses: list[Tokens]) -> Sequence[tuple[Row, ...]]:
        """The counts of consecutive sentences."""
        outputs = self._outputs[first : first + len(hypotheses)]
        if [graph.tokens for graph in outputs] != [tuple(tokens) for tokens in hypotheses]:  # asked without a beginning
            outputs = self.graphs.find(hypotheses, "", first)
        return [(self._compared(self.sources[first + number], output),) for number, output in enumerate(outputs)]


def _f(kept: Any, source: Any, found: Any, output: Any) -> Any:
    """The harmonic mean of two shares, each 1 if nothing is counted, and 0 if both are."""
    import numpy as np

    recall = np.divide(kept, source, out=np.ones(len(kept)), where=source != 0)
    precision = np.divide(found, output, out=np.ones(len(kept)), where=output != 0)
    both = recall + precision
    return np.divide(2 * recall * precision, both, out=np.zeros(len(kept)), where=both != 0)
