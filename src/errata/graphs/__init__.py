"""Semantic graphs: one model, files, passages cut into sentences, and parsers."""

from typing import TYPE_CHECKING

from errata.lazy import offered

if TYPE_CHECKING:
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

if not TYPE_CHECKING:  # who checks types sees the imports above
    __getattr__, __dir__ = offered(
        __name__,
        {
            "bank": "GraphBank",
            "files": "GRAPH_FORMATS GraphFormat graph_losses guess_graph_format read_graphs write_graphs",
            "model": "Edge Graph Unit",
            "parsers": "CommandParser GraphParser find_parser",
            "passages": "cut joined",
        },
    )
