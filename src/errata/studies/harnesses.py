"""Corpus-level metrics for evaluation harnesses of language models; neither harness is needed to import them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.corpus import WHITESPACE_TOKENS, Corpus
from errata.corpus.texts import check_sentence
from errata.errors import RequestError, UsageError, suggest
from errata.formats.rows import find_columns
from errata.metrics import registry
from errata.scoring.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from errata.corpus.texts import Text
    from errata.metrics.base import Metric
    from errata.scoring.scores import Score


_FIELDS = 3


class CollectedSentence(NamedTuple):
    """One sentence; plain values, so that a harness can store and send them."""

    source: Text
    references: Sequence[Text | None]
    """None for an annotator who has none."""
    prediction: str


def score_items(items: Iterable[Sequence[object]], metric: str | Metric = "maxmatch", *, tokenise: str = WHITESPACE_TOKENS) -> Score:
    """Score all sentences together, as ``errata.score`` does.

    >>> score_items([("He go home .", ["He goes home .", "He went home ."], "He went home .")]).parts["correct"]
    1
    """
    listed = [_check_item(item, number) for number, item in enumerate(items, start=1)]
    if not listed:
        raise RequestError("a score needs one sentence or more, found none")
    corpus = Corpus.from_texts([item.source for item in listed], [list(item.references) for item in listed])
    return Evaluator(corpus, metric, tokenise=tokenise)([item.prediction for item in listed])


def _check_item(item: Sequence[object], number: int) -> CollectedSentence:
    """Make an item of what a harness gives back, which may be a list."""
    if isinstance(item, str) or len(item) != _FIELDS:
        raise UsageError(f"item {number:,} must be a source, its references and a prediction, found {item!r:.60}")
    source, references, prediction = item
    if isinstance(references, str) or not isinstance(references, list | tuple):
        raise UsageError(f"item {number:,}: references must be a list, found {references!r:.60}")
    return CollectedSentence(check_sentence(source), references, _check_prediction(prediction, f"item {number:,}"))


def _check_prediction(prediction: object, where: str) -> str:
    """Return a prediction if it is a text."""
    if not isinstance(prediction, str):
        raise UsageError(f"{where}: the prediction must be a text, found {type(prediction).__name__}: {prediction!r:.60}")
    return prediction


# Metrics for tasks of Lighteval: sentences are collected, and the corpus is scored once.  A task gives the source of a sentence in
# ``Doc.specific["source"]``, and its references as golds.

_SOURCE = "source"
"""The key of ``Doc.specific`` with the source."""


class _SentenceCollector:
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
            specific[_SOURCE], [golds] if isinstance(golds, str) else list(golds), _check_prediction(texts[0], "a document")
        )


class _CorpusScore:
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
    sample = type("SentenceCollector", (_SentenceCollector, SampleLevelComputation), {})()
    corpus = type("CorpusScore", (_CorpusScore, CorpusLevelComputation), {})(found, tokenise)
    return CorpusLevelMetric(
        metric_name=str(found), higher_is_better=True, category=SamplingMethod.GENERATIVE, sample_level_fn=sample, corpus_level_fn=corpus
    )


# Metrics for tasks of the LM Evaluation Harness (``lm_eval``): a task names these functions with ``!function``.  The harness keeps what
# :func:`collect` makes of every document, and an aggregation scores the whole corpus once.

_VALUE = "value"


def collect(
    *names: str, source: str | None = None, references: str | Collection[str] | None = None
) -> Callable[[Mapping[str, Any], Sequence[Any]], dict[str, CollectedSentence]]:
    """Make the ``process_results`` of a task whose ``metric_list`` has these names.

    ``source`` and ``references`` name columns of the data set, as those of ``errata.from_rows``.

    >>> process_results = collect("maxmatch")
    >>> process_results({"sentence": "He go .", "corrections": ["He goes ."]}, ["He goes ."])
    {'maxmatch': CollectedSentence(source='He go .', references=['He goes .'], prediction='He goes .')}
    """
    if not names:
        raise UsageError("collect needs the name of one metric of the task or more, found none")

    def process_results(doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, CollectedSentence]:
        """Collect one sentence."""
        texts = find_columns(list(doc), source, references).take_texts(doc)
        if len(results) != 1:
            raise UsageError(f"a document must have one prediction, found {len(results)}")
        item = CollectedSentence(*texts, _check_prediction(results[0], "a document"))
        return dict.fromkeys(names, item)

    return process_results


def make_aggregation(
    metric: str = "maxmatch", number: str = _VALUE, *, tokenise: str = WHITESPACE_TOKENS
) -> Callable[[Sequence[Sequence[object]]], float]:
    """Make the ``aggregation`` of a metric: one number of its score, such as ``value``, ``precision`` or ``correct``.

    >>> aggregate = make_aggregation("maxmatch", "correct")
    >>> aggregate([("He go .", ["He goes ."], "He goes .")])
    1.0
    """
    found = registry.metric(metric)

    def aggregate(items: Sequence[Sequence[object]]) -> float:
        """Score all sentences."""
        numbers = {key.partition("/")[2]: value for key, value in score_items(items, found, tokenise=tokenise).to_dict().items()}
        if number not in numbers:
            raise UsageError(f"{metric} has no number {number!r}; choose from {', '.join(numbers)}{suggest(number, numbers)}")
        return numbers[number]

    return aggregate
