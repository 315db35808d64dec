"""Pages that everybody sees alike, so any cache may keep them: the event, its phases, and the texts to be corrected.

They do not look at who asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from errata.event import contents
from errata.event.answers.outcomes import measure_outcome
from errata.event.submissions import count_submissions
from errata.server.board_views import find_public_boards
from errata.server.caching import answer_cached, answer_public
from errata.server.failures import NotFoundError
from errata.server.phase_addresses import find_phase, site_address
from errata.server.rendering import STATIC, read_static

if TYPE_CHECKING:
    from errata.event.answers.outcomes import AnswerOutcome
    from errata.event.phases import Phase
    from errata.server.visits import Visit

_KEPT_FOREVER = "public, max-age=31536000, immutable"
_TEXT = "text/plain; charset=utf-8"


def show_event(visit: Visit) -> Response:
    """Show what the event is, and its phases, with their submissions: also of hidden ones, because counts say nothing of scores."""
    with visit.event.database.read() as transaction:
        counts = count_submissions(transaction)
    return answer_public(visit, "event.html", counts=counts)


def show_phase(visit: Visit) -> Response:
    """Show a phase, what is visible when, and its leaderboards if they are public."""
    phase = find_phase(visit.moment, visit.path("phase"))
    definition = visit.moment.definition
    views = find_public_boards(visit, phase)
    boards = views.list_views()
    judged = phase.is_answers and visit.moment.visibility.answers(phase, None)
    outcome = _find_outcome(visit, phase) if judged else None
    is_counting = judged and outcome is None
    return answer_public(
        visit,
        "phase.html",
        is_in_making=boards.is_in_making or is_counting,
        phase=phase,
        answers=definition.answers_about(phase),
        about=definition.phase(phase.about) if phase.is_answers else None,
        views=views,
        boards=boards.made,
        is_waiting=boards.is_in_making,
        address=site_address(visit),
        outcome=outcome,
        is_counting=is_counting,
    )


def _find_outcome(visit: Visit, phase: Phase) -> AnswerOutcome | None:
    """What became of alternative answers; None while it is being counted for the first time."""

    def measure() -> AnswerOutcome:
        with visit.event.database.read() as transaction:
            return measure_outcome(transaction, phase)

    return visit.site.outcomes.find(phase.name, measure)


def show_source(visit: Visit) -> Response:
    """Send the texts to be corrected, one sentence in each line."""
    phase = find_phase(visit.moment, visit.path("phase"))
    if phase.is_answers or not visit.moment.visibility.source(phase, None):
        raise NotFoundError(f"the texts of {phase.name} are not public yet")
    with visit.event.database.read() as transaction:
        version = visit.event.newest_gold(transaction, phase)
    corpus = visit.event.scorer(version, visit.moment.definition).prepared.whole
    text = "".join(f"{sentence.text}\n" for sentence in corpus)
    return answer_cached(visit, text.encode(), _TEXT, f"{phase.name}.txt")


def show_gold(visit: Visit) -> Response:
    """Send the gold of a phase, where everybody may see it."""
    phase = find_phase(visit.moment, visit.path("phase"))
    if phase.is_answers or not visit.moment.visibility.gold(phase, None):
        raise NotFoundError(f"the gold of {phase.name} is not public")
    return answer_cached(visit, read_gold(visit, phase), _TEXT, f"{phase.name}.m2")


def show_gold_version(visit: Visit) -> Response:
    """Send a version of the gold whose board everybody sees, where everybody may read it, or could before it was replaced."""
    phase = find_phase(visit.moment, visit.path("phase"))
    if phase.is_answers or not visit.moment.visibility.gold(phase, None):
        raise NotFoundError(f"the gold of {phase.name} is not public")
    version = find_public_boards(visit, phase).get_readable_gold(visit.path("version"))
    with visit.event.database.read() as transaction:
        content = contents.get(transaction, version.sha256)
    return answer_cached(visit, content, _TEXT, f"{phase.name}-{visit.path('version')}.m2")


def read_gold(visit: Visit, phase: Phase) -> bytes:
    """Read the gold in force of a phase."""
    with visit.event.database.read() as transaction:
        return contents.get(transaction, visit.event.newest_gold(transaction, phase).sha256)


def send_static(visit: Visit) -> Response:
    """Send a file that pages load."""
    name = visit.path("name")
    if name not in STATIC or read_static(name)[1] != visit.path("hash"):
        raise NotFoundError("there is no such file")
    kind = "text/css; charset=utf-8" if name.endswith(".css") else "text/javascript; charset=utf-8"
    return Response(read_static(name)[0], headers={"Content-Type": kind, "Cache-Control": _KEPT_FOREVER})


def tell_health(visit: Visit) -> Response:
    """Tell that the server and its database answer."""
    del visit
    return Response("ok\n", headers={"Content-Type": _TEXT})
