"""The file that defines a task, in TOML.

::

    title = "My task"
    gold = ["essays.sgml"]  # SGML, one file per annotator, or one M2, JSON Lines or XML file
    alternatives = ["other.sgml"]  # alternative answers (SGML), or one gold file that includes them
    systems = ["systems/*.txt"]  # files of outputs, or patterns
    metrics = ["maxmatch(beta=1)"]  # default
    types = ["ArtOrDet", "Prep"]  # only edits of these types
    profile = "conll14"  # of SGML
    tokens = "essays.conll"  # of SGML
    tagger = "textblob"  # types of wrong edits; "none" for none

Paths are relative to the folder of the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from errata.errors import FormatError, InputError
from errata.formats.lines import display_path, open_bytes
from errata.suggestions import suggest
from errata.task.toml import MOST_BYTES, parse_toml


@dataclass(frozen=True)
class Task:
    """The content of a task file, with all paths resolved."""

    path: str
    gold: list[str]
    systems: list[str]
    title: str = ""
    alternatives: list[str] = field(default_factory=list)
    metrics: list[str] = field(default_factory=lambda: ["maxmatch(beta=1)"])
    types: list[str] = field(default_factory=list)
    profile: str = ""
    tokens: str = ""
    tagger: str = "textblob"


_LISTS = ("gold", "systems", "alternatives", "metrics", "types")
_PATHS = ("gold", "alternatives")


def read_task(path: str) -> Task:
    """Read a task file; raise for unknown keys, values of the wrong type and missing files."""
    with open_bytes(path) as file:
        record = parse_toml(file.read(MOST_BYTES + 1), display_path(path))
    known = [item.name for item in fields(Task) if item.name != "path"]
    for key in record:
        if key not in known:
            raise InputError(f"{display_path(path)}: unknown key {key[:40]!r}; choose from {', '.join(known)}{suggest(key, known)}")
    for key in ("gold", "systems"):
        if key not in record:
            raise InputError(f"{display_path(path)}: the key {key!r} is missing")
    values = {key: _check_value(path, key, value) for key, value in record.items()}
    folder = Path(path).parent
    for key in _PATHS:
        values[key] = [_check_file(path, folder, name) for name in values.get(key, [])]
    if values.get("tokens"):
        values["tokens"] = _check_file(path, folder, values["tokens"])
    values["systems"] = [system for pattern in values["systems"] for system in _find_files(path, folder, pattern)]
    return Task(path, **values)


def _check_value(path: str, key: str, value: Any) -> Any:
    if key in _LISTS:
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed) or (not listed and key != "alternatives"):
            raise InputError(f"{display_path(path)}: {key} must be a list of strings, found {_kind(value)}")
        return listed
    if not isinstance(value, str):
        raise InputError(f"{display_path(path)}: {key} must be a string, found {_kind(value)}")
    return value


def _kind(value: Any) -> str:
    return "an empty list" if value == [] else f"a value of type {type(value).__name__}"


def _check_file(path: str, folder: Path, name: str) -> str:
    if not (folder / name).is_file():
        raise FormatError(display_path(path), None, f"there is no file {display_path(str(folder / name))}")
    return str(folder / name)


def _find_files(path: str, folder: Path, pattern: str) -> list[str]:
    if not any(character in pattern for character in "*?["):
        return [_check_file(path, folder, pattern)]
    if Path(pattern).is_absolute():
        raise InputError(f"{display_path(path)}: a pattern of systems must be relative to the folder of the task file, found {pattern!r}")
    try:
        files = sorted(str(file) for file in folder.glob(pattern) if file.is_file())
    except ValueError as error:
        raise InputError(f"{display_path(path)}: the pattern {pattern[:60]!r} cannot be used: {error}") from None
    if not files:
        raise InputError(f"{display_path(path)}: no file matches {pattern!r} in {display_path(str(folder)) or '.'}")
    return files
