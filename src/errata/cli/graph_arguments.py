"""The arguments that name graphs: files, or a parser."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from errata.cli.arguments import print_warning
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.corpus import Corpus, System, Tokens
    from errata.graphs import Graph
    from errata.metrics import Metric


def add_parser_argument(parser: argparse.ArgumentParser) -> None:
    """Add the parser."""
    parser.add_argument(
        "--parser",
        dest="graph_parser",
        metavar="PARSER",
        help="make graphs with an installed parser, NAME or NAME:WHAT, or with a program, command:PROGRAM ARGUMENTS",
    )


def add_graph_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what metrics that compare graphs need."""
    parser.add_argument(
        "--graphs",
        metavar="FILE",
        nargs="+",
        default=[],
        help="graphs of the source and of outputs, for uccasim and distsim (UCCA XML, MRP or CoNLL-U; files or folders, in any order)",
    )
    add_parser_argument(parser)


def with_graphs(options: argparse.Namespace, metrics: Sequence[Metric], corpus: Corpus, systems: Sequence[System]) -> list[Metric]:
    """The metrics, with graphs for those that compare some."""
    from errata.metrics.faithfulness import FaithfulnessMetric

    files, parser = getattr(options, "graphs", []), getattr(options, "graph_parser", None)
    if not any(isinstance(metric, FaithfulnessMetric) for metric in metrics):
        if files or parser:
            raise UsageError(f"{'--graphs' if files else '--parser'} goes with metrics that compare graphs: -m uccasim or -m distsim")
        return list(metrics)
    if not files and not parser:
        return list(metrics)  # which say what they need
    from errata.graphs import GraphBank, read_graphs
    from errata.graphs.parsers import find_parser

    graphs = [graph for path in files for graph in read_graphs(path, warn=print_warning)]
    texts = [[sentence.tokens for sentence in corpus], *(system.sentences for system in systems)]
    bank = GraphBank(graphs, texts if graphs else (), find_parser(parser) if parser else None)
    if parser:
        bank.prepare(texts)
    if bank.conflicts:
        print_warning(f"{bank.conflicts:,} graphs are passed over, for another one with the same words comes before them")
    return [replace(metric, graphs=bank) if isinstance(metric, FaithfulnessMetric) else metric for metric in metrics]  # type: ignore[type-var]


def sentences_of(path: str) -> list[Tokens]:
    """The sentences of a text, or the source of M2."""
    from errata.formats import guess_format, read, read_system

    if guess_format(path) == "m2":
        return [sentence.tokens for sentence in read(path, warn=print_warning)]
    return list(read_system(path).sentences)


def cut_by_text(graphs: Sequence[Graph], text: str, what: str) -> tuple[Graph, ...]:
    """The graphs of the sentences of a text, numbered; units that have words in several are told of."""
    from errata.formats import display_path
    from errata.graphs.passages import divided, joined

    found = joined(graphs, sentences_of(text), display_path(text))
    lengths: dict[str, list[int]] = {}
    for piece in found:
        lengths.setdefault(piece.place, []).append(len(piece.tokens))
    cut = sum(divided(graph, own) for graph in graphs if sum(own := lengths.get(graph.place, [])) == len(graph.tokens))
    if cut:
        print_warning(f"{what}: {cut:,} units have words in several sentences, and are a unit in each of them")
    return numbered(found)


def numbered(graphs: Sequence[Graph]) -> tuple[Graph, ...]:
    """Graphs of sentences, with the numbers of these as their ids."""
    return tuple(replace(graph, id=str(number)) for number, graph in enumerate(graphs, start=1))
