from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import UsageError
from errata_event.instants import (
    ANYWHERE,
    find_day,
    from_micros,
    parse_duration,
    parse_instant,
    parse_zone,
    show_everywhere,
    show_instant,
    to_micros,
)

BERLIN = ZoneInfo("Europe/Berlin")
NAMES = ["UTC", "AoE", "+05:45", "-09:30", "Europe/Berlin", "America/New_York", "America/St_Johns", "America/Havana"]
NAMES += [
    "Asia/Kathmandu",
    "Asia/Beirut",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Africa/Monrovia",
    "Antarctica/Troll",
]
ZONES = st.sampled_from([parse_zone(name) for name in NAMES])
INSTANTS = st.integers(to_micros(datetime(1973, 1, 2, tzinfo=UTC)), to_micros(datetime(2100, 1, 1, tzinfo=UTC))).map(from_micros)


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2026-12-31 23:59 AoE", "2027-01-01T11:59:00"),
        ("2026-12-31 23:59 anywhere on earth", "2027-01-01T11:59:00"),
        ("2026-12-31 23:59 UTC", "2026-12-31T23:59:00"),
        ("2026-12-31T23:59:30Z", "2026-12-31T23:59:30"),
        ("2026-12-31T23:59:00+01:00", "2026-12-31T22:59:00"),
        ("2026-12-31 23:59 UTC-3", "2027-01-01T02:59:00"),
        ("2026-12-31 23:59 +0545", "2026-12-31T18:14:00"),
        ("2026-07-01 12:00 Europe/Berlin", "2026-07-01T10:00:00"),
        ("  2026-12-01 12:00   Europe/Berlin ", "2026-12-01T11:00:00"),
        ("2026-07-01 12:00", "2026-07-01T10:00:00"),
        ("2027-01-01 12:59 CET (UTC+01:00)", "2027-01-01T11:59:00"),
        (datetime(2026, 7, 1, 12, tzinfo=UTC).replace(tzinfo=None), "2026-07-01T10:00:00"),  # as TOML writes it
        (datetime(2026, 7, 1, 12, tzinfo=timezone(timedelta(hours=-2))), "2026-07-01T14:00:00"),
    ],
)
def test_instants_are_read_with_a_zone_or_in_that_of_the_event(written: object, instant: str) -> None:
    assert parse_instant(written, BERLIN).replace(tzinfo=None).isoformat() == instant
    assert parse_instant(written, BERLIN).tzinfo is UTC


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("2026-12-31", "found a date without a time: '2026-12-31'; expected a date, a time and a zone"),
        (date(2026, 12, 31), "found a date without a time: 2026-12-31; expected"),
        ("tomorrow", "found 'tomorrow'; expected"),
        (17, "found '17'; expected"),
        ("", "found ''; expected"),
        ("2026-02-30 12:00 UTC", "is no instant: day is out of range"),
        ("2026-02-20 25:00 UTC", "is no instant: hour must be"),
        ("2026-12-31 23:59 Mars/Olympus", "unknown time zone 'Mars/Olympus'; expected AoE, UTC, an offset"),
        ("2026-12-31 23:59 ../../etc/passwd", "unknown time zone"),
        ("2026-12-31 23:59 Europe/../Europe/Berlin", "unknown time zone"),
        ("2026-12-31 23:59 Europe", "unknown time zone"),
        ("2026-12-31 23:59 EST", "unknown time zone 'EST'"),
        ("2026-12-31 23:59 +15:00", "unknown time zone '+15:00'"),
        ("2026-12-31 23:59\x00 UTC", "unknown time zone"),
        ("2026-12-31 23:59:00.5 UTC", "unknown time zone"),
        ("٢٠٢٦-12-31 23:59 UTC", "found '٢٠٢٦-12-31 23:59 UTC'"),
        ("0001-01-01 00:00 +14:00", "an instant must lie in the years 1973 to 8999, found 1"),
        ("9999-12-31 23:59 AoE", "an instant must lie in the years 1973 to 8999, found 9999"),
        (datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))), "must lie in the years"),
        (datetime.min.replace(tzinfo=timezone(timedelta(hours=12))), "must lie in the years"),
        (datetime.max.replace(microsecond=0, tzinfo=None), "must lie in the years"),  # noqa: DTZ901 - of TOML
    ],
)
def test_what_is_no_instant(written: object, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        parse_instant(written, BERLIN)


def test_an_instant_without_a_zone_anywhere() -> None:
    with pytest.raises(UsageError, match=r"has no time zone; add one, as in '2026-12-31 23:59:00 AoE', or set timezone"):
        parse_instant("2026-12-31 23:59")


def test_times_that_clocks_skip_or_repeat_are_refused() -> None:
    with pytest.raises(UsageError, match=r"02:30:00 does not exist in Europe/Berlin, because clocks are changed; give the offset"):
        parse_instant("2026-03-29 02:30", BERLIN)
    with pytest.raises(UsageError, match=r"02:30:00 occurs twice in Europe/Berlin.*as in '2026-10-25 02:30:00\+02:00'"):
        parse_instant("2026-10-25 02:30 Europe/Berlin")
    assert parse_instant("2026-10-25 02:30:00+02:00", BERLIN) + timedelta(hours=1) == parse_instant("2026-10-25 02:30:00+01:00", BERLIN)
    before, after = parse_instant("2026-10-25 01:59:59", BERLIN), parse_instant("2026-10-25 03:00", BERLIN)
    assert after - before == timedelta(hours=2, seconds=1)
    assert parse_instant("2026-03-29 03:00", BERLIN) - parse_instant("2026-03-29 01:59:59", BERLIN) == timedelta(seconds=1)


@given(INSTANTS.map(lambda instant: instant.replace(microsecond=0)), ZONES)
def test_what_is_shown_is_read_as_the_same_instant(instant: datetime, zone: tzinfo) -> None:
    assert parse_instant(show_instant(instant, zone)) == instant
    for shown in show_everywhere(instant, zone).split(" = "):
        assert parse_instant(shown) == instant


@given(INSTANTS, ZONES)
def test_the_database_has_the_very_instant(instant: datetime, zone: tzinfo) -> None:
    assert from_micros(to_micros(instant)) == instant
    assert to_micros(instant.astimezone(zone)) == to_micros(instant)


@given(INSTANTS, ZONES)
def test_every_instant_lies_in_one_day(instant: datetime, zone: tzinfo) -> None:
    start, end = find_day(instant, zone)
    assert start <= instant < end
    assert find_day(start, zone) == (start, end)
    assert find_day(end - timedelta(microseconds=1), zone)[0] == start
    assert find_day(end, zone)[0] == end
    assert timedelta(hours=12) <= end - start <= timedelta(hours=36)


@pytest.mark.parametrize(
    ("instant", "zone", "hours"),
    [
        ("2026-03-29 12:00 UTC", BERLIN, 23),
        ("2026-10-25 12:00 UTC", BERLIN, 25),
        ("2026-06-01 12:00 UTC", BERLIN, 24),
        ("2026-03-29 12:00 UTC", UTC, 24),
        ("2026-03-29 12:00 UTC", ANYWHERE, 24),
        ("2026-04-05 00:00 UTC", ZoneInfo("Australia/Lord_Howe"), 24.5),
        ("2026-03-08 12:00 UTC", ZoneInfo("America/Havana"), 23),  # midnight is skipped
        ("2026-11-01 12:00 UTC", ZoneInfo("America/Havana"), 25),  # midnight occurs twice
    ],
)
def test_days_with_other_hours_than_24(instant: str, zone: tzinfo, hours: float) -> None:
    noon = parse_instant(instant)
    start, end = find_day(noon, zone)
    assert end - start == timedelta(hours=hours)


@pytest.mark.parametrize("text", ["", "10", "ten minutes", "10 weeks", "-1 hour", "1.5 hours", "1000000000 days", 5, None, "٣ days"])
def test_what_is_no_duration(text: object) -> None:
    with pytest.raises(UsageError, match="expected a duration such as '90 seconds'"):
        parse_duration(text)


def test_durations() -> None:
    assert [parse_duration(text) for text in ("0 seconds", "1 minute", " 2 hours ", "3days")] == [
        timedelta(0),
        timedelta(minutes=1),
        timedelta(hours=2),
        timedelta(days=3),
    ]
