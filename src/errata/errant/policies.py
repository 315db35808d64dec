"""Gold for ERRANT, prepared by one of four policies.

- ``raw``: as it is;
- ``auto``: the edits of each annotator are applied, and extracted and typed anew;
- ``gold``: the spans stay, without equal tokens at their ends, and are typed anew;
- ``text``: as ``auto``, from reference texts in which every edit is applied.

``auto`` and ``gold`` do what ``errant_m2`` does: edits of the types ``Um`` and ``UNK`` are not applied, and stay with their old
correction and the type UNK, or the type of the change that other edits make at their place; annotators are sorted by their names; noop
as the first line of an annotator drops the rest; one whose edits change nothing has no annotation in ``auto``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from errata.corpus.annotators import choose_missing, complete_annotations
from errata.corpus.corpus import Annotation, Edit
from errata.corpus.parses import Span
from errata.errant.extraction import PairError
from errata.names import UNKNOWN_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus.corpus import Corpus, Sentence
    from errata.corpus.texts import Tokens
    from errata.errant.extraction import Extractor
    from errata.language.type_systems import GivesTypes

Policy = Literal["raw", "auto", "gold", "text"]
POLICIES: dict[Policy, str] = {
    "raw": "as it is",
    "auto": "edits are applied, extracted and typed anew; Um and UNK stay as UNK",
    "gold": "spans stay, without equal tokens at their ends, and are typed anew",
    "text": "edits are extracted from reference texts, in which every edit is applied",
}
"""All policies, with their descriptions."""
UNAPPLIED = frozenset({"Um", UNKNOWN_TYPE})
"""Types of edits whose correction is unknown."""


class Placed(NamedTuple):
    """An edit and where its correction is in the corrected text."""

    edit: Edit
    target_start: int
    target_end: int


def apply_edits(tokens: Tokens, edits: Iterable[Edit], unapplied: frozenset[str] = UNAPPLIED) -> tuple[Tokens, list[Placed]]:
    """Apply the edits of an annotator in the order of their spans, as ERRANT does; those of some types leave the source as it is.

    An edit that overlaps an earlier one changes what is then at its place.

    >>> apply_edits(("I", "has", "cake"), [Edit(2, 2, ("a",)), Edit(1, 2, ("have",)), Edit(0, 1, ("He",), "Um")])[0]
    ('I', 'have', 'a', 'cake')
    """
    corrected = list(tokens)
    placed = []
    shift = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        words = tokens[edit.start : edit.end] if edit.type in unapplied else tuple(edit.literal.split())
        start = edit.start + shift
        corrected[start : edit.end + shift] = words
        placed.append(Placed(edit, start, start + len(words)))
        shift += len(words) - (edit.end - edit.start)
    return tuple(corrected), placed


def prepare_gold(corpus: Corpus, policy: Policy, extractor: GivesTypes, *, typed: bool = True, strip: bool = True) -> Corpus:
    """Prepare gold by a policy; ``gold`` needs only the types of edits, the others their spans too.

    If not ``typed``, edits have no type, but UNK where that is known without one; if not ``strip``, the spans of ``gold`` stay whole.
    """
    if policy == "raw":
        return corpus
    if policy == "text":
        missing = choose_missing(corpus)
        annotated = [list(own) for own in complete_annotations(corpus, missing)]
        drafts = [
            _Draft(annotation, sentence.tokens, sentence.corrected(annotation))
            for sentence, own in zip(corpus, annotated, strict=True)
            for annotation in own
        ]
    else:
        annotated = [_order_annotators(sentence) for sentence in corpus]
        drafts = [
            _apply(annotation, sentence.tokens, strip=strip) for sentence, own in zip(corpus, annotated, strict=True) for annotation in own
        ]
    pairs = [(draft.source, draft.target) for draft in drafts]
    try:
        spans = [draft.spans for draft in drafts] if policy == "gold" else cast("Extractor", extractor).spans(pairs)
        known = [(*own, *(unknown.span for unknown in draft.unknown)) for draft, own in zip(drafts, spans, strict=True)]
        types = extractor.types(pairs, known) if typed else [[""] * len(own) for own in known]
    except PairError as error:
        owners = [index for index, own in enumerate(annotated) for _ in own]
        raise PairError(owners[error.index], error.reason).in_corpus(corpus) from None
    keep_order = policy == "gold"
    made = iter(draft.make(own, names, keep_order=keep_order) for draft, own, names in zip(drafts, spans, types, strict=True))
    sentences = []
    for sentence, before in zip(corpus, annotated, strict=True):
        after = [next(made) for _ in before]
        # An annotator whose edits change nothing gets no line from the converter, and so is none of the candidates of the sentence.
        kept = [new for old, new in zip(before, after, strict=True) if new.edits or not old.edits or policy == "text"]
        sentences.append(replace(sentence, annotations=tuple(kept)))
    return replace(corpus, sentences=tuple(sentences))


class _Unknown(NamedTuple):
    """An edit whose correction is unknown."""

    place: int
    """The number of other edits before it."""
    span: Span
    correction: str


class _Draft(NamedTuple):
    """An annotation whose edits are replaced."""

    annotation: Annotation
    source: Tokens
    target: Tokens
    spans: tuple[Span, ...] = ()
    """The spans of its edits, if they stay, in the order in which they are applied."""
    unknown: tuple[_Unknown, ...] = ()
    """Edits that stay."""

    def make(self, spans: Sequence[Span], types: Sequence[str], *, keep_order: bool) -> Annotation:
        """Make the annotation from its edits and the types of spans, then of unknown edits.

        They are sorted, or keep the order in which they were applied.
        """
        edits = [self._make_edit(span, name) for span, name in zip(spans, types[: len(spans)], strict=True)]
        stay = [self._make_edit(item.span, name, item.correction) for item, name in zip(self.unknown, types[len(spans) :], strict=True)]
        if keep_order:
            for item, edit in reversed(list(zip(self.unknown, stay, strict=True))):
                edits.insert(item.place, edit)
        elif self.unknown:
            edits = sorted([*stay, *edits], key=_get_span)
        return Annotation(self.annotation.annotator, tuple(edits))

    def _make_edit(self, span: Span, name: str, correction: str | None = None) -> Edit:
        words = self.target[span.target_start : span.target_end]
        changes = self.source[span.start : span.end] != words
        return Edit(span.start, span.end, (" ".join(words) if correction is None else correction,), name if changes else UNKNOWN_TYPE)


def _get_span(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _order_annotators(sentence: Sentence) -> list[Annotation]:
    """Sort annotators by their names, and drop the edits of those whose first line is noop."""
    ordered = sorted(sentence.annotations, key=lambda annotation: annotation.annotator)
    return [Annotation(annotation.annotator) if annotation.starts_with_noop else annotation for annotation in ordered]


def _apply(annotation: Annotation, source: Tokens, *, strip: bool) -> _Draft:
    """Apply the edits of an annotator, and find where their corrections are."""
    target, placed = apply_edits(source, annotation.edits)
    spans: list[Span] = []
    unknown: list[_Unknown] = []
    for edit, first, last in placed:
        start, end, _ = slice(first, last).indices(len(target))  # places before the text count from its end, as in ERRANT
        span = Span(edit.start, edit.end, start, max(start, end))
        if edit.type in UNAPPLIED:
            unknown.append(_Unknown(len(spans), span, " ".join(edit.literal.split())))
        else:
            spans.append(_strip(span, source, target) if strip else span)
    return _Draft(annotation, source, target, tuple(spans), tuple(unknown))


def _strip(span: Span, source: Tokens, target: Tokens) -> Span:
    """Leave out equal tokens at the front, then at the back."""
    start, end, first, last = span
    while start < end and first < last and source[start] == target[first]:
        start, first = start + 1, first + 1
    while start < end and first < last and source[end - 1] == target[last - 1]:
        end, last = end - 1, last - 1
    return Span(start, end, first, last)
