"""Texts of a system, cut into the sentences of the source.

A system may join, split, add and drop sentences and paragraphs.  So the words of a whole text are compared with those of its source,
and every sentence boundary of the source is found in the output: between the same words, or in the changed words around it where the
output starts a sentence too.  What goes wrong around one boundary stays there.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import System
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT
from errata.errors import InputError, MismatchError
from errata.formats.lines import display_path
from errata.formats.names import name_systems
from errata.formats.problems import Problem, WarnOnce, warn_in_python
from errata.hoo.documents import has_edits, match_by_number
from errata.hoo.sentences import split_text
from errata.hoo.source_texts import read_source
from errata.hoo.word_diff import diff_words
from errata.nucle.conversion import OFFICIAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens
    from errata.hoo.source_texts import SourceText
    from errata.hoo.word_diff import Hunk
    from errata.nucle.token_edits import Language

_PARAGRAPH_END = "\n"
"""A word that no tokeniser returns."""


def read_hoo_system(
    paths: Iterable[str],
    source: Iterable[str],
    gold: Corpus,
    *,
    name: str | None = None,
    language: Language = OFFICIAL,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    warn: Callable[[Problem], None] = warn_in_python,
) -> System:
    """Read the texts of a system for a corpus that was read from HOO documents; ``source`` are the texts that it corrected.

    Files are matched by the number at the start of their names.
    """
    given = list(paths)
    systems, sources = match_by_number(given, "system"), match_by_number(source, "source")
    documents: dict[str, list[Tokens]] = {}
    for sentence in gold:
        documents.setdefault(sentence.document, []).append(sentence.tokens)
    if missing := next((number for number in documents if number not in systems), None):
        raise MismatchError(f"{display_path(given[0])}: the system has no file for document {missing!r} of {gold.path}")
    if extra := sorted(set(systems) - set(documents)):
        raise MismatchError(f"{gold.path} has no document for {display_path(systems[extra[0]])}")
    sentences: list[Tokens] = []
    for number, own in documents.items():
        path = systems[number]
        if has_edits(path):
            raise InputError(f"{display_path(path)}: expected the text of a system, found edits")
        if number not in sources:
            raise MismatchError(f"{display_path(path)} is a text, and its source is missing (--source)")
        old, new = (read_source(file, WarnOnce(display_path(file), warn)) for file in (sources[number], path))
        found = _cut_document(own, old, new, _Named(number, display_path(path), gold.path), language)
        if longest := next((tokens for tokens in found if len(tokens) > max_tokens), None):
            message = f"{len(longest):,} tokens for one sentence, more than the limit of {max_tokens:,}; {RAISE_LIMIT}"
            raise InputError(f"{display_path(path)}: {message}")
        sentences += found
    return System(name or name_systems(given[:1])[0], tuple(sentences), display_path(given[0]))


class _Named(NamedTuple):
    """A document of a system, for messages."""

    number: str
    path: str
    gold: str


def _cut_document(
    sentences: Sequence[Tokens], old: Mapping[str, SourceText], new: Mapping[str, SourceText], named: _Named, language: Language
) -> list[Tokens]:
    """Cut the parts of a document into sentences."""
    if list(old) != list(new):
        raise MismatchError(f"{named.path} has the parts {', '.join(new)}, but {next(iter(old.values())).path} has {', '.join(old)}")
    cut: list[Tokens] = []
    for part, text in old.items():
        source, output = (Words.of(item, named.number, language) for item in (text, new[part]))
        here = _take_sentences(sentences[len(cut) :], source.tokens)
        if here is None:
            raise MismatchError(f"{text.path} differs from the text of document {named.number} of {named.gold}")
        if not here and output.tokens:
            raise MismatchError(f"{named.path} has words where {text.path} has none: {' '.join(output.tokens)[:40]!r}")
        cut += cut_output(here, source, output) if here else []
    if len(cut) < len(sentences):
        raise MismatchError(f"the source of {named.path} ends before document {named.number} of {named.gold}")
    return cut


def _take_sentences(sentences: Sequence[Tokens], tokens: Sequence[str]) -> list[Tokens] | None:
    """Take the first sentences that make up a text; None if they do not."""
    taken: list[Tokens] = []
    position = 0
    for sentence in sentences:
        if position == len(tokens):
            break
        if tuple(tokens[position : position + len(sentence)]) != sentence:
            return None
        taken.append(sentence)
        position += len(sentence)
    return taken if position == len(tokens) else None


class Words(NamedTuple):
    """The tokens of a text, with an extra word at the end of each paragraph."""

    words: list[str]
    starts: list[int]
    """Where sentences start."""

    @classmethod
    def of(cls, text: SourceText, document: str, language: Language) -> Words:
        """Split a text."""
        words: list[str] = []
        starts: list[int] = []
        paragraph = 0
        for sentence in split_text(text, document, language):
            words += [_PARAGRAPH_END] * (bool(words) and sentence.paragraph != paragraph)
            paragraph = sentence.paragraph
            starts.append(len(words))
            words += sentence.tokens
        return cls(words, starts)

    @property
    def tokens(self) -> list[str]:
        """The tokens alone."""
        return [word for word in self.words if word != _PARAGRAPH_END]


def cut_output(sentences: Sequence[Tokens], source: Words, output: Words) -> list[Tokens]:
    """Cut the words of an output where the sentences of the source start."""
    places = [place for place, word in enumerate(source.words) if word != _PARAGRAPH_END]
    starts = [places[number] for number in accumulate(len(sentence) for sentence in sentences[:-1])]
    cuts = [0, *_find_cuts(starts, diff_words(source.words, output.words), output.starts), len(output.words)]
    return [tuple(word for word in output.words[start:end] if word != _PARAGRAPH_END) for start, end in pairwise(cuts)]


def _find_cuts(starts: Sequence[int], hunks: Sequence[Hunk], breaks: Sequence[int]) -> Iterator[int]:
    """Yield the position in the output of each start of a sentence of the source; ``breaks`` are those of the output's sentences."""
    number = 0
    shift = 0
    """How much further unchanged words are in the output."""
    for start in starts:
        while number < len(hunks) and hunks[number].end < start:
            shift = hunks[number].new_end - hunks[number].end
            number += 1
        inside = number < len(hunks) and hunks[number].start <= start
        yield _cut_inside(hunks[number], start, breaks) if inside else start + shift


def _cut_inside(hunk: Hunk, start: int, breaks: Sequence[int]) -> int:
    """Cut changed words where a sentence of the output starts, near the same share of the words; if none does, at that share."""
    old, new = hunk.end - hunk.start, hunk.new_end - hunk.new_start
    expected = hunk.new_start + (new * (start - hunk.start) // old if old else 0)
    later = bisect_left(breaks, expected)
    near = [place for place in breaks[max(0, later - 1) : later + 1] if hunk.new_start <= place <= hunk.new_end]
    return min(near, key=lambda place: abs(place - expected), default=expected)
