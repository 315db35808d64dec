"""Cases that belong to one system: the columns of an alignment of source, system and reference, and edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.detection.cases import Answers, Cases, Labels
from errata.detection.judged_edits import overlaps
from errata.detection.judged_positions import find_type, label_sentences
from errata.detection.left_out import ERRORS_WITHOUT_WORDS, POSITIONS_WITHOUT_WORDS
from errata.language.types import ChangedWords
from errata.metrics.views import AlignmentColumn
from errata.scoring.by_type import find_words_of_edit

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from errata.corpus.corpus import Corpus, Sentence, System
    from errata.corpus.texts import Tokens
    from errata.detection.judged_edits import JudgedError
    from errata.detection.judged_positions import TypedSpan
    from errata.language.types import ChangeTyper
    from errata.metrics.views import Alignment, JudgedEdit, ShowsAlignment

TIED = "ties"
"""Counted with what is left out, but reported otherwise."""


class AlignedCase(NamedTuple):
    """One case."""

    sentence_index: int
    error: float
    flagged: bool
    fixed: float
    type: str
    change: ChangedWords | None = None
    """What the system changes, if it is a false positive."""


def type_false_positives(cases: Sequence[AlignedCase], corpus: Corpus, system: System, typer: ChangeTyper) -> list[AlignedCase]:
    """Give types to false positives without one."""
    changes = [case.change for case in cases if case.change is not None and not case.type]
    types = iter(typer.classify(changes, [sentence.tokens for sentence in corpus], system.sentences))
    return [case._replace(type=next(types)) if case.change is not None and not case.type else case for case in cases]


def join_cases(
    corpus: Corpus, system: System, what: str, kept: Sequence[AlignedCase], left_out: Iterable[tuple[str, int]], *, negatives: bool
) -> Cases:
    """Make a table of cases."""
    import numpy as np

    def column(field: int, kind: Any) -> Any:
        return np.fromiter((case[field] for case in kept), dtype=kind, count=len(kept))

    answers = Answers(system.name, column(2, bool), column(3, np.float64))
    names = dict.fromkeys(case.type for case in kept)
    codes = {name: number for number, name in enumerate(names)}
    types = Labels(np.array([codes[case.type] for case in kept], dtype=np.int32), tuple(names)) if any(names) else None
    return Cases(
        column(1, np.float64),
        (answers,),
        what,
        negatives=negatives,
        left_out=tuple(item for item in left_out if item[1]),
        types=types,
        **label_sentences(corpus, column(0, np.int32)),
    )


def turn_errors_into_cases(index: int, errors: Iterable[JudgedError], tokens: Tokens, left_out: Counter[str]) -> Iterator[AlignedCase]:
    """Turn errors that annotators judge together into cases."""
    for error in errors:
        left_out[TIED] += error.tied
        change = find_words_of_edit(index, error.edit, tokens) if error.edit is not None else None
        type_ = error.type or (error.edit.type or "" if error.edit is not None and error.edit.outcome == "wrong" else "")
        yield AlignedCase(index, error.error, error.flagged, error.fixed, type_, change)


def turn_edits_into_cases(index: int, edits: Sequence[JudgedEdit], tokens: Tokens) -> Iterator[AlignedCase]:
    """Turn edits into cases; a wrong and a missed edit at one position are one case: an error that is found but not corrected."""
    missed = [edit for edit in edits if edit.outcome == "missed"]
    for edit in edits:
        if edit.outcome == "right":
            yield AlignedCase(index, error=1, flagged=True, fixed=1, type=edit.type or "")
        elif edit.outcome == "wrong":
            partner = next((other for other in missed if overlaps(edit, other.start, other.end)), None)
            if partner is not None:
                missed.remove(partner)
                yield AlignedCase(index, error=1, flagged=True, fixed=0, type=partner.type or "")
            else:
                yield AlignedCase(index, 0, flagged=True, fixed=0, type=edit.type or "", change=find_words_of_edit(index, edit, tokens))
    yield from (AlignedCase(index, error=1, flagged=False, fixed=0, type=edit.type or "") for edit in missed)


def turn_columns_into_cases(
    index: int, columns: Iterable[tuple[AlignmentColumn, str]], confusion_set: Collection[str], left_out: Counter[str]
) -> Iterator[AlignedCase]:
    """Turn columns into cases."""
    position = target = 0
    for column, type_ in columns:
        old = range(position, position + (column.source is not None))
        new = range(target, target + (column.hypothesis is not None))
        position, target = old.stop, new.stop
        error = column.source != column.reference
        if confusion_set and not any(token is not None and token.lower() in confusion_set for token in column):
            left_out[ERRORS_WITHOUT_WORDS if error else POSITIONS_WITHOUT_WORDS] += 1
            continue
        flagged = column.source != column.hypothesis
        change = ChangedWords(index, old, new) if flagged and not error else None
        yield AlignedCase(index, error, flagged, error and column.hypothesis == column.reference, type_, change)


def list_typed_spans(sentence: Sentence, alignment: Alignment) -> list[TypedSpan]:
    """List the corrections in a reference, with the type of the gold edit."""
    types = {(annotation.annotator, edit.start, edit.end): edit.type for annotation in sentence.annotations for edit in annotation.edits}
    return [
        (
            item.start,
            item.end,
            next((types[name, item.start, item.end] for name in item.annotators if (name, item.start, item.end) in types), ""),
        )
        for item in alignment.corrections
    ]


def add_types(sentence: Sentence, alignment: Alignment) -> Iterator[tuple[AlignmentColumn, str]]:
    """Yield columns with the type of the gold edit that makes them an error."""
    spans = list_typed_spans(sentence, alignment)
    position = 0
    for column in alignment.columns:
        inserted = column.source is None
        type_ = ""
        if column.source != column.reference:
            type_ = find_type(spans, position, inserted=inserted)
        yield column, type_
        position += not inserted


def align_characters(alignment: Alignment, output: ShowsAlignment) -> Iterator[tuple[AlignmentColumn, str]]:
    """Yield columns of characters, which have no type; three equal texts need no alignment."""
    texts = [tuple(" ".join(token for column in alignment.columns if (token := column[row]) is not None)) for row in range(3)]
    source, hypothesis, reference = texts
    if source == hypothesis == reference:
        yield from ((AlignmentColumn(character, character, character), "") for character in source)
        return
    yield from ((column, "") for column in output.align(source, hypothesis, reference))
