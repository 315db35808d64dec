"""Systems of error types: what gives edits their types, for scores by type, annotated texts and the report page.

Installed packages add systems in the entry point group ``errata.types``, for any language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, Protocol

from errata.corpus.unicode import warn_of_english
from errata.errors import RequestError
from errata.plugins import Plugins, check_function

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from errata.corpus.parses import Span
    from errata.corpus.texts import Tokens

_NEEDED = ("name", "language", "meanings", "types")


class GivesTypes(Protocol):
    """Gives edits their types."""

    def types(self, pairs: Sequence[tuple[Tokens, Tokens]], spans: Sequence[Sequence[Span]]) -> Sequence[Sequence[str]]:
        """Give the edits of every pair of source and corrected text their types, in order; an empty one is none."""


class TypeSystem(GivesTypes, Protocol):
    """A system of types, with all that must be known about it."""

    @property
    def name(self) -> str:
        """Its name and version, with all that can change a type; a part of signatures."""

    @property
    def language(self) -> str:
        """The language that it is made for, as in ``uk``; empty for any."""

    @property
    def meanings(self) -> Mapping[str, str]:
        """All its types, with what they mean in a few words."""


TYPE_SYSTEMS: Plugins[Callable[[str], TypeSystem]] = Plugins("type", check_function)
"""All systems by name: functions that take the text after ``NAME:`` and return a system."""


def find_type_system(text: str) -> TypeSystem:
    """Find a system: ``NAME`` or ``NAME:ARGUMENT``, such as ``errant`` or ``nucle:spacy``.

    >>> find_type_system("nucle").meanings["Prep"]
    'preposition'
    """
    name, _, what = text.partition(":")
    make = TYPE_SYSTEMS.find(name)
    made = TYPE_SYSTEMS.run(name, lambda: make(what))
    if lacking := [part for part in _NEEDED if not hasattr(made, part)]:
        raise RequestError(f"the type system {name!r} of {TYPE_SYSTEMS.package(name)} is not a type system: it has no {lacking[0]}")
    return made if TYPE_SYSTEMS.is_own(name) else CheckedTypes(made, name)


class CheckedTypes:
    """A system of another package, whose types are checked before they are used."""

    def __init__(self, system: TypeSystem, name: str) -> None:
        self._system, self._plugin = system, name
        self.name, self.language = system.name, system.language
        self.meanings = dict(system.meanings)

    def types(self, pairs: Sequence[tuple[Tokens, Tokens]], spans: Sequence[Sequence[Span]]) -> list[list[str]]:
        """Give edits their types; raise unless every edit gets one that is known, or none."""
        if self.language == "en":
            warn_of_english([source for source, _ in pairs], f"the types of {self.name} are for English")
        found = TYPE_SYSTEMS.run(self._plugin, lambda: [list(own) for own in self._system.types(pairs, spans)])
        if [len(own) for own in found] != [len(own) for own in spans]:
            self._refuse("one type for each edit", f"{sum(map(len, found))} for {sum(map(len, spans))}")
        for name in {name for own in found for name in own if name not in self.meanings and name != ""}:
            self._refuse("types that it explains", repr(name)[:42])
        return found  # type: ignore[no-any-return]

    def _refuse(self, expected: str, found: str) -> NoReturn:
        package = TYPE_SYSTEMS.package(self._plugin)
        raise RequestError(f"the type system {self._plugin!r} of {package} must give {expected}, found {found}")
