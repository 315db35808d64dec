"""The score of a perfect corrector, whose output is another person's correction.

Test sets are sampled from the answers of a crowd: sentences, an output for each, and a number of references (Choshen and Abend
2018, section 3.4).  Every output is counted against every reference once, so a test set takes only sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from errata.corpus import Annotation, Corpus, Sentence
from errata.errors import InputError, RequestError, UsageError
from errata.formats.parallel import extract_edits
from errata.metrics import Choose, Metric, registry
from errata.stats.bootstrap import Bootstrap
from errata.stats.intervals import Interval, make_interval
from errata.stats.resampling import resample_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus import Tokens
    from errata.coverage.corrections import CorrectedSentence
    from errata.ratios import Row

SENTENCES, WITHOUT_ERRORS = 1312, 136
"""The sentences of the CoNLL-2014 test set: all, and those without errors."""
MOST_SIMULATIONS = 100_000
MOST_REFERENCES = 1_000


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
    """The answers of a crowd, scored against each other by a metric."""

    def __init__(
        self,
        sentences: Sequence[CorrectedSentence],
        metric: str | Metric = "maxmatch",
        tokenise: Callable[[str], Sequence[str]] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        import numpy as np

        self.metric = registry.metric(metric)
        if not isinstance(self.metric.strategy, Choose):
            raise RequestError(f"{self.metric} does not choose among references, so it cannot be simulated")
        if not sentences:
            raise InputError("there are no sentences to score")
        self._strategy = self.metric.strategy
        starts, rows, ends = [0], [], []
        sizes, answers = [], []
        for sentence in sentences:
            texts = _texts(sentence, tokenise or str.split)
            rows += _rows(sentence, list(texts), self.metric)
            sizes.append(len(texts))
            answers.append(sum(texts.values()))
            ends.append(np.cumsum(list(texts.values())))
            starts.append(len(rows))
            if progress is not None:
                progress(1)
        self._counts = np.array(rows, dtype=np.float64)
        self._pairs = np.array([self._strategy.ratio.of(row) for row in rows], dtype=np.int64)
        self._sizes, self._starts = np.array(sizes), np.array(starts[:-1])
        self._answers = np.array(answers)
        # The answers of all sentences are concatenated, so that one search finds the correction of any of them.
        self._before = np.cumsum([0, *answers[:-1]])
        self._ends = np.concatenate([own + before for own, before in zip(ends, self._before, strict=True)])
        self._first = np.cumsum([0, *sizes[:-1]])
        flawless = self.metric.scorer(Corpus((Sentence(("word",), (Annotation("0"),)),))).prepare([("word",)])
        self._flawless = np.array(flawless.rows(0, 1)[0][0], dtype=np.float64)

    def simulate(
        self,
        references: int,
        *,
        sentences: int = SENTENCES,
        without_errors: int = WITHOUT_ERRORS,
        simulations: int = 1000,
        seed: int = 0,
        others: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> Simulation:
        """Sample test sets and score them; with ``others`` an answer is never its own reference.

        By default, as published, output and references are sampled from all answers.  An answer can then be its own reference,
        which raises the score if there are few answers.
        """
        import numpy as np

        if not 1 <= references <= MOST_REFERENCES:
            raise UsageError(f"references must be a whole number from 1 to {MOST_REFERENCES:,}, found {references:,}")
        if others and (self._answers < 2).any():  # noqa: PLR2004 - itself and another
            raise RequestError("references by others need two answers or more for every sentence")
        if not 0 <= without_errors < sentences:
            raise UsageError(f"sentences without errors must be from 0 to {sentences - 1:,}, found {without_errors:,}")
        if not 1 <= simulations <= MOST_SIMULATIONS:
            raise UsageError(f"simulations must be a whole number from 1 to {MOST_SIMULATIONS:,}, found {simulations}")
        draw = np.random.default_rng([seed, references])
        values = np.empty(simulations)
        first: Any = None
        for number in range(simulations):
            chosen = self._test_set(draw, references, sentences - without_errors, others=others)
            total = self._counts[chosen].sum(axis=0) + without_errors * self._flawless
            values[number] = self.metric.values(total[None, :])[0]
            first = chosen if first is None else first
            if progress is not None:
                progress(1)
        return Simulation(references, values, self._interval(first, without_errors, seed))

    def _test_set(self, draw: Any, references: int, size: int, *, others: bool) -> Any:
        """Sample one test set, and choose the rows of its sentences with errors."""
        import numpy as np

        from errata.core import rechoose

        own = draw.integers(0, len(self._sizes), size=size)
        given = (draw.random(size) * self._answers[own]).astype(np.int64)
        taken = (draw.random((size, references)) * (self._answers[own] - others)[:, None]).astype(np.int64)
        if others:
            taken += taken >= given[:, None]
        output, wanted = self._kinds(own, given[:, None])[:, 0], self._kinds(own, taken)
        indices = (self._starts[own] + output * self._sizes[own])[:, None] + wanted
        flat = indices.ravel()
        starts = np.arange(0, size * references + 1, references, dtype=np.int64)
        order = np.arange(size, dtype=np.int32)[None, :]
        if self._strategy.rule == "sentence":
            return flat[_best_alone(self._pairs[indices]) + starts[:-1]]
        times = rechoose(np.ascontiguousarray(self._pairs[flat]), starts, order, self._strategy.rule == "optimal")[0]
        return flat[times > 0]

    def _kinds(self, sentences: Any, answers: Any) -> Any:
        """Find the correction of each answer of a sentence."""
        import numpy as np

        kinds = np.searchsorted(self._ends, self._before[sentences][:, None] + answers, side="right")
        return kinds - self._first[sentences][:, None]

    def _interval(self, chosen: Any, without_errors: int, seed: int) -> Interval:
        import numpy as np

        counts = self._counts[chosen]
        matrix = np.vstack([counts, np.tile(self._flawless, (without_errors, 1))])
        settings = Bootstrap(replicates=1000, seed=seed)
        return make_interval(self.metric.values, matrix, self.metric.values(resample_sums([matrix], settings)[0]), settings)


def _texts(sentence: CorrectedSentence, tokenise: Callable[[str], Sequence[str]]) -> dict[Tokens, int]:
    """Count how often each token sequence was given."""
    if not sentence.source:
        raise RequestError(f"{sentence.name}: a score needs the source of the sentence")
    texts: dict[Tokens, int] = {}
    for text, times in sentence.corrections.items():
        tokens = tuple(tokenise(text))
        texts[tokens] = texts.get(tokens, 0) + times
    return texts


def _rows(sentence: CorrectedSentence, texts: Sequence[Tokens], metric: Metric) -> list[Row]:
    """Count every text as an output against every text as a reference, one output after the other."""
    source = tuple(sentence.source.split())
    annotations = tuple(Annotation(str(number), extract_edits(source, text)) for number, text in enumerate(texts))
    scorer = metric.scorer(Corpus((Sentence(source, annotations),)))
    best: list[Row] = []
    for text in texts:
        (rows,) = scorer.prepare([text]).rows(0, 1)
        if len(rows) != len(texts):
            raise RequestError(f"{metric} does not score a text against one reference at a time, so it cannot be simulated")
        best += rows
    return best


def _best_alone(pairs: Any) -> Any:
    """Choose for each sentence the reference with the largest ratio (0/0 is 1), then numerator, then the smallest denominator."""
    import numpy as np

    above, below = pairs[..., 0].astype(float), pairs[..., 1].astype(float)
    ratio = np.divide(above, below, out=np.ones_like(above), where=below != 0)
    best = np.ones(ratio.shape, dtype=bool)
    for key in (ratio, above, -below):
        kept = np.where(best, key, -np.inf)
        best &= kept == kept.max(axis=1, keepdims=True)
    return best.argmax(axis=1)
