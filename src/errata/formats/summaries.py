"""One line for each kind of thing that a conversion drops or changes, with how often."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.formats.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Wording(NamedTuple):
    """What is said of one thing, and of several, after their number."""

    one: str
    several: str


class Summary:
    """Counts what is dropped or changed, by file and kind."""

    def __init__(self, wordings: Mapping[str, Wording]) -> None:
        self._wordings = wordings
        self._counts: dict[tuple[str, str], int] = {}

    def add(self, path: str, kind: str) -> None:
        """Count one thing of a file."""
        self._counts[path, kind] = self._counts.get((path, kind), 0) + 1

    def report(self, warn: Callable[[Problem], None]) -> None:
        """Warn once of each file and kind, kinds in the order of their wordings."""
        kinds = list(self._wordings)
        for (path, kind), count in sorted(self._counts.items(), key=lambda item: kinds.index(item[0][1])):
            wording = self._wordings[kind]
            what, them = (f"1 {wording.one}", "it") if count == 1 else (f"{count:,} {wording.several}", "them")
            warn(Problem(path, None, "warning", f"{what} (errata convert --list lists {them})"))
