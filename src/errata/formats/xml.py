"""Read elements of untrusted XML files one at a time, with their locations, and check what they contain."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, NoReturn
from xml.parsers import expat

from errata.errors import FormatError, RequestError
from errata.formats.lines import get_limits, open_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from errata.formats.problems import Problems


# Files that declare entities are refused at the declaration, before any expansion, and so are references to undeclared entities.
# Nothing outside the file is ever opened.

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML does not allow."""
_CHUNK = 1 << 16
_DEEPEST_ELEMENT = 100
"""Elements around an element."""
_LONGEST_MARKUP = 1 << 22
"""Bytes of one tag or comment; the parser reads them again with every chunk."""
_MOST_PARTS = 200_000
"""Elements inside one wanted element."""


def _check_writable(text: str) -> str:
    """Return a text if XML can express it; else raise :class:`RequestError`."""
    if (match := _NOT_IN_XML.search(text)) is not None:
        raise RequestError(f"XML cannot express the character U+{ord(match.group()):04X}, in {text[:40]!r}")
    return text


def escape_text(text: str) -> str:
    """Escape a text between tags."""
    from xml.sax.saxutils import escape  # slow to import, because it loads a web client

    return escape(_check_writable(text))


def quote_attribute(text: str) -> str:
    """Quote the value of an attribute."""
    from xml.sax.saxutils import quoteattr

    return quoteattr(_check_writable(text))


@dataclass(slots=True)
class Element:
    """An element with its content."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    """The text directly inside the element."""
    around: dict[str, dict[str, str]] = field(default_factory=dict)
    """The attributes of the elements around a wanted element, by element name."""

    def walk(self) -> Iterator[Element]:
        """Yield the element and all elements inside it, in document order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += reversed(element.children)

    def named(self, name: str) -> list[Element]:
        """List the children with a name."""
        return [child for child in self.children if child.name == name]


class ElementLimits(NamedTuple):
    """What one wanted element may have at most."""

    text: int
    """Characters of text."""
    parts: int = 0
    """Elements inside it, if this is more than :data:`_MOST_PARTS`."""
    advice: str = ""
    """How to raise the limits."""


def read_elements(path: str, problems: Problems, wanted: str, inside: tuple[str, ...], most: ElementLimits) -> Iterator[Element]:
    """Yield every element ``wanted``; it may occur only inside elements named ``inside``.

    Malformed XML and misplaced elements raise :class:`FormatError` with line and column.
    """
    reader = _Reader(problems.path, wanted, inside, most)
    empty = True
    with open_bytes(path) as file:
        while chunk := file.read(_CHUNK):
            empty = False
            reader.feed(chunk, last=False)
            yield from reader.take()
        if empty:
            problems.error(None, "the file is empty")
            return
        reader.feed(b"", last=True)
        yield from reader.take()


class _Reader:
    def __init__(self, path: str, wanted: str, inside: tuple[str, ...], most: ElementLimits) -> None:
        self._path, self._wanted, self._inside, self._most = path, wanted, inside, most
        self._open: list[tuple[str, dict[str, str]]] = []
        """The elements around the wanted one."""
        self._stack: list[Element] = []
        """The wanted element and the open elements inside it."""
        self._texts: list[list[str]] = []
        self._done: list[Element] = []
        self._parts = self._length = self._fed = self._elements = 0
        self._most_elements = get_limits().max_lines
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        parser.AttlistDeclHandler = self._attribute_list
        parser.SkippedEntityHandler = self._skipped
        parser.ExternalEntityRefHandler = self._external

    def feed(self, chunk: bytes, *, last: bool) -> None:
        self._fed += len(chunk)
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            message = expat.errors.messages.get(error.code, "not XML")
            self._refuse(f"not well-formed XML: {message}", error.lineno, error.offset)
        except (LookupError, ValueError) as error:  # an unknown encoding
            self._refuse(f"cannot be decoded: {error}")
        if self._fed - self._parser.CurrentByteIndex > _LONGEST_MARKUP:
            self._refuse(f"more than {_LONGEST_MARKUP:,} bytes without an end of markup")

    def take(self) -> Iterator[Element]:
        elements, self._done = self._done, []
        yield from elements

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > self._most_elements:
            raise get_limits().too_many_lines(self._path, "elements")
        if self._stack or name == self._wanted:
            self._parts += 1
            if self._parts > (limit := max(_MOST_PARTS, self._most.parts)):
                self._refuse_more(limit, "elements")
            if len(self._stack) >= _DEEPEST_ELEMENT:
                self._refuse(f"elements nested deeper than {_DEEPEST_ELEMENT}")
            element = Element(name, attributes, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)
            if self._stack:
                self._stack[-1].children.append(element)
            else:
                element.around = dict(self._open)
            self._stack.append(element)
            self._texts.append([])
        elif name in self._inside:
            if len(self._open) >= _DEEPEST_ELEMENT:
                self._refuse(f"elements nested deeper than {_DEEPEST_ELEMENT}")
            self._open.append((name, attributes))
        else:
            self._refuse(f"expected <{'>, <'.join((*self._inside, self._wanted))}>, found <{name[:40]}>")

    def _end(self, name: str) -> None:
        del name
        if not self._stack:
            self._open.pop()
            return
        element = self._stack.pop()
        element.text = "".join(self._texts.pop())
        if not self._stack:
            self._done.append(element)
            self._parts = self._length = 0

    def _characters(self, text: str) -> None:
        if self._stack:
            self._length += len(text)
            if self._length > self._most.text:
                self._refuse_more(self._most.text, "characters")
            self._texts[-1].append(text)
        elif text.strip():
            self._refuse(f"expected <{self._wanted}>, found text: {text.strip()[:40]!r}")

    def _entity(self, name: str, *_: object) -> None:
        self._refuse(f"declares the entity {name[:40]!r}; files with entities are refused, because they can fill all memory")

    def _attribute_list(self, element: str, *_: object) -> None:
        self._refuse(f"declares attributes of <{element[:40]}>; files with such declarations are refused, because they can fill all memory")

    def _skipped(self, name: str, is_parameter: bool) -> None:  # noqa: FBT001 - as the parser calls it
        del is_parameter
        self._refuse(f"refers to the entity {name[:40]!r}, which the file does not declare")

    def _external(self, *_: object) -> int:
        self._refuse("refers to something outside the file; external entities are never opened")

    def _refuse_more(self, limit: int, what: str) -> NoReturn:
        self._refuse(f"more than {limit:,} {what} in one {self._wanted}{'; ' if self._most.advice else ''}{self._most.advice}")

    def _refuse(self, message: str, line: int | None = None, offset: int | None = None) -> NoReturn:
        line = self._parser.CurrentLineNumber if line is None else line
        offset = self._parser.CurrentColumnNumber if offset is None else offset
        raise FormatError(self._path, line, f"column {offset + 1}: {message}")


# Which elements, attributes and texts an element of XML may contain; what is misspelt must not be skipped in silence.

_MOST_SHOWN = 40


class ElementRule(NamedTuple):
    """What an element may contain."""

    children: frozenset[str] = frozenset()
    attributes: frozenset[str] | None = frozenset()
    """None: any."""
    text: bool = False


def check_elements(element: Element, rules: Mapping[str, ElementRule], problems: Problems) -> bool:
    """Check an element and all elements inside it: an unknown element or text is an error, an unknown attribute is skipped.

    Return whether there is no error.
    """
    fine = True
    for item in element.walk():
        rule = rules.get(item.name)
        if rule is None:
            continue  # it has been reported with the element around it
        where = f"column {item.column}: "
        for name in sorted(item.attributes.keys() - rule.attributes) if rule.attributes is not None else ():
            problems.skipped(item.line, f"{where}the unknown attribute {name[:_MOST_SHOWN]!r} of <{item.name}>")
        for child in item.children:
            if child.name not in rule.children:
                fine = False
                expected = " or ".join(f"<{name}>" for name in sorted(rule.children)) or ("text only" if rule.text else "nothing")
                found = f"expected {expected} inside <{item.name}>, found <{child.name[:_MOST_SHOWN]}>"
                problems.error(child.line, f"column {child.column}: {found}")
        if not rule.text and item.text.strip():
            fine = False
            problems.error(item.line, f"{where}<{item.name}> contains text outside its elements: {item.text.strip()[:_MOST_SHOWN]!r}")
    return fine
