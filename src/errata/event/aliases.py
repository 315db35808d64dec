"""What anonymous boards call teams: each phase has its own numbers, so that a board with names tells nothing about one without.

The numbers of a phase are those of a permutation under a secret of the event.  The database keeps the secret, and nobody else knows it.
"""

from __future__ import annotations

import secrets
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from errata.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.event.accounts import Account
    from errata.event.database import DatabaseTransaction

SLOTS = 9_000
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
    order = sorted(range(SLOTS), key=lambda slot: blake2b(f"{slot} {phase}".encode(), key=bytes.fromhex(key)).digest())
    numbers = [0] * SLOTS
    for number, slot in enumerate(order, start=_FIRST):
        numbers[slot] = number
    return numbers
