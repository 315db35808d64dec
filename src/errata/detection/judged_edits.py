"""Edits as cases, if the annotators of a sentence judge together.

The edits of all annotators are grouped into errors (:func:`errata.corpus.alternatives.group_errors`), and the metric finds the edits of
a system that match any of them.  An error is flagged if one of its edits matches, or if a wrong edit lies at its position.  The
system has the correction of an annotator if all edits of this annotator for the error match.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.alternatives import group_errors
from errata.corpus.corpus import Annotation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.corpus import Corpus, Edit, Sentence
    from errata.detection.judgments import Judgments, Verdict
    from errata.metrics.views import JudgedEdit

_Part = tuple[int, int, tuple[str, ...]]
_Correction = tuple[_Part, ...]
"""The spans and corrections of an annotator for an error."""


def pool_annotators(corpus: Corpus) -> Corpus:
    """Make a corpus in which one annotator has the distinct edits of all."""
    return replace(corpus, sentences=tuple(_pool(sentence) for sentence in corpus))


def _pool(sentence: Sentence) -> Sentence:
    edits = {_make_part(edit): edit for annotation in sentence.annotations for edit in annotation.edits}
    return replace(sentence, annotations=(Annotation("all", tuple(edits.values())),) if sentence.annotations else ())


def _make_part(edit: Edit) -> _Part:
    return edit.start, edit.end, edit.corrections


def overlaps(one: JudgedEdit, start: int, end: int) -> bool:
    """Tell whether an edit has this span or shares a token with it."""
    return (one.start, one.end) == (start, end) or max(one.start, start) < min(one.end, end)


class JudgedError(NamedTuple):
    """An error that annotators mark, or an edit of a system where nothing is wrong."""

    error: float
    flagged: bool
    fixed: float = 0.0
    type: str = ""
    edit: JudgedEdit | None = None
    """The edit of the system, if nothing is wrong there."""
    tied: bool = False


class _Error(NamedTuple):
    """The corrections of an error, and what the annotators say about it."""

    corrections: list[_Correction]
    type: str
    verdict: Verdict

    def lies_at(self, edit: JudgedEdit) -> bool:
        return any(overlaps(edit, start, end) for correction in self.corrections for start, end, _ in correction)

    def find_matching(self, edits: Sequence[JudgedEdit]) -> JudgedEdit | None:
        """Find an edit of the system that an annotator has too."""
        parts = {part for correction in self.corrections for part in correction}
        return next((edit for edit in edits if any(_matches(edit, part) for part in parts)), None)

    def judge(self, edit: JudgedEdit | None, right: Sequence[JudgedEdit] = ()) -> JudgedError:
        """Judge a system that has some right edits, or another edit at the position of the error."""
        made = [own for own in dict.fromkeys(self.corrections) if all(any(_matches(edit, part) for edit in right) for part in own)]
        fixed = sum(self.verdict.corrections.get(own, 0.0) for own in made)
        if not self.verdict.error:
            return JudgedError(0.0, edit is not None, edit=edit, tied=self.verdict.tied)
        return JudgedError(self.verdict.error, edit is not None, min(self.verdict.error, fixed), self.type)


def _matches(edit: JudgedEdit, part: _Part) -> bool:
    start, end, corrections = part
    return (edit.start, edit.end) == (start, end) and edit.corrections[0] in corrections


def judge_errors(sentence: Sentence, edits: Sequence[JudgedEdit], judgments: Judgments) -> Iterator[JudgedError]:
    """Judge the errors of a sentence and the wrong edits of a system; ``edits`` are judged against the pooled annotators.

    What is no error by vote, and is not flagged, is no case.
    """
    right = [edit for edit in edits if edit.outcome == "right"]
    unmatched: list[_Error] = []
    for error in _find_errors(sentence, judgments):
        matching = error.find_matching(right)
        if matching is None:
            unmatched.append(error)
        else:
            yield error.judge(matching, right)
    for edit in edits:
        if edit.outcome == "wrong":
            at = next((error for error in unmatched if error.lies_at(edit)), None)
            if at is not None:
                unmatched.remove(at)
            yield at.judge(edit) if at is not None else JudgedError(0.0, flagged=True, edit=edit)
    yield from (error.judge(None) for error in unmatched if error.verdict.error)


def _find_errors(sentence: Sentence, judgments: Judgments) -> Iterator[_Error]:
    for alternatives in group_errors(sentence):
        own = [item for item in alternatives if item.annotator is not None]
        corrections = [tuple(_make_part(edit) for edit in item.edits) for item in own]
        type_ = Counter(item.edits[0].type for item in own).most_common(1)[0][0]
        yield _Error(corrections, type_, judgments.weigh([[correction] for correction in corrections], len(sentence.annotations)))
