"""Pairs of outputs whose true difference is known, to try the gate.

A pair without a difference: sentences are resampled from a test set, and each of its outputs, of two systems, goes to the baseline or to
the new output at random.  A pair with a difference: sentences are resampled from two outputs, made so that the difference in the whole
test set, which is the truth, is the one that should be noticed with 80% power.
"""

from __future__ import annotations

from collections.abc import Callable
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


def with_difference(baseline: Evidence, new: Evidence) -> MakePair:
    """Make pairs that have the difference of two outputs."""

    def make(draw: Draw) -> tuple[Evidence, Evidence]:
        picked, own = draw.integers(0, new.size, size=new.size), np.zeros(new.size, dtype=bool)
        corpus = Corpus(tuple(new.corpus[index] for index in picked))
        return pick(corpus, "baseline", baseline, new, picked, own), pick(corpus, "new", new, baseline, picked, own)

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


Mixture = Callable[[Evidence, Evidence, np.ndarray, int], tuple[Evidence, Evidence]]
"""Makes a baseline and a new output of a better and a worse system; the drop grows with a number up to that of sentences."""


def replace_some(better: Evidence, worse: Evidence, order: np.ndarray, number: int) -> tuple[Evidence, Evidence]:
    """The new output is that of the worse system in some sentences, so that few of them differ, most for the worse."""
    everywhere = np.arange(better.size)
    return (
        pick(better.corpus, "baseline", better, worse, everywhere, order < 0),
        pick(better.corpus, "new", better, worse, everywhere, order < number),
    )


def exchange_some(better: Evidence, worse: Evidence, order: np.ndarray, number: int) -> tuple[Evidence, Evidence]:
    """Both systems are exchanged in some sentences, up to half of them, so that many differ, for the better and for the worse."""
    everywhere, exchanged = np.arange(better.size), order < (better.size - number) // 2
    return (
        pick(better.corpus, "baseline", better, worse, everywhere, exchanged),
        pick(better.corpus, "new", better, worse, everywhere, ~exchanged),
    )


def find_noticed(better: Evidence, worse: Evidence, mix: Mixture) -> tuple[MakePair, GatedMetric]:
    """Find a pair whose drop is the one that should be noticed with 80% power."""
    order = np.random.default_rng(1).permutation(better.size)
    fewest, most = 1, better.size
    while most - fewest > 1:
        middle = (fewest + most) // 2
        found = _try(*mix(better, worse, order, middle))
        fewest, most = (fewest, middle) if -found.comparison.difference > (found.noticed_drop or np.inf) else (middle, most)
    pair = mix(better, worse, order, most)
    return with_difference(*pair), _try(*pair)


def _try(baseline: Evidence, new: Evidence) -> GatedMetric:
    return gate(baseline, new, bootstrap=Bootstrap(replicates=2_000)).metrics[0]
