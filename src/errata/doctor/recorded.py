"""The example of the self-test and the numbers that were recorded for it; ``data/`` has both.

``numbers.json`` says for each number where it comes from.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError

if TYPE_CHECKING:
    from errata.corpus.corpus import Corpus, System
    from errata.corpus.parses import Parse
    from errata.language import GraphBank

DATA = Path(__file__).parent / "data"


class Example(NamedTuple):
    """A gold, and the output of a system with its own edits."""

    gold: Corpus
    system: System


@cache
def load_numbers() -> dict[str, Any]:
    """Read the recorded numbers."""
    try:
        numbers: dict[str, Any] = json.loads((DATA / "numbers.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RequestError(f"the recorded numbers cannot be read ({reason}): install errata again") from None
    return numbers


@cache
def load_example() -> Example:
    """Read the sentences with two annotators, and the output for them."""
    from errata.formats.reading import read, read_system

    return Example(read(DATA / "gold.m2"), read_system(DATA / "system.m2", name="system"))


@cache
def load_graph_example() -> tuple[Example, GraphBank]:
    """Read three sentences with semantic graphs, and an output."""
    from errata.corpus.corpus import Corpus, Sentence, System
    from errata.formats.graphs import read_graphs
    from errata.language import GraphBank

    sources, outputs = (tuple(read_graphs(DATA / name)) for name in ("source.mrp", "output.mrp"))
    gold = Corpus(tuple(Sentence(graph.tokens) for graph in sources), "graphs")
    return Example(gold, System("output", tuple(graph.tokens for graph in outputs))), GraphBank((*sources, *outputs))


def load_parses() -> list[Parse]:
    """Return the recorded parses."""
    from errata.corpus.parses import Parse

    return [
        Parse(tuple(one["forms"]), tuple(one["lemmas"]), tuple(one["pos"]), tuple(one["tags"]), tuple(one["heads"]), tuple(one["deps"]))
        for one in load_numbers()["parses"]["sentences"]
    ]
