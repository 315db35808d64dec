"""An event: its definition, its database and its clock, in a data folder."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import InputError, RequestError, UsageError
from errata.event import accounts, aliases, audit, contents, gold_versions
from errata.event.board_making import BoardMaker
from errata.event.clock import from_micros, system_clock, to_micros
from errata.event.database import open_database
from errata.event.definition import EventDefinition, parse_event
from errata.event.event_files import EventFiles
from errata.event.made_golds import MadeGolds
from errata.event.refusals import Refusals
from errata.event.reopening import refuse_reopening
from errata.event.scoring import Scorers
from errata.event.sqlite_database import has_database
from errata.event.visibility import Decisions, Visibility
from errata.formats.lines import display_path
from errata.formats.problems import ignore_problem
from errata.names import DEFAULT_MAX_FILES

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from errata.event.clock import Clock
    from errata.event.database import Database, DatabaseTransaction
    from errata.event.gold_versions import GoldVersion
    from errata.event.phases import Phase
    from errata.event.scoring import PhaseScorer
    from errata.formats import Problem

_NO_EVENT = "there is no event in {}; errata serve init TASK makes one"
_CLOSE, _PUBLISH = "close", "publish"
LOCK = "event"
"""The lock of the definition, the gold and what organisers decide; whoever depends on that shares it."""


class Moment(NamedTuple):
    """An event as it is at an instant."""

    definition: EventDefinition
    visibility: Visibility
    now: datetime


class Event:
    """An event that was opened.  Threads may share it, and several processes may have opened it."""

    def __init__(self, folder: Path, database: Database, clock: Clock = system_clock) -> None:
        self.folder, self.database, self.clock = folder, database, clock
        self.scorers = Scorers()
        self.board_maker = BoardMaker()
        self.made_golds = MadeGolds()
        self.refusals = Refusals()
        self._definitions: dict[int, EventDefinition] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(cls, folder: str, url: str | None = None, clock: Clock = system_clock, *, create: bool = False) -> Event:
        """Open the event of a data folder; raise if there is none, unless one is to be made."""
        path = Path(folder)
        where = display_path(folder) if url is None else "the database"
        if not create and url is None and not has_database(path):  # nothing is made in any other folder
            raise InputError(_NO_EVENT.format(where))
        event = cls(path, open_database(path, url), clock)
        if not create and not event.is_defined():
            event.close()
            raise InputError(_NO_EVENT.format(where))
        return event

    def is_defined(self) -> bool:
        """Whether the database has an event."""
        with self.database.read() as transaction:
            return transaction.row("SELECT 1 FROM definitions") is not None

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def moment(self, transaction: DatabaseTransaction | None = None, now: datetime | None = None) -> Moment:
        """Look at the definition in force, what organisers have decided, and the clock; or at an instant that is being dealt with."""
        if transaction is None:
            with self.database.read() as own:
                return self.moment(own, now)
        now = self.clock() if now is None else now
        definition = self._find_definition(transaction)
        return Moment(definition, Visibility(definition, read_decisions(transaction), now), now)

    def _find_definition(self, transaction: DatabaseTransaction) -> EventDefinition:
        row = transaction.row("SELECT max(id) FROM definitions")
        if row is None or row[0] is None:
            raise InputError(_NO_EVENT.format(display_path(str(self.folder))))
        with self._lock:
            known = self._definitions.get(row[0])
        if known is not None:
            return known
        text = transaction.row("SELECT toml FROM definitions WHERE id = ?", row[0])
        definition = parse_event(text[0].encode(), "the definition of the event") if text is not None else None
        if definition is None:
            raise InputError("the definition of the event is missing in the database")
        with self._lock:
            self._definitions = {row[0]: definition}
        return definition

    def update(
        self,
        path: str,
        warn: Callable[[Problem], None] = ignore_problem,
        *,
        allow_outside: bool = False,
        max_files: int = DEFAULT_MAX_FILES,
    ) -> list[str]:
        """Take the definition and the gold from a file; return what has changed, in words.

        Gold that has changed becomes a new version, and everything is scored again; all that was accepted stays.
        """
        files = EventFiles.read(path, warn, allow_outside=allow_outside, max_files=max_files)
        with self.database.write(LOCK) as transaction:
            now = self.clock()
            refuse_reopening(transaction, files.definition, read_decisions(transaction), now)
            return files.store(transaction, now)

    def scorer(self, version: GoldVersion, definition: EventDefinition) -> PhaseScorer:
        """The scorer of a version of gold; it is prepared when it is first needed."""

        def read_m2() -> bytes:
            with self.database.read() as transaction:
                return contents.get(transaction, version.sha256)

        return self.scorers.find(definition, version, read_m2)

    def decide(self, phase_name: str, kind: str, by: int | None = None) -> datetime:
        """Close or publish a phase now; return when it was closed or published.  ``by`` is who decides; None is the command line."""
        if kind not in {_CLOSE, _PUBLISH}:
            raise UsageError(f"expected {_CLOSE} or {_PUBLISH}, found {kind!r}")
        with self.database.write(LOCK) as transaction:
            moment = self.moment(transaction)
            phase = moment.definition.phase(phase_name)
            stage = moment.visibility.stage(phase)
            if kind == _CLOSE and stage in {"closed", "published"}:
                raise RequestError(f"{phase.name} is {stage} already")
            if kind == _CLOSE and stage == "coming":
                raise RequestError(f"{phase.name} has not opened yet; change its instants in the file, and run errata serve update")
            if kind == _PUBLISH and stage != "closed":
                why = "is published already" if stage == "published" else "has not closed; errata serve close does that"
                raise RequestError(f"{phase.name} {why}")
            transaction.insert("INSERT INTO decisions (phase, kind, at) VALUES (?, ?, ?)", phase.name, kind, to_micros(moment.now))
            audit.record(transaction, moment.now, by, f"phase {kind}d" if kind == _CLOSE else "phase published", phase=phase.name)
            return moment.now

    def newest_gold(self, transaction: DatabaseTransaction, phase: Phase) -> GoldVersion:
        """The gold in force of a phase, without alternative answers."""
        version = gold_versions.find_newest(transaction, phase.name)
        if version is None:
            raise RequestError(f"the phase {phase.name} has no gold; errata serve update reads it")
        return version


def create_event(
    folder: str,
    path: str,
    url: str | None = None,
    clock: Clock = system_clock,
    warn: Callable[[Problem], None] = ignore_problem,
    *,
    allow_outside: bool = False,
    max_files: int = DEFAULT_MAX_FILES,
) -> tuple[Event, str]:
    """Make an event in a data folder; return it with the token of its first organiser, which is stored nowhere."""
    files = EventFiles.read(path, warn, allow_outside=allow_outside, max_files=max_files)
    event = Event.open(folder, url, clock, create=True)
    try:
        with event.database.write(LOCK) as transaction:  # an event always has an organiser
            if event.is_defined():
                where = display_path(folder) if url is None else "the database"
                raise RequestError(f"{where} has an event already; errata serve update takes a changed file")  # noqa: TRY301
            aliases.make_alias_key(transaction)
            files.store(transaction, clock())
            _, token = accounts.add_account(transaction, "organiser", "organiser", clock())
    except BaseException:
        event.close()
        raise
    return event, token


def read_decisions(transaction: DatabaseTransaction) -> dict[str, Decisions]:
    """Read what organisers decided about each phase."""
    found: dict[str, Decisions] = {}
    for phase, kind, at in transaction.rows("SELECT phase, kind, at FROM decisions ORDER BY id DESC"):  # the first of a kind counts
        before = found.get(phase, Decisions())
        instant = from_micros(at)
        found[phase] = Decisions(instant, before.published_at) if kind == _CLOSE else Decisions(before.closed_at, instant)
    return found
