"""The option that names a system of error types."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from errata.errors import suggest

if TYPE_CHECKING:
    from errata.language.types import TypeSystem

ERRANT, NUCLE = "errant", "nucle"
"""The systems of errata: that of ERRANT types all edits; that of NUCLE types wrong edits, and is the default of scores by type."""
_MOST_SHOWN = 40
"""Characters of a wrong value."""


def type_system_name(text: str) -> str:
    """A type of argument: a system of types; those who name error types learn how a metric counts only these."""
    from errata.language.types import TYPE_SYSTEMS

    name = text.partition(":")[0]
    if name in {ERRANT, NUCLE} or name in TYPE_SYSTEMS:
        return text
    known = sorted(TYPE_SYSTEMS)
    types = "+".join(part.strip() for part in text[:_MOST_SHOWN].split(","))
    advice = suggest(text, known) or f"; -m 'errant(types={types})' counts only some types"
    raise argparse.ArgumentTypeError(f"expected {' or '.join(known)}, found {text[:_MOST_SHOWN]!r}{advice}")


def type_system_from(options: argparse.Namespace) -> TypeSystem:
    """The system that --types names; ERRANT has the parses of --analyser and --parses."""
    if options.types == ERRANT:
        from errata.cli.parse_inputs import bank_from
        from errata.language.errant import ErrantTypes

        return ErrantTypes(bank_from(options))
    return make_type_system(options.types)


def types_gold(options: argparse.Namespace) -> bool:
    """Whether --types names a system that types gold too; the rules of NUCLE, with any tagger, type wrong edits only."""
    return options.types is not None and options.types.partition(":")[0] != NUCLE


def make_type_system(name: str) -> TypeSystem:
    """A system by its name, which may have an argument."""
    from errata.language.types import find_type_system

    return find_type_system(name)
