"""What metrics that compare semantic graphs have in common: where graphs are found, and a single row a sentence."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from errata.errors import UsageError
from errata.metrics.base import NO_REFERENCE, Metric, Output
from errata.metrics.strategy import SingleRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus import Corpus, Tokens
    from errata.graphs.bank import GraphBank
    from errata.graphs.model import Graph
    from errata.ratios import Row


class GraphMetric(Metric):
    """Compares the graph of each output with that of its source, and looks at no reference."""

    referenceless: ClassVar[bool] = True
    spelling_matters: ClassVar[str] = "words have graphs of their own, and similar words are aligned"
    inspected_with: ClassVar[str] = "errata faithfulness --inspect"
    graphs: GraphBank | None

    @abstractmethod
    def compare(self, source: Graph, correction: Graph) -> Row:
        """The counts of a sentence."""

    @property
    def strategy(self) -> SingleRow:
        """There is nothing to choose."""
        return SingleRow()

    def check(self) -> None:
        """Graphs come in a bank."""
        from errata.graphs.bank import GraphBank

        if self.graphs is not None and not isinstance(self.graphs, GraphBank):
            raise UsageError(f"graphs are given in a GraphBank, found {type(self.graphs).__name__}")

    def scorer(self, corpus: Corpus) -> GraphScorer:
        """Find the graphs of the source."""
        if self.graphs is None:
            raise UsageError(
                f"{self.name} compares semantic graphs, and none are given; give files or a parser "
                f"(--graphs or --parser; {type(self).__name__}(graphs=GraphBank(...)) in Python)"
            )
        return GraphScorer(self, self.graphs, corpus)

    def data(self, corpus: Corpus) -> str:
        """The graphs of the source, for signatures; like its text, those of an output are the system's."""
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
        """Find the graphs of an output, some of which may be cut from passages."""
        return GraphOutput(self, hypotheses, first)

    def labels(self, sentence: int, rows: int) -> tuple[str, ...]:
        """There is no reference."""
        del sentence
        return (NO_REFERENCE,) * rows


class GraphOutput(Output):
    """The graphs of an output beside those of the source."""

    def __init__(self, scorer: GraphScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer
        self._graphs = scorer.graphs.of_text(hypotheses, "", first=first)

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """The counts of these sentences."""
        pairs: Any = zip(self._scorer.sources[start:stop], self._graphs[start - self.first : stop - self.first], strict=True)
        return [(self._scorer.metric.compare(source, output),) for source, output in pairs]
