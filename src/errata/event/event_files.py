"""What organisers give: the file that defines an event, and the gold of its phases, read and checked before anything is stored."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import System
from errata.errors import RequestError, pluralise
from errata.event import audit, contents, gold_versions
from errata.event.clock import to_micros
from errata.event.common_sentences import list_leaks
from errata.event.definition import EventDefinition, parse_event
from errata.event.scoring import prepare_task
from errata.formats.lines import display_path, open_bytes
from errata.names import DEFAULT_MAX_FILES
from errata.task.definition import MOST_BYTES, Statistics
from errata.task.preparation import RefusalError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from errata.event.database import DatabaseTransaction
    from errata.event.gold_versions import GoldVariant
    from errata.formats import Problem
    from errata.task.preparation import PreparedTask


_FEW_REPLICATES = 100
"""Enough to see whether intervals can be computed."""


class EventFiles(NamedTuple):
    """A definition, and the gold of each phase with submissions, as M2."""

    definition: EventDefinition
    golds: dict[str, dict[GoldVariant, bytes]]

    @classmethod
    def read(
        cls, path: str, warn: Callable[[Problem], None], *, allow_outside: bool = False, max_files: int = DEFAULT_MAX_FILES
    ) -> EventFiles:
        """Read them; raise for whatever would only be found while the event runs, such as a metric that cannot score this gold."""
        with open_bytes(path) as file:
            raw = file.read(MOST_BYTES + 1)
        definition = parse_event(raw, display_path(path))
        golds = {
            phase.name: gold_versions.read_phase_gold(
                replace(definition, path=path), phase, warn, allow_outside=allow_outside, max_files=max_files
            )
            for phase in definition.phases
            if not phase.is_answers
        }
        for name, variants in golds.items():
            for variant, m2 in variants.items():
                task = definition.task(definition.phase(name), gold_versions.GOLD_FILES[variant])
                prepared = prepare_task(replace(task, path=path, lines=definition.lines), m2, is_with_alternatives=variant != "gold")
                _try_tables(prepared)
        for leak in list_leaks(definition, {name: variants["gold"] for name, variants in golds.items()}):
            warn(leak)
        return cls(definition, golds)

    def store(self, transaction: DatabaseTransaction, now: datetime) -> list[str]:
        """Store what is new, in a transaction under the lock of the event; return it in words.

        Raises for what would take away what teams were accepted with: phases, or the sentences that they correct.
        """
        changes: list[str] = []
        newest = transaction.row("SELECT sha256 FROM definitions ORDER BY id DESC LIMIT 1")
        if newest is None or newest[0] != self.definition.sha256:
            self._refuse_lost_phases(transaction)
            transaction.insert(
                "INSERT INTO definitions (at, sha256, toml) VALUES (?, ?, ?)",
                to_micros(now),
                self.definition.sha256,
                self.definition.toml,
            )
            audit.record(transaction, now, None, "definition read", sha256=self.definition.sha256)
            changes.append("the definition" if newest is not None else "a new event")
        for name, golds in self.golds.items():
            for variant, m2 in golds.items():
                _refuse_other_source(transaction, self.definition, name, m2)
                version, is_new = gold_versions.add_version(transaction, name, variant, m2, now, "read from the organisers' files")
                if is_new:
                    changes.append(f"the gold of {name} {gold_versions.TITLES[variant]}, version {version.number}")
        return changes

    def _refuse_lost_phases(self, transaction: DatabaseTransaction) -> None:
        """Refuse a definition that lacks a phase in which something was submitted or proposed, or makes something else of it."""
        known = {phase.name: phase for phase in self.definition.phases}
        before = _list_discussed(transaction)
        for table, what, is_answers in (("submissions", "submission", False), ("items", "proposal", True)):
            for name, count in transaction.rows(f"SELECT phase, count(*) FROM {table} GROUP BY phase ORDER BY phase"):  # noqa: S608 - constants
                if name not in known or known[name].is_answers != is_answers:
                    path = self.definition.path
                    raise RequestError(
                        f"{path}: the phase {name!r} has {pluralise(count, what)}, so it cannot be left out or be another kind"
                    )
                if is_answers and known[name].about != before.get(name, known[name].about):
                    raise RequestError(
                        f"{self.definition.path}: the phase {name!r} has {pluralise(count, what)} about {before[name]!r}, "
                        f"so it cannot be about {known[name].about!r}"
                    )


def _list_discussed(transaction: DatabaseTransaction) -> dict[str, str]:
    """The phases of alternative answers in the definition in force, with those that they are about."""
    row = transaction.row("SELECT toml FROM definitions ORDER BY id DESC LIMIT 1")
    phases = parse_event(row[0].encode(), "the definition of the event").phases if row is not None else ()
    return {phase.name: phase.about for phase in phases if phase.is_answers}


def _try_tables(prepared: PreparedTask) -> None:
    """Raise if the tables that the settings ask for cannot be made of this gold: of its source, as if a team had changed nothing."""
    unchanged = System("unchanged", tuple(sentence.tokens for sentence in prepared.whole), "unchanged")
    with suppress(RefusalError):  # a metric may need more than a text, such as edits
        scores = prepared.score(unchanged)
        statistics = Statistics.of(prepared.task, 1)
        if statistics.bootstrap is not None:
            statistics = replace(statistics, bootstrap=replace(statistics.bootstrap, replicates=_FEW_REPLICATES))
        prepared.make_tables([[[score] for score in own] for own in scores], statistics=statistics)


def _refuse_other_source(transaction: DatabaseTransaction, definition: EventDefinition, phase: str, m2: bytes) -> None:
    """Refuse a gold of other sentences than before once there are submissions or proposals, which belong to sentences."""
    newest = gold_versions.find_newest(transaction, phase)
    answers = definition.answers_about(definition.phase(phase))
    submitted = _count(transaction, "submissions", phase)
    proposed = _count(transaction, "items", answers.name) if answers is not None else 0
    if newest is None or not submitted + proposed:
        return
    before, after = map(gold_versions.list_sources, (contents.get(transaction, newest.sha256), m2))
    if before == after:
        return
    number = next(
        (number for number, (one, other) in enumerate(zip(before, after, strict=False), 1) if one != other),
        min(len(before), len(after)) + 1,
    )
    what = [pluralise(count, word) for count, word in ((submitted, "submission"), (proposed, "proposal")) if count]
    raise RequestError(
        f"the new gold of {phase} has other sentences than the one of {' and '.join(what)}: "
        f"{len(after):,} instead of {len(before):,}, the first difference is sentence {number:,}; make it a phase of its own"
    )


def _count(transaction: DatabaseTransaction, table: str, phase: str) -> int:
    row = transaction.row(f"SELECT count(*) FROM {table} WHERE phase = ?", phase)  # noqa: S608 - constants
    return int(row[0]) if row is not None else 0
