"""Files of parsed sentences, so that each is parsed once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from operator import eq
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from errata.core import ParseReader
from errata.corpus.parses import HASH_DIGITS, Parse, quote
from errata.errors import FormatError, RequestError, pluralise
from errata.formats.lines import BOM, decode_text, display_path, get_limits, open_bytes
from errata.formats.writing import write_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from os import PathLike

    from errata.corpus.texts import Tokens


_TEXT = "# text = "
"""Before the tokens of a sentence, separated by spaces."""
_EMPTY = "# empty"
"""A sentence without tokens, in files with six columns; CoNLL-U has none."""
SIX_COLUMNS = "form, lemma, part of speech, tag, head and dependency"
_SIX_COLUMNS = 6
_TEN_COLUMNS = 10
_FORM, _LEMMA, _POS, _TAG, _HEAD, _DEP = 1, 2, 3, 4, 6, 7
"""Columns of CoNLL-U."""
_ROOT = -1
_BREAKS = frozenset("\t\n\r\0")

EMPTY_PARSE = Parse((), (), (), (), (), ())


class SentenceLines(NamedTuple):
    """The lines of a sentence, and the number of the first in its file."""

    line: int
    text: str

    @staticmethod
    def format(parse: Parse) -> str:
        """Make the lines of a sentence, as CoNLL-U.

        >>> print(SentenceLines.format(Parse(("He", "sings"), ("he", "sing"), ("PRON", "VERB"), ("PRP", "VBZ"), (1, 1), ("nsubj", "ROOT"))))
        # text = He sings
        1	He	he	PRON	PRP	_	2	nsubj	_	_
        2	sings	sing	VERB	VBZ	_	0	ROOT	_	_
        """
        if not _are_words(parse.forms):
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
        return "\n".join((f"{_TEXT}{' '.join(parse.forms)}", *lines))

    def parse_own(self, path: str, tokens: Tokens = ()) -> Parse:
        """Parse the lines that :meth:`format` made, which the core reads; if ``tokens`` are the forms, they are used."""
        columns = _make_reader().read(self.text)
        if columns is None:
            return _parse_conllu(self, path)
        return Parse(tokens if columns[0] == tokens else columns[0], *columns[1:])


def _are_words(tokens: Tokens) -> bool:
    """Tell whether tokens can be separated by spaces: none is empty or has white space."""
    text = " ".join(tokens)
    return tuple(text.split()) == tokens and "\0" not in text


def _parse_six(block: SentenceLines, path: str, _: Tokens = ()) -> Parse:
    """Parse lines with six columns; heads are counted from 0, and a root is its own head."""
    if block.text == _EMPTY:
        return EMPTY_PARSE
    lines = block.text.split("\n")
    cells = _split_cells(lines, _SIX_COLUMNS, f"columns separated by tabs ({SIX_COLUMNS})", block.line, path)
    forms, lemmas, pos, tags, heads, deps = (cells[column::_SIX_COLUMNS] for column in range(_SIX_COLUMNS))
    return _make((forms, lemmas, pos, tags, deps), list(map(_NUMBERS.__getitem__, heads)), block.line, path)


def _parse_conllu(block: SentenceLines, path: str, _: Tokens = ()) -> Parse:
    """Parse the lines of a sentence of CoNLL-U; heads are counted from 1, and that of a root is 0."""
    lines = block.text.split("\n")
    comments = next((index for index, line in enumerate(lines) if not line.startswith("#")), len(lines))
    if comments == len(lines):
        return EMPTY_PARSE
    first, size = block.line + comments, len(lines) - comments
    cells = _split_cells(lines[comments:], _TEN_COLUMNS, "columns of CoNLL-U separated by tabs", first, path)
    ids = cells[::_TEN_COLUMNS]
    if list(map(_NUMBERS.__getitem__, ids)) != list(range(1, size + 1)):
        index = next(index for index, text in enumerate(ids) if text != str(index + 1))
        why = "; the rules of ERRANT need whole tokens, no ranges and no empty nodes" if {*"-."} & {*ids[index]} else ""
        raise FormatError(path, first + index, f"expected the token {index + 1}, found {ids[index][:40]!r}{why}")
    heads = list(map(_HEADS.__getitem__, cells[_HEAD::_TEN_COLUMNS]))
    if any(map(eq, heads, range(size))):
        index = next(index for index, head in enumerate(heads) if head == index)
        raise FormatError(path, first + index, f"the head of token {index + 1} is the token itself; expected 0 for a root")
    return _make([cells[column::_TEN_COLUMNS] for column in (_FORM, _LEMMA, _POS, _TAG, _DEP)], _with_roots(heads), first, path)


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
    if not _are_words(forms):
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


# Errata writes CoNLL-U.  Its first lines name the analyser and have a hash of all other lines, so that parses which were changed are
# noticed;
# ``# text = `` has the tokens of a sentence, separated by spaces, so that a sentence is found without reading the others::
#
#     # analyser = spacy 3.8.18 en_core_web_sm 3.8.0
#     # sha256 = 1f0e...
#     # text = He sings
#     1   He      he      PRON    PRP     _       2       nsubj   _       _
#     2   sings   sing    VERB    VBZ     _       0       ROOT    _       _
#
# Other CoNLL-U is read too, and blocks of lines with six columns: form, lemma, part of speech, tag, head (from 0; a root is its own
# head) and dependency.  Files that do not name their analyser are named by a hash of their content.

_ANALYSER, _HASH = "# analyser = ", "# sha256 = "
_SIX_COLUMN_HEADER, _TEN_COLUMN_HEADER = 6, 10
_AFTER_FORM = re.compile(r"\t[^\n]*")
_HEAD_LINES = 2


_Named = tuple[str, SentenceLines]
"""The tokens of a sentence, separated by spaces, and its lines."""
_ParseBlock = Callable[[SentenceLines, str, "Tokens"], "Parse"]


class ParseFile:
    """Parsed sentences of a file by their tokens; each is parsed when it is asked for."""

    def __init__(self, path: str, named: Iterable[_Named], parse: _ParseBlock, digest: str, analyser: str | None) -> None:
        self.path = path
        self.analyser = analyser
        """The name of the analyser, if the file has it."""
        self.digest = digest
        """A hash of the content."""
        self._parse = parse
        self.blocks: dict[str, SentenceLines] = {}
        """The lines of each sentence, by its tokens separated by spaces."""
        for name, block in named:
            known = self.blocks.setdefault(name, block)
            if known is not block and known.text != block.text and parse(known, path, ()) != (other := parse(block, path, ())):
                raise FormatError(path, block.line, f"another parse of {quote(other.forms)} than in line {known.line:,}")

    def __len__(self) -> int:
        return len(self.blocks)

    def __iter__(self) -> Iterator[Parse]:
        return (self._parse(block, self.path, ()) for block in self.blocks.values())

    def find(self, tokens: Tokens, text: str | None = None) -> Parse | None:
        """Find the parse of a sentence; None if there is none.  ``text`` has the tokens separated by spaces, if that is known."""
        block = self.blocks.get(" ".join(tokens) if text is None else text)
        parse = self._parse(block, self.path, tokens) if block is not None else None
        return parse if parse is not None and parse.forms == tokens else None  # a token with a space is in no file


def read_parses(path: str | PathLike[str]) -> ParseFile:
    """Read a file of parses: CoNLL-U, or lines with six columns and a blank line after each sentence.

    Files compressed with gzip or zstd are decompressed.  A sentence may occur again with the same parse, but not with another.
    """
    shown = display_path(str(path))
    with open_bytes(str(path)) as file:
        content = file.read()
    if content.count(b"\n") > get_limits().max_lines:
        raise get_limits().too_many_lines(shown)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    if (own := content.removeprefix(BOM)).startswith(_ANALYSER.encode()):
        return _read_own(own, shown)
    text = decode_text(content, shown)
    blocks = list(_split(text, 1))
    if not blocks:
        raise FormatError(shown, None, "the file is empty; expected parses")
    parse = _parse_conllu if _is_conllu(blocks[0], shown) else _parse_six
    return ParseFile(shown, ((_name(block, parse, shown), block) for block in blocks), parse, _hash(content), None)


def _read_own(content: bytes, path: str) -> ParseFile:
    """Read a file that errata wrote: its hash says that nothing was changed, so sentences are found by their texts."""
    first, _, rest = content.partition(b"\n")
    second, _, body = rest.partition(b"\n")
    *parts, _ = _decode_parts(body, content, path)
    analyser, written = decode_text(first, path).removeprefix(_ANALYSER), decode_text(second, path, 2)
    if not written.startswith(_HASH):
        raise FormatError(path, 2, f"expected {_HASH}and a hash of all other lines, found {written[:40]!r}")
    if (written := written.removeprefix(_HASH).strip()) != (found := _hash(first + b"\n", body)):
        raise FormatError(
            path,
            2,
            f"the parses are not those that {analyser} made: expected the hash {written[:HASH_DIGITS]}, found {found[:HASH_DIGITS]}; "
            "delete the file, or its first two lines to use it as it is",
        )
    starts = accumulate((part.count("\n") + 2 for part in parts), initial=_HEAD_LINES + 1)
    named = ((part[len(_TEXT) : part.find("\n")], SentenceLines(line, part)) for line, part in zip(starts, parts, strict=False))
    return ParseFile(path, named, SentenceLines.parse_own, found, analyser)


def _decode_parts(body: bytes, content: bytes, path: str) -> list[str]:
    """Decode the parts between blank lines one by one, as most need one byte for a character; raise if the file is not text."""
    if b"\0" in content:
        decode_text(content, path)
    try:
        return [part.decode() for part in body.split(b"\n\n")]
    except UnicodeDecodeError:
        decode_text(content, path)  # it says in which line
        raise


def _split(text: str, first: int) -> Iterator[SentenceLines]:
    """Split a text at blank lines; ``first`` is the number of its first line."""
    line = first
    for part in text.split("\n\n"):
        inside = part.lstrip("\n")
        if inside.rstrip("\n"):
            yield SentenceLines(line + len(part) - len(inside), inside.rstrip("\n"))
        line += part.count("\n") + 2


def _is_conllu(block: SentenceLines, path: str) -> bool:
    """Tell CoNLL-U from lines with six columns, by the first line that is not a comment."""
    lines = block.text.split("\n")
    index, line = next(((index, line) for index, line in enumerate(lines) if line == _EMPTY or not line.startswith("# ")), (0, ""))
    columns = line.count("\t") + 1
    if line not in {_EMPTY, ""} and columns not in {_SIX_COLUMN_HEADER, _TEN_COLUMN_HEADER}:
        expected = f"10 columns of CoNLL-U or 6 columns ({SIX_COLUMNS}), separated by tabs"
        raise FormatError(path, block.line + index, f"expected {expected}, found {columns}")
    return line != _EMPTY and columns != _SIX_COLUMN_HEADER


def _name(block: SentenceLines, parse: _ParseBlock, path: str) -> str:
    """Get the tokens of a sentence, separated by spaces."""
    if parse is _parse_six and block.text.count("\t") == (_SIX_COLUMN_HEADER - 1) * (block.text.count("\n") + 1):
        return _AFTER_FORM.sub("", block.text).replace("\n", " ")  # most lines are not parsed before they are needed
    return " ".join(parse(block, path, ()).forms)


def write_parses(path: str | PathLike[str], analyser: str, parses: Iterable[Parse]) -> None:
    """Write the parses of an analyser, in full or not at all: each sentence once, and none without tokens."""
    blocks: dict[Tokens, str] = {}
    for parse in parses:
        block = SentenceLines.format(parse)
        if blocks.setdefault(parse.forms, block) != block:
            raise RequestError(f"a sentence must have one parse, found two of {quote(parse.forms)}")
    blocks.pop((), None)
    write_blocks(path, analyser, blocks.values())


def write_blocks(path: str | PathLike[str], analyser: str, blocks: Iterable[str]) -> None:
    """Write sentences, as :meth:`SentenceLines.format` makes them."""
    if not analyser.isprintable() or not analyser.strip():
        raise RequestError(f"the name of an analyser must be one line of text, found {analyser!r:.60}")
    lines = [line for block in blocks for line in (*block.split("\n"), "")]
    try:
        digest = _hash(f"{_ANALYSER}{analyser}\n".encode(), "".join(f"{line}\n" for line in lines).encode())
    except UnicodeEncodeError as error:
        bad = error.object[error.start : error.end]
        raise RequestError(f"{display_path(str(path))}: cannot write a text that is not valid Unicode: {bad!r}") from None
    write_files({str(path): [f"{_ANALYSER}{analyser}", f"{_HASH}{digest}", *lines]})


def _hash(*contents: bytes) -> str:
    digest = hashlib.sha256()
    for content in contents:
        digest.update(content)
    return digest.hexdigest()
