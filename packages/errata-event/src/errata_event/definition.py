"""The file that defines an event: that of a task, with phases; what is visible to whom, and when.

The file of an event is that of a task (:mod:`errata.task.definition`), with phases instead of gold and systems::

    title = "The example event"
    description = "What participants read first."
    contact = "organisers@example.org"
    timezone = "Europe/Berlin"  # of instants without a zone, and of days
    metrics = ["maxmatch", "gleu"]  # and all other keys of a task but gold, alternatives, systems, sentences and tokens
    rank_by = "maxmatch"  # default: the first metric

    [[phases]]
    name = "test"
    gold = ["test.m2"]
    opens = "2027-03-01 00:00 UTC"
    closes = "2027-03-07 23:59 AoE"

A definition is read from a text without opening any other file, because a running server has only the text.
"""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from errata import __version__
from errata.corpus.unicode import AS_GIVEN, check_unicode_form
from errata.errors import FormatError, InputError, RequestError, UsageError, suggest
from errata.metrics.registry import metric
from errata.task.definition import Task, check_task_settings, parse_toml
from errata_event.instants import from_micros, parse_duration, parse_instant, parse_zone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import tzinfo

    from errata_event.accounts import Account
    from errata_event.database import DatabaseTransaction


# Where the keys of a definition are in its text, for messages; the parser of TOML does not say.

_TABLE = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?")
_KEY = re.compile(r"\s*[\"']?([A-Za-z_-]+)[\"']?\s*=")
_PHASES = "phases"
_LONGEST_KEY = 40
_LONG_TEXT = re.compile(r"\"{3}|'{3}")
"""What begins and ends a string of several lines."""


def _list_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a definition with their numbers, but not those within a string of several lines, which may look like keys."""
    within = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not within:
            yield number, line
        for mark in _LONG_TEXT.findall(line):
            within = mark if not within else "" if mark == within else within


class _PhaseLines:
    """The lines of one phase."""

    def __init__(self, path: str, name: str, first: int | None, keys: dict[str, int]) -> None:
        self._path, self._name, self._first, self._keys = path, name, first, keys

    def error(self, key: str, message: str) -> FormatError:
        """Make an error about a key of the phase."""
        return FormatError(self._path, self._keys.get(key, self._first), f"{self._name}: {key[:_LONGEST_KEY]}: {message}")

    @contextmanager
    def naming(self, key: str) -> Iterator[None]:
        """Name the file, the line and the key in errors about its value."""
        try:
            yield
        except UsageError as error:
            raise self.error(key, str(error)) from None


class _DefinitionLines:
    """The lines of all keys."""

    def __init__(self, text: str) -> None:
        self.keys: dict[str, int] = {}
        self._phases: list[tuple[int, dict[str, int]]] = []
        table = ""
        for number, line in _list_lines(text):
            if match := _TABLE.match(line):
                table = match[1].strip("\"'")
                if table == _PHASES:
                    self._phases.append((number, {}))
                else:
                    self.keys.setdefault(table, number)
            elif match := _KEY.match(line):
                if table == _PHASES and self._phases:
                    self._phases[-1][1].setdefault(match[1], number)
                elif not table:
                    self.keys.setdefault(match[1], number)

    def in_phase(self, path: str, index: int) -> _PhaseLines:
        first, keys = self._phases[index] if index < len(self._phases) else (None, {})
        return _PhaseLines(path, f"phase {index + 1}", first, keys)

    @contextmanager
    def placing(self, path: str, key: str) -> Iterator[None]:
        """Add the line to errors that name the file and the key."""
        try:
            yield
        except InputError as error:
            raise FormatError(path, self.keys.get(key), str(error).removeprefix(f"{path}: ")) from None

    @contextmanager
    def naming(self, path: str, key: str) -> Iterator[None]:
        """Name the file, the line and the key in errors about its value."""
        try:
            yield
        except RequestError as error:  # what is asked for needs a package or data
            raise RequestError(str(FormatError(path, self.keys.get(key), f"{key}: {error}"))) from None
        except UsageError as error:
            raise FormatError(path, self.keys.get(key), f"{key}: {error}") from None


When = Literal["open", "closed", "published", "never"]
"""From when something is visible: since the phase is open, has closed, or is published; or never."""
_WHEN: tuple[str, ...] = get_args(When)
_PhaseKind = Literal["submissions", "alternatives"]
_KINDS: tuple[str, ...] = get_args(_PhaseKind)
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NAME, _LONGEST_TITLE = 40, 200
_MOST = 1_000_000
_DEFAULTS: dict[str, dict[str, Any]] = {"submissions": {}, "alternatives": {"per_phase": 1_000}}
"""Of each kind of phase.  Somebody has to judge every proposal, so their number is limited if the file does not say how."""
_MOST_JUDGES = 2
_FROM = ("scores", "board", "names", "gold_visible")
_OF_SUBMISSIONS = ("gold", "alternatives", "tokens", *_FROM, "per_day")
_OF_ANSWERS = ("about", "judges", "pool")


@dataclass(frozen=True)
class Phase:
    """A phase: what teams do in it, from when until when, how often, and who sees what from when; instants are in UTC."""

    name: str
    opens: datetime
    closes: datetime
    """The deadline that pages name; with ``grace``, uploads are accepted until :attr:`deadline`."""
    title: str = ""
    kind: _PhaseKind = "submissions"
    gold: tuple[str, ...] = ()
    """Files of the gold, as a task names them."""
    alternatives: tuple[str, ...] = ()
    """Files of alternative answers that the organisers have from the beginning."""
    tokens: str = ""
    grace: timedelta = timedelta()
    """How long after ``closes`` uploads are still accepted."""
    publishes: datetime | None = None
    per_day: int = 0
    """Accepted submissions of a team in a day of the event's zone; 0 for any number."""
    per_phase: int = 0
    """Accepted submissions, or proposals, of a team in the phase; 0 for any number, which proposals have only if the file says so."""
    scores: When = "open"
    """From when a team sees its scores."""
    board: When = "open"
    """From when everybody sees the leaderboard."""
    names: When = "open"
    """From when it has the names of teams."""
    gold_visible: When = "published"
    """From when teams see the gold; they also see it while they propose alternative answers to it."""
    about: str = ""
    """The phase whose gold is discussed in a phase of alternative answers."""
    judges: int = 1
    """How many annotators judge a proposal; with two, a third decides if they disagree."""
    pool: bool = True
    """Whether annotators also judge the unmatched edits of all teams."""

    @property
    def is_answers(self) -> bool:
        return self.kind == "alternatives"

    def require_answers(self) -> None:
        """Raise unless alternative answers are proposed in it."""
        if not self.is_answers:
            raise RequestError(f"outputs are submitted to the phase {self.name}, and no alternative answers proposed")

    def require_submissions(self) -> None:
        """Raise unless outputs are submitted to it."""
        if self.is_answers:
            raise RequestError(f"alternative answers are proposed in the phase {self.name}, and no outputs submitted")

    @property
    def deadline(self) -> datetime:
        """The deadline, with the grace period: until then uploads and proposals are accepted."""
        return self.closes + self.grace


def _make_phase(record: dict[str, Any], zone: tzinfo, lines: _PhaseLines) -> Phase:
    """Make a phase of what the file has; raise for unknown keys and impossible values."""
    known = [item.name for item in fields(Phase)]
    for key in record:
        if key not in known:
            raise lines.error(key, f"unknown key; choose from {', '.join(known)}{suggest(key, known)}")
    kind = record.get("kind", "submissions")
    if kind not in _KINDS:
        raise lines.error("kind", f"must be one of {', '.join(_KINDS)}, found {kind!r:.40}")
    for key in _OF_ANSWERS if kind == "submissions" else _OF_SUBMISSIONS:
        if key in record:
            raise lines.error(key, f"belongs to another kind of phase than {kind!r}")
    for key in ("name", "opens", "closes", "gold" if kind == "submissions" else "about"):
        if key not in record:
            raise lines.error(key, "is missing")
    values = _DEFAULTS[kind] | {key: _read_value(key, value, zone, lines) for key, value in record.items()}
    values.setdefault("title", values["name"].replace("-", " ").capitalize())
    phase = Phase(**values)
    if phase.opens >= phase.closes:
        raise lines.error("closes", "a phase must close after it opens")
    if phase.publishes is not None and phase.publishes < phase.deadline:
        raise lines.error("publishes", "a phase is published after it has closed, and after its grace period")
    if _WHEN.index(phase.board) < _WHEN.index(phase.scores):
        raise lines.error("board", f"is visible before scores: from {phase.board!r}, but scores from {phase.scores!r}")
    if phase.names == "never":
        raise lines.error("names", "must be one of open, closed, published")
    return phase


def _read_value(key: str, value: Any, zone: tzinfo, lines: _PhaseLines) -> Any:
    with lines.naming(key):
        if key in {"opens", "closes", "publishes"}:
            return parse_instant(value, zone)
        if key == "grace":
            return parse_duration(value)
    if key in {"gold", "alternatives"}:
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(item, str) for item in listed) or (key == "gold" and not listed):
            raise lines.error(key, f"must be a list of files, found {value!r:.40}")
        return tuple(listed)
    if key in {"per_day", "per_phase", "judges"}:
        least, most = (1, _MOST_JUDGES) if key == "judges" else (0, _MOST)
        if type(value) is not int or not least <= value <= most:
            raise lines.error(key, f"must be a whole number from {least} to {most:,}, found {value!r:.40}")
        return value
    if key == "pool":
        if not isinstance(value, bool):
            raise lines.error(key, f"must be true or false, found {value!r:.40}")
        return value
    if not isinstance(value, str) or len(value) > _LONGEST_TITLE:
        raise lines.error(key, f"must be a string of at most {_LONGEST_TITLE} characters, found {value!r:.40}")
    if key == "name" and not (_NAME.fullmatch(value) and len(value) <= _LONGEST_NAME):
        raise lines.error(key, f"must be at most {_LONGEST_NAME} lower-case letters, digits and hyphens, found {value!r:.50}")
    if key in _FROM and value not in _WHEN:
        raise lines.error(key, f"must be one of {', '.join(_WHEN)}, found {value!r:.40}")
    return value


_DEFAULT_CONFIDENCE = 0.95
_OF_PHASES = ("gold", "alternatives", "systems", "sentences", "tokens")
"""Keys of a task that an event has for each phase, or not at all."""
_OF_ESSAYS = "profile"
"""How essays become sentences, which they have before the gold is stored."""
_OWN = ("description", "contact", "timezone", "rank_by", "phases")
_TEXTS = ("description", "contact", "timezone", "rank_by")
_MOST_PHASES = 50
_LONGEST = 10_000
"""Characters of a text that pages show."""


@dataclass(frozen=True)
class EventDefinition:
    """The content of the file of an event."""

    path: str
    toml: str
    title: str
    description: str
    contact: str
    zone: tzinfo
    settings: dict[str, Any]
    """What all phases have from the task: metrics, types, confidence, and so on."""
    phases: tuple[Phase, ...]
    lines: dict[str, int] = field(default_factory=dict, compare=False)
    """The lines of the keys that belong to no phase."""

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.toml.encode()).hexdigest()

    @cached_property
    def settings_hash(self) -> str:
        """The hash of what scores and tables depend on, besides the gold and what is scored: also the version, as in signatures."""
        return hashlib.sha256(json.dumps([__version__, self.settings], sort_keys=True).encode()).hexdigest()

    @property
    def metrics(self) -> list[str]:
        """The metrics; the first ranks."""
        listed: list[str] = self.settings["metrics"]
        return listed

    def phase(self, name: str) -> Phase:
        """Find a phase by its name."""
        for phase in self.phases:
            if phase.name == name:
                return phase
        known = [phase.name for phase in self.phases]
        raise UsageError(f"there is no phase {name[:40]!r}; choose from {', '.join(known)}{suggest(name, known)}")

    def answers_about(self, phase: Phase) -> Phase | None:
        """The phase in which alternative answers to the gold of a phase are proposed, if there is one."""
        return next((other for other in self.phases if other.about == phase.name), None)

    def task(self, phase: Phase, gold: str = "gold.m2") -> Task:
        """The task of a phase, whose gold has been written as M2."""
        settings = {key: value for key, value in self.settings.items() if key != _OF_ESSAYS}
        return Task(path="task.toml", gold=[gold], systems=[], **{**settings, "title": self.title_of(phase)})

    def title_of(self, phase: Phase) -> str:
        """The title of the tables of a phase."""
        return f"{self.title}: {phase.title}" if self.title else phase.title


def parse_event(raw: bytes, path: str) -> EventDefinition:
    """Read a definition from its text; ``path`` is for messages."""
    record = parse_toml(raw, path)
    lines = _DefinitionLines(raw.decode("utf-8", "replace"))
    own = {key: record.pop(key) for key in _OWN if key in record}
    shared = [item.name for item in fields(Task) if item.name not in {"path", "lines", *_OF_PHASES}]
    for key in record:
        if key in _OF_PHASES:
            raise FormatError(path, lines.keys.get(key), f"{key} belongs to a phase, below a line [[phases]]")
        if key not in shared:
            known = [*shared, *_OWN]
            raise FormatError(path, lines.keys.get(key), f"unknown key {key[:40]!r}; choose from {', '.join(known)}{suggest(key, known)}")
    for key in _TEXTS:
        if not isinstance(own.get(key, ""), str) or len(own.get(key, "")) > _LONGEST:
            raise FormatError(path, lines.keys.get(key), f"{key} must be a string of at most {_LONGEST:,} characters")
    settings: dict[str, Any] = {}
    for key, value in record.items():
        with lines.placing(path, key):
            settings |= check_task_settings(path, {key: value})
    settings.setdefault("metrics", ["maxmatch(beta=1)"])
    if "confidence" not in settings:
        settings["confidence"] = _DEFAULT_CONFIDENCE
    with lines.naming(path, "unicode"):
        check_unicode_form(settings.get("unicode", AS_GIVEN))
    with lines.naming(path, "timezone"):
        zone = parse_zone(own.get("timezone", "UTC"))
    with lines.naming(path, "rank_by" if "rank_by" in own else "metrics"):
        settings["metrics"] = _order_metrics(settings["metrics"], own.get("rank_by", ""))
    definition = EventDefinition(
        path,
        raw.decode("utf-8"),
        settings.get("title", ""),
        own.get("description", ""),
        own.get("contact", ""),
        zone,
        settings,
        _read_phases(path, own.get("phases"), zone, lines),
        lines.keys,
    )
    _check_phases(definition, lines)
    return definition


def _order_metrics(listed: list[str], rank_by: str) -> list[str]:
    """Put the metric that ranks first; all are metrics."""
    parsed = [metric(text) for text in listed]
    if not rank_by:
        return listed
    first = metric(rank_by)
    if first not in parsed:
        raise UsageError(f"{rank_by} is none of the metrics: {', '.join(listed)}")
    index = parsed.index(first)
    return [listed[index], *listed[:index], *listed[index + 1 :]]


def _read_phases(path: str, given: object, zone: tzinfo, lines: _DefinitionLines) -> tuple[Phase, ...]:
    if not isinstance(given, list) or not given or not all(isinstance(item, dict) for item in given):
        raise InputError(f"{path}: an event has one phase or more, each below a line [[phases]]")
    if len(given) > _MOST_PHASES:
        raise InputError(f"{path}: an event has at most {_MOST_PHASES} phases, found {len(given):,}")
    return tuple(_make_phase(item, zone, lines.in_phase(path, index)) for index, item in enumerate(given))


def _check_phases(definition: EventDefinition, lines: _DefinitionLines) -> None:
    """Raise unless phases fit together."""
    seen: dict[str, Phase] = {}
    answered: set[str] = set()
    for index, phase in enumerate(definition.phases):
        where = lines.in_phase(definition.path, index)
        if phase.name in seen:
            raise where.error("name", f"there are two phases {phase.name!r}")
        if phase.is_answers:
            about = seen.get(phase.about)
            if about is None or about.is_answers:
                named = ", ".join(name for name, other in seen.items() if not other.is_answers) or "none"
                raise where.error("about", f"must name an earlier phase with submissions ({named}), found {phase.about!r}")
            if phase.about in answered:
                raise where.error("about", f"there are two phases about {phase.about!r}")
            if about.gold_visible == "never":
                raise where.error("about", f"teams would see the gold of {about.name!r}, whose gold_visible is 'never'")
            if phase.opens < about.deadline:
                raise where.error("opens", f"teams then see the gold of {about.name!r}, so this phase must open after that one has closed")
            answered.add(phase.about)
        seen[phase.name] = phase


# What is visible to whom, and when: this is the one place that decides.
# Organisers see everything.  Annotators see the gold and the proposals that they judge, but nobody's scores.
# A team sees its own submissions always, its own scores from when the phase says, and never those of another team before the board does.
# Everybody sees what is public.

CLOSE, PUBLISH = "close", "publish"
"""What organisers decide about a phase."""
_Stage = Literal["coming", "open", "closed", "published"]
_STAGES: tuple[_Stage, ...] = ("coming", "open", "closed", "published")


@dataclass(frozen=True)
class Decisions:
    """What organisers decided about a phase while the event ran."""

    closed_at: datetime | None = None
    published_at: datetime | None = None

    @classmethod
    def read(cls, transaction: DatabaseTransaction) -> dict[str, Decisions]:
        """Read those of each phase."""
        found: dict[str, Decisions] = {}
        for phase, kind, at in transaction.rows("SELECT phase, kind, at FROM decisions ORDER BY id DESC"):  # the first of a kind counts
            before, instant = found.get(phase, cls()), from_micros(at)
            found[phase] = cls(instant, before.published_at) if kind == CLOSE else cls(before.closed_at, instant)
        return found


class Visibility:
    """What is visible at an instant."""

    def __init__(self, definition: EventDefinition, decisions: Mapping[str, Decisions], now: datetime) -> None:
        self.definition, self._decisions, self.now = definition, decisions, now

    def closes(self, phase: Phase) -> datetime:
        """The deadline in force, without the grace period: when a phase says that it closes, or when organisers closed it before."""
        decided = self._decisions.get(phase.name, Decisions()).closed_at
        return phase.closes if decided is None else min(phase.closes, decided)

    def deadline(self, phase: Phase) -> datetime:
        """The deadline in force, with the grace period, which a phase that organisers closed does not have."""
        decided = self._decisions.get(phase.name, Decisions()).closed_at
        return phase.deadline if decided is None else min(phase.deadline, decided)

    def record(self, phase: Phase) -> dict[str, Any]:
        """Describe a phase for programs, on the command line and over HTTP."""
        return {
            "name": phase.name,
            "title": phase.title,
            "kind": phase.kind,
            "stage": self.stage(phase),
            "opens": phase.opens.isoformat(),
            "closes": self.closes(phase).isoformat(),
        }

    def published(self, phase: Phase) -> datetime | None:
        """When a phase was or will be published; None if nobody has said so."""
        decided = self._decisions.get(phase.name, Decisions()).published_at
        known = [instant for instant in (phase.publishes, decided) if instant is not None]
        return min(known) if known else None

    def stage(self, phase: Phase) -> _Stage:
        """Where a phase stands.  It is open from the very instant at which it opens until, and without, its deadline."""
        published = self.published(phase)
        if published is not None and self.now >= published:
            return "published"
        if self.now < phase.opens:
            return "coming"
        return "open" if self.now < self.deadline(phase) else "closed"

    def _has_reached(self, phase: Phase, when: When) -> bool:
        return when != "never" and _STAGES.index(self.stage(phase)) >= _STAGES.index(when)

    def accepts(self, phase: Phase) -> bool:
        """Whether uploads or proposals are accepted, and submissions can be marked or withdrawn."""
        return self.stage(phase) == "open"

    def source(self, phase: Phase, viewer: Account | None) -> bool:
        """Whether the texts to be corrected can be read: by everybody from when the phase opens."""
        return _is_organiser(viewer) or self.stage(phase) != "coming"

    def gold(self, phase: Phase, viewer: Account | None) -> bool:
        """Whether the gold can be read; by teams and annotators also once alternative answers to it are asked for."""
        if _is_organiser(viewer) or self._has_reached(phase, phase.gold_visible):
            return True
        return viewer is not None and self._is_discussed(phase)

    def _is_discussed(self, phase: Phase) -> bool:
        answers = self.definition.answers_about(phase)
        return answers is not None and self.stage(answers) != "coming"

    def shows_to_teams(self, phase: Phase, what: str) -> bool:
        """Whether teams see the gold of a phase, their scores, or its leaderboard."""
        if what == "gold":
            return self._has_reached(phase, phase.gold_visible) or self._is_discussed(phase)
        return self.board(phase, None) or (what == "scores" and self._has_reached(phase, phase.scores))

    def own_scores(self, phase: Phase, team: Account) -> bool:
        """Whether a team sees its scores."""
        del team  # all teams alike
        return self._has_reached(phase, phase.scores) or self.board(phase, None)

    def scores_of(self, phase: Phase, team_id: int, viewer: Account | None) -> bool:
        """Whether somebody sees the scores of a single submission of a team."""
        return _is_organiser(viewer) or (viewer is not None and viewer.id == team_id and self.own_scores(phase, viewer))

    def board(self, phase: Phase, viewer: Account | None) -> bool:
        return _is_organiser(viewer) or self._has_reached(phase, phase.board)

    def names(self, phase: Phase) -> bool:
        return self._has_reached(phase, phase.names)

    def answers(self, phase: Phase, viewer: Account | None) -> bool:
        """Whether the judgments of proposals and the tables with accepted answers can be seen."""
        return _is_organiser(viewer) or self.stage(phase) == "published"

    def judging(self, phase: Phase, viewer: Account | None) -> bool:
        """Whether an annotator can judge: from when proposals are made until all is published."""
        return viewer is not None and viewer.role == "annotator" and self.stage(phase) in {"open", "closed"}


def _is_organiser(viewer: Account | None) -> bool:
    return viewer is not None and viewer.role == "organiser"
