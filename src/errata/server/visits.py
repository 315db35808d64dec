"""A request with what handlers need to know: who asks, what the event is like now, and the form that was sent.

Handlers are plain functions, which run in threads.
Who asks is found out before the body of a request is read, so a stranger's upload is refused unread.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from anyio import CapacityLimiter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from errata.event import accounts
from errata.server.bodies import SMALL, allow_body, read_upload
from errata.server.form_checks import require_same_origin, require_utf8
from errata.server.guard import address_of, too_many_attempts
from errata.server.kept_outcomes import KeptOutcomes
from errata.server.kept_previews import KeptPreviews
from errata.server.kept_reports import KeptReports
from errata.server.return_addresses import log_in_address

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping
    from datetime import datetime

    from errata.event.accounts import Account, AccountRole
    from errata.event.event import Event, Moment
    from errata.server.attempts import Attempts
    from errata.server.settings import ServerSettings

_BEARER = "bearer "
_MOST_FIELDS, _MOST_BESIDE_A_FILE = 200, 20
"""Fields are kept in memory; a form without a file is small as a whole."""
_LONGEST_FIELD = 1 << 16
FORM_FILE = "file"
"""The name of the field of a form that has a file."""


class EventSite:
    """What all requests share."""

    def __init__(self, event: Event, settings: ServerSettings, attempts: Attempts) -> None:
        self.event, self.settings, self.attempts = event, settings, attempts
        self.cookie = "__Host-errata" if settings.is_https else "errata"
        self._uploading: dict[bool, CapacityLimiter] = {}
        self._slowly: CapacityLimiter | None = None
        self.reports = KeptReports()
        self.outcomes = KeptOutcomes()
        self.previews = KeptPreviews(event)

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
        """The event."""
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

    def path(self, name: str) -> str:
        """A part of the address."""
        return str(self.request.path_params[name])

    def read_file(self) -> bytes:
        """Read what was uploaded."""
        if self.file is None:
            raise HTTPException(400, "no file was sent; choose one")
        return self.file.read()


Handler = Callable[[Visit], Response]
Endpoint = Callable[[Request], "Awaitable[Response]"]


def page(site: EventSite, handler: Handler, role: AccountRole | None = None, *, is_slow: bool = False) -> Endpoint:
    """Make an endpoint of a handler that shows something, to a role if one is named; of slow ones, one works at a time."""

    def answer(request: Request) -> Response:
        visit = open_visit(site, request)
        if role is not None and (refused := _require(visit, role)) is not None:
            return refused
        return handler(visit)

    async def endpoint(request: Request) -> Response:
        if not is_slow:
            return await run_in_threadpool(answer, request)
        async with site.slowly:  # those that wait here take no thread from others
            return await run_in_threadpool(answer, request)

    return endpoint


def form(site: EventSite, handler: Handler, role: AccountRole | None, *, file: bool = False) -> Endpoint:
    """Make an endpoint of a handler that takes a form, of a role if one is named; with ``file``, one with a file."""

    async def endpoint(request: Request) -> Response:
        require_same_origin(site.settings, request)
        visit = await run_in_threadpool(open_visit, site, request)
        if role is not None and (refused := _require(visit, role)) is not None:
            return refused
        require_utf8(request)
        allow_body(request, site.settings.max_upload + SMALL if file else SMALL)
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
                found = sent.get(FORM_FILE)
                visit.file = found.file if found is not None and not isinstance(found, str) else None
                return await _run(handler, visit, site.limit_uploading(visit.file))
            return await _run(handler, visit)

    return endpoint


def api(site: EventSite, handler: Handler, role: AccountRole | None = None, *, upload: Callable[[Visit], int] | None = None) -> Endpoint:
    """Make an endpoint of a handler that programs ask, with a token; ``upload`` says how many bytes a body may have, and may refuse it."""

    async def endpoint(request: Request) -> Response:
        address = address_of(request.scope)
        token = _token_of(request)
        if not site.attempts.is_known(token) and not site.attempts.is_left(address):
            return too_many_attempts()
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
        with await read_upload(request, most) as body:
            visit.file, visit.received_at = body, site.event.clock()
            return await _run(handler, visit, site.limit_uploading(body))

    return endpoint


_MISSING = "expected a header 'Authorization: Bearer TOKEN' with a token of this event"
_UNKNOWN = "this event does not know the token, or not any more; copy all of it, or ask the organisers for a new one"
_PLURALS: dict[AccountRole, str] = {"organiser": "organisers", "annotator": "annotators", "team": "teams"}
_WITH_ARTICLE: dict[AccountRole, str] = {"organiser": "an organiser", "annotator": "an annotator", "team": "a team"}


async def _run(handler: Handler, visit: Visit, limiter: CapacityLimiter | None = None) -> Response:
    if limiter is None:
        return await run_in_threadpool(handler, visit)
    async with limiter:
        return await run_in_threadpool(handler, visit)


def open_visit(site: EventSite, request: Request) -> Visit:
    """Find out who asks, by the session of a browser."""
    secret = request.cookies.get(site.cookie, "")
    with site.event.database.read() as transaction:
        moment = site.event.moment(transaction)
        viewer = accounts.find_session(transaction, secret, moment.now) if secret else None
    return Visit(site, request, viewer, moment, secret if viewer is not None else "")


def _token_of(request: Request) -> str:
    """The token that a program sent; empty if it sent none."""
    given = request.headers.get("authorization", "")
    return given[len(_BEARER) :].strip() if given[: len(_BEARER)].lower() == _BEARER else ""


def _open_by_token(site: EventSite, request: Request, token: str) -> Visit | None:
    """Find out who asks, by the token of a program."""
    with site.event.database.read() as transaction:
        moment = site.event.moment(transaction)
        viewer = accounts.find_by_token(transaction, token)
    return Visit(site, request, viewer, moment) if viewer is not None else None


def _require(visit: Visit, role: AccountRole) -> Response | None:
    """Send those who are not logged in to the log-in; raise for those who have another role."""
    if visit.viewer is None:
        return RedirectResponse(log_in_address(visit.request), 303)
    if visit.viewer.role != role:
        raise HTTPException(403, f"this page is for {_PLURALS[role]}, and you are logged in as {_WITH_ARTICLE[visit.viewer.role]}")
    return None
