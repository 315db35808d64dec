"""What a server says about an upload, checked before anything of it is shown."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.errors import RequestError, pluralise
from errata.formats.lines import display_path
from errata.report.table import HEADINGS, Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.cli.submit_requests import RawAnswer
    from errata.report.table import Cell

_ACCEPTED = frozenset({HTTPStatus.OK, HTTPStatus.CREATED})
_LONGEST = 2_000
"""Characters of an error that are shown."""
_MEASURES = ("precision", "recall")
_SHOWN_HASH = 12
_SOON = 3
"""Digits of the seconds after which to try again, if that is said; else the error says when."""


class Answer(NamedTuple):
    """The answer to an upload."""

    is_accepted: bool
    record: dict[str, Any]
    """All that the server said."""

    @property
    def error(self) -> str:
        """Why the upload is refused."""
        return str(self.record.get("error", ""))[:_LONGEST]

    @property
    def problems(self) -> list[dict[str, Any]]:
        """Errors and warnings, each with a line, if it is about one."""
        listed: list[dict[str, Any]] = self.record.get("problems") or []
        return listed

    @property
    def scores(self) -> list[dict[str, Any]]:
        """The scores; none while the phase hides them."""
        listed: list[dict[str, Any]] = self.record.get("scores") or []
        return listed

    def list_problems(self, path: str) -> Iterator[str]:
        """Write problems as ``errata check`` does."""
        for problem in self.problems:
            line = problem.get("line")
            yield f"{problem['severity']}: {display_path(path)}{f':{line}' if line else ''}: {problem['message']}"

    def describe(self) -> list[str]:
        """Say what was accepted, and how much is left."""
        if "proposals" in self.record:
            added = sum(bool(one.get("new")) for one in self.record["proposals"])
            said = f"accepted: {pluralise(len(self.record['proposals']), 'proposal')}, {added:,} of them new"
            return [said, *self._describe_quota("proposal")]
        submission = self.record["submission"]
        number, phase = submission.get("number"), submission.get("phase")
        sha256 = str(submission.get("sha256", ""))[:_SHOWN_HASH]
        new = "accepted" if self.record["is_new"] else "accepted already, the same file"
        lines = [f"{new}: submission {number} of the phase {phase}, received {submission.get('received_at')}, sha256 {sha256}"]
        if submission.get("counts") is False and self.record.get("entry") is not None:
            lines.append(f"but submission {self.record['entry']} counts; mark submission {number} as primary on its page if it is to count")
        if not self.scores:
            lines.append("the phase does not show scores now")
        return [*lines, *self._describe_quota()]

    def _describe_quota(self, what: str = "submission") -> list[str]:
        quota = self.record.get("quota") or {}
        if quota.get("left") is None:
            return []
        used = [
            f"{quota.get(key)} of {quota.get(most)} {when}"
            for key, most, when in (("today", "per_day", "today"), ("total", "per_phase", "in the phase"))
            if quota.get(most)
        ]
        return [f"{pluralise(int(quota['left']), what)} left: {' and '.join(used)} used"]

    def make_table(self) -> Table:
        """Make a table of the scores, with precision and recall if a metric has them; JSON has all parts."""
        measures = [name for name in _MEASURES if any(name in _parts(score) for score in self.scores)]
        columns = (
            Column("Metric", key="metric"),
            Column("Score", key="label"),
            *(Column(HEADINGS[name], "percent", name) for name in measures),
            Column("Value", "percent", "value"),
        )
        rows: list[tuple[Cell, ...]] = [
            (score.get("metric"), score.get("label"), *(_parts(score).get(name) for name in measures), score.get("value"))
            for score in self.scores
        ]
        notes = [str(note) for score in self.scores for note in (score.get("signature"), score.get("problem")) if note]
        return Table(columns, tuple(rows), notes=tuple(notes))


def _parts(score: dict[str, Any]) -> dict[str, Any]:
    parts = score.get("parts")
    return parts if isinstance(parts, dict) else {}


def read_answer(address: str, raw: RawAnswer) -> Answer:
    """Read an answer; raise if the server is no event, or refuses for a reason that is no list of problems."""
    if HTTPStatus.MULTIPLE_CHOICES <= raw.status < HTTPStatus.BAD_REQUEST:
        where = f" to {raw.location[:200]}" if raw.location else ""
        raise RequestError(f"{address}: the server redirects{where}, and the token is sent to no other address; give the right --server")
    record = _parse(raw.body)
    if raw.status in _ACCEPTED:
        if record is None or not (isinstance(record.get("submission"), dict) or "proposals" in record) or not _are_records(record):
            raise RequestError(f"{address}: the answer is not that of an event; is the address right?")
        return Answer(is_accepted=True, record={"is_new": raw.status == HTTPStatus.CREATED, **record})
    if record is None or "error" not in record or not _are_records(record):
        raise RequestError(f"{address}: the server answered {_name(raw.status)}, and is perhaps no event; is the address right?")
    refused = Answer(is_accepted=False, record=record)
    if raw.status == HTTPStatus.UNPROCESSABLE_ENTITY:
        return refused
    is_soon = raw.retry_after.isascii() and raw.retry_after.isdecimal() and len(raw.retry_after) <= _SOON
    later = f"; try again in {raw.retry_after} seconds" if is_soon else ""
    raise RequestError(f"{refused.error or _name(raw.status)}{later}")


def _name(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _parse(body: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _are_records(record: dict[str, Any]) -> bool:
    """Whether lists have what is read of them."""
    problems, scores, proposals = (record.get(key) or [] for key in ("problems", "scores", "proposals"))
    return (
        isinstance(problems, list)
        and isinstance(scores, list)
        and isinstance(proposals, list)
        and all(isinstance(item, dict) and "severity" in item and "message" in item for item in problems)
        and all(isinstance(item, dict) for item in (*scores, *proposals))
    )
