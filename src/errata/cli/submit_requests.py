"""Sends an upload over HTTP, again if its answer was lost, and reads what the server answers."""

from __future__ import annotations

import http.client
import json
import os
import re
import ssl
import time
from base64 import b64encode
from contextlib import closing, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from errata.errors import InputError, RequestError, UsageError
from errata.formats.lines import decode_text, display_path, open_bytes
from errata.version import __version__

if TYPE_CHECKING:
    from urllib.parse import SplitResult

TOKEN = "ERRATA_TOKEN"  # noqa: S105 - the name of a variable
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


class Upload(NamedTuple):
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
        return f"{self.server}/api/phases/{quote(self.phase, safe='')}/{'proposals' if self.has_proposals else 'submissions'}"


class RawAnswer(NamedTuple):
    """What a server answered."""

    status: int
    body: bytes
    retry_after: str
    location: str


class _LostError(Exception):
    """Nobody knows whether the upload has arrived."""


def check_server(address: str, *, plain_http: bool) -> str:
    """Return the address of a server without a slash at its end; raise if a token must not be sent there."""
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


def find_token(path: str | None) -> str:
    """Find the token of the team, in a file or else in the environment; no message has it."""
    if path is not None:
        with open_bytes(path) as file:
            where, token = display_path(path), decode_text(file.read(_LONGEST_TOKEN_FILE), display_path(path)).strip()
    else:
        where, token = TOKEN, os.environ.get(TOKEN, "").strip()
        if not token:
            raise UsageError(f"the token of the team is missing: set the environment variable {TOKEN}, or name a file with --token-file")
    if not _TOKEN.fullmatch(token):
        raise InputError(f"{where}: expected nothing but a token, which has no spaces")
    return token


def read_upload(path: str) -> bytes:
    """Read the file to upload; raise for what no server accepts."""
    with open_bytes(path) as file:
        content = file.read()
    if not content.strip():
        raise InputError(f"{display_path(path)}: this file is empty, expected one sentence in each line")
    return content


def find_phases(upload: Upload) -> list[str]:
    """Ask for the names of the phases that take such a file; none if the server does not say."""
    kind = "alternatives" if upload.has_proposals else "submissions"
    with suppress(RequestError, _LostError, ValueError, TypeError, KeyError):
        answer = _ask(upload, "GET", f"{upload.server}/api/phases")
        listed = json.loads(answer.body)["phases"] if answer.status == HTTPStatus.OK else []
        return [str(phase["name"]) for phase in listed if phase["kind"] == kind]
    return []


def send(upload: Upload) -> RawAnswer:
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


def _ask(upload: Upload, method: str, address: str) -> RawAnswer:
    """Send a request; one that posts has the upload."""
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
                answer = RawAnswer(response.status, response.read(_MOST + 1), named.get("Retry-After", ""), named.get("Location", ""))
        except (OSError, http.client.HTTPException) as error:
            raise _LostError(getattr(error, "strerror", None) or str(error) or type(error).__name__) from None
    if len(answer.body) > _MOST:
        raise RequestError(f"{upload.server}: an answer of more than {_MOST:,} bytes, expected that of an event; is the address right?")
    return answer
