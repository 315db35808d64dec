"""Utilities: each sample of a source as output, against each other one as reference, for minimum-Bayes-risk decoding and re-ranking."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus import WHITESPACE_TOKENS
from errata.errors import ErrataError, InputError, RequestError, UsageError
from errata.metrics.contract import check_contract
from errata.metrics.registry import metric as find_metric
from errata.rewards.arguments import list_texts
from errata.rewards.counting import check_jobs, choose_engine, count_samples, make_text_scorer, split_work
from errata.rewards.prepared_gold import PreparedGold
from errata.rewards.sample_tokens import SampleTokens
from errata.rewards.values import SentenceValue, find_best
from errata.texts import list_items, same_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.metrics.base import Metric

_LEAST_SOURCES = 8
"""Sources of a task of a thread."""
_REFERENCE = re.compile(r"its reference (\d+)")


class Samples(NamedTuple):
    """The samples of one source: distinct texts, and which of them each sample is."""

    source: str
    texts: list[str]
    indices: list[int]

    @classmethod
    def of(cls, source: str, samples: Sequence[str]) -> Samples:
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
    list of arrays.  Values are those of :class:`~errata.rewards.reward.Rewards`.

    >>> import errata
    >>> errata.utilities(["He goes home .", "He went home .", "He go home ."], "He go home .").round(2).tolist()
    [[1.0, 0.33, 0.38], [0.33, 1.0, 0.38], [0.71, 0.71, 1.0]]
    """
    value = SentenceValue.of(find_metric(metric), smoothing)
    check_contract(value.metric)
    check_jobs(jobs)
    tokens = SampleTokens(tokenise)

    def tokenise_samples(source: str, samples: list[str]) -> Samples:
        gold = tokens.prepare((source, tuple(samples)))
        return Samples.of(gold.source, gold.references)

    if isinstance(source, str):
        return compute_utilities(value, [tokenise_samples(source, list_texts(samples, "samples"))], jobs)[0]
    sources = list_texts(source, "sources")
    lists = list_items(samples, "samples must be a list with the samples of each source")
    same_length(samples=lists, sources=sources)
    own = [list_texts(texts, f"samples of source {number:,}") for number, texts in enumerate(lists, start=1)]
    return compute_utilities(value, list(map(tokenise_samples, sources, own)), jobs)


def compute_utilities(value: SentenceValue, samples: Sequence[Samples], jobs: int | None) -> list[Any]:
    """Compute the array of each source."""
    import numpy as np

    if value.metric.referenceless:
        raise UsageError(f"utilities need a metric with references, found {value.metric}, which compares outputs with their source only")
    matrices = _compute_texts(value, samples, jobs) if value.metric.counts_texts else _compute_sentences(value, samples, jobs)
    return [matrix[np.ix_(own.indices, own.indices)] for own, matrix in zip(samples, matrices, strict=True)]


class _Task(NamedTuple):
    numbers: list[int]
    samples: list[Samples]


def _compute_texts(value: SentenceValue, samples: Sequence[Samples], jobs: int | None) -> list[Any]:
    """Count in the core, for each output all references at once."""
    engine = choose_engine(value.metric, jobs)
    tasks = (_Task(own, [samples[index] for index in own]) for own in split_work(list(range(len(samples))), engine, _LEAST_SOURCES))
    found: dict[int, Any] = {}
    with closing(engine.run(_do_task, value, tasks)) as results:
        for matrices in results:
            found |= matrices
    return [found[index] for index in range(len(samples))]


def _do_task(value: SentenceValue, task: _Task) -> dict[int, Any]:
    import numpy as np

    found = {}
    for number, own in zip(task.numbers, task.samples, strict=True):
        size = len(own.texts)
        counts = _count_outputs(value.metric, own, number + 1)
        found[number] = value.compute(np.concatenate(counts)).reshape(size, size) if counts else np.zeros((0, 0))
    return found


def _count_outputs(metric: Metric, own: Samples, number: int) -> list[Any]:
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


def _refuse(error: OverflowError | ValueError, own: Samples, number: int, current: int) -> ErrataError:
    """Make the error of a text that the core cannot count."""
    about = str(error).removeprefix("sentence 1 cannot be scored: ")
    if reference := _REFERENCE.match(about):
        current = int(reference[1]) - 1
    sample = "" if about.startswith("its source") else f", sample {own.indices.index(current) + 1:,}"
    about = _REFERENCE.sub("its text", about).replace("its hypothesis", "its text")
    kind = RequestError if isinstance(error, OverflowError) else InputError
    return kind(f"source {number:,}{sample} cannot be scored: {about}")


def _compute_sentences(value: SentenceValue, samples: Sequence[Samples], jobs: int | None) -> list[Any]:
    """Count each distinct sample with each as gold."""
    golds = [[PreparedGold(own.source, (text,)) for text in own.texts] for own in samples]
    pairs = [(gold, text) for own, refs in zip(samples, golds, strict=True) for text in own.texts for gold in refs]
    rows = count_samples(value.metric, [gold for gold, _ in pairs], [text for _, text in pairs], jobs)
    values = value.compute(rows.counts)
    best, first, matrices = values[find_best(rows, values)], 0, []
    for own in samples:
        size = len(own.texts)
        matrices.append(best[first : first + size * size].reshape(size, size))
        first += size * size
    return matrices
