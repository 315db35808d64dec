"""Which column of a table says what.

A column has a role by its name, or by what a caller says.  Roles that go with a system, or with an annotator, may have a name
behind them: ``system_mine`` with ``confidence_mine``, ``annotated_1`` and ``annotated_2``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Role = Literal["written", "annotated", "system", "confidence", "error", "judges", "flagged", "type", "unit", "document"]
ROLES: tuple[Role, ...] = get_args(Role)
_SEVERAL = ("annotated", "system", "confidence", "flagged")
"""Roles that several columns may have."""
_ALONE = "system"
"""What a system without a name is called."""


@dataclass(frozen=True)
class SystemColumns:
    """The columns of one system."""

    name: str
    system: str | None = None
    flagged: str | None = None
    confidence: str | None = None


@dataclass(frozen=True)
class Layout:
    """The columns of a table by what they say."""

    systems: tuple[SystemColumns, ...]
    annotated: tuple[str, ...] = ()
    written: str | None = None
    error: str | None = None
    judges: str | None = None
    type: str | None = None
    unit: str | None = None
    document: str | None = None

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        own = [name for system in self.systems for name in (system.system, system.flagged, system.confidence)]
        single = (self.written, *self.annotated, self.error, self.judges, self.type, self.unit, self.document)
        return [name for name in (*single, *own) if name is not None]


def layout_of(header: Sequence[str], given: Mapping[Role, Sequence[str]] | None = None) -> Layout:
    """The layout of a table with these columns; ``given`` names columns for roles.

    >>> layout_of(["written", "annotated", "system", "confidence"]).systems
    (SystemColumns(name='system', system='system', flagged=None, confidence='confidence'),)
    """
    _check_header(header)
    found: dict[Role, list[str]] = {role: [name for name in header if name == role or name.startswith(f"{role}_")] for role in ROLES}
    for role, names in (given or {}).items():
        if role not in ROLES:
            raise UsageError(f"no column has the role {role!r}; known are {', '.join(ROLES)}")
        if missing := [name for name in names if name not in header]:
            raise InputError(f"there is no column {missing[0]!r}; the table has {_listed(header)}")
        if len(names) > 1 and role not in _SEVERAL:
            raise UsageError(f"only one column can be {role}, found {', '.join(names)}")
        found[role] = list(names)
    single = {role: _single(role, found[role]) for role in ROLES if role not in _SEVERAL}
    _check_gold(single, found, header)
    systems = _systems(found, given or {})
    if not systems:
        raise InputError(f"nothing says what the system answers: expected a column system, flagged or confidence, found {_listed(header)}")
    if found["system"] and single["written"] is None:
        raise InputError(
            "what the system writes says nothing without what was written: expected a column written, or flagged for the system"
        )
    return Layout(
        systems,
        tuple(found["annotated"]),
        single["written"],
        single["error"],
        single["judges"],
        single["type"],
        single["unit"],
        single["document"],
    )


def _check_header(header: Sequence[str]) -> None:
    if not header or not any(name.strip() for name in header):
        raise InputError("the first line names the columns, found none")
    twice = [name for place, name in enumerate(header) if name in header[:place]]
    if twice:
        raise InputError(f"two columns are called {twice[0]!r}")


def _check_gold(single: Mapping[Role, str | None], found: Mapping[Role, Sequence[str]], header: Sequence[str]) -> None:
    by_text = bool(found["annotated"])
    if by_text and single["written"] is None:
        raise InputError(f"what annotators want says nothing without what was written: expected a column written, found {_listed(header)}")
    if by_text and single["error"] is not None:
        raise InputError(f"both {found['annotated'][0]} and {single['error']} say what is wrong; name only one of them")
    if not by_text and single["error"] is None:
        raise InputError(f"nothing says what is wrong: expected the columns written and annotated, or error, found {_listed(header)}")
    if single["judges"] is not None and single["error"] is None:
        raise InputError("judges go with a column error that counts those who say error")


def _single(role: Role, names: Sequence[str]) -> str | None:
    exact = [name for name in names if name == role]
    if len(names) > 1 and not exact:
        raise InputError(f"several columns may be {role}: {', '.join(names)}; name the one")
    return (*exact, *names, None)[0]


def _systems(found: Mapping[Role, Sequence[str]], given: Mapping[Role, Sequence[str]]) -> tuple[SystemColumns, ...]:
    """Systems by the names behind their roles, or in the order in which their columns are given."""
    roles: tuple[Role, ...] = ("system", "flagged", "confidence")
    if not any(role in given for role in roles):
        names = dict.fromkeys(name.removeprefix(role).removeprefix("_") for role in roles for name in found[role])
        columns = {role: {name.removeprefix(role).removeprefix("_"): name for name in found[role]} for role in roles}
        return tuple(SystemColumns(name or _ALONE, *(columns[role].get(name) for role in roles)) for name in names)
    main = next(role for role in roles if found[role])
    for role in roles:
        if found[role] and len(found[role]) != len(found[main]):
            raise UsageError(f"{len(found[main])} columns are {main}, but {len(found[role])} {role}; each system has one of each")
    systems = []
    for place, name in enumerate(found[main]):
        own = {role: found[role][place] if found[role] else None for role in roles}
        systems.append(SystemColumns(name, own["system"], own["flagged"], own["confidence"]))
    return tuple(systems)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(name[:40] for name in names)
