r"""The markup of annotated texts: ``{error=>correction:::error_type=G/Case}``.

An annotation begins with a brace, has no other opening brace before its last ``=>``, and ends at the next closing brace in the same line;
``|`` separates alternative corrections, ``NO_SUGGESTIONS`` stands for none, and ``:::`` begins metadata.  ``\n`` is a line end, inside
annotations and outside.  Everything else is text: a brace without an arrow, for
example.  By this rule an annotation inside another is read in part, so it is named.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

_LINE_END = "\\n"
_NONE = "NO_SUGGESTIONS"
_ARROW, _META = "=>", ":::"
_TYPE = "error_type"
_INSIDE = re.compile(r"=>|\}")
_LEFT_OVER = re.compile(r"=>|:::error_type")


class Annotated(NamedTuple):
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


class AnnotatedText(NamedTuple):
    """The source text of an annotated text, its annotations, and what looks like one but is text."""

    source: str
    annotations: tuple[Annotated, ...]
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


def parse_annotated(text: str) -> AnnotatedText:
    """Read an annotated text.

    >>> parsed = parse_annotated("Я {бачив=>бачила|побачила:::error_type=G/Gender} {це =>}тут.")
    >>> parsed.source, [(item.corrections, item.type) for item in parsed.annotations]
    ('Я бачив це тут.', [(('бачила', 'побачила'), 'G/Gender'), (('',), '')])
    """
    pieces: list[str] = []
    annotations: list[Annotated] = []
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
        annotations.append(Annotated(first, size, corrections, type_, tuple(named), line))
        if _INSIDE.search(text, start + 1, arrow) or "{" in written:
            nested.append(line)
        done = end
    add_text(done, len(text))
    return AnnotatedText("".join(pieces), tuple(annotations), tuple(left_over), tuple(nested))


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
