"""Sentence accuracy against all mixtures of the annotators' corrections, prepared for one corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.corpus.alternatives import MixedTexts
from errata.metrics.base import Output
from errata.metrics.references import MIXED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.references import Normalisation
    from errata.corpus.texts import Tokens
    from errata.metrics.exact import Accuracy
    from errata.ratios import Row


def _split_tokens(tokens: Tokens) -> tuple[str, ...]:
    return tuple(word for token in tokens for word in token.split())


def _split_characters(tokens: Tokens) -> tuple[str, ...]:
    return tuple("".join(word for token in tokens for word in token.lower().split()))


SPLITTERS: dict[Normalisation, Callable[[Tokens], tuple[str, ...]]] = {"tokens": _split_tokens, "case": _split_characters}
"""What each normalisation that mixtures allow compares."""


class MixedAccuracyScorer:
    """The texts of all mixtures of a corpus."""

    def __init__(self, metric: Accuracy, corpus: Corpus) -> None:
        self.corpus = corpus
        split = SPLITTERS[metric.normalise]
        self.texts = [MixedTexts(sentence, number, split) for number, sentence in zip(corpus.numbers, corpus, strict=True)]

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> MixedAccuracyOutput:
        """Keep the hypotheses; nothing is prepared."""
        return MixedAccuracyOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """Return the setting of references for every row."""
        del index
        return (MIXED,) * rows


class MixedAccuracyOutput(Output):
    """An output that is looked up among all mixtures."""

    def __init__(self, scorer: MixedAccuracyScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """Count whether a mixture is matched."""
        return [((int(self.hypothesis(index) in self._scorer.texts[index]), 1),) for index in range(start, stop)]
