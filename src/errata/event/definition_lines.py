"""Where the keys of a definition are in its text, for messages; the parser of TOML does not say."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from errata.errors import FormatError, InputError, RequestError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?")
_KEY = re.compile(r"\s*[\"']?([A-Za-z_-]+)[\"']?\s*=")
_PHASES = "phases"
_LONGEST_KEY = 40


_LONG_TEXT = re.compile(r"\"{3}|'{3}")
"""What begins and ends a string of several lines."""


def _list_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a definition with their numbers, but not those within a string of several lines, which may look like keys."""
    within = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not within:
            yield number, line
        for mark in _LONG_TEXT.findall(line):
            within = mark if not within else "" if mark == within else within


class PhaseLines:
    """The lines of one phase."""

    def __init__(self, path: str, name: str, first: int | None, keys: dict[str, int]) -> None:
        self._path, self._name, self._first, self._keys = path, name, first, keys

    def error(self, key: str, message: str) -> FormatError:
        """Make an error about a key of the phase."""
        return FormatError(self._path, self._keys.get(key, self._first), f"{self._name}: {key[:_LONGEST_KEY]}: {message}")

    @contextmanager
    def naming(self, key: str) -> Iterator[None]:
        """Name the file, the line and the key in errors about its value."""
        try:
            yield
        except UsageError as error:
            raise self.error(key, str(error)) from None


class DefinitionLines:
    """The lines of all keys."""

    def __init__(self, text: str) -> None:
        self._keys: dict[str, int] = {}
        self._phases: list[tuple[int, dict[str, int]]] = []
        table = ""
        for number, line in _list_lines(text):
            if match := _TABLE.match(line):
                table = match[1].strip("\"'")
                if table == _PHASES:
                    self._phases.append((number, {}))
                else:
                    self._keys.setdefault(table, number)
            elif match := _KEY.match(line):
                if table == _PHASES and self._phases:
                    self._phases[-1][1].setdefault(match[1], number)
                elif not table:
                    self._keys.setdefault(match[1], number)

    @property
    def keys(self) -> dict[str, int]:
        """The lines of all keys that belong to no phase."""
        return dict(self._keys)

    def of_key(self, key: str) -> int | None:
        """The line of a key that belongs to no phase."""
        return self._keys.get(key)

    def in_phase(self, path: str, index: int) -> PhaseLines:
        """The lines of a phase, counted from 0."""
        first, keys = self._phases[index] if index < len(self._phases) else (None, {})
        return PhaseLines(path, f"phase {index + 1}", first, keys)

    @contextmanager
    def placing(self, path: str, key: str) -> Iterator[None]:
        """Add the line to errors that name the file and the key."""
        try:
            yield
        except InputError as error:
            raise FormatError(path, self._keys.get(key), str(error).removeprefix(f"{path}: ")) from None

    @contextmanager
    def naming(self, path: str, key: str) -> Iterator[None]:
        """Name the file, the line and the key in errors about its value."""
        try:
            yield
        except RequestError as error:  # what is asked for needs a package or data
            raise RequestError(str(FormatError(path, self._keys.get(key), f"{key}: {error}"))) from None
        except UsageError as error:
            raise FormatError(path, self._keys.get(key), f"{key}: {error}") from None
