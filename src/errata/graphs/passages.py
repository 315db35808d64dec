"""Cut graphs of passages into graphs of sentences, and find the graphs of sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from itertools import accumulate, chain, groupby, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import MismatchError, UsageError
from errata.graphs.model import Graph
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus import Tokens

_OPENING = 3
"""First words of a passage that are used to look it up."""
_MOST_MISFITS = 5
"""Sentences without a graph for which the reason is searched; usually the first is an error."""


def cut(graph: Graph, lengths: Sequence[int]) -> list[Graph]:
    """Cut the graph of a passage into sentences, given the number of words of each.

    A unit belongs to every sentence in which it has words, with these words; an implicit unit, to the sentences of its parents.
    Edges, including remote edges, are kept if both ends are in one sentence; linkages, if all linked units are in one.
    """
    if sum(lengths) != len(graph.tokens) or any(length < 0 for length in lengths):
        raise UsageError(f"{graph.name}: the sentences have {pluralise(sum(lengths), 'word')}, but the passage has {len(graph.tokens):,}")
    if len(lengths) == 1:
        return [graph]
    starts = [0, *accumulate(lengths)]
    meets = _meets(graph, starts)
    members: list[dict[int, tuple[int, ...]]] = [{} for _ in lengths]
    """The units of every sentence, with their words in it."""
    edges: list[list[int]] = [[] for _ in lengths]
    for unit, pieces in enumerate(meets):
        for piece in pieces:
            members[piece][unit] = ()
        for piece, anchors in groupby(sorted(graph.units[unit].anchors), key=lambda position: bisect_right(starts, position) - 1):
            members[piece][unit] = tuple(position - starts[piece] for position in anchors)
    for number, edge in enumerate(graph.edges):
        for piece in set(meets[edge.parent]).intersection(meets[edge.child]):
            edges[piece].append(number)
    marks = {
        piece: list(positions)
        for piece, positions in groupby(sorted(graph.punctuation), key=lambda position: bisect_right(starts, position) - 1)
    }
    return [
        _piece(graph, number, start, end, members[number], edges[number], frozenset(position - start for position in marks.get(number, ())))
        for number, (start, end) in enumerate(pairwise(starts))
    ]


def _meets(graph: Graph, starts: list[int]) -> list[list[int]]:
    """List the sentences of every unit."""
    meets = [_pieces(positions, starts) for positions in graph.yields]
    linked: dict[int, list[set[int]]] = {}
    for unit in graph.order:
        if not graph.yields[unit]:
            meets[unit] = sorted({piece for edge in graph.incoming[unit] for piece in meets[edge.parent]})
    for edge in graph.edges:
        if graph.units[edge.parent].kind == "linkage":
            linked.setdefault(edge.parent, []).append(set(meets[edge.child]))
    for linkage, pieces in linked.items():
        shared = set.intersection(*pieces)
        meets[linkage] = sorted(shared) if len(shared) == 1 else []
    return meets


def _pieces(indices: tuple[int, ...], starts: list[int]) -> list[int]:
    """List the sentences that contain some indices."""
    pieces = []
    position = 0
    while position < len(indices):
        piece = bisect_right(starts, indices[position]) - 1
        pieces.append(piece)
        position = bisect_right(indices, starts[piece + 1] - 1)
    return pieces


def _piece(
    graph: Graph, number: int, start: int, end: int, members: dict[int, tuple[int, ...]], edges: list[int], marks: frozenset[int]
) -> Graph:
    numbers = {unit: position for position, unit in enumerate(sorted(members))}
    kept = (graph.edges[edge] for edge in edges)
    paragraphs = graph.paragraphs[start:end]
    return Graph(
        f"{graph.id}.{number + 1}",
        graph.tokens[start:end],
        tuple(graph.units[unit]._replace(anchors=members[unit]) for unit in numbers),
        tuple(edge._replace(parent=numbers[edge.parent], child=numbers[edge.child]) for edge in kept),
        graph.framework,
        marks,
        paragraphs if len(set(paragraphs)) > 1 else (),
        graph.properties,
        graph.location,
    )


def count_divided_units(graph: Graph, lengths: Sequence[int]) -> int:
    """Count the units below the top that have words in several sentences, so that they are cut."""
    starts = [0, *accumulate(lengths)]
    return sum(len(_pieces(graph.yields[unit], starts)) > 1 for unit in graph.counted)


class Joined(NamedTuple):
    """The graphs found for the sentences of a text."""

    graphs: list[Graph | None]
    """The graph of every sentence; an empty sentence has an empty graph."""
    misfits: dict[int, str]
    """The reason why a sentence, by its index, has no graph, if a graph begins like it."""


def join(graphs: Iterable[Graph], sentences: Sequence[Tokens], *, in_turn: bool = True) -> Joined:
    """Find the graph of every sentence, in any order: a graph with the same words, or a passage that contains it.

    A passage of several sentences is preferred to a graph of its first sentence, unless all its sentences have graphs.  Of graphs with
    the same words, the next one is used each time (``in_turn``), or always the first.
    """
    known = _Known(graphs, in_turn=in_turn)
    matched: list[Graph | None] = [None] * len(sentences)
    misfits: dict[int, str] = {}
    number = 0
    while number < len(sentences):
        tokens = tuple(sentences[number])
        whole = known.longest_fit(sentences, number) if tokens else None
        if whole is not None:
            lengths = [len(sentence) for sentence in sentences[number : number + whole.sentences]]
            matched[number : number + whole.sentences] = cut(known.next(whole.graph.tokens), lengths)
            number += whole.sentences
            continue
        if tokens in known.same:
            matched[number] = known.next(tokens)
        elif not tokens:
            matched[number] = Graph("", (), (), ())
        elif len(misfits) < _MOST_MISFITS:
            tried = [_fit(graph, sentences, number) for graph in known.beginnings.get(tokens[0], ())]
            misfits[number] = max(tried, key=lambda fit: fit.words).misfit if tried else ""
        number += 1
    return Joined(matched, {number: text for number, text in misfits.items() if text})


class _Known:
    """Graphs by all words, by their opening words, and by their first word."""

    def __init__(self, graphs: Iterable[Graph], *, in_turn: bool) -> None:
        self.same: dict[Tokens, list[Graph]] = defaultdict(list)
        self.openings: dict[Tokens, list[Graph]] = defaultdict(list)
        self.beginnings: dict[str, list[Graph]] = defaultdict(list)
        self._turns: dict[Tokens, int] = defaultdict(int)
        self._in_turn = in_turn
        for graph in graphs:
            self.same[graph.tokens].append(graph)
            if len(self.same[graph.tokens]) == 1 and graph.tokens:
                self.openings[graph.tokens[:_OPENING]].append(graph)
                self.beginnings[graph.tokens[0]].append(graph)

    def next(self, tokens: Tokens) -> Graph:
        """Get the next graph with some words."""
        own = self.same[tokens]
        position = min(self._turns[tokens], len(own) - 1)
        self._turns[tokens] += self._in_turn
        return own[position]

    def longest_fit(self, sentences: Sequence[Tokens], number: int) -> _Fit | None:
        """Find the longest passage of this and following sentences, unless they all have graphs."""
        opening = tuple(islice(chain.from_iterable(sentences[index] for index in range(number, len(sentences))), _OPENING))
        tried = (graph for length in range(1, _OPENING + 1) for graph in self.openings.get(opening[:length], ()))
        longer = (_fit(graph, sentences, number) for graph in tried if len(graph.tokens) > len(sentences[number]))
        whole = max(longer, key=lambda fit: fit.sentences, default=None)
        if whole is None or not whole.sentences:
            return None
        covered = sentences[number : number + whole.sentences]
        return None if all(tuple(sentence) in self.same or not sentence for sentence in covered) else whole


class _Fit(NamedTuple):
    graph: Graph
    sentences: int
    words: int
    misfit: str


def _fit(graph: Graph, sentences: Sequence[Tokens], first: int) -> _Fit:
    """Compare a passage with sentences: count equal sentences and words, and describe the first difference."""
    index = 0
    for number in range(first, len(sentences)):
        where = "it" if number == first else f"sentence {number + 1}"
        for position, word in enumerate(sentences[number]):
            if index == len(graph.tokens):
                return _Fit(graph, 0, index, f"{graph.name} begins like it, but ends before word {position + 1} of {where}, {word!r}")
            if graph.tokens[index] != word:
                difference = f"differs at word {position + 1} of {where}: {word!r} here, {graph.tokens[index]!r} (word {index + 1}) there"
                return _Fit(graph, 0, index, f"{graph.name} begins like it, but {difference}")
            index += 1
        if index == len(graph.tokens):
            return _Fit(graph, number - first + 1, index, "")
    return _Fit(graph, 0, index, f"{graph.name} begins like it, but goes on after the last sentence with {graph.tokens[index]!r}")


def describe_misfit(graph: Graph, tokens: Tokens) -> str:
    """Describe the first difference between a graph and a sentence."""
    return _fit(graph, [tokens], 0).misfit


def match_graphs(graphs: Iterable[Graph], sentences: Sequence[Tokens], what: str) -> list[Graph]:
    """Find the graph of every sentence; raise :class:`MismatchError` with the first difference if there is none."""
    matched, misfits = join(graphs, sentences)
    for number, graph in enumerate(matched):
        if graph is None:
            raise MismatchError(describe_missing(what, number, sentences[number], misfits))
    return [graph for graph in matched if graph is not None]


def describe_missing(what: str, number: int, tokens: Tokens, misfits: dict[int, str]) -> str:
    """Describe that a sentence, by its index, has no graph."""
    text = " ".join(tokens)
    shown = text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - enough to find it
    reason = f"; {misfits[number]}" if number in misfits else ""
    return f"{f'{what}: ' if what else ''}sentence {number + 1} has no graph: {shown!r}{reason}"
