"""Graphs of passages cut into graphs of sentences, and graphs found for the sentences of a corpus."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from itertools import accumulate, chain, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import MismatchError, UsageError
from errata.graphs.model import Graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus import Tokens

_OPENING = 3
"""Words by which passages are looked up."""


def cut(graph: Graph, lengths: Sequence[int]) -> list[Graph]:
    """The graphs of the sentences of a passage, given how many words each has.

    A unit is in every sentence in which it has words, with those; an implicit unit is where its parents are.
    Edges, remote ones too, stay where both ends are in one sentence, and linkages where all that they link is in one.
    """
    if sum(lengths) != len(graph.tokens) or any(length < 0 for length in lengths):
        raise UsageError(f"{graph.name}: sentences of {sum(lengths):,} words do not make a passage of {len(graph.tokens):,}")
    if len(lengths) == 1:
        return [graph]
    starts = [0, *accumulate(lengths)]
    meets = _meets(graph, starts)
    members: list[list[int]] = [[] for _ in lengths]
    edges: list[list[int]] = [[] for _ in lengths]
    for unit, pieces in enumerate(meets):
        for piece in pieces:
            members[piece].append(unit)
    for number, edge in enumerate(graph.edges):
        for piece in set(meets[edge.parent]).intersection(meets[edge.child]):
            edges[piece].append(number)
    return [_piece(graph, number, *span, members[number], edges[number]) for number, span in enumerate(pairwise(starts))]


def _meets(graph: Graph, starts: list[int]) -> list[list[int]]:
    """The sentences that every unit is in."""
    meets = [_pieces(places, starts) for places in graph.yields]
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


def _pieces(places: tuple[int, ...], starts: list[int]) -> list[int]:
    """The sentences that some places are in."""
    found = []
    position = 0
    while position < len(places):
        piece = bisect_right(starts, places[position]) - 1
        found.append(piece)
        position = bisect_right(places, starts[piece + 1] - 1)
    return found


def _piece(graph: Graph, number: int, start: int, end: int, members: list[int], edges: list[int]) -> Graph:
    numbers = {unit: place for place, unit in enumerate(sorted(members))}
    units = []
    for unit in numbers:
        own = graph.units[unit]
        units.append(own._replace(anchors=tuple(place - start for place in own.anchors if start <= place < end)))
    kept = (graph.edges[edge] for edge in sorted(edges))
    return Graph(
        f"{graph.id}.{number + 1}",
        graph.tokens[start:end],
        tuple(units),
        tuple(edge._replace(parent=numbers[edge.parent], child=numbers[edge.child]) for edge in kept),
        graph.framework,
        frozenset(place - start for place in graph.punctuation if start <= place < end),
        graph.paragraphs[start:end] if len(set(graph.paragraphs[start:end])) > 1 else (),
        graph.properties,
        graph.place,
    )


def divided(graph: Graph, lengths: Sequence[int]) -> int:
    """How many units below the top have words in several sentences, and so are cut."""
    starts = [0, *accumulate(lengths)]
    return sum(len(_pieces(graph.yields[unit], starts)) > 1 for unit in graph.counted)


class Joined(NamedTuple):
    """What was found for the sentences of a text."""

    graphs: list[Graph | None]
    """The graph of every sentence; an empty sentence has an empty one."""
    misfits: dict[int, str]
    """Why a sentence, by its number from 0, has none, where a graph begins like it."""


def join(graphs: Iterable[Graph], sentences: Sequence[Tokens]) -> Joined:
    """Find the graph of every sentence, whatever their order: one with its words, or a passage that it is a part of.

    A passage that several sentences make goes before a graph of the first of them.  Where several graphs have the same words, they are
    taken in turn, and the last one again.
    """
    same: dict[Tokens, list[Graph]] = defaultdict(list)
    openings: dict[Tokens, list[Graph]] = defaultdict(list)
    for graph in graphs:
        same[graph.tokens].append(graph)
        openings[graph.tokens[:_OPENING]].append(graph)
        openings[graph.tokens[:1]].append(graph)
    turns: dict[Tokens, int] = defaultdict(int)
    found: list[Graph | None] = [None] * len(sentences)
    misfits: dict[int, str] = {}
    number = 0
    while number < len(sentences):
        tokens = tuple(sentences[number])
        opening = tuple(islice(chain.from_iterable(sentences[place] for place in range(number, len(sentences))), _OPENING))
        longer = (graph for graph in openings.get(opening, ()) if len(graph.tokens) > len(tokens) > 0)
        whole = max((_fit(graph, sentences, number) for graph in longer), key=lambda fit: fit.sentences, default=None)
        if whole is not None and whole.sentences:
            lengths = [len(sentence) for sentence in sentences[number : number + whole.sentences]]
            found[number : number + whole.sentences] = cut(whole.graph, lengths)
            number += whole.sentences
            continue
        if tokens in same or not tokens:
            own = same.get(tokens) or [Graph("", (), (), ())]
            found[number] = own[min(turns[tokens], len(own) - 1)]
            turns[tokens] += 1
        elif tried := [_fit(graph, sentences, number) for graph in openings.get(tokens[:1], ())]:
            misfits[number] = max(tried, key=lambda fit: fit.words).misfit
        number += 1
    return Joined(found, misfits)


class _Fit(NamedTuple):
    graph: Graph
    sentences: int
    words: int
    misfit: str


def _fit(graph: Graph, sentences: Sequence[Tokens], first: int) -> _Fit:
    """How far a passage goes along with sentences: how many, how many words, and the first difference."""
    place = 0
    for number in range(first, len(sentences)):
        where = "it" if number == first else f"sentence {number + 1}"
        for position, word in enumerate(sentences[number]):
            if place == len(graph.tokens):
                return _Fit(graph, 0, place, f"{graph.name} begins like it, but ends before word {position + 1} of {where}, {word!r}")
            if graph.tokens[place] != word:
                difference = f"differs at word {position + 1} of {where}: {word!r} here, {graph.tokens[place]!r} (word {place + 1}) there"
                return _Fit(graph, 0, place, f"{graph.name} begins like it, but {difference}")
            place += 1
        if place == len(graph.tokens):
            return _Fit(graph, number - first + 1, place, "")
    return _Fit(graph, 0, place, f"{graph.name} begins like it, but goes on after the last sentence with {graph.tokens[place]!r}")


def joined(graphs: Iterable[Graph], sentences: Sequence[Tokens], what: str) -> list[Graph]:
    """The graph of every sentence; a sentence without one is a :class:`MismatchError` with the first difference."""
    found, misfits = join(graphs, sentences)
    for number, graph in enumerate(found):
        if graph is None:
            raise MismatchError(missing(what, number, sentences[number], misfits))
    return [graph for graph in found if graph is not None]


def missing(what: str, number: int, tokens: Tokens, misfits: dict[int, str]) -> str:
    """That a sentence, by its number from 0, has no graph, in words."""
    text = " ".join(tokens)
    shown = text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - enough to find it
    reason = f"; {misfits[number]}" if number in misfits else ""
    return f"{f'{what}: ' if what else ''}sentence {number + 1} has no graph: {shown!r}{reason}"
