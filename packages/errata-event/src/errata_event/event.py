"""An event: its definition, its database and its clock, in a data folder, and what organisers give."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import System
from errata.errors import ErrataError, InputError, RequestError, UsageError, pluralise
from errata.formats.lines import display_path, open_bytes
from errata.formats.problems import Problem, ignore_problem
from errata.formats.reading import list_losses
from errata.settings import DEFAULT_MAX_FILES
from errata.task.definition import MOST_BYTES, Statistics, Task, TaskFiles
from errata.task.running import RefusalError, read_golds
from errata_event import accounts, audit, contents
from errata_event import golds as gold_versions
from errata_event.audit import Refusals
from errata_event.caching import Cache, Maker
from errata_event.database import has_database, open_database
from errata_event.definition import CLOSE, PUBLISH, Decisions, EventDefinition, Visibility, parse_event
from errata_event.instants import from_micros, system_clock, to_micros
from errata_event.scoring import SCORES_KEPT, PhaseScorer, prepare_task

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping
    from datetime import datetime

    from errata.task.running import PreparedTask
    from errata_event.boards import Board
    from errata_event.database import Database, DatabaseTransaction
    from errata_event.definition import Phase
    from errata_event.golds import GoldVariant, GoldVersion
    from errata_event.instants import Clock
    from errata_event.scoring import ScoreCache


_NO_EVENT = "there is no event in {}; errata serve init TASK makes one"
_MOST_SCORERS, _MOST_UNSTORED, _MOST_MADE = 8, 16, 64
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
        self.maker = Maker()
        self.unstored_boards: Cache[tuple[int, str], Board] = Cache(_MOST_UNSTORED)
        """Boards that the database could not keep, as on a full disk, by gold and state."""
        self.made_golds: Cache[str, Hashable] = Cache(_MOST_MADE)
        """Phases whose golds with accepted answers are known to be made, with all that can change after publication."""
        self.refusals = Refusals()
        self._scorers: Cache[tuple[str, int], PhaseScorer] = Cache(_MOST_SCORERS)
        self._scores: ScoreCache = Cache(*SCORES_KEPT)
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
        with self.database.read() as transaction:
            return transaction.row("SELECT 1 FROM definitions") is not None

    def close(self) -> None:
        self.database.close()

    def moment(self, transaction: DatabaseTransaction | None = None, now: datetime | None = None) -> Moment:
        """Look at the definition in force, what organisers have decided, and the clock; or at an instant that is being dealt with."""
        if transaction is None:
            with self.database.read() as own:
                return self.moment(own, now)
        now = self.clock() if now is None else now
        definition = self._find_definition(transaction)
        return Moment(definition, Visibility(definition, Decisions.read(transaction), now), now)

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
        files = _EventFiles.read(path, warn, allow_outside=allow_outside, max_files=max_files)
        with self.database.write(LOCK) as transaction:
            now = self.clock()
            _refuse_reopening(transaction, files.definition, Decisions.read(transaction), now)
            return files.store(transaction, now)

    def scorer(self, version: GoldVersion, definition: EventDefinition) -> PhaseScorer:
        """The scorer of a version of gold; it is prepared when it is first needed."""

        def prepare() -> PhaseScorer:
            with self.database.read() as transaction:
                m2 = contents.get(transaction, version.sha256)
            return PhaseScorer(definition, definition.phase(version.phase), version, m2, self._scores)

        return self._scorers.make((definition.sha256, version.id), prepare)

    def decide(self, phase_name: str, kind: str, by: int | None = None) -> datetime:
        """Close or publish a phase now; return when it was closed or published.  ``by`` is who decides; None is the command line."""
        if kind not in {CLOSE, PUBLISH}:
            raise UsageError(f"expected {CLOSE} or {PUBLISH}, found {kind!r}")
        with self.database.write(LOCK) as transaction:
            moment = self.moment(transaction)
            phase = moment.definition.phase(phase_name)
            stage = moment.visibility.stage(phase)
            if kind == CLOSE and stage in {"closed", "published"}:
                raise RequestError(f"{phase.name} is {stage} already")
            if kind == CLOSE and stage == "coming":
                raise RequestError(f"{phase.name} has not opened yet; change its instants in the file, and run errata serve update")
            if kind == PUBLISH and stage != "closed":
                why = "is published already" if stage == "published" else "has not closed; errata serve close does that"
                raise RequestError(f"{phase.name} {why}")
            transaction.insert("INSERT INTO decisions (phase, kind, at) VALUES (?, ?, ?)", phase.name, kind, to_micros(moment.now))
            audit.record(transaction, moment.now, by, f"phase {kind}d" if kind == CLOSE else "phase published", phase=phase.name)
            return moment.now

    def newest_gold(self, transaction: DatabaseTransaction, phase: Phase) -> GoldVersion:
        """The gold in force of a phase, without alternative answers."""
        version = gold_versions.find_newest(transaction, phase.name)
        if version is None:
            raise RequestError(f"the phase {phase.name} has no gold; errata serve update reads it")
        return version

    def read_gold(self, phase: Phase) -> bytes:
        """Read the gold in force of a phase, without alternative answers."""
        with self.database.read() as transaction:
            return contents.get(transaction, self.newest_gold(transaction, phase).sha256)


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
    files = _EventFiles.read(path, warn, allow_outside=allow_outside, max_files=max_files)
    event = Event.open(folder, url, clock, create=True)
    try:
        with event.database.write(LOCK) as transaction:  # an event always has an organiser
            if event.is_defined():
                where = display_path(folder) if url is None else "the database"
                raise RequestError(f"{where} has an event already; errata serve update takes a changed file")  # noqa: TRY301
            accounts.make_alias_key(transaction)
            files.store(transaction, clock())
            _, token = accounts.add_account(transaction, "organiser", "organiser", clock())
    except BaseException:
        event.close()
        raise
    return event, token


# What organisers give: the file that defines an event, and the gold of its phases, read and checked before anything is stored.

_FEW_REPLICATES = 100
"""Enough to see whether intervals can be computed."""


class _EventFiles(NamedTuple):
    """A definition, and the gold of each phase with submissions, as M2."""

    definition: EventDefinition
    golds: dict[str, dict[GoldVariant, bytes]]

    @classmethod
    def read(
        cls, path: str, warn: Callable[[Problem], None], *, allow_outside: bool = False, max_files: int = DEFAULT_MAX_FILES
    ) -> _EventFiles:
        """Read them; raise for whatever would only be found while the event runs, such as a metric that cannot score this gold."""
        with open_bytes(path) as file:
            raw = file.read(MOST_BYTES + 1)
        definition = parse_event(raw, display_path(path))
        golds = {
            phase.name: _read_phase_gold(replace(definition, path=path), phase, warn, allow_outside=allow_outside, max_files=max_files)
            for phase in definition.phases
            if not phase.is_answers
        }
        for name, variants in golds.items():
            for variant, m2 in variants.items():
                task = definition.task(definition.phase(name), gold_versions.GOLD_FILES[variant])
                prepared = prepare_task(replace(task, path=path, lines=definition.lines), m2, is_with_alternatives=variant != "gold")
                _try_tables(prepared)
        for leak in _find_leaks(definition, {name: variants["gold"] for name, variants in golds.items()}):
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


def _read_phase_gold(
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
        golds["given" if gold.alternatives else "gold"] = gold_versions.write_m2(corpus)
    return golds


def _list_sources(m2: bytes) -> list[bytes]:
    """List the lines with the source sentences of an M2 text."""
    return [line for line in m2.split(b"\n") if line.startswith(b"S ") or line == b"S"]


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
    before, after = map(_list_sources, (contents.get(transaction, newest.sha256), m2))
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


_FEWEST, _SHARE = 3, 0.01
"""How many sentences are warned of, and which share of a phase; any two texts can have a short sentence in common."""


def _find_leaks(definition: EventDefinition, golds: Mapping[str, bytes]) -> Iterator[Problem]:
    """Warn of phases that accept uploads while teams can read, as the gold of another phase, some of what they hide."""
    sources = {name: set(_list_sources(m2)) for name, m2 in golds.items()}
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


_SETTINGS = {"gold": "gold_visible", "scores": "scores", "leaderboard": "board"}


def _refuse_reopening(
    transaction: DatabaseTransaction, definition: EventDefinition, decisions: Mapping[str, Decisions], now: datetime
) -> None:
    """Raise if a definition would open a phase after teams saw what it hides while it is open: its gold, their scores, or its leaderboard.

    Every definition that was in force is looked at, so that what was seen cannot be forgotten by two changes one after the other.
    """
    after = Visibility(definition, decisions, now)
    hidden = {
        phase.name: [what for what, setting in _SETTINGS.items() if getattr(phase, setting) != "open"]
        for phase in definition.phases
        if not phase.is_answers and after.stage(phase) in {"coming", "open"}
    }
    for before in _list_former(transaction, decisions, now):
        for phase in before.definition.phases:
            seen = [what for what in hidden.get(phase.name, []) if not phase.is_answers and before.shows_to_teams(phase, what)]
            if seen:
                path, what = definition.path, seen[0]
                raise RequestError(
                    f"{path}: the phase {phase.name} would accept uploads again, though teams could see its {what} already; "
                    f'make it a phase of its own, with other sentences, or say {_SETTINGS[what]} = "open" if everybody may submit with that'
                )


def _list_former(transaction: DatabaseTransaction, decisions: Mapping[str, Decisions], now: datetime) -> Iterator[Visibility]:
    """What was visible at the end of each definition that was in force; the last ends now."""
    rows = transaction.rows("SELECT at, toml FROM definitions ORDER BY id")
    ends = [*(from_micros(at) for at, _ in rows[1:]), now]
    for (_, toml), end in zip(rows, ends, strict=True):
        with suppress(ErrataError):  # it may name a metric of a plugin that is gone
            yield Visibility(parse_event(toml.encode(), "a former definition"), decisions, end)
