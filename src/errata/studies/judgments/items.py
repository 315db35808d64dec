"""Ranking items, the outputs they are about, the pairs that they decide, and how far judges agree."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice, pairwise, permutations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from errata.errors import MismatchError, RequestError, UsageError, pluralise, suggest
from errata.formats.problems import warn_in_python

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.settings import PairKind


class RankedOutput(NamedTuple):
    """An output with the systems that wrote it, and its rank; 1 is best."""

    systems: tuple[str, ...]
    rank: int


class RankingItem(NamedTuple):
    """Outputs of one sentence as one judge ranked them; outputs with the same rank are tied."""

    sentence: int
    """The number of the sentence, as the file counts."""
    judge: str
    outputs: tuple[RankedOutput, ...]
    seconds: float | None
    """How long the judge took, if the file says so."""
    path: str
    line: int


@dataclass(frozen=True)
class HumanJudgments:
    """Ranking items of one or several files; what was skipped by a judge, or has no outputs, is counted."""

    items: tuple[RankingItem, ...]
    skipped: int = 0
    """Items that judges skipped."""
    empty: int = 0
    """Items without a ranking that are not marked as skipped."""
    single: int = 0
    """Items with one output, which give no pair; they are among the items."""

    def __repr__(self) -> str:
        return f"<HumanJudgments: {len(self.items):,} items, {len(self.systems)} systems, {len(self.judges)} judges>"

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The names of all systems, sorted."""
        return tuple(sorted({name for item in self.items for output in item.outputs for name in output.systems}))

    @cached_property
    def judges(self) -> tuple[str, ...]:
        """The names of all judges, sorted."""
        return tuple(sorted({item.judge for item in self.items}))

    @cached_property
    def sentences(self) -> tuple[int, ...]:
        """The numbers of all sentences, as the files count, sorted."""
        return tuple(sorted({item.sentence for item in self.items}))


def choose_judgments(judgments: HumanJudgments, judges: Sequence[str] = (), leave_out: Sequence[str] = ()) -> HumanJudgments:
    """Keep the items of some judges (without ``judges``, of all), and leave out systems or judges by their names.

    A system that is left out is an opponent no more, and what is left of an item is ranked as before; items of which nothing is left are
    dropped.  Skipped items and items without a ranking stay counted, as files do not say for each which systems were shown.
    """
    _check(judges, judgments.judges, "judge")
    _check(leave_out, [*judgments.systems, *judgments.judges], "system or judge")
    kept = [item for item in judgments.items if (not judges or item.judge in judges) and item.judge not in leave_out]
    systems = set(leave_out)
    items = tuple(part for item in kept if (part := _leave_out(item, systems)).outputs)
    if not items:
        raise RequestError("no judgment is left: all judges or all systems were left out")
    return replace(judgments, items=items, single=sum(len(item.outputs) == 1 for item in items))


def _leave_out(item: RankingItem, systems: Collection[str]) -> RankingItem:
    outputs = [output._replace(systems=tuple(name for name in output.systems if name not in systems)) for output in item.outputs]
    return item._replace(outputs=tuple(output for output in outputs if output.systems))


def _check(names: Sequence[str], known: Sequence[str], what: str) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"there is no {what} {name!r} in the judgments; there are {', '.join(known)}{suggest(name, known)}")


# Judgments and the outputs they are about: how sentences are numbered, and outputs that are identical.  Systems that an item joins wrote
# the same output, so at the right number of the first sentence their texts are equal.

_FIRST_NUMBERS = (0, 1)


class Numbering(NamedTuple):
    """From what number sentences are counted, and what this was found from."""

    first: int | None
    """0 or 1; None if it cannot be found out."""
    compared: int
    """Neighbours among joined systems whose outputs are known."""
    equal: tuple[int, int]
    """How many of them have equal outputs if sentences are counted from 0, and from 1."""


@dataclass(frozen=True)
class FittedJudgments:
    """Judgments whose identical outputs are joined."""

    judgments: HumanJudgments
    joined: int
    """Outputs that were joined with another of the same item, because text and rank are the same."""
    contradicting: int
    """Pairs of identical outputs in one item with different ranks; they stay apart."""
    different: int
    """Joined systems whose outputs differ from the first of them; they stay joined."""


def _find_numbering(judgments: HumanJudgments, outputs: Mapping[str, Sequence[str]]) -> Numbering:
    """Find out whether sentences are counted from 0 or 1: joined systems have equal outputs."""
    equal: Counter[int] = Counter()
    compared = 0
    for item in judgments.items:
        for output in item.outputs:
            known = [outputs[name] for name in output.systems if name in outputs]
            for one, other in pairwise(known):
                compared += 1
                for first in _FIRST_NUMBERS:
                    index = item.sentence - first
                    equal[first] += 0 <= index < len(one) and one[index] == other[index]
    best = max(_FIRST_NUMBERS, key=lambda first: equal[first])
    sure = equal[best] > sum(equal.values()) - equal[best]
    return Numbering(best if sure else None, compared, (equal[0], equal[1]))


def number_sentences(
    judgments: HumanJudgments,
    outputs: Mapping[str, Sequence[str]],
    chosen: HumanJudgments | None = None,
    *,
    first: int | None = None,
    refuse_unmatched: bool = False,
    all_outputs: bool = True,
    warn: Callable[[str], None] = warn_in_python,
) -> Numbering:
    """Find out how judgments number the sentences of outputs, or take ``first``; ``warn`` is told what does not fit together.

    Systems that only have judgments, or only an output, are listed in warnings, or refused; ``chosen`` are the judgments that are used, if
    these are not all.  Without ``all_outputs``, joined outputs are expected to differ, as most sentences have none.
    """
    judged = (chosen or judgments).systems
    unused = set(judgments.systems).difference(judged)
    _match_systems(judged, [name for name in outputs if name not in unused], warn, refuse=refuse_unmatched)
    numbering = _find_numbering(judgments, outputs)
    first = numbering.first if first is None else first
    if first is None:
        equal = f"{numbering.equal[0]:,} are equal if sentences are counted from 0, {numbering.equal[1]:,} from 1"
        compared = f"of {numbering.compared:,} joined outputs, {equal}"
        raise UsageError(f"outputs do not show how sentences are numbered: {compared}; --first-sentence says it")
    different = numbering.compared - numbering.equal[first]
    if different and all_outputs:
        about = f"{different:,} of {numbering.compared:,} outputs that judgments join differ"
        warn(f"{about}, if sentences are counted from {first}: they may not be the outputs that were judged")
    return numbering._replace(first=first)


def _match_systems(judged: Sequence[str], given: Sequence[str], warn: Callable[[str], None], *, refuse: bool) -> None:
    without = [f"{name}{suggest(name, [other for other in given if other not in judged])}" for name in judged if name not in given]
    unjudged = [name for name in given if name not in judged]
    if len(without) == len(judged):
        raise MismatchError(f"no system has an output and judgments; judged: {', '.join(without)}; outputs: {', '.join(unjudged)}")
    messages = []
    if without:
        messages.append(f"{pluralise(len(without), 'system')} with judgments but without an output: {', '.join(without)}")
    if unjudged:
        messages.append(f"{pluralise(len(unjudged), 'output')} without judgments: {', '.join(unjudged)}")
    if messages and refuse:
        raise MismatchError("; ".join(messages))
    for message in messages:
        warn(message)


def join_identical(judgments: HumanJudgments, outputs: Mapping[str, Sequence[str]], first: int) -> FittedJudgments:
    """Join outputs of an item that have the same text and rank; systems without an output stay as they are."""
    length = min(map(len, outputs.values()))
    last = length - 1 + first
    for item in judgments.items:
        if not first <= item.sentence <= last:
            about = f"sentences are counted from {first}, and the outputs have {pluralise(length, 'sentence')}"
            raise MismatchError(f"{item.path}:{item.line}: there is no sentence {item.sentence}: {about}")
    counts: Counter[str] = Counter()
    items = tuple(_join_item(item, outputs, first, counts) for item in judgments.items)
    joined = replace(judgments, items=items, single=sum(len(item.outputs) == 1 for item in items))
    return FittedJudgments(joined, counts["joined"], counts["contradicting"], counts["different"])


def _join_item(item: RankingItem, outputs: Mapping[str, Sequence[str]], first: int, counts: Counter[str]) -> RankingItem:
    kept: list[RankedOutput] = []
    by_text: dict[tuple[str, int], int] = {}
    ranks: dict[str, set[int]] = {}
    for output in item.outputs:
        texts = [outputs[name][item.sentence - first] for name in output.systems if name in outputs]
        counts["different"] += sum(text != texts[0] for text in texts[1:])
        if not texts:
            kept.append(output)
            continue
        counts["contradicting"] += len(ranks.setdefault(texts[0], set()) - {output.rank})
        ranks[texts[0]].add(output.rank)
        key = (texts[0], output.rank)
        if key in by_text:
            before = kept[by_text[key]]
            kept[by_text[key]] = RankedOutput((*before.systems, *output.systems), output.rank)
            counts["joined"] += 1
        else:
            by_text[key] = len(kept)
            kept.append(output)
    return item._replace(outputs=tuple(kept))


class JudgedPair(NamedTuple):
    """Two outputs or systems in the order of the alphabet: 1 if the first is better, -1 if the second is, 0 for a tie."""

    sentence: int
    judge: str
    first: str
    second: str
    outcome: int


class PairCounts(NamedTuple):
    """How many pairs there are, and how many of them are ties."""

    pairs: int
    ties: int


def list_pairs(item: RankingItem, kind: PairKind) -> Iterator[JudgedPair]:
    """List the pairs of an item; outputs are named by their systems, as the file joins them."""
    if kind == "collapsed":
        named = [(",".join(output.systems), output.rank) for output in item.outputs]
    else:
        named = [(name, output.rank) for output in item.outputs for name in output.systems]
    for (one, rank), (other, other_rank) in combinations(named, 2):
        outcome = (rank < other_rank) - (rank > other_rank)
        if one <= other:
            yield JudgedPair(item.sentence, item.judge, one, other, outcome)
        else:
            yield JudgedPair(item.sentence, item.judge, other, one, -outcome)


def count_judged_pairs(items: Iterable[RankingItem], kind: PairKind) -> PairCounts:
    """Count the pairs of items, and how many of them are ties."""
    outcomes = [pair.outcome for item in items for pair in list_pairs(item, kind)]
    return PairCounts(len(outcomes), outcomes.count(0))


# Wins of systems against each other: a matrix, and expected wins.  Expected wins of a system are the mean, over its opponents, of its share
# of the pairs that were not tied (Bojar et al. 2013).

Opponents = Literal["decided", "won"]
"""Over which opponents the mean of expected wins is: all with a pair that was not tied, or only those that the system beat once.

The second is how Grundkiewicz et al. (2015) score systems by single judges.
"""


@dataclass(frozen=True)
class WinCounts:
    """How often each system (row) was ranked above each other (column), and how often both were tied, over expanded pairs."""

    systems: tuple[str, ...]
    wins: tuple[tuple[int, ...], ...]
    ties: tuple[tuple[int, ...], ...]

    def share(self, one: int, other: int) -> float | None:
        """Compute the share of wins of a system among the pairs with another that were not tied; None without such pairs."""
        decided = self.wins[one][other] + self.wins[other][one]
        return self.wins[one][other] / decided if decided else None

    def list_cycles(self) -> list[tuple[str, str, str]]:
        """List triples of systems that beat each other in a circle: the first the second, the second the third, the third the first."""

        def beats(one: int, other: int) -> bool:
            return self.wins[one][other] > self.wins[other][one]

        found = []
        for triple in combinations(range(len(self.systems)), 3):
            for one, other, third in islice(permutations(triple), 2):  # the two directions of a circle, from the first name
                if beats(one, other) and beats(other, third) and beats(third, one):
                    found.append((self.systems[one], self.systems[other], self.systems[third]))
        return found


def count_wins(items: Iterable[RankingItem], systems: Sequence[str]) -> WinCounts:
    """Count wins and ties of systems."""
    wins, ties = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for item in items:
        for pair in list_pairs(item, "expanded"):
            if pair.outcome == 0:
                ties[pair.first, pair.second] += 1
                ties[pair.second, pair.first] += 1
            elif pair.outcome > 0:
                wins[pair.first, pair.second] += 1
            else:
                wins[pair.second, pair.first] += 1
    won, tied = (tuple(tuple(counts[one, other] for other in systems) for one in systems) for counts in (wins, ties))
    return WinCounts(tuple(systems), won, tied)


def count_unit_wins(items: Iterable[RankingItem], units: Iterable[int], size: int, systems: Sequence[str]) -> Any:
    """Count the wins in each unit (row) that can be resampled, from the unit of each item; systems against each other are one column."""
    import numpy as np
    from scipy.sparse import coo_array

    numbers = {name: number for number, name in enumerate(systems)}
    rows, cells = [], []
    for item, unit in zip(items, units, strict=True):
        for pair in list_pairs(item, "expanded"):
            if pair.outcome:
                winner, loser = (pair.first, pair.second) if pair.outcome > 0 else (pair.second, pair.first)
                rows.append(unit)
                cells.append(numbers[winner] * len(systems) + numbers[loser])
    return coo_array((np.ones(len(rows)), (rows, cells)), shape=(size, len(systems) ** 2)).tocsr()


def compute_expected_wins(wins: NDArray[np.float64], opponents: Opponents = "decided") -> NDArray[np.float64]:
    """Compute the expected wins of systems from one or many matrices of wins (the last two axes); NaN without any such opponent.

    >>> import numpy as np
    >>> compute_expected_wins(np.array([[0, 3, 1], [1, 0, 0], [1, 0, 0]])).tolist()
    [0.625, 0.25, 0.5]
    """
    import numpy as np

    decided = wins + np.swapaxes(wins, -1, -2)
    shares = np.divide(wins, decided, out=np.zeros(wins.shape), where=decided > 0)
    counted = ((decided if opponents == "decided" else wins) > 0).sum(axis=-1)
    means: NDArray[np.float64] = np.full(counted.shape, np.nan)
    np.divide(shares.sum(axis=-1), counted, out=means, where=counted > 0)
    return means


# --- How far judges agree with each other and with themselves, on pairs of outputs.
#
# Two judgments are compared if they are about the same two outputs of the same sentence.  Kappa is (observed - chance) / (1 - chance),
# where chance is the sum of the squared shares of the three outcomes (better, tied, worse) among the judgments compared, as in the
# campaigns of WMT and in Grundkiewicz et al. (2015), Section 4.  Alpha is Krippendorff's, over all judges at once; ``nominal`` counts every
# disagreement alike, ``interval`` counts opposite outcomes four times as much as a tie against a preference.

_FEWEST_COMPARISONS = 50
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
        return self.kappa is not None and self.comparisons >= _FEWEST_COMPARISONS


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


# Whether judges rank systems alike: correlations of expected wins by single judges, with each other and with those of all others.
# Grundkiewicz et al. (2015), Table 6.

OTHERS = "others"
"""Stands for all other judges together."""


class JudgeCorrelation(NamedTuple):
    """The correlation of the scores of systems by a judge with those by another, or by all others; None if it is undefined."""

    judge: str
    other: str
    systems: int
    """Systems with a score by both."""
    spearman: float | None
    pearson: float | None
    pairs: int
    """Expanded pairs of the judge, or of both: the weight in a mean."""


def score_by_one_judge(items: Sequence[RankingItem], opponents: Opponents = "decided") -> dict[str, float]:
    """Compute expected wins by some items; systems whose pairs are all ties have none."""
    import numpy as np

    systems = sorted({name for item in items for output in item.outputs for name in output.systems})
    if not systems:
        return {}
    scores = compute_expected_wins(np.array(count_wins(items, systems).wins, dtype=np.float64), opponents)
    return {name: score for name, score in zip(systems, scores.tolist(), strict=True) if not math.isnan(score)}


def correlate_judges(judgments: HumanJudgments, opponents: Opponents = "decided") -> list[JudgeCorrelation]:
    """Correlate the scores of each judge with those of all others together, and of each pair of judges."""
    by_judge = {judge: [item for item in judgments.items if item.judge == judge] for judge in judgments.judges}
    pairs = {judge: count_judged_pairs(own, "expanded").pairs for judge, own in by_judge.items()}
    scores = {judge: score_by_one_judge(own, opponents) for judge, own in by_judge.items()}
    found = []
    for judge in by_judge if len(by_judge) > 1 else ():
        others = score_by_one_judge([item for item in judgments.items if item.judge != judge], opponents)
        found.append(_correlate(judge, OTHERS, scores[judge], others, pairs[judge]))
    for one, other in combinations(by_judge, 2):
        found.append(_correlate(one, other, scores[one], scores[other], pairs[one] + pairs[other]))
    return found


def average_correlations(correlations: Sequence[JudgeCorrelation]) -> tuple[float | None, float | None]:
    """Compute the means of Spearman's rho and Pearson's r of judges with all others, weighted by pairs."""

    def mean(values: Sequence[tuple[float | None, int]]) -> float | None:
        known = [(value, weight) for value, weight in values if value is not None]
        return sum(value * weight for value, weight in known) / sum(weight for _, weight in known) if known else None

    with_others = [row for row in correlations if row.other == OTHERS]
    return mean([(row.spearman, row.pairs) for row in with_others]), mean([(row.pearson, row.pairs) for row in with_others])


def _correlate(judge: str, other: str, own: Mapping[str, float], others: Mapping[str, float], pairs: int) -> JudgeCorrelation:
    from errata.stats.correlation import FEWEST, compute_coefficients

    known = [name for name in own if name in others]
    found = compute_coefficients([own[name] for name in known], [others[name] for name in known]) if len(known) >= FEWEST else None
    spearman, pearson = found or (None, None)
    return JudgeCorrelation(judge, other, len(known), spearman, pearson, pairs)
