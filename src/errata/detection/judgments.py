"""Judgments: who says what is an error, if a sentence has several annotators.

*chosen*: the reference that a metric chooses for each system, so that every system has its own gold.  Otherwise gold is the same for
all systems (Chodorow et al. 2012, sections 3.4 and 3.5.2): one annotator; *vote*, in which more than half of the annotators of a
sentence must mark an error; or *graded*, in which a case is an error by the share of annotators who mark it.

An annotator without an annotation of a sentence did not annotate it and has no vote.  A sentence without any annotation has no error.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, get_args

from errata.errors import UsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from errata.corpus.corpus import Annotation, Corpus, Sentence

JudgmentRule = Literal["chosen", "vote", "graded"]
JUDGMENT_RULES: tuple[JudgmentRule, ...] = get_args(JudgmentRule)

_Correction = TypeVar("_Correction", bound="Hashable")


class Verdict(NamedTuple):
    """What the annotators together say about a case."""

    error: float
    """The share of annotators who mark an error; 0 or 1 if they vote."""
    corrections: dict[Hashable, float]
    """The share of annotators who accept each correction."""
    tied: bool = False
    """Whether as many annotators say error as no error, which is then no error."""


@dataclass(frozen=True)
class Judgments:
    """Who says what is an error: all annotators, or one."""

    name: JudgmentRule = "chosen"
    annotator: str | None = None
    beside: str | None = None
    """Another annotator, who must have annotated a sentence too."""

    @classmethod
    def of(cls, corpus: Corpus, name: JudgmentRule = "chosen", annotator: str | None = None) -> Judgments:
        """Check that a rule and an annotator exist."""
        if name not in JUDGMENT_RULES:
            raise UsageError(f"judgments must be {', '.join(JUDGMENT_RULES[:-1])} or {JUDGMENT_RULES[-1]}, found {name!r}")
        if annotator is None:
            return cls(name)
        if name != "chosen":
            raise UsageError(f"one annotator cannot be combined with {name}")
        if annotator not in corpus.annotators:
            names = ", ".join(corpus.annotators[:_LISTED]) + (", ..." if len(corpus.annotators) > _LISTED else "")
            where = corpus.path or corpus.name
            raise UsageError(f"{where} has no annotator {annotator!r}; choose from {names}{suggest(annotator, corpus.annotators)}")
        return cls("vote", annotator)

    @property
    def is_fixed(self) -> bool:
        """Whether gold is the same for all systems."""
        return self.name != "chosen"

    def find_annotations(self, sentence: Sentence) -> Sequence[Annotation] | None:
        """List the annotations of a sentence that count; None if there is none."""
        if self.annotator is None or not sentence.annotations:
            return sentence.annotations
        if self.beside is not None and all(annotation.annotator != self.beside for annotation in sentence.annotations):
            return None
        return [annotation for annotation in sentence.annotations if annotation.annotator == self.annotator] or None

    def weigh(self, corrections: Sequence[Collection[_Correction]], annotators: int) -> Verdict:
        """Weigh the corrections that each annotator who marks an error accepts; ``annotators`` is the number of all.

        In a vote, the correction that most of them accept is right; if several have as many votes, each of them is.

        >>> Judgments("graded").weigh([["of"], ["of"], ["in"], ["of"]], 5)
        Verdict(error=0.8, corrections={'of': 0.6, 'in': 0.2}, tied=False)
        """
        votes = Counter(text for own in corrections for text in dict.fromkeys(own))
        if self.name == "graded":
            return Verdict(len(corrections) / annotators, {text: count / annotators for text, count in votes.items()})
        if 2 * len(corrections) <= annotators:
            return Verdict(0.0, {}, tied=2 * len(corrections) == annotators > 0)
        most = max(votes.values(), default=0)
        return Verdict(1.0, {text: 1.0 for text, count in votes.items() if count == most})

    def describe(self, corpus: Corpus, tied: int) -> str:
        """Describe who says what is an error, for reports."""
        if self.annotator is not None:
            return f"Errors are those of annotator {self.annotator}"
        if self.name == "graded":
            return f"Errors are judged by {_count(corpus)}"
        ties = f"; {tied:,} of these cases had a tie, which is no error" if tied else ""
        return f"Errors are those that more than half of {_count(corpus)} mark{ties}"


_LISTED = 20
"""Names in messages."""


def _count(corpus: Corpus) -> str:
    return f"the {len(corpus.annotators):,} annotators" if len(corpus.annotators) > 1 else "the only annotator"
