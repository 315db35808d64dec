"""The clock of an event, which is that of the server, and instants as the database has them: microseconds since 1970 in UTC."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

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
