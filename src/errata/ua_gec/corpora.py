"""Corpora of annotated texts: a folder of texts, and another of their tokenised sentences."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import Annotation, Sentence
from errata.corpus.texts import RAISE_LIMIT
from errata.errors import FormatError, InputError, pluralise
from errata.formats.folders import is_folder, list_files
from errata.formats.lines import display_path, read_lines
from errata.formats.problems import Problem
from errata.formats.text import read_text_lines
from errata.ua_gec.markup import AnnotatedText, parse_annotated
from errata.ua_gec.token_edits import MOST_JOINED, MisplacedTokenError, TokenEdits, TooManyJoinedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.corpus.corpus import Edit
    from errata.corpus.texts import Tokens
    from errata.formats.problems import Problems

ANNOTATED, SENTENCES = "annotated", "source-sentences-tokenized"
"""Folders of annotated texts, and of the tokenised sentences of their source."""
_EXTENSION = ".ann"
_LONGEST = 1 << 24
"""Characters of an annotated text."""
_SHOWN = 40
_UNUSUAL = {
    "left over": "an arrow (=>) or error type outside an annotation, which is read as text",
    "unmarked": "an error without correction is left out",
    "empty": "an edit that changes no token is left out",
    "joined": "two edits of the same token are joined",
    "alternative": "an alternative correction is left out (the first is used)",
    "crossing": "an edit crosses the border of two sentences, so it is split",
}
"""What is said of edits that are unusual."""


class _Given(NamedTuple):
    """An annotated file: its document and its annotator."""

    document: str
    annotator: str
    path: str


def read_annotated(path: str, problems: Problems, max_tokens: int) -> Iterator[Sentence]:
    """Yield the sentences of a folder with annotated texts and sentences, or of one annotated text in such a folder."""
    documents: dict[str, list[_Given]] = {}
    for given in _find_files(path):
        documents.setdefault(given.document, []).append(given)
    unusual = _Unusual(problems)
    for document, files in documents.items():
        texts = {given: parse_annotated(_read_whole(given.path, problems, max_tokens)) for given in files}
        first, *others = files
        if other := next((given for given in others if texts[given].source.split() != texts[first].source.split()), None):
            raise InputError(f"{display_path(other.path)}: its text without annotations differs from that of {display_path(first.path)}")
        sentences_path = os.path.join(os.path.dirname(os.path.dirname(first.path)), SENTENCES, f"{document}.src.txt")  # noqa: PTH118, PTH120
        sentences = _read_sentences(sentences_path, first, problems, max_tokens)
        columns = [(given, _convert(given, texts[given], sentences, sentences_path, unusual)) for given in files]
        for number, tokens in enumerate(sentences):
            annotations = (Annotation(given.annotator, tuple(edits[number])) for given, edits in columns)
            yield Sentence(tokens, tuple(annotations), document)
    unusual.report()


class _Unusual:
    """What is unusual: each of it where all problems are listed, else one line for each kind."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._found: dict[str, list[tuple[str, int]]] = {}

    def add(self, path: str, line: int, kind: str) -> None:
        """Add something in a line of a file."""
        self._found.setdefault(kind, []).append((display_path(path), line))

    def report(self) -> None:
        """Tell of all."""
        for kind, meaning in _UNUSUAL.items():
            places = self._found.get(kind, [])
            if self._problems.wants_warnings:
                for path, line in places:
                    own = path == self._problems.path
                    inside = path.removeprefix(f"{self._problems.path.rstrip('/')}/")
                    self._problems.warning(line if own else None, meaning if own else f"{inside}:{line}: {meaning}")
            elif places:
                path, line = places[0]
                times = f" ({pluralise(len(places), 'time')}, first here; errata check lists all)" if len(places) > 1 else ""
                self._problems.warn(Problem(path, line, "warning", f"{meaning}{times}"))


def _find_files(path: str) -> list[_Given]:
    """Find the annotated files of a folder, in the order of documents and annotators, or name one."""
    if not is_folder(path):
        return [_name(path)]
    inner = os.path.join(path, ANNOTATED)  # noqa: PTH118
    folder = inner if is_folder(inner) else path
    given = [_name(file) for file in list_files(folder) if file.endswith(_EXTENSION)]
    if not given:
        raise InputError(f"{display_path(path)}: no annotated texts found, expected {ANNOTATED}/DOCUMENT.aN{_EXTENSION}")
    return sorted(given)


def _name(path: str) -> _Given:
    """Name the document and the annotator of ``DOCUMENT.aN.ann``; without an annotator it is 0."""
    stem = os.path.basename(path).removesuffix(_EXTENSION)  # noqa: PTH119
    document, dot, annotator = stem.rpartition(".")
    if not dot:
        return _Given(stem, "0", path)
    return _Given(document, annotator.removeprefix("a") or annotator, path)


def _read_whole(path: str, problems: Problems, max_tokens: int) -> str:
    """Read an annotated text, which is bounded."""
    lines: list[str] = []
    size = 0
    own = problems.about(display_path(path))
    for line in read_lines(path, own, max_tokens):
        size += len(line.text) + 1
        if size > _LONGEST:
            raise FormatError(own.path, line.number, f"an annotated text of more than {_LONGEST:,} characters")
        lines.append(line.text)
    return "\n".join(lines)


def _read_sentences(path: str, given: _Given, problems: Problems, max_tokens: int) -> list[Tokens]:
    if not os.path.exists(path):  # noqa: PTH110 - never raises
        raise InputError(f"{display_path(given.path)} needs its sentences, one per line and tokenised; there is no {display_path(path)}")
    own = problems.about(display_path(path))
    sentences = [line.tokens for line in read_text_lines(path, own, max_tokens)]
    if any(len(tokens) > max_tokens for tokens in sentences):
        raise InputError(f"{own.path}: a sentence of more than {max_tokens:,} tokens; {RAISE_LIMIT}")
    return sentences


def _convert(given: _Given, text: AnnotatedText, sentences: list[Tokens], sentences_path: str, unusual: _Unusual) -> list[list[Edit]]:
    """Convert the edits of an annotated text to those of its sentences."""
    if text.nested:
        message = (
            "the marks of an annotation inside another, which could be read in several ways; expected {error=>correction:::error_type=T}"
        )
        raise FormatError(display_path(given.path), text.nested[0], message)
    for line in text.left_over:
        unusual.add(given.path, line, "left over")
    try:
        placed = TokenEdits(sentences, text.source)
    except MisplacedTokenError as error:
        expected = f"expected the text of {display_path(given.path)}, {error.found[:_SHOWN]!r}"
        found = repr(error.token[:_SHOWN]) if error.token else "the end"
        raise FormatError(display_path(sentences_path), error.sentence + 1, f"{expected}, found {found}") from None
    try:
        return placed.convert(text.annotations, lambda line, kind: unusual.add(given.path, line, kind))
    except TooManyJoinedError as error:
        raise FormatError(display_path(given.path), error.line, f"more than {MOST_JOINED} annotations in a row make one edit") from None
