"""The file that defines an event: that of a task (:mod:`errata.task.definition`), with phases instead of gold and systems.

::

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
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from errata.corpus.unicode import AS_GIVEN, check_unicode_form
from errata.errors import FormatError, InputError, UsageError, suggest
from errata.event.definition_lines import DefinitionLines
from errata.event.instants import parse_zone
from errata.event.phases import Phase, make_phase
from errata.metrics import metric
from errata.task.definition import Task, check_task_settings, parse_toml
from errata.version import __version__

if TYPE_CHECKING:
    from datetime import tzinfo

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
        """The hash of the text."""
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
    lines = DefinitionLines(raw.decode("utf-8", "replace"))
    own = {key: record.pop(key) for key in _OWN if key in record}
    shared = [item.name for item in fields(Task) if item.name not in {"path", "lines", *_OF_PHASES}]
    for key in record:
        if key in _OF_PHASES:
            raise FormatError(path, lines.of_key(key), f"{key} belongs to a phase, below a line [[phases]]")
        if key not in shared:
            known = [*shared, *_OWN]
            raise FormatError(path, lines.of_key(key), f"unknown key {key[:40]!r}; choose from {', '.join(known)}{suggest(key, known)}")
    for key in _TEXTS:
        if not isinstance(own.get(key, ""), str) or len(own.get(key, "")) > _LONGEST:
            raise FormatError(path, lines.of_key(key), f"{key} must be a string of at most {_LONGEST:,} characters")
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


def _read_phases(path: str, given: object, zone: tzinfo, lines: DefinitionLines) -> tuple[Phase, ...]:
    if not isinstance(given, list) or not given or not all(isinstance(item, dict) for item in given):
        raise InputError(f"{path}: an event has one phase or more, each below a line [[phases]]")
    if len(given) > _MOST_PHASES:
        raise InputError(f"{path}: an event has at most {_MOST_PHASES} phases, found {len(given):,}")
    return tuple(make_phase(item, zone, lines.in_phase(path, index)) for index, item in enumerate(given))


def _check_phases(definition: EventDefinition, lines: DefinitionLines) -> None:
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
            if phase.opens < about.accepts_until:
                raise where.error("opens", f"teams then see the gold of {about.name!r}, so this phase must open after that one has closed")
            answered.add(phase.about)
        seen[phase.name] = phase
