"""Measures the gate: false alarms over pairs without a difference, and whether the power that it states is true.

A pair without a difference: sentences are resampled from a test set, and each of its outputs, of two systems, goes to the baseline or to
the new output at random.  A pair with a known difference: the sentences of the pair are resampled, but the new output has the output of a
worse system in some sentences only, as many as give the difference; the truth is the difference in the whole test set.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from errata import Bootstrap, Corpus, Evaluator, Evidence, System, gate
from errata.stats import GatedMetric

from measuring import Row, show

PAIRS = 1_000
REPLICATES = 500
"""Fewer than in the command; p is exact for any number."""
METRICS = ("maxmatch", "gleu", "imeasure")
Draw = np.random.Generator
MakePair = Callable[[Draw], tuple[Evidence, Evidence]]


class Outcomes(NamedTuple):
    """Of all pairs: the shares that were significantly worse, and that passed with the margin, and the chance to pass that was stated."""

    worse: float
    passed: float
    chance: float


def pick(corpus: Corpus, name: str, rows: Evidence, other: Evidence, picked: np.ndarray, from_other: np.ndarray) -> Evidence:
    """Make the evidence of some sentences, some of them of another system."""
    chosen = [(other if swapped else rows, index) for index, swapped in zip(picked.tolist(), from_other.tolist(), strict=True)]
    counts = tuple(own.rows[index] for own, index in chosen)
    return Evidence(rows.metric, corpus, name, counts, tuple(own.labels[index] for own, index in chosen))


def without_difference(one: Evidence, other: Evidence) -> MakePair:
    """Make pairs whose outputs are exchanged at random."""

    def make(draw: Draw) -> tuple[Evidence, Evidence]:
        picked, swaps = draw.integers(0, one.size, size=one.size), draw.random(one.size) < 0.5
        corpus = Corpus(tuple(one.corpus[index] for index in picked))
        return pick(corpus, "baseline", one, other, picked, swaps), pick(corpus, "new", one, other, picked, ~swaps)

    return make


def with_difference(one: Evidence, other: Evidence, changed: np.ndarray) -> MakePair:
    """Make pairs whose new output is that of another system in the sentences that are changed."""

    def make(draw: Draw) -> tuple[Evidence, Evidence]:
        picked = draw.integers(0, one.size, size=one.size)
        corpus = Corpus(tuple(one.corpus[index] for index in picked))
        nowhere = np.zeros(one.size, dtype=bool)
        return pick(corpus, "baseline", one, other, picked, nowhere), pick(corpus, "new", one, other, picked, changed[picked])

    return make


def simulate(make: MakePair, pairs: int, drop: float) -> Outcomes:
    """Put pairs through the gate, without a margin and with one in points."""
    draw = np.random.default_rng(0)
    settings = [Bootstrap(replicates=REPLICATES, seed=number) for number in range(pairs)]
    results = [gate(*make(draw), drop=drop, bootstrap=own).metrics[0] for own in settings]
    return Outcomes(
        float(np.mean([result.is_significantly_worse for result in results])),
        float(np.mean([result.verdict == "holds" for result in results])),
        float(np.mean([result.chance_to_pass for result in results])),
    )


def find_noticed(better: Evidence, worse: Evidence) -> tuple[np.ndarray, GatedMetric]:
    """Find how many sentences must be changed so that the true drop is the one that is noticed with 80% power."""
    order = np.random.default_rng(1).permutation(better.size)
    fewest, most = 1, better.size
    while most - fewest > 1:
        middle = (fewest + most) // 2
        _, found = _change(better, worse, order[:middle])
        fewest, most = (fewest, middle) if -found.comparison.difference > (found.noticed_drop or 0.0) else (middle, most)
    return _change(better, worse, order[:most])


def _change(better: Evidence, worse: Evidence, where: np.ndarray) -> tuple[np.ndarray, GatedMetric]:
    changed = np.zeros(better.size, dtype=bool)
    changed[where] = True
    new = pick(better.corpus, "new", better, worse, np.arange(better.size), changed)
    return changed, gate(replace(better, system_name="baseline"), new, bootstrap=Bootstrap(replicates=2_000)).metrics[0]


def main(corpus: Corpus, systems: list[System], pairs: int = PAIRS) -> None:
    alarms: list[Row] = []
    powers: list[Row] = []
    for metric in METRICS:
        evaluate = Evaluator(corpus, metric)
        ranked = sorted((evaluate(system).evidence for system in systems), key=lambda item: -item.value)
        middle = len(ranked) // 2
        for one, other in dict.fromkeys(((ranked[0], ranked[1]), (ranked[middle - 1], ranked[middle]))):
            drop = 100 * (gate(one, other).metrics[0].noticed_drop or 1.0)
            found = simulate(without_difference(one, other), pairs, drop)
            names = f"{one.system_name}, {other.system_name}"
            alarms.append((metric, names, f"{found.worse:.1%}", f"{drop:.2f}", f"{found.chance:.1%}", f"{found.passed:.1%}"))
        changed, stated = find_noticed(ranked[0], ranked[-1])
        drop = -100 * stated.comparison.difference
        found = simulate(with_difference(ranked[0], ranked[-1], changed), pairs, drop)
        names = f"{ranked[0].system_name}, in {int(changed.sum()):,} sentences {ranked[-1].system_name}"
        powers.append((metric, names, f"{drop:.2f}", f"{found.worse:.1%}", f"{found.passed:.1%}"))
    show(
        f"The gate over {pairs:,} simulated pairs without a difference (target: at most 5% false alarms)",
        ["Metric", "Outputs of", "False alarms", "Margin (80% power)", "Stated chance to pass", "Passed"],
        alarms,
    )
    show(
        f"The gate over {pairs:,} simulated pairs with the drop that should be noticed with 80% power",
        ["Metric", "New output", "True drop", "Noticed", "Passed with this margin (target: at most 2.5%)"],
        powers,
    )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    from run import test_set

    main(*test_set()[:2], pairs=int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
