"""The file that defines a task, in TOML, and the files that it names."""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.corpus.corpus import WHITESPACE_TOKENS
from errata.corpus.texts import looks_like_ranges
from errata.corpus.unicode import AS_GIVEN, UnicodeForm
from errata.errors import FormatError, InputError, RequestError, UsageError, suggest
from errata.formats.lines import decode_text, display_path, open_bytes
from errata.language.tagging import AUTO_TAGGER
from errata.settings import DEFAULT_MAX_FILES
from errata.stats.bootstrap import Bootstrap
from errata.stats.intervals import compute_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from errata.report.page.data import Watch
    from errata.scoring.scores import Score
    from errata.stats.comparison import Comparison
    from errata.stats.intervals import Interval


MOST_BYTES = 1 << 20
"""Bytes of a file that defines a task."""
_MOST_DOTS = 1_000
"""Dots in a line: the parser takes memory for every part of every key, by the square of their number, and a key is on one line."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*(?:"|$)|\'[^\']*(?:\'|$)')
_WHERE = re.compile(r" \(at line (\d+), column (\d+)\)$")


def parse_toml(raw: bytes, path: str) -> dict[str, Any]:
    """Parse a file; raise :class:`FormatError` with the line of what is too large or not TOML."""
    import tomllib

    if len(raw) > MOST_BYTES:
        raise FormatError(path, None, f"more than {MOST_BYTES:,} bytes, expected a small file")
    text = decode_text(raw, path)
    if long := next((number for number, line in enumerate(text.split("\n"), start=1) if _count_dots(line) > _MOST_DOTS), None):
        raise FormatError(path, long, f"more than {_MOST_DOTS:,} dots in a line, outside of strings")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = _WHERE.search(str(error))
        line, column = (int(where[1]), f" at column {where[2]}") if where else (text.count("\n") + 1, "")
        raise FormatError(path, line, f"not TOML: {_WHERE.sub('', str(error))[:200]}{column}") from None
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:  # many brackets, or digits
        raise FormatError(path, None, f"not TOML: {str(error)[:200]}") from None


def _count_dots(line: str) -> int:
    """The dots that may be those of a key: what a string has, which begins and ends on its line, is no key."""
    dots = line.count(".")
    if dots <= _MOST_DOTS or '"""' in line or "'''" in line:
        return dots
    return _STRING.sub("", line).count(".")


_LOOKED_AT = 100
"""For each file that a task may name, so many entries of folders are compared with its patterns."""
_RAISE_LIMIT = "raise the limit with --max-files (max_files= in Python)"
_SHOWN = 60
_LONGEST_FILE = 4_096
"""Characters of a pattern; paths are not longer."""


class TaskFiles:
    """Finds the files that a task names: inside its folder, unless the user allows others, and not too many.

    A task file may come from a stranger, so it must not choose files of the reader, by ``..``, by an absolute path or by a link.
    """

    def __init__(self, path: str, *, allow_outside: bool = False, max_files: int = DEFAULT_MAX_FILES) -> None:
        self._path, self._allow_outside, self._most = display_path(path), allow_outside, max_files
        self._folder = Path(path).parent
        self._root = os.path.realpath(self._folder)
        self._found = self._looked_at = 0

    def find(self, names: list[str]) -> list[str]:
        """Find files that are given by their names."""
        return [self._count(self._check(name)) for name in names]

    def match(self, patterns: list[str]) -> list[str]:
        """Find files that are given by names and patterns, those of each pattern in the order of their names.

        A file that is given by its name may be missing: who reads it finds out.
        """
        return [file for pattern in patterns for file in self._match_one(pattern)]

    def _check(self, name: str) -> str:
        file = str(self._folder / name)
        self._confine(file)
        if not os.path.isfile(file):  # noqa: PTH113 - that of pathlib raises for names that are too long
            raise FormatError(self._path, None, f"there is no file {display_path(file)}")
        return file

    def _confine(self, file: str) -> None:
        """Raise if a file is outside the folder of the task, also through links."""
        try:
            real = os.path.realpath(file)
        except ValueError:  # a NUL character, which no file has in its name
            return
        if not self._allow_outside and not f"{real}/".startswith(f"{self._root.rstrip('/')}/"):
            where = f" ({display_path(real)})" if real != file else ""
            raise InputError(
                f"{self._path}: {display_path(file)}{where} is outside the folder of the task; --allow-outside permits such files "
                "(allow_outside=True in Python)"
            )

    def _count(self, file: str) -> str:
        self._found += 1
        if self._found > self._most:
            raise InputError(f"{self._path}: expected at most {self._most:,} files in a task, found more; {_RAISE_LIMIT}")
        return file

    def _match_one(self, pattern: str) -> list[str]:
        if not _is_pattern(pattern) or (
            len(pattern) <= _LONGEST_FILE and os.path.isfile(self._folder / pattern)  # noqa: PTH113
        ):  # it may have a bracket in its name
            file = str(self._folder / pattern)
            self._confine(file)
            return [self._count(file)] if "\0" not in file else self.find([pattern])
        if pattern.startswith("/"):
            raise InputError(
                f"{self._path}: a pattern of systems must be relative to the folder of the task file, found {pattern[:_SHOWN]!r}"
            )
        if len(pattern) > _LONGEST_FILE:
            raise InputError(
                f"{self._path}: the pattern {pattern[:_SHOWN]!r} cannot be used: it has more than {_LONGEST_FILE:,} characters"
            )
        if any("**" in part and part != "**" for part in pattern.split("/")):
            raise InputError(f"{self._path}: the pattern {pattern[:_SHOWN]!r} cannot be used: ** must be the name of a folder")
        matched: set[str] = set()
        for file in map(str, map(Path, self._walk(pattern))):
            if file not in matched:
                matched.add(self._count(file))
        if not matched:
            raise InputError(f"{self._path}: no file matches {pattern[:_SHOWN]!r} in {display_path(str(self._folder))}")
        files = sorted(matched)
        for file in files:
            self._confine(file)
        return files

    def _walk(self, pattern: str) -> Iterator[str]:
        """Yield the files that match a pattern; ``**`` is any number of folders, and does not follow links."""
        import fnmatch

        parts = _split(pattern)
        rules = [re.compile(fnmatch.translate(part)) for part in parts]
        waiting = [(str(self._folder), 0)]
        while waiting:
            folder, index = waiting.pop()
            part, is_last = parts[index], index == len(parts) - 1
            if part == "**":
                waiting.append((folder, index + 1))
                waiting += [(entry.path, index) for entry in self._entries(folder, pattern) if entry.is_dir(follow_symlinks=False)]
            elif not _is_pattern(part):
                path = os.path.join(folder, part)  # noqa: PTH118 - folders of a pattern, as many as it has
                if not is_last:
                    waiting.append((path, index + 1))
                elif os.path.isfile(path):  # noqa: PTH113
                    yield path
            else:
                for entry in self._entries(folder, pattern):
                    if rules[index].match(entry.name):
                        if not is_last and self._is_there(entry.is_dir, entry.path):
                            waiting.append((entry.path, index + 1))
                        elif is_last and self._is_there(entry.is_file, entry.path):
                            yield entry.path

    def _entries(self, folder: str, pattern: str) -> Iterator[os.DirEntry[str]]:
        """Yield what is in a folder, nothing if it is none."""
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    self._looked_at += 1
                    if self._looked_at > _LOOKED_AT * self._most:
                        raise InputError(
                            f"{self._path}: more than {_LOOKED_AT * self._most:,} files and folders to compare with {pattern[:_SHOWN]!r}; "
                            f"name the files, or {_RAISE_LIMIT}"
                        )
                    yield entry
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise InputError(f"{self._path}: {display_path(folder)} cannot be searched: {error.strerror or error}") from None

    def _is_there(self, ask: Callable[[], bool], path: str) -> bool:
        try:
            return ask()
        except OSError as error:
            if error.errno == errno.ELOOP:  # a link to itself
                return False
            raise InputError(f"{self._path}: {display_path(path)} cannot be read: {error.strerror or error}") from None


def _is_pattern(text: str) -> bool:
    return any(character in text for character in "*?[")


def _split(pattern: str) -> list[str]:
    """Split a pattern at slashes; names without wildcards stay together, and ``**`` is neither repeated nor last."""
    parts: list[str] = []
    for part in filter(None, pattern.split("/")):
        if part == "**" and parts and parts[-1] == "**":
            continue
        if not _is_pattern(part) and parts and not _is_pattern(parts[-1]):
            parts[-1] += f"/{part}"
        else:
            parts.append(part)
    return [*parts, "*"] if parts[-1] == "**" else parts


_DEFAULT_ALPHA = 0.05
_RESAMPLING = ("interval", "replicates", "seed", "rechoose", "resample")
_TESTING = ("correction", "alpha")


class Significance:
    """The tests of all pairs of systems."""

    def __init__(self, scores: Sequence[Score], comparisons: Sequence[Comparison], alpha: float) -> None:
        from errata.stats.comparison import rank_systems

        self.comparisons = comparisons
        self._ranks = dict(
            zip(
                (score.system_name for score in scores),
                rank_systems([(score.system_name, score.value) for score in scores], comparisons, alpha),
                strict=True,
            )
        )
        self._pairs = {frozenset((item.first, item.second)): item for item in comparisons}

    def rank(self, system: str) -> int:
        """Return the rank of a system, which it shares with others if the differences are not significant."""
        return self._ranks[system]

    def pair(self, system: str, other: str) -> Comparison:
        """Return the comparison of two systems."""
        return self._pairs[frozenset((system, other))]


@dataclass(frozen=True)
class Statistics:
    """Intervals and tests that a task asks for, with the settings that the options of the same names have."""

    bootstrap: Bootstrap | None = None
    """The settings of intervals; None for no intervals."""
    test: str = ""
    """The test of pairs; empty for none."""
    correction: str = "holm"
    alpha: float = _DEFAULT_ALPHA
    test_bootstrap: Bootstrap | None = None
    """The settings of tests."""

    @classmethod
    def of(cls, task: Task, systems: int) -> Statistics:
        """Read the settings of a task with so many systems; raise if they do not fit together."""
        from errata.stats.comparison import check_methods, check_replicates

        for keys, needed in ((_RESAMPLING, ("confidence", "test")), (_TESTING, ("test",))):
            for key in keys:
                if getattr(task, key) not in {None, "", False} and not any(getattr(task, other) for other in needed):
                    with task.naming(key):
                        raise UsageError(f"{key} needs {' or '.join(needed)}")
        given: dict[str, Any] = {
            "method": task.interval or None,
            "replicates": task.replicates,
            "seed": task.seed,
            "choice": "again" if task.rechoose else None,
            "by": task.resample or None,
        }
        resampling = {name: value for name, value in given.items() if value is not None}
        alpha = _DEFAULT_ALPHA if task.alpha is None else task.alpha
        with task.naming("alpha"):
            if not (0 < alpha < 1 and 1 - alpha < 1):
                raise UsageError(f"alpha must lie between 0 and 1, found {alpha}")
        with task.naming("test" if task.test and task.confidence is None else "confidence"):
            bootstrap = Bootstrap(task.confidence, **resampling) if task.confidence is not None else None
            tested = Bootstrap(1 - alpha, **resampling) if task.test else None
        correction = task.correction or "holm"
        if tested is not None:
            with task.naming("test"):
                check_methods(task.test, correction)
                check_replicates(systems, task.test, correction, tested, alpha)  # type: ignore[arg-type]  # they are checked
        return cls(bootstrap, task.test, correction, alpha, tested)

    def intervals(self, scores: Sequence[Score], watch: Watch) -> list[Interval]:
        """Compute the intervals of scores; none if none are wanted."""
        if self.bootstrap is None:
            return []
        with watch("resampling", self.bootstrap.replicates * len(scores)) as progress:
            return list(compute_intervals(scores, self.bootstrap, progress=progress))

    def significance(self, scores: Sequence[Score], watch: Watch) -> Significance | None:
        """Test all pairs of systems; None if no test is wanted, or there is no pair."""
        from errata.stats.comparison import compare

        if self.test_bootstrap is None or len(scores) < 2:  # noqa: PLR2004 - a pair
            return None
        pairs = len(scores) * (len(scores) - 1) // 2
        with watch("testing pairs", self.test_bootstrap.replicates * pairs) as progress:
            comparisons = compare(
                scores,
                self.test,  # type: ignore[arg-type]  # it is checked
                self.correction,  # type: ignore[arg-type]
                self.test_bootstrap,
                progress=progress,
            )
        return Significance(scores, comparisons, self.alpha)

    @property
    def how(self) -> str:
        """How pairs are tested."""
        return f"{self.test} test, {self.correction} correction, alpha {self.alpha:g}; {self.test_bootstrap}"


@dataclass(frozen=True)
class Task:
    """The content of a task file, with all paths resolved.

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
"""The key of an event, which is not a task."""
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
