"""Measures intervals: references kept, references rechosen, and the core against its twin."""

from __future__ import annotations

import numpy as np

from errata import Bootstrap, Corpus, Evaluator, Evidence, System, _core, compute_intervals
from errata.core import python as python_core
from errata.metrics import Choose

from measuring import best_of


def main(corpus: Corpus, systems: list[System]) -> None:
    evaluate = Evaluator(corpus)
    evidence = [evaluate(system).evidence for system in systems]
    for item in evidence:
        assert item.chosen is not None
        assert len(item.chosen) == len(corpus)
    seconds = best_of(2, lambda: compute_intervals(evidence))
    again = best_of(1, lambda: compute_intervals(evidence, Bootstrap(choice="again")))
    what = f"BCa intervals, 10,000 replicates, {len(systems)} systems of {len(corpus):,} sentences"
    print(f"{what}: {seconds:.2f} s (target: at most 1 s), references rechosen {again:.1f} s (target: at most 10 s)")
    rechoosing_against_twin(evidence[0])


def rechoosing_against_twin(evidence: Evidence) -> None:
    assert isinstance(evidence.strategy, Choose)
    ratio = evidence.strategy.ratio
    pairs = np.array([ratio.of(row) for rows in evidence.rows for row in rows], dtype=np.int64)
    starts = np.cumsum([0, *map(len, evidence.rows)], dtype=np.int64)
    picked = np.random.default_rng(0).integers(0, len(evidence.rows), size=(500, len(evidence.rows)), dtype=np.int32)
    native, twin = (best_of(3, lambda core=core: core.rechoose(pairs, starts, picked, False)) for core in (_core, python_core))  # type: ignore[misc]
    speed = f"twin in NumPy {1e3 * twin:.0f} ms, native {1e3 * native:.0f} ms, {twin / native:.0f} times as fast"
    print(f"References rechosen in 500 replicates: {speed}\n")
