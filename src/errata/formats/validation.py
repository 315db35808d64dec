"""Reading a file only to see what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from errata.errors import FormatError, InputError
from errata.formats.jsonl import read_jsonl
from errata.formats.lines import DEFAULT_MAX_TOKENS, display_path, file_name
from errata.formats.m2 import read_m2
from errata.formats.problems import AllProblems, Problem
from errata.formats.text import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable

FileFormat = Literal["m2", "jsonl", "text"]


def file_format(path: str) -> FileFormat:
    """The format of a single file by the ending of its name."""
    name = file_name(path)
    if name.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    return "m2" if name.endswith(".m2") else "text"


def check_file(path: str, format: FileFormat | None = None, max_tokens: int = DEFAULT_MAX_TOKENS) -> tuple[int, list[Problem]]:  # noqa: A002
    """The number of sentences that could be read, and all problems in order of their lines."""
    problems = AllProblems(display_path(path))
    readers = {"m2": read_m2, "jsonl": read_jsonl, "text": read_text}
    sentences: Iterable[object] = readers[format or file_format(path)](path, problems, max_tokens)
    count = 0
    try:
        for _ in sentences:
            count += 1
    except FormatError as error:
        problems.error(error.line, error.message)
    except InputError as error:
        problems.error(None, str(error).removeprefix(f"{problems.path}: "))
    return count, sorted(problems.found, key=lambda problem: problem.line or 0)


def count_sentences(path: str, max_tokens: int = DEFAULT_MAX_TOKENS) -> int:
    """The number of sentences in a file of any format; an error in it is raised."""
    count, problems = check_file(path, None, max_tokens)
    for problem in problems:
        if problem.severity == "error":
            raise FormatError(problem.path, problem.line, problem.message)
    return count
