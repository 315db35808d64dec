"""HOO edits and their XML.

::

    <edits>
      <edit index="1001-0004" type="UD" start="944" end="946">
        <corrections><correction><empty/></correction></corrections>
        <original>a </original>
      </edit>
    </edits>

Offsets are half-open: bytes of the UTF-8 text in 2011, characters of a part of the text in 2012, where edits also name a file and
a part.  Several corrections are alternatives.  An edit with an empty ``<correction/>`` is optional; an edit without corrections only
marks an error, and accepts any correction.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from errata.formats.xml_elements import ElementLimits, escape_text, quote_attribute, read_elements
from errata.formats.xml_schema import ElementRule, check_elements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from errata.formats.problems import Problems
    from errata.formats.xml_elements import Element

_MOST_DIGITS = 9
_MOST_TEXT = 1 << 20
_RULES = {
    "edit": ElementRule(frozenset({"original", "corrections"}), frozenset({"start", "end", "type", "index", "file", "part", "cset"})),
    "corrections": ElementRule(frozenset({"correction"})),
    "correction": ElementRule(frozenset({"empty"}), text=True),
    "original": ElementRule(frozenset({"empty"}), text=True),
    "empty": ElementRule(),
}
"""The elements of an edit."""


@dataclass(frozen=True, slots=True)
class HooEdit:
    """A span of characters and its possible corrections."""

    start: int
    end: int
    original: str
    corrections: tuple[str | None, ...]
    """Alternatives; an empty text deletes, None leaves the text uncorrected.  Without alternatives, any correction is accepted."""
    type: str = ""
    index: str = ""
    file: str = ""
    part: str = ""
    set: str = ""
    """Links related edits; scores do not use it."""
    line: int = field(default=0, compare=False)

    @property
    def optional(self) -> bool:
        """Whether the text may be left uncorrected."""
        return None in self.corrections

    @property
    def inserts(self) -> bool:
        """Whether it is an insertion."""
        return self.start == self.end

    @property
    def deletes(self) -> bool:
        """Whether it is a deletion."""
        return self.start < self.end and self.corrections[:1] == ("",)


def read_edits(path: str, problems: Problems) -> Iterator[HooEdit]:
    """Yield the edits of an XML file."""
    for element in read_elements(path, problems, "edit", ("edits",), ElementLimits(_MOST_TEXT)):
        if check_elements(element, _RULES, problems) and (edit := _edit(element, problems)) is not None:
            yield edit


def _edit(element: Element, problems: Problems) -> HooEdit | None:
    offsets = []
    for name in ("start", "end"):
        text = element.attributes.get(name, "")
        if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
            problems.bad_offsets(element.line, f"column {element.column}: {name} of an edit must be a whole number, found {text[:40]!r}")
            return None
        offsets.append(int(text))
    if offsets[0] > offsets[1]:
        problems.bad_offsets(element.line, f"column {element.column}: an edit ends before it starts: {offsets[0]} to {offsets[1]}")
        return None
    originals, lists = element.named("original"), element.named("corrections")
    if len(originals) != 1 or len(lists) > 1:
        problems.error(element.line, f"column {element.column}: an edit must have one <original> and at most one <corrections>")
        return None
    corrections = lists[0].children if lists else []
    if both := next((item for item in (*originals, *corrections) if item.children and item.text.strip()), None):
        problems.error(
            both.line, f"column {both.column}: <{both.name}> must have a text or <empty/>, found both: {both.text.strip()[:40]!r}"
        )
        return None
    names = {key: element.attributes.get(key, "") for key in ("type", "index", "file", "part", "cset")}
    return HooEdit(
        offsets[0],
        offsets[1],
        "" if originals[0].children else originals[0].text,
        tuple("" if correction.children else correction.text or None for correction in corrections),
        names["type"],
        names["index"],
        names["file"],
        names["part"],
        names["cset"],
        element.line,
    )


def format_edits(edits: Iterable[HooEdit]) -> Iterator[str]:
    """Yield the lines of an XML file, without line ends."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield "<edits>"
    for edit in edits:
        named = {"index": edit.index, "type": edit.type, "file": edit.file, "part": edit.part, "cset": edit.set}
        written = "".join(f" {name}={quote_attribute(value)}" for name, value in named.items() if value)
        yield f'  <edit{written} start="{edit.start}" end="{edit.end}">'
        yield f"    <original>{_text(edit.original)}</original>"
        yield "    <corrections>"
        for correction in edit.corrections:
            yield "      <correction/>" if correction is None else f"      <correction>{_text(correction)}</correction>"
        yield "    </corrections>"
        yield "  </edit>"
    yield "</edits>"


def _text(text: str) -> str:
    return escape_text(text) if text else "<empty/>"
