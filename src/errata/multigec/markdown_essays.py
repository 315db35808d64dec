"""Files of essays: a heading such as ``### essay_id = 7`` before each, and its text over any number of lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.texts import DEFAULT_MAX_TOKENS
from errata.errors import FormatError
from errata.formats.lines import read_lines

if TYPE_CHECKING:
    from errata.formats.lines import Line
    from errata.formats.problems import Problems

_HEADING = re.compile(r"### essay_id = (\S.*?)\s*")
_LIKE_HEADING = re.compile(r"\s*#+\s*essay_id\b", re.IGNORECASE)
_EXPECTED = "expected a heading such as '### essay_id = 1'"


class MarkdownEssay(NamedTuple):
    """An essay: its id, the line of its heading, and its lines that are not blank."""

    id: str
    line: int
    lines: list[Line]


def read_markdown(path: str, problems: Problems, max_tokens: int = DEFAULT_MAX_TOKENS) -> dict[str, MarkdownEssay]:
    """Read the essays of a file by their ids, in the order of the file."""
    essays: dict[str, MarkdownEssay] = {}
    essay: MarkdownEssay | None = None
    for line in read_lines(path, problems, max_tokens):
        heading = _HEADING.fullmatch(line.text)
        if heading is not None:
            essay = MarkdownEssay(heading[1], line.number, [])
            if essay.id in essays:
                first = essays[essay.id].line
                raise FormatError(problems.path, line.number, f"essay {essay.id[:40]!r} occurs twice, first in line {first:,}")
            essays[essay.id] = essay
        elif _LIKE_HEADING.match(line.text) or (essay is None and line.text.strip()):
            raise FormatError(problems.path, line.number, f"{_EXPECTED}, found {line.text.strip()[:40]!r}")
        elif essay is not None and line.text.strip():
            essay.lines.append(line)
    if not essays:
        raise FormatError(problems.path, None, f"{_EXPECTED}, found none")
    return essays
