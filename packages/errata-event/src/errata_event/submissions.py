"""Submissions of teams: stored once and never changed; limits, marks, and which one of a team counts."""

from __future__ import annotations

import re
import secrets
import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, pluralise
from errata_event import audit, contents
from errata_event.instants import end_of_day, from_micros, show_instant, start_of_day, to_micros

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime, tzinfo

    from errata_event.accounts import Account
    from errata_event.database import DatabaseTransaction
    from errata_event.definition import Phase


# --- Texts that participants write: descriptions and comments.  They come from outside, and end in databases, pages and files.

_LINE_ENDS = ("\r\n", "\r")
_ALLOWED = "\n\t"
_REFUSED = {"Cc", "Cs"}
"""Control characters, of which PostgreSQL stores no NUL, and halves of characters, which no encoding has."""
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""With them a text changes the order of what a page shows after it."""


def check_text(text: str, what: str, longest: int) -> str:
    r"""Return a text without white space around it, with line feeds alone; raise if it is too long or has what nobody can see.

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


# --- Submissions of teams: stored once and never changed; limits, marks, and which one of a team counts.
#
# A limit is counted in the transaction that inserts, under a lock of the team, so parallel uploads cannot pass it.
# The same file of the same team in the same phase is one submission: an upload that is sent again, because its answer was lost, counts
# once.

_LONGEST_DESCRIPTION = 2_000
_MOST_MARKS = 1_000
"""Of a submission; nobody needs as many, and all are kept."""
_ADDRESS_BYTES = 9
_ADDRESS = re.compile(r"[A-Za-z0-9_-]{12}")
PRIMARY, WITHDRAWN, RESTORED, DESCRIPTION = "primary", "withdrawn", "restored", "description"
"""Kinds of marks: the newest of a submission counts, and of the primary marks of a team the newest in the phase."""


NO_SUBMISSION = "there is no such submission"


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


def measure_quota(transaction: DatabaseTransaction, phase: Phase, team: int, now: datetime, zone: tzinfo) -> Quota:
    """Count what a team has used, withdrawn submissions included."""
    query = "SELECT count(*), coalesce(sum(CASE WHEN received_at >= ? THEN 1 ELSE 0 END), 0) FROM submissions WHERE team = ? AND phase = ?"
    row = transaction.row(query, to_micros(start_of_day(now, zone)), team, phase.name)
    total, today = (int(row[0]), int(row[1])) if row is not None else (0, 0)
    return Quota(today, phase.per_day, total, phase.per_phase, end_of_day(now, zone))


def name_team_lock(team: int) -> str:
    """The lock under which the submissions of a team are counted and inserted."""
    return f"team {team}"


def find_same(transaction: DatabaseTransaction, phase: Phase, team: int, sha256: str) -> Submission | None:
    """Find the submission of a team with this content."""
    rows = transaction.rows(
        f"SELECT {_COLUMNS} FROM submissions WHERE team = ? AND phase = ? AND sha256 = ?",  # noqa: S608 - constants
        team,
        phase.name,
        sha256,
    )
    return next(iter(_with_marks(transaction, rows)), None)


def accept(
    transaction: DatabaseTransaction, phase: Phase, team: Account, content: bytes, description: str, received_at: datetime, zone: tzinfo
) -> tuple[Submission, bool]:
    """Store an upload that was checked, in a transaction under the lock of the team; raise if a limit is reached.

    Returns the submission, and whether it is new: the same content as before is the submission that it was.
    """
    sha256 = contents.put(transaction, content)
    description = check_description(description)
    if (same := find_same(transaction, phase, team.id, sha256)) is not None:
        if same.is_withdrawn:
            require_marks_left(transaction, same)
            mark(transaction, same, RESTORED, "", received_at, team)
        if description and description != same.description:
            require_marks_left(transaction, same)
            mark(transaction, same, DESCRIPTION, description, received_at, team)
        return find_submission(transaction, same.public_id), False
    if refusal := measure_quota(transaction, phase, team.id, received_at, zone).refusal(zone):
        raise LimitError(refusal)
    row = transaction.row("SELECT coalesce(max(number), 0) + 1 FROM submissions WHERE team = ? AND phase = ?", team.id, phase.name)
    number = int(row[0]) if row is not None else 1
    public_id = secrets.token_urlsafe(_ADDRESS_BYTES)
    id_ = transaction.insert(
        "INSERT INTO submissions (public_id, team, phase, number, received_at, sha256) VALUES (?, ?, ?, ?, ?, ?)",
        public_id,
        team.id,
        phase.name,
        number,
        to_micros(received_at),
        sha256,
    )
    submission = Submission(id_, public_id, team.id, phase.name, number, received_at, sha256)
    if description:
        mark(transaction, submission, DESCRIPTION, description, received_at, team)
    audit.record(transaction, received_at, team.id, "submission accepted", phase=phase.name, number=number, sha256=sha256)
    return submission._replace(description=description), True


def check_description(text: str) -> str:
    """Return a description without white space around it; raise if it is too long, or has what nobody can see."""
    return check_text(text, "a description", _LONGEST_DESCRIPTION)


def require_marks_left(transaction: DatabaseTransaction, submission: Submission) -> None:
    """Raise if a submission was marked as often as it can be."""
    row = transaction.row("SELECT count(*) FROM marks WHERE submission = ?", submission.id)
    if row is not None and row[0] >= _MOST_MARKS:
        raise LimitError(f"a submission can be marked {_MOST_MARKS:,} times")


def mark(transaction: DatabaseTransaction, submission: Submission, kind: str, text: str, now: datetime, account: Account) -> None:
    """Mark a submission as the primary one of its team, withdraw or restore it, or describe it."""
    transaction.run(
        "INSERT INTO marks (submission, kind, text, at, account) VALUES (?, ?, ?, ?, ?)",
        submission.id,
        kind,
        text,
        to_micros(now),
        account.id,
    )
    audit.record(transaction, now, account.id, f"submission marked: {kind}", phase=submission.phase, number=submission.number)


def find_submission(transaction: DatabaseTransaction, public_id: str) -> Submission:
    """Find a submission by its random name, which comes from an address: it may be any text."""
    is_name = _ADDRESS.fullmatch(public_id) is not None
    rows = transaction.rows(f"SELECT {_COLUMNS} FROM submissions WHERE public_id = ?", public_id) if is_name else []  # noqa: S608
    found = _with_marks(transaction, rows)
    if not found:
        raise RequestError(NO_SUBMISSION)
    return found[0]


def list_submissions(transaction: DatabaseTransaction, phase: str, team: int | None = None) -> list[Submission]:
    """List the submissions of a phase, in the order in which they were accepted; of one team if one is named."""
    of_team, values = (" AND team = ?", (phase, team)) if team is not None else ("", (phase,))
    return _with_marks(transaction, transaction.rows(f"SELECT {_COLUMNS} FROM submissions WHERE phase = ?{of_team} ORDER BY id", *values))  # noqa: S608


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
