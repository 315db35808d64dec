"""What a harness collects: the source, the references and the prediction of one sentence, and the score of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import WHITESPACE_TOKENS, Corpus
from errata.corpus.texts import check_sentence
from errata.errors import RequestError, UsageError
from errata.scoring.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
    return CollectedSentence(check_sentence(source), references, check_prediction(prediction, f"item {number:,}"))


def check_prediction(prediction: object, where: str) -> str:
    """Return a prediction if it is a text."""
    if not isinstance(prediction, str):
        raise UsageError(f"{where}: the prediction must be a text, found {type(prediction).__name__}: {prediction!r:.60}")
    return prediction
