"""Leaderboards and everything else that everybody sees: the event, its phases, tables, and report pages."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from errata.task.running import write_tables
from errata_event import boards, contents, golds
from errata_event.accounts import list_accounts, list_aliases
from errata_event.answers.golds import list_golds
from errata_event.answers.outcomes import AnswerOutcome
from errata_event.answers.proposals import count_proposers
from errata_event.boards import ANSWERED, fit_test, list_public_golds
from errata_event.caching import PendingError
from errata_event.server.rendering import STATIC, file_headers, label_table, read_static, render_text, send_file
from errata_event.server.requests import EventSite, NotFoundError, page
from errata_event.submissions import count_submissions

if TYPE_CHECKING:
    from errata_event.boards import Board
    from errata_event.definition import Phase
    from errata_event.event import Event, Moment
    from errata_event.golds import GoldVersion
    from errata_event.server.requests import Visit


def routes(site: EventSite) -> list[Route]:
    """List the addresses that everybody sees, and those of boards that organisers see."""
    phase, seen = "/phases/{phase}", "/organiser/phases/{phase}"
    return [
        Route("/", page(site, _show_event)),
        Route(phase, page(site, _show_phase)),
        Route(f"{phase}/source", page(site, _show_source)),
        Route(f"{phase}/gold", page(site, _show_gold)),
        Route(f"{phase}/golds/{{version}}", page(site, _show_gold_version)),
        Route(f"{phase}/tables/{{version}}", page(site, _show_board)),
        Route(f"{phase}/tables/{{version}}/{{table}}", page(site, _show_table)),
        Route(f"{seen}/tables/{{version}}", page(site, _show_organisers_board, "organiser")),
        Route(f"{seen}/tables/{{version}}/{{table}}", page(site, _show_organisers_table, "organiser")),
        Route("/static/{hash}/{name}", page(site, _send_static)),
        Route("/health", page(site, _tell_health)),
    ]


_FIRST = "ranking"


class _BoardView(NamedTuple):
    """A leaderboard as a page shows it."""

    version: GoldVersion
    board: Board
    base: str
    """The address of its page, below which its tables are."""
    proposers: frozenset[str] = frozenset()
    """Teams that proposed some of the alternative answers of its gold, as the board names them."""
    note: str = ""
    """Why it has no test, if one was asked for."""
    is_readable: bool = False
    """Whether who sees it may read its gold."""

    @property
    def gold(self) -> str:
        return "/golds/".join(self.base.rsplit("/tables/", 1))

    @property
    def title(self) -> str:
        """What kind of gold it has."""
        return golds.TITLES[self.version.variant]

    @property
    def first(self) -> str:
        """The name of the table that ranks."""
        return next((name for name in self.board.tables if name.startswith(_FIRST)), next(iter(self.board.tables)))

    @property
    def others(self) -> list[str]:
        return [name for name in self.board.tables if name != self.first]


class _ShownBoards(NamedTuple):
    """The boards of a page."""

    made: list[_BoardView]
    is_pending: bool
    """Whether one is missing, or not current, because it is being made."""


class _BoardViews(NamedTuple):
    """The boards of a phase that somebody sees."""

    event: Event
    phase: Phase
    named: bool
    base: str
    """The address of the phase."""
    versions: list[GoldVersion]
    """The golds whose boards can be seen, the oldest first."""
    readable: frozenset[int]
    """The numbers of the golds that can be read."""
    until: float
    """Until when a request waits for what is being made, by ``time.monotonic``."""
    is_waiting: bool = False
    """Whether golds with accepted answers are being made."""
    is_for_organisers: bool = False
    """Whether boards of golds that were replaced are made, if nobody saw them then."""

    @property
    def newest(self) -> list[GoldVersion]:
        """The gold in force of each variant, in the order of the variants."""
        found = {version.variant: version for version in self.versions}
        return [found[variant] for variant in golds.VARIANTS if variant in found]

    @property
    def older(self) -> list[GoldVersion]:
        return [version for version in reversed(self.versions) if version not in self.newest]

    def address(self, version: GoldVersion) -> str:
        return f"{self.base}/tables/{version.variant}-{version.number}"

    def view(self, version: GoldVersion) -> _BoardView | None:
        """The board of a gold: of one that was replaced as everybody saw it then, if somebody did; None if there is nothing to show.

        Raises :class:`errata_event.caching.PendingError` if it is being made, and there is none before it.
        """
        is_old = version in self.older
        board = None
        if is_old:
            with self.event.database.read() as transaction:
                board = boards.get_replaced(transaction, version, named=self.named)
        if board is None and (self.is_for_organisers or not is_old):
            board = boards.get(self.event, version, named=self.named, until=self.until)
        if board is None:
            return None
        proposers = _find_proposers(self.event, self.phase, version, named=self.named)
        note = fit_test(self.event.moment().definition.task(self.phase), len(board.teams)).why
        return _BoardView(version, board, self.address(version), proposers, note, version.id in self.readable)

    def list_views(self) -> _ShownBoards:
        """The boards of the golds in force, as far as they are made."""
        made: list[_BoardView] = []
        is_pending = self.is_waiting
        for version in self.newest:
            try:
                view = self.view(version)
            except PendingError:
                is_pending = True
                continue
            if view is not None:
                made.append(view)
        return _ShownBoards(made, is_pending or any(not view.board.is_current for view in made))

    def get(self, name: str) -> _BoardView:
        """The board of a part of an address; raise if there is none that can be seen."""
        found = self.view(self.get_version(name))
        if found is None:
            raise NotFoundError("there is no such table")
        return found

    def get_version(self, name: str) -> GoldVersion:
        """The gold of a part of an address; raise if its board cannot be seen."""
        for version in self.versions:
            if f"{version.variant}-{version.number}" == name:
                return version
        if self.is_waiting and name.startswith(ANSWERED):
            raise PendingError
        raise NotFoundError("there is no such table")

    def get_readable_gold(self, name: str) -> GoldVersion:
        """The gold of a part of an address; raise if it cannot be read."""
        version = self.get_version(name)
        if version.id not in self.readable:
            raise NotFoundError("there is no such gold")
        return version


def _find_public_boards(visit: Visit, phase: Phase) -> _BoardViews:
    visibility = visit.moment.visibility
    until = visit.event.maker.wait_until()
    if phase.is_answers or not visibility.board(phase, None):
        return _BoardViews(visit.event, phase, False, f"/phases/{phase.name}", [], frozenset(), until)
    answers = visit.moment.definition.answers_about(phase)
    published = visibility.published(answers) if answers is not None and visibility.answers(answers, None) else None
    listed, is_waiting = list_golds(visit.event, visit.moment, phase, until)
    newest = {version.variant: version for version in listed}
    named = visibility.names(phase)
    with visit.event.database.read() as transaction:
        readable = frozenset(version.id for version in list_public_golds(transaction, visit.moment, phase))
        seen = boards.list_public(transaction, phase.name, named=named)

    def is_public(version: GoldVersion) -> bool:
        """Whether everybody sees the board: not of a gold that was replaced unless somebody saw it then.

        With accepted answers it is not what organisers looked at while they were judged.
        """
        if version != newest[version.variant] and version.id not in seen:
            return False
        if version.variant not in ANSWERED:
            return True
        return published is not None and (version.made_at >= published or (version == newest[version.variant] and not is_waiting))

    versions = [version for version in listed if is_public(version)]
    return _BoardViews(visit.event, phase, named, f"/phases/{phase.name}", versions, readable, until, is_waiting)


def find_all_boards(visit: Visit, phase: Phase) -> _BoardViews:
    """Find the boards that organisers see: all, with the names of teams."""
    until = visit.event.maker.wait_until()
    versions, is_waiting = ([], False) if phase.is_answers else list_golds(visit.event, visit.moment, phase, until)
    base, readable = f"/organiser/phases/{phase.name}", frozenset(version.id for version in versions)
    return _BoardViews(visit.event, phase, True, base, versions, readable, until, is_waiting, is_for_organisers=True)


def _find_proposers(event: Event, phase: Phase, version: GoldVersion, *, named: bool) -> frozenset[str]:
    """Find the teams to mark on the board of a gold with proposed answers, as the board names them."""
    if version.variant != "proposed":
        return frozenset()
    with event.database.read() as transaction:
        answers = event.moment(transaction).definition.answers_about(phase)
        counts = count_proposers(transaction, answers.name) if answers is not None else {}
        teams = [team for team in list_accounts(transaction, "team") if counts.get(team.id)]
        names = {team.id: team.name for team in teams} if named else list_aliases(transaction, phase.name, teams)
    return frozenset(names.values())


# The tables of leaderboards: each on a page of its own, and as files for papers and programs.

_KINDS = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
}


def _show_board(visit: Visit) -> Response:
    phase = visit.phase
    views = _find_public_boards(visit, phase)
    view = views.get(visit.path("version"))
    return _answer_public(visit, "board.html", is_pending=not view.board.is_current, phase=phase, views=views, view=view, home=views.base)


def _show_table(visit: Visit) -> Response:
    phase = visit.phase
    view = _find_public_boards(visit, phase).get(visit.path("version"))
    name, ending = _split(view, visit.path("table"))
    is_old = not view.board.is_current
    if not ending:
        home = f"/phases/{phase.name}"
        return _answer_public(
            visit, "table.html", is_pending=is_old, phase=phase, view=view, table_name=name, label=label_table(name), home=home
        )
    name_of_file = _name_file(view, phase.name, name, ending)
    return _answer_cached(visit, _write(view, name, ending), _KINDS[ending], name_of_file, is_pending=is_old)


def _show_organisers_board(visit: Visit) -> Response:
    """Show organisers the board of a gold, whether it is public or not."""
    phase = visit.phase
    views = find_all_boards(visit, phase)
    view = views.get(visit.path("version"))
    return visit.render("board.html", phase=phase, views=views, view=view, home=views.base)


def _show_organisers_table(visit: Visit) -> Response:
    """Show organisers a table, or send it as a file."""
    phase = visit.phase
    views = find_all_boards(visit, phase)
    view = views.get(visit.path("version"))
    name, ending = _split(view, visit.path("table"))
    if not ending:
        return visit.render("table.html", phase=phase, view=view, table_name=name, label=label_table(name), home=views.base)
    return send_file(_write(view, name, ending), _KINDS[ending], _name_file(view, phase.name, name, ending))


def _split(view: _BoardView, part: str) -> tuple[str, str]:
    """Split the last part of an address into the name of a table and the ending of a file; that of a page has none."""
    if part in view.board.tables:
        return part, ""
    name, _, ending = part.rpartition(".")
    if name not in view.board.tables or ending not in _KINDS:
        raise NotFoundError("there is no such table")
    return name, ending


def _write(view: _BoardView, name: str, ending: str) -> bytes:
    return write_tables({name: view.board.tables[name]})[f"{name}.{ending}"].encode()


def _name_file(view: _BoardView, phase: str, name: str, ending: str) -> str:
    return f"{phase}-{view.version.variant}-{view.version.number}-{name}.{ending}"


# Everybody gets the same, so any cache may keep it; how long ends before what it shows would change without anybody doing something.

_KEPT_SECONDS = 30
_PENDING_SECONDS = 2
_TAG_DIGITS = 32


def _answer_public(visit: Visit, name: str, *, is_pending: bool = False, **values: object) -> Response:
    """Answer with a page that does not look at who asks; one of which a part is pending is kept for a moment only."""
    text = render_text(name, visit.moment.definition, visibility=visit.moment.visibility, **values)
    return _answer_cached(visit, text.encode(), HTMLResponse.media_type + "; charset=utf-8", is_pending=is_pending)


def _answer_cached(visit: Visit, content: bytes, kind: str, file_name: str = "", *, is_pending: bool = False) -> Response:
    """Answer with a hash, so that a cache asks whether something has changed, and need not be sent the same again."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:_TAG_DIGITS]}"'
    seconds = min(_seconds_unchanged(visit.moment), _PENDING_SECONDS if is_pending else _KEPT_SECONDS)
    headers = {"ETag": tag, "Cache-Control": f"public, max-age={seconds}", **file_headers(kind, file_name)}
    if tag in visit.request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers)


def _seconds_unchanged(moment: Moment) -> int:
    """How long nothing can become visible or hidden, half a minute at most."""
    instants = [
        instant
        for phase in moment.definition.phases
        for instant in (phase.opens, phase.closes, phase.deadline, moment.visibility.published(phase))
        if instant is not None and instant > moment.now
    ]
    left = min(((instant - moment.now).total_seconds() for instant in instants), default=_KEPT_SECONDS)
    return max(0, min(_KEPT_SECONDS, int(left)))


_KEPT_FOREVER = "public, max-age=31536000, immutable"
_TEXT = "text/plain; charset=utf-8"


def _show_event(visit: Visit) -> Response:
    """Show what the event is, and its phases, with their submissions: also of hidden ones, because counts say nothing of scores."""
    with visit.event.database.read() as transaction:
        counts = count_submissions(transaction)
    return _answer_public(visit, "event.html", counts=counts)


def _show_phase(visit: Visit) -> Response:
    """Show a phase, what is visible when, and its leaderboards if they are public."""
    phase = visit.phase
    definition = visit.moment.definition
    views = _find_public_boards(visit, phase)
    shown = views.list_views()
    judged = phase.is_answers and visit.moment.visibility.answers(phase, None)
    outcome = _find_outcome(visit, phase) if judged else None
    is_counting = judged and outcome is None
    return _answer_public(
        visit,
        "phase.html",
        is_pending=shown.is_pending or is_counting,
        phase=phase,
        answers=definition.answers_about(phase),
        about=definition.phase(phase.about) if phase.is_answers else None,
        views=views,
        boards=shown.made,
        is_waiting=shown.is_pending,
        address=visit.site_address,
        outcome=outcome,
        is_counting=is_counting,
    )


def _find_outcome(visit: Visit, phase: Phase) -> AnswerOutcome | None:
    """What became of alternative answers; None while it is being counted for the first time."""

    def measure() -> AnswerOutcome:
        with visit.event.database.read() as transaction:
            return AnswerOutcome.measure(transaction, phase)

    return visit.site.outcomes.refresh(phase.name, measure)


def _show_source(visit: Visit) -> Response:
    phase = visit.phase
    if phase.is_answers or not visit.moment.visibility.source(phase, None):
        raise NotFoundError(f"the texts of {phase.name} are not public yet")
    with visit.event.database.read() as transaction:
        version = visit.event.newest_gold(transaction, phase)
    corpus = visit.event.scorer(version, visit.moment.definition).prepared.whole
    text = "".join(f"{sentence.text}\n" for sentence in corpus)
    return _answer_cached(visit, text.encode(), _TEXT, f"{phase.name}.txt")


def _show_gold(visit: Visit) -> Response:
    phase = visit.phase
    if phase.is_answers or not visit.moment.visibility.gold(phase, None):
        raise NotFoundError(f"the gold of {phase.name} is not public")
    return _answer_cached(visit, visit.event.read_gold(phase), _TEXT, f"{phase.name}.m2")


def _show_gold_version(visit: Visit) -> Response:
    """Send a version of the gold whose board everybody sees, where everybody may read it, or could before it was replaced."""
    phase = visit.phase
    if phase.is_answers or not visit.moment.visibility.gold(phase, None):
        raise NotFoundError(f"the gold of {phase.name} is not public")
    version = _find_public_boards(visit, phase).get_readable_gold(visit.path("version"))
    with visit.event.database.read() as transaction:
        content = contents.get(transaction, version.sha256)
    return _answer_cached(visit, content, _TEXT, f"{phase.name}-{visit.path('version')}.m2")


def _send_static(visit: Visit) -> Response:
    name = visit.path("name")
    if name not in STATIC or read_static(name)[1] != visit.path("hash"):
        raise NotFoundError("there is no such file")
    kind = "text/css; charset=utf-8" if name.endswith(".css") else "text/javascript; charset=utf-8"
    return Response(read_static(name)[0], headers={"Content-Type": kind, "Cache-Control": _KEPT_FOREVER})


def _tell_health(visit: Visit) -> Response:
    del visit
    return Response("ok\n", headers={"Content-Type": _TEXT})
