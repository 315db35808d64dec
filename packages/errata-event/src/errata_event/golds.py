"""Versions of the gold of a phase, each an M2 text that never changes.

The organisers' files are read once and written as M2, so whoever has the text can compute every table again.
There are variants: the gold; the gold with the alternative answers that organisers had from the beginning; with the accepted ones of those
that teams proposed; and with those of all teams' unmatched edits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from errata.formats.m2 import format_m2
from errata_event import audit, contents
from errata_event.instants import from_micros, to_micros

if TYPE_CHECKING:
    from datetime import datetime

    from errata.corpus.corpus import Corpus
    from errata_event.database import DatabaseTransaction


GoldVariant = Literal["gold", "given", "proposed", "pooled"]
VARIANTS: tuple[GoldVariant, ...] = get_args(GoldVariant)
GOLD_FILES: dict[GoldVariant, str] = {
    "gold": "gold.m2",
    "given": "gold-alternatives.m2",
    "proposed": "gold-proposed.m2",
    "pooled": "gold-pooled.m2",
}
TITLES: dict[GoldVariant, str] = {
    "gold": "without alternative answers",
    "given": "with the organisers' alternative answers",
    "proposed": "with alternative answers that teams proposed",
    "pooled": "with alternative answers from the edits of all teams",
}


class GoldVersion(NamedTuple):
    """A version of the gold of a phase."""

    id: int
    phase: str
    variant: GoldVariant
    number: int
    """Counted from 1 for each variant."""
    sha256: str
    made_at: datetime
    reason: str

    @property
    def file_name(self) -> str:
        """The name of its file, which tables and signatures have."""
        return GOLD_FILES[self.variant]

    @property
    def has_alternatives(self) -> bool:
        """Whether it has alternative answers."""
        return self.variant != "gold"


def write_m2(corpus: Corpus) -> bytes:
    """Write a corpus as M2."""
    return "".join(f"{line}\n" for line in format_m2(corpus)).encode()


def add_version(
    transaction: DatabaseTransaction, phase: str, variant: GoldVariant, m2: bytes, now: datetime, reason: str
) -> tuple[GoldVersion, bool]:
    """Add a version unless the newest is the same; return the newest, and whether it is new."""
    sha256 = contents.put(transaction, m2)
    newest = find_newest(transaction, phase, variant)
    if newest is not None and newest.sha256 == sha256:
        return newest, False
    number = 1 if newest is None else newest.number + 1
    id_ = transaction.insert(
        "INSERT INTO golds (phase, variant, number, sha256, made_at, reason) VALUES (?, ?, ?, ?, ?, ?)",
        phase,
        variant,
        number,
        sha256,
        to_micros(now),
        reason,
    )
    audit.record(transaction, now, None, "gold added", phase=phase, variant=variant, number=number, sha256=sha256, reason=reason)
    return GoldVersion(id_, phase, variant, number, sha256, now, reason), True


def list_gold_versions(transaction: DatabaseTransaction, phase: str) -> list[GoldVersion]:
    """List the versions of a phase, the oldest first."""
    rows = transaction.rows("SELECT id, phase, variant, number, sha256, made_at, reason FROM golds WHERE phase = ? ORDER BY id", phase)
    return [GoldVersion(row[0], row[1], row[2], row[3], row[4], from_micros(row[5]), row[6]) for row in rows]


def find_newest(transaction: DatabaseTransaction, phase: str, variant: GoldVariant = "gold") -> GoldVersion | None:
    """Find the newest version of a variant."""
    return next((version for version in reversed(list_gold_versions(transaction, phase)) if version.variant == variant), None)


def list_newest(transaction: DatabaseTransaction, phase: str) -> list[GoldVersion]:
    """List the newest version of every variant that there is, in the order of the variants."""
    newest = {version.variant: version for version in list_gold_versions(transaction, phase)}
    return [newest[variant] for variant in VARIANTS if variant in newest]
