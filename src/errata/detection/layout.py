"""The roles of the columns of a table.

A column has a role by its name, or because a caller says so.  If no column is named exactly like a role, several columns may have
it with a suffix: annotators a number (``annotated_1``, ``error_2``), systems a name (``system_mine`` with ``confidence_mine``).

A table has a row for each case, or for some cases (``count``); or, if it has the columns ``tp``, ``fp``, ``fn`` and ``tn``, a row for
each system and type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import InputError, UsageError, pluralise
from errata.formats.tables import find_repeated, list_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CaseRole = Literal["written", "annotated", "system", "confidence", "error", "judges", "flagged", "type", "unit", "document", "count"]
CountRole = Literal["system", "type", "tp", "fp", "fn", "tn", "n"]
Role = CaseRole | CountRole
CASE_ROLES: tuple[CaseRole, ...] = get_args(CaseRole)
COUNT_ROLES: tuple[CountRole, ...] = get_args(CountRole)
FOUR_COUNTS: tuple[CountRole, ...] = ("tp", "fp", "fn", "tn")
ROLES: tuple[Role, ...] = (*CASE_ROLES, *(role for role in COUNT_ROLES if role not in CASE_ROLES))
_COUNT_NAMES = """
    case_count cases count counts freq freqs frequencies frequency multiplicity n n_cases num num_cases number number_of_cases occurrences
    repeats times weight weights
"""
COUNT_NAMES = frozenset(_COUNT_NAMES.split())
"""Names of columns that probably say how many cases a row stands for, in lower case; such a column is never skipped."""
_BY_NUMBER, _BY_NAME = ("annotated", "error"), ("system", "confidence", "flagged")
"""Roles that several columns may have, with numbers or the names of systems as suffixes."""
SYSTEM_ALONE = "system"
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
    count: str | None = None

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        own = [name for system in self.systems for name in (system.system, system.flagged, system.confidence)]
        single = (self.written, *self.annotated, *self.error, self.judges, self.type, self.unit, self.document, self.count)
        return [name for name in (*single, *own) if name is not None]


@dataclass(frozen=True)
class CountsLayout:
    """The columns of a table of counts by their roles."""

    tp: str
    fp: str
    fn: str
    tn: str
    n: str | None = None
    system: str | None = None
    type: str | None = None

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        return [name for name in (self.tp, self.fp, self.fn, self.tn, self.n, self.system, self.type) if name is not None]


def find_layout(header: Sequence[str], given: Mapping[Role, Sequence[str]] | None = None) -> Layout | CountsLayout:
    """Find the layout of a table with these columns; ``given`` names columns for roles.

    >>> find_layout(["written", "annotated", "system", "confidence"]).systems
    (SystemColumns(name='system', system='system', flagged=None, confidence='confidence'),)
    >>> find_layout(["Type", "TP", "FP", "FN", "TN"])
    CountsLayout(tp='TP', fp='FP', fn='FN', tn='TN', n=None, system=None, type='Type')
    """
    given = given or {}
    _check_header(header)
    _check_given(header, given)
    taken = {name for names in given.values() for name in names}
    free = [name for name in header if name not in taken]
    columns: dict[Role, list[str]] = {role: _find_named(role, free) for role in CASE_ROLES}
    columns.update({role: list(names) for role, names in given.items()})
    counts = {role: given[role] if role in given else [name for name in free if name.strip().lower() == role] for role in COUNT_ROLES}
    if any(counts[role] for role in FOUR_COUNTS) or "n" in given:
        layout: Layout | CountsLayout = _make_counts_layout(header, counts, columns)
    else:
        layout = _make_layout(header, columns, given)
    _check_unread_counts(header, layout, given)
    return layout


def _check_given(header: Sequence[str], given: Mapping[Role, Sequence[str]]) -> None:
    for role, names in given.items():
        if role not in ROLES:
            raise UsageError(f"unknown role {role!r} of a column; choose from {', '.join(ROLES)}")
        if missing := [name for name in names if name not in header]:
            raise InputError(f"there is no column {missing[0]!r}; the columns are {list_columns(header)}")
        if len(names) > 1 and role not in _BY_NUMBER + _BY_NAME:
            raise UsageError(f"only one column can be {role}, found {', '.join(names)}")


def _make_layout(header: Sequence[str], columns: Mapping[Role, Sequence[str]], given: Mapping[Role, Sequence[str]]) -> Layout:
    single: dict[Role, str | None] = {role: next(iter(columns[role]), None) for role in CASE_ROLES if role not in _BY_NUMBER + _BY_NAME}
    _check_gold(single, columns, header)
    systems = _find_systems(columns, given)
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
        single["count"],
    )


def _make_counts_layout(
    header: Sequence[str], counts: Mapping[CountRole, Sequence[str]], cases: Mapping[Role, Sequence[str]]
) -> CountsLayout:
    found = [name for role in FOUR_COUNTS for name in counts[role]]
    of_cases = [name for role in CASE_ROLES if role not in COUNT_ROLES and role != "count" for name in cases[role]]
    if of_cases:
        both = f"counts ({list_columns(found or counts['n'])}) cannot be combined with cases ({list_columns(of_cases)}) in one table"
        raise InputError(f"{both}; rename or remove the columns of one of them")
    if missing := [role for role in FOUR_COUNTS if not counts[role]]:
        raise InputError(f"counts need the columns tp, fp, fn and tn; there is no {' and no '.join(missing)}, found {list_columns(header)}")
    for role, names in counts.items():
        if len(names) > 1:
            raise InputError(f"two columns are named {role!r}: {', '.join(names)}")
    return CountsLayout(**{role: next(iter(names), None) for role, names in counts.items()})  # type: ignore[arg-type]


def _check_unread_counts(header: Sequence[str], layout: Layout | CountsLayout, given: Mapping[Role, Sequence[str]]) -> None:
    """Refuse a column that says how many cases a row stands for, but is not read."""
    role = "count" if isinstance(layout, Layout) else "n"
    unread = [name for name in header if name.strip().lower() in COUNT_NAMES and name not in layout.columns]
    if unread and role not in given:
        name = unread[0]
        what = "how many cases each row stands for" if role == "count" else "the number of cases, the sum of tp, fp, fn and tn"
        raise InputError(
            f"the column {name!r} is not read; if it is {what}, use --column {role}={name} "
            f"(columns={{{role!r}: [{name!r}]}} in Python), else rename or remove it"
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
        return tuple(SystemColumns(name or SYSTEM_ALONE, *(columns[role].get(name) for role in roles)) for name in names)
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
