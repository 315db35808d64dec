"""Picks from lists of candidates: by minimum Bayes risk, or with gold, the best that candidates allow."""

from __future__ import annotations

import math
import re
from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import list_items, same_length
from errata.errors import ErrataError, InputError, MismatchError, RequestError, UsageError, suggest
from errata.formats.problems import warn_in_python
from errata.formats.reading import warn_of_unsplit
from errata.metrics.base import RatioMetric
from errata.metrics.registry import check_contract
from errata.metrics.registry import metric as find_metric
from errata.scoring.evaluator import Evaluator
from errata.studies.rewards.reward import (
    PreparedGold,
    SampleTokens,
    SentenceValue,
    check_jobs,
    choose_engine,
    count_samples,
    find_best_rows,
    list_texts,
    make_text_scorer,
    split_work,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.corpus import Corpus
    from errata.formats.problems import Problem
    from errata.metrics.base import Metric
    from errata.metrics.ratios import Row


# --- Utilities: each sample of a source as output, against each other one as reference, for minimum-Bayes-risk decoding and re-ranking.

_LEAST_SOURCES = 8
"""Sources of a task of a thread."""
_REFERENCE = re.compile(r"its reference (\d+)")


class _Samples(NamedTuple):
    """The samples of one source: distinct texts, and which of them each sample is."""

    source: str
    texts: list[str]
    indices: list[int]

    @classmethod
    def of(cls, source: str, samples: Sequence[str]) -> _Samples:
        """Find the distinct texts."""
        numbers: dict[str, int] = {}
        indices = [numbers.setdefault(text, len(numbers)) for text in samples]
        return cls(source, list(numbers), indices)


def utilities(
    samples: object,
    source: object,
    metric: str | Metric = "maxmatch",
    *,
    smoothing: float | None = None,
    tokenise: str = WHITESPACE_TOKENS,
    jobs: int | None = 1,
) -> Any:
    """Compute the value of each sample of a source as output, with each sample as the only reference: an array [output, reference].

    ``source`` is a text and ``samples`` a list of texts; or both are lists, with a list of samples for each source, and the result is a
    list of arrays.  Values are those of :class:`~errata.studies.rewards.reward.Rewards`.

    >>> import errata
    >>> errata.utilities(["He goes home .", "He went home .", "He go home ."], "He go home .").round(2).tolist()
    [[1.0, 0.33, 0.38], [0.33, 1.0, 0.38], [0.71, 0.71, 1.0]]
    """
    value = SentenceValue.of(find_metric(metric), smoothing)
    check_contract(value.metric)
    check_jobs(jobs)
    if isinstance(source, str):
        return _compute_utilities(value, _tokenise_samples([list_texts(samples, "samples")], [source], tokenise), jobs)[0]
    sources, lists = _list_lists(samples, source, "samples")
    return _compute_utilities(value, _tokenise_samples(lists, sources, tokenise), jobs)


def _list_lists(lists: object, sources: object, what: str) -> tuple[list[str], list[list[str]]]:
    """List sources, and the texts of each; ``what`` names these in errors."""
    texts = list_texts(sources, "sources")
    items = list_items(lists, f"{what} must be a list with the {what} of each source")
    same_length(**{what: items, "sources": texts})
    return texts, [list_texts(own, f"{what} of source {number:,}") for number, own in enumerate(items, start=1)]


def _tokenise_samples(
    lists: Sequence[Sequence[str]],
    sources: Sequence[str],
    tokenise: str,
    what: str = "samples",
    warn: Callable[[Problem], None] | None = warn_in_python,
) -> list[_Samples]:
    """Tokenise the samples of each source; warn if they should be tokenised, and are not."""
    tokens = SampleTokens(tokenise)
    if tokens.name == WHITESPACE_TOKENS:
        warn_of_unsplit(what, (text for own in lists for text in own), sources, warn)
    golds = [tokens.prepare((source, tuple(own))) for source, own in zip(sources, lists, strict=True)]
    return [_Samples.of(gold.source, gold.references) for gold in golds]


def _compute_utilities(value: SentenceValue, samples: Sequence[_Samples], jobs: int | None) -> list[Any]:
    """Compute the array of each source: the value of each output with each reference."""
    import numpy as np

    found = []
    for own, counts in zip(samples, _count_pairs(value, samples, jobs), strict=True):
        size = len(own.texts)
        matrix = value.compute(counts.reshape(size * size, counts.shape[2])).reshape(size, size)
        found.append(matrix[np.ix_(own.indices, own.indices)])
    return found


def _count_pairs(value: SentenceValue, samples: Sequence[_Samples], jobs: int | None) -> list[Any]:
    """Count each distinct text of a source with each as reference: an array [output, reference, column] for each source."""
    if value.metric.referenceless:
        raise UsageError(f"utilities need a metric with references, found {value.metric}, which compares outputs with their source only")
    return _count_texts(value.metric, samples, jobs) if value.metric.counts_texts else _count_sentences(value, samples, jobs)


class _Task(NamedTuple):
    numbers: list[int]
    samples: list[_Samples]


def _count_texts(metric: Metric, samples: Sequence[_Samples], jobs: int | None) -> list[Any]:
    """Count in the core, for each output all references at once."""
    engine = choose_engine(metric, jobs)
    tasks = (_Task(own, [samples[index] for index in own]) for own in split_work(list(range(len(samples))), engine, _LEAST_SOURCES))
    found: dict[int, Any] = {}
    with closing(engine.run(_do_task, metric, tasks)) as results:
        for counts in results:
            found |= counts
    return [found[index] for index in range(len(samples))]


def _do_task(metric: Metric, task: _Task) -> dict[int, Any]:
    import numpy as np

    found = {}
    for number, own in zip(task.numbers, task.samples, strict=True):
        counts = _count_outputs(metric, own, number + 1)
        found[number] = np.stack(counts) if counts else np.zeros((0, 0, len(metric.columns)), dtype=np.int64)
    return found


def _count_outputs(metric: Metric, own: _Samples, number: int) -> list[Any]:
    """Count each distinct sample against all; errors name source and sample."""
    counts: list[Any] = []
    if not own.texts:
        return counts
    try:
        scorer = make_text_scorer(metric, [own.source], [[text] for text in own.texts])
        for text in own.texts:
            counts.append(scorer.counts([text]))  # noqa: PERF401 - an error is about the next one
    except (OverflowError, ValueError) as error:
        raise _refuse(error, own, number, len(counts)) from None
    return counts


def _refuse(error: OverflowError | ValueError, own: _Samples, number: int, current: int) -> ErrataError:
    """Make the error of a text that the core cannot count."""
    about = str(error).removeprefix("sentence 1 cannot be scored: ")
    if reference := _REFERENCE.match(about):
        current = int(reference[1]) - 1
    sample = "" if about.startswith("its source") else f", sample {own.indices.index(current) + 1:,}"
    about = _REFERENCE.sub("its text", about).replace("its hypothesis", "its text")
    kind = RequestError if isinstance(error, OverflowError) else InputError
    return kind(f"source {number:,}{sample} cannot be scored: {about}")


def _count_sentences(value: SentenceValue, samples: Sequence[_Samples], jobs: int | None) -> list[Any]:
    """Count each distinct sample with each as gold."""
    golds = [[PreparedGold(own.source, (text,)) for text in own.texts] for own in samples]
    pairs = [(gold, text) for own, refs in zip(samples, golds, strict=True) for text in own.texts for gold in refs]
    rows = count_samples(value.metric, [gold for gold, _ in pairs], [text for _, text in pairs], jobs)
    best, first, found = rows.counts[find_best_rows(rows, value.compute(rows.counts))], 0, []
    for own in samples:
        size = len(own.texts)
        found.append(best[first : first + size * size].reshape(size, size, best.shape[1]))
        first += size * size
    return found


# --- Picks from lists of candidates: by minimum Bayes risk, or with gold, the best that candidates allow.
#
# Minimum Bayes risk: the truth is taken to be one of the candidates, each with its weight.  With ``per="sentence"``, the candidate of
# each
# source with the highest expected value is picked.  With ``per="corpus"``, the picks together have the highest value of expected counts,
# which is the measure that is reported.  F of single sentences punishes an edit that may be wrong much more than F of a corpus does, so
# that
# candidates without edits win where others disagree.

_RerankUnit = Literal["corpus", "sentence"]
_RERANK_UNITS: tuple[_RerankUnit, ...] = get_args(_RerankUnit)


class Picks(NamedTuple):
    """The picked candidate of each source, as an index from 0, and what it is expected to be worth."""

    indices: list[int]
    values: list[list[float]]
    """For each candidate of each source: the value of the corpus with it and the other picks, or its value as a sentence."""
    value: float
    """Of all picks: the value of the corpus, or the mean over sentences."""
    per: _RerankUnit


def rerank(  # noqa: PLR0913 - settings, by name
    candidates: object,
    sources: object,
    metric: str | Metric = "maxmatch",
    *,
    per: _RerankUnit | None = None,
    weights: object = None,
    smoothing: float | None = None,
    tokenise: str = WHITESPACE_TOKENS,
    jobs: int | None = 1,
    warn: Callable[[Problem], None] | None = warn_in_python,
) -> Picks:
    """Pick a candidate of each source by minimum Bayes risk; of equal ones the first.

    ``per`` is what is maximised: ``corpus`` (the default for metrics that are ratios, such as F) or ``sentence``.  ``weights`` are those of
    the candidates of each source, 0 or more; by default all are equal.  ``smoothing`` is that of F of sentences.

    >>> rerank([["He goes .", "He go .", "He goes .", "He go to ."]], ["He go ."]).indices
    [0]
    """
    value, unit = check_unit(metric, per, smoothing)
    check_jobs(jobs)
    texts, lists = _list_lists(candidates, sources, "candidates")
    _check_not_empty(lists)
    shares = _check_weights(weights, lists)
    samples = _tokenise_samples(lists, texts, tokenise, "candidates", warn)
    if unit == "sentence":
        expected = [matrix @ share for matrix, share in zip(_compute_utilities(value, samples, jobs), shares, strict=True)]
        return _pick_sentences(expected)
    pairs = _count_pairs(value, samples, jobs)
    expected = [
        (counts[own.indices][:, own.indices] * share[None, :, None]).sum(axis=1)
        for own, counts, share in zip(samples, pairs, shares, strict=True)
    ]
    return _pick_corpus(value.metric, expected)


def pick_best(
    candidates: object,
    gold: Corpus,
    metric: str | Metric = "maxmatch",
    *,
    per: _RerankUnit | None = None,
    smoothing: float | None = None,
    tokenise: str = WHITESPACE_TOKENS,
    warn: Callable[[Problem], None] | None = warn_in_python,
) -> Picks:
    """Pick the candidates that are best for a gold, what is called an oracle; of equal ones the first.

    With ``per="corpus"`` no other picks, and no other choice among annotators, have a higher value.

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("He go .", [errata.Edit(1, 2, ("goes",))]),))
    >>> pick_best([["He go .", "He goes ."]], gold).indices
    [1]
    """
    value, unit = check_unit(metric, per, smoothing)
    evaluate = Evaluator(gold, value.metric, tokenise=tokenise, warn=None)
    sources, lists = _list_lists(candidates, [sentence.text for sentence in gold], "candidates")
    _check_not_empty(lists)
    if tokenise == WHITESPACE_TOKENS:
        warn_of_unsplit("candidates", (text for own in lists for text in own), sources, warn)
    rows: list[list[tuple[Row, ...]]] = [[] for _ in lists]
    for turn in range(max(map(len, lists), default=0)):
        evidence = evaluate.begin([own[min(turn, len(own) - 1)] for own in lists]).count_all(None)
        for own, texts, found in zip(rows, lists, evidence.rows, strict=True):
            if turn < len(texts):
                own.append(found)
    return _pick_rows(value, unit, rows)


def _check_not_empty(lists: Sequence[Sequence[str]]) -> None:
    for number, own in enumerate(lists, start=1):
        if not own:
            raise UsageError(f"candidates of source {number:,} must have at least one text, found none")


def _pick_rows(value: SentenceValue, unit: _RerankUnit, rows: Sequence[Sequence[Sequence[Row]]]) -> Picks:
    """Pick candidates by their rows, one for each reference."""
    import numpy as np

    arrays = [[np.array(own, dtype=np.float64) for own in sentence] for sentence in rows]
    if unit == "sentence":
        return _pick_sentences([np.array([value.compute(own).max() for own in sentence]) for sentence in arrays])
    flat = _pick_corpus(value.metric, [np.concatenate(sentence) for sentence in arrays])
    indices, values = [], []
    for sentence, index, found in zip(arrays, flat.indices, flat.values, strict=True):
        ends = np.cumsum([len(own) for own in sentence])
        indices.append(int(np.searchsorted(ends, index, side="right")))
        values.append([float(part.max()) for part in np.split(np.array(found), ends[:-1])])
    return Picks(indices, values, flat.value, unit)


def check_unit(metric: str | Metric, per: _RerankUnit | None, smoothing: float | None) -> tuple[SentenceValue, _RerankUnit]:
    """Check what is maximised; return how sentences are valued, and the unit."""
    found = find_metric(metric)
    check_contract(found)
    is_ratio = isinstance(found, RatioMetric)
    if per is not None and per not in _RERANK_UNITS:
        raise UsageError(f"unknown unit {per!r:.60}; choose from {', '.join(_RERANK_UNITS)}{suggest(str(per), _RERANK_UNITS)}")
    if per == "corpus" and not is_ratio:
        raise UsageError(f"per corpus needs a metric that is a ratio of sums, such as maxmatch; found {found}")
    unit: _RerankUnit = per or ("corpus" if is_ratio else "sentence")
    if unit == "corpus" and smoothing is not None:
        raise UsageError("smoothing is that of single sentences; it needs per='sentence'")
    return SentenceValue.of(found, smoothing), unit


def _check_weights(weights: object, lists: Sequence[Sequence[str]]) -> list[Any]:
    """Make the weights of each source sum to 1."""
    import numpy as np

    if weights is None:
        return [np.full(len(own), 1 / len(own)) for own in lists]
    items = list_items(weights, "weights must be a list with the weights of each source")
    same_length(candidates=lists, weights=items)
    found = []
    for number, (own, texts) in enumerate(zip(items, lists, strict=True), start=1):
        what = f"weights of source {number:,}"
        listed = list_items(own, f"{what} must be a list of numbers")
        if len(listed) != len(texts):
            raise MismatchError(f"source {number:,} has {len(texts):,} candidates and {len(listed):,} weights, expected as many")
        wrong = [item for item in listed if isinstance(item, bool) or not isinstance(item, (int, float)) or not 0 <= item < math.inf]
        if wrong or not sum(listed):
            raise UsageError(f"{what} must be numbers from 0, one of them above 0; found {(wrong or listed)!r:.60}")
        found.append(np.array(listed, dtype=np.float64) / sum(listed))
    return found


def weigh_scores(scores: Sequence[float], temperature: float) -> list[float]:
    """Make weights of scores: their softmax at a temperature; a low one prefers high scores more.

    >>> [round(weight, 3) for weight in weigh_scores([-1.0, -2.0], 1.0)]
    [0.731, 0.269]
    """
    scores = list_items(scores, "scores must be a list of numbers")
    wrong = [score for score in scores if isinstance(score, bool) or not isinstance(score, (int, float)) or math.isnan(score)]
    if wrong or not scores:
        raise UsageError(f"scores must be numbers, at least one; found {(wrong or scores)!r:.60}")
    if isinstance(temperature, bool) or not isinstance(temperature, (int, float)) or not temperature > 0:
        raise UsageError(f"the temperature must be a number above 0, found {temperature!r:.40}")
    highest = max(scores)
    powers = [math.exp((score - highest) / temperature) for score in scores]
    return [power / sum(powers) for power in powers]


def _pick_sentences(values: Sequence[Any]) -> Picks:
    """Pick the highest value of each source, the first of several."""
    indices = [int(own.argmax()) for own in values]
    picked = [float(own[index]) for own, index in zip(values, indices, strict=True)]
    mean = math.fsum(picked) / len(picked) if picked else math.nan
    return Picks(indices, [own.tolist() for own in values], mean, "sentence")


def _pick_corpus(metric: Metric, counts: Sequence[Any]) -> Picks:
    """Pick the counts whose sum has the highest value."""
    import numpy as np

    if not isinstance(metric, RatioMetric):
        raise TypeError(f"{metric} is no ratio")
    weights = np.array([metric.ratio.numerator, metric.ratio.denominator], dtype=np.float64).T
    indices = _maximise_ratio([own @ weights for own in counts])
    total = sum((own[index] for own, index in zip(counts, indices, strict=True)), start=np.zeros(len(metric.columns)))
    values = [metric.values(total - own[index] + own).tolist() for own, index in zip(counts, indices, strict=True)]
    return Picks(indices, values, float(metric.values(total[None, :])[0]), "corpus")


def _maximise_ratio(pairs: Sequence[Any]) -> list[int]:
    """Choose a pair of numerator and denominator of each source, so that the ratio of their sums is as high as possible.

    Dinkelbach's method: choose by numerator - ratio * denominator, with the ratio of the last choice, until it grows no more.  Of equal
    pairs the first is chosen.  0/0 is 1, as in metrics.

    >>> import numpy as np
    >>> _maximise_ratio([np.array([(1.0, 2.0), (1.0, 1.0)]), np.array([(0.0, 0.0), (1.0, 4.0)])])
    [1, 0]
    """
    chosen = [0] * len(pairs)
    above, below = _sum_pairs(pairs, chosen)
    while below:
        better = [int((own[:, 0] * below - above * own[:, 1]).argmax()) for own in pairs]
        new_above, new_below = _sum_pairs(pairs, better)
        grown = not new_below or new_above * below > above * new_below
        chosen = better
        if not grown:
            break
        above, below = new_above, new_below
    nothing = [next((index for index, pair in enumerate(own.tolist()) if pair == [0, 0]), None) for own in pairs]
    if above < below and None not in nothing:
        return [index for index in nothing if index is not None]
    return chosen


def _sum_pairs(pairs: Sequence[Any], chosen: Sequence[int]) -> tuple[float, float]:
    picked = [own[index] for own, index in zip(pairs, chosen, strict=True)]
    return math.fsum(pair[0] for pair in picked), math.fsum(pair[1] for pair in picked)
