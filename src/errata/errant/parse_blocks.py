"""The lines of one sentence in a file of parses: CoNLL-U, or six columns."""

from __future__ import annotations

import re
from functools import cache
from operator import eq
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from errata.core import ParseReader
from errata.corpus.parses import Parse, quote
from errata.errors import FormatError, RequestError, pluralise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.texts import Tokens

TEXT = "# text = "
"""Before the tokens of a sentence, separated by spaces."""
EMPTY = "# empty"
"""A sentence without tokens, in files with six columns; CoNLL-U has none."""
SIX_COLUMNS = "form, lemma, part of speech, tag, head and dependency"
_SIX = 6
_TEN = 10
_FORM, _LEMMA, _POS, _TAG, _HEAD, _DEP = 1, 2, 3, 4, 6, 7
"""Columns of CoNLL-U."""
_ROOT = -1
_BREAKS = frozenset("\t\n\r\0")

EMPTY_PARSE = Parse((), (), (), (), (), ())


class SentenceLines(NamedTuple):
    """The lines of a sentence, and the number of the first in its file."""

    line: int
    text: str


def make_block(parse: Parse) -> str:
    """Make the lines of a sentence, as CoNLL-U.

    >>> print(make_block(Parse(("He", "sings"), ("he", "sing"), ("PRON", "VERB"), ("PRP", "VBZ"), (1, 1), ("nsubj", "ROOT"))))
    # text = He sings
    1	He	he	PRON	PRP	_	2	nsubj	_	_
    2	sings	sing	VERB	VBZ	_	0	ROOT	_	_
    """
    if not are_words(parse.forms):
        raise RequestError(f"a file of parses cannot have tokens that are empty or have white space: {parse.forms!r:.100}")
    for column in (parse.lemmas, parse.pos, parse.tags, parse.deps):
        for value in column:
            if not value or not _BREAKS.isdisjoint(value):
                raise RequestError(f"a file of parses cannot have the value {value!r:.60}, of a token of {quote(parse.forms)}")
    heads = (0 if head == index else head + 1 for index, head in enumerate(parse.heads))
    rows = zip(parse.forms, parse.lemmas, parse.pos, parse.tags, heads, parse.deps, strict=True)
    lines = [
        f"{number}\t{form}\t{lemma}\t{pos}\t{tag}\t_\t{head}\t{dep}\t_\t_"
        for number, (form, lemma, pos, tag, head, dep) in enumerate(rows, start=1)
    ]
    return "\n".join((f"{TEXT}{' '.join(parse.forms)}", *lines))


def are_words(tokens: Tokens) -> bool:
    """Tell whether tokens can be separated by spaces: none is empty or has white space."""
    text = " ".join(tokens)
    return tuple(text.split()) == tokens and "\0" not in text


def parse_six(block: SentenceLines, path: str, _: Tokens = ()) -> Parse:
    """Parse lines with six columns; heads are counted from 0, and a root is its own head."""
    if block.text == EMPTY:
        return EMPTY_PARSE
    lines = block.text.split("\n")
    cells = _split_cells(lines, _SIX, f"columns separated by tabs ({SIX_COLUMNS})", block.line, path)
    forms, lemmas, pos, tags, heads, deps = (cells[column::_SIX] for column in range(_SIX))
    return _make((forms, lemmas, pos, tags, deps), list(map(_NUMBERS.__getitem__, heads)), block.line, path)


def parse_conllu(block: SentenceLines, path: str, _: Tokens = ()) -> Parse:
    """Parse the lines of a sentence of CoNLL-U; heads are counted from 1, and that of a root is 0."""
    lines = block.text.split("\n")
    comments = next((index for index, line in enumerate(lines) if not line.startswith("#")), len(lines))
    if comments == len(lines):
        return EMPTY_PARSE
    first, size = block.line + comments, len(lines) - comments
    cells = _split_cells(lines[comments:], _TEN, "columns of CoNLL-U separated by tabs", first, path)
    ids = cells[::_TEN]
    if list(map(_NUMBERS.__getitem__, ids)) != list(range(1, size + 1)):
        index = next(index for index, text in enumerate(ids) if text != str(index + 1))
        why = "; the rules of ERRANT need whole tokens, no ranges and no empty nodes" if {*"-."} & {*ids[index]} else ""
        raise FormatError(path, first + index, f"expected the token {index + 1}, found {ids[index][:40]!r}{why}")
    heads = list(map(_HEADS.__getitem__, cells[_HEAD::_TEN]))
    if any(map(eq, heads, range(size))):
        index = next(index for index, head in enumerate(heads) if head == index)
        raise FormatError(path, first + index, f"the head of token {index + 1} is the token itself; expected 0 for a root")
    return _make([cells[column::_TEN] for column in (_FORM, _LEMMA, _POS, _TAG, _DEP)], _with_roots(heads), first, path)


def parse_own(block: SentenceLines, path: str, tokens: Tokens = ()) -> Parse:
    """Parse the lines that :func:`make_block` made, which the core reads; if ``tokens`` are the forms, they are used."""
    columns = _make_reader().read(block.text)
    if columns is None:
        return parse_conllu(block, path)
    return Parse(tokens if columns[0] == tokens else columns[0], *columns[1:])


@cache
def _make_reader() -> ParseReader:
    """Make the reader of all files, which remembers the texts of cells as ``intern`` does."""
    return ParseReader()


def _with_roots(heads: list[int]) -> list[int]:
    """Make each root its own head."""
    while _ROOT in heads:
        heads[heads.index(_ROOT)] = heads.index(_ROOT)
    return heads


def _split_cells(lines: list[str], columns: int, what: str, first: int, path: str) -> list[str]:
    """Split lines at tabs; ``first`` is the number of the first."""
    found = [line.count("\t") + 1 for line in lines]
    if set(found) != {columns}:
        index = next(index for index, count in enumerate(found) if count != columns)
        raise FormatError(path, first + index, f"expected {columns} {what}, found {found[index]}")
    return "\t".join(lines).split("\t")


def _make(columns: Sequence[list[str]], heads: list[int], first: int, path: str) -> Parse:
    """Make a parse; ``first`` is the line of its first token."""
    forms, lemmas, pos, tags, deps = (tuple(map(intern, column)) for column in columns)
    size = len(forms)
    if min(heads) < 0 or max(heads) >= size:
        index = next(index for index, head in enumerate(heads) if not 0 <= head < size)
        raise FormatError(path, first + index, f"the head of token {index + 1} must be one of the {pluralise(size, 'token')}")
    if not are_words(forms):
        index = next(index for index, form in enumerate(forms) if form.split() != [form])
        raise FormatError(path, first + index, f"a token must have text without white space, found {forms[index]!r:.60}")
    for name, column in (("lemma", lemmas), ("part of speech", pos), ("tag", tags), ("dependency", deps)):
        if not all(column):
            raise FormatError(path, first + column.index(""), f"expected a {name}, found nothing")
    return Parse(forms, lemmas, pos, tags, tuple(heads), deps)


class _Numbers(dict[str, int]):
    """Whole numbers by how they are written; what is none is ``_NO_NUMBER``."""

    def __missing__(self, text: str) -> int:
        return int(text) if _NUMBER.fullmatch(text) else _NO_NUMBER


_NUMBER = re.compile("0|[1-9][0-9]{0,8}")
_NO_NUMBER = -1_000
_NUMBERS = _Numbers((str(number), number) for number in range(1_000))


class _Heads(dict[str, int]):
    """Indices of heads by how CoNLL-U writes them."""

    def __missing__(self, text: str) -> int:
        return _NUMBERS[text] - 1


_HEADS = _Heads((text, number - 1) for text, number in _NUMBERS.items())
