"""Pairs of outputs whose true difference is known, to try the gate.

A pair without a difference: sentences are resampled from a test set, and each of its outputs, of two systems, goes to the baseline or to
the new output at random.  A pair with a difference: sentences are resampled too, and the new output has that of a worse system in some of
them; the truth is the difference in the whole test set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from errata import Bootstrap, Corpus, Evidence, gate
from errata.stats import GatedMetric

REPLICATES = 500
"""Fewer than in the command; p is exact for any number."""
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
        fewest, most = (fewest, middle) if -found.comparison.difference > (found.noticed_drop or np.inf) else (middle, most)
    return _change(better, worse, order[:most])


def _change(better: Evidence, worse: Evidence, where: np.ndarray) -> tuple[np.ndarray, GatedMetric]:
    changed = np.zeros(better.size, dtype=bool)
    changed[where] = True
    new = pick(better.corpus, "new", better, worse, np.arange(better.size), changed)
    return changed, gate(replace(better, system_name="baseline"), new, bootstrap=Bootstrap(replicates=2_000)).metrics[0]
