"""The scores of systems by a metric, from evidence or from elsewhere, and what they are in replicates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from errata.errors import RequestError, UsageError
from errata.meta.sentence_scores import list_sentence_scores, rank_sentence_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.meta.score_tables import ExternalScores
    from errata.metrics.evidence import Evidence
    from errata.scoring import Score

    _Array = NDArray[np.float64]


@dataclass(frozen=True)
class MetricScores:
    """The scores of systems by one metric."""

    name: str
    values: Mapping[str, float]
    """The score of each system."""
    evidence: Mapping[str, Evidence] | None = field(default=None, repr=False)
    """The counts of each system; None if the scores come from elsewhere."""
    sentences: Mapping[str, Mapping[int, float]] | None = field(default=None, repr=False)
    """The scores of sentences, which are counted from 1, if scores from elsewhere have them."""
    signature: str = ""

    @classmethod
    def of(cls, scores: Sequence[Score], name: str = "") -> MetricScores:
        """Take the scores of systems by one metric on one corpus."""
        if not scores:
            raise UsageError("there are no scores")
        evidence = {score.system_name: score.evidence for score in scores}
        if len(evidence) < len(scores):
            raise UsageError("two scores have the same name of a system")
        from errata.scoring import join_signatures

        values = {score.system_name: float(score.value) for score in scores}
        return cls(name or str(scores[0].metric), values, evidence, signature=join_signatures(scores))

    @classmethod
    def from_elsewhere(cls, scores: ExternalScores) -> MetricScores:
        """Take scores of a table."""
        return cls(scores.name, scores.systems, None, scores.sentences, scores.signature)

    @property
    def varies(self) -> bool:
        """Whether scores can be resampled."""
        return self.evidence is not None

    @property
    def has_sentences(self) -> bool:
        """Whether single sentences have scores."""
        return self.evidence is not None or self.sentences is not None

    def list_values(self, systems: Sequence[str]) -> _Array:
        """List the scores of systems."""
        import numpy as np

        return np.array([self.values[name] for name in systems], dtype=np.float64)

    def resample(self, systems: Sequence[str], weights: _Array) -> _Array:
        """Compute the scores of systems (columns) if sentences have these weights, one row for each replicate."""
        import numpy as np

        if self.evidence is None:
            return np.tile(self.list_values(systems), (len(weights), 1))
        return np.column_stack([self.evidence[name].values(weights @ self.evidence[name].matrix) for name in systems])

    def leave_out_each(self, systems: Sequence[str]) -> _Array:
        """Compute the scores of systems (columns) without each sentence (rows); a single row if scores come from elsewhere."""
        import numpy as np

        if self.evidence is None:
            return self.list_values(systems)[None, :]
        matrices = [(self.evidence[name], self.evidence[name].matrix) for name in systems]
        return np.column_stack([item.values(matrix.sum(axis=0) - matrix) for item, matrix in matrices])

    def rank_sentences(self, systems: Sequence[str], sentences: Sequence[int]) -> NDArray[np.int64]:
        """Rank systems (rows) on each of some sentences (columns), which are counted from 1: a larger number is better."""
        if self.evidence is not None:
            places = {number: index for index, number in enumerate(next(iter(self.evidence.values())).corpus.numbers)}
            kept = [places[number] for number in sentences]
            lists = [list_sentence_scores(self.evidence[name]) for name in systems]
            return rank_sentence_scores([[scores[index] for index in kept] for scores in lists])
        if self.sentences is None:
            raise RequestError(f"{self.name} has no scores of single sentences")
        for name in systems:
            if missing := next((number for number in sentences if number not in self.sentences[name]), None):
                raise RequestError(f"{self.name} of {name} has no score of sentence {missing:,}, which was judged")
        return rank_sentence_scores([[self.sentences[name][number] for number in sentences] for name in systems])
