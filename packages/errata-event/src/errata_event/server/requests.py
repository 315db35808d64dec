"""Requests: what is refused before a handler sees them, their bodies, who asks, and what went wrong."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import os
import re
import traceback
import zlib
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from tempfile import SpooledTemporaryFile, TemporaryFile
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from anyio import CapacityLimiter
from anyio.to_thread import current_default_thread_limiter
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from errata.errors import ErrataError, InputError, RequestError, UsageError
from errata_event.accounts import Account
from errata_event.caching import Cache, PendingError
from errata_event.database import DatabaseUnavailableError
from errata_event.server.rendering import render_text
from errata_event.submissions import LimitError
from errata_event.uploading import ClosedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterator, Mapping
    from datetime import datetime

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from errata_event.accounts import AccountRole
    from errata_event.answers.golds import AnswerPreview
    from errata_event.answers.outcomes import AnswerOutcome
    from errata_event.definition import Phase
    from errata_event.event import Event, Moment
    from errata_event.server.settings import ServerSettings


BACK = "next"
"""The field of the log-in form, and of its address, with the page that needed the log-in, which is always a page of this server."""
_LOCAL = re.compile(r"/(?:[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*/?)?(?:\?[A-Za-z0-9._~=&-]*)?")
_LONGEST = 500


def _log_in_address(request: Request) -> str:
    back = find_return(_page_of(request))
    return f"{LOGIN}?{urlencode({BACK: back})}" if back else LOGIN


def find_return(path: str) -> str:
    """Return a path that leads to a page of this server; nothing if it might lead elsewhere.

    >>> find_return("/team/submissions/a-1?page=2"), find_return("//example.org/"), find_return("https://example.org")
    ('/team/submissions/a-1?page=2', '', '')
    """
    return path if len(path) <= _LONGEST and _LOCAL.fullmatch(path) else ""


def _page_of(request: Request) -> str:
    """The page that was asked for, or that had the form."""
    if request.method != "POST":
        return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    referrer = urlsplit(request.headers.get("referer", ""))
    return referrer.path if referrer.netloc == request.headers.get("host", "") else ""


# How often an address may try to log in: there is a bucket of attempts for each address.
# Nobody can guess a token of 256 bits; the limit keeps those who try from taking the time of others.
# There is no limit of all addresses together: whoever has some of them could shut out everybody else.
# It is asked before anything else is done for a request, and needs no database.
# A token that was right before is looked up whatever others try at the same address, such as that of a university or a proxy.

_MOST_ADDRESSES = 10_000
_MOST_KNOWN = 10_000
_MINUTE = 60.0


class Attempts:
    """Counts attempts; used by the event loop only."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._per_minute, self._clock = per_minute, clock
        self._buckets: Cache[str, tuple[float, float]] = Cache(_MOST_ADDRESSES)
        self._known: Cache[bytes, bool] = Cache(_MOST_KNOWN)

    def take(self, address: str) -> bool:
        """Take an attempt of an address; return whether there was one left."""
        level, now = self._level(address)
        self._buckets.put(address, (level - 1 if level >= 1 else level, now))
        return level >= 1

    def is_left(self, address: str) -> bool:
        return self._level(address)[0] >= 1

    def know(self, token: str) -> None:
        """Note that a token was right; only its hash is kept."""
        self._known.put(_hash(token), value=True)

    def forget(self, token: str) -> None:
        """Note that a token is not right."""
        self._known.drop(_hash(token))

    def is_known(self, token: str) -> bool:
        """Whether a token was right when it was last seen."""
        return self._known.get(_hash(token)) is not None

    def _level(self, address: str) -> tuple[float, float]:
        now, most = self._clock(), self._per_minute
        level, since = self._buckets.get(address) or (float(most), now)
        return min(float(most), level + (now - since) * most / _MINUTE), now


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _require_same_origin(settings: ServerSettings, request: Request) -> None:
    """Refuse forms of other sites, before anything is looked up."""
    origin, fetched = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
    own = settings.public_url.rstrip("/") or f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    if (origin is not None and _site_of(origin) != _site_of(own)) or fetched not in {"same-origin", "none"}:
        raise HTTPException(403, "forms of other sites are refused")


def _site_of(url: str) -> tuple[str, str] | None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return parts.scheme, parts.netloc.lower()


def _require_utf8(request: Request) -> None:
    """Refuse a form that says it is not in UTF-8: others could be decoded to what is no text, or take long."""
    kind = request.headers.get("content-type", "").lower()
    if "charset" in kind and (kind.count("charset") > 1 or not re.search(r';\s*charset=("utf-8"|utf-8)\s*(;|$)', kind)):
        raise HTTPException(415, "forms must be in UTF-8")


_MOST_CAUSES = 5


def _describe_failure(error: BaseException) -> str:
    """Describe an error that nobody expected in one line for the log: its kind and where it happened.

    Its message may quote what it was about, such as a row of the database or a text, so it is left out.

    >>> try:
    ...     int("a secret")
    ... except ValueError as error:
    ...     print(_describe_failure(error))
    ValueError at <module> (<doctest ...>:2)
    """
    described: list[str] = []
    current: BaseException | None = error
    while current is not None and len(described) < _MOST_CAUSES:
        frames = [f"{frame.name} ({frame.filename}:{frame.lineno})" for frame in traceback.extract_tb(current.__traceback__)]
        described.append(f"{type(current).__name__} at {' > '.join(frames)}")
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "; caused by ".join(described)


_TITLES = {
    400: "This request cannot be understood",
    401: "Log in first",
    403: "This is not for you",
    404: "There is no such page",
    405: "This address takes another kind of request",
    408: "The request took too long",
    409: "This is not possible now",
    413: "This is too large",
    415: "This cannot be read",
    422: "This was refused",
    429: "Not now",
    500: "Something went wrong",
    503: "Not now",
}
_RETRY_SECONDS: dict[type[ErrataError], int] = {PendingError: 5, DatabaseUnavailableError: 30}
"""After how many seconds somebody should try again."""
_log = logging.getLogger("uvicorn.error")


class NotFoundError(RequestError):
    """There is no such thing, or the viewer may not know of it: both are told alike."""


class _TooLargeError(RequestError):
    """The file of a form is too large."""


def status_of(error: ErrataError) -> int:
    """The status of an answer that tells of an error; the log says why the database cannot be used, and nobody else learns it."""
    if isinstance(error, DatabaseUnavailableError):
        _log.error("%s", error.detail)
    kinds: tuple[tuple[type[ErrataError], int], ...] = (
        (NotFoundError, 404),
        (PendingError, 503),
        (DatabaseUnavailableError, 503),
        (LimitError, 429),
        (_TooLargeError, 413),
        (ClosedError, 409),
        (RequestError, 409),
        (UsageError, 400),
    )
    return next((status for kind, status in kinds if isinstance(error, kind)), 422)


def make_handlers(site: EventSite) -> dict[int | type[Exception], Callable[[Request, Exception], Response]]:
    """Make what answers exceptions."""

    def refuse(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return _answer(site, request, error.status_code, error.detail, dict(error.headers or {}))
        seconds = next((seconds for kind, seconds in _RETRY_SECONDS.items() if isinstance(error, kind)), None)
        headers = {"Retry-After": str(seconds)} if seconds is not None else {}
        return _answer(site, request, status_of(error) if isinstance(error, ErrataError) else 500, str(error), headers)

    def fail(request: Request, error: Exception) -> Response:
        # The log has what was asked for and where it failed, and nothing that was sent.
        _log.error("%s %.200s failed: %s", request.method, ascii(request.scope["path"]), _describe_failure(error))
        return _answer(site, request, 500, "this is an error of errata or of its database; the organisers' log says more", {})

    def forget(_: Request, __: Exception) -> Response:
        return PlainTextResponse("the request did not arrive completely\n", 400)  # nobody reads it

    return {HTTPException: refuse, ErrataError: refuse, ClientDisconnect: forget, Exception: fail}


def _answer(site: EventSite, request: Request, status: int, message: str, headers: dict[str, str]) -> Response:
    if request.scope["path"].startswith("/api/"):
        return JSONResponse({"error": message}, status, headers)
    try:
        definition = site.event.moment().definition
    except ErrataError:  # the database is away
        return PlainTextResponse(f"{message}\n", status, headers)
    title = _TITLES.get(status, "This is not possible")
    return HTMLResponse(render_text("problem.html", definition, title=title, message=message, status=status), status, headers)


# The bodies of requests are bounded in bytes and in time before memory is spent, and decompressed piece by piece.  A body of any size is
# read into a file without a name; only its beginning is in memory.

_SMALL = 1 << 17
"""Bytes of a body that is no upload."""
_IN_MEMORY = 1 << 14
"""Bytes of a body that wait in memory; there may be hundreds that arrive slowly."""
_DECOMPRESSED = 1 << 16
"""Bytes that are decompressed at once."""
_DRAINED = 1 << 25
"""Bytes that are read and forgotten after a refusal, so that the client reads it before it sees a closed connection."""
_DRAINING_SECONDS = 5.0
_GZIP_WINDOW = 31
_STATE = "errata.body"
"""The key of the scope of a request that has its :class:`_LimitedBody`."""


class _LimitedBody:
    """Receives the body of a request within a limit, which handlers of uploads raise."""

    def __init__(self, receive: Receive, declared: int | None, seconds: float, upload_seconds: float) -> None:
        self._receive, self._declared = receive, declared
        self._begun_at = asyncio.get_running_loop().time()
        self._ends_at = self._begun_at + seconds
        self._upload_seconds = upload_seconds
        self._read = 0
        self.most = _SMALL
        self.is_complete = False

    def allow(self, most: int) -> None:
        """Set the limit; a body that may be large may also take longer."""
        self.most = most
        if most > _SMALL:
            self._ends_at = self._begun_at + self._upload_seconds

    async def __call__(self) -> Message:
        if (self._declared or 0) > self.most:
            raise _too_large(self.most)
        if self.is_complete:
            return await self._receive()  # waits until the client goes away
        try:
            async with asyncio.timeout_at(self._ends_at):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, "the request took too long to arrive", {"Connection": "close"}) from None
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            self.is_complete = not message.get("more_body", False)
            if self._read > self.most:
                raise _too_large(self.most)
        return message

    async def drain(self, seconds: float = _DRAINING_SECONDS) -> None:
        """Read some of what a refused client still sends."""
        read = 0
        try:
            async with asyncio.timeout(seconds):
                while not self.is_complete and read < _DRAINED:
                    message = await self._receive()
                    if message["type"] != "http.request":
                        return
                    read += len(message.get("body", b""))
                    self.is_complete = not message.get("more_body", False)
        except TimeoutError:
            return


def _allow_body(request: Request, most: int) -> None:
    request.scope[_STATE].allow(most)


async def _read_upload(request: Request, most: int) -> IO[bytes]:
    """Read an upload that is the whole body, which may be compressed by gzip, into a file; raise if it has more bytes than allowed."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in {"identity", "gzip"}:
        raise HTTPException(415, f"the body may be sent as it is or with Content-Encoding: gzip, found {encoding[:40]!r}", _CLOSE)
    _allow_body(request, most)
    file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - who reads it closes it
    try:
        unpack = _Gunzip(most) if encoding == "gzip" else None
        async for piece in request.stream():
            if unpack is None:
                file.write(piece)
            else:
                for unpacked in unpack.add(piece):
                    file.write(unpacked)
                    await asyncio.sleep(0)  # others are served meanwhile
        if unpack is not None:
            unpack.end()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


_CLOSE = {"Connection": "close"}
MultiPartParser.spool_max_size = _IN_MEMORY
"""The files of forms too are on disk."""


class _Gunzip:
    """Decompresses one member of gzip, never more than allowed."""

    def __init__(self, most: int) -> None:
        self._unpack = zlib.decompressobj(_GZIP_WINDOW)
        self._left = most
        self._most = most

    def add(self, piece: bytes) -> Iterator[bytes]:
        """Decompress a piece, a part at a time."""
        try:
            while piece and not self._unpack.eof:
                unpacked = self._unpack.decompress(piece, _DECOMPRESSED)
                piece = self._unpack.unconsumed_tail
                self._left -= len(unpacked)
                if self._left < 0:
                    raise _too_large(self._most)
                yield unpacked
        except zlib.error:
            raise HTTPException(400, "the body is not compressed by gzip, as its Content-Encoding says", _CLOSE) from None
        if self._unpack.eof and (piece or self._unpack.unused_data):
            raise HTTPException(400, "the body has something after its gzip data", _CLOSE)

    def end(self) -> None:
        """Raise if something is missing."""
        if not self._unpack.eof:
            raise HTTPException(400, "the gzip data of the body are not complete", _CLOSE)


def _too_large(most: int) -> HTTPException:
    return HTTPException(413, f"expected at most {most:,} bytes, found more", _CLOSE)


# Answers leave with security headers, and large ones from disk, so that a client that does not read costs little memory.

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""What pages may load: only what the server itself has."""
REPORT_POLICY = "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
"""Report pages have a policy of their own inside; here they lose the origin of the server, so their script cannot act for its reader."""
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without a referrer, browsers do not say which site a form comes from
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Content-Security-Policy": _POLICY,
    "Cache-Control": "no-store",
}
_HTTPS_ONLY = "max-age=31536000"
_READ_SECONDS = 0.01
PIECE = 1 << 14
"""Bytes that are sent at once; what is larger waits on disk."""


def secure_headers(*, is_https: bool) -> dict[str, str]:
    """Make the headers of every answer that does not set them itself."""
    return {**_HEADERS, "Strict-Transport-Security": _HTTPS_ONLY} if is_https else _HEADERS


class _SentAnswer:
    """Sends one answer.  ``body`` is that of the request, if it has one: the rest is read before the answer ends."""

    def __init__(self, send: Send, headers: dict[str, str], body: _LimitedBody | None) -> None:
        self._send, self._headers, self._body = send, headers, body
        self._waiting: IO[bytes] | None = None
        self._left = 0
        self.has_begun = False

    async def send(self, message: Message) -> None:
        """Send a message; the one with a large body is kept until :meth:`finish`, when whoever made it has let go of it."""
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)
            if self._is_unread() and self._body is not None:
                await self._body.drain(_READ_SECONDS)  # what is here already
            if self._is_unread():
                headers["Connection"] = "close"  # nobody reads the rest of the request
            await self._send(message)
        elif message.get("more_body", False):  # it comes in pieces already
            await self._send(message)
        elif len(message.get("body", b"")) <= PIECE:
            await self._send_last(message.get("body", b""))
        else:
            self._waiting = TemporaryFile()  # noqa: SIM115 - closed by finish
            self._left = self._waiting.write(message["body"])
            self._waiting.seek(0)

    async def finish(self) -> None:
        """Send what waits on disk."""
        if self._waiting is None:
            return
        with self._waiting as file:
            while self._left > PIECE:
                self._left -= PIECE
                await self._send({"type": "http.response.body", "body": file.read(PIECE), "more_body": True})
                await asyncio.sleep(0)  # so that a connection that was lost is known to be
            await self._send_last(file.read(PIECE))

    async def _send_last(self, piece: bytes) -> None:
        if self._is_unread() and self._body is not None:
            # A connection that is closed before all has arrived is reset, and the client may never see the answer.
            await self._send({"type": "http.response.body", "body": piece, "more_body": True})
            await self._body.drain()
            piece = b""
        await self._send({"type": "http.response.body", "body": piece, "more_body": False})

    def _is_unread(self) -> bool:
        return self._body is not None and not self._body.is_complete


LOGIN = "/login"
_THREADS = 16
"""Handlers that run at a time: as many as PostgreSQL gives connections; each has memory of its own, also for what SQLite keeps."""
_HOST_BITS = 64


class Guard:
    """An ASGI application around another: it limits what every request may take, and refuses requests before routing."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, attempts: Attempts) -> None:
        self._app, self._settings, self._attempts = app, settings, attempts
        self._headers = secure_headers(is_https=settings.is_https)
        self._has_threads = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if not self._has_threads:  # needs a running event loop
            current_default_thread_limiter().total_tokens = _THREADS
            self._has_threads = True
        body = _LimitedBody(receive, _declared(scope), self._settings.header_seconds, self._settings.body_seconds)
        scope[_STATE] = body
        answer = _SentAnswer(send, self._headers, body if _has_body(scope) else None)
        try:
            if (refused := self._refuse(scope)) is not None:
                await refused(scope, receive, answer.send)
            else:
                await self._app(scope, body, answer.send)
        except Exception as error:  # noqa: BLE001 - a handler of errors has answered and logged it, unless it failed itself
            if not answer.has_begun:
                _log.error("%s failed: %s", scope["method"], _describe_failure(error))
                await PlainTextResponse("this is an error of errata or of its database\n", 500)(scope, receive, answer.send)
        await answer.finish()

    def _refuse(self, scope: Scope) -> PlainTextResponse | None:
        """Refuse a request that cannot be meant for this server, or comes too often."""
        host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), None)
        if host is not None and not self._settings.allows_host(host):
            return PlainTextResponse("this server has another name\n", 421)
        if not scope["path"].isprintable() or b"%00" in scope["query_string"]:
            return PlainTextResponse("the address has characters that no address here has\n", 400)
        if scope["method"] == "POST" and scope["path"] == LOGIN and not self._attempts.take(_address_of(scope)):
            return _too_many_attempts()
        return None


def _too_many_attempts() -> PlainTextResponse:
    return PlainTextResponse("too many attempts to log in; wait a minute\n", 429, {"Retry-After": "60"})


def _address_of(scope: Scope) -> str:
    """The address of a client; of version 6 its network, because everybody has a whole one.

    >>> [_address_of({"client": (host, 1)}) for host in ("192.0.2.7", "2001:db8:1:2:3::4", "::ffff:192.0.2.7", "testclient")]
    ['192.0.2.7', '2001:db8:1:2::', '192.0.2.7', 'testclient']
    """
    client = scope.get("client")
    if not client or ":" not in client[0]:
        return client[0] if client else "unknown"
    try:
        found = IPv6Address(client[0])
    except ValueError:
        return str(client[0])
    return str(found.ipv4_mapped or IPv6Address(int(found) >> _HOST_BITS << _HOST_BITS))


def _declared(scope: Scope) -> int | None:
    value = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return int(value) if value.isdigit() else None


def _has_body(scope: Scope) -> bool:
    return any(name in {b"content-length", b"transfer-encoding"} and value not in {b"", b"0"} for name, value in scope["headers"])


# Handlers are plain functions of a :class:`Visit`, which run in threads.  Who asks is found out before the body of a request is read, so a
# stranger's upload is refused unread.

_BEARER = "bearer "
_MOST_FIELDS, _MOST_BESIDE_A_FILE = 200, 20
"""Fields are kept in memory; a form without a file is small as a whole."""
_LONGEST_FIELD = 1 << 16
_MOST_DIGITS = 7
_FORM_FILE = "file"
"""The name of the field of a form that has a file."""


_MOST_REPORTS, _MOST_REPORT_BYTES = 1_000, 48_000_000
_MOST_PHASES = 50
_OUTCOME_SECONDS = 30.0
"""As long as caches may keep the page."""


class Preview(NamedTuple):
    """The tables with what is accepted so far, as they were at an instant."""

    made_at: datetime
    """When making them began."""
    previews: list[AnswerPreview]
    is_current: bool = False
    """Whether they were made for who asks."""


class EventSite:
    """What all requests share."""

    def __init__(self, event: Event, settings: ServerSettings, attempts: Attempts) -> None:
        self.event, self.settings, self.attempts = event, settings, attempts
        self.cookie = "__Host-errata" if settings.is_https else "errata"
        self._uploading: dict[bool, CapacityLimiter] = {}
        self._slowly: CapacityLimiter | None = None
        self.reports: Cache[tuple[str, int, str, str, str], bytes] = Cache(_MOST_REPORTS, _MOST_REPORT_BYTES)
        """Report pages, which take a second or more."""
        self.outcomes: Cache[str, AnswerOutcome] = Cache(_MOST_PHASES, ttl=_OUTCOME_SECONDS)
        """What became of alternative answers: everybody may ask, and counting tens of thousands of items takes long."""
        self.previews: Cache[str, Preview] = Cache(_MOST_PHASES)
        """What organisers last saw of the tables with what is accepted so far; making them may take minutes."""

    def limit_uploading(self, file: IO[bytes] | None) -> CapacityLimiter:
        """Find which uploads are in memory at a time with this one; the others wait on disk, and all other requests pass them by.

        The sentences of a large upload take up to thirty times its bytes, so there is one of them at a time, which delays no others.
        """
        is_large = file is not None and file.seek(0, os.SEEK_END) > _LARGE
        if file is not None:
            file.seek(0)
        if is_large not in self._uploading:  # needs a running event loop
            self._uploading[is_large] = CapacityLimiter(1 if is_large else _UPLOADS_AT_A_TIME)
        return self._uploading[is_large]

    @property
    def slowly(self) -> CapacityLimiter:
        """Slow pages that are made at a time."""
        if self._slowly is None:
            self._slowly = CapacityLimiter(1)
        return self._slowly


_UPLOADS_AT_A_TIME, _LARGE = 2, 1 << 20
"""More would wait for each other anyway, and make pages wait too: Python runs one thread at a time."""


@dataclass
class Visit:
    """A request, and who makes it."""

    site: EventSite
    request: Request
    viewer: Account | None
    moment: Moment
    session: str = ""
    """The secret of the session of a browser."""
    form: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, list[str]] = field(default_factory=dict)
    """All values of fields that occur several times."""
    file: IO[bytes] | None = None
    """The file of a form, or the body of a request."""
    received_at: datetime | None = None
    """When all that was sent had arrived, though the request waited for others then; None of what only asks."""

    @property
    def event(self) -> Event:
        return self.site.event

    @property
    def account(self) -> Account:
        """Who asks, where somebody must."""
        if self.viewer is None:
            raise HTTPException(401, "log in first")
        return self.viewer

    @property
    def csrf(self) -> str:
        """What forms must send back, which other sites cannot know."""
        return hmac.new(self.session.encode(), b"csrf", hashlib.sha256).hexdigest()

    @property
    def phase(self) -> Phase:
        """The phase that the address names."""
        name = self.path("phase")
        for phase in self.moment.definition.phases:
            if phase.name == name:
                return phase
        raise NotFoundError("there is no such phase")

    @property
    def answers_phase(self) -> Phase:
        """The phase of alternative answers that the address names."""
        phase = self.phase
        if not phase.is_answers:
            raise NotFoundError(f"no alternative answers are proposed in {phase.name}")
        return phase

    @property
    def page_number(self) -> int:
        """The number of a page in the address; 1 if it has none."""
        text = self.request.query_params.get("page", "1")
        return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < _MOST_DIGITS and int(text) else 1

    @property
    def site_address(self) -> str:
        """How programs reach the server: at its public address, or where it listens; never what a request says."""
        settings = self.site.settings
        if settings.public_url:
            return settings.public_url.rstrip("/")
        host, port = self.request.scope.get("server") or (settings.host, settings.port)
        return f"http://[{host}]:{port}" if ":" in str(host) else f"http://{host}:{port}"

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def read_file(self) -> bytes:
        """Read what a program uploaded."""
        if self.file is None:
            raise HTTPException(400, "no file was sent; choose one")
        return self.file.read()

    def read_form_file(self, most: int) -> bytes:
        """Read the file of a form; raise if there is none, or it has more bytes than ``most``."""
        if self.file is None:
            raise InputError("no file was sent; choose one")
        content = self.file.read(most + 1)
        if len(content) > most:
            raise _TooLargeError(_too_large(most).detail)
        return content

    def render(self, name: str, status: int = 200, **values: Any) -> Response:
        """Fill a template for who asks."""
        named = {"visit": self, "viewer": self.viewer, "visibility": self.moment.visibility, **values}
        return HTMLResponse(render_text(name, self.moment.definition, **named), status)


_Handler = Callable[[Visit], Response]
_Endpoint = Callable[[Request], "Awaitable[Response]"]


def page(site: EventSite, handler: _Handler, role: AccountRole | None = None, *, is_slow: bool = False) -> _Endpoint:
    """Make an endpoint of a handler that shows something, to a role if one is named; of slow ones, one works at a time."""

    def answer(request: Request) -> Response:
        visit = _open_visit(site, request)
        if role is not None and (refused := _require(visit, role)) is not None:
            return refused
        return handler(visit)

    async def endpoint(request: Request) -> Response:
        async with site.slowly if is_slow else nullcontext():  # those that wait here take no thread from others
            return await run_in_threadpool(answer, request)

    return endpoint


def form(site: EventSite, handler: _Handler, role: AccountRole | None, *, file: bool = False) -> _Endpoint:
    """Make an endpoint of a handler that takes a form, of a role if one is named; with ``file``, one with a file."""

    async def endpoint(request: Request) -> Response:
        _require_same_origin(site.settings, request)
        visit = await run_in_threadpool(_open_visit, site, request)
        if role is not None and (refused := _require(visit, role)) is not None:
            return refused
        _require_utf8(request)
        _allow_body(request, site.settings.max_upload + _SMALL if file else _SMALL)
        most_fields = _MOST_BESIDE_A_FILE if file else _MOST_FIELDS
        async with request.form(max_files=1 if file else 0, max_fields=most_fields, max_part_size=_LONGEST_FIELD) as sent:
            visit.received_at = site.event.clock()
            visit.lists = {key: [text for text in sent.getlist(key) if isinstance(text, str)] for key in sent}
            if any("\0" in text for key, texts in visit.lists.items() for text in (key, *texts)):
                raise HTTPException(400, "a field of the form has a NUL character")
            visit.form = {key: texts[0] for key, texts in visit.lists.items() if texts}
            if role is not None and not hmac.compare_digest(visit.form.get("csrf", "").encode(), visit.csrf.encode()):
                raise HTTPException(
                    403, "this form is too old, or comes from another site; go back, load the page again, and send it again"
                )
            if file:
                found = sent.get(_FORM_FILE)
                visit.file = found.file if found is not None and not isinstance(found, str) else None
                return await _run(handler, visit, site.limit_uploading(visit.file))
            return await _run(handler, visit)

    return endpoint


def api(site: EventSite, handler: _Handler, role: AccountRole | None = None, *, upload: Callable[[Visit], int] | None = None) -> _Endpoint:
    """Make an endpoint of a handler that programs ask, with a token; ``upload`` says how many bytes a body may have, and may refuse it."""

    async def endpoint(request: Request) -> Response:
        address = _address_of(request.scope)
        token = _token_of(request)
        if not site.attempts.is_known(token) and not site.attempts.is_left(address):
            return _too_many_attempts()
        visit = await run_in_threadpool(_open_by_token, site, request, token)
        if visit is None:
            site.attempts.take(address)
            site.attempts.forget(token)
            raise HTTPException(401, _UNKNOWN if token else _MISSING, {"WWW-Authenticate": "Bearer"})
        site.attempts.know(token)
        if role is not None and visit.account.role != role:
            raise HTTPException(403, f"only {_PLURALS[role]} can do this, and this token is that of {_WITH_ARTICLE[visit.account.role]}")
        if upload is None:
            return await _run(handler, visit)
        most = await run_in_threadpool(upload, visit)
        with await _read_upload(request, most) as body:
            visit.file, visit.received_at = body, site.event.clock()
            return await _run(handler, visit, site.limit_uploading(body))

    return endpoint


_MISSING = "expected a header 'Authorization: Bearer TOKEN' with a token of this event"
_UNKNOWN = "this event does not know the token, or not any more; copy all of it, or ask the organisers for a new one"
_PLURALS: dict[AccountRole, str] = {"organiser": "organisers", "annotator": "annotators", "team": "teams"}
_WITH_ARTICLE: dict[AccountRole, str] = {"organiser": "an organiser", "annotator": "an annotator", "team": "a team"}


async def _run(handler: _Handler, visit: Visit, limiter: CapacityLimiter | None = None) -> Response:
    async with limiter or nullcontext():
        return await run_in_threadpool(handler, visit)


def _open_visit(site: EventSite, request: Request) -> Visit:
    secret = request.cookies.get(site.cookie, "")
    with site.event.database.read() as transaction:
        moment = site.event.moment(transaction)
        viewer = Account.of_session(transaction, secret, moment.now) if secret else None
    return Visit(site, request, viewer, moment, secret if viewer is not None else "")


def _token_of(request: Request) -> str:
    """The token that a program sent; empty if it sent none."""
    given = request.headers.get("authorization", "")
    return given[len(_BEARER) :].strip() if given[: len(_BEARER)].lower() == _BEARER else ""


def _open_by_token(site: EventSite, request: Request, token: str) -> Visit | None:
    with site.event.database.read() as transaction:
        moment = site.event.moment(transaction)
        viewer = Account.of_token(transaction, token)
    return Visit(site, request, viewer, moment) if viewer is not None else None


def _require(visit: Visit, role: AccountRole) -> Response | None:
    """Send those who are not logged in to the log-in; raise for those who have another role."""
    if visit.viewer is None:
        return RedirectResponse(_log_in_address(visit.request), 303)
    if visit.viewer.role != role:
        raise HTTPException(403, f"this page is for {_PLURALS[role]}, and you are logged in as {_WITH_ARTICLE[visit.viewer.role]}")
    return None
