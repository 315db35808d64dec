"""Semantic graphs: one model, files, passages cut into sentences, and parsers."""

from __future__ import annotations

from errata.graphs.bank import GraphBank
from errata.graphs.files import GRAPH_FORMATS, GraphFormat, graph_losses, guess_graph_format, read_graphs, write_graphs
from errata.graphs.model import Edge, Graph, Unit

__all__ = [
    "GRAPH_FORMATS",
    "Edge",
    "Graph",
    "GraphBank",
    "GraphFormat",
    "Unit",
    "graph_losses",
    "guess_graph_format",
    "read_graphs",
    "write_graphs",
]
