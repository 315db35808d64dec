"""Exact match: the share of sentences that match a reference (Choshen and Abend, section 3.4).

With m matches in n sentences, the value is m / n.
``accuracy`` needs the same text, ``indexmatch`` only changes of the same words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from errata.corpus.alternatives import MixedTexts
from errata.corpus.references import NORMALISATIONS, Normalisation, list_accepted_texts, make_normaliser
from errata.errors import UsageError
from errata.language.word_alignment import align_words, name_sentence_of_words
from errata.metrics.base import Outcomes, Output, RatioMetric
from errata.metrics.ratios import Ratio
from errata.metrics.strategies import Choose
from errata.metrics.views import MIXED, REFERENCES, References
from errata.settings import one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from errata.corpus.corpus import Corpus, Sentence
    from errata.corpus.texts import Tokens
    from errata.metrics.ratios import Row


_MIXED: tuple[Normalisation, ...] = ("tokens", "case")
"""The normalisations that can be applied to each correction alone."""
Positions = Literal["published", "formal"]
_POSITIONS: dict[Positions, str] = {
    "published": "the same words of the source are changed, and the same number of words is inserted",
    "formal": "the same words of the source are changed",
}


class _ExactMatch(RatioMetric):
    """The base of both metrics: a sentence matches a reference or not."""

    paper: ClassVar[str] = "Choshen and Abend"
    in_parts: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = ("matched", "sentences")

    @property
    def strategy(self) -> Choose:
        """Each sentence is scored against a reference that it matches, if there is one."""
        return Choose("sentence", self.ratio)

    @property
    def ratio(self) -> Ratio:
        return Ratio((1, 0), (0, 1))

    def outcomes(self, counts: Row) -> Outcomes:
        """Return unmatched sentences as false negatives; there are no positives."""
        return Outcomes(0, 0, counts[1] - counts[0])

    def successes(self, counts: Row) -> tuple[int, int]:
        return counts[0], counts[1]

    def scorer(self, corpus: Corpus) -> _ExactScorer:
        return _ExactScorer(self, corpus)

    def key(self, sentence: Sentence, text: Tokens) -> Hashable:
        """Compute a key that is equal for texts that match."""
        raise NotImplementedError


@dataclass(frozen=True)
class Accuracy(_ExactMatch):
    """Sentence accuracy.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> print(errata.score(gold, errata.read_system("examples/systems/eager.txt"), "accuracy"))
    accuracy of eager: 0.2639 (matched 19, sentences 72)
    """

    normalise: Normalisation = one_of("tokens", NORMALISATIONS, "how texts are normalised before they are compared")
    references: References = one_of("single", REFERENCES, "the references of a sentence")

    in_parts: ClassVar[bool] = True
    name: ClassVar[str] = "accuracy"
    title: ClassVar[str] = "Accuracy"
    summary: ClassVar[str] = "share of sentences that equal a reference"

    def check(self) -> None:
        if self.references == "mix" and self.normalise not in _MIXED:
            raise UsageError(f"accuracy(references=mix) needs normalise={' or '.join(_MIXED)}, found {self.normalise}")

    @property
    def mixes_references(self) -> bool:
        return self.references == "mix"

    def scorer(self, corpus: Corpus) -> _ExactScorer | _MixedAccuracyScorer:  # type: ignore[override]
        if self.references == "single":
            return super().scorer(corpus)

        return _MixedAccuracyScorer(self, corpus)

    def key(self, sentence: Sentence, text: Tokens) -> Hashable:
        del sentence
        return make_normaliser(self.normalise)(" ".join(text))

    @property
    def label(self) -> str:
        return "Accuracy"


@dataclass(frozen=True)
class IndexMatch(_ExactMatch):
    """Exact index match: a sentence matches a reference that changes the same words of the source."""

    positions: Positions = one_of("published", _POSITIONS, "when a sentence counts as a match")
    normalise: Normalisation = one_of(
        "words2016", NORMALISATIONS, "how texts are normalised before they are split into words; case does not matter"
    )

    name: ClassVar[str] = "indexmatch"
    title: ClassVar[str] = "Index match"
    summary: ClassVar[str] = "share of sentences that change exactly the same words as a reference"

    def key(self, sentence: Sentence, text: Tokens) -> Hashable:
        return self.changes(" ".join(sentence.tokens), " ".join(text))

    def changes(self, source: str, text: str) -> Hashable:
        """Find the words that a text changes; equal for texts that match.

        >>> IndexMatch().changes("I likes cake .", "I love cake .") == IndexMatch().changes("I likes cake .", "I like cake !")
        True
        """
        normalised = make_normaliser(self.normalise)
        positions, inserted = _find_changed_words(*(normalised(side).lower().split() for side in (source, text)))
        return (positions, inserted) if self.positions == "published" else positions

    @property
    def label(self) -> str:
        return "Index match"


def _find_changed_words(source: Sequence[str], target: Sequence[str]) -> tuple[frozenset[int], int]:
    """Find the source positions that are changed or unaligned, and count the unaligned words of the target.

    >>> _find_changed_words("I likes the cake".split(), "I like the big cake".split())
    (frozenset({1}), 1)
    """
    pairs = align_words(source, target)
    kept = {position for position, other in pairs if source[position] == target[other]}
    return frozenset(range(len(source))) - kept, len(target) - len(pairs)


class _ExactScorer:
    """The keys of the references of a corpus."""

    def __init__(self, metric: _ExactMatch, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        self.wanted = [self._list_keys(sentence, number) for number, sentence in zip(corpus.numbers, corpus, strict=True)]

    def _list_keys(self, sentence: Sentence, number: int) -> dict[str, set[Hashable]]:
        with name_sentence_of_words(number):
            return {
                annotator: {self.metric.key(sentence, text) for text in texts}
                for annotator, texts in list_accepted_texts(sentence, number).items()
            }

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> _ExactOutput:
        return _ExactOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        del rows
        return tuple(self.wanted[index])


class _ExactOutput(Output):
    """An output whose keys are compared with those of references."""

    def __init__(self, scorer: _ExactScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        result = []
        for index in range(start, stop):
            with name_sentence_of_words(self._scorer.corpus.numbers[index]):
                key = self._scorer.metric.key(self._scorer.corpus[index], self.hypothesis(index))
            result.append(tuple((int(key in wanted), 1) for wanted in self._scorer.wanted[index].values()))
        return result


def _split_tokens(tokens: Tokens) -> tuple[str, ...]:
    return tuple(word for token in tokens for word in token.split())


def _split_characters(tokens: Tokens) -> tuple[str, ...]:
    return tuple("".join(word for token in tokens for word in token.lower().split()))


_SPLITTERS: dict[Normalisation, Callable[[Tokens], tuple[str, ...]]] = {"tokens": _split_tokens, "case": _split_characters}
"""What each normalisation that mixtures allow compares."""


class _MixedAccuracyScorer:
    """The texts of all mixtures of a corpus."""

    def __init__(self, metric: Accuracy, corpus: Corpus) -> None:
        self.corpus = corpus
        split = _SPLITTERS[metric.normalise]
        self.texts = [MixedTexts(sentence, number, split) for number, sentence in zip(corpus.numbers, corpus, strict=True)]

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> _MixedAccuracyOutput:
        return _MixedAccuracyOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        del index
        return (MIXED,) * rows


class _MixedAccuracyOutput(Output):
    """An output that is looked up among all mixtures."""

    def __init__(self, scorer: _MixedAccuracyScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        return [((int(self.hypothesis(index) in self._scorer.texts[index]), 1),) for index in range(start, stop)]
