"""Gold whose edits are typed anew by the rules of ERRANT: converted as ``errant_m2`` does, or with its own edits."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from errata.corpus.corpus import Annotation, Corpus, Edit, Part
from errata.errant.extraction import SENTENCES_AT_A_TIME
from errata.errant.policies import prepare_gold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from errata.corpus.corpus import Sentence
    from errata.errant.extraction import Extractor
    from errata.language.type_systems import GivesTypes

Retyping = Literal["auto", "gold"]


def retype_corpus(
    corpus: Corpus, policy: Retyping, extractor: Extractor, *, keep_spans: bool = False, progress: Callable[[int], None] | None = None
) -> Corpus:
    """Convert a corpus as ``errant_m2`` does: ``auto`` extracts edits from the corrected sentences, ``gold`` types those that it has.

    Of alternative corrections the first is used.  In ``auto``, an annotator whose edits change nothing has no annotation.
    With ``keep_spans``, spans of ``gold`` keep equal tokens at their ends.
    """

    def retype(whole: Corpus) -> Iterator[Sentence]:
        plain = replace(whole, sentences=tuple(_simplify(sentence) for sentence in whole))
        for sentence in prepare_gold(plain, policy, extractor, strip=not keep_spans):
            yield replace(sentence, annotations=tuple(_reset(item) for item in sentence.annotations))

    return _convert(corpus, retype, progress)


def type_gold(corpus: Corpus, extractor: GivesTypes, progress: Callable[[int], None] | None = None) -> Corpus:
    """Give the edits of a corpus the types of ERRANT, or of another system; nothing else is changed.

    The type of an edit is that of its first correction, in the sentence with all corrections of its annotator.
    """

    def retype(whole: Corpus) -> Iterator[Sentence]:
        plain = replace(whole, sentences=tuple(_simplify(sentence, keep_all=True) for sentence in whole))
        for before, after in zip(whole, prepare_gold(plain, "gold", extractor), strict=True):
            typed = {item.annotator: [edit.type for edit in item.edits] for item in after.annotations}
            yield replace(before, annotations=tuple(_with_types(item, typed[item.annotator]) for item in before.annotations))

    return _convert(corpus, retype, progress)


def _convert(corpus: Corpus, retype: Callable[[Corpus], Iterator[Sentence]], progress: Callable[[int], None] | None) -> Corpus:
    """Convert a corpus piece by piece."""
    sentences: list[Sentence] = []
    for first in range(0, len(corpus), SENTENCES_AT_A_TIME):
        numbers = tuple(corpus.numbers[first : first + SENTENCES_AT_A_TIME])
        piece = replace(corpus, sentences=corpus.sentences[first : first + len(numbers)], part=Part(numbers, numbers[-1]))
        sentences += retype(piece)
        if progress is not None:
            progress(len(numbers))
    return replace(corpus, sentences=tuple(sentences))


def _simplify(sentence: Sentence, *, keep_all: bool = False) -> Sentence:
    """Keep the first of alternative corrections; with ``keep_all``, edits after a noop too."""
    annotations = (
        Annotation(
            item.annotator,
            tuple(Edit(edit.start, edit.end, edit.corrections[:1], edit.type) for edit in item.edits),
            starts_with_noop=item.starts_with_noop and not keep_all,
        )
        for item in sentence.annotations
    )
    return replace(sentence, annotations=tuple(annotations))


def _reset(annotation: Annotation) -> Annotation:
    """Leave out the status and the comment of edits that were kept, as of all others."""
    return Annotation(annotation.annotator, tuple(Edit(edit.start, edit.end, edit.corrections, edit.type) for edit in annotation.edits))


def _with_types(annotation: Annotation, types: list[str]) -> Annotation:
    """Give edits their types, which are in the order of their spans."""
    order = sorted(range(len(annotation.edits)), key=lambda index: (annotation.edits[index].start, annotation.edits[index].end))
    by_index = dict(zip(order, types, strict=True))
    return replace(annotation, edits=tuple(replace(edit, type=by_index[index]) for index, edit in enumerate(annotation.edits)))


def list_retyping_losses(corpus: Corpus) -> list[str]:
    """List what is left out if a corpus is converted as ``errant_m2`` does."""
    counts = Counter[str]()
    for sentence in corpus:
        for item in sentence.annotations:
            counts["skipped lines are left out"] += len(item.ignored)
            if item.starts_with_noop:
                counts["edits after a noop of their annotator are left out"] += len(item.edits)
                continue
            for edit in item.edits:
                counts["alternative corrections are left out (the first is used)"] += len(edit.corrections) - 1
                counts["edits lose their status or comment"] += (edit.status, edit.comment) != ("REQUIRED", "-NONE-")
                counts["edits lose their error and whether it must be corrected"] += edit.error is not None
    return [f"{what}: {count:,}" for what, count in counts.items() if count]
