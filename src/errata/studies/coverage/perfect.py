"""The score of a perfect corrector, whose output is another person's correction, and scores relative to it."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from errata import __version__
from errata.corpus.annotators import complete_corpus
from errata.corpus.corpus import Annotation, Corpus, Sentence, extract_edits
from errata.corpus.references import DIGITS
from errata.errors import InputError, RequestError, UsageError, pluralise
from errata.metrics import registry
from errata.metrics.registry import check_contract
from errata.metrics.strategies import Choose, SingleRow
from errata.scoring.scores import name_package
from errata.settings import write_value
from errata.stats.bootstrap import Bootstrap
from errata.stats.intervals import Interval, make_interval
from errata.stats.resampling import resample_sums
from errata.studies.coverage.estimation import MatchRule, compute_coverage, estimate_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from errata.corpus.corpus import Edit
    from errata.corpus.texts import Tokens
    from errata.metrics.base import Metric
    from errata.metrics.ratios import Row
    from errata.metrics.strategies import Strategy
    from errata.studies.coverage.estimation import CorrectedSentence


def _describe_corrections(path: str, sentences: Sequence[CorrectedSentence]) -> str:
    """Name a table of corrections, with its size and hash."""
    answers = pluralise(sum(sentence.answers for sentence in sentences), "answer")
    size = f"{pluralise(len(sentences), 'sentence')}, {answers}"
    return f"corrections {PurePath(path).name}, {size}, sha256 {_fingerprint(sentences)}"


def _fingerprint(sentences: Sequence[CorrectedSentence]) -> str:
    """Compute the first digits of the SHA-256 of all sources, corrections and counts, in their order; names do not count."""
    digest = hashlib.sha256()
    for sentence in sentences:
        fields = [sentence.source, *(f"{times}\x1f{text}" for text, times in sentence.corrections.items())]
        digest.update(("\x1e".join(fields) + "\x1c").encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:DIGITS]


def make_sampling_signature(
    corrector: PerfectCorrector, path: str, sentences: Sequence[CorrectedSentence], settings: Mapping[str, bool | int]
) -> str:
    """Name everything that can change the score of a perfect corrector: metric, settings of test sets, corrections and version."""
    given = dict(settings)
    if not corrector.counts_references_alone:
        given["scored_outputs"] = corrector.scored
    written = ",".join(f"{name}={write_value(value)}" for name, value in given.items())
    corrections = _describe_corrections(path, sentences)
    return f"{corrector.metric.signature}{name_package(corrector.metric)} | {written} | {corrections} | errata {__version__}"


class _Sample:
    """Sampled sentences; for each the index of the text that is the output, and those of the texts that are references."""

    def __init__(self, sentences: Any, outputs: Any, references: Any) -> None:
        self.sentences, self.outputs, self.references = sentences, outputs, references


class _AnswerPool:
    """The source of each sentence and the texts that were given for it, ready to be sampled."""

    def __init__(self, sentences: Sequence[CorrectedSentence], tokenise: Callable[[str], Sequence[str]]) -> None:
        import numpy as np

        if not sentences:
            raise InputError("there are no sentences to score")
        counted = [_count_texts(sentence, tokenise) for sentence in sentences]
        self.sources = [tuple(sentence.source.split()) for sentence in sentences]
        self.texts = [list(own) for own in counted]
        """The different texts of each sentence."""
        times = [list(own.values()) for own in counted]
        self.numbers = np.array([sum(own) for own in times])
        """The number of answers of each sentence."""
        # The answers of all sentences are concatenated, so that one search finds the text of any of them.
        self._before = np.cumsum([0, *self.numbers[:-1]])
        self._ends = np.concatenate([np.cumsum(own) + before for own, before in zip(times, self._before, strict=True)])
        self._first = np.cumsum([0, *(len(own) for own in times[:-1])])

    def sample(self, draw: Any, references: int, size: int, *, others: bool) -> _Sample:
        """Sample sentences, outputs and references; with ``others`` an answer is never its own reference."""
        import numpy as np

        sentences = draw.integers(0, len(self.numbers), size=size)
        given = (draw.random(size) * self.numbers[sentences]).astype(np.int64)
        taken = (draw.random((size, references)) * (self.numbers[sentences] - others)[:, None]).astype(np.int64)
        if others:
            taken += taken >= given[:, None]
        return _Sample(sentences, self._find_texts(sentences, given[:, None])[:, 0], self._find_texts(sentences, taken))

    def _find_texts(self, sentences: Any, answers: Any) -> Any:
        """Find the index of the text of each answer."""
        import numpy as np

        texts = np.searchsorted(self._ends, self._before[sentences][:, None] + answers, side="right")
        return texts - self._first[sentences][:, None]


def _count_texts(sentence: CorrectedSentence, tokenise: Callable[[str], Sequence[str]]) -> dict[Tokens, int]:
    """Count how often each token sequence was given."""
    if not sentence.source:
        raise RequestError(f"{sentence.name}: a score needs the source of the sentence")
    texts: dict[Tokens, int] = {}
    for text, times in sentence.corrections.items():
        tokens = tuple(tokenise(text))
        texts[tokens] = texts.get(tokens, 0) + times
    return texts


# The counts of answers as outputs, against answers as references.  Most metrics give each reference a row that does not depend on the other
# references.  Then every output is counted against every reference once, and a test set takes only sums.  Other metrics, such as I-measure,
# which mixes the corrections of all references, count an output against all its references together.

if TYPE_CHECKING:
    _Progress = Callable[[int], None]

_TRIED = 3
"""Sentences with which is found out whether rows depend on other references."""
_CHUNK = 100
"""Outputs that are counted together."""


class _AnswerCounter:
    """Counts answers of a crowd against each other, by a metric."""

    def __init__(self, metric: Metric, answers: _AnswerPool) -> None:
        if metric.referenceless:
            raise RequestError(f"{metric} uses no references, so it cannot be scored with a number of them")
        if metric.needs:
            raise RequestError(f"{metric} needs {' and '.join(metric.needs)} of every text, so it cannot be simulated")
        self._metric, self._answers = metric, answers
        self._edits: dict[tuple[int, int], tuple[Edit, ...]] = {}

    def counts_references_alone(self) -> bool:
        """Whether each reference has a row of its own, which is the same without the other references."""
        if isinstance(self._metric.strategy, SingleRow) or self._metric.mixes_references:
            return False
        several = [index for index, texts in enumerate(self._answers.texts) if len(texts) > 1][:_TRIED]
        for index in several:
            texts = range(len(self._answers.texts[index]))
            together = self._count([(index, 0, tuple(texts))])[0]
            if together != tuple(row for text in texts for row in self._count([(index, 0, (text,))])[0]):
                return False
        return True

    def count_all(self, index: int) -> list[Row]:
        """Count every text of a sentence as an output against every text as a reference, one output after the other."""
        texts = self._answers.texts[index]
        sentence = self._make_sentence(index, range(len(texts)))

        def count() -> list[Row]:
            scorer = self._metric.scorer(Corpus((sentence,)))
            rows = [tuple(scorer.prepare([text]).rows(0, 1)[0]) for text in texts]
            if found := next((len(own) for own in rows if len(own) != len(texts)), None):
                raise RequestError(f"{self._metric} must give each reference a row, found {found} for {len(texts)} references")
            return [tuple(row) for own in rows for row in own]

        result: list[Row] = registry.METRICS.run(self._metric.name, count)
        return result

    def count_sample(self, sample: _Sample, progress: _Progress | None) -> list[tuple[Row, ...]]:
        """Count sampled outputs, each against all its references together."""
        wanted = [
            (int(index), int(output), tuple(references))
            for index, output, references in zip(sample.sentences, sample.outputs, sample.references.tolist(), strict=True)
        ]
        known: dict[tuple[int, int, tuple[int, ...]], tuple[Row, ...]] = {}
        for first in range(0, len(wanted), _CHUNK):
            chunk = wanted[first : first + _CHUNK]
            new = [item for item in dict.fromkeys(chunk) if item not in known]
            known |= zip(new, self._count(new), strict=True)
            if progress is not None:
                progress(len(chunk))
        return [known[item] for item in wanted]

    def count_error_free(self, references: int) -> list[tuple[Row, ...]]:
        """Count the source of each sentence as if it had no errors: as the output, and as every reference."""
        annotations = tuple(Annotation(str(number)) for number in range(references))
        return self._rows([Sentence(source, annotations) for source in self._answers.sources], self._answers.sources)

    def _count(self, wanted: Sequence[tuple[int, int, tuple[int, ...]]]) -> list[tuple[Row, ...]]:
        """Count outputs; each is given as a sentence, a text and the texts of its references."""
        sentences = [self._make_sentence(index, references) for index, _, references in wanted]
        return self._rows(sentences, [self._answers.texts[index][output] for index, output, _ in wanted])

    def _make_sentence(self, index: int, references: Iterable[int]) -> Sentence:
        """Make a sentence with these texts as references."""
        annotations = (Annotation(str(number), self._extract(index, text)) for number, text in enumerate(references))
        return Sentence(self._answers.sources[index], tuple(annotations))

    def _rows(self, sentences: Sequence[Sentence], outputs: Sequence[Tokens]) -> list[tuple[Row, ...]]:
        def count() -> Any:
            return self._metric.scorer(Corpus(tuple(sentences))).prepare(outputs).rows(0, len(outputs))

        rows = registry.METRICS.run(self._metric.name, count) if sentences else []
        return [tuple(tuple(row) for row in own) for own in rows]

    def _extract(self, index: int, text: int) -> tuple[Edit, ...]:
        """Extract the edits of a text once."""
        key = index, text
        if key not in self._edits:
            self._edits[key] = extract_edits(self._answers.sources[index], self._answers.texts[index][text])
        return self._edits[key]


# Simulated test sets as matrices of counts, with one row per sentence, that a strategy can sum and score.

_LARGEST = 1 << 62
"""The largest sum that fits into the core's whole numbers."""


class _SimulatedSets(Protocol):
    """Simulated test sets."""

    def make_matrix(self, number: int) -> Any:
        """Make the matrix of a test set, counted from 0; each is made once, in order."""


class _RowTable(NamedTuple):
    """The counts of every text as an output against every text as a reference, for all sentences."""

    rows: Sequence[Row]
    starts: Any
    """The index of the first row of each sentence."""
    sizes: Any
    """The number of texts of each sentence."""

    def find(self, sample: _Sample) -> Any:
        """Find the index of the row of each sampled output and reference."""
        return (self.starts[sample.sentences] + sample.outputs * self.sizes[sample.sentences])[:, None] + sample.references


def _make_simulated_sets(
    strategy: Strategy, table: _RowTable, sample: Callable[[], _Sample], error_free: Sequence[Sequence[Row]]
) -> _SimulatedSets:
    """Make test sets whose references have rows of their own."""
    if isinstance(strategy, Choose) and table.rows:
        pairs = [strategy.ratio.of(row) for row in table.rows]
        neutral = strategy.rule == "sentence" or all(strategy.ratio.of(own[0]) == (0, 0) for own in error_free)
        if neutral and max(number for pair in pairs for number in pair) < _LARGEST >> 32:
            return _ChosenSets(strategy, table, pairs, sample, error_free)
    return _RowSets(strategy, table, sample, error_free)


class _ChosenSets:
    """A reference is chosen by the core, which is fast.

    Sentences without errors do not change the choice, so they are added afterwards.
    """

    def __init__(
        self,
        strategy: Choose,
        table: _RowTable,
        pairs: Sequence[tuple[int, int]],
        sample: Callable[[], _Sample],
        error_free: Sequence[Sequence[Row]],
    ) -> None:
        import numpy as np

        self._rule, self._table, self._sample = strategy.rule, table, sample
        self._pairs, self._counts = np.array(pairs, dtype=np.int64), np.array(table.rows, dtype=np.float64)
        self._error_free = np.array([own[0] for own in error_free], dtype=np.float64)

    def make_matrix(self, number: int) -> Any:
        """Sample a test set, and choose among its references."""
        import numpy as np

        del number
        chosen = self._counts[self._choose(self._table.find(self._sample()))]
        return np.vstack([chosen, self._error_free]) if len(self._error_free) else chosen

    def _choose(self, indices: Any) -> Any:
        import numpy as np

        from errata.core import rechoose

        size, references = indices.shape
        flat = indices.ravel()
        starts = np.arange(0, size * references + 1, references, dtype=np.int64)
        if self._rule == "sentence":
            return flat[_choose_alone(self._pairs[indices]) + starts[:-1]]
        order = np.arange(size, dtype=np.int32)[None, :]
        times = rechoose(np.ascontiguousarray(self._pairs[flat]), starts, order, self._rule == "optimal")[0]
        return flat[times > 0]


class _RowSets:
    """The strategy itself uses the rows of all references."""

    def __init__(self, strategy: Strategy, table: _RowTable, sample: Callable[[], _Sample], error_free: Sequence[Sequence[Row]]) -> None:
        self._strategy, self._table, self._sample, self._error_free = strategy, table, sample, error_free

    def make_matrix(self, number: int) -> Any:
        """Sample a test set."""
        del number
        rows = self._table.rows
        wanted = self._table.find(self._sample()).tolist()
        return _make_matrix(self._strategy, [*([rows[index] for index in own] for own in wanted), *self._error_free])


class _UnitSets:
    """Outputs that were scored against all their references; test sets are resampled from them, or take them in order."""

    def __init__(
        self, strategy: Strategy, units: Sequence[Sequence[Row]], error_free: Sequence[Sequence[Row]], size: int, draw: Any
    ) -> None:
        self._strategy, self._units, self._error_free, self._size = strategy, units, error_free, size
        self._draw = draw
        """Random numbers; None if there are enough units for all test sets."""

    def make_matrix(self, number: int) -> Any:
        """Take the units of a test set."""
        if self._draw is None:
            taken: Sequence[int] = range(number * self._size, (number + 1) * self._size)
        else:
            taken = self._draw.integers(0, len(self._units), size=self._size).tolist()
        return _make_matrix(self._strategy, [*(self._units[index] for index in taken), *self._error_free])


def _make_matrix(strategy: Strategy, rows: Sequence[Sequence[Row]]) -> Any:
    return strategy.matrix(rows, strategy.choose(rows))


def _choose_alone(pairs: Any) -> Any:
    """Choose for each sentence the reference with the largest ratio (0/0 is 1), then numerator, then the smallest denominator."""
    import numpy as np

    above, below = pairs[..., 0].astype(float), pairs[..., 1].astype(float)
    ratio = np.divide(above, below, out=np.ones_like(above), where=below != 0)
    best = np.ones(ratio.shape, dtype=bool)
    for key in (ratio, above, -below):
        kept = np.where(best, key, -np.inf)
        best &= kept == kept.max(axis=1, keepdims=True)
    return best.argmax(axis=1)


# --- The score of a perfect corrector, whose output is another person's correction.
#
# Test sets are sampled from the answers of a crowd: sentences, an output for each, and a number of references (Choshen and Abend, section
# 3.4).  They are scored by any metric that uses references.

SENTENCES, WITHOUT_ERRORS = 1312, 136
"""The sentences of the CoNLL-2014 test set: all, and those without errors."""
_MOST_SIMULATIONS = 100_000
_MOST_REFERENCES = 1_000
SCORED_OUTPUTS, _MOST_SCORED_OUTPUTS = 5_000, 10_000_000
"""Outputs that are scored if a metric scores an output against all its references together: by default, and at most."""


@dataclass(frozen=True)
class Simulation:
    """Scores of a perfect corrector on simulated test sets."""

    references: int
    values: Any
    """One for each test set."""
    interval: Interval
    """The BCa interval of the first test set."""

    @property
    def mean(self) -> float:
        """The expected score."""
        return float(self.values.mean())

    def central(self, level: float = 0.95) -> tuple[float, float]:
        """Compute the central range of the scores of all test sets."""
        import numpy as np

        low, high = np.percentile(self.values, [50 * (1 - level), 50 * (1 + level)])
        return float(low), float(high)


class PerfectCorrector:
    """The answers of a crowd, scored against each other by a metric.

    If the metric scores an output against all its references together, ``scored`` outputs are sampled and scored for each number
    of references, and test sets are sampled from these; all outputs are scored if the test sets have no more.
    """

    def __init__(
        self,
        sentences: Sequence[CorrectedSentence],
        metric: str | Metric = "maxmatch",
        tokenise: Callable[[str], Sequence[str]] | None = None,
        progress: _Progress | None = None,
        *,
        scored: int = SCORED_OUTPUTS,
    ) -> None:
        import numpy as np

        if not 1 <= scored <= _MOST_SCORED_OUTPUTS:
            raise UsageError(f"scored outputs must be a whole number from 1 to {_MOST_SCORED_OUTPUTS:,}, found {scored}")
        self.metric = registry.metric(metric)
        check_contract(self.metric)
        self.scored = scored
        self._answers = _AnswerPool(sentences, tokenise or str.split)
        self._counter = _AnswerCounter(self.metric, self._answers)
        self.counts_references_alone = self._counter.counts_references_alone()
        """Whether every output was scored against every reference once; else outputs are scored against all their references."""
        rows: list[Row] = []
        starts = []
        for index in range(len(sentences)):
            starts.append(len(rows))
            if self.counts_references_alone:
                rows += self._counter.count_all(index)
            if progress is not None:
                progress(1)
        self._table = _RowTable(rows, np.array(starts), np.array([len(texts) for texts in self._answers.texts]))

    def count_steps(self, simulations: int) -> int:
        """Count the steps that ``simulate`` reports to ``progress``."""
        return simulations + (0 if self.counts_references_alone else self.scored)

    def simulate(
        self,
        references: int,
        *,
        sentences: int = SENTENCES,
        without_errors: int = WITHOUT_ERRORS,
        simulations: int = 1000,
        seed: int = 0,
        others: bool = False,
        progress: _Progress | None = None,
    ) -> Simulation:
        """Sample test sets and score them; with ``others`` an answer is never its own reference.

        By default, as published, output and references are sampled from all answers.  An answer can then be its own reference,
        which raises the score if there are few answers.
        """
        import numpy as np

        if not 1 <= references <= _MOST_REFERENCES:
            raise UsageError(f"references must be a whole number from 1 to {_MOST_REFERENCES:,}, found {references:,}")
        if others and (self._answers.numbers < 2).any():  # noqa: PLR2004 - itself and another
            raise RequestError("references by others need two answers or more for every sentence")
        if not 0 <= without_errors < sentences:
            raise UsageError(f"sentences without errors must be from 0 to {sentences - 1:,}, found {without_errors:,}")
        if not 1 <= simulations <= _MOST_SIMULATIONS:
            raise UsageError(f"simulations must be a whole number from 1 to {_MOST_SIMULATIONS:,}, found {simulations}")
        draw = np.random.default_rng([seed, references])
        size = sentences - without_errors
        kinds = self._counter.count_error_free(references)
        error_free = [kinds[number % len(kinds)] for number in range(without_errors)]
        test_sets: _SimulatedSets
        if self.counts_references_alone:
            sample = partial(self._answers.sample, draw, references, size, others=others)
            test_sets = _make_simulated_sets(self.metric.strategy, self._table, sample, error_free)
        else:
            asked = min(self.scored, simulations * size)
            units = self._counter.count_sample(self._answers.sample(draw, references, asked, others=others), progress)
            if progress is not None:
                progress(self.scored - asked)
            test_sets = _UnitSets(self.metric.strategy, units, error_free, size, draw if asked < simulations * size else None)
        values = np.empty(simulations)
        first: Any = None
        for number in range(simulations):
            matrix = test_sets.make_matrix(number)
            values[number] = self._values(matrix.sum(axis=0)[None, :])[0]
            first = matrix if first is None else first
            if progress is not None:
                progress(1)
        settings = Bootstrap(replicates=1000, seed=seed)
        replicates = self._values(resample_sums([first], settings)[0])
        return Simulation(references, values, make_interval(self._values, first, replicates, settings))

    def _values(self, sums: Any) -> Any:
        return self.metric.strategy.values(self.metric, sums)


# Scores relative to those of a perfect corrector with as many references (Choshen and Abend, sections 3.4 and 3.6).  A score divided by
# that of a perfect corrector says how far a system is from a person, instead of from 1, which nobody reaches with few references.  It
# scales a measure, so it changes no ranking.  A system can be above 1, because it may have learned when not to correct.
#
# For accuracy and index match the expected score of a perfect corrector is the coverage of the references, from the estimated distribution
# of corrections.  Divided by it, an accuracy is corrected for coverage: by equations 3 to 6 the expected accuracy is the true accuracy
# minus the bias b = (true accuracy) · p · (1 - coverage), if the share p of sentences needs a correction.  For other metrics the expected
# score is simulated.

if TYPE_CHECKING:
    _Tokenise = Callable[[str], Sequence[str]]


class GoldShape(NamedTuple):
    """What the expected score of a perfect corrector on a corpus depends on."""

    sentences: int
    without_errors: int
    """Sentences in which no annotator found an error."""
    references: int
    """The number of references that most sentences have."""
    as_usual: int
    """The number of sentences with so many references."""

    @classmethod
    def of(cls, corpus: Corpus) -> GoldShape:
        """Find the shape of a corpus; of two numbers of references that are equally frequent, the smaller."""
        if not len(corpus):
            raise RequestError("a score relative to a perfect corrector needs a gold with sentences, found none")
        without = sum(all(not annotation.edits for annotation in sentence.annotations) for sentence in corpus)
        if without == len(corpus):
            raise RequestError("a score relative to a perfect corrector needs a gold with errors, found none")
        numbers = Counter(len(sentence.annotations) or 1 for sentence in complete_corpus(corpus))
        references, times = min(numbers.items(), key=lambda item: (-item[1], item[0]))
        return cls(len(corpus), without, references, times)


@dataclass(frozen=True)
class PerfectScore:
    """The expected score of a perfect corrector."""

    metric: Metric
    shape: GoldShape
    value: float
    simulations: int
    """The number of simulated test sets; 0 if the score is computed from the distribution of corrections."""
    signature: str

    def relate(self, value: float) -> float | None:
        """Divide a score by that of the perfect corrector; None if that is not above 0."""
        return value / self.value if self.value > 0 else None

    def __str__(self) -> str:
        references = pluralise(self.shape.references, "reference")
        if self.value <= 0:
            return f"undefined, because a perfect corrector is expected to score {100 * self.value:.2f} with {references}, not above 0"
        size = f"{pluralise(self.shape.sentences, 'sentence')}, {self.shape.without_errors:,} without errors"
        score = f"{100 * self.value:.2f}, which a perfect corrector is expected to score with {references}"
        if not self.simulations:
            return f"accuracy corrected for coverage: divided by {score} ({size}); it can be above 100"
        return f"divided by {score} (mean of {pluralise(self.simulations, 'test set')} of {size}); it can be above 100"


@dataclass(frozen=True)
class RelativeSettings:
    """How the score of a perfect corrector is found."""

    simulations: int = 1000
    seed: int = 0
    others: bool = False
    """Whether an answer is never its own reference."""
    tokenise: _Tokenise | None = None
    scored: int = SCORED_OUTPUTS


def compute_perfect_score(
    metric: Metric,
    shape: GoldShape,
    sentences: Sequence[CorrectedSentence],
    path: str,
    settings: RelativeSettings | None = None,
    progress: _Progress | None = None,
) -> PerfectScore:
    """Compute the expected score of a perfect corrector on a test set of this shape.

    ``path`` names the corrections in the signature; ``progress`` is called with a share of 1,000 steps.
    """
    if not sentences:
        raise RequestError(f"{path} has no sentences")
    settings = settings or RelativeSettings()
    if (same := MatchRule.of(metric)) is not None:
        return _estimate(metric, shape, sentences, path, same, settings.tokenise)
    most = max(sentence.answers for sentence in sentences) - 1
    if settings.others and shape.references > most:
        found = pluralise(shape.references, "reference")
        raise RequestError(f"{path}: an output has at most {pluralise(most, 'reference')} by others, but the gold has {found}")
    corrector = PerfectCorrector(sentences, metric, settings.tokenise, scored=settings.scored)
    steps = corrector.count_steps(settings.simulations)
    simulation = corrector.simulate(
        shape.references,
        sentences=shape.sentences,
        without_errors=shape.without_errors,
        simulations=settings.simulations,
        seed=settings.seed,
        others=settings.others,
        progress=_Scaled(progress, steps) if progress is not None else None,
    )
    written = {
        "references": shape.references,
        "test_size": shape.sentences,
        "error_free": shape.without_errors,
        "simulations": settings.simulations,
        "seed": settings.seed,
        "exclude_self": settings.others,
        "tokenise": settings.tokenise is not None,
    }
    signature = make_sampling_signature(corrector, path, sentences, written)
    return PerfectScore(metric, shape, simulation.mean, settings.simulations, signature)


def _estimate(
    metric: Metric, shape: GoldShape, sentences: Sequence[CorrectedSentence], path: str, same: MatchRule, tokenise: _Tokenise | None
) -> PerfectScore:
    """Compute the expected accuracy from the estimated distribution of corrections."""
    tokenised = sentences if tokenise is None else [sentence.tokenised(tokenise) for sentence in sentences]
    coverage = compute_coverage(estimate_sentences(tokenised, same)).accuracy(shape.references)
    value = (shape.without_errors + (shape.sentences - shape.without_errors) * coverage) / shape.sentences
    given = {"references": shape.references, "test_size": shape.sentences, "error_free": shape.without_errors}
    written = ",".join(f"{name}={number}" for name, number in given.items())
    how = f"{written},tokenise={write_value(tokenise is not None)},estimate=unseenest"
    corrections = _describe_corrections(path, sentences)
    signature = f"{metric.signature}{name_package(metric)} | {how} | {corrections} | errata {__version__}"
    return PerfectScore(metric, shape, value, 0, signature)


STEPS = 1_000
"""Steps that a perfect score reports."""


class _Scaled:
    """Reports steps as a share of 1,000."""

    def __init__(self, progress: _Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def __call__(self, steps: int) -> None:
        before, self._done = self._done, self._done + steps
        self._progress(STEPS * self._done // self._total - STEPS * before // self._total)
