"""Parallel texts annotated with edits and their types, as ``errant_parallel`` does."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Protocol

from errata.corpus.corpus import Annotation, Sentence
from errata.errant.extraction import SENTENCES_AT_A_TIME, PairError
from errata.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus.corpus import Edit
    from errata.corpus.texts import Tokens
    from errata.formats.lines import TextLine


class FindsEdits(Protocol):
    """What finds the edits of pairs, with their types."""

    def edits(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> Sequence[tuple[Edit, ...]]:
        """Find the edits of every pair."""


def annotate_sentences(
    sources: Iterable[Tokens], corrected: Sequence[Iterable[TextLine]], extractor: FindsEdits, paths: Sequence[str] = ()
) -> Iterator[Sentence]:
    """Yield the sources with the edits of each corrected text, whose annotators are 0, 1, ....

    A text that is written as its source, with single spaces, has an annotation without edits; one that differs in white space only has
    none, as in ERRANT.  ``paths`` name the corrected texts in messages.
    """
    rows = zip(sources, *corrected, strict=True)
    first = 0
    while chunk := list(islice(rows, SENTENCES_AT_A_TIME)):
        columns = []
        for number in range(len(corrected)):
            pairs = [(row[0], row[1 + number].tokens) for row in chunk]
            columns.append(_find_edits(extractor, pairs, first, paths[number] if paths else f"text {number}"))
        for index, (source, *lines) in enumerate(chunk):
            own = (_annotate(str(number), source, line, columns[number][index]) for number, line in enumerate(lines))
            yield Sentence(source, tuple(annotation for annotation in own if annotation is not None))
        first += len(chunk)


def _find_edits(extractor: FindsEdits, pairs: list[tuple[Tokens, Tokens]], first: int, path: str) -> Sequence[tuple[Edit, ...]]:
    """Find the edits of some lines of a text; an error names the line."""
    try:
        return extractor.edits(pairs)
    except PairError as error:
        raise RequestError(f"{path}:{first + error.index + 1}: it {error.reason}") from None


def _annotate(annotator: str, source: Tokens, line: TextLine, edits: tuple[Edit, ...]) -> Annotation | None:
    if not edits and line.text.strip() != " ".join(source):
        return None
    return Annotation(annotator, edits)
