"""Graphs of sentences by their words, to find them for a source and for the outputs of systems."""

from __future__ import annotations

import hashlib
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from errata.corpus.graphs import Graph
from errata.errors import MismatchError, UsageError
from errata.formats.graphs import compute_graphs_fingerprint
from errata.graphs.parsers import name_parser, parse_sentences
from errata.graphs.passages import describe_missing, join

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus.texts import Tokens
    from errata.graphs.parsers import GraphParser


class GraphBank:
    """Graphs of sentences; passages are cut into the sentences of the given texts.

    The first text is the source, the others are outputs of systems.  Of two graphs with the same words, the first is used.
    A sentence without a graph is parsed if there is a parser; else looking it up is an error.
    Two banks are equal if they have the same graphs, texts and parser.

    >>> from errata.graphs import read_graphs
    >>> bank = GraphBank(read_graphs("examples/graphs/source.mrp"))
    >>> [graph.id for graph in bank.find([("I", "am", "agree", "with", "this", "opinion", ".")], "source")]
    ['2']
    """

    def __init__(self, graphs: Iterable[Graph] = (), texts: Iterable[Sequence[Tokens]] = (), parser: GraphParser | None = None) -> None:
        self._graphs: dict[Tokens, Graph] = {(): Graph("", (), (), ())}
        self._misfits: dict[Tokens, str] = {}
        self._parser = parser
        self._fingerprints: dict[tuple[Tokens, ...], str] = {}
        self.conflicts = 0
        """Number of graphs that were skipped because an earlier one has the same words."""
        self._parsing = Lock()
        self._given = tuple(graphs)
        for graph in self._given:
            if not isinstance(graph, Graph):
                raise UsageError(f"a bank needs graphs, for example from errata.read_graphs, found {type(graph).__name__}")
            self._add(graph)
        self._texts: list[tuple[list[Tokens], list[Graph | None]]] = []
        """Texts, with the graphs found for their sentences."""
        for text in texts:
            matched, misfits = join(self._given, text, in_turn=False)
            self._texts.append(([tuple(tokens) for tokens in text], matched))
            for number, piece in enumerate(matched):
                if piece is not None:
                    self._graphs.setdefault(piece.tokens, piece)
                elif number in misfits:
                    self._misfits.setdefault(tuple(text[number]), misfits[number])

    @cached_property
    def _content(self) -> str:
        """A hash of the content; equal banks have the same."""
        texts = "\x1d".join("\x1e".join("\x1f".join(tokens) for tokens in text) for text, _ in self._texts)
        parser = name_parser(self._parser) if self._parser is not None else ""
        given = "\x1c".join((compute_graphs_fingerprint(self._given), texts, parser))
        return hashlib.sha256(given.encode("utf-8", "surrogatepass")).hexdigest()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, GraphBank) and self._content == other._content and self._has_parser_of(other))

    def _has_parser_of(self, other: GraphBank) -> bool:
        """Tell whether the parsers are the same: by name if they have names."""
        named = all(isinstance(getattr(parser, "name", None), str) for parser in (self._parser, other._parser))
        return named or self._parser == other._parser

    def __hash__(self) -> int:
        return hash(self._content)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the lock, which cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name != "_parsing"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _parsing=Lock())

    def _add(self, graph: Graph) -> None:
        known = self._graphs.setdefault(graph.tokens, graph)
        self.conflicts += known is not graph and not _alike(known, graph)

    def prepare(self, texts: Iterable[Sequence[Tokens]]) -> int:
        """Parse all sentences without a graph in one call, because parsers start slowly; return their number."""
        wanted = dict.fromkeys(tuple(tokens) for text in texts for tokens in text)
        if self._parser is None:
            return sum(tokens not in self._graphs for tokens in wanted)
        with self._parsing:  # threads must not parse a sentence twice
            unknown = [tokens for tokens in wanted if tokens not in self._graphs]
            if unknown:
                for graph in parse_sentences(self._parser, unknown):
                    self._graphs[graph.tokens] = graph
        return len(unknown)

    def find(self, sentences: Sequence[Tokens], what: str, first: int = 0) -> list[Graph]:
        """Find the graphs of some sentences by their words; ``first`` is the number of the first sentence, for messages."""
        return self._filled([tuple(tokens) for tokens in sentences], [None] * len(sentences), what, first)

    def of_text(self, sentences: Sequence[Tokens], what: str, first: int = 0, *, of_source: bool = False) -> list[Graph]:
        """Find the graphs of a text: those cut for it, else by the words of each sentence."""
        text = [tuple(tokens) for tokens in sentences]
        given = self._texts[:1] if of_source else [*self._texts[1:], *self._texts[:1]]
        return self._filled(text, next((graphs for known, graphs in given if known == text), [None] * len(text)), what, first)

    def _filled(self, sentences: list[Tokens], known: Sequence[Graph | None], what: str, first: int) -> list[Graph]:
        if self._parser is not None:
            self.prepare([[tokens for tokens, graph in zip(sentences, known, strict=True) if graph is None]])
        graphs = []
        for number, (tokens, graph) in enumerate(zip(sentences, known, strict=True)):
            own = graph or self._graphs.get(tokens)
            if own is None:
                reason = {first + number: self._misfits[tokens]} if tokens in self._misfits else {}
                raise MismatchError(describe_missing(what, first + number, tokens, reason))
            graphs.append(own)
        return graphs

    def fingerprint(self, source: Sequence[Tokens]) -> str:
        """Compute the fingerprint of the graphs of a source."""
        text = tuple(source)
        if text not in self._fingerprints:
            self._fingerprints[text] = compute_graphs_fingerprint(self.of_text(source, "source", of_source=True))
        return self._fingerprints[text]

    @property
    def parser(self) -> str:
        """The name of the parser, if there is one."""
        return name_parser(self._parser) if self._parser is not None else ""


def _alike(one: Graph, other: Graph) -> bool:
    return one.edges == other.edges and [unit.anchors for unit in one.units] == [unit.anchors for unit in other.units]
