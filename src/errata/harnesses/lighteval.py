"""Metrics for tasks of Lighteval: sentences are collected, and the corpus is scored once.

A task gives the source of a sentence in ``Doc.specific["source"]``, and its references as golds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.errors import RequestError, UsageError
from errata.harnesses.items import CollectedSentence, check_prediction, score_items
from errata.metrics import registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.metrics.base import Metric

_SOURCE = "source"
"""The key of ``Doc.specific`` with the source."""


class SentenceCollector:
    """Collects the sentence of a document."""

    def compute(self, doc: Any, model_response: Any, **rest: object) -> CollectedSentence:
        """Collect source, references and prediction."""
        del rest
        specific = doc.specific or {}
        if _SOURCE not in specific:
            raise UsageError(f'a document must have its source in specific["{_SOURCE}"], found {", ".join(specific) or "nothing"}')
        golds = doc.get_golds()
        texts = model_response.final_text
        if len(texts) != 1:
            raise UsageError(f"a document must have one prediction, found {len(texts)}")
        return CollectedSentence(
            specific[_SOURCE], [golds] if isinstance(golds, str) else list(golds), check_prediction(texts[0], "a document")
        )


class CorpusScore:
    """Scores all sentences together."""

    def __init__(self, metric: Metric, tokenise: str = WHITESPACE_TOKENS) -> None:
        self.metric, self.tokenise = metric, tokenise

    def compute_corpus(self, items: Sequence[Sequence[object]]) -> dict[str, float]:
        """Return all numbers of ``Score.to_dict``, the value also under the name of the metric.

        Lighteval resamples only single numbers, which would score the corpus a thousand times; ``Score.interval`` has an interval.
        """
        score = score_items(items, self.metric, tokenise=self.tokenise)
        return {str(self.metric): float(score.value), **score.to_dict()}


def make_metric(metric: str = "maxmatch", *, tokenise: str = WHITESPACE_TOKENS) -> Any:
    """Make a metric for the ``metrics`` of a ``LightevalTaskConfig``; this needs the package ``lighteval``."""
    found = registry.metric(metric)
    try:
        from lighteval.metrics.metrics_corpus import CorpusLevelComputation
        from lighteval.metrics.metrics_sample import SampleLevelComputation
        from lighteval.metrics.utils.metric_utils import CorpusLevelMetric
        from lighteval.tasks.requests import SamplingMethod
    except ImportError as error:
        raise RequestError(f"a metric of Lighteval needs the package lighteval: pip install lighteval ({error})") from error
    # Lighteval asks which class they have, so they are made of its own ones here, where it is known to be installed.
    sample = type("SentenceCollector", (SentenceCollector, SampleLevelComputation), {})()
    corpus = type("CorpusScore", (CorpusScore, CorpusLevelComputation), {})(found, tokenise)
    return CorpusLevelMetric(
        metric_name=str(found), higher_is_better=True, category=SamplingMethod.GENERATIVE, sample_level_fn=sample, corpus_level_fn=corpus
    )
