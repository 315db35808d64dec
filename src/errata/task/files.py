"""Files that a task names: inside its folder, unless the user allows others, and not too many.

A task file may come from a stranger, so it must not choose files of the reader, by ``..``, by an absolute path or by a link.
"""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from errata.errors import FormatError, InputError
from errata.formats.lines import display_path
from errata.names import DEFAULT_MAX_FILES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LOOKED_AT = 100
"""For each file that a task may name, so many entries of folders are compared with its patterns."""
_RAISE_LIMIT = "raise the limit with --max-files (max_files= in Python)"
_SHOWN = 60
_LONGEST = 4_096
"""Characters of a pattern; paths are not longer."""


class TaskFiles:
    """Finds the files that a task names."""

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
            len(pattern) <= _LONGEST and os.path.isfile(self._folder / pattern)  # noqa: PTH113
        ):  # it may have a bracket in its name
            file = str(self._folder / pattern)
            self._confine(file)
            return [self._count(file)] if "\0" not in file else self.find([pattern])
        if pattern.startswith("/"):
            raise InputError(
                f"{self._path}: a pattern of systems must be relative to the folder of the task file, found {pattern[:_SHOWN]!r}"
            )
        if len(pattern) > _LONGEST:
            raise InputError(f"{self._path}: the pattern {pattern[:_SHOWN]!r} cannot be used: it has more than {_LONGEST:,} characters")
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
