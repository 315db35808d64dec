"""Plain text: one tokenised sentence per line, the output of a system or one side of a parallel text.

An empty line is a sentence without tokens: a system that deletes everything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import FormatError
from errata.formats.lines import count_bytes, read_lines, read_plain_file, split_tokens
from errata.formats.shared_texts import SharedTexts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.corpus.texts import Tokens
    from errata.formats.lines import Line
    from errata.formats.problems import Problems

_M2_EDIT = re.compile(r"A -?\d+ -?\d+\|\|\|")


class TextLine(NamedTuple):
    """A line of a text, and its tokens."""

    text: str
    tokens: Tokens


def read_text(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[Tokens]:
    """Yield the sentences of a text file; refuse files that contain M2 edits."""
    plain = None if problems.wants_warnings else _read_plain(path, max_tokens)
    if plain is not None:
        yield from plain
        return
    for line in read_text_lines(path, problems, max_tokens):
        yield line.tokens


def _read_plain(path: str, max_tokens: int) -> list[Tokens] | None:
    """Read a file in which nothing is unusual, which takes half the time; None if the careful reader is needed."""
    text = read_plain_file(path)
    if not text:
        return None
    lines = text.removesuffix("\n").split("\n")
    if "|||" in text and any(map(_M2_EDIT.match, lines)):
        return None
    if max(map(len, lines)) >= count_bytes(max_tokens) >> 2:  # a character has at most four bytes
        return None
    share = SharedTexts()
    sentences = [share(line.split()) for line in lines]
    return sentences if max(map(len, sentences)) <= max_tokens else None


def refuse_edit(line: Line, path: str) -> None:
    """Raise if a line of a text is an edit of M2."""
    if line.text.startswith("A ") and _M2_EDIT.match(line.text):
        raise FormatError(path, line.number, "an edit of M2, but this file is read as text with one sentence per line")


def read_text_lines(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[TextLine]:
    """Yield the sentences of a text file as they are written, and their tokens; refuse files that contain M2 edits."""
    share = SharedTexts()
    for line in read_lines(path, problems, max_tokens):
        refuse_edit(line, problems.path)
        tokens = split_tokens(line, line.text, problems, max_tokens, share)
        if problems.wants_warnings and tokens is not None:
            if not tokens:
                problems.warning(line.number, "an empty line (a sentence without tokens)")
            elif line.text != " ".join(tokens):
                problems.odd_spacing(line.number)
        yield TextLine(line.text, tokens or ())
