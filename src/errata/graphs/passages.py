"""Cut graphs of passages into graphs of sentences, and find the graphs of sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from itertools import accumulate, chain, groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.graphs import Graph
from errata.errors import InputError, MismatchError, UsageError, pluralise

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from errata.corpus.texts import Tokens

_OPENING = 3
"""First words of a passage that are used to look it up."""
MOST_COPIES, FREE_COPIES = 20, 10_000
"""Sentences that a unit or edge of a passage may be in, on average; small passages may have so many copies in any case."""
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
    here = [frozenset(pieces) for pieces in meets]
    work = _Work(graph)
    for number, edge in enumerate(graph.edges):
        work.add(min(len(here[edge.parent]), len(here[edge.child])))
        for piece in here[edge.parent] & here[edge.child]:
            edges[piece].append(number)
    marks = {
        piece: list(positions)
        for piece, positions in groupby(sorted(graph.punctuation), key=lambda position: bisect_right(starts, position) - 1)
    }
    return [
        _piece(graph, number, start, end, members[number], edges[number], frozenset(position - start for position in marks.get(number, ())))
        for number, (start, end) in enumerate(pairwise(starts))
    ]


class _Work:
    """Counts the units, or the edges, of the sentences of a passage, and refuses too many."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._done = graph, 0
        self._most = FREE_COPIES + MOST_COPIES * (len(graph.units) + len(graph.edges))

    def add(self, count: int) -> None:
        self._done += count
        if self._done > self._most:
            raise InputError(
                f"{self._graph.name} cannot be cut into sentences: its units and edges are in more than {MOST_COPIES:,} of them on average"
            )


def _meets(graph: Graph, starts: list[int]) -> list[list[int]]:
    """List the sentences of every unit."""
    meets = [_pieces(positions, starts) for positions in graph.yields]
    linked: dict[int, list[set[int]]] = {}
    work = _Work(graph)
    for own in meets:
        work.add(len(own))
    for unit in graph.order:
        if not graph.yields[unit]:
            work.add(sum(len(meets[edge.parent]) for edge in graph.incoming[unit]))
            meets[unit] = sorted({piece for edge in graph.incoming[unit] for piece in meets[edge.parent]})
    for edge in graph.edges:
        if graph.units[edge.parent].kind == "linkage":
            work.add(len(meets[edge.child]))
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
    text = _Text(sentences, known.same)
    matched: list[Graph | None] = [None] * len(sentences)
    misfits: dict[int, str] = {}
    number = 0
    while number < len(sentences):
        tokens = tuple(sentences[number])
        whole = known.longest_fit(text, number) if tokens else None
        if whole is not None:
            lengths = [len(sentence) for sentence in sentences[number : number + whole.sentences]]
            matched[number : number + whole.sentences] = cut(known.next(whole.tokens), lengths)
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


class _Text:
    """The words of all sentences, with sums that tell in one step whether many words are equal."""

    def __init__(self, sentences: Sequence[Tokens], known: Container[Tokens]) -> None:
        self.words = tuple(chain.from_iterable(sentences))
        self.starts = [0, *accumulate(map(len, sentences))]
        self.lasts: dict[int, int] = {}
        """The first sentence that ends at an index."""
        for number, end in enumerate(self.starts[1:]):
            self.lasts.setdefault(end, number)
        lacking = (bool(sentence) and tuple(sentence) not in known for sentence in sentences)
        self.lacking = [0, *accumulate(map(int, lacking))]
        """The number of sentences without a graph of their own before each sentence."""
        self._sums = list(_sum_words(self.words))
        self._powers = [1]
        for _ in self.words:
            self._powers.append(self._powers[-1] * _BASE % _PRIME)

    def sum(self, start: int, end: int) -> int:
        """Compute the sum of some words; other words have another, but for rare chance."""
        return (self._sums[end] - self._sums[start] * self._powers[end - start]) % _PRIME


_PRIME, _BASE = (1 << 61) - 1, 1_000_003


def _sum_words(words: Iterable[str]) -> Iterator[int]:
    """Yield the sums of the first words: of none, one, two, ...."""
    total = 0
    yield total
    for word in words:
        total = (total * _BASE + hash(word)) % _PRIME
        yield total


class _Whole(NamedTuple):
    """A passage of several sentences."""

    tokens: Tokens
    sentences: int


class _Known:
    """Graphs by all words, by their opening words, and by their first word."""

    def __init__(self, graphs: Iterable[Graph], *, in_turn: bool) -> None:
        self.same: dict[Tokens, list[Graph]] = defaultdict(list)
        self.beginnings: dict[str, list[Graph]] = defaultdict(list)
        self._openings: dict[Tokens, dict[int, dict[int, list[Tokens]]]] = {}
        """The words of graphs by their opening words, their number and their sum; the largest number comes first."""
        self._turns: dict[Tokens, int] = defaultdict(int)
        self._in_turn = in_turn
        for graph in graphs:
            self.same[graph.tokens].append(graph)
            if len(self.same[graph.tokens]) == 1 and graph.tokens:
                self.beginnings[graph.tokens[0]].append(graph)
        for tokens in sorted((tokens for tokens in self.same if tokens), key=len, reverse=True):
            (total,) = deque(_sum_words(tokens), maxlen=1)
            by_length = self._openings.setdefault(tokens[:_OPENING], {})
            by_length.setdefault(len(tokens), {}).setdefault(total, []).append(tokens)

    def next(self, tokens: Tokens) -> Graph:
        """Get the next graph with some words."""
        own = self.same[tokens]
        position = min(self._turns[tokens], len(own) - 1)
        self._turns[tokens] += self._in_turn
        return own[position]

    def longest_fit(self, text: _Text, number: int) -> _Whole | None:
        """Find the longest passage of this and following sentences, unless they all have graphs."""
        start, first_end = text.starts[number], text.starts[number + 1]
        for size in range(_OPENING, 0, -1):
            for length, by_sum in self._openings.get(text.words[start : start + size], {}).items():
                end = start + length
                last = text.lasts.get(end, -1)
                if end <= first_end or last < 0:
                    continue
                for tokens in by_sum.get(text.sum(start, end), ()):
                    if text.lacking[number] == text.lacking[last + 1]:
                        return None  # which is also true of shorter passages
                    if tokens == text.words[start:end]:
                        return _Whole(tokens, last + 1 - number)
        return None


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
