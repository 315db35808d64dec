"""Graphs of sentences by their words, so that they are found for a source and for any system's output."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.errors import MismatchError, UsageError
from errata.graphs.model import Graph
from errata.graphs.mrp import mrp_lines
from errata.graphs.passages import join, missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus import Tokens
    from errata.graphs.parsers import GraphParser


class GraphBank:
    """Graphs of sentences; those of passages are cut by the texts that are given with them.

    A sentence without a graph is parsed, if there is a parser, and else is an error when it is asked for.

    >>> from errata.graphs import read_graphs
    >>> bank = GraphBank(read_graphs("examples/graphs/source.mrp"))
    >>> [graph.id for graph in bank.find([("I", "am", "agree", "with", "this", "opinion", ".")], "source")]
    ['2']
    """

    def __init__(self, graphs: Iterable[Graph] = (), texts: Iterable[Sequence[Tokens]] = (), parser: GraphParser | None = None) -> None:
        self._graphs: dict[Tokens, Graph] = {(): Graph("", (), (), ())}
        self._misfits: dict[Tokens, str] = {}
        self._parser = parser
        self._parsed_by = ""
        self.conflicts = 0
        """Graphs that were passed over, because another one with the same words came first."""
        everything = tuple(graphs)
        for graph in everything:
            if not isinstance(graph, Graph):
                raise UsageError(f"a bank holds graphs, as errata.read_graphs gives them, found {type(graph).__name__}")
            self._add(graph)
        self._texts: list[tuple[list[Tokens], list[Graph | None]]] = []
        """Texts and the graphs that were found for their sentences."""
        for text in texts:
            found, misfits = join(everything, text)
            self._texts.append(([tuple(tokens) for tokens in text], found))
            for number, piece in enumerate(found):
                if piece is not None:
                    self._graphs.setdefault(piece.tokens, piece)
                elif number in misfits:
                    self._misfits.setdefault(tuple(text[number]), misfits[number])

    def _add(self, graph: Graph) -> None:
        known = self._graphs.setdefault(graph.tokens, graph)
        self.conflicts += known is not graph and not _alike(known, graph)

    def prepare(self, texts: Iterable[Sequence[Tokens]]) -> int:
        """Parse all sentences of some texts that have no graph yet, at once, and say how many; for a program that takes long to start."""
        unknown = list(dict.fromkeys(tokens for text in texts for tokens in text if tokens not in self._graphs))
        if unknown and self._parser is not None:
            from errata.graphs.parsers import parse_sentences, parser_name

            self._parsed_by = parser_name(self._parser)
            for graph in parse_sentences(self._parser, unknown):
                self._graphs[graph.tokens] = graph
        return len(unknown)

    def find(self, sentences: Sequence[Tokens], what: str, first: int = 0, *, of_source: bool = False) -> list[Graph]:
        """The graphs of consecutive sentences of a text, from the number ``first`` on.

        Those that were cut for this very text go before others with the same words; the first text that was given is the source.
        """
        wanted = [tuple(tokens) for tokens in sentences]
        for text, known in self._texts[:1] if of_source else [*self._texts[1:], *self._texts[:1]]:
            own = known[first : first + len(wanted)]
            if text[first : first + len(wanted)] == wanted and None not in own:
                return [graph for graph in own if graph is not None]
        if self._parser is not None:
            self.prepare([sentences])
        for number, tokens in enumerate(sentences):
            if tokens not in self._graphs:
                reason = {first + number: self._misfits[tokens]} if tokens in self._misfits else {}
                raise MismatchError(missing(what, first + number, tokens, reason))
        return [self._graphs[tokens] for tokens in sentences]

    @property
    def parser(self) -> str:
        """The name of the parser, if it made any of the graphs."""
        return self._parsed_by

    def fingerprint(self, sentences: Iterable[Tokens]) -> str:
        """A short name for the graphs of some sentences, in their order."""
        return fingerprint_of(self._graphs[tokens] for tokens in sentences if tokens in self._graphs)


def fingerprint_of(graphs: Iterable[Graph]) -> str:
    """A short name for the content of some graphs, in their order, whatever their ids."""
    import hashlib

    lines = mrp_lines(replace(graph, id="") for graph in graphs)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _alike(one: Graph, other: Graph) -> bool:
    return one.edges == other.edges and [unit.anchors for unit in one.units] == [unit.anchors for unit in other.units]
