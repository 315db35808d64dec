"""Graphs of sentences by their words, so that they are found for a source and for any system's output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.errors import MismatchError
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
        self._known_fingerprint = 0, ""
        self.conflicts = 0
        """Graphs that were passed over, because another one with the same words came first."""
        everything = tuple(graphs)
        for graph in everything:
            self._add(graph)
        for text in texts:
            found, misfits = join(everything, text)
            for number, piece in enumerate(found):
                if piece is not None and piece.tokens not in self._graphs:
                    self._add(piece)
                elif number in misfits:
                    self._misfits.setdefault(tuple(text[number]), misfits[number])

    def _add(self, graph: Graph) -> None:
        known = self._graphs.setdefault(graph.tokens, graph)
        self.conflicts += known is not graph and not _alike(known, graph)

    def prepare(self, texts: Iterable[Sequence[Tokens]]) -> int:
        """Parse all sentences of some texts that have no graph yet, at once, and say how many; for a program that takes long to start."""
        unknown = list(dict.fromkeys(tokens for text in texts for tokens in text if tokens not in self._graphs))
        if unknown and self._parser is not None:
            from errata.graphs.parsers import parse_sentences

            for graph in parse_sentences(self._parser, unknown):
                self._graphs[graph.tokens] = graph
        return len(unknown)

    def find(self, sentences: Sequence[Tokens], what: str, first: int = 0) -> list[Graph]:
        """The graphs of consecutive sentences of a text, from the number ``first`` on."""
        if self._parser is not None:
            self.prepare([sentences])
        for number, tokens in enumerate(sentences):
            if tokens not in self._graphs:
                reason = {first + number: self._misfits[tokens]} if tokens in self._misfits else {}
                raise MismatchError(missing(what, first + number, tokens, reason))
        return [self._graphs[tokens] for tokens in sentences]

    @property
    def parser(self) -> str:
        """The name of the parser, or what it is, if there is one."""
        return str(getattr(self._parser, "name", self._parser)) if self._parser is not None else ""

    @property
    def fingerprint(self) -> str:
        """A short name for the content, in any order."""
        if self._known_fingerprint[0] != len(self._graphs):  # a parser adds to them
            self._known_fingerprint = len(self._graphs), self._fingerprint()
        return self._known_fingerprint[1]

    def _fingerprint(self) -> str:
        import hashlib

        lines = sorted(mrp_lines([graph for graph in self._graphs.values() if graph.tokens]))
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _alike(one: Graph, other: Graph) -> bool:
    return one.edges == other.edges and [unit.anchors for unit in one.units] == [unit.anchors for unit in other.units]
