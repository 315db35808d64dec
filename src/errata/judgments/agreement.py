"""How far judges agree with each other and with themselves, on pairs of outputs.

Two judgments are compared if they are about the same two outputs of the same sentence.  Kappa is (observed - chance) / (1 - chance),
where chance is the sum of the squared shares of the three outcomes (better, tied, worse) among the judgments compared, as in the
campaigns of WMT and in Grundkiewicz et al. (2015), Section 4.  Alpha is Krippendorff's, over all judges at once; ``nominal`` counts
every disagreement alike, ``interval`` counts opposite outcomes four times as much as a tie against a preference.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from errata.judgments.pairs import list_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from errata.judgments.items import RankingItem

FEWEST_COMPARISONS = 50
"""Pairs of judges with fewer comparisons are left out of means."""


class JudgeAgreement(NamedTuple):
    """How far two judges agree, or a judge with itself if both names are the same."""

    judge: str
    other: str
    comparisons: int
    agreeing: int
    kappa: float | None
    """None if all outcomes are the same, or nothing was compared."""

    @property
    def is_within(self) -> bool:
        """Whether a judge is compared with itself."""
        return self.judge == self.other

    @property
    def counts(self) -> bool:
        """Whether there are enough comparisons for a mean."""
        return self.kappa is not None and self.comparisons >= FEWEST_COMPARISONS


@dataclass(frozen=True)
class HumanAgreement:
    """The agreement of all judges."""

    pairs: tuple[JudgeAgreement, ...]
    alpha_nominal: float | None
    alpha_interval: float | None

    @property
    def between(self) -> float | None:
        """The mean kappa of two judges, weighted by their comparisons."""
        return _mean([pair for pair in self.pairs if not pair.is_within])

    @property
    def within(self) -> float | None:
        """The mean kappa of a judge with itself, weighted by comparisons."""
        return _mean([pair for pair in self.pairs if pair.is_within])

    def with_others(self, judge: str) -> float | None:
        """Compute the mean kappa of a judge with the others, weighted by comparisons."""
        return _mean([pair for pair in self.pairs if not pair.is_within and judge in pair[:2]])

    @property
    def outliers(self) -> tuple[str, ...]:
        """The judges who agree with no other judge better than chance."""
        kappas: dict[str, list[float]] = defaultdict(list)
        for pair in self.pairs:
            if pair.counts and pair.kappa is not None and not pair.is_within:
                kappas[pair.judge].append(pair.kappa)
                kappas[pair.other].append(pair.kappa)
        return tuple(sorted(judge for judge, own in kappas.items() if max(own) <= 0))


def measure_human_agreement(items: Iterable[RankingItem]) -> HumanAgreement:
    """Measure the agreement of judges on collapsed pairs; items that a judge ranked again say how far it agrees with itself."""
    outcomes: dict[tuple[int, str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    judges: set[str] = set()
    for item in items:
        judges.add(item.judge)
        for pair in list_pairs(item, "collapsed"):
            outcomes[pair.sentence, pair.first, pair.second][pair.judge].append(pair.outcome)
    compared: Counter[tuple[str, str]] = Counter()
    agreeing: Counter[tuple[str, str]] = Counter()
    concerned: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for by_judge in outcomes.values():
        for judge, own in by_judge.items():
            if len(own) > 1:
                key = (judge, judge)
                compared[key] += len(own) * (len(own) - 1) // 2
                agreeing[key] += sum(one == other for one, other in combinations(own, 2))
                concerned[key].update(own)
        for judge, other in combinations(sorted(by_judge), 2):
            key = (judge, other)
            compared[key] += len(by_judge[judge]) * len(by_judge[other])
            agreeing[key] += sum(by_judge[other].count(outcome) for outcome in by_judge[judge])
            concerned[key].update(by_judge[judge] + by_judge[other])
    names = sorted(judges)
    keys = [*((name, name) for name in names), *combinations(names, 2)]
    pairs = [JudgeAgreement(*key, compared[key], agreeing[key], _kappa(compared[key], agreeing[key], concerned[key])) for key in keys]
    first = [[own[0] for own in by_judge.values()] for by_judge in outcomes.values()]
    nominal = compute_alpha(first, lambda one, other: one != other)
    return HumanAgreement(tuple(pairs), nominal, compute_alpha(first, lambda one, other: (one - other) ** 2))


def compute_alpha(units: Sequence[Sequence[int]], distance: Callable[[int, int], float]) -> float | None:
    """Compute Krippendorff's alpha of values that were given to units; None if no unit has two values, or all values are the same.

    >>> compute_alpha([[1, 1], [0, 0], [1, 0]], lambda one, other: one != other)
    0.444...
    """
    coincidences: Counter[tuple[int, int]] = Counter()
    for values in units:
        counts = Counter(values)
        for one, times in counts.items():
            for other, others in counts.items():
                together = times * (others - (one == other))
                if together:
                    coincidences[one, other] += together / (len(values) - 1)  # type: ignore[assignment]  # a count of pairs, weighted
    totals: Counter[int] = Counter()
    for (one, _), count in coincidences.items():
        totals[one] += count
    total = sum(totals.values())
    observed = sum(count * distance(*key) for key, count in coincidences.items())
    expected = sum(count * others * distance(one, other) for one, count in totals.items() for other, others in totals.items())
    return 1 - (total - 1) * observed / expected if expected else None


def _kappa(comparisons: int, agreeing: int, outcomes: Mapping[int, int]) -> float | None:
    total = sum(outcomes.values())
    chance = sum((count / total) ** 2 for count in outcomes.values()) if total else 1.0
    return (agreeing / comparisons - chance) / (1 - chance) if chance < 1 else None


def _mean(pairs: Sequence[JudgeAgreement]) -> float | None:
    kept = [(pair.kappa, pair.comparisons) for pair in pairs if pair.counts and pair.kappa is not None]
    return sum(kappa * weight for kappa, weight in kept) / sum(weight for _, weight in kept) if kept else None
