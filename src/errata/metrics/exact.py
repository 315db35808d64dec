"""Exact match: the share of sentences that a system leaves as some annotator does (Choshen and Abend 2018, section 3.2).

``accuracy`` asks for the same text, ``indexmatch`` only for changes of the same words, whatever they are changed to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from errata.errors import UsageError
from errata.gold.accepted import accepted_texts
from errata.gold.equality import NORMALISATIONS, Normalisation, normaliser
from errata.language.word_alignment import changed_words
from errata.metrics.base import Metric
from errata.metrics.choice import Ratio, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from errata.corpus import Corpus, Sentence, Tokens
    from errata.metrics.choice import Row

Places = Literal["published", "formal"]


class ExactMatch(Metric):
    """What both have in common: a sentence matches a reference or it does not."""

    columns: ClassVar[tuple[str, ...]] = ("matched", "sentences")
    choice: Rule = "sentence"

    def ratio(self) -> Ratio:
        """Matched sentences of all."""
        return Ratio((1, 0), (0, 1))

    def value(self, counts: Row) -> float:
        """The share of sentences that match a reference."""
        return counts[0] / counts[1] if counts[1] else 1.0

    def parts(self, counts: Row) -> dict[str, Any]:
        """Both counts."""
        return dict(zip(self.columns, counts, strict=True))


@dataclass(frozen=True)
class Accuracy(ExactMatch):
    """Sentence accuracy.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> print(errata.score(gold, errata.read_system("examples/systems/eager.txt"), "accuracy"))
    accuracy of eager: 0.2639 (matched 19, sentences 72)
    """

    normalise: Normalisation = "tokens"
    """When texts are the same (:mod:`errata.gold.equality`)."""

    name: ClassVar[str] = "accuracy"
    summary: ClassVar[str] = "share of sentences that equal a reference"

    def __post_init__(self) -> None:
        _check("accuracy", "normalise", self.normalise, NORMALISATIONS)

    def scorer(self, corpus: Corpus) -> ExactScorer:
        """List what annotators accept."""
        normalised = normaliser(self.normalise)
        return ExactScorer(corpus, lambda _, text: normalised(" ".join(text)))

    @property
    def label(self) -> str:
        """As people call it."""
        return "Accuracy"


@dataclass(frozen=True)
class IndexMatch(ExactMatch):
    """Exact index match: a sentence matches a reference that changes the same words of the source."""

    places: Places = "published"
    """Whether the number of inserted words must be the same too (as published), or only source words count (the formal definition)."""
    normalise: Normalisation = "words2016"
    """What the words are; case does not matter."""

    name: ClassVar[str] = "indexmatch"
    summary: ClassVar[str] = "share of sentences in which the words that a reference changes are changed"

    def __post_init__(self) -> None:
        _check("indexmatch", "places", self.places, get_args(Places))
        _check("indexmatch", "normalise", self.normalise, NORMALISATIONS)

    def scorer(self, corpus: Corpus) -> ExactScorer:
        """List what annotators change."""
        return ExactScorer(corpus, lambda sentence, text: self.changes(" ".join(sentence.tokens), " ".join(text)))

    def changes(self, source: str, text: str) -> Hashable:
        """What a text changes; equal for texts that match.

        >>> IndexMatch().changes("I likes cake .", "I love cake .") == IndexMatch().changes("I likes cake .", "I like cake !")
        True
        """
        normalised = normaliser(self.normalise)
        places, inserted = changed_words(*(normalised(side).lower().split() for side in (source, text)))
        return (places, inserted) if self.places == "published" else places

    @property
    def label(self) -> str:
        """As people call it."""
        return "Index match"


class ExactScorer:
    """Compares what a hypothesis comes to with what the references come to."""

    def __init__(self, corpus: Corpus, key: Callable[[Sentence, Tokens], Hashable]) -> None:
        self._key = key
        self._corpus = corpus
        self._wanted = [
            {annotator: {key(sentence, text) for text in texts} for annotator, texts in accepted_texts(sentence, number).items()}
            for number, sentence in enumerate(corpus, start=1)
        ]

    def labels(self, sentence: int, rows: int) -> tuple[str, ...]:
        """The annotators."""
        del rows
        return tuple(self._wanted[sentence])

    def rows(self, first: int, hypotheses: list[Tokens]) -> Sequence[tuple[Row, ...]]:
        """Whether each annotator's texts are matched."""
        found = []
        for number, hypothesis in enumerate(hypotheses, start=first):
            key = self._key(self._corpus[number], hypothesis)
            found.append(tuple((int(key in wanted), 1) for wanted in self._wanted[number].values()))
        return found


def _check(metric: str, setting: str, value: object, known: Sequence[str]) -> None:
    if value not in known:
        raise UsageError(f"{metric} setting {setting} is one of {', '.join(known)}, found {value!r}")
