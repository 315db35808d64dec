"""Submissions and golds by the hash of their bytes: equal ones are stored once, and none is ever changed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from errata.errors import InputError

if TYPE_CHECKING:
    from errata_event.database import DatabaseTransaction


def put(transaction: DatabaseTransaction, content: bytes) -> str:
    """Store bytes unless they are stored; return their SHA-256."""
    sha256 = hashlib.sha256(content).hexdigest()
    transaction.run("INSERT INTO contents (sha256, content) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING", sha256, content)
    return sha256


def get(transaction: DatabaseTransaction, sha256: str) -> bytes:
    """Get bytes by their SHA-256; raise if they are missing or damaged."""
    row = transaction.row("SELECT content FROM contents WHERE sha256 = ?", sha256)
    content = bytes(row[0]) if row is not None else b""
    if hashlib.sha256(content).hexdigest() != sha256:
        raise InputError(f"the database of the event is damaged: the content with SHA-256 {sha256} is {'another' if row else 'missing'}")
    return content
