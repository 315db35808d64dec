"""How often somebody may try to log in."""

from __future__ import annotations

from errata_event.server.requests import Attempts


def test_an_address_has_so_many_attempts_a_minute() -> None:
    now = [0.0]
    attempts = Attempts(3, lambda: now[0])
    assert [attempts.take("192.0.2.1") for _ in range(4)] == [True, True, True, False]
    assert not attempts.is_left("192.0.2.1")
    now[0] = 20.0
    assert attempts.is_left("192.0.2.1")
    assert [attempts.take("192.0.2.1") for _ in range(2)] == [True, False]


def test_many_addresses_do_not_shut_out_others() -> None:
    attempts = Attempts(3, lambda: 0.0)
    for number in range(1_000):
        for _ in range(4):
            attempts.take(f"192.0.2.{number}")
    assert attempts.take("198.51.100.1")
