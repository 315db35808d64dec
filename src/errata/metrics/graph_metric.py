"""The base of metrics that compare semantic graphs, with one row per sentence."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from errata.errors import UsageError
from errata.metrics.base import NO_REFERENCE, Metric, Output
from errata.metrics.strategy import SingleRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.graphs import Graph
    from errata.corpus.texts import Tokens
    from errata.graph_comparison.uccasim import AlignedGraphs
    from errata.language.graphs import GraphBank
    from errata.ratios import Row


class GraphMetric(Metric):
    """A metric that compares the graph of each hypothesis with that of its source, without references."""

    referenceless: ClassVar[bool] = True
    spelling_matters: ClassVar[str] = "each text has its own graph, and similar words are aligned"
    inspected_with: ClassVar[str] = "errata faithfulness --inspect"
    graphs: GraphBank | None

    @abstractmethod
    def compare(self, source: Graph, correction: Graph) -> Row:
        """Count a sentence."""

    @property
    def strategy(self) -> SingleRow:
        """One row per sentence, without a choice."""
        return SingleRow()

    def check(self) -> None:
        """Raise if graphs are not a bank."""
        from errata.language.graphs import GraphBank

        if self.graphs is not None and not isinstance(self.graphs, GraphBank):
            raise UsageError(f"graphs must be a GraphBank, found {type(self.graphs).__name__}")

    def scorer(self, corpus: Corpus) -> GraphScorer:
        """Find the graphs of the source."""
        if self.graphs is None:
            raise UsageError(
                f"{self.name} needs semantic graphs: --graphs or --parser ({type(self).__name__}(graphs=GraphBank(...)) in Python)"
            )
        return GraphScorer(self, self.graphs, corpus)

    def data(self, corpus: Corpus) -> str:
        """Describe the graphs of the source, for signatures; those of an output belong to the system."""
        if self.graphs is None:
            return ""
        known = self.graphs.fingerprint([sentence.tokens for sentence in corpus])
        return f"graphs of the source sha256 {known}" + (f", parser {self.graphs.parser}" if self.graphs.parser else "")


class GraphScorer:
    """The graphs of the source."""

    def __init__(self, metric: GraphMetric, graphs: GraphBank, corpus: Corpus) -> None:
        self.metric, self.graphs = metric, graphs
        self.sources = graphs.of_text([sentence.tokens for sentence in corpus], corpus.path or corpus.name, of_source=True)

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> GraphOutput:
        """Find the graphs of an output; some may be cut from passages."""
        return GraphOutput(self, hypotheses, first)

    def labels(self, sentence: int, rows: int) -> tuple[str, ...]:
        """Return the label for no reference."""
        del sentence
        return (NO_REFERENCE,) * rows


class GraphOutput(Output):
    """The graphs of an output."""

    def __init__(self, scorer: GraphScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer
        self._graphs = scorer.graphs.of_text(hypotheses, "", first=first)

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """Count these sentences."""
        pairs: Any = zip(self._scorer.sources[start:stop], self._graphs[start - self.first : stop - self.first], strict=True)
        return [(self._scorer.metric.compare(source, output),) for source, output in pairs]

    def aligned_graphs(self, index: int) -> AlignedGraphs:
        """Align the graph of an output with that of its source, with the settings of the metric if it aligns graphs."""
        from errata.graph_comparison.uccasim import UccaSimSettings, align_graphs

        metric = self._scorer.metric
        settings = metric if isinstance(metric, UccaSimSettings) else None
        return align_graphs(self._scorer.sources[index], self._graphs[index - self.first], settings)
