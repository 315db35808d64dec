"""Texts of the HOO tasks, with the offsets that their edits count.

A text of 2011 is plain, every line is a paragraph, and offsets count bytes of UTF-8.  A text of 2012 is XML, it has parts with
paragraphs, and offsets count the characters of a part, whose paragraphs are concatenated.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import InputError, pluralise
from errata.formats.lines import decode_text, display_path, open_bytes
from errata.formats.problems import Problems
from errata.formats.xml_elements import ElementLimits, read_elements
from errata.formats.xml_schema import ElementRule, check_elements

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_TEXT = 1 << 26
_RULES = {"PART": ElementRule(frozenset({"P"}), frozenset({"id"})), "P": ElementRule(text=True)}
"""The elements of a part."""
_FIRST_TWO_BITS, _CONTINUATION = 0b1100_0000, 0b1000_0000
"""Bits of a byte of UTF-8, and what they are in all bytes of a character but the first."""
_BOM = b"\xef\xbb\xbf"


class Paragraph(NamedTuple):
    """A paragraph, with the offset of its first character in the text."""

    start: int
    text: str


@dataclass(frozen=True)
class SourceText:
    """A text, or a part of one: its characters, and which of them an offset means."""

    path: str
    text: str
    paragraphs: tuple[Paragraph, ...]
    """Those that are not empty."""
    content: bytes | None = None
    """The bytes that offsets count; without them, offsets count characters."""

    @property
    def size(self) -> str:
        """The number of bytes or characters, in words."""
        return pluralise(len(self.text), "character") if self.content is None else pluralise(len(self.content), "byte")

    def characters(self, offsets: Iterable[int]) -> dict[int, int]:
        """Find the characters that start at offsets; those outside the text and inside a character are left out."""
        if self.content is None or self.text.isascii():
            return {offset: offset for offset in offsets if offset <= len(self.text)}
        found: dict[int, int] = {}
        start = number = 0
        for offset in sorted(set(offsets)):
            if offset <= len(self.content) and not _is_inside_character(self.content, offset):
                number += len(self.content[start:offset].decode())
                found[offset], start = number, offset
        return found


def _is_inside_character(content: bytes, offset: int) -> bool:
    return offset < len(content) and content[offset] & _FIRST_TWO_BITS == _CONTINUATION


def read_source(path: str, problems: Problems | None = None) -> dict[str, SourceText]:
    """Read the parts of a text by their names; a text of 2011 is one part without a name."""
    shown = display_path(path)
    if path.endswith(".xml"):
        return {name: _join(shown, paragraphs) for name, paragraphs in read_paragraphs(path, problems).items()}
    content = read_bytes(path)
    text = decode_text(content, shown)
    if content.startswith(_BOM):  # offsets count its bytes
        content = b" " * len(_BOM) + content[len(_BOM) :]
        text = content.decode()
    return {"": SourceText(shown, text, _lines(text), content)}


def _lines(text: str) -> tuple[Paragraph, ...]:
    lines = text.split("\n")
    starts = accumulate((len(line) + 1 for line in lines), initial=0)
    return tuple(Paragraph(start, line) for start, line in zip(starts, lines, strict=False) if line.strip())


def _join(path: str, paragraphs: tuple[str, ...]) -> SourceText:
    starts = accumulate(map(len, paragraphs), initial=0)
    placed = tuple(Paragraph(start, text) for start, text in zip(starts, paragraphs, strict=False) if text.strip())
    return SourceText(path, "".join(paragraphs), placed)


def read_paragraphs(path: str, problems: Problems | None = None) -> dict[str, tuple[str, ...]]:
    """Read the paragraphs of each part of a text of 2012."""
    parts: dict[str, tuple[str, ...]] = {}
    problems = problems or Problems(display_path(path))
    for element in read_elements(path, problems, "PART", ("HOO", "HEAD", "BODY"), ElementLimits(_MOST_TEXT)):
        name = element.attributes.get("id", str(len(parts) + 1))
        if name in parts:
            problems.error(element.line, f"column {element.column}: the part {name[:40]!r} occurs twice")
        check_elements(element, _RULES, problems)
        parts[name] = tuple(paragraph.text for paragraph in element.named("P"))
    if not parts:
        problems.error(None, "no <PART> found")
    return parts


def read_bytes(path: str) -> bytes:
    """Read a text of 2011."""
    with open_bytes(path) as file:
        content = file.read(_MOST_TEXT + 1)
    if len(content) > _MOST_TEXT:
        raise InputError(f"{display_path(path)}: more than {_MOST_TEXT:,} bytes")
    return content
