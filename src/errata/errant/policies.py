"""Gold for ERRANT, prepared by one of four policies.

- ``raw``: as it is;
- ``auto``: the edits of each annotator are applied, and extracted and typed anew;
- ``gold``: the spans stay, without equal tokens at their ends, and are typed anew;
- ``text``: as ``auto``, from reference texts in which every edit is applied.

``auto`` and ``gold`` do what ``errant_m2`` does: edits of the types ``Um`` and ``UNK`` are not applied, and stay as edits of the type
UNK with their old correction; annotators are sorted by their names; noop as the first line of an annotator drops the rest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from errata.corpus import FIRST_ANNOTATOR, Annotation, Edit
from errata.errant.keys import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from errata.corpus import Corpus, Sentence, Tokens
    from errata.errant.extraction import Extractor

Policy = Literal["raw", "auto", "gold", "text"]
POLICIES: dict[Policy, str] = {
    "raw": "as it is",
    "auto": "edits are applied, extracted and typed anew; Um and UNK stay as UNK",
    "gold": "spans stay, without equal tokens at their ends, and are typed anew",
    "text": "edits are extracted from reference texts, in which every edit is applied",
}
"""All policies, with their descriptions."""
UNAPPLIED = frozenset({"Um", UNKNOWN})
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


def prepare_gold(corpus: Corpus, policy: Policy, extractor: Extractor, *, typed: bool = True, strip: bool = True) -> Corpus:
    """Prepare gold by a policy.

    If not ``typed``, edits have no type, but UNK where that is known without one.  If not ``strip``, the spans of ``gold`` stay whole.
    """
    if policy == "raw":
        return corpus
    if policy == "text":
        sentences = _add_absent(corpus)
        texts = [[sentence.corrected(annotation) for annotation in sentence.annotations] for sentence in sentences]
    else:
        sentences = [_order_annotators(sentence) for sentence in corpus]
        applied = [[apply_edits(sentence.tokens, annotation.edits) for annotation in sentence.annotations] for sentence in sentences]
        if policy == "gold":
            return replace(corpus, sentences=_retype(sentences, applied, extractor, typed=typed, strip=strip))
        texts = [[text for text, _ in own] for own in applied]
    pairs = [(sentence.tokens, text) for sentence, own in zip(sentences, texts, strict=True) for text in own]
    found = iter(extractor.edits(pairs) if typed else extract_untyped(extractor, pairs))
    keep = policy == "auto"
    prepared = (
        replace(sentence, annotations=tuple(_with_edits(annotation, next(found), keep_unknown=keep) for annotation in sentence.annotations))
        for sentence in sentences
    )
    return replace(corpus, sentences=tuple(prepared))


def extract_untyped(extractor: Extractor, pairs: Sequence[tuple[Tokens, Tokens]]) -> list[tuple[Edit, ...]]:
    """Extract edits without their types, which take longer and need a list of words."""
    return [
        tuple(Edit(span.start, span.end, (" ".join(target[span.target_start : span.target_end]),)) for span in spans)
        for (_, target), spans in zip(pairs, extractor.spans(pairs), strict=True)
    ]


def _order_annotators(sentence: Sentence) -> Sentence:
    """Sort annotators by their names, and drop the edits of those whose first line is noop."""
    if all(not annotation.starts_with_noop for annotation in sentence.annotations) and len(sentence.annotations) <= 1:
        return sentence
    ordered = sorted(sentence.annotations, key=lambda annotation: annotation.annotator)
    return replace(
        sentence,
        annotations=tuple(Annotation(annotation.annotator) if annotation.starts_with_noop else annotation for annotation in ordered),
    )


def _with_edits(annotation: Annotation, found: Sequence[Edit], *, keep_unknown: bool) -> Annotation:
    """Replace the edits of an annotator; those whose correction is unknown may stay."""
    kept = [replace(edit, type=UNKNOWN) for edit in annotation.edits if edit.type in UNAPPLIED] if keep_unknown else []
    edits = sorted([*kept, *found], key=lambda edit: (edit.start, edit.end)) if kept else found
    return Annotation(annotation.annotator, tuple(edits))


def _retype(
    sentences: Sequence[Sentence], applied: Sequence[Sequence[tuple[Tokens, list[Placed]]]], extractor: Extractor, *, typed: bool, strip: bool
) -> tuple[Sentence, ...]:
    """Keep the spans of gold edits, without equal tokens at their ends, and type them anew."""
    raise NotImplementedError
