"""Scores in one call, in the manner of other libraries of metrics: texts in, a flat dictionary of numbers out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.corpus.corpus import WHITESPACE_TOKENS, Corpus
from errata.corpus.texts import check_sentences, list_items, same_length
from errata.errors import UsageError
from errata.formats.problems import warn_in_python
from errata.metrics.base import Metric
from errata.metrics.registry import metric as find_metric
from errata.scoring.evaluator import Evaluator, as_system

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.scoring.evaluator import Hypotheses


def compute(
    predictions: Hypotheses,
    references: Corpus | Iterable[Any],
    sources: Iterable[str] | Iterable[Sequence[str]] | None = None,
    metric: str | Metric | Iterable[str | Metric] = "maxmatch",
    *,
    prefix: str = "",
    tokenise: str = WHITESPACE_TOKENS,
    strict: bool = False,
) -> dict[str, float]:
    """Score predictions by one or several metrics; return the numbers of ``Score.to_dict``.

    ``references`` and ``sources`` are those of ``Corpus.from_texts``, or ``references`` is a Corpus.
    ``tokenise`` and ``strict`` are those of :class:`Evaluator`.

    >>> compute(predictions=["He went home ."], references=[["He goes home .", "He went home ."]], sources=["He go home ."])
    {'maxmatch/value': 1.0, 'maxmatch/correct': 1.0, ..., 'maxmatch/recall': 1.0}
    """
    metrics = [find_metric(one) for one in ([metric] if isinstance(metric, (str, Metric)) else list_items(metric, _RULE))]
    if not metrics:
        raise UsageError(f"{_RULE}, found none")
    if isinstance(references, Corpus):
        if sources is not None:
            raise UsageError("sources cannot be combined with references that are a Corpus, which has its own")
        system, corpus = as_system(predictions), references
    else:
        if sources is None:
            raise UsageError("references need their sources (sources=), unless they are a Corpus")
        texts = check_sentences(sources, "sources")
        corpus = Corpus.from_texts(texts, references)
        system = as_system(predictions, "predictions")
        same_length(sources=texts, predictions=system.sentences)
    numbers: dict[str, float] = {}
    for number, one in enumerate(metrics):
        warn = None if number else warn_in_python  # once for all metrics
        own = Evaluator(corpus, one, tokenise=tokenise, strict=strict, warn=warn)(system).to_dict(prefix)
        if taken := next((key for key in own if key in numbers), None):
            raise UsageError(f"metrics must have different keys, found {taken} twice")
        numbers |= own
    return numbers


_RULE = "metric must be a metric or a list of metrics"
