"""Versions of the gold of a phase, and sentences that two phases have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from errata.errors import InputError
from errata.formats.m2 import format_m2
from errata.formats.problems import Problem
from errata.formats.reading import list_losses
from errata.settings import DEFAULT_MAX_FILES
from errata.task.definition import Task, TaskFiles
from errata.task.running import read_golds
from errata_event import audit, contents
from errata_event.instants import from_micros, to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from errata.corpus.corpus import Corpus
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import EventDefinition, Phase


# --- Versions of the gold of a phase, each an M2 text that never changes.
#
# The organisers' files are read once and written as M2, so whoever has the text can compute every table again.
# There are variants: the gold; the gold with the alternative answers that organisers had from the beginning; with the accepted ones of
# those
# that teams proposed; and with those of all teams' unmatched edits.

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


def list_sources(m2: bytes) -> list[bytes]:
    """List the lines with the source sentences of an M2 text."""
    return [line for line in m2.split(b"\n") if line.startswith(b"S ") or line == b"S"]


def write_m2(corpus: Corpus) -> bytes:
    """Write a corpus as M2."""
    return "".join(f"{line}\n" for line in format_m2(corpus)).encode()


def read_phase_gold(
    definition: EventDefinition,
    phase: Phase,
    warn: Callable[[Problem], None],
    *,
    allow_outside: bool = False,
    max_files: int = DEFAULT_MAX_FILES,
) -> dict[GoldVariant, bytes]:
    """Read the gold of a phase from its files, which are named relative to that of the event, and write it as M2."""
    files = TaskFiles(definition.path, allow_outside=allow_outside, max_files=max_files)
    settings = {**definition.settings, "title": ""}
    task = Task(
        path=definition.path,
        gold=files.find(list(phase.gold)),
        alternatives=files.find(list(phase.alternatives)),
        systems=[],
        tokens=files.find([phase.tokens])[0] if phase.tokens else "",
        **settings,
    )
    golds: dict[GoldVariant, bytes] = {}
    for gold in read_golds(task, warn):
        for loss in list_losses(gold.corpus, "m2"):
            warn(Problem(gold.corpus.path, None, "warning", loss))
        corpus = gold.corpus.normalised(task.unicode)
        if not any(sentence.annotations for sentence in corpus):
            raise InputError(f"{corpus.path}: no sentence has an annotation, so nothing can be scored; is this the text without its gold?")
        golds["given" if gold.alternatives else "gold"] = write_m2(corpus)
    return golds


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


# --- Sentences that two phases have in common: who can read the gold of one knows that of the other.

_FEWEST, _SHARE = 3, 0.01
"""How many sentences are warned of, and which share of a phase; any two texts can have a short sentence in common."""


def list_leaks(definition: EventDefinition, golds: Mapping[str, bytes]) -> Iterator[Problem]:
    """Warn of phases that accept uploads while teams can read, as the gold of another phase, some of what they hide."""
    sources = {name: set(list_sources(m2)) for name, m2 in golds.items()}
    phases = [phase for phase in definition.phases if phase.name in sources]
    for hidden in phases:
        own = sources[hidden.name]
        for other in phases:
            readable_at = _find_readable(definition, other)
            if other is hidden or hidden.gold_visible == "open" or readable_at is None or readable_at >= hidden.deadline:
                continue
            common = len(own & sources[other.name])
            if common >= max(_FEWEST, _SHARE * len(own)):
                yield Problem(
                    definition.path,
                    None,
                    "warning",
                    f"{common:,} of {len(own):,} sentences of the phase {hidden.name} are in the gold of {other.name} too, which teams can "
                    f"read before {hidden.name} closes",
                )


def _find_readable(definition: EventDefinition, phase: Phase) -> datetime | None:
    """When teams can read the gold of a phase; None if the definition does not say when."""
    instants = {"open": phase.opens, "closed": phase.deadline, "published": phase.publishes, "never": None}
    answers = definition.answers_about(phase)
    known = [instants[phase.gold_visible], answers.opens if answers is not None else None]
    return min((instant for instant in known if instant is not None), default=None)
