"""The file that defines a task, in TOML.

::

    title = "My task"
    gold = ["essays.sgml"]  # SGML, one file per annotator, or one M2, JSON Lines or XML file
    alternatives = ["other.sgml"]  # alternative answers (SGML), or one gold file that includes them
    systems = ["systems/*.txt"]  # files of outputs, or patterns
    metrics = ["maxmatch(beta=1)"]  # default
    types = ["ArtOrDet", "Prep"]  # only edits of these types
    unicode = "NFC"  # how gold and outputs are normalised; default: not
    tokenise = "source"  # how outputs are tokenised; default: they are
    strict = true  # outputs that do not look like corrections of the source are set aside
    sentences = "1-100,205"  # only these sentences, or a file with one number or range in each line
    profile = "conll14"  # of SGML
    tokens = "essays.conll"  # of SGML
    tagger = "textblob"  # types of wrong edits, of English by default; "none" for none
    confidence = 0.95  # intervals, with interval, replicates, seed, rechoose and resample
    test = "randomisation"  # which teams are significantly different, with correction and alpha

    [handles]  # error types that a team handles; others are "(not done)"
    TEAM = ["ArtOrDet"]

Paths are relative to the folder of the file, and stay in it.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import looks_like_ranges
from errata.corpus.unicode import AS_GIVEN, UnicodeForm
from errata.errors import FormatError, InputError, RequestError, UsageError, suggest
from errata.formats.lines import display_path, open_bytes
from errata.language.tagging import AUTO_TAGGER
from errata.names import DEFAULT_MAX_FILES
from errata.task.files import TaskFiles
from errata.task.toml import MOST_BYTES, parse_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


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
    tokenise: str = WHITESPACE_TOKENS
    strict: bool = False
    sentences: str | None = None
    profile: str = ""
    tokens: str = ""
    tagger: str = AUTO_TAGGER
    unicode: UnicodeForm = AS_GIVEN
    confidence: float | None = None
    interval: str = ""
    replicates: int | None = None
    seed: int | None = None
    rechoose: bool = False
    resample: str = ""
    test: str = ""
    correction: str = ""
    alpha: float | None = None
    handles: dict[str, list[str]] = field(default_factory=dict)
    """The error types that teams handle, as they say; a team that is not named may handle all."""
    lines: dict[str, int] = field(default_factory=dict)
    """The lines of the keys."""

    @contextmanager
    def naming(self, key: str) -> Iterator[None]:
        """Name the file and the key in errors about its value."""
        try:
            yield
        except UsageError as error:
            raise FormatError(display_path(self.path), self.lines.get(key), f"{key}: {error}") from None
        except RequestError as error:
            raise RequestError(str(FormatError(display_path(self.path), self.lines.get(key), f"{key}: {error}"))) from error


_NOT_KEYS = ("path", "lines")
_PHASES = "phases"
"""The key of an event (:mod:`errata.event.definition`)."""
_LISTS = ("gold", "systems", "alternatives", "metrics", "types")
_PATHS = ("gold", "alternatives")
_KINDS: tuple[tuple[tuple[str, ...], tuple[type, ...], str], ...] = (
    (("replicates", "seed"), (int,), "a whole number"),
    (("confidence", "alpha"), (int, float), "a number between 0 and 1"),
    (("rechoose", "strict"), (bool,), "true or false"),
)
"""Keys whose values are not texts."""
_DEFAULT_LEVEL = 0.95
_TABLE = re.compile(r"\s*\[\s*[\"']?(\w+)[\"']?\s*\]")
"""The line that begins a table."""


def read_task(path: str, *, allow_outside: bool = False, max_files: int = DEFAULT_MAX_FILES) -> Task:
    """Read a task file; raise for unknown keys, values of the wrong type and missing files.

    All files must be in the folder of the task file or below, links included, unless ``allow_outside`` is true.
    """
    with open_bytes(path) as file:
        raw = file.read(MOST_BYTES + 1)
    record = parse_toml(raw, display_path(path))
    if _PHASES in record:
        raise InputError(
            f"{display_path(path)}: this is the definition of an event, with phases; errata serve runs it, "
            "and errata serve export writes the task of each phase"
        )
    known = [item.name for item in fields(Task) if item.name not in _NOT_KEYS]
    for key in record:
        if key not in known:
            raise InputError(f"{display_path(path)}: unknown key {key[:40]!r}; choose from {', '.join(known)}{suggest(key, known)}")
    for key in ("gold", "systems"):
        if key not in record:
            raise InputError(f"{display_path(path)}: the key {key!r} is missing")
    values = check_task_settings(path, record)
    files = TaskFiles(path, allow_outside=allow_outside, max_files=max_files)
    for key in _PATHS:
        values[key] = files.find(values.get(key, []))
    if values.get("tokens"):
        (values["tokens"],) = files.find([values["tokens"]])
    if "sentences" in values and not looks_like_ranges(values["sentences"]):
        (values["sentences"],) = files.find([values["sentences"]])
    values["systems"] = files.match(values["systems"])
    return Task(path, **values, lines=_find_lines(raw.decode("utf-8", "replace"), known))


def check_task_settings(path: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """Check the types of values, which belong to known keys; what may be a list becomes one."""
    return {key: _check_value(path, key, value) for key, value in record.items()}


def _find_lines(text: str, keys: Iterable[str]) -> dict[str, int]:
    """Find the lines in which keys are set, or in which their tables begin."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        table = _TABLE.match(line)
        key = table[1] if table else line.partition("=")[0].strip().strip("\"'")
        if (table or "=" in line) and key in keys:
            lines.setdefault(key, number)
    return lines


def _check_value(path: str, key: str, value: Any) -> Any:
    where = f"{display_path(path)}: {key}"
    if key in _LISTS:
        return _check_list(where, value, may_be_empty=key == "alternatives")
    if key == "handles":
        if not isinstance(value, dict):
            raise InputError(f"{where} must be a table of teams, found {_kind(value)}")
        return {team: _check_list(f"{where} of {team[:40]!r}", types) for team, types in value.items()}
    if key == "confidence" and isinstance(value, bool):
        return _DEFAULT_LEVEL if value else None
    for keys, kinds, wanted in _KINDS:
        if key in keys:
            if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
                raise InputError(f"{where} must be {wanted}, found {_kind(value)}")
            return value
    if not isinstance(value, str):
        raise InputError(f"{where} must be a string, found {_kind(value)}")
    return value


def _check_list(where: str, value: Any, *, may_be_empty: bool = False) -> list[str]:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed) or not (listed or may_be_empty):
        raise InputError(f"{where} must be a list of strings, found {_kind(value)}")
    return listed


def _kind(value: Any) -> str:
    return "an empty list" if value == [] else f"a value of type {type(value).__name__}"
