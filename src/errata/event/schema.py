"""The tables of the database, for both kinds of database.

Instants are microseconds since 1970 (:mod:`errata.event.clock`).
``definitions``, ``contents``, ``submissions``, ``marks``, ``golds``, ``decisions``, ``proposals``, ``judgments`` and ``audit`` only grow;
``scores`` and ``boards`` can be computed from them again.
"""

from __future__ import annotations

from typing import NamedTuple

VERSION = 1
"""Raised when tables change; a database of another version is refused."""


class Dialect(NamedTuple):
    """What databases write differently."""

    id: str
    bytes: str


SQLITE = Dialect("INTEGER PRIMARY KEY AUTOINCREMENT", "BLOB")
POSTGRESQL = Dialect("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BYTEA")

_TABLES = """
CREATE TABLE schema_version (number BIGINT NOT NULL);
CREATE TABLE definitions (
    id {id}, at BIGINT NOT NULL, sha256 TEXT NOT NULL, toml TEXT NOT NULL
);
CREATE TABLE decisions (
    id {id}, phase TEXT NOT NULL, kind TEXT NOT NULL, at BIGINT NOT NULL
);
CREATE TABLE contents (
    sha256 TEXT PRIMARY KEY, content {bytes} NOT NULL
);
CREATE TABLE accounts (
    id {id}, role TEXT NOT NULL, name TEXT NOT NULL, slot BIGINT NOT NULL, token_hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL, disabled_at BIGINT, UNIQUE (role, name), UNIQUE (role, slot)
);
CREATE TABLE alias_keys (value TEXT NOT NULL);
CREATE TABLE sessions (
    hash TEXT PRIMARY KEY, account BIGINT NOT NULL REFERENCES accounts (id), created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL
);
CREATE TABLE submissions (
    id {id}, public_id TEXT NOT NULL UNIQUE, team BIGINT NOT NULL REFERENCES accounts (id), phase TEXT NOT NULL,
    number BIGINT NOT NULL, received_at BIGINT NOT NULL, sha256 TEXT NOT NULL REFERENCES contents (sha256),
    UNIQUE (team, phase, number), UNIQUE (team, phase, sha256)
);
CREATE INDEX submissions_of_phase ON submissions (phase, id);
CREATE TABLE marks (
    id {id}, submission BIGINT NOT NULL REFERENCES submissions (id), kind TEXT NOT NULL, text TEXT NOT NULL,
    at BIGINT NOT NULL, account BIGINT NOT NULL REFERENCES accounts (id)
);
CREATE INDEX marks_of_submission ON marks (submission);
CREATE TABLE golds (
    id {id}, phase TEXT NOT NULL, variant TEXT NOT NULL, number BIGINT NOT NULL, sha256 TEXT NOT NULL REFERENCES contents (sha256),
    made_at BIGINT NOT NULL, reason TEXT NOT NULL, UNIQUE (phase, variant, number)
);
CREATE TABLE scores (
    submission BIGINT NOT NULL REFERENCES submissions (id), gold BIGINT NOT NULL REFERENCES golds (id), settings TEXT NOT NULL,
    metric TEXT NOT NULL, value DOUBLE PRECISION, parts TEXT NOT NULL, signature TEXT NOT NULL, problem TEXT NOT NULL,
    made_at BIGINT NOT NULL, PRIMARY KEY (submission, gold, settings, metric)
);
CREATE TABLE boards (
    id {id}, phase TEXT NOT NULL, gold BIGINT NOT NULL REFERENCES golds (id), state TEXT NOT NULL, made_at BIGINT NOT NULL,
    named BIGINT NOT NULL, public BIGINT NOT NULL, content TEXT NOT NULL, UNIQUE (gold, state)
);
CREATE TABLE items (
    id {id}, phase TEXT NOT NULL, sentence BIGINT NOT NULL, edits TEXT NOT NULL, sha256 TEXT NOT NULL, made_at BIGINT NOT NULL,
    UNIQUE (phase, sentence, sha256)
);
CREATE TABLE proposals (
    id {id}, item BIGINT NOT NULL REFERENCES items (id), team BIGINT REFERENCES accounts (id), at BIGINT NOT NULL,
    withdrawn_at BIGINT, UNIQUE (item, team)
);
CREATE TABLE judgments (
    id {id}, item BIGINT NOT NULL REFERENCES items (id), annotator BIGINT NOT NULL REFERENCES accounts (id), verdict TEXT NOT NULL,
    edits TEXT NOT NULL, comment TEXT NOT NULL, at BIGINT NOT NULL
);
CREATE INDEX judgments_of_item ON judgments (item);
CREATE TABLE pools (
    id {id}, phase TEXT NOT NULL, state TEXT NOT NULL, at BIGINT NOT NULL
);
CREATE TABLE answer_golds (
    id {id}, phase TEXT NOT NULL, state TEXT NOT NULL, at BIGINT NOT NULL
);
CREATE TABLE audit (
    id {id}, at BIGINT NOT NULL, account BIGINT REFERENCES accounts (id), action TEXT NOT NULL, details TEXT NOT NULL
);
INSERT INTO schema_version VALUES ({version})
"""


def list_statements(dialect: Dialect) -> list[str]:
    """List the statements that make all tables."""
    return _TABLES.format(id=dialect.id, bytes=dialect.bytes, version=VERSION).strip().split(";\n")
