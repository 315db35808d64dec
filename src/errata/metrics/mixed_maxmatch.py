"""MaxMatch against all mixtures of the annotators' edits (Felice and Briscoe 2015, section 3), prepared for one corpus."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from errata import core
from errata.corpus.corpus import Annotation, Corpus, Part
from errata.metrics.base import Output
from errata.metrics.maxmatch_scorer import MaxMatchOutput, MaxMatchScorer, list_candidates, make_core_edit, name_corpus
from errata.metrics.mixed_edits import MOST_TRIED_MIXTURES, MixedSentence, Mixture, find_mixtures
from errata.metrics.references import MIXED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.texts import Tokens
    from errata.metrics.lattice import EditLattice
    from errata.metrics.maxmatch import MaxMatch
    from errata.metrics.mixed_edits import Selection
    from errata.metrics.views import JudgedEdit
    from errata.ratios import Row

_MOST_VERTICES = 1 << 26
"""The most vertices of the edit lattices of all mixtures of one sentence that are tried: seconds."""


class MixedScorer:
    """All mixtures of the edits of a corpus."""

    def __init__(self, metric: MaxMatch, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        everybody = corpus.annotators if metric.missing != "absent" else ()
        self.sentences = [
            MixedSentence(replace(sentence, annotations=list_candidates(sentence, everybody, metric.missing))) for sentence in corpus
        ]
        _ = self.judge

    @cached_property
    def judge(self) -> core.MaxMatchJudge:
        """The edits of all annotators in the core."""
        pools = (tuple(make_core_edit(edit) for edit in sentence.pool) for sentence in self.sentences)
        return core.MaxMatchJudge(
            [(sentence.tokens, (pool,)) for sentence, pool in zip(self.corpus, pools, strict=True)], self.metric.max_unchanged
        )

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the core, which is rebuilt when needed."""
        return {name: value for name, value in vars(self).items() if name != "judge"}

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> MixedOutput:
        """Keep the hypotheses; nothing is prepared."""
        return MixedOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """Return the setting of references for every row."""
        del index
        return (MIXED,) * rows


class MixedOutput(Output):
    """The output of a system, scored against mixtures."""

    def __init__(self, scorer: MixedScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """Count correct, proposed and gold edits, one row for each mixture that can be chosen."""
        result = []
        for index in range(start, stop):
            mixtures, certified = self._find(index)
            result.append(tuple((*mixture[:3], int(certified), 1) for mixture in mixtures))
        return result

    def edits(self, index: int) -> list[list[JudgedEdit]]:
        """List right, wrong and missed edits of the sentence at an index, in order, for each mixture that can be chosen."""
        mixtures, _ = self._find(index)
        return self._as_annotators(index, [mixture.edits for mixture in mixtures]).edits(0)

    def lattice(self, index: int) -> list[EditLattice]:
        """Make the lattice of the sentence at an index, with the best path for each mixture that can be chosen."""
        mixtures, _ = self._find(index)
        return self._as_annotators(index, [mixture.edits for mixture in mixtures]).lattice(0)

    def _find(self, index: int) -> tuple[list[Mixture], bool]:
        scorer, hypothesis = self._scorer, self.hypothesis(index)
        cells = (len(scorer.corpus[index].tokens) + 1) * (len(hypothesis) + 1)
        with name_corpus(scorer.corpus):
            probe = scorer.judge.probe(index, hypothesis)
            return find_mixtures(
                scorer.sentences[index],
                probe,
                lambda selections: self._count(index, selections),
                scorer.metric.ratio,
                max(1, min(MOST_TRIED_MIXTURES, _MOST_VERTICES // cells)),
            )

    def _count(self, index: int, selections: list[Selection]) -> list[tuple[int, int, bool]]:
        if not self._scorer.metric.ignore_case_and_space:
            return self._scorer.judge.counts_of(index, self.hypothesis(index), selections)
        # Which edits are left out depends on the very edits, so nothing is proved.
        (rows,) = self._as_annotators(index, selections).rows(0, 1)
        return [(correct, proposed, False) for correct, proposed, _ in rows]

    def _as_annotators(self, index: int, selections: list[Selection]) -> MaxMatchOutput:
        """Prepare the sentence alone, with an annotator for each selection of edits."""
        pool, sentence = self._scorer.sentences[index].pool, self._scorer.corpus[index]
        annotations = tuple(Annotation(str(number), tuple(pool[edit] for edit in own)) for number, own in enumerate(selections))
        whole = self._scorer.corpus
        alone = Corpus((replace(sentence, annotations=annotations),), whole.name, whole.path, Part((whole.numbers[index],), len(whole)))
        return MaxMatchScorer(replace(self._scorer.metric, references="single"), alone).prepare([self.hypothesis(index)])
