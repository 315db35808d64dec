"""Answers that any cache may keep, because everybody gets the same.

How long they may be kept ends before what they show would change without anybody doing something.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response

from errata.server.rendering import render_text

if TYPE_CHECKING:
    from errata.event.event import Moment
    from errata.server.visits import Visit

_KEPT_SECONDS = 30
_IN_MAKING_SECONDS = 2
_TAG_DIGITS = 32


def answer_public(visit: Visit, name: str, *, is_in_making: bool = False, **values: object) -> Response:
    """Answer with a page that does not look at who asks; one of which a part is being made is kept for a moment only."""
    text = render_text(name, visit.moment.definition, visibility=visit.moment.visibility, **values)
    return answer_cached(visit, text.encode(), HTMLResponse.media_type + "; charset=utf-8", is_in_making=is_in_making)


def answer_cached(visit: Visit, content: bytes, kind: str, file_name: str = "", *, is_in_making: bool = False) -> Response:
    """Answer with a hash, so that a cache asks whether something has changed, and need not be sent the same again."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:_TAG_DIGITS]}"'
    seconds = min(_seconds_unchanged(visit.moment), _IN_MAKING_SECONDS if is_in_making else _KEPT_SECONDS)
    headers = {"ETag": tag, "Cache-Control": f"public, max-age={seconds}", "Content-Type": kind}
    if file_name:
        headers["Content-Disposition"] = attachment(file_name)
    if tag in visit.request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers)


def send_file(content: bytes, kind: str, file_name: str) -> Response:
    """Send a file to one who asks, which no cache keeps."""
    return Response(content, headers={"Content-Type": kind, "Content-Disposition": attachment(file_name)})


def attachment(file_name: str) -> str:
    """The value of the header that makes a browser save a file."""
    return f'attachment; filename="{file_name}"'


def _seconds_unchanged(moment: Moment) -> int:
    """How long nothing can become visible or hidden, half a minute at most."""
    instants = [
        instant
        for phase in moment.definition.phases
        for instant in (phase.opens, phase.closes, phase.accepts_until, moment.visibility.published(phase))
        if instant is not None and instant > moment.now
    ]
    left = min(((instant - moment.now).total_seconds() for instant in instants), default=_KEPT_SECONDS)
    return max(0, min(_KEPT_SECONDS, int(left)))
