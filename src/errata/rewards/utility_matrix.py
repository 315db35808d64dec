"""Utilities: each sample of a source as output, against each other one as reference, for minimum-Bayes-risk decoding and re-ranking."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import list_items, same_length
from errata.errors import ErrataError, InputError, RequestError, UsageError
from errata.formats.problems import warn_in_python
from errata.formats.reading import warn_of_unsplit
from errata.metrics.registry import check_contract
from errata.metrics.registry import metric as find_metric
from errata.rewards.arguments import list_texts
from errata.rewards.counting import check_jobs, choose_engine, count_samples, make_text_scorer, split_work
from errata.rewards.prepared_gold import PreparedGold
from errata.rewards.sample_tokens import SampleTokens
from errata.rewards.values import SentenceValue, find_best_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.formats.problems import Problem
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
    if isinstance(source, str):
        return compute_utilities(value, tokenise_samples([list_texts(samples, "samples")], [source], tokenise), jobs)[0]
    sources, lists = list_lists(samples, source, "samples")
    return compute_utilities(value, tokenise_samples(lists, sources, tokenise), jobs)


def list_lists(lists: object, sources: object, what: str) -> tuple[list[str], list[list[str]]]:
    """List sources, and the texts of each; ``what`` names these in errors."""
    texts = list_texts(sources, "sources")
    items = list_items(lists, f"{what} must be a list with the {what} of each source")
    same_length(**{what: items, "sources": texts})
    return texts, [list_texts(own, f"{what} of source {number:,}") for number, own in enumerate(items, start=1)]


def tokenise_samples(
    lists: Sequence[Sequence[str]],
    sources: Sequence[str],
    tokenise: str,
    what: str = "samples",
    warn: Callable[[Problem], None] | None = warn_in_python,
) -> list[Samples]:
    """Tokenise the samples of each source; warn if they should be tokenised, and are not."""
    tokens = SampleTokens(tokenise)
    if tokens.name == WHITESPACE_TOKENS:
        warn_of_unsplit(what, (text for own in lists for text in own), sources, warn)
    golds = [tokens.prepare((source, tuple(own))) for source, own in zip(sources, lists, strict=True)]
    return [Samples.of(gold.source, gold.references) for gold in golds]


def compute_utilities(value: SentenceValue, samples: Sequence[Samples], jobs: int | None) -> list[Any]:
    """Compute the array of each source: the value of each output with each reference."""
    import numpy as np

    found = []
    for own, counts in zip(samples, count_pairs(value, samples, jobs), strict=True):
        size = len(own.texts)
        matrix = value.compute(counts.reshape(size * size, counts.shape[2])).reshape(size, size)
        found.append(matrix[np.ix_(own.indices, own.indices)])
    return found


def count_pairs(value: SentenceValue, samples: Sequence[Samples], jobs: int | None) -> list[Any]:
    """Count each distinct text of a source with each as reference: an array [output, reference, column] for each source."""
    if value.metric.referenceless:
        raise UsageError(f"utilities need a metric with references, found {value.metric}, which compares outputs with their source only")
    return _count_texts(value.metric, samples, jobs) if value.metric.counts_texts else _count_sentences(value, samples, jobs)


class _Task(NamedTuple):
    numbers: list[int]
    samples: list[Samples]


def _count_texts(metric: Metric, samples: Sequence[Samples], jobs: int | None) -> list[Any]:
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


def _count_sentences(value: SentenceValue, samples: Sequence[Samples], jobs: int | None) -> list[Any]:
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
