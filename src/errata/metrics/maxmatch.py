"""MaxMatch (M²): precision, recall and F of the edits that overlap most with gold.

Dahlmeier and Ng 2012, *Better Evaluation for Grammatical Error Correction*; several annotators as in Ng et al. 2013, section 4.
A hypothesis can be cut into edits in many ways; the one that matches most gold edits counts.
With c correct, p proposed and g gold edits, P = c/p, R = c/g and F = (1+b²)c / (p + b²g).
The default counts exactly as release 3.2 of the official scorer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from errata import core
from errata.corpus import FIRST_ANNOTATOR, Annotation, Corpus, Edit, Sentence, Tokens
from errata.errors import RequestError, UsageError
from errata.metrics.base import JudgedEdit, Metric, PrecisionRecall
from errata.metrics.choice import RULES, Ratio, Row, Rule, f_ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.core.edits import MatchedEdit

Missing = Literal["absent", "noop"]


@dataclass(frozen=True)
class MaxMatch(Metric):
    """MaxMatch with its settings.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> errata.score(gold, errata.read_system("examples/systems/eager.txt"), "maxmatch(beta=1)").parts["correct"]
    94
    """

    beta: float = 0.5
    """Weight of recall against precision in F."""
    max_unchanged: int = 2
    """Unchanged tokens that an edit may contain."""
    ignore_case_and_space: bool = False
    """Leave out edits of the system that change only the case of letters or white space."""
    choice: Rule = "official"
    """How one annotator is chosen for each sentence."""
    missing: Missing = "absent"
    """What an annotator without a line in a sentence means: not a candidate there, or one who changes nothing."""

    name: ClassVar[str] = "maxmatch"
    summary: ClassVar[str] = "edits that overlap most with gold: P, R, F (Dahlmeier and Ng 2012)"
    columns: ClassVar[tuple[str, ...]] = ("correct", "proposed", "gold")

    def __post_init__(self) -> None:
        if not (isinstance(self.beta, (int, float)) and math.isfinite(self.beta) and 0 <= self.beta <= 1000):  # noqa: PLR2004 - far beyond any use
            raise UsageError(f"maxmatch setting beta is a number from 0 to 1000, found {self.beta!r}")
        if not (isinstance(self.max_unchanged, int) and 0 <= self.max_unchanged <= 1000):  # noqa: PLR2004
            raise UsageError(f"maxmatch setting max_unchanged is a whole number from 0 to 1000, found {self.max_unchanged!r}")
        for setting, value, known in (("choice", self.choice, RULES), ("missing", self.missing, get_args(Missing))):
            if value not in known:
                raise UsageError(f"maxmatch setting {setting} is one of {', '.join(known)}, found {value!r}")

    def scorer(self, corpus: Corpus) -> MaxMatchScorer:
        """Read the gold into the core."""
        return MaxMatchScorer(self, corpus)

    def ratio(self) -> Ratio:
        """F(beta)."""
        return f_ratio(self.beta)

    def value(self, counts: Row) -> float:
        """F(beta)."""
        return self._measures(counts).f

    def parts(self, counts: Row) -> dict[str, Any]:
        """Counts, precision and recall."""
        measures = self._measures(counts)
        return {**dict(zip(self.columns, counts, strict=True)), "precision": measures.precision, "recall": measures.recall}

    @property
    def label(self) -> str:
        """F with its beta."""
        return f"F{self.beta:g}"

    def _measures(self, counts: Row) -> PrecisionRecall:
        correct, proposed, gold = counts
        return PrecisionRecall.of(correct, proposed, gold, self.beta)


class MaxMatchScorer:
    """MaxMatch made ready for one corpus."""

    def __init__(self, metric: MaxMatch, corpus: Corpus) -> None:
        self.corpus = corpus
        self._ignore_case_and_space = metric.ignore_case_and_space
        everybody = corpus.annotators if metric.missing == "noop" else (FIRST_ANNOTATOR,)
        self.annotations = [_candidates(sentence, everybody, metric.missing) for sentence in corpus]
        self._judge = core.MaxMatchJudge(
            [
                (sentence.tokens, tuple(tuple(_core_edit(edit) for edit in annotation.edits) for annotation in candidates))
                for sentence, candidates in zip(corpus, self.annotations, strict=True)
            ],
            metric.max_unchanged,
        )

    def labels(self, sentence: int, rows: int) -> tuple[str, ...]:
        """The annotators."""
        del rows
        return tuple(annotation.annotator for annotation in self.annotations[sentence])

    def rows(self, first: int, hypotheses: list[Tokens]) -> Sequence[tuple[Row, ...]]:
        """Correct, proposed and gold edits, one row for each annotator."""
        if self._ignore_case_and_space:
            return [self._rows_of_judged(first + place, hypothesis) for place, hypothesis in enumerate(hypotheses)]
        try:
            return self._judge.counts(first, hypotheses)
        except OverflowError as error:
            raise RequestError(f"{self.corpus.path or self.corpus.name}: {error}") from None

    def judged_edits(self, sentence: int, hypothesis: Tokens) -> list[list[JudgedEdit]]:
        """For each annotator of a sentence: the system's edits, right or wrong, and the gold edits it missed, in order."""
        source = self.corpus[sentence]
        result = []
        for annotation, found in zip(self.annotations[sentence], self._edits(sentence, hypothesis), strict=True):
            judged = [_judged(source, annotation, hypothesis, edit) for edit in found]
            matched = {edit.gold for edit in found}
            for number, gold in enumerate(annotation.edits):
                if number not in matched:
                    judged.append(JudgedEdit("missed", gold.start, gold.end, source.original(gold), gold.corrections, gold.type))
            result.append(sorted(judged, key=lambda edit: (edit.start, edit.end)))
        return result

    def gold_types(self, sentence: int, hypothesis: Tokens, row: int) -> list[tuple[str, bool]]:
        """The type of every gold edit of an annotator, and whether the system found it."""
        judged = self.judged_edits(sentence, hypothesis)[row]
        return [(edit.type or "", edit.outcome == "right") for edit in judged if edit.outcome != "wrong"]

    def _edits(self, sentence: int, hypothesis: Tokens) -> list[list[MatchedEdit]]:
        tokens = self.corpus[sentence].tokens
        try:
            found = self._judge.edits(sentence, hypothesis)
        except OverflowError as error:
            raise RequestError(f"{self.corpus.path or self.corpus.name}: {error}") from None
        if not self._ignore_case_and_space:
            return found
        return [
            [edit for edit in edits if _folded(tokens[edit.start : edit.end]) != _folded(hypothesis[edit.target_start : edit.target_end])]
            for edits in found
        ]

    def _rows_of_judged(self, sentence: int, hypothesis: Tokens) -> tuple[Row, ...]:
        return tuple(
            (sum(edit.gold >= 0 for edit in edits), len(edits), len(annotation.edits))
            for edits, annotation in zip(self._edits(sentence, hypothesis), self.annotations[sentence], strict=True)
        )


def _candidates(sentence: Sentence, everybody: Sequence[str], missing: Missing) -> tuple[Annotation, ...]:
    """The annotations a sentence can be scored against; one that nobody annotated counts as found correct by the first annotator."""
    if sentence.annotations and missing == "absent":
        return sentence.annotations
    present = {annotation.annotator for annotation in sentence.annotations}
    absent = next((name for name in everybody if name not in present), None)  # one stands for all: their rows are the same
    return sentence.annotations if absent is None else (*sentence.annotations, Annotation(absent))


def _core_edit(edit: Edit) -> tuple[int, int, tuple[Tokens, ...]]:
    # Split at single spaces only: the official scorer compares texts, so a correction with two spaces in a row matches nothing.
    return edit.start, edit.end, tuple(tuple(text.split(" ")) if text else () for text in edit.corrections)


def _folded(tokens: Tokens) -> str:
    return "".join(tokens).lower()


def _judged(sentence: Sentence, annotation: Annotation, hypothesis: Tokens, edit: MatchedEdit) -> JudgedEdit:
    start, end, target_start, target_end, gold = edit
    if gold < 0:
        # The search may pad an edit with unchanged tokens; people want to see what changed.
        while start < end and target_start < target_end and sentence.tokens[start] == hypothesis[target_start]:
            start, target_start = start + 1, target_start + 1
        while start < end and target_start < target_end and sentence.tokens[end - 1] == hypothesis[target_end - 1]:
            end, target_end = end - 1, target_end - 1
    original = " ".join(sentence.tokens[start:end])
    correction = " ".join(hypothesis[target_start:target_end])
    type_ = annotation.edits[gold].type if gold >= 0 else None
    return JudgedEdit("right" if gold >= 0 else "wrong", start, end, original, (correction,), type_, target_start)
