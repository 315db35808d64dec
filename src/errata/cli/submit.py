"""``errata submit``: an output is uploaded to an event."""

from __future__ import annotations

import os
import re
import time
from contextlib import closing, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from errata import __version__
from errata.cli.printing import TABLE, print_json, print_tables
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import InputError, RequestError, UsageError, pluralise, suggest
from errata.formats.lines import decode_text, display_path, open_bytes
from errata.report.progress import print_to_stderr

if TYPE_CHECKING:
    import argparse
    import http.client
    from collections.abc import Iterator
    from urllib.parse import SplitResult

    from errata.cli.parser import Parser
    from errata.report.table import Cell, Table


_ACCEPTED = frozenset({HTTPStatus.OK, HTTPStatus.CREATED})
_LONGEST = 2_000
"""Characters of an error that are shown."""
_MEASURES = ("precision", "recall")
_SHOWN_HASH = 12
_SOON = 3
"""Digits of the seconds after which to try again, if that is said; else the error says when."""


class _Answer(NamedTuple):
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
        from errata.report.table import HEADINGS, Column, Table

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


def _read_answer(address: str, raw: _RawAnswer) -> _Answer:
    """Read an answer; raise if the server is no event, or refuses for a reason that is no list of problems."""
    if HTTPStatus.MULTIPLE_CHOICES <= raw.status < HTTPStatus.BAD_REQUEST:
        where = f" to {raw.location[:200]}" if raw.location else ""
        raise RequestError(f"{address}: the server redirects{where}, and the token is sent to no other address; give the right --server")
    record = _parse(raw.body)
    if raw.status in _ACCEPTED:
        if record is None or not (isinstance(record.get("submission"), dict) or "proposals" in record) or not _are_records(record):
            raise RequestError(f"{address}: the answer is not that of an event; is the address right?")
        return _Answer(is_accepted=True, record={"is_new": raw.status == HTTPStatus.CREATED, **record})
    if record is None or "error" not in record or not _are_records(record):
        raise RequestError(f"{address}: the server answered {_name(raw.status)}, and is perhaps no event; is the address right?")
    refused = _Answer(is_accepted=False, record=record)
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
    import json

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


_VARIABLE = "ERRATA_TOKEN"
_TOKEN = re.compile(r"[\x21-\x7e]{1,500}")
_LONGEST_TOKEN_FILE = 4_096
_TIMEOUT = 120.0
"""Seconds without a byte after which a server is given up."""
_MOST = 1 << 24
"""Bytes of an answer."""
_PAUSE = 1.0
"""Seconds before an upload is sent again."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_AGAIN = frozenset({HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT})
"""What a reverse proxy answers if it has lost the answer of the server."""


class _Upload(NamedTuple):
    """What is sent where."""

    server: str
    phase: str
    token: str
    content: bytes
    description: str
    has_proposals: bool = False
    """Whether it proposes alternative answers, and is no output."""

    @property
    def address(self) -> str:
        """The address that takes it."""
        from urllib.parse import quote

        return f"{self.server}/api/phases/{quote(self.phase, safe='')}/{'proposals' if self.has_proposals else 'submissions'}"


class _RawAnswer(NamedTuple):
    """What a server answered."""

    status: int
    body: bytes
    retry_after: str
    location: str


class _LostError(Exception):
    """Nobody knows whether the upload has arrived."""


def _check_server(address: str, *, plain_http: bool) -> str:
    """Return the address of a server without a slash at its end; raise if a token must not be sent there."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(address)
        usable = bool(parts.hostname) and (parts.port or 1) > 0 and address.isascii() and address.isprintable() and " " not in address
    except ValueError:
        usable = False
    if not usable or parts.scheme not in {"http", "https"} or parts.query or parts.fragment:
        raise UsageError(f"--server: expected an address such as https://task.example.org, found {address[:100]!r}")
    if parts.username is not None or parts.password is not None:
        raise UsageError("--server: an address with a user or a password is not used; a token says who you are")
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK and not plain_http:
        raise UsageError(
            f"--server: over plain HTTP everybody on the way to {parts.hostname} can read the token; expected https://, or --plain-http"
        )
    return address.rstrip("/")


def _find_token(path: str | None) -> str:
    """Find the token of the team, in a file or else in the environment; no message has it."""
    if path is not None:
        with open_bytes(path) as file:
            where, token = display_path(path), decode_text(file.read(_LONGEST_TOKEN_FILE), display_path(path)).strip()
    else:
        where, token = _VARIABLE, os.environ.get(_VARIABLE, "").strip()
        if not token:
            raise UsageError(
                f"the token of the team is missing: set the environment variable {_VARIABLE}, or name a file with --token-file"
            )
    if not _TOKEN.fullmatch(token):
        raise InputError(f"{where}: expected nothing but a token, which has no spaces")
    return token


def _read_upload(path: str) -> bytes:
    """Read the file to upload; raise for what no server accepts."""
    with open_bytes(path) as file:
        content = file.read()
    if not content.strip():
        raise InputError(f"{display_path(path)}: this file is empty, expected one sentence in each line")
    return content


def _find_phases(upload: _Upload) -> list[str]:
    """Ask for the names of the phases that take such a file; none if the server does not say."""
    import json

    kind = "alternatives" if upload.has_proposals else "submissions"
    with suppress(RequestError, _LostError, ValueError, TypeError, KeyError):
        answer = _ask(upload, "GET", f"{upload.server}/api/phases")
        listed = json.loads(answer.body)["phases"] if answer.status == HTTPStatus.OK else []
        return [str(phase["name"]) for phase in listed if phase["kind"] == kind]
    return []


def _send(upload: _Upload) -> _RawAnswer:
    """Send an upload; once more if its answer was lost, which is safe because the same content counts once."""
    try:
        answer = _ask(upload, "POST", upload.address)
    except _LostError:
        answer = None
    if answer is not None and answer.status not in _AGAIN:
        return answer
    time.sleep(_PAUSE)
    try:
        return _ask(upload, "POST", upload.address)
    except _LostError as error:
        raise RequestError(
            f"{upload.server}: the answer was lost, twice ({error}); the same command tries again, and the same file counts once"
        ) from None


def _make_connection(parts: SplitResult) -> http.client.HTTPConnection:
    """Make a connection; with TLS through the proxy of the environment, which passes on what it cannot read."""
    import http.client
    from base64 import b64encode
    from urllib.parse import unquote, urlsplit

    host = parts.hostname or ""
    if parts.scheme != "https":
        return http.client.HTTPConnection(host, parts.port, timeout=_TIMEOUT)
    from urllib.request import getproxies, proxy_bypass

    found = getproxies().get("https", "")
    if not found or host in _LOOPBACK or proxy_bypass(host):
        return http.client.HTTPSConnection(host, parts.port, timeout=_TIMEOUT)
    proxy = urlsplit(found if "://" in found else f"http://{found}")
    connection = http.client.HTTPSConnection(proxy.hostname or "", proxy.port or 80, timeout=_TIMEOUT)
    user = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}" if proxy.username else ""
    headers = {"Proxy-Authorization": f"Basic {b64encode(user.encode()).decode()}"} if user else {}
    connection.set_tunnel(host, parts.port or 443, headers)
    return connection


def _ask(upload: _Upload, method: str, address: str) -> _RawAnswer:
    """Send a request; one that posts has the upload."""
    import http.client
    import ssl
    from urllib.parse import quote, urlsplit

    parts = urlsplit(address)
    body, headers = (
        None,
        {
            "Authorization": f"Bearer {upload.token}",
            "User-Agent": f"errata/{__version__}",
            "Accept": "application/json",
            "Connection": "close",
        },
    )
    if method == "POST":
        body = upload.content
        headers |= {"Content-Type": "text/plain; charset=utf-8", "Errata-Description": quote(upload.description, safe="")}
    with closing(_make_connection(parts)) as connection:
        try:
            connection.connect()
        except ssl.SSLError as error:
            reason = getattr(error, "verify_message", "") or error.reason or error
            raise RequestError(f"{upload.server}: no safe connection: {reason}") from None
        except OSError as error:
            raise RequestError(f"{upload.server}: cannot be reached: {error.strerror or error}") from None
        try:
            with suppress(ConnectionError):  # a server that refuses an upload need not read it, and its answer says why
                connection.request(method, parts.path, body, headers)
            with connection.getresponse() as response:
                named = response.headers
                answer = _RawAnswer(response.status, response.read(_MOST + 1), named.get("Retry-After", ""), named.get("Location", ""))
        except (OSError, http.client.HTTPException) as error:
            raise _LostError(getattr(error, "strerror", None) or str(error) or type(error).__name__) from None
    if len(answer.body) > _MOST:
        raise RequestError(f"{upload.server}: an answer of more than {_MOST:,} bytes, expected that of an event; is the address right?")
    return answer


_SUBMIT_EXAMPLES = """\
examples:
  errata submit out.txt --server http://127.0.0.1:8000 --phase dev
  errata submit out.txt --server https://task.example.org --phase test \\
      --token-file token.txt --description "longer training"
  errata submit answers.m2 --server https://task.example.org --phase answers \\
      --proposals

The token of the team is taken from the environment variable ERRATA_TOKEN, or
from a file; it is never an argument, because other users can read those.
The answer says whether the output was accepted, with its scores if the phase
shows them, or every problem, line by line, as errata check prints them.  What
is refused counts for no limit.  The same file counts once, so it can be sent
again if its answer was lost, which is done once.
With --proposals, the file proposes alternative answers to a gold: a text with
a corrected sentence, or nothing, in each line, or M2 with the same sentences.

Exit status: 0 accepted, 1 refused or not reached, 2 bad usage.
"""


_NOT_FOUND = 404


def _register_submit(commands: argparse._SubParsersAction[Parser]) -> None:
    parser = commands.add_parser(
        "submit",
        help="upload an output to a shared task",
        description="Upload an output to a shared task that runs.",
        epilog=_SUBMIT_EXAMPLES,
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="output of a system: a text with one sentence in each line; or a file of proposals; it may be compressed",
    )
    add_option(parser, "--server", required=True)
    add_option(parser, "--phase", required=True)
    add_options(parser, "--proposals", "--description", "--token-file", "--plain-http")
    add_format(parser, TABLE)
    parser.set_defaults(run=_run_submit)


def _run_submit(options: argparse.Namespace) -> int:
    server = _check_server(options.server, plain_http=options.plain_http)
    token = _find_token(options.token_file)
    upload = _Upload(server, options.phase, token, _read_upload(options.file), options.description, options.proposals)
    raw = _send(upload)
    if raw.status == _NOT_FOUND and (phases := _find_phases(upload)) and upload.phase not in phases:
        what = "proposals" if upload.has_proposals else "outputs"
        raise RequestError(
            f"there is no phase {upload.phase!r} that takes {what}; choose from {', '.join(phases)}{suggest(upload.phase, phases)}"
        )
    answer = _read_answer(upload.address, raw)
    if options.format == "json":
        print_json({"errata": __version__, "accepted": answer.is_accepted, **answer.record})
        return 0 if answer.is_accepted else 1
    return _print_accepted(options, answer) if answer.is_accepted else _print_refused(options, answer)


def _print_accepted(options: argparse.Namespace, answer: _Answer) -> int:
    _print_problems(options, answer)
    if options.format == "table":
        print("\n".join(answer.describe()))
    if answer.scores:
        if options.format == "table":
            print()
        print_tables([answer.make_table()], options.format)
    return 0


def _print_refused(options: argparse.Namespace, answer: _Answer) -> int:
    """Print every problem on standard output, as ``errata check`` does, and the reason as an error."""
    if not answer.problems:
        raise RequestError(answer.error)
    for line in answer.list_problems(options.file):
        print(line)
    errors = sum(problem["severity"] == "error" for problem in answer.problems)
    print_to_stderr(f"errata: error: not accepted, {pluralise(errors, 'error')}; it counts for no limit")
    return 1


def _print_problems(options: argparse.Namespace, answer: _Answer) -> None:
    for line in answer.list_problems(options.file):
        print_to_stderr(f"errata: {line}")


COMMANDS = {"submit": _register_submit}
