"""Semantic graphs: one model, files, passages cut into sentences, and parsers."""

from __future__ import annotations

from errata.graphs.bank import GraphBank
from errata.graphs.files import GRAPH_FORMATS, GraphFormat, graph_losses, guess_graph_format, read_graphs, write_graphs
from errata.graphs.model import Edge, Graph, Unit
from errata.graphs.parsers import CommandParser, GraphParser, find_parser
from errata.graphs.passages import cut, joined

__all__ = [
    "GRAPH_FORMATS",
    "CommandParser",
    "Edge",
    "Graph",
    "GraphBank",
    "GraphFormat",
    "GraphParser",
    "Unit",
    "cut",
    "find_parser",
    "graph_losses",
    "guess_graph_format",
    "joined",
    "read_graphs",
    "write_graphs",
]
