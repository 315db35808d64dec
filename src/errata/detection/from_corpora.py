"""Cases from a corpus and a system: tokens, characters or edits.

Tokens are the columns of the alignment of I-measure, of source, system and the reference that it chooses, so that their counts
are those of I-measure.  Characters are aligned in the same way, against the same reference, and tell two errors in one word
apart.  Edits are those of MaxMatch; a text without errors has no number of edits, so there are no true negatives.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.detection.cases import Answers, Cases, Labels
from errata.errors import RequestError, UsageError
from errata.metrics import AlignmentScorer, EditScorer, IMeasure, MaxMatch, Metric, Scorer, parse
from errata.metrics.alignments import Column
from errata.scoring import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from errata.corpus import Corpus, Sentence, System
    from errata.metrics.alignments import Alignment
    from errata.metrics.base import JudgedEdit

Unit = Literal["token", "character", "edit"]
UNITS: tuple[Unit, ...] = get_args(Unit)

_PREPOSITIONS = """
    about above across after against along among around as at before behind below beneath beside besides between beyond by despite
    down during except for from in inside into like near of off on onto out outside over past since through throughout till to
    toward towards under underneath until up upon via with within without
"""
PLACES: dict[str, frozenset[str]] = {
    "articles": frozenset(["a", "an", "the"]),
    "commas": frozenset(","),
    "prepositions": frozenset(_PREPOSITIONS.split()),
}
"""Lists of words by name."""


class _Case(NamedTuple):
    sentence: int
    error: bool
    flagged: bool
    fixed: bool
    type: str


def places_of(text: str) -> frozenset[str]:
    """The words that a rule for places names: a list by its name, or words separated by commas.

    >>> sorted(places_of("articles"))[:2], places_of("THAT,which") == {"that", "which"}
    (['a', 'an'], True)
    """
    if text in PLACES:
        return PLACES[text]
    words = frozenset(word.strip().lower() for word in text.split(",") if word.strip())
    if not words:
        raise UsageError(f"places are {', '.join(PLACES)}, or words separated by commas, found {text!r}")
    return words


def cases_of(
    corpus: Corpus,
    system: System,
    *,
    unit: Unit = "token",
    types: Collection[str] = (),
    places: Collection[str] = (),
    metric: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Cases:
    """The cases of a system: errors of these types only, at places where one of these words is written, wanted or proposed.

    ``metric`` is the I-measure, or for edits the MaxMatch, whose alignment and choice of references is used.
    """
    if unit not in UNITS:
        raise UsageError(f"a case is a {', a '.join(UNITS)}, found {unit!r}")
    if places and unit != "token":
        raise UsageError(f"places are words, so cases are tokens, found {unit}s")
    if types and unit == "character":
        raise UsageError("a character has no type; with types cases are tokens or edits")
    _check_types(corpus, types)
    left_out = Counter[str]()
    found = (
        _edits(corpus, system, metric, progress) if unit == "edit" else _columns(corpus, system, unit, places, left_out, metric, progress)
    )
    kept = [case for case in found if not _left_out(case, types, left_out)]
    notes = ("False positives are changes of every kind, for nothing says what type a wrong change is of.",) if types and not places else ()
    if places and not kept:
        raise RequestError(f"no place has one of the words {', '.join(sorted(places)[:5])}, so there are no cases")
    return replace(_cases(corpus, system, unit, kept, tuple(left_out.items())), notes=notes)


def _check_types(corpus: Corpus, types: Collection[str]) -> None:
    known = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits}
    if unknown := sorted(set(types) - known):
        raise UsageError(f"no edit of the gold has the type {unknown[0]!r}; there are {', '.join(sorted(known)) or 'no edits'}")


def _left_out(case: _Case, types: Collection[str], left_out: Counter[str]) -> bool:
    if not types or not case.error or case.type in types:
        return False
    left_out["errors of other types" if case.type else "errors whose type is not known"] += 1
    return True


def _cases(corpus: Corpus, system: System, unit: Unit, kept: Sequence[_Case], left_out: tuple[tuple[str, int], ...]) -> Cases:
    import numpy as np

    def column(place: int, kind: Any) -> Any:
        return np.fromiter((case[place] for case in kept), dtype=kind, count=len(kept))

    answers = Answers(system.name, column(2, bool), column(3, np.float64))
    names = dict.fromkeys(case.type for case in kept)
    codes = {name: number for number, name in enumerate(names)}
    types = Labels(np.array([codes[case.type] for case in kept], dtype=np.int32), tuple(names)) if any(names) else None
    sentences = column(0, np.int32)
    documents = None
    if all(sentence.document for sentence in corpus):
        known = {name: number for number, name in enumerate(dict.fromkeys(sentence.document for sentence in corpus))}
        documents = Labels(np.array([known[sentence.document] for sentence in corpus], dtype=np.int32)[sentences], tuple(known))
    units = Labels(sentences, tuple(str(number + 1) for number in range(len(corpus))))
    return Cases(
        column(1, np.float64),
        (answers,),
        _WHAT[unit],
        negatives=unit != "edit",
        left_out=tuple(item for item in left_out if item[1]),
        types=types,
        units=units,
        documents=documents,
        unit_name="sentence",
    )


_WHAT = {
    "token": "tokens of source, system and reference, aligned as I-measure does",
    "character": "characters of source, system and reference, aligned as I-measure aligns tokens",
    "edit": "edits of system and gold, as MaxMatch finds them",
}


class _Scored(NamedTuple):
    """A system, scored by the metric whose edits or alignments are the cases."""

    scorer: Scorer
    chosen: tuple[int, ...]
    """The reference of each sentence."""

    @classmethod
    def of(cls, corpus: Corpus, system: System, metric: Metric) -> _Scored:
        evaluate = Evaluator(corpus, metric)
        return cls(evaluate.scorer, evaluate(system).evidence.chosen)


def _edits(corpus: Corpus, system: System, metric: str | None, progress: Callable[[int], None] | None) -> Iterator[_Case]:
    chosen = parse(metric or "maxmatch")
    scorer, rows = _Scored.of(corpus, system, chosen)
    if not isinstance(chosen, MaxMatch) or not isinstance(scorer, EditScorer):
        raise UsageError(f"edits are those of maxmatch, found {chosen.name}")
    for number, tokens in enumerate(system.sentences):
        yield from _judged(number, scorer.judged_edits(number, tokens)[rows[number]])
        if progress is not None:
            progress(1)


def _judged(sentence: int, edits: Sequence[JudgedEdit]) -> Iterator[_Case]:
    """Edits as cases; a wrong edit at the place of a missed one is one case with it, in which an error is found and not corrected."""
    missed = [edit for edit in edits if edit.outcome == "missed"]
    for edit in edits:
        if edit.outcome == "right":
            yield _Case(sentence, error=True, flagged=True, fixed=True, type=edit.type or "")
        elif edit.outcome == "wrong":
            partner = next((other for other in missed if _same_place(edit, other)), None)
            if partner is not None:
                missed.remove(partner)
            yield _Case(sentence, partner is not None, flagged=True, fixed=False, type=(partner.type or "") if partner is not None else "")
    yield from (_Case(sentence, error=True, flagged=False, fixed=False, type=edit.type or "") for edit in missed)


def _same_place(one: JudgedEdit, other: JudgedEdit) -> bool:
    return (one.start, one.end) == (other.start, other.end) or max(one.start, other.start) < min(one.end, other.end)


def _columns(
    corpus: Corpus,
    system: System,
    unit: Unit,
    places: Collection[str],
    left_out: Counter[str],
    metric: str | None,
    progress: Callable[[int], None] | None,
) -> Iterator[_Case]:
    chosen = parse(metric or "imeasure")
    scorer, rows = _Scored.of(corpus, system, chosen)
    if not isinstance(chosen, IMeasure) or not isinstance(scorer, AlignmentScorer):
        raise UsageError(f"the alignment of {unit}s is that of imeasure, found {chosen.name}")
    for number, tokens in enumerate(system.sentences):
        alignment = scorer.alignment(number, tokens, rows[number])
        columns: Iterable[tuple[Column, str]]
        if unit == "token":
            columns = _typed(corpus[number], alignment)
        else:
            columns = ((column, "") for column in _characters(alignment, chosen.gap, chosen.mismatch))
        for column, type_ in columns:
            error = column.source != column.reference
            if places and not any(token is not None and token.lower() in places for token in column):
                left_out[
                    "errors at other places" if error else "places without an error where none of the words is written or proposed"
                ] += 1
                continue
            flagged = column.source != column.hypothesis
            yield _Case(number, error, flagged, error and column.hypothesis == column.reference, type_)
        if progress is not None:
            progress(1)


def _typed(sentence: Sentence, alignment: Alignment) -> Iterator[tuple[Column, str]]:
    """Columns with the type of the gold edit that makes them an error."""
    types = {(annotation.annotator, edit.start, edit.end): edit.type for annotation in sentence.annotations for edit in annotation.edits}
    spans = [
        (
            item.start,
            item.end,
            next((types[name, item.start, item.end] for name in item.annotators if (name, item.start, item.end) in types), ""),
        )
        for item in alignment.corrections
    ]
    place = 0
    for column in alignment.columns:
        inserted = column.source is None
        type_ = ""
        if column.source != column.reference:
            type_ = _type_at(spans, place, inserted=inserted)
        yield column, type_
        place += not inserted


def _type_at(spans: Sequence[tuple[int, int, str]], place: int, *, inserted: bool) -> str:
    """The type of the edit at a token, or before it for one that is inserted: of the insertion there, else of the edit around or beside."""
    if not inserted:
        return next((name for start, end, name in spans if start <= place < end), "")
    insertions = [name for start, end, name in spans if start == end == place]
    around = [name for start, end, name in spans if start < place < end]
    beside = [name for start, end, name in spans if start <= place <= end]
    return next(iter((*insertions, *around, *beside)), "")


def _characters(alignment: Alignment, gap: int, mismatch: int) -> Iterator[Column]:
    """Columns of characters; where all three texts are equal there is nothing to align."""
    from errata.core import three_way_columns

    texts = [tuple(" ".join(column[row] or "" for column in alignment.columns if column[row] is not None)) for row in range(3)]
    source, hypothesis, reference = texts
    if source == hypothesis == reference:
        yield from (Column(character, character, character) for character in source)
        return
    found, _, _ = three_way_columns(source, hypothesis, reference, gap, mismatch)
    places = [0, 0, 0]
    for present in found:
        yield Column(*(text[place] if here else None for text, place, here in zip(texts, places, present, strict=True)))
        places = [place + here for place, here in zip(places, present, strict=True)]
