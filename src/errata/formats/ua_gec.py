"""UA-GEC: annotated Ukrainian texts, with their tokenised sentences."""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from functools import cache
from itertools import accumulate, groupby, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import Annotation, Edit, Sentence, extract_edits
from errata.corpus.texts import RAISE_LIMIT
from errata.corpus.tokenisation import load_rule
from errata.errors import FormatError, InputError, pluralise
from errata.formats.lines import display_path, is_folder, list_files, read_lines, read_text_lines
from errata.formats.problems import Problem
from errata.formats.registry import CorpusFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.corpus.texts import Tokens
    from errata.corpus.tokenisation import TokenRule
    from errata.formats.problems import Problems


# The markup of annotated texts: ``{error=>correction:::error_type=G/Case}``.
#
# An annotation begins with a brace, has no other opening brace before its last ``=>``, and ends at the next closing brace in the same
# line;
# ``|`` separates alternative corrections, ``NO_SUGGESTIONS`` stands for none, and ``:::`` begins metadata.  ``\n`` is a line end, inside
# annotations and outside.  Everything else is text: a brace without an arrow, for
# example.  By this rule an annotation inside another is read in part, so it is named.

_LINE_END = "\\n"
_NONE = "NO_SUGGESTIONS"
_ARROW, _META = "=>", ":::"
_TYPE = "error_type"
_INSIDE = re.compile(r"=>|\}")
_LEFT_OVER = re.compile(r"=>|:::error_type")


class _Annotated(NamedTuple):
    """An annotation: where it is in the source text, and what it says."""

    start: int
    end: int
    corrections: tuple[str, ...]
    """Alternatives; empty if the error has none."""
    type: str
    other: tuple[str, ...]
    """The names of further metadata."""
    line: int
    """The line of its file, counted from 1."""


class _AnnotatedText(NamedTuple):
    """The source text of an annotated text, its annotations, and what looks like one but is text."""

    source: str
    annotations: tuple[_Annotated, ...]
    left_over: tuple[int, ...]
    """Lines that have an arrow or metadata outside annotations."""
    nested: tuple[int, ...]
    """Lines with an annotation that has the marks of another inside."""


class _Match(NamedTuple):
    start: int
    arrow: int
    meta: int
    """Where the correction ends."""
    end: int


def _parse_annotated(text: str) -> _AnnotatedText:
    """Read an annotated text.

    >>> parsed = _parse_annotated("Я {бачив=>бачила|побачила:::error_type=G/Gender} {це =>}тут.")
    >>> parsed.source, [(item.corrections, item.type) for item in parsed.annotations]
    ('Я бачив це тут.', [(('бачила', 'побачила'), 'G/Gender'), (('',), '')])
    """
    pieces: list[str] = []
    annotations: list[_Annotated] = []
    left_over: list[int] = []
    nested: list[int] = []
    size = done = 0
    lines = [match.start() for match in re.finditer("\n", text)]

    def add(piece: str) -> None:
        nonlocal size
        pieces.append(piece)
        size += len(piece)

    def add_text(start: int, end: int) -> None:
        left_over.extend(bisect_left(lines, start + found.start()) + 1 for found in _LEFT_OVER.finditer(text[start:end]))
        add(_unescape(text[start:end]))

    for start, arrow, meta, end in _find_annotations(text, lines):
        add_text(done, start)
        first = size
        add(_unescape(text[start + 1 : arrow]))
        written = text[arrow + len(_ARROW) : meta]
        corrections = () if written == _NONE else tuple(_unescape(one) for one in written.split("|"))
        named = dict(item.partition("=")[::2] for item in text[meta : end - 1].split(_META)[1:])
        type_ = named.pop(_TYPE, "")
        line = bisect_left(lines, start) + 1
        annotations.append(_Annotated(first, size, corrections, type_, tuple(named), line))
        if _INSIDE.search(text, start + 1, arrow) or "{" in written:
            nested.append(line)
        done = end
    add_text(done, len(text))
    return _AnnotatedText("".join(pieces), tuple(annotations), tuple(left_over), tuple(nested))


def _unescape(text: str) -> str:
    return text.replace(_LINE_END, "\n")


def _find_annotations(text: str, lines: list[int]) -> list[_Match]:
    """Find all annotations, in time that grows no faster than with the logarithm of the length for each character."""
    opens, closes, arrows, metas = ([match.start() for match in re.finditer(mark, text)] for mark in (r"\{", r"\}", "=>", "(?=:::[^:])"))
    found: list[_Match] = []
    done = 0
    for number, start in enumerate(opens):
        if start < done:
            continue
        limit = opens[number + 1] if number + 1 < len(opens) else len(text)
        first, last = bisect_left(arrows, start), bisect_left(arrows, limit - 1)
        for arrow in reversed(arrows[first:last]):
            match = _end_annotation(start, arrow, _next(lines, arrow, len(text)), closes, metas)
            if match is not None:
                found.append(match)
                done = match.end
                break
    return found


def _end_annotation(start: int, arrow: int, line_end: int, closes: list[int], metas: list[int]) -> _Match | None:
    """Find where an annotation ends: its correction at metadata or a brace in the line, metadata at the next brace."""
    begin = arrow + len(_ARROW)
    close = _next(closes, begin, -1)
    if close < 0:
        return None
    meta = _next(metas, begin, close)
    if meta < min(close, line_end):
        # The first character of metadata is not a colon, and may be a brace.
        end = _next(closes, meta + len(_META) + 1, -1)
        if end >= 0:
            return _Match(start, arrow, meta, end + 1)
    return _Match(start, arrow, close, close + 1) if close < line_end else None


def _next(positions: list[int], start: int, otherwise: int) -> int:
    index = bisect_left(positions, start)
    return positions[index] if index < len(positions) else otherwise


# --- Edits of characters become edits of the tokens of given sentences.
#
# An edit of a part of a token becomes one of the whole token.  An edit that touches a token is joined with it if the text that results is
# one token there: *слов* and the insertion of *о* make *слово*, and a comma stays a token of its own.  Edits of the same token become
# one,
# with their types joined by ``+``.  Equal tokens at the ends of an edit are left out.  An edit of the tokens of two sentences is split
# where tokens stay; what still crosses the border is corrected in the first sentence, and deleted in the second.


class _PlacedToken(NamedTuple):
    """A token and its characters in the source text."""

    text: str
    start: int
    end: int
    sentence: int


class _Window(NamedTuple):
    """An edit, and the tokens that it changes; an insertion has none, and a place."""

    edit: _Annotated
    first: int
    last: int


_MOST_JOINED = 100
"""Annotations that make one edit: each is tokenised with all before it."""


class _TooManyJoinedError(Exception):
    """More annotations than that make one edit."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class _MisplacedTokenError(Exception):
    """A token that the source text does not have where it should."""

    def __init__(self, sentence: int, token: str, found: str) -> None:
        super().__init__(token)
        self.sentence, self.token, self.found = sentence, token, found


@cache
def _rule() -> TokenRule:
    """Find the rule that splits what corrections have: abbreviations are those with stops inside, as the known ones are English."""
    return load_rule("ptb", lambda word: "." in word[:-1])


def _place_tokens(sentences: Sequence[Tokens], source: str) -> list[_PlacedToken]:
    """Find the tokens of sentences in their text, whose white space is skipped."""
    positions = [position for position, character in enumerate(source) if not character.isspace()]
    letters = "".join(source[position] for position in positions)
    placed: list[_PlacedToken] = []
    at = 0
    for number, tokens in enumerate(sentences):
        for token in tokens:
            if not letters.startswith(token, at):
                raise _MisplacedTokenError(number, token, letters[at : at + len(token)])
            placed.append(_PlacedToken(token, positions[at], positions[at + len(token) - 1] + 1, number))
            at += len(token)
    if at < len(letters):
        raise _MisplacedTokenError(len(sentences) - 1, "", letters[at : at + 40])
    return placed


class _TokenEdits:
    """The tokens of a text, which edits of characters are converted to."""

    def __init__(self, sentences: Sequence[Tokens], source: str) -> None:
        self._sentences, self._source = sentences, source
        self._tokens = _place_tokens(sentences, source)
        self._starts = [token.start for token in self._tokens]
        self._ends = [token.end for token in self._tokens]
        self._firsts = [0, *accumulate(map(len, sentences))]

    def convert(self, annotations: Sequence[_Annotated], report: Callable[[int, str], None]) -> list[list[Edit]]:
        """Convert the edits of one annotator to those of each sentence; ``report`` takes the line and kind of what is unusual."""
        given = [item for item in annotations if self._is_edit(item, report)]
        edits: list[list[Edit]] = [[] for _ in self._sentences]
        for window in self._find_windows(given, report):
            old = tuple(token.text for token in self._tokens[window.first : window.last])
            new = [_rule()(text) for text in self._texts(window)]
            if all(text == old for text in new):
                report(window.edit.line, "empty")
                continue
            for sentence, edit in self._split(window, old, new, report):
                edits[sentence].append(edit)
        return edits

    def _is_edit(self, item: _Annotated, report: Callable[[int, str], None]) -> bool:
        if not item.corrections:
            report(item.line, "unmarked")
        return bool(item.corrections)

    def _find_windows(self, given: Sequence[_Annotated], report: Callable[[int, str], None]) -> list[_Window]:
        """Find the tokens that each edit changes; edits of the same token are joined."""
        windows: list[_Window] = []
        joined = 0
        for item, following in zip_longest(given, given[1:]):
            last = windows[-1] if windows else None
            after = last is not None and last.edit.end == item.start
            window = self._find_window(item, joins_before=not after, joins_after=following is None or following.start > item.end)
            if last is None or not (_share_token(last, window) or (after and _make_one_token(last.edit, item))):
                windows.append(window)
                joined = 1
            else:
                joined += 1
                if joined > _MOST_JOINED:
                    raise _TooManyJoinedError(item.line)
                windows[-1] = self._join(last, window, report)
        return windows

    def _find_window(self, item: _Annotated, *, joins_before: bool, joins_after: bool) -> _Window:
        """Find the tokens that an edit changes: those that it overlaps, and those that it is joined with."""
        first, last = bisect_right(self._ends, item.start), bisect_left(self._starts, item.end)
        last = max(first, last)  # white space before the next token has none
        before = self._tokens[first - 1].text if joins_before and first and self._ends[first - 1] == item.start else ""
        after = self._tokens[last].text if joins_after and last < len(self._tokens) and self._starts[last] == item.end else ""
        for correction in item.corrections:
            joined = _rule()(f"{before}{correction}{after}")
            borders = {0, *accumulate(map(len, joined))}
            size = sum(map(len, joined))
            if before and len(before) not in borders:
                first, before = first - 1, ""
            if after and size - len(after) not in borders:
                last, after = last + 1, ""
        return _Window(item, first, last)

    def _join(self, one: _Window, other: _Window, report: Callable[[int, str], None]) -> _Window:
        between = self._source[one.edit.end : other.edit.start]
        corrections = (one.edit.corrections[0] + between + other.edit.corrections[0],)
        report(other.edit.line, "joined")
        for _ in (*one.edit.corrections[1:], *other.edit.corrections[1:]):
            report(other.edit.line, "alternative")
        types = dict.fromkeys([*one.edit.type.split("+"), *other.edit.type.split("+")])
        edit = _Annotated(one.edit.start, other.edit.end, corrections, "+".join(filter(None, types)), (), one.edit.line)
        return _Window(edit, one.first, max(one.last, other.last))

    def _texts(self, window: _Window) -> list[str]:
        """Write what the tokens of an edit become."""
        edit, first, last = window
        before = self._source[self._starts[first] : edit.start] if first < last else ""
        after = self._source[edit.end : self._ends[last - 1]] if first < last else ""
        return [f"{before}{correction}{after}" for correction in edit.corrections]

    def _split(self, window: _Window, old: Tokens, new: Sequence[Tokens], report: Callable[[int, str], None]) -> list[tuple[int, Edit]]:
        """Make edits of sentences of an edit of tokens."""
        item, first, last = window
        sentences = [(number, list(own)) for number, own in groupby(range(first, last), lambda index: self._tokens[index].sentence)]
        if len(sentences) > 1:
            report(item.line, "crossing")
            for _ in new[1:]:
                report(item.line, "alternative")
            return [piece for edit in extract_edits(old, new[0]) for piece in self._cut(edit, first, item.type)]
        number = sentences[0][0] if sentences else self._sentence_of_insertion(item, first)
        start, end, kept = _trim(old, new)
        offset = first - self._firsts[number]
        return [(number, Edit(offset + start, offset + end, tuple(map(" ".join, kept)), item.type))]

    def _sentence_of_insertion(self, item: _Annotated, place: int) -> int:
        """Find the sentence of an insertion: that of the token that it follows without a space, else that of the next token."""
        if place and (self._ends[place - 1] == item.start or place == len(self._tokens)):
            return self._tokens[place - 1].sentence
        return self._tokens[place].sentence if self._tokens else 0

    def _cut(self, edit: Edit, first: int, type_: str) -> list[tuple[int, Edit]]:
        """Cut an edit of tokens where sentences end; ``first`` is the token that its offsets count from."""
        if edit.start == edit.end:
            number = self._tokens[min(first + edit.start, len(self._tokens) - 1)].sentence
            place = first + edit.start - self._firsts[number]
            return [(number, Edit(place, place, edit.corrections, type_))]
        pieces: list[tuple[int, Edit]] = []
        for number, own in groupby(range(first + edit.start, first + edit.end), lambda index: self._tokens[index].sentence):
            places = [index - self._firsts[number] for index in own]
            pieces.append((number, Edit(places[0], places[-1] + 1, ("",) if pieces else edit.corrections, type_)))
        return pieces


def _share_token(one: _Window, other: _Window) -> bool:
    return one.first < one.last and other.first < one.last and one.first < max(other.last, other.first + 1)


def _make_one_token(one: _Annotated, other: _Annotated) -> bool:
    """Whether the corrections of two edits without anything between them make a token together."""
    before, after = one.corrections[0], other.corrections[0]
    border = sum(not character.isspace() for character in before)
    return bool(before and after) and border not in {0, *accumulate(map(len, _rule()(before + after)))}


def _trim(old: Tokens, new: Sequence[Tokens]) -> tuple[int, int, list[Tokens]]:
    """Leave out tokens at the ends that no correction changes."""
    least = min(len(old), *map(len, new))
    start = next((place for place in range(least) if any(text[place] != old[place] for text in new)), least)
    left = least - start
    end = next((place for place in range(left) if any(text[-1 - place] != old[-1 - place] for text in new)), left)
    return start, len(old) - end, [text[start : len(text) - end] for text in new]


_ANNOTATED, _SENTENCES = "annotated", "source-sentences-tokenized"
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


def _read_annotated(path: str, problems: Problems, max_tokens: int) -> Iterator[Sentence]:
    """Yield the sentences of a folder with annotated texts and sentences, or of one annotated text in such a folder."""
    documents: dict[str, list[_Given]] = {}
    for given in _find_files(path):
        documents.setdefault(given.document, []).append(given)
    unusual = _Unusual(problems)
    for document, files in documents.items():
        texts = {given: _parse_annotated(_read_whole(given.path, problems, max_tokens)) for given in files}
        first, *others = files
        if other := next((given for given in others if texts[given].source.split() != texts[first].source.split()), None):
            raise InputError(f"{display_path(other.path)}: its text without annotations differs from that of {display_path(first.path)}")
        sentences_path = os.path.join(os.path.dirname(os.path.dirname(first.path)), _SENTENCES, f"{document}.src.txt")  # noqa: PTH118, PTH120
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
    inner = os.path.join(path, _ANNOTATED)  # noqa: PTH118
    folder = inner if is_folder(inner) else path
    given = [_name(file) for file in list_files(folder) if file.endswith(_EXTENSION)]
    if not given:
        raise InputError(f"{display_path(path)}: no annotated texts found, expected {_ANNOTATED}/DOCUMENT.aN{_EXTENSION}")
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


def _convert(given: _Given, text: _AnnotatedText, sentences: list[Tokens], sentences_path: str, unusual: _Unusual) -> list[list[Edit]]:
    """Convert the edits of an annotated text to those of its sentences."""
    if text.nested:
        message = (
            "the marks of an annotation inside another, which could be read in several ways; expected {error=>correction:::error_type=T}"
        )
        raise FormatError(display_path(given.path), text.nested[0], message)
    for line in text.left_over:
        unusual.add(given.path, line, "left over")
    try:
        placed = _TokenEdits(sentences, text.source)
    except _MisplacedTokenError as error:
        expected = f"expected the text of {display_path(given.path)}, {error.found[:_SHOWN]!r}"
        found = repr(error.token[:_SHOWN]) if error.token else "the end"
        raise FormatError(display_path(sentences_path), error.sentence + 1, f"{expected}, found {found}") from None
    try:
        return placed.convert(text.annotations, lambda line, kind: unusual.add(given.path, line, kind))
    except _TooManyJoinedError as error:
        raise FormatError(display_path(given.path), error.line, f"more than {_MOST_JOINED} annotations in a row make one edit") from None


UA_GEC = CorpusFormat("ua-gec", _read_annotated, reads_folders=True)
