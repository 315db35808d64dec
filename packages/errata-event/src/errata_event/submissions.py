"""Submissions of teams: stored once and never changed; limits, marks, and which one of a team counts."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, pluralise
from errata_event.instants import find_day, from_micros, show_instant, to_micros

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime, tzinfo

    from errata_event.accounts import Account
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import Phase


_LINE_ENDS = ("\r\n", "\r")
_ALLOWED = "\n\t"
_REFUSED = {"Cc", "Cs"}
"""Control characters, of which PostgreSQL stores no NUL, and halves of characters, which no encoding has."""
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""With them a text changes the order of what a page shows after it."""


def check_text(text: str, what: str, longest: int) -> str:
    r"""Return a text of a participant, such as a comment, without white space around it, and with line feeds alone.

    Raises if it is too long or has what nobody can see: it comes from outside, and ends in databases, pages and files.

    >>> check_text(" First try,\r\nwith a new model. ", "a description", 100)
    'First try,\nwith a new model.'
    """
    for end in _LINE_ENDS:
        text = text.replace(end, "\n")
    stripped = text.strip()
    if len(stripped) > longest:
        raise RequestError(f"{what} has at most {longest:,} characters, found {len(stripped):,}")
    for position, character in enumerate(stripped, start=1):
        if character not in _ALLOWED and (unicodedata.category(character) in _REFUSED or character in _DIRECTIONS):
            raise RequestError(f"{what} has no control characters, found U+{ord(character):04X} at character {position:,}")
    return stripped


_ADDRESS = re.compile(r"[A-Za-z0-9_-]{12}")
PRIMARY, WITHDRAWN, RESTORED, DESCRIPTION = "primary", "withdrawn", "restored", "description"
"""Kinds of marks: the newest of a submission counts, and of the primary marks of a team the newest in the phase."""


class LimitError(RequestError):
    """A team has used up what a phase allows."""


class Submission(NamedTuple):
    """An accepted upload, with its marks."""

    id: int
    public_id: str
    """A random name for addresses, which tells nothing about other submissions."""
    team: int
    phase: str
    number: int
    """Counted from 1 for each team in each phase."""
    received_at: datetime
    sha256: str
    description: str = ""
    is_primary: bool = False
    is_withdrawn: bool = False


class Quota(NamedTuple):
    """What a team has used of a phase."""

    today: int
    per_day: int
    total: int
    per_phase: int
    resets_at: datetime
    """When the next day begins."""

    @property
    def left(self) -> int | None:
        """How many submissions are left now; None for any number."""
        lefts = [most - used for used, most in ((self.today, self.per_day), (self.total, self.per_phase)) if most]
        return max(0, min(lefts)) if lefts else None

    def refusal(self, zone: tzinfo) -> str:
        """Say why nothing more is accepted; nothing if it is."""
        if self.per_phase and self.total >= self.per_phase:
            accepted = pluralise(self.total, "was accepted", "were accepted")
            return f"this phase accepts {pluralise(self.per_phase, 'submission')} of a team, and {accepted}"
        if self.per_day and self.today >= self.per_day:
            accepted = pluralise(self.today, "was", "were")
            return (
                f"this phase accepts {pluralise(self.per_day, 'submission')} of a team a day, and {accepted} accepted today; "
                f"the next day begins at {show_instant(self.resets_at, zone)}"
            )
        return ""

    @classmethod
    def measure(cls, transaction: DatabaseTransaction, phase: Phase, team: int, now: datetime, zone: tzinfo) -> Quota:
        """Count what a team has used, withdrawn submissions included."""
        begun_at, ends_at = find_day(now, zone)
        query = (
            "SELECT count(*), coalesce(sum(CASE WHEN received_at >= ? THEN 1 ELSE 0 END), 0) FROM submissions WHERE team = ? AND phase = ?"
        )
        row = transaction.row(query, to_micros(begun_at), team, phase.name)
        total, today = (int(row[0]), int(row[1])) if row is not None else (0, 0)
        return cls(today, phase.per_day, total, phase.per_phase, ends_at)


def find_submission(transaction: DatabaseTransaction, public_id: str, team: Account | None = None) -> Submission:
    """Find a submission by its random name, which comes from an address: it may be any text.

    For a ``team``, one of another team is as unknown as one that does not exist.
    """
    is_name = _ADDRESS.fullmatch(public_id) is not None
    rows = transaction.rows(f"SELECT {_COLUMNS} FROM submissions WHERE public_id = ?", public_id) if is_name else []  # noqa: S608
    found = _with_marks(transaction, rows)
    if not found or (team is not None and found[0].team != team.id):
        raise RequestError("there is no such submission")
    return found[0]


def list_submissions(transaction: DatabaseTransaction, phase: str, team: int | None = None, sha256: str | None = None) -> list[Submission]:
    """List the submissions of a phase, in the order in which they were accepted; of one team, or with one content, if these are named."""
    wanted = {"phase": phase, "team": team, "sha256": sha256}
    where = [name for name, value in wanted.items() if value is not None]
    query = f"SELECT {_COLUMNS} FROM submissions WHERE {' AND '.join(f'{name} = ?' for name in where)} ORDER BY id"  # noqa: S608 - constants
    return _with_marks(transaction, transaction.rows(query, *(wanted[name] for name in where)))


def choose_entries(submissions: Iterable[Submission]) -> dict[int, Submission]:
    """Choose the submission of each team that counts: the one it marked as primary, else its last; withdrawn ones never."""
    entries: dict[int, Submission] = {}
    for submission in submissions:
        if submission.is_withdrawn:
            continue
        before = entries.get(submission.team)
        if before is None or submission.is_primary or not before.is_primary:
            entries[submission.team] = submission
    return entries


def find_entry_of(transaction: DatabaseTransaction, phase: str, team: int) -> Submission | None:
    """Find the submission of a team that counts; None if there is none, or all are withdrawn."""
    return choose_entries(list_submissions(transaction, phase, team)).get(team)


def count_submissions(transaction: DatabaseTransaction) -> dict[str, tuple[int, int]]:
    """Count the submissions, and the teams that have some, of each phase."""
    rows = transaction.rows("SELECT phase, count(*), count(DISTINCT team) FROM submissions GROUP BY phase")
    return {phase: (int(submissions), int(teams)) for phase, submissions, teams in rows}


_COLUMNS = "id, public_id, team, phase, number, received_at, sha256"


def _with_marks(transaction: DatabaseTransaction, rows: list[tuple[Any, ...]]) -> list[Submission]:
    """Make submissions of rows, with what their marks say."""
    found = {row[0]: Submission(row[0], row[1], row[2], row[3], row[4], from_micros(row[5]), row[6]) for row in rows}
    if not found:
        return []
    phases = {submission.phase for submission in found.values()}
    teams = {submission.team for submission in found.values()}
    of_team, values = (" AND s.team = ?", tuple(teams)) if len(teams) == 1 else ("", ())
    query = (
        "SELECT s.team, m.submission, m.kind, m.text FROM marks m JOIN submissions s ON s.id = m.submission "  # noqa: S608
        f"WHERE s.phase = ?{of_team} ORDER BY m.id"
    )
    primary: dict[tuple[int, str], int] = {}
    for phase in phases:
        for team, id_, kind, text in transaction.rows(query, phase, *values):
            if kind == PRIMARY:
                primary[team, phase] = id_
            elif id_ in found and kind == DESCRIPTION:
                found[id_] = found[id_]._replace(description=text)
            elif id_ in found and kind in {WITHDRAWN, RESTORED}:
                found[id_] = found[id_]._replace(is_withdrawn=kind == WITHDRAWN)
    return [submission._replace(is_primary=primary.get((submission.team, submission.phase)) == id_) for id_, submission in found.items()]
