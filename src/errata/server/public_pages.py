"""Pages that everybody sees alike, so any cache may keep them: the event, its leaderboards, and the texts to be corrected.

They do not look at who asks.  How long they may be kept ends before what they show would change by itself.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response

from errata.event import gold_versions
from errata.event.results import find_board
from errata.event.submissions import count_submissions
from errata.server.failures import NotFoundError
from errata.server.rendering import read_static, render_text

if TYPE_CHECKING:
    from errata.event.event import Event, Moment
    from errata.event.gold_versions import GoldVersion
    from errata.event.phases import Phase
    from errata.server.visits import Visit

_KEPT_SECONDS = 30
_KEPT_FOREVER = "public, max-age=31536000, immutable"


def show_event(visit: Visit) -> Response:
    """Show what the event is, and its phases."""
    with visit.event.database.read() as transaction:
        counts = count_submissions(transaction)
    return _answer(visit, "event.html", counts=counts, visibility=visit.moment.visibility)


def show_phase(visit: Visit) -> Response:
    """Show a phase, and its leaderboards if they are public."""
    phase = find_phase(visit.moment, visit.path("phase"))
    visibility = visit.moment.visibility
    boards = []
    if not phase.is_answers and visibility.board(phase, None):
        boards = [find_board(visit.event, phase, version, named=visibility.names(phase)) for version in public_versions(visit, phase)]
    return _answer(
        visit,
        "phase.html",
        phase=phase,
        visibility=visibility,
        boards=[board for board in boards if board is not None],
        titles=gold_versions.TITLES,
    )


def show_source(visit: Visit) -> Response:
    """Send the texts to be corrected, a sentence a line."""
    phase = find_phase(visit.moment, visit.path("phase"))
    if phase.is_answers or not visit.moment.visibility.source(phase, None):
        raise NotFoundError(f"the texts of {phase.name} are not public yet")
    with visit.event.database.read() as transaction:
        version = visit.event.newest_gold(transaction, phase)
    corpus = visit.event.scorer(version, visit.moment.definition).prepared.whole
    text = "".join(f"{sentence.text}\n" for sentence in corpus)
    return _cached(visit, text.encode(), "text/plain; charset=utf-8", f"{phase.name}.txt")


def show_gold(visit: Visit) -> Response:
    """Send the gold of a phase, where everybody may see it."""
    phase = find_phase(visit.moment, visit.path("phase"))
    if phase.is_answers or not visit.moment.visibility.gold(phase, None):
        raise NotFoundError(f"the gold of {phase.name} is not public")
    with visit.event.database.read() as transaction:
        content = _find_gold(visit, phase, transaction)
    return _cached(visit, content, "text/plain; charset=utf-8", f"{phase.name}.m2")


def _find_gold(visit: Visit, phase: Phase, transaction: object) -> bytes:
    from errata.event import contents

    version = visit.event.newest_gold(transaction, phase)  # type: ignore[arg-type]
    return contents.get(transaction, version.sha256)  # type: ignore[arg-type]


def public_versions(visit: Visit, phase: Phase) -> list[GoldVersion]:
    """The newest gold of each variant whose board everybody sees."""
    answers = visit.moment.definition.answers_about(phase)
    shows_answers = answers is not None and visit.moment.visibility.answers(answers, None)
    with visit.event.database.read() as transaction:
        newest = gold_versions.list_newest(transaction, phase.name)
    return [version for version in newest if version.variant in {"gold", "given"} or shows_answers]


def find_phase(moment: Moment, name: str) -> Phase:
    """Find a phase by the name in an address."""
    for phase in moment.definition.phases:
        if phase.name == name:
            return phase
    raise NotFoundError("there is no such phase")


def send_static(visit: Visit) -> Response:
    """Send a file that pages load."""
    from errata.server.rendering import STATIC

    name = visit.path("name")
    if name not in STATIC or read_static(name)[1] != visit.path("hash"):
        raise NotFoundError("there is no such file")
    kind = "text/css; charset=utf-8" if name.endswith(".css") else "text/javascript; charset=utf-8"
    return Response(read_static(name)[0], headers={"Content-Type": kind, "Cache-Control": _KEPT_FOREVER})


def tell_health(visit: Visit) -> Response:
    """Tell that the server and its database answer."""
    del visit
    return Response("ok\n", headers={"Content-Type": "text/plain; charset=utf-8"})


def _answer(visit: Visit, name: str, **values: object) -> Response:
    text = render_text(name, visit.moment.definition, now=visit.moment.now, **values)
    return _cached(visit, text.encode(), HTMLResponse.media_type + "; charset=utf-8")


def _cached(visit: Visit, content: bytes, kind: str, file_name: str = "") -> Response:
    """Answer with a hash, so that a cache asks whether something has changed, and need not be sent the same again."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": f"public, max-age={_seconds_unchanged(visit.event, visit.moment)}", "Content-Type": kind}
    if file_name:
        headers["Content-Disposition"] = f'attachment; filename="{file_name}"'
    if tag in visit.request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers)


def _seconds_unchanged(event: Event, moment: Moment) -> int:
    """How long nothing can become visible or hidden, half a minute at most."""
    del event
    instants = [
        instant
        for phase in moment.definition.phases
        for instant in (phase.opens, phase.closes, phase.accepts_until, moment.visibility.published(phase))
        if instant is not None and instant > moment.now
    ]
    left = min(((instant - moment.now).total_seconds() for instant in instants), default=_KEPT_SECONDS)
    return max(0, min(_KEPT_SECONDS, int(left)))
