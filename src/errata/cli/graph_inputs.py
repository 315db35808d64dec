"""Graphs that the arguments name: files, or made by a parser."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from errata.cli.printing import print_warning
from errata.errors import UsageError, pluralise
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.corpus.graphs import Graph
    from errata.corpus.texts import Tokens
    from errata.language import GraphBank
    from errata.metrics import Metric


_GRAPHS = "graphs"
"""The data that metrics of graphs need."""


def check_graphs(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse graphs that no metric needs."""
    files, parser = options.graphs, options.graph_parser
    if (files or parser) and not any(_GRAPHS in metric.needs for metric in metrics):
        raise UsageError(f"{'--graphs' if files else '--parser'} needs a metric of semantic graphs: -m uccasim or -m distsim")


def with_graphs(options: argparse.Namespace, metrics: Sequence[Metric], corpus: Corpus, systems: Sequence[System]) -> list[Metric]:
    """The metrics, with graphs for those that need some."""
    files, parser = options.graphs, options.graph_parser
    check_graphs(options, metrics)
    if not files and not parser:
        return list(metrics)  # which say what they need
    from errata.formats.graphs import read_graphs
    from errata.language import GraphBank
    from errata.language.graphs import find_parser

    graphs = [graph for path in files for graph in read_graphs(path, unique=False, max_tokens=options.max_tokens, warn=print_warning)]
    texts = [[sentence.tokens for sentence in corpus], *(system.sentences for system in systems)]
    bank = GraphBank(graphs, texts if graphs else (), find_parser(parser) if parser else None)
    if parser:
        _parse(bank, texts)
    if bank.conflicts:
        print_warning(f"{pluralise(bank.conflicts, 'graph')} skipped: an earlier graph has the same words")
    return [metric.with_data(graphs=bank) if _GRAPHS in metric.needs else metric for metric in metrics]


def _parse(bank: GraphBank, texts: Sequence[Sequence[Tokens]]) -> None:
    """Parse all texts, and tell whoever waits at a terminal that this is what takes long."""
    if sys.stderr.isatty():
        print_to_stderr(f"parsing the sentences of {pluralise(len(texts), 'text')}")
    bank.prepare(texts)


def sentences_of(path: str, max_tokens: int, source: tuple[str, int] | None = None) -> list[Tokens]:
    """The sentences of a text, or the source of M2; not more than ``source``, a path and its number of sentences, has."""
    from errata.corpus.corpus import take_at_most
    from errata.formats import Problems, display_path, find_input_format, read
    from errata.formats.lines import read_text

    if find_input_format(path) == "m2":
        return [sentence.tokens for sentence in read(path, max_tokens=max_tokens, warn=print_warning)]
    sentences = read_text(path, Problems(display_path(path)), max_tokens)
    if source is None:
        return list(sentences)
    return take_at_most(sentences, source[1], display_path(path), f"{pluralise(source[1], 'sentence')} of {display_path(source[0])}")


def cut_by_text(graphs: Sequence[Graph], text: str, what: str, max_tokens: int) -> tuple[Graph, ...]:
    """The graphs of the sentences of a text; units that have words in several are told of, and no graph may be left over."""
    from errata.errors import MismatchError
    from errata.formats import display_path
    from errata.language.graphs import count_divided_units, match_graphs

    matched = match_graphs(graphs, sentences_of(text, max_tokens), display_path(text))
    lengths: dict[str, list[int]] = {}
    for piece in matched:
        lengths.setdefault(piece.location, []).append(len(piece.tokens))
    unused = [graph for graph in graphs if graph.location not in lengths]
    if unused:
        raise MismatchError(
            f"{display_path(text)} is the text of {len(graphs) - len(unused):,} of the {pluralise(len(graphs), 'graph')} of {what}; "
            f"it has no sentence of {unused[0].name}"
        )
    cut = sum(count_divided_units(graph, own) for graph in graphs if sum(own := lengths[graph.location]) == len(graph.tokens))
    if cut:
        print_warning(f"{what}: {pluralise(cut, 'unit')} with words in several sentences, counted in each of them")
    return with_own_ids(matched)


def with_own_ids(graphs: Sequence[Graph]) -> tuple[Graph, ...]:
    """Graphs of sentences whose ids differ; one that stands for several sentences gets their numbers too."""
    given = {graph.id for graph in graphs}
    seen: set[str] = {""}
    renamed = []
    for number, graph in enumerate(graphs, start=1):
        name = graph.id
        if name in seen:
            name = f"{graph.id or 'empty'}-{number}"
            while name in given or name in seen:
                name += "-"
        seen.add(name)
        renamed.append(replace(graph, id=name))
    return tuple(renamed)


def parse_texts(parser: str, paths: Sequence[str], max_tokens: int, *, paired: bool = False) -> list[tuple[Graph, ...]]:
    """The graphs of texts, all parsed at once, with the numbers of sentences as their ids; if ``paired``, the first is the source."""
    from errata.formats import display_path
    from errata.language import GraphBank
    from errata.language.graphs import find_parser

    bank = GraphBank(parser=find_parser(parser))
    first = sentences_of(paths[0], max_tokens)
    source = (paths[0], len(first)) if paired else None
    texts = [first, *(sentences_of(path, max_tokens, source) for path in paths[1:])]
    _parse(bank, texts)
    parsed = (bank.find(text, display_path(path)) for text, path in zip(texts, paths, strict=True))
    return [tuple(replace(graph, id=str(number)) for number, graph in enumerate(graphs, start=1)) for graphs in parsed]
