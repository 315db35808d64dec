"""Parsers as plug-ins: sentences in, graphs out.

A parser is a callable that takes sentences and returns a graph for each.  Installed packages add parsers in the entry point group
``errata.parsers``: a function that takes the text after ``NAME:`` and returns a parser.
``command:...`` runs a program that reads one sentence per line and writes graphs as MRP, CoNLL-U or UCCA XML.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from errata.corpus.graphs import Graph
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import ErrataError, InputError, MismatchError, RequestError, UsageError, pluralise
from errata.formats.graphs import GRAPH_FORMATS, read_graphs
from errata.graphs.passages import describe_misfit, describe_missing
from errata.plugins import Plugins, check_function

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.texts import Tokens
    from errata.formats.graphs import GraphFormat
    from errata.formats.problems import Problem

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


def parse_sentences(parser: GraphParser, sentences: Sequence[Tokens]) -> list[Graph]:
    """Parse sentences, and check that each graph has the words of its sentence."""
    name = name_parser(parser)
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
            raise MismatchError(describe_missing(f"parser {name}", number, tokens, {number: describe_misfit(graph, tokens)}))
    if len(graphs) != len(wanted):
        raise MismatchError(f"parser {name} returned {pluralise(len(graphs), 'graph')} for {pluralise(len(wanted), 'sentence')}")
    given = iter(graphs)
    return [next(given) if tokens else Graph("", (), (), ()) for tokens in sentences]


def name_parser(parser: GraphParser) -> str:
    """Get the attribute ``name`` of a parser, else the name of the function or class."""
    own = getattr(parser, "name", None)
    return own if isinstance(own, str) else getattr(parser, "__qualname__", type(parser).__qualname__)
