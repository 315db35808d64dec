"""The roles of the columns of a table.

A column has a role by its name, or because a caller says so.  If no column is named exactly like a role, several columns may have
it with a suffix: annotators a number (``annotated_1``, ``error_2``), systems a name (``system_mine`` with ``confidence_mine``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import InputError, UsageError
from errata.formats.chunks import find_repeated, list_columns
from errata.words import pluralise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Role = Literal["written", "annotated", "system", "confidence", "error", "judges", "flagged", "type", "unit", "document"]
ROLES: tuple[Role, ...] = get_args(Role)
_BY_NUMBER, _BY_NAME = ("annotated", "error"), ("system", "confidence", "flagged")
"""Roles that several columns may have, with numbers or the names of systems as suffixes."""
_ALONE = "system"
"""The name of a system whose columns have no suffix."""


@dataclass(frozen=True)
class SystemColumns:
    """The columns of one system."""

    name: str
    system: str | None = None
    flagged: str | None = None
    confidence: str | None = None


@dataclass(frozen=True)
class Layout:
    """The columns of a table by their roles."""

    systems: tuple[SystemColumns, ...]
    annotated: tuple[str, ...] = ()
    written: str | None = None
    error: tuple[str, ...] = ()
    judges: str | None = None
    type: str | None = None
    unit: str | None = None
    document: str | None = None

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        own = [name for system in self.systems for name in (system.system, system.flagged, system.confidence)]
        single = (self.written, *self.annotated, *self.error, self.judges, self.type, self.unit, self.document)
        return [name for name in (*single, *own) if name is not None]


def find_layout(header: Sequence[str], given: Mapping[Role, Sequence[str]] | None = None) -> Layout:
    """Find the layout of a table with these columns; ``given`` names columns for roles.

    >>> find_layout(["written", "annotated", "system", "confidence"]).systems
    (SystemColumns(name='system', system='system', flagged=None, confidence='confidence'),)
    """
    _check_header(header)
    taken = {name for names in (given or {}).values() for name in names}
    columns: dict[Role, list[str]] = {role: _find_named(role, [name for name in header if name not in taken]) for role in ROLES}
    for role, names in (given or {}).items():
        if role not in ROLES:
            raise UsageError(f"unknown role {role!r} of a column; choose from {', '.join(ROLES)}")
        if missing := [name for name in names if name not in header]:
            raise InputError(f"there is no column {missing[0]!r}; the columns are {list_columns(header)}")
        if len(names) > 1 and role not in _BY_NUMBER + _BY_NAME:
            raise UsageError(f"only one column can be {role}, found {', '.join(names)}")
        columns[role] = list(names)
    single: dict[Role, str | None] = {role: next(iter(columns[role]), None) for role in ROLES if role not in _BY_NUMBER + _BY_NAME}
    _check_gold(single, columns, header)
    systems = _find_systems(columns, given or {})
    if not systems:
        raise InputError(f"the system has no column: expected a column system, flagged or confidence, found {list_columns(header)}")
    if columns["system"] and single["written"] is None:
        raise InputError("the column system needs a column written; or use flagged instead of system")
    if (twice := find_repeated(item.name for item in systems)) is not None:
        raise InputError(f"two systems are named {twice[:40]!r}")
    return Layout(
        systems,
        tuple(columns["annotated"]),
        single["written"],
        tuple(columns["error"]),
        single["judges"],
        single["type"],
        single["unit"],
        single["document"],
    )


def _check_header(header: Sequence[str]) -> None:
    if not header or not any(name.strip() for name in header):
        raise InputError("the first line must name the columns, found none")
    if (twice := find_repeated(header)) is not None:
        raise InputError(f"two columns are named {twice[:40]!r}")


def _find_named(role: Role, header: Sequence[str]) -> list[str]:
    """Find the columns that have a role by their names."""
    if role in header:
        return [role]
    behind = [(name, name.removeprefix(f"{role}_")) for name in header if name.startswith(f"{role}_")]
    if role in _BY_NUMBER:
        return [name for name, rest in behind if rest.isdecimal()]
    return [name for name, _ in behind] if role in _BY_NAME else []


def _check_gold(single: Mapping[Role, str | None], columns: Mapping[Role, Sequence[str]], header: Sequence[str]) -> None:
    by_text, errors = bool(columns["annotated"]), columns["error"]
    if by_text and single["written"] is None:
        raise InputError(f"the column annotated needs a column written, found {list_columns(header)}")
    if by_text and errors:
        raise InputError(f"{columns['annotated'][0]} and {errors[0]} both mark errors; use only one of them")
    if not by_text and not errors:
        raise InputError(f"no column marks errors: expected the columns written and annotated, or error, found {list_columns(header)}")
    if single["judges"] is not None and len(errors) != 1:
        raise InputError("the column judges needs exactly one column error, the number of annotators who say error")


def _find_systems(named: Mapping[Role, Sequence[str]], given: Mapping[Role, Sequence[str]]) -> tuple[SystemColumns, ...]:
    """Find systems by the suffixes of their columns, or in the order in which their columns are given."""
    roles: tuple[Role, ...] = ("system", "flagged", "confidence")
    if not any(role in given for role in roles):
        names = dict.fromkeys(name.removeprefix(role).removeprefix("_") for role in roles for name in named[role])
        columns = {role: {name.removeprefix(role).removeprefix("_"): name for name in named[role]} for role in roles}
        return tuple(SystemColumns(name or _ALONE, *(columns[role].get(name) for role in roles)) for name in names)
    alone = all(len(named[role]) <= 1 for role in roles)
    named = {role: named[role] if role in given or alone else [] for role in roles}  # the systems of the others are unknown
    main = next(role for role in roles if named[role])
    for role in roles:
        if named[role] and len(named[role]) != len(named[main]):
            raise UsageError(
                f"{pluralise(len(named[main]), 'column')} for {main}, but {len(named[role])} for {role}; each system needs one of each"
            )
    systems = []
    for index, name in enumerate(named[main]):
        own = {role: named[role][index] if named[role] else None for role in roles}
        systems.append(SystemColumns(name, own["system"], own["flagged"], own["confidence"]))
    return tuple(systems)
