"""Who takes part: organisers, annotators and teams, each with a secret token; sessions, and names on anonymous boards."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import InputError, RequestError, UsageError
from errata_event import audit
from errata_event.instants import to_micros

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from errata_event.database import DatabaseTransaction


# A token has 256 random bits, so its SHA-256 can be stored without salt, and nobody can guess one.
# It is found by its hash, so how long a search takes says nothing about it.

AccountRole = Literal["organiser", "annotator", "team"]
ACCOUNT_ROLES: tuple[AccountRole, ...] = get_args(AccountRole)
SESSION_LIFETIME = timedelta(days=14)
_PREFIX = "errata_"
"""By which scanners of published files can recognise a token."""
_BYTES = 32
_TOKEN = re.compile(rf"{_PREFIX}[A-Za-z0-9_-]{{43}}")
_SIGNS = frozenset("_ .+()-")
_CATEGORIES = ("L", "M", "N")
"""Unicode categories of characters in names: letters, vowel signs and accents, and digits."""
_LONGEST_NAME = 60
_EXPECTED_NAME = "letters, digits, spaces and any of _ . + - ( ), at most 60 characters, of which the first is a letter or a digit"
_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, with any extension, so that an export with such files could not be unpacked there."""
_MOST_SESSIONS = 50
"""Sessions of an account; when it starts another, the oldest ends."""


@dataclass(frozen=True)
class Account:
    """One who takes part."""

    id: int
    role: AccountRole
    name: str
    slot: int
    """A random number, which nobody sees, and which does not tell who came first: from it a team has another name in each phase."""

    @classmethod
    def find(cls, transaction: DatabaseTransaction, role: AccountRole, name: str) -> Account:
        """Find an account by its name, in any case."""
        wanted = unicodedata.normalize("NFC", " ".join(name.split())).casefold()
        for account in list_accounts(transaction, role):
            if account.name.casefold() == wanted:
                return account
        raise UsageError(f"there is no {role} {name[:70]!r}; errata serve {role} list shows all")

    @classmethod
    def get(cls, transaction: DatabaseTransaction, id_: int) -> Account:
        row = transaction.row(f"SELECT {_COLUMNS} FROM accounts WHERE id = ?", id_)  # noqa: S608
        if row is None:
            raise RequestError("there is no such account")
        return cls(*row)

    @classmethod
    def of_token(cls, transaction: DatabaseTransaction, token: str) -> Account | None:
        """Find the account of a token; None if there is none, or it was removed."""
        if not _TOKEN.fullmatch(token):
            return None
        query = f"SELECT {_COLUMNS}, token_hash FROM accounts WHERE token_hash = ? AND disabled_at IS NULL"  # noqa: S608
        row = transaction.row(query, _hash(token))
        if row is None or not secrets.compare_digest(row[4], _hash(token)):
            return None
        return cls(*row[:4])

    @classmethod
    def of_session(cls, transaction: DatabaseTransaction, secret: str, now: datetime) -> Account | None:
        """Find the account of a session; None if it has ended."""
        row = transaction.row("SELECT account, hash FROM sessions WHERE hash = ? AND expires_at > ?", _hash(secret), to_micros(now))
        if row is None or not secrets.compare_digest(row[1], _hash(secret)):
            return None
        found = transaction.row(f"SELECT {_COLUMNS} FROM accounts WHERE id = ? AND disabled_at IS NULL", row[0])  # noqa: S608
        return cls(*found) if found is not None else None

    def renew_token(self, transaction: DatabaseTransaction, now: datetime, by: int | None = None) -> str:
        """Replace the token of an account, end its sessions, and admit it again if it was removed."""
        token = _make_token()
        transaction.run("UPDATE accounts SET token_hash = ?, disabled_at = NULL WHERE id = ?", _hash(token), self.id)
        transaction.run("DELETE FROM sessions WHERE account = ?", self.id)
        audit.record(transaction, now, by, "token renewed", role=self.role, name=self.name)
        return token

    def remove(self, transaction: DatabaseTransaction, now: datetime, by: int | None = None) -> None:
        """Refuse an account from now on; what it did stays."""
        transaction.run("UPDATE accounts SET disabled_at = ? WHERE id = ?", to_micros(now), self.id)
        transaction.run("DELETE FROM sessions WHERE account = ?", self.id)
        audit.record(transaction, now, by, f"{self.role} removed", name=self.name)

    def require_admitted(self, transaction: DatabaseTransaction) -> None:
        """Raise if an account was removed, perhaps since a request of it began."""
        row = transaction.row("SELECT disabled_at FROM accounts WHERE id = ?", self.id)
        if row is None or row[0] is not None:
            raise RequestError(f"the {self.role} {self.name} was removed from the event")

    def start_session(self, transaction: DatabaseTransaction, now: datetime) -> str:
        """Start a session; return its secret, for the cookie of a browser."""
        secret = secrets.token_urlsafe(_BYTES)
        transaction.run("DELETE FROM sessions WHERE expires_at <= ?", to_micros(now))
        transaction.run(
            "INSERT INTO sessions (hash, account, created_at, expires_at) VALUES (?, ?, ?, ?)",
            _hash(secret),
            self.id,
            to_micros(now),
            to_micros(now + SESSION_LIFETIME),
        )
        transaction.run(
            "DELETE FROM sessions WHERE account = ? AND hash NOT IN "
            "(SELECT hash FROM sessions WHERE account = ? ORDER BY created_at DESC, hash LIMIT ?)",
            self.id,
            self.id,
            _MOST_SESSIONS,
        )
        return secret


_COLUMNS = "id, role, name, slot"


def check_name(name: str) -> str:
    """Normalise a name, which will also be a file name; raise if it is none."""
    normal = unicodedata.normalize("NFC", " ".join(name.split()))  # more spaces than one look like one
    fits = all(character in _SIGNS or unicodedata.category(character)[0] in _CATEGORIES for character in normal)
    if not fits or not 0 < len(normal) <= _LONGEST_NAME or not normal[0].isalnum() or normal.endswith("."):
        raise UsageError(f"a name must have {_EXPECTED_NAME}; found {name[:70]!r}")
    if _DEVICE.fullmatch(normal):
        raise UsageError(f"{normal!r} cannot be the name of a file on Windows; choose another name")
    return normal


def add_account(
    transaction: DatabaseTransaction, role: AccountRole, name: str, now: datetime, by: int | None = None
) -> tuple[Account, str]:
    """Add an account; return it with its token, which is stored nowhere.  ``by`` is who does it; None is the command line."""
    name = check_name(name)
    taken = {other.casefold() for (other,) in transaction.rows("SELECT name FROM accounts WHERE role = ?", role)}
    if name.casefold() in taken:
        raise RequestError(f"there is a {role} {name!r} already; errata serve {role} renew gives a new token")
    if role == "team" and re.fullmatch(r"team \d+", name.casefold()):
        raise UsageError(f"{name!r} is how anonymous boards name teams; choose another name")
    slots = {slot for (slot,) in transaction.rows("SELECT slot FROM accounts WHERE role = ?", role)}
    free = [number for number in range(_SLOTS) if number not in slots]
    if not free:
        raise RequestError(f"an event has at most {_SLOTS:,} accounts of a role")
    slot = secrets.choice(free)
    token = _make_token()
    id_ = transaction.insert(
        "INSERT INTO accounts (role, name, slot, token_hash, created_at) VALUES (?, ?, ?, ?, ?)",
        role,
        name,
        slot,
        _hash(token),
        to_micros(now),
    )
    audit.record(transaction, now, by, f"{role} added", name=name)
    return Account(id_, role, name, slot), token


def list_accounts(transaction: DatabaseTransaction, role: AccountRole) -> list[Account]:
    """List the accounts of a role, in the order of their names."""
    rows = transaction.rows(f"SELECT {_COLUMNS} FROM accounts WHERE role = ?", role)  # noqa: S608 - constants
    return sorted((Account(*row) for row in rows), key=lambda account: account.name.casefold())


def list_removed(transaction: DatabaseTransaction) -> set[int]:
    """The numbers of accounts that are refused."""
    return {id_ for (id_,) in transaction.rows("SELECT id FROM accounts WHERE disabled_at IS NOT NULL")}


def end_session(transaction: DatabaseTransaction, secret: str) -> None:
    """End a session."""
    transaction.run("DELETE FROM sessions WHERE hash = ?", _hash(secret))


def _make_token() -> str:
    return f"{_PREFIX}{secrets.token_urlsafe(_BYTES)}"


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


# What anonymous boards call teams: each phase has its own numbers, so that a board with names tells nothing about one without.
# The numbers of a phase are those of a permutation under a secret of the event.  The database keeps the secret, and nobody else knows it.

_SLOTS = 9_000
"""As many numbers as there are, and so teams of an event."""
_FIRST = 1_000
"""All numbers are as long as each other, so that they do not tell how many teams there are."""
_KEY_BYTES = 32
_KEPT_PHASES = 64


def make_alias_key(transaction: DatabaseTransaction) -> None:
    """Make the secret of a new event."""
    transaction.run("INSERT INTO alias_keys (value) VALUES (?)", secrets.token_hex(_KEY_BYTES))


def list_aliases(transaction: DatabaseTransaction, phase: str, teams: Iterable[Account]) -> dict[int, str]:
    """What the anonymous boards of a phase call teams, by the numbers of their accounts."""
    row = transaction.row("SELECT value FROM alias_keys")
    if row is None:
        raise InputError("the secret of the event is missing in the database")
    numbers = _permute(row[0], phase)
    return {team.id: f"Team {numbers[team.slot]}" for team in teams}


@lru_cache(maxsize=_KEPT_PHASES)
def _permute(key: str, phase: str) -> list[int]:
    """The number of each slot: hashes under the key decide about the order, so one phase tells nothing about another."""
    order = sorted(range(_SLOTS), key=lambda slot: blake2b(f"{slot} {phase}".encode(), key=bytes.fromhex(key)).digest())
    numbers = [0] * _SLOTS
    for number, slot in enumerate(order, start=_FIRST):
        numbers[slot] = number
    return numbers
