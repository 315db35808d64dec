"""The rows of samples: one for each reference of each, counted from texts in the core if the metric can, else by an ``Evaluator``."""

from __future__ import annotations

import re
from contextlib import closing
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.corpus import Corpus, Part
from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import InputError, RequestError, UsageError
from errata.metrics.evidence import RowArrays
from errata.scoring.engines import make_engine
from errata.scoring.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.corpus import Sentence
    from errata.corpus.texts import Tokens
    from errata.metrics.base import Metric, TextScorer
    from errata.metrics.ratios import Row
    from errata.rewards.prepared_gold import PreparedGold
    from errata.scoring.engines import Engine

_LEAST_TEXTS, _LEAST_SENTENCES = 500, 50
"""Samples of a task: counted from texts by a thread, or from objects by a process."""
_TASKS_PER_JOB = 4
"""Tasks that each job gets, so that all end at about the same time."""
_SENTENCE = re.compile(r"^sentence (\d+)")


def count_samples(metric: Metric, golds: Sequence[PreparedGold], outputs: Sequence[str], jobs: int | None = 1) -> RowArrays:
    """Count outputs, each against its own gold: one row for each reference, or as many as the metric gives."""
    return _count_texts(metric, golds, outputs, jobs) if metric.counts_texts else _count_sentences(metric, golds, outputs, jobs)


def check_jobs(jobs: int | None) -> int | None:
    """Raise unless jobs is a whole number from 1, or None."""
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1):
        raise UsageError(f"jobs must be a whole number from 1, or None for all cores, found {jobs!r:.60}")
    return jobs


def choose_engine(metric: Metric, jobs: int | None) -> Engine:
    """Choose threads if the core counts texts without the interpreter's lock, else processes."""
    from errata import core

    return make_engine(None, jobs, "threads" if metric.counts_texts and core.NAME == "native" else "processes")


class _TextTask(NamedTuple):
    """Samples with the same number of references."""

    samples: list[int]
    sources: list[str]
    references: list[list[str]]
    outputs: list[str]


def _count_texts(metric: Metric, golds: Sequence[PreparedGold], outputs: Sequence[str], jobs: int | None) -> RowArrays:
    import numpy as np

    sizes = np.array([len(gold.references) for gold in golds], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    counts = np.zeros((int(starts[-1]), len(metric.columns)), dtype=np.int64)
    engine = choose_engine(metric, jobs)
    tasks = (
        _make_text_task(golds, outputs, samples)
        for size in np.unique(sizes)
        for samples in split_work(np.flatnonzero(sizes == size).tolist(), engine, _LEAST_TEXTS)
    )
    with closing(engine.run(_do_text_task, metric, tasks)) as results:
        for samples, own in results:
            size = len(own) // len(samples)
            counts[(starts[samples][:, None] + np.arange(size)).ravel()] = own
    return RowArrays(counts, starts)


def split_work(items: list[int], engine: Engine, least: int) -> Iterator[list[int]]:
    """Split work into parts of at least some items; into one if there is one job."""
    parts = 1 if engine.jobs == 1 else min(engine.jobs * _TASKS_PER_JOB, max(1, len(items) // least))
    size = max(1, -(-len(items) // parts))
    yield from (items[first : first + size] for first in range(0, len(items), size))


def _make_text_task(golds: Sequence[PreparedGold], outputs: Sequence[str], samples: list[int]) -> _TextTask:
    own = [golds[sample] for sample in samples]
    references = list(map(list, zip(*(gold.references for gold in own), strict=True)))
    return _TextTask(samples, [gold.source for gold in own], references, [outputs[sample] for sample in samples])


def _do_text_task(metric: Metric, task: _TextTask) -> tuple[list[int], Any]:
    try:
        return task.samples, make_text_scorer(metric, task.sources, task.references).counts(task.outputs)
    except (OverflowError, ValueError) as error:
        message = _SENTENCE.sub(lambda found: f"output {task.samples[int(found[1]) - 1] + 1:,}", str(error))
        kind = RequestError if isinstance(error, OverflowError) else InputError
        raise kind(message.replace("its hypothesis", "its text")) from None


def make_text_scorer(metric: Metric, sources: list[str], references: list[list[str]]) -> TextScorer:
    """Prepare a metric that counts texts."""
    scorer = metric.text_scorer(sources, references, 1, DEFAULT_MAX_TOKENS)
    if scorer is None:
        raise RequestError(f"{metric} has no text_scorer, though it counts texts")
    return scorer


class _SentenceTask(NamedTuple):
    """Distinct outputs of some sources."""

    numbers: tuple[int, ...]
    """The first sample of each source, counted from 1."""
    whole: int
    sentences: tuple[Sentence, ...]
    outputs: list[list[Tokens]]
    """Of each source."""


def _count_sentences(metric: Metric, golds: Sequence[PreparedGold], outputs: Sequence[str], jobs: int | None) -> RowArrays:
    """Count each distinct output of a source once."""
    import numpy as np

    places: dict[int, int] = {}
    distinct: list[tuple[int, PreparedGold, dict[Tokens, int]]] = []
    keys: list[tuple[int, Tokens]] = []
    for number, (gold, text) in enumerate(zip(golds, outputs, strict=True), start=1):
        place = places.setdefault(id(gold), len(distinct))
        if place == len(distinct):
            distinct.append((number, gold, {}))
        tokens = tuple(text.split())
        distinct[place][2].setdefault(tokens, len(distinct[place][2]))
        keys.append((place, tokens))
    engine = choose_engine(metric, jobs)
    least = max(1, _LEAST_SENTENCES * len(distinct) // max(1, len(keys)))
    tasks = (_make_sentence_task(distinct, chosen, len(keys)) for chosen in split_work(list(range(len(distinct))), engine, least))
    found: dict[tuple[int, int], tuple[Row, ...]] = {}
    with closing(engine.run(_do_sentence_task, metric, tasks)) as results:
        for own in results:
            found |= own
    rows = [found[distinct[place][0], distinct[place][2][tokens]] for place, tokens in keys]
    starts = np.concatenate([[0], np.cumsum([len(own) for own in rows], dtype=np.int64)])
    try:
        counts = np.array([row for own in rows for row in own], dtype=np.int64).reshape(-1, len(metric.columns))
    except OverflowError:
        raise RequestError(f"the counts of {metric} must be whole numbers below 2^63") from None
    return RowArrays(counts, starts)


def _make_sentence_task(distinct: list[tuple[int, PreparedGold, dict[Tokens, int]]], chosen: list[int], whole: int) -> _SentenceTask:
    own = [distinct[place] for place in chosen]
    return _SentenceTask(
        tuple(number for number, _, _ in own), whole, tuple(gold.sentence for _, gold, _ in own), [list(texts) for _, _, texts in own]
    )


def _do_sentence_task(metric: Metric, task: _SentenceTask) -> dict[tuple[int, int], tuple[Row, ...]]:
    """Count in rounds: the first output of each source, then the second of each that has one, and so on, many sentences at a time."""
    evaluate = Evaluator(Corpus(task.sentences, "sources", part=Part(task.numbers, task.whole)), metric)
    found: dict[tuple[int, int], tuple[Row, ...]] = {}
    for turn in range(max(map(len, task.outputs), default=0)):
        having = [index for index, own in enumerate(task.outputs) if len(own) > turn]
        for first, count in _list_runs(having):
            hypotheses = [task.outputs[index][turn] for index in range(first, first + count)]
            rows, _ = evaluate.count(evaluate.prepare_from(hypotheses, first), first, first + count)
            found |= {(task.numbers[index], turn): own for index, own in enumerate(rows, first)}
    return found


def _list_runs(indices: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs of consecutive numbers: the first of each, and how many.

    >>> list(_list_runs([1, 2, 5, 6, 7]))
    [(1, 2), (5, 3)]
    """
    for _, run in groupby(enumerate(indices), key=lambda pair: pair[1] - pair[0]):
        own = [index for _, index in run]
        yield own[0], len(own)
