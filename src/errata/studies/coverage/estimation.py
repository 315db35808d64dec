"""How many corrections sentences have: answers of many people, estimates from them, and their intervals."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.corpus.annotators import DETECT, complete_corpus
from errata.corpus.references import NORMALISATIONS, Normalisation, make_normaliser
from errata.errors import FormatError, InputError, RequestError, UsageError, pluralise
from errata.formats.lines import display_path
from errata.formats.problems import warn_in_python
from errata.formats.tables import find_repeated, guess_table_format, list_columns, open_table, warn_of_misspelt
from errata.metrics.exact import Accuracy, IndexMatch
from errata.stats.bootstrap import check_level
from errata.stats.intervals import Matches

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from os import PathLike

    from errata.corpus.corpus import Corpus
    from errata.formats.problems import Problem
    from errata.metrics.base import Metric
    from errata.metrics.exact import Positions


_Match = Literal["exact", "index"]
_MATCHES: tuple[_Match, ...] = get_args(_Match)


@dataclass(frozen=True, slots=True)
class CorrectedSentence:
    """A sentence, and how often each correction of it was given."""

    name: str
    source: str
    """Empty if unknown."""
    corrections: Mapping[str, int]

    @property
    def answers(self) -> int:
        """The number of answers."""
        return sum(self.corrections.values())

    def grouped(self, same: MatchRule) -> dict[Hashable, int]:
        """Count how often each correction was given; answers that match are the same correction."""
        key = same.key(self)
        counts: Counter[Hashable] = Counter()
        for text, times in self.corrections.items():
            counts[key(text)] += times
        return dict(counts)

    def tokenised(self, tokenise: Callable[[str], Sequence[str]]) -> CorrectedSentence:
        """Tokenise all corrections; the source is kept."""
        counts: Counter[str] = Counter()
        for text, times in self.corrections.items():
            counts[" ".join(tokenise(text))] += times
        return CorrectedSentence(self.name, self.source, dict(counts))

    def count_frequencies(self, same: MatchRule) -> tuple[int, ...]:
        """Count how many corrections were given once, twice, ...."""
        return count_frequencies(self.grouped(same).values())


@dataclass(frozen=True)
class MatchRule:
    """When two corrections of a sentence are the same.

    ``exact`` compares texts, ``index`` the words of the source that they change (:class:`errata.IndexMatch`).
    """

    match: _Match = "exact"
    normalise: Normalisation = "words"
    positions: Positions = "published"

    def __post_init__(self) -> None:
        if self.match not in _MATCHES:
            raise UsageError(f"match must be 'exact' or 'index', found {self.match!r}")
        if self.normalise not in NORMALISATIONS:
            raise UsageError(f"unknown normalisation {self.normalise!r}; choose from {', '.join(NORMALISATIONS)}")

    def __str__(self) -> str:
        positions = f",positions={self.positions}" if self.match == "index" else ""
        return f"{self.match} match, normalise={self.normalise}{positions}"

    def key(self, sentence: CorrectedSentence) -> Callable[[str], Hashable]:
        """Return a function whose value is equal for corrections that match."""
        if self.match == "exact":
            return make_normaliser(self.normalise)
        if not sentence.source:
            raise RequestError(f"{sentence.name}: match=index needs the source of the sentence")
        metric = IndexMatch(positions=self.positions, normalise=self.normalise)
        return lambda text: metric.changes(sentence.source, text)

    @classmethod
    def of(cls, metric: Metric) -> MatchRule | None:
        """Find when two corrections of a sentence are the same for a metric that only matches sentences; None for other metrics."""
        if type(metric) is Accuracy and metric.references == "single":
            return cls("exact", metric.normalise)
        if type(metric) is IndexMatch:
            return cls("index", metric.normalise, metric.positions)
        return None

    def unchanged(self, sentence: CorrectedSentence) -> int:
        """Count the answers that leave the sentence unchanged."""
        if not sentence.source:
            return 0
        return sentence.grouped(self).get(self.key(sentence)(sentence.source), 0)


_MOST_DIGITS = 9
_COLUMNS = {"sentence": ("sentence", "sentence_id", "id"), "correction": ("correction",), "count": ("count",), "source": ("source",)}


def read_corrections(
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    warn: Callable[[Problem], None] = warn_in_python,
) -> list[CorrectedSentence]:
    r"""Read a table with the columns sentence, correction, count and optionally source: TSV, CSV, JSON Lines or Parquet.

    Without a count every row is one answer.  In TSV nothing is quoted, and ``\n``, ``\t`` and ``\\`` mean a line end, a tab and a
    backslash.  ``warn`` takes warnings about columns that are probably misspelt.
    """
    path = str(path)
    chosen = format or guess_table_format(path)
    shown = display_path(path)
    sources: dict[str, str] = {}
    counts: dict[str, dict[str, int]] = {}
    with open_table(path, chosen, quoted=chosen != "tsv") as table:
        columns = _columns(table.header, shown)
        warn_of_misspelt(table.header, list(columns.values()), _COLUMNS, shown, warn)
        for chunk in table.chunks(list(columns.values())):
            for row in range(chunk.rows):
                values = {role: chunk.columns[name][row] for role, name in columns.items()}
                line = chunk.lines.of(row)
                name, text = (_text(values[role], role, shown, line, chosen) for role in ("sentence", "correction"))
                texts = counts.setdefault(name, {})
                texts[text] = texts.get(text, 0) + _count(values.get("count", 1), shown, line)
                if "source" in values:
                    source = _text(values["source"], "source", shown, line, chosen)
                    if sources.setdefault(name, source) != source:
                        raise FormatError(
                            shown, line, f"the sentence {name[:40]!r} has two sources, {sources[name][:40]!r} and {source[:40]!r}"
                        )
    if not counts:
        raise FormatError(shown, None, "the table has no corrections")
    return [CorrectedSentence(name, sources.get(name, ""), texts) for name, texts in counts.items()]


def _columns(header: Sequence[str], path: str) -> dict[str, str]:
    if (twice := find_repeated(header)) is not None:
        raise FormatError(path, 1, f"two columns are named {twice[:40]!r}")
    columns = {}
    for role, names in _COLUMNS.items():
        if (name := next((name for name in names if name in header), None)) is not None:
            columns[role] = name
        elif role in {"sentence", "correction"}:
            raise FormatError(path, 1, f"expected a column {role}, found {list_columns(header)}")
    return columns


def _text(value: Any, role: str, path: str, line: int, format_: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise FormatError(path, line, f"{role}: expected a text, found {value!r:.60}")
    text = str(value)
    if format_ == "tsv" and "\\" in text:
        text = text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")
    return text


def _count(value: Any, path: str, line: int) -> int:
    text = str(value)
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else 0
    if number < 1 or isinstance(value, bool):
        raise FormatError(path, line, f"count: expected a whole number from 1, found {value!r:.60}")
    return number


def collect_corrections(corpus: Corpus, missing: str = DETECT) -> list[CorrectedSentence]:
    """Collect the references of a corpus: one correction of each annotator, with the first of alternatives.

    ``missing`` says what an annotator without a line is (:mod:`errata.corpus.annotators`); by default, what the corpus leaves out.
    """
    sentences = []
    for number, sentence in zip(corpus.numbers, complete_corpus(corpus, missing), strict=True):
        texts = Counter(" ".join(sentence.corrected(annotation)) for annotation in sentence.annotations)
        sentences.append(CorrectedSentence(str(number), sentence.text, dict(texts or {sentence.text: 1})))
    if not sentences:
        raise InputError("there are no sentences")
    return sentences


# --- UnseenEst (Zou et al. 2015): how many corrections a sentence has, and how probable each is, from a sample of answers.
#
# Frequency counts say how many corrections were given once, twice, and so on.  Of all distributions over a grid of probabilities, a linear
# program finds the one whose expected frequency counts are closest to the observed ones.

_GRID_STEP = 1.05
_GRID_START = 100
"""The smallest probability is 1 / (this · number of answers)."""
_MOST_VARIANTS = 65e6
"""The most corrections that a sentence may have."""
_FEWEST_ANSWERS = 2
_MOST_FREQUENT = 4_000
"""How often the most frequent correction may be given; the program grows with it."""


def count_frequencies(counts: Iterable[int]) -> tuple[int, ...]:
    """Count how many corrections were given once, twice, ..., as often as the most frequent one.

    >>> count_frequencies([3, 1, 1])
    (2, 0, 1)
    """
    times = list(counts)
    for number in times:
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise InputError(f"the frequency of a correction must be a whole number from 1, found {number!r}")
    frequencies = [0] * max(times, default=0)
    for number in times:
        frequencies[number - 1] += 1
    return tuple(frequencies)


@dataclass(frozen=True)
class Distribution:
    """The number of corrections for each probability."""

    frequencies: Any
    """Probabilities, from small to large."""
    variants: Any
    """The expected number of corrections with each probability; not a whole number."""
    objective: float = 0.0
    """The distance between expected and observed frequency counts."""

    def number_above(self, frequency: float = 0.0) -> float:
        """Compute the number of corrections that are more probable than this."""
        return float(self.variants[self.frequencies > frequency].sum())

    def mass_above(self, frequency: float = 0.0) -> float:
        """Compute the total probability of these corrections."""
        kept = self.frequencies > frequency
        return float(self.frequencies[kept] @ self.variants[kept])

    def coverage(self, references: float) -> float:
        """Compute the probability that an answer is among so many references, sampled like it, with repetitions."""
        return float(self.variants @ (self.frequencies * -_power_less_one(self.frequencies, references)))

    def coverage_of_distinct(self, references: int) -> float:
        """Compute the same for distinct references: with as many draws as give so many distinct ones on average."""
        if references >= self.variants.sum():
            return 1.0
        draws = _draws_for(self, references)
        return self.coverage(draws)


def _power_less_one(frequencies: Any, draws: float) -> Any:
    """Compute (1 - x)^draws - 1, accurate for small x."""
    import numpy as np

    if draws == 0:
        return np.zeros_like(frequencies)
    with np.errstate(divide="ignore"):
        return np.expm1(draws * np.log1p(-np.minimum(frequencies, 1.0)))


def _draws_for(distribution: Distribution, references: int) -> float:
    """Compute how many draws give so many distinct corrections on average."""
    from scipy.optimize import brentq

    def missing(draws: float) -> float:
        return references + float(distribution.variants @ _power_less_one(distribution.frequencies, draws))

    high = float(references)
    while missing(high) > 0:
        high *= 2
    return float(brentq(missing, 0.0, high, xtol=1e-9))


def _binomial(times: Any, answers: int, chances: Any) -> Any:
    """Compute the probability to be given so often."""
    import numpy as np
    from scipy.special import gammaln, xlog1py, xlogy

    ways = gammaln(answers + 1) - gammaln(times + 1) - gammaln(np.maximum(answers - times, 0) + 1)
    probabilities = np.exp(ways + xlogy(times, chances) + xlog1py(answers - times, -chances))
    return np.where(times <= answers, probabilities, 0.0)


def estimate(frequency_counts: Sequence[int], name: str = "", trials: int | None = None) -> Distribution:
    """Estimate the distribution whose expected frequency counts are closest to the observed ones; ``name`` is for messages.

    ``trials`` is how often each variant could have been seen (default the number of answers).  It differs if one trial has many
    variants, such as a genome, whose probabilities do not sum to 1.

    >>> round(estimate((15, 2, 1, 0, 1, 1, 1, 0, 0, 1)).mass_above(0.1), 2)
    0.6
    """
    import numpy as np
    from scipy import sparse
    from scipy.optimize import linprog

    where = f"{name}: " if name else ""
    answers = sum(times * number for times, number in enumerate(frequency_counts, start=1))
    if answers < _FEWEST_ANSWERS:
        raise RequestError(f"{where}a distribution cannot be estimated from {pluralise(answers, 'answer')}")
    if len(frequency_counts) > _MOST_FREQUENT:
        raise RequestError(f"{where}a correction may be given at most {_MOST_FREQUENT:,} times, found {len(frequency_counts):,}")
    trials = answers if trials is None else trials
    seen = np.array([*frequency_counts, *[0] * int(np.ceil(np.sqrt(len(frequency_counts))))], dtype=float)
    smallest, largest = 1 / (_GRID_START * trials), len(frequency_counts) / trials
    steps = int(np.ceil(np.log(largest / smallest) / np.log(_GRID_STEP) - 1e-9))
    grid = np.minimum(1.0, smallest * _GRID_STEP ** np.arange(steps + 1))
    # The unknowns are masses, not numbers of corrections, so that all have the same magnitude.
    times = np.arange(1, len(seen) + 1)
    expected = _binomial(times[:, None], trials, grid[None, :]) / grid[None, :]
    size, count = len(grid), len(seen)
    weights = 1 / np.sqrt(seen + 1)
    difference = sparse.vstack([sparse.eye_array(count), sparse.csc_array((1, count))])  # as matrices they would grow with the square
    equal = sparse.hstack([sparse.csc_array(np.vstack([expected, np.ones(size)])), difference, -difference], format="csc")
    limit = np.concatenate([1 / grid, np.zeros(2 * count)])[None, :]
    solution = linprog(
        np.concatenate([np.zeros(size), weights, weights]),
        A_ub=limit,
        b_ub=[_MOST_VARIANTS],
        A_eq=equal,
        b_eq=[*seen, answers / trials],
        method="highs",
    )
    if not solution.success:
        raise RequestError(f"{where}no distribution was found: {solution.message}")
    masses = solution.x[:size]
    return Distribution(grid, masses / grid, float(solution.fun))


# --- Classical estimates from frequency counts, to compare with the linear program.


class ClassicalEstimates(NamedTuple):
    """Classical estimates from a sample of answers."""

    seen: int
    """The number of distinct corrections."""
    answers: int
    """The number of answers."""
    good_turing: float
    """The probability that the next answer was seen before: 1 minus the share of corrections seen once (Good 1953)."""
    chao1: float
    """A lower bound of the number of corrections (Chao 1984, bias-corrected)."""
    jackknife: float
    """An estimate of the number of corrections (Burnham and Overton 1978, first order)."""


def count_coverage(counts: Sequence[int], references: int) -> float | None:
    """Compute the probability that an answer is among a number of others, averaged over all combinations of the given answers.

    It has no model and no bias, but needs more answers than references; None otherwise.

    >>> round(count_coverage([2, 1, 1], 1), 4), count_coverage([2, 1, 1], 4)
    (0.1667, None)
    """
    answers = sum(counts)
    if references >= answers:
        return None
    missed = 0.0
    for own, kinds in Counter(counts).items():
        chance = kinds * own / answers  # that it is the answer; below: and not among the references
        for step in range(references):
            chance *= max(0, answers - own - step) / (answers - 1 - step)
        missed += chance
    return 1 - missed


def _compute_standard_error(counts: Sequence[int], references: int) -> float | None:
    """Compute the standard error of :func:`count_coverage` by the jackknife; None if there are too few answers."""
    answers = sum(counts)
    if references >= answers - 1:
        return None
    without: list[tuple[int, float]] = []
    for own, kinds in Counter(counts).items():  # corrections of equal frequency give the same value
        rest = list(counts)
        rest.remove(own)
        coverage = count_coverage([*rest, own - 1] if own > 1 else rest, references)
        without.append((own * kinds, coverage if coverage is not None else 0.0))
    mean = sum(own * value for own, value in without) / answers
    return math.sqrt((answers - 1) / answers * sum(own * (value - mean) ** 2 for own, value in without))


def estimate_classically(frequency_counts: Sequence[int]) -> ClassicalEstimates:
    """Estimate how many corrections there are by classical formulas.

    >>> estimate_classically((2, 1))
    ClassicalEstimates(seen=3, answers=4, good_turing=0.5, chao1=3.5, jackknife=4.5)
    """
    once = frequency_counts[0] if frequency_counts else 0
    twice = frequency_counts[1] if len(frequency_counts) > 1 else 0
    seen = sum(frequency_counts)
    answers = sum(times * number for times, number in enumerate(frequency_counts, start=1))
    chao1 = seen + once * (once - 1) / (2 * (twice + 1))
    return ClassicalEstimates(
        seen, answers, 1 - once / answers if answers else 0.0, chao1, seen + once * (answers - 1) / answers if answers else 0.0
    )


GAMMAS = (0.0, 0.001, 0.01, 0.1)
"""Probabilities above which corrections are counted, as in Table 1 of Choshen and Abend."""
_FEW_ANSWERS = 10
"""With fewer answers an estimate is not reliable."""


@dataclass(frozen=True)
class SentenceEstimate:
    """The estimates for one sentence."""

    sentence: CorrectedSentence
    frequency_counts: tuple[int, ...]
    distribution: Distribution
    classical: ClassicalEstimates

    counts: tuple[int, ...] = ()
    """How often each correction was given."""

    @property
    def warning(self) -> str:
        """Why the estimate is not reliable; empty if it is."""
        if self.classical.answers < _FEW_ANSWERS:
            return f"only {pluralise(self.classical.answers, 'answer')}"
        if self.frequency_counts[0] == self.classical.answers:
            return "no two answers are the same, so the number of other corrections cannot be estimated"
        return ""


def estimate_sentences(
    sentences: Sequence[CorrectedSentence], same: MatchRule, progress: Callable[[int], None] | None = None
) -> list[SentenceEstimate]:
    """Estimate the distribution of corrections of every sentence."""
    if not sentences:
        raise InputError("there are no sentences to estimate")
    estimates = []
    for sentence in sentences:
        counts = tuple(sentence.grouped(same).values())
        frequency_counts = count_frequencies(counts)
        estimates.append(
            SentenceEstimate(
                sentence, frequency_counts, estimate(frequency_counts, sentence.name), estimate_classically(frequency_counts), counts
            )
        )
        if progress is not None:
            progress(1)
    return estimates


def compute_coverage(estimates: Sequence[SentenceEstimate]) -> Coverage:
    """Make the coverage of all sentences."""
    return Coverage(tuple(item.distribution for item in estimates))


@dataclass(frozen=True)
class Coverage:
    """Coverage and accuracy, averaged over sentences."""

    distributions: tuple[Distribution, ...]

    def variants(self, gamma: float = 0.0) -> float:
        """Compute the mean number of corrections that are more probable than this."""
        return _mean_of_estimates([item.number_above(gamma) for item in self.distributions])

    def mass(self, gamma: float = 0.0) -> float:
        """Compute the mean total probability of these corrections."""
        return _mean_of_estimates([item.mass_above(gamma) for item in self.distributions])

    def chances(self, references: int, *, distinct: bool = False) -> tuple[float, ...]:
        """Compute for each sentence the probability that a perfect corrector matches one of so many references."""
        if references < 0:
            raise UsageError(f"the number of references must be a whole number from 0, found {references}")
        return tuple(
            min(1.0, item.coverage_of_distinct(references) if distinct else item.coverage(references)) for item in self.distributions
        )

    def accuracy(self, references: int, *, distinct: bool = False) -> float:
        """Compute the expected accuracy of a perfect corrector."""
        return _mean_of_estimates(self.chances(references, distinct=distinct))

    def matches(self, references: int, *, distinct: bool = False) -> Matches:
        """Compute the distribution of the number of sentences that a perfect corrector matches."""
        return Matches(self.chances(references, distinct=distinct))

    def references_for(self, accuracy: float) -> int | None:
        """Find the fewest references for an expected accuracy of a perfect corrector; None if a billion are not enough."""
        if not 0 < accuracy < 1:
            raise UsageError(f"a target accuracy must be a number between 0 and 1, found {accuracy}")
        accuracy -= 1e-12  # against rounding errors
        low, high = 0, 1
        while self.accuracy(high) < accuracy:
            low, high = high, 2 * high
            if high > 1 << 30:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.accuracy(middle) < accuracy else (low, middle)
        return high


class Counted(NamedTuple):
    """The unbiased expected accuracy by counting, and its standard error."""

    accuracy: float
    error: float | None
    """None if there are too few answers to leave one out."""


def count_accuracy(estimates: Sequence[SentenceEstimate], references: int) -> Counted | None:
    """Count the expected accuracy with so many references; None if a sentence has too few answers."""
    coverages = [count_coverage(item.counts, references) for item in estimates]
    values = [value for value in coverages if value is not None]
    if len(values) < len(coverages):
        return None
    errors = [_compute_standard_error(item.counts, references) for item in estimates]
    known = [error for error in errors if error is not None]
    error = math.sqrt(sum(own**2 for own in known)) / len(known) if len(known) == len(errors) else None
    return Counted(_mean_of_estimates(values), error)


def _mean_of_estimates(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def correct_accuracy(accuracy: float, coverage: float, needed: float = 1.0) -> float | None:
    """Correct the accuracy of a system for the coverage of its references; None if the result is not defined.

    The expected accuracy is TrueAcc - b, and the bias b is TrueAcc · needed · (1 - coverage), if ``needed`` is the share of
    sentences that need a correction (Choshen and Abend, section 3.4, equations 3 to 6).  So TrueAcc is the accuracy divided by
    that of a perfect corrector.

    >>> round(correct_accuracy(0.12, 0.24), 2), round(correct_accuracy(0.31, 0.24, needed=0.5), 2)
    (0.5, 0.5)
    """
    for name, share in (("accuracy", accuracy), ("coverage", coverage), ("needed", needed)):
        if not 0 <= share <= 1:
            raise UsageError(f"{name} must be a number from 0 to 1, found {share}")
    perfect = 1 - needed * (1 - coverage)
    return accuracy / perfect if perfect > 0 else None


def compute_worth(p_detect: float, p_correct: float, p_coverage: float, reward: float = 1.0, penalty: float = 0.0) -> float:
    """Compute the expected gain of correcting a phrase over leaving it (Choshen and Abend, section 3.1).

    ``p_detect`` is the probability that the phrase is wrong, ``p_correct`` that the corrector finds a valid correction, and
    ``p_coverage`` that it is among the references.  Below 0 the phrase should be left uncorrected.

    >>> compute_worth(0.7, 0.5, 0.4) < 0 < compute_worth(0.9, 0.5, 0.4)
    True
    """
    for name, chance in (("p_detect", p_detect), ("p_correct", p_correct), ("p_coverage", p_coverage)):
        if not 0 <= chance <= 1:
            raise UsageError(f"{name} must be a number from 0 to 1, found {chance}")
    rewarded = p_correct * p_coverage
    return rewarded * reward - (1 - rewarded) * penalty - (1 - p_detect)


# --- Intervals of estimates of coverage, by a parametric bootstrap.
#
# Replicates are sampled from the estimated distributions, because the given answers lack the unseen corrections that are estimated.  The
# ends are those of the basic bootstrap: as far below the estimate as replicates are above it.

_FEWEST_REPLICATES, _MOST_REPLICATES, DEFAULT_REPLICATES = 20, 10_000, 100
_FREQUENT = 0.01
"""The probability above which a correction is frequent."""


class Range(NamedTuple):
    """An interval."""

    low: float
    high: float


def compute_estimate_intervals(
    estimates: Sequence[SentenceEstimate],
    summaries: Callable[[Sequence[SentenceEstimate]], Sequence[float]],
    *,
    level: float = 0.95,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> list[Range]:
    """Compute the intervals of summaries of estimates, in their order."""
    import numpy as np

    check_level(level)
    if not _FEWEST_REPLICATES <= replicates <= _MOST_REPLICATES:
        raise UsageError(f"replicates must be a whole number from {_FEWEST_REPLICATES} to {_MOST_REPLICATES:,}, found {replicates}")
    draw = np.random.default_rng(seed)
    observed = np.array(summaries(estimates))
    rows = []
    for _ in range(replicates):
        drawn = []
        for item in estimates:
            frequency_counts = _draw_frequency_counts(item.distribution, item.classical.answers, draw)
            drawn.append(
                SentenceEstimate(
                    item.sentence, frequency_counts, estimate(frequency_counts, item.sentence.name), estimate_classically(frequency_counts)
                )
            )
            if progress is not None:
                progress(1)
        rows.append(list(summaries(drawn)))
    outside = (1 - level) / 2
    low, high = np.percentile(np.array(rows), [100 * outside, 100 * (1 - outside)], axis=0)
    return [Range(float(one), float(other)) for one, other in zip(2 * observed - high, 2 * observed - low, strict=True)]


def _draw_frequency_counts(distribution: Distribution, answers: int, draw: Any) -> tuple[int, ...]:
    """Sample answers from a distribution, and return their frequency counts."""
    import numpy as np

    masses = np.maximum(distribution.frequencies * distribution.variants, 0.0)
    bins = draw.multinomial(answers, masses / masses.sum())
    counts: list[int] = []
    for index in np.flatnonzero(bins):
        kinds = max(1, round(float(distribution.variants[index])))
        _, times = np.unique(draw.integers(0, kinds, size=bins[index]), return_counts=True)
        counts += times.tolist()
    return count_frequencies(counts)


class _SentenceIntervals(NamedTuple):
    """Intervals of one sentence."""

    corrections: Range
    """Of the number of corrections."""
    frequent_mass: Range
    """Of the total probability of the frequent corrections."""


class CoverageIntervals(NamedTuple):
    """Intervals of all estimates, cut to possible values: numbers from 0, shares from 0 to 1."""

    corrections: list[Range]
    """More probable than each of GAMMAS."""
    mass: list[Range]
    accuracy: list[Range]
    """For each number of references."""
    distinct: list[Range]
    """For each number of distinct references."""
    chao1: Range
    jackknife: Range
    good_turing: Range
    sentences: list[_SentenceIntervals]


def compute_coverage_intervals(
    estimates: Sequence[SentenceEstimate],
    numbers: Sequence[int],
    *,
    level: float = 0.95,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> CoverageIntervals:
    """Compute all intervals for these numbers of references."""

    def shares(drawn: Sequence[SentenceEstimate]) -> list[float]:
        coverage = compute_coverage(drawn)
        masses = [coverage.mass(gamma) for gamma in GAMMAS]
        masses += [coverage.accuracy(number, distinct=distinct) for distinct in (False, True) for number in numbers]
        return [*masses, _mean_of_replicates(drawn, "good_turing"), *(item.distribution.mass_above(_FREQUENT) for item in drawn)]

    def sizes(drawn: Sequence[SentenceEstimate]) -> list[float]:
        coverage = compute_coverage(drawn)
        masses = [
            *(coverage.variants(gamma) for gamma in GAMMAS),
            _mean_of_replicates(drawn, "chao1"),
            _mean_of_replicates(drawn, "jackknife"),
        ]
        return [*masses, *(item.distribution.number_above() for item in drawn)]

    masses = compute_estimate_intervals(
        estimates, lambda drawn: sizes(drawn) + shares(drawn), level=level, replicates=replicates, seed=seed, progress=progress
    )
    border = len(GAMMAS) + 2 + len(estimates)
    of_sizes = [Range(max(0.0, item.low), max(0.0, item.high)) for item in masses[:border]]
    of_shares = [Range(min(1.0, max(0.0, item.low)), min(1.0, max(0.0, item.high))) for item in masses[border:]]
    corrections, (chao1, jackknife), own = of_sizes[: len(GAMMAS)], of_sizes[len(GAMMAS) : len(GAMMAS) + 2], of_sizes[len(GAMMAS) + 2 :]
    mass, rest = of_shares[: len(GAMMAS)], of_shares[len(GAMMAS) :]
    accuracy, distinct, rest = rest[: len(numbers)], rest[len(numbers) : 2 * len(numbers)], rest[2 * len(numbers) :]
    sentences = [_SentenceIntervals(*pair) for pair in zip(own, rest[1:], strict=True)]
    return CoverageIntervals(corrections, mass, accuracy, distinct, chao1, jackknife, rest[0], sentences)


def _mean_of_replicates(estimates: Sequence[SentenceEstimate], name: str) -> float:
    """Compute the mean of a classical estimate."""
    return float(sum(getattr(item.classical, name) for item in estimates)) / len(estimates)
