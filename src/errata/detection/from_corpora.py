"""Cases from a corpus and systems: tokens, characters or edits.

Tokens are the columns of a metric's alignment of source, system and reference (default I-measure), so their counts are those of
the metric.  Characters are aligned in the same way, against the same reference, so two errors in one word are two cases.  Edits
are those of a metric (MaxMatch); a text without errors has no defined number of edits, so there are no true negatives.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from errata.corpus import fit_system
from errata.detection.cases import Answers, Cases, Labels
from errata.errors import RequestError, UsageError
from errata.metrics.strategy import SingleRow
from errata.metrics.views import AlignmentColumn, ShowsAlignment, ShowsEdits
from errata.scoring import Evaluator
from errata.suggestions import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from errata.corpus import Corpus, Sentence, System
    from errata.metrics.base import Output
    from errata.metrics.views import Alignment, JudgedEdit

Granularity = Literal["token", "character", "edit"]
GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)

_PREPOSITIONS = """
    about above across after against along among around as at before behind below beneath beside besides between beyond by despite
    down during except for from in inside into like near of off on onto out outside over past since through throughout till to
    toward towards under underneath until up upon via with within without
"""
CONFUSION_SETS: dict[str, frozenset[str]] = {
    "articles": frozenset(["a", "an", "the"]),
    "commas": frozenset(","),
    "prepositions": frozenset(_PREPOSITIONS.split()),
}
"""Confusion sets by name."""


class _Case(NamedTuple):
    sentence_index: int
    error: bool
    flagged: bool
    fixed: bool
    type: str


def find_confusion_set(text: str) -> frozenset[str]:
    """Find a confusion set by its name, or split words separated by commas.

    >>> sorted(find_confusion_set("articles"))[:2], find_confusion_set("THAT,which") == {"that", "which"}
    (['a', 'an'], True)
    """
    if text in CONFUSION_SETS:
        return CONFUSION_SETS[text]
    words = frozenset(word.strip().lower() for word in text.split(",") if word.strip())
    if not words:
        raise UsageError(f"a confusion set must be {', '.join(CONFUSION_SETS)} or words separated by commas, found {text!r}")
    return words


_METRICS: dict[Granularity, str] = {"token": "imeasure", "character": "imeasure", "edit": "maxmatch"}
"""The default metric whose alignment or edits are the cases."""
_WHAT: dict[Granularity, str] = {
    "token": "tokens of source, system and reference, aligned as {} does",
    "character": "characters of source, system and reference, aligned as {} aligns tokens",
    "edit": "edits of system and gold, as {} finds them",
}


class CorpusCases:
    """A corpus, prepared to extract the cases of any number of systems.

    ``types`` keeps only errors of these types, ``confusion_set`` only positions where one of its words is written, wanted or
    proposed.  ``metric`` provides the alignment or the edits, and the choice of references.
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        case: Granularity = "token",
        types: Collection[str] = (),
        confusion_set: Collection[str] = (),
        metric: str | None = None,
    ) -> None:
        if case not in GRANULARITIES:
            raise UsageError(f"case must be 'token', 'character' or 'edit', found {case!r}")
        if confusion_set and case != "token":
            raise UsageError(f"a confusion set needs tokens as cases, found {case}s")
        if types and case == "character":
            raise UsageError("characters have no types; with types use tokens or edits")
        _check_types(corpus, types)
        self._corpus, self._case, self._types, self._confusion_set = corpus, case, types, confusion_set
        self._evaluate = Evaluator(corpus, metric or _METRICS[case])
        shows, what = (ShowsEdits, "edits") if case == "edit" else (ShowsAlignment, "aligned words")
        if not isinstance(self._evaluate.prepare([]), shows):
            raise UsageError(f"{case}s need a metric that shows {what}, such as {_METRICS[case]}; {self._evaluate.metric.name} does not")

    def of(self, system: System, progress: Callable[[int], None] | None = None) -> Cases:
        """Extract the cases of a system."""
        system = fit_system(self._corpus, system)
        left_out = Counter[str]()
        kept: list[_Case] = []
        for own in self._sentences(system, left_out):
            kept += [case for case in own if not _leave_out(case, self._types, left_out)]
            if progress is not None:
                progress(1)
        if self._confusion_set and not kept:
            raise RequestError(f"no position has one of the words {', '.join(sorted(self._confusion_set)[:5])}, so there are no cases")
        what = _WHAT[self._case].format(self._evaluate.metric.title)
        what += f", in {self._corpus.extent}" if self._corpus.part is not None else ""
        cases = _make_cases(self._corpus, system, what, kept, tuple(left_out.items()), negatives=self._case != "edit")
        any_kind = "False positives are changes of every type, because wrong changes have no type."
        return replace(cases, notes=(any_kind,) if self._types and not self._confusion_set else ())

    def _sentences(self, system: System, left_out: Counter[str]) -> Iterator[Iterator[_Case]]:
        """Yield the cases of each sentence, against the reference chosen for it."""
        output, chosen = self._prepare(system)
        for index, row in enumerate(chosen):
            if isinstance(output, ShowsEdits) and self._case == "edit":
                yield _turn_edits_into_cases(index, output.edits(index)[row])
            elif isinstance(output, ShowsAlignment):
                alignment = output.alignment(index, row)
                columns = _add_types(self._corpus[index], alignment) if self._case == "token" else _align_characters(alignment, output)
                yield _turn_columns_into_cases(index, columns, self._confusion_set, left_out)

    def _prepare(self, system: System) -> tuple[Output, Sequence[int]]:
        """Prepare the output, and choose the row of each sentence; if there is only one, without scoring."""
        if isinstance(self._evaluate.metric.strategy, SingleRow):
            return self._evaluate.prepare(system), (0,) * len(system)
        score = self._evaluate(system)
        if score.evidence.chosen is None:
            raise UsageError(f"{score.metric.name} chooses no reference, so there are no cases")
        return score.output, score.evidence.chosen


def extract_cases(
    corpus: Corpus,
    system: System,
    *,
    case: Granularity = "token",
    types: Collection[str] = (),
    confusion_set: Collection[str] = (),
    metric: str | None = None,
) -> Cases:
    """Extract the cases of one system; for several, :class:`CorpusCases` prepares the gold once."""
    return CorpusCases(corpus, case=case, types=types, confusion_set=confusion_set, metric=metric).of(system)


def _check_types(corpus: Corpus, types: Collection[str]) -> None:
    known = {edit.type for sentence in corpus for annotation in sentence.annotations for edit in annotation.edits}
    if unknown := sorted(set(types) - known):
        raise UsageError(
            f"no edit of gold has the type {unknown[0]!r}; the types are {', '.join(sorted(known)) or 'none'}{suggest(unknown[0], known)}"
        )


def _leave_out(case: _Case, types: Collection[str], left_out: Counter[str]) -> bool:
    if not types or not case.error or case.type in types:
        return False
    left_out["errors of other types" if case.type else "errors whose type is unknown"] += 1
    return True


def _make_cases(
    corpus: Corpus, system: System, what: str, kept: Sequence[_Case], left_out: tuple[tuple[str, int], ...], *, negatives: bool
) -> Cases:
    import numpy as np

    def column(field: int, kind: Any) -> Any:
        return np.fromiter((case[field] for case in kept), dtype=kind, count=len(kept))

    answers = Answers(system.name, column(2, bool), column(3, np.float64))
    names = dict.fromkeys(case.type for case in kept)
    codes = {name: number for number, name in enumerate(names)}
    types = Labels(np.array([codes[case.type] for case in kept], dtype=np.int32), tuple(names)) if any(names) else None
    sentences = column(0, np.int32)
    documents = None
    if all(sentence.document for sentence in corpus):
        known = {name: number for number, name in enumerate(dict.fromkeys(sentence.document for sentence in corpus))}
        documents = Labels(np.array([known[sentence.document] for sentence in corpus], dtype=np.int32)[sentences], tuple(known))
    units = Labels(sentences, tuple(map(str, corpus.numbers)))
    return Cases(
        column(1, np.float64),
        (answers,),
        what,
        negatives=negatives,
        left_out=tuple(item for item in left_out if item[1]),
        types=types,
        units=units,
        documents=documents,
    )


def _turn_edits_into_cases(index: int, edits: Sequence[JudgedEdit]) -> Iterator[_Case]:
    """Turn edits into cases; a wrong and a missed edit at one position are one case: an error that is found but not corrected."""
    missed = [edit for edit in edits if edit.outcome == "missed"]
    for edit in edits:
        if edit.outcome == "right":
            yield _Case(index, error=True, flagged=True, fixed=True, type=edit.type or "")
        elif edit.outcome == "wrong":
            partner = next((other for other in missed if _overlaps(edit, other)), None)
            if partner is not None:
                missed.remove(partner)
            yield _Case(index, partner is not None, flagged=True, fixed=False, type=(partner.type or "") if partner is not None else "")
    yield from (_Case(index, error=True, flagged=False, fixed=False, type=edit.type or "") for edit in missed)


def _overlaps(one: JudgedEdit, other: JudgedEdit) -> bool:
    return (one.start, one.end) == (other.start, other.end) or max(one.start, other.start) < min(one.end, other.end)


def _turn_columns_into_cases(
    index: int, columns: Iterator[tuple[AlignmentColumn, str]], confusion_set: Collection[str], left_out: Counter[str]
) -> Iterator[_Case]:
    """Turn columns into cases."""
    for column, type_ in columns:
        error = column.source != column.reference
        if confusion_set and not any(token is not None and token.lower() in confusion_set for token in column):
            left_out[
                "errors at other positions" if error else "positions without an error where none of the words is written or proposed"
            ] += 1
            continue
        flagged = column.source != column.hypothesis
        yield _Case(index, error, flagged, error and column.hypothesis == column.reference, type_)


def _add_types(sentence: Sentence, alignment: Alignment) -> Iterator[tuple[AlignmentColumn, str]]:
    """Yield columns with the type of the gold edit that makes them an error."""
    types = {(annotation.annotator, edit.start, edit.end): edit.type for annotation in sentence.annotations for edit in annotation.edits}
    spans = [
        (
            item.start,
            item.end,
            next((types[name, item.start, item.end] for name in item.annotators if (name, item.start, item.end) in types), ""),
        )
        for item in alignment.corrections
    ]
    position = 0
    for column in alignment.columns:
        inserted = column.source is None
        type_ = ""
        if column.source != column.reference:
            type_ = _find_type(spans, position, inserted=inserted)
        yield column, type_
        position += not inserted


def _find_type(spans: Sequence[tuple[int, int, str]], position: int, *, inserted: bool) -> str:
    """Find the type of the edit at a token; for an inserted token, of an insertion there, else of an edit around it or next to it."""
    if not inserted:
        return next((name for start, end, name in spans if start <= position < end), "")
    insertions = [name for start, end, name in spans if start == end == position]
    around = [name for start, end, name in spans if start < position < end]
    beside = [name for start, end, name in spans if start <= position <= end]
    return next(iter((*insertions, *around, *beside)), "")


def _align_characters(alignment: Alignment, output: ShowsAlignment) -> Iterator[tuple[AlignmentColumn, str]]:
    """Yield columns of characters, which have no type; three equal texts need no alignment."""
    texts = [tuple(" ".join(token for column in alignment.columns if (token := column[row]) is not None)) for row in range(3)]
    source, hypothesis, reference = texts
    if source == hypothesis == reference:
        yield from ((AlignmentColumn(character, character, character), "") for character in source)
        return
    yield from ((column, "") for column in output.align(source, hypothesis, reference))
