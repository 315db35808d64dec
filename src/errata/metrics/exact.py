"""Exact match: the share of sentences that a system leaves as some annotator does (Choshen and Abend 2018, section 3.2).

``accuracy`` asks for the same text, ``indexmatch`` only for changes of the same words, whatever they are changed to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from errata.gold.accepted import list_accepted_texts
from errata.gold.equality import NORMALISATIONS, Normalisation, make_normaliser
from errata.language.word_alignment import find_changed_words
from errata.metrics.base import Outcomes, Output, RatioMetric
from errata.metrics.strategy import Choose
from errata.ratios import Ratio
from errata.settings import one_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from errata.corpus import Corpus, Sentence, Tokens
    from errata.ratios import Row

Positions = Literal["published", "formal"]
_POSITIONS: dict[Positions, str] = {
    "published": "the same words of the source are changed, and as many words are inserted",
    "formal": "the same words of the source are changed",
}


class ExactMatch(RatioMetric):
    """What both have in common: a sentence matches a reference or it does not."""

    paper: ClassVar[str] = "Choshen and Abend 2018"
    columns: ClassVar[tuple[str, ...]] = ("matched", "sentences")

    @property
    def strategy(self) -> Choose:
        """Each sentence has the reference that it matches, if there is one."""
        return Choose("sentence", self.ratio)

    @property
    def ratio(self) -> Ratio:
        """Matched sentences of all."""
        return Ratio((1, 0), (0, 1))

    def outcomes(self, counts: Row) -> Outcomes:
        """Sentences have no positives; those that are not matched are what is missing."""
        return Outcomes(0, 0, counts[1] - counts[0])

    def successes(self, counts: Row) -> tuple[int, int]:
        """Matched sentences, and all."""
        return counts[0], counts[1]

    def scorer(self, corpus: Corpus) -> ExactScorer:
        """List what annotators accept."""
        return ExactScorer(self, corpus)

    def key(self, sentence: Sentence, text: Tokens) -> Hashable:
        """What a text comes to; equal for texts that match."""
        raise NotImplementedError


@dataclass(frozen=True)
class Accuracy(ExactMatch):
    """Sentence accuracy.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> print(errata.score(gold, errata.read_system("examples/systems/eager.txt"), "accuracy"))
    accuracy of eager: 0.2639 (matched 19, sentences 72)
    """

    normalise: Normalisation = one_of("tokens", NORMALISATIONS, "when two texts count as equal")

    name: ClassVar[str] = "accuracy"
    title: ClassVar[str] = "Accuracy"
    summary: ClassVar[str] = "share of sentences that equal a reference"

    def key(self, sentence: Sentence, text: Tokens) -> Hashable:
        """The text, normalised."""
        del sentence
        return make_normaliser(self.normalise)(" ".join(text))

    @property
    def label(self) -> str:
        """As people call it."""
        return "Accuracy"


@dataclass(frozen=True)
class IndexMatch(ExactMatch):
    """Exact index match: a sentence matches a reference that changes the same words of the source."""

    positions: Positions = one_of("published", _POSITIONS, "when a sentence counts as a match")
    normalise: Normalisation = one_of("words2016", NORMALISATIONS, "what the words are; case does not matter")

    name: ClassVar[str] = "indexmatch"
    title: ClassVar[str] = "Index match"
    summary: ClassVar[str] = "share of sentences in which the words that a reference changes are changed"

    def key(self, sentence: Sentence, text: Tokens) -> Hashable:
        """What a text changes."""
        return self.changes(" ".join(sentence.tokens), " ".join(text))

    def changes(self, source: str, text: str) -> Hashable:
        """What a text changes; equal for texts that match.

        >>> IndexMatch().changes("I likes cake .", "I love cake .") == IndexMatch().changes("I likes cake .", "I like cake !")
        True
        """
        normalised = make_normaliser(self.normalise)
        positions, inserted = find_changed_words(*(normalised(side).lower().split() for side in (source, text)))
        return (positions, inserted) if self.positions == "published" else positions

    @property
    def label(self) -> str:
        """As people call it."""
        return "Index match"


class ExactScorer:
    """What the references of a corpus come to."""

    def __init__(self, metric: ExactMatch, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        self.wanted = [
            {
                annotator: {metric.key(sentence, text) for text in texts}
                for annotator, texts in list_accepted_texts(sentence, number).items()
            }
            for number, sentence in enumerate(corpus, start=1)
        ]

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> ExactOutput:
        """An output is compared as it is."""
        return ExactOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """The annotators."""
        del rows
        return tuple(self.wanted[index])


class ExactOutput(Output):
    """Compares what hypotheses come to with what the references come to."""

    def __init__(self, scorer: ExactScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """Whether each annotator's texts are matched."""
        result = []
        for index in range(start, stop):
            key = self._scorer.metric.key(self._scorer.corpus[index], self.hypothesis(index))
            result.append(tuple((int(key in wanted), 1) for wanted in self._scorer.wanted[index].values()))
        return result
