"""A phase of an event: what teams do in it, from when until when, how often, and who sees what from when."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, get_args

from errata.errors import suggest
from errata.event.instants import parse_duration, parse_instant

if TYPE_CHECKING:
    from datetime import tzinfo

    from errata.event.definition_lines import PhaseLines

When = Literal["open", "closed", "published", "never"]
"""From when something is visible: since the phase is open, has closed, or is published; or never."""
_WHEN: tuple[str, ...] = get_args(When)
PhaseKind = Literal["submissions", "alternatives"]
_KINDS: tuple[str, ...] = get_args(PhaseKind)
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
    """A phase; instants are in UTC."""

    name: str
    opens: datetime
    closes: datetime
    title: str = ""
    kind: PhaseKind = "submissions"
    gold: tuple[str, ...] = ()
    """Files of the gold, as a task names them."""
    alternatives: tuple[str, ...] = ()
    """Files of alternative answers that the organisers have from the beginning."""
    tokens: str = ""
    grace: timedelta = timedelta()
    """So much later than it closes uploads are still accepted."""
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
        """Whether teams propose alternative answers."""
        return self.kind == "alternatives"

    @property
    def accepts_until(self) -> datetime:
        """Until when something is accepted."""
        return self.closes + self.grace


def make_phase(record: dict[str, Any], zone: tzinfo, lines: PhaseLines) -> Phase:
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
    if phase.publishes is not None and phase.publishes < phase.accepts_until:
        raise lines.error("publishes", "a phase is published after it has closed, and after its grace period")
    if _WHEN.index(phase.board) < _WHEN.index(phase.scores):
        raise lines.error("board", f"is visible before scores: from {phase.board!r}, but scores from {phase.scores!r}")
    if phase.names == "never":
        raise lines.error("names", "must be one of open, closed, published")
    return phase


def _read_value(key: str, value: Any, zone: tzinfo, lines: PhaseLines) -> Any:
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
