"""Fingerprints of graphs."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from errata.corpus.references import DIGITS
from errata.graphs.mrp import format_mrp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.corpus.graphs import Graph


def compute_graphs_fingerprint(graphs: Iterable[Graph]) -> str:
    """Compute the first digits of the SHA-256 of graphs in their order; ids do not count."""
    lines = format_mrp(replace(graph, id="") for graph in graphs)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
