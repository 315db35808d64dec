"""Judgments and metrics whose truth is known.

Systems have true qualities.  A judge adds Gumbel noise to those of the systems of an item and ranks them, so the chance that one system
beats another is logistic in the difference of their qualities, and true expected wins are means of such chances.  A metric is a ratio of
sums over sentences, whose counts scatter around the true values of systems, with an effect of the sentence that all systems share.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from errata.settings import Coefficient
from errata.studies.judgments.items import HumanJudgments, RankedOutput, RankingItem
from errata.studies.meta.scores import HumanScores, MetricScores, Replicates, score_by_people
from errata.studies.meta.systems import MetaIntervals, _SetIntervals

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RatioCounts:
    """What is needed of evidence here: for each sentence a numerator and a denominator."""

    matrix: Array

    def values(self, sums: Array) -> Array:
        """Divide sums."""
        quotients: Array = sums[:, 0] / sums[:, 1]
        return quotients


@dataclass(frozen=True)
class Setting:
    """How many systems and sentences there are, how much noise, and how metrics correlate with people."""

    systems: int = 12
    sentences: int = 300
    spread: float = 1.0
    """The standard deviation of qualities; the noise of judges has that of a Gumbel distribution."""
    noise: float = 1.0
    """The standard deviation of a metric on a sentence, if that of its true values is 1."""
    correlations: tuple[float, ...] = (0.65,)
    """Pearson's correlations of the true values of metrics with true expected wins."""
    between: float = 0.5
    """The correlation of what metrics do not share with people."""
    uneven: float = 0.0
    """How far the noise of a metric differs between systems: from 1 less this to 1 more this, times the noise."""


@dataclass(frozen=True)
class Simulated:
    """Scores that were observed, and true ones: of people, then of metrics (rows)."""

    human: HumanScores
    metrics: list[MetricScores]
    true: Array


def name_systems(count: int) -> list[str]:
    """Name systems, in the order of the alphabet."""
    return [f"s{number:02}" for number in range(count)]


def compute_chances(qualities: Array) -> Array:
    """Compute the chance that one system (row) beats another (column)."""
    chances: Array = expit(qualities[:, None] - qualities)
    return chances


def compute_true_wins(qualities: Array) -> Array:
    """Compute the true expected wins of systems."""
    wins: Array = (compute_chances(qualities).sum(axis=1) - 0.5) / (len(qualities) - 1)
    return wins


def draw_items(qualities: Array, sentences: int, random: np.random.Generator, judges: int = 1) -> list[RankingItem]:
    """Draw items of five systems, the same systems for all judges of a sentence."""
    names = name_systems(len(qualities))
    shown = np.argsort(random.random((sentences, len(qualities))), axis=1)[:, :5]
    found = []
    for judge in range(judges):
        order = np.argsort(-(qualities[shown] + random.gumbel(size=shown.shape)), axis=1)
        best_first = np.take_along_axis(shown, order, axis=1).tolist()
        for sentence, systems in enumerate(best_first):
            outputs = tuple(RankedOutput((names[system],), rank) for rank, system in enumerate(systems, 1))
            found.append(RankingItem(sentence, f"judge{judge}", outputs, None, "", 0))
    return found


def draw_judgments(qualities: Array, sentences: int, random: np.random.Generator) -> HumanJudgments:
    """Draw the judgments of one judge."""
    return HumanJudgments(tuple(draw_items(qualities, sentences, random)))


def draw_sentence_scores(true: Array, sentences: int, noise: Array | float, random: np.random.Generator) -> Array:
    """Draw the scores of systems (columns) on sentences (rows)."""
    own, shared = random.standard_normal((sentences, len(true))), random.standard_normal((sentences, 1))
    scores: Array = true + noise * own + np.mean(noise) * shared
    return scores


def draw_simulated(setting: Setting, random: np.random.Generator) -> Simulated:
    """Draw systems whose true values correlate exactly as the setting says, and what is observed of them."""
    qualities = setting.spread * random.standard_normal(setting.systems)
    people = compute_true_wins(qualities)
    basis = np.linalg.qr(np.column_stack([np.ones(setting.systems), people, random.standard_normal((setting.systems, 2))]))[0]
    axes = np.sqrt(setting.systems) * basis
    axes[:, 1] *= np.sign(axes[:, 1] @ people)
    shared = (axes[:, 2], setting.between * axes[:, 2] + np.sqrt(1 - setting.between**2) * axes[:, 3])
    names = name_systems(setting.systems)
    noise = setting.noise * np.linspace(1 - setting.uneven, 1 + setting.uneven, setting.systems)
    true, metrics = [people], []
    for number, correlation in enumerate(setting.correlations):
        true.append(correlation * axes[:, 1] + np.sqrt(1 - correlation**2) * shared[number])
        below = 1.0 + random.poisson(3.0, setting.sentences)
        above = below[:, None] * draw_sentence_scores(true[-1], setting.sentences, noise, random)
        evidence: Any = {name: RatioCounts(np.column_stack([above[:, index], below])) for index, name in enumerate(names)}
        values = {name: float(counts.values(counts.matrix.sum(axis=0)[None, :])[0]) for name, counts in evidence.items()}
        metrics.append(MetricScores(f"m{number}", values, evidence))
    items = draw_items(qualities, setting.sentences, random)
    human = score_by_people(items, {sentence: sentence for sentence in range(setting.sentences)})
    return Simulated(human, metrics, np.array(true))


def make_intervals(simulated: Simulated, settings: MetaIntervals) -> _SetIntervals:
    """Prepare intervals over sentences."""
    systems = list(simulated.human.values)
    counts: Any = simulated.metrics[0].evidence
    sentences = len(counts[systems[0]].matrix)
    replicates = Replicates.of(simulated.human, simulated.metrics, systems, sentences, settings.bootstrap)
    return _SetIntervals(replicates, range(len(systems)), settings)


def draw_normal(correlations: Array, systems: int, random: np.random.Generator) -> Array:
    """Draw scores of systems (columns) from a normal distribution with these correlations."""
    scores: Array = np.linalg.cholesky(correlations) @ random.standard_normal((len(correlations), systems))
    return scores


def compute_of_population(coefficient: Coefficient, correlation: float) -> float:
    """Compute a coefficient of a bivariate normal distribution."""
    if coefficient == "spearman":
        return float(6 / np.pi * np.arcsin(correlation / 2))
    return float(2 / np.pi * np.arcsin(correlation)) if coefficient == "kendall" else correlation


def compute_true_accuracy(qualities: Array, true: Array, noise: float) -> float:
    """Compute the chance that a metric and a judge prefer the same of two systems, over all pairs of systems."""
    agree = []
    for one, other in combinations(range(len(true)), 2):
        by_people = expit(qualities[one] - qualities[other])
        by_metric = ndtr((true[one] - true[other]) / (np.sqrt(2) * noise))
        agree.append(by_people * by_metric + (1 - by_people) * (1 - by_metric))
    return float(np.mean(agree))
