"""I-measure: whether the output is better or worse than the source, token by token.

Felice and Briscoe 2015, *Towards a standard evaluation method for grammatical error detection and correction*.
Source, hypothesis and reference are aligned; each column is a true or false positive or negative, for detection and correction.
From these follows weighted accuracy, WAcc = (w·TP + TN) / (w·(TP + FP) + TN + FN - (w + 1)·FPN / 2), where FPN are columns that are
both FP and FN.  With sys and base the WAcc of output and source, I = (sys - base) / (1 - base) if sys is higher, else sys / base - 1:
1 is a correct text, 0 is as good as the source, -1 has nothing right.
Each sentence is scored against the reference with the largest WAcc of correction, of all mixtures of the annotators' corrections.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, NoReturn, get_args

from errata import core
from errata.core.limits import MOST_ALIGNMENT_WORK
from errata.corpus.alternatives import Alternative, Site, apply, find_sites, group_errors
from errata.corpus.references import MOST_TOKENS
from errata.errors import RequestError, UsageError, pluralise
from errata.metrics.base import Metric, Outcomes, Output, SourceMeasure, refuse
from errata.metrics.ratios import PrecisionRecallF, Ratio, Row
from errata.metrics.strategies import Choose, SingleRow
from errata.metrics.views import CERTIFIED_EXPLAINED, REFERENCES, Alignment, AlignmentColumn, MixedCorrection, References
from errata.settings import number as real
from errata.settings import one_of, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.corpus.alternatives import Alternatives
    from errata.corpus.corpus import Corpus, Sentence
    from errata.corpus.texts import Tokens
    from errata.metrics.views import Aspect


_CLASSES = ("tp", "tn", "fp", "fn", "fpn")
_ASPECT_CLASSES: dict[Aspect, tuple[str, ...]] = {"detection": _CLASSES[:4], "correction": _CLASSES}
_SYSTEM = tuple(f"{aspect}_{name}" for aspect, names in _ASPECT_CLASSES.items() for name in names)
_PER_SYSTEM = len(_SYSTEM)
"""The number of counts of a system, which come before those of the baseline."""
_DETECTION = 4
"""The number of counts of detection, which come before those of correction."""

_MeasureName = Literal["precision", "recall", "f", "accuracy", "wacc"]


@cache
def _make_ratio(measure: _MeasureName, w: Fraction, beta: Fraction) -> Ratio:
    """Make the ratio of a measure over tp, tn, fp, fn and fpn.

    >>> _make_ratio("wacc", Fraction(2), Fraction(1, 2))
    Ratio(numerator=(4, 2, 0, 0, 0), denominator=(4, 2, 4, 2, -3))
    """
    part, whole = w.numerator, w.denominator
    shares = PrecisionRecallF.over((1, 0, 0, 0, 0), (1, 0, 1, 0, 0), (1, 0, 0, 1, 0), beta)
    known: dict[str, Ratio] = {
        **shares._asdict(),
        "accuracy": Ratio((1, 1, 0, 0, 0), (1, 1, 1, 1, -1)),
        "wacc": Ratio((2 * part, 2 * whole, 0, 0, 0), (2 * part, 2 * whole, 2 * part, 2 * whole, -(part + whole))),
    }
    return known[measure]


@dataclass(frozen=True)
class _Measures:
    """The measures of counts; 0/0 is 1."""

    precision: Fraction
    recall: Fraction
    f: Fraction
    accuracy: Fraction
    wacc: Fraction

    @classmethod
    def of(cls, counts: Sequence[int], w: Fraction, beta: Fraction) -> _Measures:
        """Compute the measures of tp, tn, fp, fn and fpn (default 0).

        >>> _Measures.of((1, 6, 0, 3), Fraction(2), Fraction("0.5")).wacc
        Fraction(8, 11)
        """
        five = (*counts, 0)[:5]
        names: tuple[_MeasureName, ...] = ("precision", "recall", "f", "accuracy", "wacc")
        return cls(*(_make_ratio(name, w, beta).exact(five) for name in names))


def _compute_improvement(system: Fraction, baseline: Fraction) -> Fraction:
    """Compute I from two weighted accuracies.

    >>> _compute_improvement(Fraction(3, 4), Fraction(1, 2)), _compute_improvement(Fraction(1, 4), Fraction(1, 2))
    (Fraction(1, 2), Fraction(-1, 2))
    """
    if system == baseline:
        return Fraction(math.floor(system))
    return (system - baseline) / (1 - baseline) if system > baseline else system / baseline - 1


_Maximised = Literal["wacc", "i", "accuracy", "f", "precision", "recall"]
_Per = Literal["sentence", "corpus"]
_Baseline = Literal["realigned", "existing"]
_BASELINES: dict[_Baseline, str] = {
    "realigned": "in a new alignment with the chosen reference, as in the public scorer",
    "existing": "in the alignment of the output, with the source instead of the output, as in the paper",
}

_COUNTS = 2 * _PER_SYSTEM + 2
_LARGEST = 1000
"""The largest value of settings; larger ones are not useful and make whole numbers long."""


@dataclass(frozen=True)
class IMeasure(Metric):
    """I-measure with its settings.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> score = errata.score(gold, errata.read_system("examples/systems/cautious.txt"), "imeasure")
    >>> round(score.value, 4)
    0.1836
    """

    w: float = real(2.0, "weight of corrections against tokens left unchanged in WAcc", above=1, most=_LARGEST)
    beta: float = real(0.5, "weight of recall against precision in F", most=_LARGEST)
    maximise: _Maximised = one_of("wacc", get_args(_Maximised), "the measure that the choice among references maximises")
    aspect: Aspect = one_of("correction", ("correction", "detection"), "whether it is the measure of correction or of detection")
    per: _Per = one_of("sentence", get_args(_Per), "whether it is maximised for each sentence or for the whole corpus")
    references: References = one_of("mix", REFERENCES, "the references of a sentence")
    baseline: _Baseline = one_of("realigned", _BASELINES, "how the source is aligned to compute its WAcc")
    gap: int = whole(2, "cost of a token aligned with a gap", least=1, most=_LARGEST)
    mismatch: int = whole(3, "cost of two different tokens aligned; 2·gap > mismatch > gap", least=1, most=_LARGEST)

    in_parts: ClassVar[bool] = True
    name: ClassVar[str] = "imeasure"
    title: ClassVar[str] = "I-measure"
    aliases: ClassVar[tuple[str, ...]] = ("i", "i-measure", "wacc")
    summary: ClassVar[str] = "whether the output is better or worse than the source, token by token"
    paper: ClassVar[str] = "Felice and Briscoe 2015"
    columns: ClassVar[tuple[str, ...]] = (*_SYSTEM, *(f"baseline_{name}" for name in _SYSTEM), "certified", "sentences")
    explanation: ClassVar[str] = "I above 0: the output is better than the source; below 0: worse."
    columns_explained: ClassVar[str] = CERTIFIED_EXPLAINED

    def check(self) -> None:
        if not self.gap < self.mismatch < 2 * self.gap:
            raise UsageError(
                f"imeasure settings gap and mismatch must satisfy 2·gap > mismatch > gap > 0, found {self.gap} and {self.mismatch}"
            )
        if self.maximise == "i" and self.per == "corpus":
            raise UsageError("imeasure cannot maximise i per corpus, because I is not a ratio of sums; use maximise=wacc or per=sentence")

    @property
    def strategy(self) -> Choose | SingleRow:
        """One row per sentence, for its best reference; with per=corpus one for every reference that may be the best for the corpus."""
        return SingleRow() if self.per == "sentence" else Choose("optimal", self.ratio_of(_ratio_measure(self.maximise), self.aspect))

    @property
    def mixes_references(self) -> bool:
        return self.references == "mix"

    def scorer(self, corpus: Corpus) -> _IMeasureScorer:
        return _IMeasureScorer(self, corpus)

    def ratio_of(self, measure: _MeasureName, aspect: Aspect, *, baseline: bool = False) -> Ratio:
        """Make the ratio of a measure of the system, or of its baseline, over all counts."""
        short = _make_ratio(measure, *self._numbers)
        start = (_PER_SYSTEM if baseline else 0) + (0 if aspect == "detection" else _DETECTION)
        width = len(_ASPECT_CLASSES[aspect])

        def long(part: tuple[int, ...]) -> tuple[int, ...]:
            return (*(0,) * start, *part[:width], *(0,) * (_COUNTS - start - width))

        return Ratio(long(short.numerator), long(short.denominator))

    def list_preferences(self) -> Iterator[tuple[_Maximised, Aspect]]:
        """Yield the measures that decide between references: the maximised one, WAcc, I, accuracy, and those of the other aspect."""
        yield self.maximise, self.aspect
        for aspect in (self.aspect, "detection" if self.aspect == "correction" else "correction"):
            for measure in ("wacc", "i", "accuracy"):
                if (measure, aspect) != (self.maximise, self.aspect):
                    yield measure, aspect

    def key(self, counts: Sequence[int]) -> tuple[Fraction, ...]:
        """Compute the measures of :meth:`list_preferences`."""
        values = []
        for measure, aspect in self.list_preferences():
            system = self.measures(counts, aspect)
            if measure == "i":
                values.append(_compute_improvement(system.wacc, self.measures(counts[_PER_SYSTEM:], aspect).wacc))
            else:
                values.append(getattr(system, measure))
        return tuple(values)

    def value(self, counts: Row) -> float:
        return float(self._improvement(counts, "correction"))

    def values(self, counts: Any) -> Any:
        import numpy as np

        system, source = (self.ratio_of("wacc", "correction", baseline=which).values(counts) for which in (False, True))
        values = np.floor(system)
        above, below = system > source, system < source
        values[above] = (system[above] - source[above]) / (1 - source[above])
        values[below] = system[below] / source[below] - 1
        return values

    def parts(self, counts: Row) -> dict[str, Any]:
        system, baseline = self._aspects(counts), self._aspects(counts[_PER_SYSTEM:])
        for aspect in _ASPECT_CLASSES:
            system[aspect]["i"] = float(self._improvement(counts, aspect))
        return {**system, "baseline": baseline, "certified": counts[-2], "sentences": counts[-1]}

    def shown(self, counts: Row) -> dict[str, float]:
        parts = self.parts(counts)
        correction, baseline = parts["correction"], parts["baseline"]["correction"]
        names = ("tp", "fp", "fn", "precision", "recall", "f", "wacc")
        return {**{name: correction[name] for name in names}, "baseline": baseline["wacc"], "certified": counts[-2]}

    def in_words(self, counts: Row) -> str:
        shown = self.shown(counts)
        return f"WAcc {100 * shown['wacc']:.2f} (source {100 * shown['baseline']:.2f}), I {100 * self.value(counts):.2f}"

    def outcomes(self, counts: Row) -> Outcomes:
        """Count the classes of aligned tokens for correction; a wrong correction of an error is a false positive and a false negative."""
        tp, _, fp, fn, _ = counts[_DETECTION:_PER_SYSTEM]
        return Outcomes(tp, fp, fn)

    @property
    def source_measure(self) -> SourceMeasure:
        """Weighted accuracy of correction; the counts of the source are those of the baseline."""
        output, source = (slice(first + _DETECTION, first + _PER_SYSTEM) for first in (0, _PER_SYSTEM))
        return SourceMeasure("WAcc", _make_ratio("wacc", *self._numbers), output, source)

    def warnings(self, counts: Row) -> list[str]:
        certified, sentences = counts[-2:]
        missing = sentences - certified
        what = f"{missing:,} of {pluralise(sentences, 'sentence')}"
        return [f"not certified: the reference may not be the best for {what}"] if missing else []

    def wacc_at(self, counts: Row, w: Fraction) -> float:
        """Compute WAcc of correction with another weight."""
        return float(_Measures.of(counts[_DETECTION:_PER_SYSTEM], w, self._numbers[1]).wacc)

    @property
    def label(self) -> str:
        return "I"

    def measures(self, counts: Sequence[int], aspect: Aspect) -> _Measures:
        """Compute the measures of the first nine counts of a row."""
        part = counts[:_DETECTION] if aspect == "detection" else counts[_DETECTION:_PER_SYSTEM]
        return _Measures.of(part, *self._numbers)

    @cached_property
    def _numbers(self) -> tuple[Fraction, Fraction]:
        return Fraction(repr(self.w)), Fraction(repr(self.beta))

    def _improvement(self, counts: Sequence[int], aspect: Aspect) -> Fraction:
        return _compute_improvement(self.measures(counts, aspect).wacc, self.measures(counts[_PER_SYSTEM:], aspect).wacc)

    def _aspects(self, counts: Sequence[int]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for aspect, names in _ASPECT_CLASSES.items():
            start = 0 if aspect == "detection" else _DETECTION
            measures = self.measures(counts, aspect)
            values = {name: float(getattr(measures, name)) for name in ("precision", "recall", "f", "accuracy", "wacc")}
            result[aspect] = {**dict(zip(names, counts[start : start + len(names)], strict=True)), **values}
        return result


def _ratio_measure(maximised: _Maximised) -> _MeasureName:
    """Return the measure; I, which is not a ratio, is never maximised for a corpus."""
    return "wacc" if maximised == "i" else maximised


_MOST_SUMS = 10_000
"""The most distinct sums of counts that are listed if I itself is maximised."""


def _select_rows(metric: IMeasure, blocks: _Blocks) -> list[tuple[tuple[Row, ...], bool]]:
    """Select the rows of the blocks for each row of a sentence, and whether they are proved to be the best.

    A sentence has one row; with per=corpus one for every choice that may be the best for the corpus.
    """
    strategy = metric.strategy
    if not isinstance(strategy, Choose):
        return [_select_best(metric, blocks)]
    return [_select_best(metric, corner) for corner in _find_frontier(blocks, strategy.ratio)]


def _select_best(metric: IMeasure, blocks: _Blocks) -> tuple[tuple[Row, ...], bool]:
    """Select the best rows of the blocks for a sentence, and whether they are proved to be the best."""
    preferences = list(metric.list_preferences())
    certified = True
    if metric.maximise == "i" and any(len(rows) > 1 for rows in blocks):
        sums = _list_sums(blocks, _MOST_SUMS)
        if sums is not None:
            return sums[max(_largest_improvement(metric, sums), key=metric.key)], True
        del preferences[0]
        certified = False
    accuracy = Fraction(0)
    for measure, aspect in preferences:
        if all(len(rows) == 1 for rows in blocks):
            break
        if measure == "i":
            blocks = _improve(metric, blocks, aspect, accuracy)
        else:
            blocks, value = _narrow_blocks(blocks, _Goal(metric.ratio_of(measure, aspect)))
            accuracy = value if measure == "wacc" else accuracy
    return tuple(rows[0] for rows in blocks), certified


def _improve(metric: IMeasure, blocks: _Blocks, aspect: Aspect, accuracy: Fraction) -> _Blocks:
    """Select the rows with the largest I among those with the same WAcc: those with the smallest WAcc of the baseline.

    If WAcc is 1, I is always 1; if WAcc is 0, I is -1 unless the baseline's WAcc is also 0.
    """
    if accuracy == 1:
        return blocks
    narrowed, baseline = _narrow_blocks(blocks, _Goal(metric.ratio_of("wacc", aspect, baseline=True), largest=False))
    return narrowed if accuracy or not baseline else blocks


def _largest_improvement(metric: IMeasure, sums: Iterable[Row]) -> list[Row]:
    """Select the sums of counts with the largest I."""
    system, baseline = (metric.ratio_of("wacc", metric.aspect, baseline=which) for which in (False, True))
    same: dict[tuple[int, int, int, int], list[Row]] = {}
    for row in sums:
        same.setdefault((*system.of(row), *baseline.of(row)), []).append(row)

    def value(pairs: tuple[int, int, int, int]) -> Fraction:
        above, below, base_above, base_below = pairs
        return _compute_improvement(
            Fraction(above, below) if below else Fraction(1), Fraction(base_above, base_below) if base_below else Fraction(1)
        )

    values = {pairs: value(pairs) for pairs in same}
    most = max(values.values())
    return [row for pairs, rows in same.items() if values[pairs] == most for row in rows]


# --- The best choice of one row from each of several blocks, whose counts are summed.
#
# A ratio of weighted sums (:class:`errata.metrics.ratios.Ratio`) is maximised exactly, without listing the combinations: Dinkelbach's
# method finds in each block separately the row with the largest numerator - ratio * denominator.  The combinations with the best
# ratio are then all combinations of the best rows of each block, so a second ratio can decide between them in the same way.

_Blocks = list[list["Row"]]
"""The rows of each block."""

_Pair = tuple[int, int]


class _Goal(NamedTuple):
    """A ratio to maximise, or to minimise."""

    ratio: Ratio
    largest: bool = True


def _add_rows(rows: Iterable[Row]) -> Row:
    """Sum rows."""
    return tuple(map(sum, zip(*rows, strict=True)))


def _narrow_blocks(blocks: _Blocks, goal: _Goal) -> tuple[_Blocks, Fraction]:
    """Select the rows of each block that belong to a best combination, and compute the best ratio; 0/0 is 1.

    >>> from errata.metrics.ratios import Ratio
    >>> _narrow_blocks([[(1, 2), (2, 3)], [(0, 1), (1, 4)]], _Goal(Ratio((1, 0), (0, 1))))
    ([[(2, 3)], [(0, 1)]], Fraction(1, 2))
    """
    sign = 1 if goal.largest else -1
    pairs = [[goal.ratio.of(row) for row in rows] for rows in blocks]
    if len(blocks) == 1:  # with one block, a single row can give 0/0
        pairs = [[pair if pair[1] else (1, 1) for pair in pairs[0]]]
    elif goal.largest and sum(min(pair[1] for pair in block) for block in pairs) == 0:  # counts of single blocks can be negative
        return _rows_at(blocks, pairs, (1, 1), sign), Fraction(1)
    best = _sum(block[0] for block in pairs)
    while True:
        chosen = [max(block, key=lambda pair: sign * _gain(pair, best)) for block in pairs]
        total = _sum(chosen)
        if not total[1] or _gain(total, best) == 0:
            return _rows_at(blocks, pairs, best, sign), Fraction(*best) if best[1] else Fraction(1)
        best = total


def _gain(pair: _Pair, ratio: _Pair) -> int:
    """Compute how much a row adds beyond the ratio."""
    above, below = ratio if ratio[1] else (1, 1)
    return pair[0] * below - above * pair[1]


def _sum(pairs: Iterable[_Pair]) -> _Pair:
    above = below = 0
    for pair in pairs:
        above += pair[0]
        below += pair[1]
    return above, below


def _rows_at(blocks: _Blocks, pairs: list[list[_Pair]], ratio: _Pair, sign: int) -> _Blocks:
    result = []
    for rows, block in zip(blocks, pairs, strict=True):
        gains = [sign * _gain(pair, ratio) for pair in block]
        most = max(gains)
        result.append([row for row, gain in zip(rows, gains, strict=True) if gain == most])
    return result


def _list_sums(blocks: _Blocks, most: int) -> dict[Row, tuple[Row, ...]] | None:
    """List the distinct sums of one row from each block, with the first rows that give them.

    None if there are more than ``most``, or if finding them takes more than 50 times as many additions.
    """
    sums: dict[Row, tuple[Row, ...]] = {(0,) * len(blocks[0][0]): ()}
    additions = 0
    for rows in blocks:
        additions += len(sums) * len(rows)
        if additions > 50 * most:
            return None
        longer: dict[Row, tuple[Row, ...]] = {}
        for total, chosen in sums.items():
            for row in rows:
                longer.setdefault(_add_rows((total, row)), (*chosen, row))
            if len(longer) > most:
                return None
        sums = longer
    return sums


def _find_frontier(blocks: _Blocks, ratio: Ratio) -> list[_Blocks]:
    """List the rows of each block that are the best for some value of the ratio of the whole corpus.

    They are the corners of the upper hull of all sums.  Between two known corners, the best rows are computed at the value where
    both are equally good; if they are better, they are a new corner.

    >>> from errata.metrics.ratios import Ratio
    >>> _find_frontier([[(0, 1), (1, 2), (2, 8)]], Ratio((1, 0), (0, 1)))
    [[[(2, 8)]], [[(1, 2)]]]
    """
    pairs = [[ratio.of(row) for row in rows] for rows in blocks]

    def best_at(value: _Pair) -> list[_Pair]:
        return [max(block, key=lambda pair: (_gain(pair, value), pair[0], -pair[1])) for block in pairs]

    def between(low: list[_Pair], high: list[_Pair]) -> list[list[_Pair]]:
        above, below = _sum(low), _sum(high)
        value = (above[0] - below[0], above[1] - below[1])
        if value[0] <= 0 or value[1] <= 0:
            return []
        next_corner = best_at(value)
        if _gain(_sum(next_corner), value) <= _gain(above, value):
            return []
        return [*between(low, next_corner), next_corner, *between(next_corner, high)]

    first, last = best_at((0, 1)), best_at((1, 1))
    corners = [first, *between(first, last), last] if first != last else [first]
    return [
        [
            [row for row, pair in zip(rows, block, strict=True) if pair == best]
            for rows, block, best in zip(blocks, pairs, corner, strict=True)
        ]
        for corner in corners
    ]


# --- Searches for a good reference: a few sites at a time if all together take too much, else one error at a time.

_WIDTH = 8
"""The number of sites at a time; half of them are also among the next."""

_MOST_PASSES = 3
"""The most times that all sites are visited."""

_CoreSites = tuple[tuple[int, int, tuple["Tokens", ...]], ...]


class _Solved(NamedTuple):
    """The best row with some variants, the variant of each site, and the work that it took."""

    row: Row | None
    """None if it takes too much."""
    variants: Sequence[int]
    work: int


def _search_windows(
    tokens: Tokens,
    sites: Sequence[Site],
    solve: Callable[[_CoreSites, int], _Solved],
    better: Callable[[Row, Row], bool],
    most_work: int,
) -> tuple[Row, list[int]] | None:
    """Start with the uncorrected text where it is allowed, and choose the best variants of a few sites at a time.

    ``solve`` finds the best row for sites with some of their variants, with so much work; ``better`` says whether the first of two rows
    is better.  None if that takes too much.
    """
    texts = [tokens[site.start : site.end] for site in sites]
    chosen = [site.variants.index(text) if text in site.variants else 0 for site, text in zip(sites, texts, strict=True)]
    best: Row | None = None
    for _ in range(_MOST_PASSES):
        before = best
        for first in range(0, len(sites), _WIDTH // 2):
            window = range(first, min(first + _WIDTH, len(sites)))
            narrowed = tuple(
                (site.start, site.end, site.variants if number in window else (site.variants[chosen[number]],))
                for number, site in enumerate(sites)
            )
            found = solve(narrowed, most_work)
            most_work -= found.work
            if found.row is None or most_work <= 0:
                return None
            if best is None or better(found.row, best):
                best = found.row
                chosen[window.start : window.stop] = found.variants[window.start : window.stop]
        if best == before:
            break
    return None if best is None else (best, chosen)


_MOST_TRIED = 10_000
"""The most references that are tried."""

_MOST_TOKEN_PAIRS = 200_000_000
"""The most pairs of tokens that are compared, so that long sentences do not take minutes."""

_FEW = 10
"""The number of annotators whose references are always tried."""

_ChosenAlternatives = list["Alternative"]


def _search(
    tokens: Tokens,
    errors: Sequence[Alternatives],
    annotators: Sequence[str],
    count: Callable[[tuple[Tokens, ...]], list[Row]],
    better: Callable[[Row, Row], bool],
    *,
    improve: bool = True,
) -> tuple[Row, _ChosenAlternatives]:
    """Start with the best annotator's reference, and change one error at a time while the score improves.

    ``count`` counts references, or only the first of them if the others would take too much work; ``better`` says whether the first of
    two rows is better.  Without ``improve`` it is the best annotator's reference.
    """
    most = max(min(_MOST_TRIED, _MOST_TOKEN_PAIRS // (2 * len(tokens) ** 2 + 1)), len(annotators[:_FEW]))
    trial = _Trial(tokens, count, better)
    starts = _list_starts(errors, annotators[:most])
    best = trial.find_best(starts)
    if best is None:  # every annotator has two edits of one span
        return count((tokens,))[0], []
    row, choice = best
    tried = len(starts)
    changed = improve and bool(choice)
    while changed:
        changed = False
        for index, alternatives in enumerate(errors):
            if tried + len(alternatives) > most or trial.exhausted:
                return row, choice
            tried += len(alternatives)
            best = trial.find_best([[*choice[:index], other, *choice[index + 1 :]] for other in alternatives])
            if best is not None and better(best[0], row):
                (row, choice), changed = best, True
    return row, choice


def _list_starts(errors: Sequence[Alternatives], annotators: Sequence[str]) -> list[_ChosenAlternatives]:
    """List each annotator's alternatives; an error without one is left uncorrected, or corrected as by another annotator."""
    by_name = [{alternative.annotator: alternative for alternative in reversed(alternatives)} for alternatives in errors]
    otherwise = [own.get(None) or alternatives[0] for own, alternatives in zip(by_name, errors, strict=True)]
    return [[own.get(annotator) or other for own, other in zip(by_name, otherwise, strict=True)] for annotator in annotators]


class _Trial:
    """References of one sentence that are tried until the work is too much."""

    def __init__(self, tokens: Tokens, count: Callable[[tuple[Tokens, ...]], list[Row]], better: Callable[[Row, Row], bool]) -> None:
        self._tokens = tokens
        self._count = count
        self._better = better
        self.exhausted = False
        """Whether more references would take too much work."""

    def find_best(self, choices: Sequence[_ChosenAlternatives]) -> tuple[Row, _ChosenAlternatives] | None:
        """Find the best of several choices, with its counts; choices that give no reference are skipped."""
        references = [(choice, reference) for choice in choices if (reference := apply(self._tokens, choice)) is not None]
        rows = self._count(tuple(reference for _, reference in references))
        self.exhausted = len(rows) < len(references)
        best: tuple[Row, _ChosenAlternatives] | None = None
        for (choice, _), row in zip(references, rows, strict=False):
            if best is None or self._better(row, best[0]):
                best = (row, choice)
        return best


_MOST_SITE_CHOICES = 4096
"""The most choices of alternatives of errors that share a site; with more a search is used."""

_MOST_WINDOW_CELLS = 1 << 24
"""The most work, of each kind, for a few sites of a sentence that is searched."""

_MOST_BLOCK_ROWS = 1 << 16
"""The most distinct rows of one block of a sentence; with more a search is used."""

_CoreBlock = tuple[int, int, list[tuple[tuple[int, ...], "Row"]]]


class _Mixture(NamedTuple):
    """A reference and its alternatives."""

    tokens: Tokens
    alternatives: list[Alternative]
    certified: bool


def _list_single_references(sentence: Sentence) -> dict[Tokens, tuple[Alternative, ...]]:
    """List the distinct corrections of single annotators, with their edits; the source if the sentence has no annotation."""
    result: dict[Tokens, tuple[Alternative, ...]] = {}
    for annotation in sentence.annotations:
        own = Alternative(annotation.annotator, annotation.edits)
        tokens = apply(sentence.tokens, [own])
        if tokens is not None:
            result.setdefault(tokens, (own,))
    return result or {sentence.tokens: ()}


class _IMeasureScorer:
    """I-measure prepared for one corpus."""

    def __init__(self, metric: IMeasure, corpus: Corpus) -> None:
        self.corpus = corpus
        self.metric = metric
        self._errors: list[list[Alternatives]] = []
        self._sites: list[list[Site] | None] = []
        for number, sentence in zip(corpus.numbers, corpus, strict=True):
            if metric.references == "mix":
                self._errors.append(group_errors(sentence))
                self._sites.append(find_sites(sentence.tokens, self._errors[-1], _MOST_SITE_CHOICES))
            else:
                if (tokens := len(sentence.annotations) * len(sentence.tokens)) > MOST_TOKENS:
                    what = f"the texts of its annotators have {tokens:,} tokens, more than {MOST_TOKENS:,}"
                    raise RequestError(f"{corpus.path or corpus.name}: sentence {number:,} cannot be scored: {what}")
                own = _list_single_references(sentence)
                self._sites.append([Site(0, len(sentence.tokens), tuple(own), tuple(own.values()))])
        _ = self.mixed

    @cached_property
    def mixed(self) -> core.MixedReferences:
        """All references in the core."""
        single = (len(sites[0].variants) for sites in self._sites if sites)
        most = _MOST_BLOCK_ROWS if self.metric.references == "mix" else max(single, default=1)
        sentences = [
            (sentence.tokens, tuple(site.in_core for site in sites or ())) for sentence, sites in zip(self.corpus, self._sites, strict=True)
        ]
        with self._in_words():
            return core.MixedReferences(sentences, self.metric.gap, self.metric.mismatch, self.metric.baseline == "realigned", most)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the core, which is rebuilt when needed."""
        return {name: value for name, value in vars(self).items() if name != "mixed"}

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> _IMeasureOutput:
        return _IMeasureOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        del index
        return (self.metric.references,) * rows

    def rows(self, first: int, hypotheses: list[Tokens]) -> list[tuple[Row, ...]]:
        """Count each sentence against its best reference; with per=corpus against all that may be the best."""
        with self._in_words():
            by_sentence = self.mixed.blocks(first, hypotheses)
        return [self._rows(first + offset, hypotheses[offset], blocks) for offset, blocks in enumerate(by_sentence)]

    def align(self, source: Tokens, hypothesis: Tokens, reference: Tokens) -> list[AlignmentColumn]:
        """Align any three texts in the same way as sentences."""
        with self._in_words():
            flags, _, _ = core.align_three_way(source, hypothesis, reference, self.metric.gap, self.metric.mismatch)
        texts = [iter(source), iter(hypothesis), iter(reference)]
        return [AlignmentColumn(*(next(text) if taken else None for text, taken in zip(texts, column, strict=True))) for column in flags]

    def alignment(self, index: int, hypothesis: Tokens, row: int | None = None) -> Alignment:
        """Show the alignment behind a row of the sentence at an index, and the corrections in its reference.

        With ``per=corpus`` a sentence may have several rows; ``evidence.chosen`` is the index of one.
        """
        source, mixture = self.corpus[index].tokens, self._mixture(index, hypothesis, row)
        columns = self.align(source, hypothesis, mixture.tokens)
        corrections = []
        for alternative in mixture.alternatives:
            names = self._who_offers(index, alternative)
            corrections += [MixedCorrection(names, start, end, " ".join(text)) for start, end, text in alternative.replacements]
        if mixture.tokens == source:
            corrections = []  # those that would leave no token were skipped
        mixed = self.metric.references == "mix"
        left_alone = sum(not alternative.edits for alternative in mixture.alternatives) if mixed else 0
        return Alignment(columns, sorted(corrections, key=lambda item: (item.start, item.end)), left_alone, mixture.certified)

    def _who_offers(self, index: int, alternative: Alternative) -> tuple[str, ...]:
        """List all annotators with the same correction of an error."""
        if self.metric.references == "single":
            offers = [Alternative(item.annotator, item.edits) for item in self.corpus[index].annotations]
        else:
            offers = next((error for error in self._errors[index] if any(item is alternative for item in error)), [])
        wanted = alternative.replacements
        return tuple(item.annotator for item in offers if item.annotator is not None and item.replacements == wanted)

    def _mixture(self, index: int, hypothesis: Tokens, row: int | None) -> _Mixture:
        with self._in_words():
            (blocks,) = self.mixed.blocks(index, [hypothesis])
        tokens, sites = self.corpus[index].tokens, self._sites[index]
        if self.metric.references == "single" and sites is not None and not blocks:
            _, position, certified = self._every_single(index, hypothesis, sites[0])
            return _Mixture(sites[0].variants[position], list(sites[0].choices[position]), certified)
        if sites is None or not blocks:
            _, alternatives = self._searched(index, hypothesis)
            return _Mixture(apply(tokens, alternatives) or tokens, alternatives, certified=False)
        candidates = _select_rows(self.metric, _rows_of(blocks))
        if row is None and len(candidates) > 1:
            raise UsageError(
                f"sentence {self.corpus.numbers[index]:,} has {len(candidates)} rows; choose one with row=score.evidence.chosen[{index}]"
            )
        chosen, certified = candidates[row or 0]
        result: list[str] = []
        mixed: list[Alternative] = []
        done = 0
        for site, variant in zip(sites, _list_variants(blocks, chosen), strict=True):
            result += (*tokens[done : site.start], *site.variants[variant])
            done = site.end
            mixed += site.choices[variant]
        return _Mixture((*result, *tokens[done:]), mixed, certified and all(site.possible for site in sites))

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Add the name of the corpus to errors of the core."""
        try:
            yield
        except OverflowError as error:
            raise refuse(self.corpus, error) from None

    def _rows(self, index: int, hypothesis: Tokens, blocks: list[_CoreBlock]) -> tuple[Row, ...]:
        sites = self._sites[index]
        if self.metric.references == "single" and sites is not None and not blocks:
            row, _, certified = self._every_single(index, hypothesis, sites[0])
            return ((*row, int(certified), 1),)
        if sites is None or not blocks:
            return ((*self._searched(index, hypothesis)[0], 0, 1),)
        possible = all(site.possible for site in sites)
        return tuple(
            (*_add_rows(chosen), int(certified and possible), 1) for chosen, certified in _select_rows(self.metric, _rows_of(blocks))
        )

    def _every_single(self, index: int, hypothesis: Tokens, site: Site) -> tuple[Row, int, bool]:
        """Find the best annotator's reference one by one, if they are too long for the core to compare together.

        Also returns whether all of them could be compared.
        """
        rows = _ReferenceCounter(self.metric, self.corpus, index, hypothesis)(site.variants)
        position = max(range(len(rows)), key=lambda item: (self.metric.key(rows[item]), -item))
        return rows[position], position, len(rows) == len(site.variants)

    def _searched(self, index: int, hypothesis: Tokens) -> tuple[Row, list[Alternative]]:
        """Find a good reference by a search, at least as good as each annotator's."""
        sentence, sites = self.corpus[index], self._sites[index] or []
        windows = _search_windows(sentence.tokens, sites, partial(self._solve, index, hypothesis), self._better, MOST_ALIGNMENT_WORK)
        annotators = [annotation.annotator for annotation in sentence.annotations]
        counter = _ReferenceCounter(self.metric, self.corpus, index, hypothesis)
        found = _search(sentence.tokens, self._errors[index], annotators, counter, self._better, improve=windows is None)
        if windows is None or self._better(found[0], windows[0]):
            return found
        row, variants = windows
        return row, [alternative for site, variant in zip(sites, variants, strict=True) for alternative in site.choices[variant]]

    def _solve(self, index: int, hypothesis: Tokens, sites: _CoreSites, most_work: int) -> _Solved:
        """Find the best row of a sentence for some variants of its sites."""
        metric = self.metric
        most = min(most_work, _MOST_WINDOW_CELLS)
        blocks, work = core.list_blocks(
            self.corpus[index].tokens,
            hypothesis,
            sites,
            metric.gap,
            metric.mismatch,
            metric.baseline == "realigned",
            _MOST_BLOCK_ROWS,
            most_cells=most,
            most_bounds=most,
            most_beginnings=most,
        )
        if not blocks:
            return _Solved(None, (), work)
        chosen, _ = _select_best(metric, _rows_of(blocks))
        return _Solved(_add_rows(chosen), _list_variants(blocks, chosen), work)

    def _better(self, one: Row, other: Row) -> bool:
        return self.metric.key(one) > self.metric.key(other)


class _ReferenceCounter:
    """Counts a sentence against whole references, as long as there is work left for it."""

    def __init__(self, metric: IMeasure, corpus: Corpus, index: int, hypothesis: Tokens) -> None:
        self._metric, self._corpus, self._index, self._hypothesis = metric, corpus, index, hypothesis
        self._left = self._left_for_baseline = MOST_ALIGNMENT_WORK
        self._counted = False

    def __call__(self, references: tuple[Tokens, ...]) -> list[Row]:
        """Count references, or the first of them if the others would take too much work; at least one."""
        rows, work = self._count(self._hypothesis, references, self._left)
        self._left -= work
        if self._metric.baseline == "realigned":
            baseline, work = self._count(self._corpus[self._index].tokens, references[: len(rows)], self._left_for_baseline)
            self._left_for_baseline -= work
            rows = [own[:_PER_SYSTEM] + unchanged[:_PER_SYSTEM] for own, unchanged in zip(rows, baseline, strict=False)]
        if references and not rows and not self._counted:
            self._refuse("it takes too long to be aligned with a reference in seconds; cut the sentence")
        self._counted |= bool(rows)
        return rows

    def _count(self, hypothesis: Tokens, references: tuple[Tokens, ...], most_work: int) -> tuple[list[Row], int]:
        metric, source = self._metric, self._corpus[self._index].tokens
        try:
            return core.count_three_way(source, hypothesis, references, metric.gap, metric.mismatch, most_work=most_work)
        except OverflowError as error:
            self._refuse(str(error))

    def _refuse(self, reason: str) -> NoReturn:
        raise refuse(self._corpus, OverflowError(f"sentence {self._index + 1} cannot be scored: {reason}")) from None


class _IMeasureOutput(Output):
    """The output of a system, scored by I-measure."""

    def __init__(self, scorer: _IMeasureScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        return self._scorer.rows(start, self.between(start, stop))

    def alignment(self, index: int, row: int | None = None) -> Alignment:
        return self._scorer.alignment(index, self.hypothesis(index), row)

    def align(self, source: Tokens, hypothesis: Tokens, reference: Tokens) -> list[AlignmentColumn]:
        return self._scorer.align(source, hypothesis, reference)


def _rows_of(blocks: list[_CoreBlock]) -> _Blocks:
    """List the counts of every choice in each block."""
    return [[counts for _, counts in block] for _, _, block in blocks]


def _list_variants(blocks: list[_CoreBlock], chosen: tuple[Row, ...]) -> list[int]:
    """List the index of the chosen variant of each site."""
    choices = (next(choice for choice, counts in rows if counts == row) for (_, _, rows), row in zip(blocks, chosen, strict=True))
    return [variant for choice in choices for variant in choice]
