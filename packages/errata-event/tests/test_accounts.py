from __future__ import annotations

import re
from datetime import timedelta

import pytest

from errata.errors import ErrataError, RequestError, UsageError
from errata_event import accounts, audit
from errata_event.accounts import Account

from example_events import ExampleEvent


@pytest.mark.parametrize(
    "name",
    ["", "   ", "_x", "-x", ".x", "x.", "a/b", "a\\b", "..", "a\x00b", "a\u202eb", "\ud800", "x" * 61, "a&b", "a'b", "CON", "nul.txt"],
)  # fmt: skip
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(UsageError, match=r"a name must have letters|cannot be the name of a file") as caught:
        accounts.check_name(name)
    str(caught.value).encode()  # it can be shown


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        ("Alpha", "Alpha"),
        ("  University of  X (2) ", "University of X (2)"),
        ("cafe\u0301", "café"),
        ("東京", "東京"),
        ("a\u00a0b", "a b"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_names_are_normalised(name: str, normal: str) -> None:
    assert accounts.check_name(name) == normal


def test_names_are_different(event: ExampleEvent) -> None:
    event.add("Café")
    for name in ("Café", "CAFÉ", " cafe\u0301 "):
        with pytest.raises(RequestError, match=r"there is a team .* already; errata serve team renew gives a new token"):
            event.add(name)
    event.add("Café", "annotator")
    for name in ("Team 5", "team  1234"):
        with pytest.raises(UsageError, match="is how anonymous boards name teams"):
            event.add(name)
    with event.event.database.read() as transaction:
        assert Account.find(transaction, "team", " CAFE\u0301").name == "Café"
        with pytest.raises(UsageError, match="there is no team 'Beta'; errata serve team list shows all"):
            Account.find(transaction, "team", "Beta")


def test_tokens(event: ExampleEvent) -> None:
    team, token = event.add_with_token("Alpha")
    assert re.fullmatch(r"errata_[A-Za-z0-9_-]{43}", token)  # 256 bits
    with event.event.database.read() as transaction:
        assert Account.of_token(transaction, token) == team
        for wrong in ("", token[:-1], f"{token}a", token.upper(), "errata_" + "a" * 43, "\x00", "\ud800", "é", f"{token}\n", "x" * 100_000):
            assert Account.of_token(transaction, wrong) is None


def test_no_secret_is_stored(event: ExampleEvent) -> None:
    team, token = event.add_with_token("Alpha")
    with event.event.database.write() as transaction:
        session = team.start_session(transaction, event.clock())
    with event.event.database.read() as transaction:
        stored = str([transaction.rows(f"SELECT * FROM {table}") for table in ("accounts", "sessions", "audit")])
        actions = [line.action for line in audit.read_log(transaction)]
    for secret in (token, session, event.token):
        assert secret not in stored
        assert secret.removeprefix("errata_") not in stored
    assert "team added" in actions


def test_a_renewed_token_ends_the_old_one_and_its_sessions(event: ExampleEvent) -> None:
    team, token = event.add_with_token("Alpha")
    with event.event.database.write() as transaction:
        session = team.start_session(transaction, event.clock())
        renewed = team.renew_token(transaction, event.clock())
        assert Account.of_token(transaction, token) is None
        assert Account.of_token(transaction, renewed) == team
        assert Account.of_session(transaction, session, event.clock()) is None


def test_a_removed_team_is_refused_until_it_gets_a_new_token(event: ExampleEvent) -> None:
    team, token = event.add_with_token("Alpha")
    with event.event.database.write() as transaction:
        session = team.start_session(transaction, event.clock())
        team.remove(transaction, event.clock())
        assert Account.of_token(transaction, token) is None
        assert Account.of_session(transaction, session, event.clock()) is None
        assert accounts.list_removed(transaction) == {team.id}
    with pytest.raises(RequestError, match="the team Alpha was removed from the event"):
        event.upload(team)
    with event.event.database.write() as transaction:
        team.renew_token(transaction, event.clock())
    assert event.upload(team).is_new


def test_sessions_end(event: ExampleEvent) -> None:
    team = event.add("Alpha")
    with event.event.database.write() as transaction:
        secret = team.start_session(transaction, event.clock())
        other = team.start_session(transaction, event.clock())
        now = event.clock()
        assert Account.of_session(transaction, secret, now) == team
        for wrong in ("", "x", "\x00", "\ud800", "x" * 100_000):
            assert Account.of_session(transaction, wrong, now) is None
        assert Account.of_session(transaction, secret, now + accounts.SESSION_LIFETIME - timedelta(seconds=1)) == team
        assert Account.of_session(transaction, secret, now + accounts.SESSION_LIFETIME) is None
        accounts.end_session(transaction, secret)
        assert Account.of_session(transaction, secret, now) is None
        assert Account.of_session(transaction, other, now) == team


def test_sessions_of_an_account_are_bounded(event: ExampleEvent) -> None:
    team, patient = event.add("Alpha"), event.add("Beta")
    with event.event.database.write() as transaction:
        kept = patient.start_session(transaction, event.clock())
        secrets = []
        for _ in range(accounts._MOST_SESSIONS + 5):
            secrets.append(team.start_session(transaction, event.clock()))
            event.clock.advance(seconds=1)
        alive = [Account.of_session(transaction, secret, event.clock()) is not None for secret in secrets]
        assert alive == [False] * 5 + [True] * accounts._MOST_SESSIONS
        assert Account.of_session(transaction, kept, event.clock()) == patient


def test_lists_are_in_the_order_of_names(sqlite_event: ExampleEvent) -> None:
    for name in ("beta", "Alpha", "Gamma"):
        sqlite_event.add(name)
    with sqlite_event.event.database.read() as transaction:
        assert [account.name for account in accounts.list_accounts(transaction, "team")] == ["Alpha", "beta", "Gamma"]
        assert isinstance(Account.get(transaction, 1), Account)
        with pytest.raises(ErrataError, match="there is no such account"):
            Account.get(transaction, 999)
