"""Semantic graphs of sentences: parsers, graphs by their words, and passages cut into sentences."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import defaultdict, deque
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, chain, groupby, pairwise
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from errata.corpus.graphs import Edge, Graph, Unit
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import ErrataError, InputError, MismatchError, RequestError, UsageError, pluralise
from errata.formats.graphs import GRAPH_FORMATS, compute_graphs_fingerprint, read_graphs
from errata.language.tagging import load_pipeline
from errata.plugins import Plugins, check_function

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from errata.corpus.texts import Tokens
    from errata.formats.graphs import GraphFormat
    from errata.formats.problems import Problem


_OPENING = 3
"""First words of a passage that are used to look it up."""
_MOST_COPIES, _FREE_COPIES = 20, 10_000
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
        self._most = _FREE_COPIES + _MOST_COPIES * (len(graph.units) + len(graph.edges))

    def add(self, count: int) -> None:
        self._done += count
        if self._done > self._most:
            raise InputError(
                f"{self._graph.name} cannot be cut into sentences: its units and edges are in more than {_MOST_COPIES:,} of them on average"
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


class _Joined(NamedTuple):
    """The graphs found for the sentences of a text."""

    graphs: list[Graph | None]
    """The graph of every sentence; an empty sentence has an empty graph."""
    misfits: dict[int, str]
    """The reason why a sentence, by its index, has no graph, if a graph begins like it."""


def _join(graphs: Iterable[Graph], sentences: Sequence[Tokens], *, in_turn: bool = True) -> _Joined:
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
    return _Joined(matched, {number: text for number, text in misfits.items() if text})


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


def _describe_misfit(graph: Graph, tokens: Tokens) -> str:
    """Describe the first difference between a graph and a sentence."""
    return _fit(graph, [tokens], 0).misfit


def match_graphs(graphs: Iterable[Graph], sentences: Sequence[Tokens], what: str) -> list[Graph]:
    """Find the graph of every sentence; raise :class:`MismatchError` with the first difference if there is none."""
    matched, misfits = _join(graphs, sentences)
    for number, graph in enumerate(matched):
        if graph is None:
            raise MismatchError(_describe_missing(what, number, sentences[number], misfits))
    return [graph for graph in matched if graph is not None]


def _describe_missing(what: str, number: int, tokens: Tokens, misfits: dict[int, str]) -> str:
    """Describe that a sentence, by its index, has no graph."""
    text = " ".join(tokens)
    shown = text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - enough to find it
    reason = f"; {misfits[number]}" if number in misfits else ""
    return f"{f'{what}: ' if what else ''}sentence {number + 1} has no graph: {shown!r}{reason}"


# Parsers as plug-ins: sentences in, graphs out.
# A parser is a callable that takes sentences and returns a graph for each.  Installed packages add parsers in the entry point group
# ``errata.parsers``: a function that takes the text after ``NAME:`` and returns a parser.
# ``command:...`` runs a program that reads one sentence per line and writes graphs as MRP, CoNLL-U or UCCA XML.

_COMMAND = "command"
_COMMANDS = "command:PROGRAM, command-conllu:PROGRAM and command-ucca:PROGRAM"
_MOST_COMPLAINT = 2_000


class GraphParser(Protocol):
    """Parses sentences; each graph must have the words of its sentence."""

    def __call__(self, sentences: Sequence[Tokens]) -> Sequence[Graph]:
        """Parse sentences, in order; an attribute ``name`` of the parser appears in signatures."""


PARSERS: Plugins[Callable[[str], GraphParser]] = Plugins("parser", check_function)
"""All parsers by name: functions that take the text after ``NAME:`` and return a parser."""


def find_parser(text: str) -> GraphParser:
    """Find a parser: ``NAME``, ``NAME:ARGUMENT`` or ``command[-FORMAT]:PROGRAM ARGUMENTS``.

    >>> find_parser("command-conllu:udpipe --parse model.udpipe")
    CommandParser(arguments=['udpipe', '--parse', 'model.udpipe'], format='conllu')
    """
    name, _, rest = text.partition(":")
    kind, _, format_ = name.partition("-")
    if kind == _COMMAND:
        if format_ and format_ not in GRAPH_FORMATS:
            raise UsageError(f"unknown graph format {format_!r} of a command; choose from {', '.join(GRAPH_FORMATS)}")
        import shlex

        try:
            return CommandParser(shlex.split(rest), format_ or "mrp")
        except ValueError as error:
            raise UsageError(f"the command of a parser cannot be parsed: {error}: {rest[:100]!r}") from None
    make = PARSERS.find(name, more=f", and {_COMMANDS}")
    return PARSERS.run(name, lambda: make(rest))  # type: ignore[no-any-return]


class CommandParser:
    """Runs a program: one tokenised sentence per line on its standard input, graphs on its standard output."""

    def __init__(self, arguments: Sequence[str], format: GraphFormat = "mrp") -> None:  # noqa: A002 - the word users know
        if not arguments:
            raise UsageError("expected command:PROGRAM ARGUMENTS, found no program")
        self.arguments, self.format = list(arguments), format
        self.name = f"command {' '.join(self.arguments)}"

    def __repr__(self) -> str:
        return f"CommandParser(arguments={self.arguments!r}, format={self.format!r})"

    def __call__(self, sentences: Sequence[Tokens]) -> list[Graph]:
        """Run the program once for all sentences."""
        import subprocess
        import tempfile

        program = self.arguments[0]
        with tempfile.TemporaryDirectory(prefix="errata-") as folder:
            given, made, said = (Path(folder, name) for name in ("sentences.txt", "graphs", "messages"))
            given.write_text("".join(f"{' '.join(tokens)}\n" for tokens in sentences), encoding="utf-8")
            try:
                with given.open("rb") as stdin, made.open("wb") as stdout, said.open("wb") as stderr:
                    done = subprocess.run(self.arguments, stdin=stdin, stdout=stdout, stderr=stderr, check=False)  # noqa: S603 - the user's command
            except OSError as error:
                raise RequestError(f"the parser {program!r} cannot be run: {error.strerror or error}") from None
            if done.returncode:
                complaint = said.read_text(encoding="utf-8", errors="replace").strip()[-_MOST_COMPLAINT:]
                raise RequestError(f"the parser {program!r} ended with status {done.returncode}{f': {complaint}' if complaint else ''}")
            try:
                longest = max(map(len, sentences), default=0)
                limit = max(longest, DEFAULT_MAX_TOKENS)
                graphs = read_graphs(made, format=self.format, unique=False, max_tokens=limit, warn=_accept)
            except InputError as error:
                told = str(error).replace(str(made), f"output of {program}")
                raise InputError(f"{told} (read as {self.format}; choose the format with {_COMMANDS})") from None
            return [replace(graph, location=graph.location.replace(str(made), f"output of {program}")) for graph in graphs]


def _accept(problem: Problem) -> None:
    """Accept what a parser writes beside its graphs."""


def _parse_sentences(parser: GraphParser, sentences: Sequence[Tokens]) -> list[Graph]:
    """Parse sentences, and check that each graph has the words of its sentence."""
    name = _name_parser(parser)
    try:
        graphs = list(parser(sentences))
    except ErrataError:
        raise
    except Exception as error:  # any error in code of others
        raise RequestError(f"the parser {name} failed: {type(error).__name__}: {error}") from error
    for graph in graphs:
        if not isinstance(graph, Graph):
            raise RequestError(f"the parser {name} must return graphs, found {type(graph).__name__}")
    wanted = [tokens for tokens in sentences if tokens]
    graphs = [graph for graph in graphs if graph.tokens]
    for number, (graph, tokens) in enumerate(zip(graphs, wanted, strict=False)):
        if graph.tokens != tuple(tokens):
            raise MismatchError(_describe_missing(f"parser {name}", number, tokens, {number: _describe_misfit(graph, tokens)}))
    if len(graphs) != len(wanted):
        raise MismatchError(f"parser {name} returned {pluralise(len(graphs), 'graph')} for {pluralise(len(wanted), 'sentence')}")
    given = iter(graphs)
    return [next(given) if tokens else Graph("", (), (), ()) for tokens in sentences]


def _name_parser(parser: GraphParser) -> str:
    """Get the attribute ``name`` of a parser, else the name of the function or class."""
    own = getattr(parser, "name", None)
    return own if isinstance(own, str) else getattr(parser, "__qualname__", type(parser).__qualname__)


class GraphBank:
    """Graphs of sentences; passages are cut into the sentences of the given texts.

    The first text is the source, the others are outputs of systems.  Of two graphs with the same words, the first is used.
    A sentence without a graph is parsed if there is a parser; else looking it up is an error.
    Two banks are equal if they have the same graphs, texts and parser.

    >>> from errata.language import read_graphs
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
            matched, misfits = _join(self._given, text, in_turn=False)
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
        parser = _name_parser(self._parser) if self._parser is not None else ""
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
                for graph in _parse_sentences(self._parser, unknown):
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
                raise MismatchError(_describe_missing(what, first + number, tokens, reason))
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
        return _name_parser(self._parser) if self._parser is not None else ""


def _alike(one: Graph, other: Graph) -> bool:
    return one.edges == other.edges and [unit.anchors for unit in one.units] == [unit.anchors for unit in other.units]


_PUNCTUATION = "punct"


class _SpacyParser:
    """Parses sentences; every word becomes a unit that spans its subtree."""

    def __init__(self, model: str | None = None) -> None:
        self._pipeline, self.name = load_pipeline("parser", model, ["ner", "lemmatizer"])

    def __call__(self, sentences: Sequence[Tokens]) -> list[Graph]:
        """Parse sentences; the pipeline must not split them."""
        from spacy.tokens import Doc

        documents = (
            Doc(self._pipeline.vocab, words=list(tokens), sent_starts=[True, *[False] * (len(tokens) - 1)])
            for tokens in sentences
            if tokens
        )
        parsed = iter(self._pipeline.pipe(documents))
        return [
            _graph(next(parsed), str(number)) if tokens else Graph("", (), (), (), "ud") for number, tokens in enumerate(sentences, start=1)
        ]


def _graph(document: Any, name: str) -> Graph:
    units = [Unit("0", kind="root")]
    edges = []
    for position, token in enumerate(document, start=1):
        units.append(Unit(str(position), (token.i,), "punctuation" if token.dep_ == _PUNCTUATION else "unit", label=token.text))
        edges.append(Edge(0 if token.head.i == token.i else token.head.i + 1, position, (token.dep_,)))
    marks = frozenset(position for unit in units if unit.kind == "punctuation" for position in unit.anchors)
    return Graph(name, tuple(token.text for token in document), tuple(units), tuple(edges), "ud", marks)


def make_parser(model: str) -> _SpacyParser:
    """Make the parser of the entry point: ``spacy`` or ``spacy:MODEL``."""
    return _SpacyParser(model or None)
