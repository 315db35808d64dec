"""GLEU prepared for one corpus: the n-grams of sources and references."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from errata import core
from errata.corpus.annotators import complete_annotations, complete_as_found
from errata.metrics.base import Output, refuse
from errata.metrics.gleu_ngrams import judge_ngrams
from errata.metrics.views import NgramView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens
    from errata.metrics.gleu import Gleu
    from errata.ratios import Row

_ALL = "all"
"""The label of all references of a sentence together."""


class GleuScorer:
    """GLEU prepared for one corpus."""

    def __init__(self, metric: Gleu, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        annotations = complete_annotations(complete_as_found(corpus, metric.missing), "absent")
        self.references = [
            {annotation.annotator: sentence.corrected(annotation) for annotation in own}
            for sentence, own in zip(corpus, annotations, strict=True)
        ]
        """The texts of each sentence by annotator, in the order in which they are drawn."""
        _ = self.counter

    @cached_property
    def counter(self) -> core.NgramCounter:
        """The n-grams in the core."""
        texts = zip(self.corpus, self.references, strict=True)
        try:
            return core.NgramCounter([(sentence.tokens, tuple(own.values())) for sentence, own in texts], self.metric.order)
        except OverflowError as error:
            raise refuse(self.corpus, error) from None

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the core, which is rebuilt when needed."""
        return {name: value for name, value in vars(self).items() if name != "counter"}

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> GleuOutput:
        """Keep the hypotheses; nothing is prepared."""
        return GleuOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """Name the annotators, or all of them."""
        del rows
        return (_ALL,) if self.metric.pooled else tuple(self.references[index])


class GleuOutput(Output):
    """The output of a system, scored by GLEU."""

    def __init__(self, scorer: GleuScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """Count both lengths, numerators and denominators, one row for each reference, or one for all."""
        scorer, metric = self._scorer, self._scorer.metric
        count = scorer.counter.pooled_counts if metric.pooled else scorer.counter.counts
        try:
            found: Sequence[tuple[Row, ...]] = count(start, self.between(start, stop), metric.rule.excess)
        except OverflowError as error:
            raise refuse(scorer.corpus, error) from None
        if metric.pooled:
            found = [(self._weigh(row),) for (row,) in found]
        if metric.empty_length:
            found = [tuple((row[0] or 1, row[1] or 1, *row[2:]) for row in own) for own in found]
        return found

    def ngrams(self, index: int) -> list[NgramView]:
        """Show the n-grams of a sentence, for each reference, or for all as one."""
        scorer = self._scorer
        source, hypothesis = scorer.corpus[index].tokens, self.hypothesis(index)
        texts = list(scorer.references[index].values())
        lengths, excess = range(1, scorer.metric.order + 1), scorer.metric.rule.excess
        if scorer.metric.pooled:
            return [NgramView(None, [judge_ngrams(source, texts, hypothesis, length, excess=excess) for length in lengths])]
        return [NgramView(text, [judge_ngrams(source, [text], hypothesis, length, excess=excess) for length in lengths]) for text in texts]

    def _weigh(self, row: Row) -> Row:
        """Make the row of an original from n-grams gained, right, lost and to gain; numerators are multiplied to be whole numbers."""
        metric = self._scorer.metric
        lost_weight, weight = metric.exact_weight.as_integer_ratio()
        output, reference, orders = row[0], row[1], range(metric.order)
        gained, right, lost, to_gain = (row[2 + metric.order * kind : 2 + metric.order * (kind + 1)] for kind in range(4))
        kept = [weight * right[k] - lost_weight * lost[k] for k in orders]
        ngrams = [max(0, output - k) for k in orders]
        if metric.rule.excess:  # of 2015: without a brevity penalty, because the length of the reference stays that of the output
            return output, output, *(weight * gained[k] + kept[k] for k in orders), *(to_gain[k] + ngrams[k] for k in orders)
        return output, reference, *(weight * gained[k] + max(0, kept[k]) for k in orders), *(gained[k] + ngrams[k] for k in orders)
