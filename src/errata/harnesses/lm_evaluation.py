"""Metrics for tasks of the LM Evaluation Harness (``lm_eval``): a task names these functions with ``!function``.

The harness keeps what :func:`collect` makes of every document, and an aggregation scores the whole corpus once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.errors import UsageError, suggest
from errata.formats.rows import find_columns, take_texts
from errata.harnesses.items import CollectedSentence, check_prediction, score_items
from errata.metrics import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

VALUE = "value"


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
        texts = take_texts(doc, find_columns(list(doc), source, references))
        if len(results) != 1:
            raise UsageError(f"a document must have one prediction, found {len(results)}")
        item = CollectedSentence(*texts, check_prediction(results[0], "a document"))
        return dict.fromkeys(names, item)

    return process_results


def make_aggregation(
    metric: str = "maxmatch", number: str = VALUE, *, tokenise: str = WHITESPACE_TOKENS
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
