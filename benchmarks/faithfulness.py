"""Measures UCCASIM: many pairs of sentences, growth with the words of a passage, and against its definition written out."""

from __future__ import annotations

import random
import sys
import time
from itertools import pairwise
from pathlib import Path

from errata import _core
from errata.core import python as python_core
from errata.language import Edge, Graph, Unit
from errata.metrics.meaning import _WordAlignment
from errata.studies import UccaSimSettings, align_graphs

from measuring import Row, best_of, lightly_edited, show

_PAIRS, _WORDS = 10_000, 25


def made(tokens: tuple[str, ...], draw: random.Random) -> Graph:
    """A random tree over words, with two to four units in a unit, about as many as people annotate."""
    units, edges = [Unit("0")], []
    waiting = [(0, 0, len(tokens))]
    while waiting:
        parent, start, end = waiting.pop()
        parts = min(end - start, draw.randint(2, 4))
        bounds = [start, *sorted(draw.sample(range(start + 1, end), parts - 1)), end] if parts > 1 else [start, end]
        for low, high in pairwise(bounds):
            edges.append(Edge(parent, len(units), (draw.choice("ACDEHPS"),)))
            units.append(Unit(str(len(units)), (low,) if high - low == 1 else ()))
            if high - low > 1:
                waiting.append((len(units) - 1, low, high))
    return Graph("1", tokens, tuple(units), tuple(edges))


def pairs(count: int, words: int, seed: int = 0) -> list[tuple[Graph, Graph]]:
    draw = random.Random(seed)
    known = ["".join(draw.choice("aeioubcdfgklmnprst") for _ in range(draw.randint(2, 9))) for _ in range(5_000)]
    found = []
    for _ in range(count):
        source = tuple(draw.choice(known) for _ in range(words))
        found.append((made(source, draw), made(lightly_edited(source, known, draw) or source, draw)))
    return found


def seconds_of(graphs: list[tuple[Graph, Graph]], settings: UccaSimSettings) -> float:
    """Once, for graphs remember their yields."""
    started = time.perf_counter()
    for source, correction in graphs:
        align_graphs(source, correction, settings)
    return time.perf_counter() - started


def main() -> None:
    align_graphs(*pairs(1, _WORDS)[0])  # imports
    ways: tuple[_WordAlignment, ...] = ("assignment", "monotone")
    rows: list[Row] = [(words, f"{seconds_of(pairs(_PAIRS, _WORDS), UccaSimSettings(word_alignment=words)):.1f} s") for words in ways]
    show(
        f"UCCASIM of {_PAIRS:,} pairs of sentences of {_WORDS} words (target: at most 10 s on one core)",
        ["Words aligned by", "time"],
        rows,
    )
    rows = []
    for size in (125, 250, 500, 1_000, 2_000):
        times = [seconds_of(pairs(1, size, seed=size), UccaSimSettings(word_alignment=words)) for words in ways]
        rows.append((f"{size:,}", *(f"{1e3 * seconds:.0f} ms" for seconds in times)))
    show("... of one pair of passages, with more and more words", ["Words", "assignment", "monotone"], rows)
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    from uccasim_rule import written_out

    few = pairs(20, _WORDS, seed=1)
    slow = best_of(1, lambda: [written_out(source, correction, UccaSimSettings()) for source, correction in few])
    fast = best_of(3, lambda: [align_graphs(source, correction) for source, correction in few])
    print(f"Its definition written out takes {slow / fast:.0f} times as long.\n")
    cases = [
        (source.yields, correction.yields, [(place, place) for place in range(_WORDS)]) for source, correction in pairs(200, _WORDS, seed=2)
    ]
    native, twin = (best_of(3, lambda core=core: [core.find_best_matches(*case, False) for case in cases]) for core in (_core, python_core))  # type: ignore[misc]
    print(f"Best matches of units: twin {1e3 * twin:.0f} ms, native {1e3 * native:.0f} ms, {twin / native:.0f} times as fast\n")
