"""Where the keys of a definition are in its text, for messages; the parser of TOML does not say."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from errata.errors import FormatError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?")
_KEY = re.compile(r"\s*[\"']?([A-Za-z_-]+)[\"']?\s*=")
_PHASES = "phases"


class PhaseLines:
    """The lines of one phase."""

    def __init__(self, path: str, name: str, first: int | None, keys: dict[str, int]) -> None:
        self._path, self._name, self._first, self._keys = path, name, first, keys

    def error(self, key: str, message: str) -> FormatError:
        """Make an error about a key of the phase."""
        return FormatError(self._path, self._keys.get(key, self._first), f"{self._name}: {key}: {message}")

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
        for number, line in enumerate(text.split("\n"), start=1):
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

    def of_key(self, key: str) -> int | None:
        """The line of a key that belongs to no phase."""
        return self._keys.get(key)

    def in_phase(self, path: str, index: int) -> PhaseLines:
        """The lines of a phase, counted from 0."""
        first, keys = self._phases[index] if index < len(self._phases) else (None, {})
        return PhaseLines(path, f"phase {index + 1}", first, keys)

    @contextmanager
    def naming(self, path: str, key: str) -> Iterator[None]:
        """Name the file, the line and the key in errors about its value."""
        try:
            yield
        except UsageError as error:
            raise FormatError(path, self._keys.get(key), f"{key}: {error}") from None
