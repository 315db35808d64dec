"""MaxMatch (M²): precision, recall and F of edits; the output is cut into the edits that match gold best.

Dahlmeier and Ng 2012, *Better Evaluation for Grammatical Error Correction*; several annotators as in Ng et al. 2013, section 4.
A hypothesis can be cut into edits in many ways; the one that matches the most gold edits is used.
With c correct, p proposed and g gold edits, P = c/p, R = c/g and F = (1+b²)c / (p + b²g).
By default the counts equal those of release 3.2 of the official scorer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from errata import core
from errata.corpus import FIRST_ANNOTATOR, Annotation, Corpus, Edit, Sentence, Tokens
from errata.metrics.base import Outcomes, Output, RatioMetric, refuse
from errata.metrics.choice import RULES, Rule
from errata.metrics.strategy import Choose
from errata.metrics.views import JudgedEdit
from errata.ratios import PrecisionRecallF, Ratio, Row, make_edit_ratios
from errata.settings import flag, number, one_of, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.core.edits import MatchedEdit

Missing = Literal["absent", "noop"]
_MISSING: dict[Missing, str] = {"absent": "no reference", "noop": "a reference without changes"}


@dataclass(frozen=True)
class MaxMatch(RatioMetric):
    """MaxMatch with its settings.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> errata.score(gold, errata.read_system("examples/systems/eager.txt"), "maxmatch(beta=1)").parts["correct"]
    94
    """

    beta: float = number(0.5, "weight of recall against precision in F", most=1000)
    max_unchanged: int = whole(2, "unchanged tokens that an edit may contain", most=1000)
    ignore_case_and_space: bool = flag("skip edits of the system that change only case or white space")
    choice: Rule = one_of("official", RULES, "how one annotator is chosen for each sentence")
    missing: Missing = one_of("absent", _MISSING, "what an annotator without a line for a sentence counts as")

    name: ClassVar[str] = "maxmatch"
    title: ClassVar[str] = "MaxMatch"
    aliases: ClassVar[tuple[str, ...]] = ("m2", "m2scorer", "f", "f0.5")
    summary: ClassVar[str] = "precision, recall and F of edits; the output is cut into the edits that match gold best"
    paper: ClassVar[str] = "Dahlmeier and Ng 2012; Ng et al. 2013"
    columns: ClassVar[tuple[str, ...]] = ("correct", "proposed", "gold")

    @property
    def strategy(self) -> Choose:
        """One annotator is chosen for each sentence, by F."""
        return Choose(self.choice, self.ratio)

    def scorer(self, corpus: Corpus) -> MaxMatchScorer:
        """Read the gold into the core."""
        return MaxMatchScorer(self, corpus)

    @property
    def ratio(self) -> Ratio:
        """F(beta)."""
        return self._ratios.f

    def parts(self, counts: Row) -> dict[str, Any]:
        """Return counts, precision and recall."""
        precision, recall, _ = self._ratios
        return {**super().parts(counts), "precision": precision.value(counts), "recall": recall.value(counts)}

    def outcomes(self, counts: Row) -> Outcomes:
        """Count right, wrong and missed edits."""
        correct, proposed, gold = counts
        return Outcomes(correct, proposed - correct, gold - correct)

    @property
    def label(self) -> str:
        """F with its beta."""
        return f"F{self.beta:g}"

    @cached_property
    def _ratios(self) -> PrecisionRecallF:
        return make_edit_ratios(self.beta)


class MaxMatchScorer:
    """MaxMatch prepared for one corpus."""

    def __init__(self, metric: MaxMatch, corpus: Corpus) -> None:
        self.corpus, self.metric = corpus, metric
        everybody = corpus.annotators if metric.missing == "noop" else (FIRST_ANNOTATOR,)
        self.annotations = [_list_candidates(sentence, everybody, metric.missing) for sentence in corpus]
        _ = self.judge

    @cached_property
    def judge(self) -> core.MaxMatchJudge:
        """The gold in the core."""
        return core.MaxMatchJudge(
            [
                (sentence.tokens, tuple(tuple(_make_core_edit(edit) for edit in annotation.edits) for annotation in candidates))
                for sentence, candidates in zip(self.corpus, self.annotations, strict=True)
            ],
            self.metric.max_unchanged,
        )

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the core, which is rebuilt when needed."""
        return {name: value for name, value in vars(self).items() if name != "judge"}

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> MaxMatchOutput:
        """Keep the hypotheses; nothing is prepared."""
        return MaxMatchOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """Name the annotators."""
        del rows
        return tuple(annotation.annotator for annotation in self.annotations[index])


class MaxMatchOutput(Output):
    """The output of a system, scored by MaxMatch."""

    def __init__(self, scorer: MaxMatchScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """Count correct, proposed and gold edits, one row for each annotator."""
        if self._scorer.metric.ignore_case_and_space:
            return [self._rows_of_edits(index) for index in range(start, stop)]
        try:
            return self._scorer.judge.counts(start, self.between(start, stop))
        except OverflowError as error:
            raise refuse(self._scorer.corpus, error) from None

    def edits(self, index: int) -> list[list[JudgedEdit]]:
        """List right, wrong and missed edits of the sentence at an index, in order, for each annotator."""
        hypothesis = self.hypothesis(index)
        source = self._scorer.corpus[index]
        result = []
        for annotation, edits in zip(self._scorer.annotations[index], self._matched_edits(index), strict=True):
            judged = [_judge_edit(source, annotation, hypothesis, edit) for edit in edits]
            matched = {edit.gold for edit in edits}
            for edit_index, gold in enumerate(annotation.edits):
                if edit_index not in matched:
                    judged.append(JudgedEdit("missed", gold.start, gold.end, source.original(gold), gold.corrections, gold.type))
            result.append(sorted(judged, key=lambda edit: (edit.start, edit.end)))
        return result

    def _matched_edits(self, index: int) -> list[list[MatchedEdit]]:
        tokens, hypothesis = self._scorer.corpus[index].tokens, self.hypothesis(index)
        try:
            by_annotator = self._scorer.judge.edits(index, hypothesis)
        except OverflowError as error:
            raise refuse(self._scorer.corpus, error) from None
        if not self._scorer.metric.ignore_case_and_space:
            return by_annotator
        return [
            [edit for edit in edits if _fold(tokens[edit.start : edit.end]) != _fold(hypothesis[edit.target_start : edit.target_end])]
            if edits
            else edits
            for edits in by_annotator
        ]

    def _rows_of_edits(self, index: int) -> tuple[Row, ...]:
        rows = []
        for edits, annotation in zip(self._matched_edits(index), self._scorer.annotations[index], strict=True):
            rows.append((len([edit for edit in edits if edit.gold >= 0]), len(edits), len(annotation.edits)))
        return tuple(rows)


def _list_candidates(sentence: Sentence, everybody: Sequence[str], missing: Missing) -> tuple[Annotation, ...]:
    """List the annotations to score against; a sentence without any is correct according to the first annotator."""
    if sentence.annotations and missing == "absent":
        return sentence.annotations
    present = {annotation.annotator for annotation in sentence.annotations}
    absent = next((name for name in everybody if name not in present), None)  # one is enough: their rows are the same
    return sentence.annotations if absent is None else (*sentence.annotations, Annotation(absent))


def _make_core_edit(edit: Edit) -> tuple[int, int, tuple[Tokens, ...]]:
    # Split at single spaces only: the official scorer compares texts, so a correction with two spaces in a row matches nothing.
    return edit.start, edit.end, tuple(tuple(text.split(" ")) if text else () for text in edit.corrections)


def _fold(tokens: Tokens) -> str:
    return "".join(tokens).lower()


def _judge_edit(sentence: Sentence, annotation: Annotation, hypothesis: Tokens, edit: MatchedEdit) -> JudgedEdit:
    start, end, target_start, target_end, gold = edit
    if gold < 0:
        # The search may pad an edit with unchanged tokens; only the change is shown.
        while start < end and target_start < target_end and sentence.tokens[start] == hypothesis[target_start]:
            start, target_start = start + 1, target_start + 1
        while start < end and target_start < target_end and sentence.tokens[end - 1] == hypothesis[target_end - 1]:
            end, target_end = end - 1, target_end - 1
    original = " ".join(sentence.tokens[start:end])
    correction = " ".join(hypothesis[target_start:target_end])
    type_ = annotation.edits[gold].type if gold >= 0 else None
    return JudgedEdit("right" if gold >= 0 else "wrong", start, end, original, (correction,), type_, target_start)
