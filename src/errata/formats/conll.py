"""Tokenised files of the shared tasks: ``.conll`` with parts of speech and constituents, and ``.conll.ann``.

The columns of ``.conll``, separated by tabs: document, paragraph, sentence, token number, token, part of speech, head, relation and
the piece of the constituent tree at the token, in which ``*`` is the token.  An empty line ends a sentence.
``.conll.ann`` has mistakes like SGML, located by document, paragraph, sentence and token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import Edit
from errata.corpus.texts import DEFAULT_MAX_TOKENS, RAISE_LIMIT, Tokens
from errata.formats.lines import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.formats.problems import Problems

_COLUMNS = 9
_MOST_DIGITS = 9
_PIECE = re.compile(r"\(([^()*\s]+)|\*|\)")


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence with its parse."""

    document: str
    paragraph: int
    number: int
    tokens: Tokens
    tags: tuple[str, ...]
    """Parts of speech (Penn Treebank)."""
    pieces: tuple[str, ...]
    """Pieces of the constituent tree, one per token."""

    @cached_property
    def parents(self) -> list[str]:
        """The smallest constituent around each token; empty if there is none."""
        around: list[str] = []
        result = []
        for piece in self.pieces:
            here = ""
            for match in _PIECE.finditer(piece):
                if match.group(1):
                    around.append(match.group(1))
                elif match.group() == "*":
                    here = around[-1] if around else ""
                elif around:
                    around.pop()
            result.append(here)
        return result

    @cached_property
    def openings(self) -> list[list[str]]:
        """The constituents that begin with each token."""
        return [[match.group(1) for match in _PIECE.finditer(piece) if match.group(1)] for piece in self.pieces]


def read_conll(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[ParsedSentence]:
    """Yield the sentences of a ``.conll`` file."""
    rows: list[list[str]] = []
    for line in read_lines(path, problems, max_tokens):
        if not line.text.strip():
            if rows:
                yield _parse(rows)
            rows = []
            continue
        fields = line.text.split("\t")
        if len(fields) != _COLUMNS:
            problems.error(line.number, f"a line must have {_COLUMNS} columns separated by tabs, found {len(fields)}")
            continue
        numbers = fields[1:4]
        if not all(number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS for number in numbers):
            problems.error(line.number, f"columns 2 to 4 must be whole numbers, found {' '.join(numbers)[:40]!r}")
            continue
        if int(fields[3]) != len(rows) or (rows and rows[0][:3] != fields[:3]):
            problems.error(line.number, f"expected token {len(rows)} of the sentence, found {' '.join(fields[:4])[:40]!r}")
            rows = []
            continue
        if len(rows) == max_tokens:
            problems.error(line.number, f"more than {max_tokens:,} tokens in a sentence; {RAISE_LIMIT}")
        rows.append(fields)
    if rows:
        yield _parse(rows)


def _parse(rows: list[list[str]]) -> ParsedSentence:
    document, paragraph, number = rows[0][:3]
    tokens, tags, pieces = (tuple(row[column] for row in rows) for column in (4, 5, 8))
    return ParsedSentence(document, int(paragraph), int(number), tokens, tags, pieces)


class _PlacedEdits(NamedTuple):
    """The edits of a sentence in a ``.conll.ann`` file."""

    document: str
    paragraph: int
    number: int
    edits: tuple[Edit, ...]


_MISTAKE = re.compile(r'<MISTAKE nid="([^"]*)" pid="(\d{1,9})" sid="(\d{1,9})" start_token="(\d{1,9})" end_token="(\d{1,9})">')
_FIELD = re.compile("<(TYPE|CORRECTION|COMMENT)>")


def read_conll_annotations(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> Iterator[_PlacedEdits]:
    """Yield the edits of each ``<ANNOTATION>`` of a ``.conll.ann`` file; each is about one sentence."""
    index: tuple[str, int, int] | None = None
    edits: list[Edit] = []
    span = (0, 0)
    text: list[str] | None = None
    for line in read_lines(path, problems, max_tokens):
        if text is not None:
            text.append(line.text)
            if "</MISTAKE>" in line.text:
                fields = dict(_fields("\n".join(text)))
                if "TYPE" not in fields:
                    problems.error(line.number, "a MISTAKE without a TYPE")
                elif span[0] > span[1]:
                    problems.error(line.number, f"tokens {span[0]} {span[1]} are reversed")
                else:
                    edits.append(Edit(*span, (" ".join(fields.get("CORRECTION", "").split()),), fields["TYPE"]))
                text = None
        elif (match := _MISTAKE.match(line.text)) is not None:
            here = (match.group(1), int(match.group(2)), int(match.group(3)))
            if index is not None and here != index:
                problems.error(line.number, "an ANNOTATION has mistakes of two sentences")
            index, span, text = here, (int(match.group(4)), int(match.group(5))), []
        elif line.text.strip() == "</ANNOTATION>":
            if index is not None:
                yield _PlacedEdits(*index, tuple(edits))
            index, edits = None, []
        elif line.text.strip() not in {"", "<ANNOTATION>"}:
            problems.error(line.number, f"expected <ANNOTATION> or <MISTAKE nid pid sid start_token end_token>, found {line.text[:60]!r}")
    if text is not None or index is not None:
        problems.error(None, "the file ends inside an <ANNOTATION>")


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """Yield the elements of a mistake with their texts; one that is not closed is left out."""
    position = 0
    unclosed: set[str] = set()  # they need not be searched again
    for opening in _FIELD.finditer(text):
        name = opening.group(1)
        if opening.start() < position or name in unclosed:
            continue
        end = text.find(f"</{name}>", opening.end())
        if end < 0:
            unclosed.add(name)
        else:
            yield name, text[opening.end() : end]
            position = end
