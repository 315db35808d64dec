"""Documents of the HOO tasks: gold edits, and the output of a system as edits or as text.

Gold (``1001GE.xml``), system (``1001AA1.xml`` or ``1001AA1.txt``) and source (``1001.txt``) are matched by the number at the start of
their names.  Texts of 2011 are plain, and offsets count bytes; texts of 2012 are XML,
``<HOO><BODY><PART id="1"><P>...</P></PART></BODY></HOO>``, and offsets count the characters of a part, whose paragraphs are
concatenated.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import FormatError, InputError, MismatchError, pluralise
from errata.formats.folders import is_folder, is_special, list_files
from errata.formats.lines import decode_text, display_path, open_bytes
from errata.formats.problems import Problem, Problems, WarnOnce, warn_in_python
from errata.hoo.edits import HooEdit, read_edits
from errata.hoo.extraction import extract
from errata.hoo.source_texts import read_bytes, read_paragraphs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from errata.hoo.extraction import Offsets

_NUMBER = re.compile(r"[^0-9]*[0-9]+")
_MOST_BYTES = 4
"""Bytes of one character of UTF-8."""
_MOST_SPACE = 1_000
"""Bytes of white space around the original of an edit."""


class HooDocument(NamedTuple):
    """The gold edits of a text and those of a system."""

    name: str
    gold: list[HooEdit]
    system: list[HooEdit]


def read_documents(
    gold: Iterable[str],
    system: Iterable[str],
    source: Iterable[str] = (),
    offsets: Offsets = "wdiff",
    warn: Callable[[Problem], None] = warn_in_python,
) -> list[HooDocument]:
    """Read the edits of gold and system; ``source`` has the texts with which the texts of a system are compared.

    Each of the three is a list of files or folders.
    """
    golds, systems, sources = (match_by_number(paths, what) for paths, what in ((gold, "gold"), (system, "system"), (source, "source")))
    if missing := sorted(set(golds) - set(systems)):
        raise MismatchError(f"the system has no file for {display_path(golds[missing[0]])}")
    if extra := sorted(set(systems) - set(golds)):
        raise MismatchError(f"gold has no file for {display_path(systems[extra[0]])}")
    result = []
    for number, path in golds.items():
        edits = list(read_edits(path, WarnOnce(display_path(path), warn)))
        own = systems[number]
        if number in sources and not sources[number].endswith(".xml"):
            _check_positions(path, edits, read_bytes(sources[number]), warn)
        if has_edits(own):
            own_edits = list(read_edits(own, WarnOnce(display_path(own), warn)))
        elif number in sources:
            own_edits = _compare_texts(sources[number], own, offsets, warn)
        else:
            raise MismatchError(f"{display_path(own)} is a text, and its source is missing (--source)")
        # Files are matched by their names; the file names inside need not agree.
        result.append(
            HooDocument(Path(own).stem, [replace(edit, file="") for edit in edits], [replace(edit, file="") for edit in own_edits])
        )
    return result


def has_edits(path: str) -> bool:
    """Tell whether a file contains edits, not a text."""
    with open_bytes(path) as file:
        return b"<edits" in file.read(4096)


def _check_positions(path: str, edits: list[HooEdit], text: bytes, warn: Callable[[Problem], None]) -> None:
    """Refuse edits outside the text; warn about edits whose original differs from the text, as in real gold."""
    wrong = []
    for edit in edits:
        if edit.end > len(text):
            message = f"an edit of {edit.start} to {edit.end} lies outside a text of {pluralise(len(text), 'byte')}"
            raise FormatError(display_path(path), edit.line, message)
        if not _has_original(text, edit):
            wrong.append(edit)
    if wrong:
        message = _describe_wrong(wrong)
        warn(Problem(display_path(path), wrong[0].line, "warning", message))


def _has_original(text: bytes, edit: HooEdit) -> bool:
    """Tell whether the text has the original of an edit, but for white space around it; long spans are not searched for it."""
    if edit.end - edit.start > _MOST_BYTES * len(edit.original) + _MOST_SPACE:
        return False
    return text[edit.start : edit.end].decode("utf-8", "replace").strip() == edit.original.strip()


def _describe_wrong(wrong: list[HooEdit]) -> str:
    count = f" ({len(wrong):,} edits do)" if len(wrong) > 1 else ""
    return f"the original of this edit differs from the text{count}: {wrong[0].original[:40]!r}"


def match_by_number(paths: Iterable[str], what: str) -> dict[str, str]:
    """List files, and those of folders, by the number at the start of their names; ``what`` they are is said of two with one number."""
    texts: dict[str, str] = {}
    for path in paths:
        if is_special(path):
            raise InputError(f"{display_path(path)}: expected a file or a folder, found a pipe or a device, which cannot be read twice")
        inside = list_files(path) if is_folder(path) else [_check_readable(path)]
        if not inside:
            raise InputError(f"{display_path(path)}: the folder is empty")
        for file in inside:
            match = _NUMBER.match(Path(file).name)
            number = match.group() if match else Path(file).stem
            if number in texts:
                raise InputError(f"two {what} files have the number {number}: {display_path(texts[number])} and {display_path(file)}")
            texts[number] = file
    return texts


def _check_readable(path: str) -> str:
    with open_bytes(path):
        return path


def _compare_texts(source: str, target: str, offsets: Offsets, warn: Callable[[Problem], None]) -> list[HooEdit]:
    """Extract the edits between two texts, or between their parts."""
    if source.endswith(".xml"):
        old, new = (read_parts(path, WarnOnce(display_path(path), warn)) for path in (source, target))
        if list(old) != list(new):
            raise MismatchError(f"{display_path(target)} has the parts {', '.join(new)}, but {display_path(source)} has {', '.join(old)}")
        return [replace(edit, part=part) for part in old for edit in extract(old[part], new[part], offsets)]
    old_text, new_text = (read_bytes(path) for path in (source, target))
    for path, content in ((source, old_text), (target, new_text)):
        _warn_of_bytes(path, content, warn)
    # In Latin-1 every byte is a character, so offsets count bytes.
    return [_decode_part(edit) for edit in extract(old_text.decode("latin-1"), new_text.decode("latin-1"), offsets)]


def _warn_of_bytes(path: str, content: bytes, warn: Callable[[Problem], None]) -> None:
    """Warn about what is not text; it is compared all the same, as the original tools do."""
    try:
        decode_text(content, display_path(path))
    except FormatError as error:
        warn(Problem(error.path, error.line, "warning", f"{error.message} (compared byte by byte)"))


def _decode_part(edit: HooEdit) -> HooEdit:
    def text(part: str) -> str:
        return part.encode("latin-1").decode("utf-8", "replace")

    return replace(edit, original=text(edit.original), corrections=tuple(None if part is None else text(part) for part in edit.corrections))


def read_parts(path: str, problems: Problems | None = None) -> dict[str, str]:
    """Read the parts of a document of 2012."""
    return {name: "".join(paragraphs) for name, paragraphs in read_paragraphs(path, problems).items()}
