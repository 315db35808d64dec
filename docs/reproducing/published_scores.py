"""Published scores of metrics and people, and their correlations."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from errata.metrics.ratios import make_edit_ratios
from errata.studies.meta import HumanScores, MetricScores, SystemSet, read_scores
from errata.studies.meta.systems import _correlate_with_people

from reproducing.figures import require

if TYPE_CHECKING:
    from reproducing.public_data import PublicData

FOLDER = "expected/metaevaluation"
LEFT_OUT = {
    "base": {"INPUT", "REF-F", "GPT-3.5"},
    "+INPUT": {"REF-F", "GPT-3.5"},
    "+fluency": {"INPUT"},
    "all": set[str](),
    "all13": set[str](),
}
"""Systems that are left out of each set."""


@cache
def read_people(data: PublicData, name: str) -> HumanScores:
    """Read published scores of systems by people."""
    (scores,) = read_scores([f"{data.folder}/{FOLDER}/human.tsv:{name}"])
    return HumanScores.from_elsewhere(scores)


@cache
def read_metrics(data: PublicData, benchmark: str) -> dict[str, MetricScores]:
    """Read published scores of systems by metrics."""
    path = data.folder / FOLDER / "published_scores.tsv"
    return {scores.name: MetricScores.from_elsewhere(scores) for scores in read_scores([f"{path}:{benchmark} *"])}


def score_from_shares(data: PublicData, beta: str) -> MetricScores:
    """Compute F from the published P and R."""
    known = read_metrics(data, "GJG15")
    precision, recall = (known[f"GJG15 M2 {name}"].values for name in ("precision", "recall"))
    ratios = make_edit_ratios(float(beta))
    (above, _, _), (_, wrong, missed) = ratios.f.numerator, ratios.f.denominator
    values = {}
    for name, p in precision.items():
        below = missed * p + wrong * recall[name]
        values[name] = above * p * recall[name] / below if below else 0.0
    return MetricScores("M2", values)


def correlate(people: HumanScores, metric: MetricScores, left_out: set[str]) -> tuple[float, float]:
    """Compute Pearson's r and Spearman's rho."""
    systems = tuple(name for name in people.values if name not in left_out)
    found = {own.coefficient: own.value for own in _correlate_with_people(people, [metric], SystemSet("", systems))}
    return require(found["pearson"]), require(found["spearman"])
