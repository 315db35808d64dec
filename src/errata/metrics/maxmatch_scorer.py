"""MaxMatch prepared for one corpus: the counts and edits of each annotator."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from errata import core
from errata.corpus.corpus import FIRST_ANNOTATOR, Annotation, Corpus, Edit, Sentence
from errata.errors import RequestError
from errata.metrics.base import Output, refuse
from errata.metrics.views import JudgedEdit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.core.edits import MatchedEdit
    from errata.corpus.annotators import Missing
    from errata.corpus.texts import Tokens
    from errata.metrics.lattice import EditLattice
    from errata.metrics.maxmatch import MaxMatch
    from errata.ratios import Row


class MaxMatchScorer:
    """MaxMatch prepared for one corpus."""

    def __init__(self, metric: MaxMatch, corpus: Corpus) -> None:
        self.corpus, self.metric = corpus, metric
        everybody = corpus.annotators if metric.missing != "absent" else (FIRST_ANNOTATOR,)
        self.annotations = [list_candidates(sentence, everybody, metric.missing) for sentence in corpus]
        self._labels = [tuple(annotation.annotator for annotation in candidates) for candidates in self.annotations]
        _ = self.judge

    @cached_property
    def judge(self) -> core.MaxMatchJudge:
        """The gold in the core."""
        return core.MaxMatchJudge(
            [
                (sentence.tokens, tuple(tuple(make_core_edit(edit) for edit in annotation.edits) for annotation in candidates))
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
        return self._labels[index]


class MaxMatchOutput(Output):
    """The output of a system, scored by MaxMatch."""

    def __init__(self, scorer: MaxMatchScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """Count correct, proposed and gold edits, one row for each annotator."""
        if self._scorer.metric.ignore_case_and_space:
            return [self._rows_of_edits(index) for index in range(start, stop)]
        with name_corpus(self._scorer.corpus):
            return self._scorer.judge.counts(start, self.between(start, stop))

    def edits(self, index: int) -> list[list[JudgedEdit]]:
        """List right, wrong and missed edits of the sentence at an index, in order, for each annotator."""
        annotations = self._scorer.annotations[index]
        return [self._judge(index, *pair) for pair in zip(annotations, self._matched_edits(index), strict=True)]

    def edits_against(self, index: int, row: int) -> list[JudgedEdit]:
        """List the edits of the sentence at an index for one annotator."""
        return self._judge(index, self._scorer.annotations[index][row], self._matched_edits(index)[row])

    def _judge(self, index: int, annotation: Annotation, edits: list[MatchedEdit]) -> list[JudgedEdit]:
        hypothesis, source = self.hypothesis(index), self._scorer.corpus[index]
        judged = [_judge_edit(source, annotation, hypothesis, edit) for edit in edits]
        matched = {edit.gold for edit in edits}
        for edit_index, gold in enumerate(annotation.edits):
            if edit_index not in matched:
                judged.append(JudgedEdit("missed", gold.start, gold.end, source.original(gold), gold.corrections, gold.type))
        return sorted(judged, key=lambda edit: (edit.start, edit.end))

    def lattice(self, index: int) -> list[EditLattice]:
        """Make the lattice of the sentence at an index, with the best path for each annotator."""
        from errata.metrics.lattice import make_edit_lattice

        sentence, hypothesis, scorer = self._scorer.corpus[index], self.hypothesis(index), self._scorer
        with name_corpus(scorer.corpus):
            found = scorer.judge.edits(index, hypothesis)
        try:
            return [
                make_edit_lattice(
                    sentence.tokens, hypothesis, [make_core_edit(edit) for edit in annotation.edits], scorer.metric.max_unchanged, edits
                )
                for annotation, edits in zip(scorer.annotations[index], found, strict=True)
            ]
        except RequestError as error:
            raise RequestError(f"{scorer.corpus.path or scorer.corpus.name}: sentence {scorer.corpus.numbers[index]:,}: {error}") from None

    def _matched_edits(self, index: int) -> list[list[MatchedEdit]]:
        tokens, hypothesis = self._scorer.corpus[index].tokens, self.hypothesis(index)
        with name_corpus(self._scorer.corpus):
            by_annotator = self._scorer.judge.edits(index, hypothesis)
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


@contextmanager
def name_corpus(corpus: Corpus) -> Iterator[None]:
    """Add the name of the corpus to errors of the core."""
    try:
        yield
    except OverflowError as error:
        raise refuse(corpus, error) from None


def list_candidates(sentence: Sentence, everybody: Sequence[str], missing: Missing) -> tuple[Annotation, ...]:
    """List the annotations to score against; a sentence without any is correct according to the first annotator."""
    if sentence.annotations and missing == "absent":
        return sentence.annotations
    present = {annotation.annotator for annotation in sentence.annotations}
    absent = next((name for name in everybody if name not in present), None)  # one is enough: their rows are the same
    if absent is None:
        return sentence.annotations
    edits = sentence.annotations[0].edits if sentence.annotations and missing == "same" else ()
    return (*sentence.annotations, Annotation(absent, edits))


def make_core_edit(edit: Edit) -> tuple[int, int, tuple[Tokens, ...]]:
    """Make an edit for the core."""
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
