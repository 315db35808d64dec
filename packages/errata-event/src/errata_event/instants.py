"""Instants with time zones, as organisers write them and as pages show them, and the clock of an event."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING

from errata.errors import UsageError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


# An instant is read with a zone, or in the zone of the event.
# A local time that a change to or from daylight saving skips or repeats is refused, because nobody could say which instant is meant.
# Inside, every instant is in UTC.

ANYWHERE = timezone(timedelta(hours=-12), "AoE")
"""Anywhere on Earth: a day has ended there when it has ended everywhere."""
_NAMES_OF_ANYWHERE = {"aoe", "anywhere on earth"}
_FORMAT = (
    "expected a date, a time and a zone, as in '2026-12-31 23:59 AoE', '2026-12-31 23:59 Europe/Berlin' or '2026-12-31T23:59:00+01:00'"
)
_WRITTEN = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{2}:\d{2}(?::\d{2})?))?\s*(.*)", re.DOTALL | re.ASCII)
_SHOWN_OFFSET = re.compile(r"[^()]*\((UTC[+-]\d{2}:\d{2})\)")
"""A zone as pages show it, such as "CET (UTC+01:00)": the offset says which."""
_OFFSET = re.compile(r"(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d{2})?", re.ASCII)
_DURATION = re.compile(r"(\d{1,6})\s*(second|minute|hour|day)s?", re.ASCII)
_LONGEST_SHOWN = 60
_MOST_HOURS, _MOST_MINUTES = 14, 59
_YEARS = range(1973, 9000)
"""Years in which every zone can be shown: before them, Liberia was 44 minutes and 30 seconds behind UTC."""


def parse_zone(name: str) -> tzinfo:
    """Find a zone by its name: AoE, UTC, an offset, or a name of the time zone database.

    >>> parse_zone("AoE").utcoffset(None), parse_zone("+05:30").utcoffset(None)
    (datetime.timedelta(days=-1, seconds=43200), datetime.timedelta(seconds=19800))
    """
    stripped = name.strip()
    if stripped.lower() in _NAMES_OF_ANYWHERE:
        return ANYWHERE
    if stripped in {"UTC", "Z", "GMT"}:
        return UTC
    if match := _OFFSET.fullmatch(stripped):
        hours, minutes = int(match[2]), int(match[3] or 0)
        if hours <= _MOST_HOURS and minutes <= _MOST_MINUTES:
            offset = timedelta(hours=hours, minutes=minutes)
            return timezone(-offset if match[1] == "-" else offset)
    elif (zone := _find_named(stripped)) is not None:
        return zone
    raise UsageError(
        f"unknown time zone {name[:_LONGEST_SHOWN]!r}; expected AoE, UTC, an offset such as +01:00, or a name such as Europe/Berlin"
    )


def _find_named(name: str) -> ZoneInfo | None:
    from zoneinfo import ZoneInfo

    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){1,2}", name):  # no paths, and none of the old names without a place
        return None
    try:
        return ZoneInfo(name)
    except (OSError, ValueError):  # the error of an unknown name is a KeyError, but others come from folders and broken files
        return None
    except KeyError:
        return None


def parse_instant(value: object, zone: tzinfo | None = None) -> datetime:
    """Read an instant; ``zone`` is that of instants without one.

    >>> parse_instant("2026-12-31 23:59 AoE").isoformat()
    '2027-01-01T11:59:00+00:00'
    >>> parse_instant("2026-07-01 12:00", parse_zone("Europe/Berlin")).isoformat()
    '2026-07-01T10:00:00+00:00'
    """
    if isinstance(value, datetime):
        _check_year(value)  # before it is converted, which the first and the last year of the calendar do not allow
        return _check_year(value.astimezone(UTC)) if value.tzinfo is not None else _localise(value, zone)
    if isinstance(value, date):
        raise UsageError(f"found a date without a time: {value}; {_FORMAT}")
    match = _WRITTEN.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise UsageError(f"found {str(value)[:_LONGEST_SHOWN]!r}; {_FORMAT}")
    if match[2] is None:
        raise UsageError(f"found a date without a time: {str(value)[:_LONGEST_SHOWN]!r}; {_FORMAT}")
    try:
        local = datetime.fromisoformat(f"{match[1]}T{match[2]}")
    except ValueError as error:
        raise UsageError(f"{str(value)[:_LONGEST_SHOWN]!r} is no instant: {error}") from None
    _check_year(local)
    shown = _SHOWN_OFFSET.fullmatch(match[3])
    return _localise(local, parse_zone(shown[1] if shown else match[3]) if match[3] else zone)


def _localise(local: datetime, zone: tzinfo | None) -> datetime:
    """Find the one instant at which clocks of a zone show a time."""
    if zone is None:
        raise UsageError(f"{local} has no time zone; add one, as in '{local} AoE', or set timezone for all instants")
    first, second = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    found = {candidate.astimezone(UTC) for candidate in (first, second) if _shows(candidate, local)}
    if len(found) == 1:
        return _check_year(found.pop())
    why = "does not exist" if not found else "occurs twice"
    raise UsageError(f"{local} {why} in {zone}, because clocks are changed; give the offset, as in '{local}{_write_offset(first)}'")


def _shows(candidate: datetime, local: datetime) -> bool:
    return candidate.astimezone(UTC).astimezone(candidate.tzinfo).replace(tzinfo=None) == local


def _check_year(instant: datetime) -> datetime:
    if instant.year not in _YEARS:
        raise UsageError(f"an instant must lie in the years {_YEARS.start} to {_YEARS.stop - 1}, found {instant.year}")
    return instant


def parse_duration(text: object) -> timedelta:
    """Read a duration, as in "10 minutes".

    >>> parse_duration("90 seconds"), parse_duration("1 hour")
    (datetime.timedelta(seconds=90), datetime.timedelta(seconds=3600))
    """
    match = _DURATION.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        raise UsageError(
            f"expected a duration such as '90 seconds', '10 minutes', '1 hour' or '2 days', found {str(text)[:_LONGEST_SHOWN]!r}"
        )
    return timedelta(**{f"{match[2]}s": int(match[1])})


def show_instant(instant: datetime, zone: tzinfo) -> str:
    """Show an instant in a zone.

    >>> show_instant(parse_instant("2026-12-31 23:59 AoE"), parse_zone("Europe/Berlin"))
    '2027-01-01 12:59 CET (UTC+01:00)'
    >>> show_instant(parse_instant("2026-12-31 23:59:30 UTC"), ANYWHERE)
    '2026-12-31 11:59:30 AoE (UTC-12:00)'
    """
    local = instant.astimezone(zone)
    shown = local.strftime("%Y-%m-%d %H:%M:%S" if local.second else "%Y-%m-%d %H:%M")
    name, offset = local.tzname() or "", _write_offset(local)
    if zone is UTC:
        return f"{shown} UTC"
    return f"{shown} {name} (UTC{offset})" if name[:1].isalpha() and not name.startswith("UTC") else f"{shown} UTC{offset}"


def show_everywhere(instant: datetime, zone: tzinfo) -> str:
    """Show an instant in a zone, and anywhere on Earth and in UTC, each if it is another.

    >>> show_everywhere(parse_instant("2026-12-31 23:59 AoE"), UTC)
    '2027-01-01 11:59 UTC = 2026-12-31 23:59 AoE (UTC-12:00)'
    """
    offsets = {instant.astimezone(zone).utcoffset()}
    shown = [show_instant(instant, zone)]
    for other in (ANYWHERE, UTC):
        if (offset := other.utcoffset(None)) not in offsets:
            offsets.add(offset)
            shown.append(show_instant(instant, other))
    return " = ".join(shown)


def _write_offset(local: datetime) -> str:
    offset = local.strftime("%z")
    return f"{offset[:3]}:{offset[3:5]}"


def find_day(instant: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """When the day of an instant began in a zone, and when the next one begins; a day may have 23, 24 or 25 hours."""
    day = instant.astimezone(zone).date()
    return _first_instant(day, zone), _first_instant(day + timedelta(days=1), zone)


def _first_instant(day: date, zone: tzinfo) -> datetime:
    """When a day begins in a zone: at midnight, or where clocks skip midnight, when they do; where midnight occurs twice, the first."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


# The clock of an event is that of the server; the database has instants as microseconds since 1970 in UTC.

Clock = Callable[[], datetime]
"""Tells what time it is, in UTC."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def system_clock() -> datetime:
    """Tell what time it is."""
    return datetime.now(UTC)


def to_micros(instant: datetime) -> int:
    """Convert an instant to microseconds.

    >>> to_micros(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))
    1000000
    """
    return (instant - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Convert microseconds to an instant.

    >>> from_micros(1_000_001).isoformat()
    '1970-01-01T00:00:01.000001+00:00'
    """
    return _EPOCH + micros * _MICROSECOND
