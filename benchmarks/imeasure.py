"""Measures I-measure: a system of a test set, the share of cells that is visited, and growth with every dimension."""

from __future__ import annotations

import os
import random
import sys
import time
from math import prod
from pathlib import Path
from statistics import median

from errata import Corpus, System, _core, read
from errata.core import python as python_core
from errata.corpus.alternatives import group_errors
from errata.metrics.imeasure import IMeasure, _list_single_references

from measuring import Row, best_of, lightly_edited, show

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from ten_annotators import make_ten_annotators  # noqa: E402 - tests are not installed

DATA = Path(os.environ.get("ERRATA_DATA", ROOT.parent / "shared" / "data"))
Tokens = tuple[str, ...]
WORDS = [f"w{number}" for number in range(500)]


def main(corpus: Corpus, systems: list[System]) -> None:
    whole_systems(corpus, systems)
    cells_visited(corpus, systems)
    native_against_twin()
    growth_with_length()
    growth_with_alternatives()
    growth_with_annotators(systems)


def whole_systems(corpus: Corpus, systems: list[System]) -> None:
    """All that a system takes once the gold is read, and what reading the gold takes."""
    golds = {"single": (IMeasure(references="single"), corpus), "mixed": (IMeasure(), corpus)}
    alternatives = DATA / "conll14" / "gold" / "official-2014.combined-withalt.m2"
    if alternatives.is_file():
        golds["mixed, with alternative answers"] = (IMeasure(), read(alternatives))
    scorers, prepared = {}, []
    for name, (metric, gold) in golds.items():
        started = time.perf_counter()
        scorers[name] = metric.scorer(gold)
        prepared.append(f"{time.perf_counter() - started:.2f} s")
    rows: list[Row] = [("(gold, once)", *prepared)]
    for system in systems:
        row = [system.name]
        for scorer in scorers.values():
            started = time.perf_counter()
            found = scorer.prepare(list(system.sentences)).rows(0, len(system))
            seconds = time.perf_counter() - started
            row.append(f"{seconds:.2f} s, {sum(rows[0][-2] for rows in found):,} of {len(found):,} certified")
        rows.append(tuple(row))
    show("I-measure of a system (target: at most 0.3 s single, 2 s mixed, 99% certified)", ["System", *golds], rows)


def cells_visited(corpus: Corpus, systems: list[System]) -> None:
    rows: list[Row] = []
    for system in systems[:: max(1, len(systems) // 4)]:
        visited = cells = 0
        for sentence, hypothesis in zip(corpus, system.sentences, strict=True):
            for reference in _list_single_references(sentence):
                _, here, there = _core.align_three_way(sentence.tokens, hypothesis, reference, 2, 3)
                visited += here
                cells += there
        rows.append((system.name, f"{cells:,}", f"{visited:,}", f"{100 * visited / cells:.1f}%"))
    show("Cells of all three-way alignments with single references", ["System", "Cells", "Visited", "Share"], rows)


def errors_apart(count: int, alternatives: int, seed: int = 1) -> tuple[Tokens, Tokens, tuple[tuple[int, int, tuple[Tokens, ...]], ...]]:
    """A sentence with an error every fifth word, and a system that corrects some of them and breaks other words."""
    draw = random.Random(seed)
    source = tuple(draw.choice(WORDS) for _ in range(5 * count))
    sites = tuple((5 * number, 5 * number + 1, tuple((f"x{number}.{place}",) for place in range(alternatives))) for number in range(count))
    corrected = [f"x{place // 5}.0" if place % 10 == 0 else word for place, word in enumerate(source)]
    return source, lightly_edited(tuple(corrected), WORDS, draw), sites


def native_against_twin() -> None:
    rows: list[Row] = []
    for count, alternatives in ((2, 2), (3, 3)):
        source, hypothesis, sites = errors_apart(count, alternatives)
        sentences = [(source, sites)]
        native, twin = (core.MixedReferences(sentences, 2, 3, True, 4096) for core in (_core, python_core))
        assert native.blocks(0, [hypothesis]) == twin.blocks(0, [hypothesis])
        fast, slow = (best_of(3, lambda core=core, h=hypothesis: core.blocks(0, [h])) for core in (native, twin))  # type: ignore[misc]
        rows.append((len(source), alternatives**count, f"{slow / fast:,.0f}"))
    show("Blocks, times faster than the plain-Python twin (same counts)", ["Tokens", "References", "Ratio"], rows)


def growth_with_length() -> None:
    rows: list[Row] = []
    before = 0.0
    for length in (25, 50, 100, 200, 300):
        draw = random.Random(1)
        source = tuple(draw.choice(WORDS) for _ in range(length))
        hypothesis = lightly_edited(source, WORDS, draw)
        reference = tuple(word for place, word in enumerate(source) if place % 9)
        seconds = best_of(3, lambda a=source, b=hypothesis, c=reference: _core.count_three_way(a, b, (c,), 2, 3))  # type: ignore[misc]
        _, visited, cells = _core.align_three_way(source, hypothesis, reference, 2, 3)
        factor = f"×{seconds / before:.1f}" if before else ""
        rows.append((length, f"{1e3 * seconds:.2f} ms", factor, f"{100 * visited / cells:.2f}%"))
        before = seconds
    show("Growth of a three-way alignment with sentence length", ["Tokens", "Time", "Growth", "Cells visited"], rows)


def growth_with_alternatives() -> None:
    rows: list[Row] = []
    for count in (5, 10, 20, 40):
        row: list[str | int] = [count]
        for alternatives in (2, 4, 8):
            source, hypothesis, sites = errors_apart(count, alternatives)
            core = _core.MixedReferences([(source, sites)], 2, 3, True, 4096)
            seconds = best_of(3, lambda core=core, h=hypothesis: core.blocks(0, [h]))  # type: ignore[misc]
            blocks = core.blocks(0, [hypothesis])[0]
            row.append(f"{alternatives}^{count} references: {1e3 * seconds:.1f} ms, {len(blocks)} blocks")
        rows.append(tuple(row))
    show("Mixed references of a sentence of five words an error", ["Errors", "2 alternatives", "4 alternatives", "8 alternatives"], rows)


def growth_with_annotators(systems: list[System]) -> None:
    """Annotators of the same sentences, people and others made from them; ratios are to two annotators."""
    if not (DATA / "conll14" / "annotators").is_dir():
        return
    rows: list[Row] = []
    first: list[float] = []
    for annotators in (2, 4, 6, 8, 10):
        gold = make_ten_annotators(DATA, annotators=annotators)
        references = [prod(map(len, group_errors(sentence))) for sentence in gold]
        started = time.process_time()
        scorer = IMeasure().scorer(gold)
        times, certified = [time.process_time() - started], []
        for system in systems:
            started = time.process_time()
            found = scorer.prepare(list(system.sentences)).rows(0, len(system))
            times.append(time.process_time() - started)
            certified.append(sum(own[0][-2] for own in found) / len(found))
        first = first or times
        prepared, typical, slowest = times[0] / first[0], median(times[1:]) / median(first[1:]), max(times[1:]) / max(first[1:])
        many = f"{100 * sum(count > 1000 for count in references) / len(references):.0f}%"
        rows.append((annotators, many, f"×{prepared:.1f}", f"×{typical:.1f}", f"×{slowest:.1f}", f"{100 * min(certified):.2f}%"))
    title = "Growth of mixed references with annotators (target: at least 99% certified)"
    show(title, ["Annotators", "More than 1,000 references", "Gold, once", "Median system", "Slowest system", "Least certified"], rows)
