"""Which leaderboards somebody sees."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from errata.event import gold_versions
from errata.event.accounts import list_accounts
from errata.event.aliases import list_aliases
from errata.event.answers.golds import find_unmade_answers, list_answer_variants, make_answer_golds
from errata.event.answers.proposals import count_proposers
from errata.event.board_making import InMakingError
from errata.event.board_reading import read_board
from errata.event.possible_tests import fit_test
from errata.event.public_golds import ANSWERED, list_public_golds
from errata.event.replaced_boards import find_replaced_board, list_with_public_boards
from errata.server.failures import NotFoundError

if TYPE_CHECKING:
    from errata.event.boards import Board
    from errata.event.event import Event
    from errata.event.gold_versions import GoldVersion
    from errata.event.phases import Phase
    from errata.server.visits import Visit

_FIRST = "ranking"


class BoardView(NamedTuple):
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
        """The address of its gold, for those who may read it."""
        return "/golds/".join(self.base.rsplit("/tables/", 1))

    @property
    def title(self) -> str:
        """What kind of gold it has."""
        return gold_versions.TITLES[self.version.variant]

    @property
    def first(self) -> str:
        """The name of the table that ranks."""
        return next((name for name in self.board.tables if name.startswith(_FIRST)), next(iter(self.board.tables)))

    @property
    def others(self) -> list[str]:
        """The names of the other tables."""
        return [name for name in self.board.tables if name != self.first]


class ShownBoards(NamedTuple):
    """The boards of a page."""

    made: list[BoardView]
    is_in_making: bool
    """Whether one is missing, or not current, because it is being made."""


class BoardViews(NamedTuple):
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
        return [found[variant] for variant in gold_versions.VARIANTS if variant in found]

    @property
    def older(self) -> list[GoldVersion]:
        """Golds that were replaced, the newest first."""
        return [version for version in reversed(self.versions) if version not in self.newest]

    def address(self, version: GoldVersion) -> str:
        """The address of the board of a gold."""
        return f"{self.base}/tables/{version.variant}-{version.number}"

    def view(self, version: GoldVersion) -> BoardView | None:
        """The board of a gold: of one that was replaced as everybody saw it then, if somebody did; None if there is nothing to show.

        Raises :class:`errata.event.board_making.InMakingError` if it is being made, and there is none before it.
        """
        is_old = version in self.older
        board = self._find_old(version) if is_old else None
        if board is None and (self.is_for_organisers or not is_old):
            board = read_board(self.event, self.phase, version, named=self.named, until=self.until)
        if board is None:
            return None
        proposers = find_proposers(self.event, self.phase, version, named=self.named)
        note = fit_test(self.event.moment().definition.task(self.phase), len(board.teams)).why
        return BoardView(version, board, self.address(version), proposers, note, version.id in self.readable)

    def _find_old(self, version: GoldVersion) -> Board | None:
        with self.event.database.read() as transaction:
            return find_replaced_board(transaction, version, named=self.named)

    def list_views(self) -> ShownBoards:
        """The boards of the golds in force, as far as they are made."""
        made: list[BoardView] = []
        is_in_making = self.is_waiting
        for version in self.newest:
            try:
                view = self.view(version)
            except InMakingError:
                is_in_making = True
                continue
            if view is not None:
                made.append(view)
        return ShownBoards(made, is_in_making or any(not view.board.is_current for view in made))

    def get(self, name: str) -> BoardView:
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
            raise InMakingError
        raise NotFoundError("there is no such table")

    def get_readable_gold(self, name: str) -> GoldVersion:
        """The gold of a part of an address; raise if it cannot be read."""
        version = self.get_version(name)
        if version.id not in self.readable:
            raise NotFoundError("there is no such gold")
        return version


def find_public_boards(visit: Visit, phase: Phase) -> BoardViews:
    """Find the boards that everybody sees."""
    visibility = visit.moment.visibility
    until = _wait_until(visit)
    if phase.is_answers or not visibility.board(phase, None):
        return BoardViews(visit.event, phase, False, f"/phases/{phase.name}", [], frozenset(), until)
    answers = visit.moment.definition.answers_about(phase)
    published = visibility.published(answers) if answers is not None and visibility.answers(answers, None) else None
    listed, is_waiting = _list_versions(visit, phase, until)
    newest = {version.variant: version for version in listed}
    named = visibility.names(phase)
    with visit.event.database.read() as transaction:
        readable = frozenset(version.id for version in list_public_golds(transaction, visit.moment, phase))
        seen = list_with_public_boards(transaction, phase.name, named=named)

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
    return BoardViews(visit.event, phase, named, f"/phases/{phase.name}", versions, readable, until, is_waiting)


def find_all_boards(visit: Visit, phase: Phase) -> BoardViews:
    """Find the boards that organisers see: all, with the names of teams."""
    until = _wait_until(visit)
    versions, is_waiting = ([], False) if phase.is_answers else _list_versions(visit, phase, until)
    base, readable = f"/organiser/phases/{phase.name}", frozenset(version.id for version in versions)
    return BoardViews(visit.event, phase, True, base, versions, readable, until, is_waiting, is_for_organisers=True)


def _wait_until(visit: Visit) -> float:
    return time.monotonic() + visit.event.board_maker.patience


def _list_versions(visit: Visit, phase: Phase, until: float) -> tuple[list[GoldVersion], bool]:
    """List the golds of a phase; also return whether those with accepted answers are still being made."""
    event, is_waiting = visit.event, False
    unmade = find_unmade_answers(event, phase)
    if unmade is not None:
        name = unmade.name
        event.board_maker.make(("golds", name), lambda: make_answer_golds(event, name), until)
        is_waiting = find_unmade_answers(event, phase) is not None
    answers = visit.moment.definition.answers_about(phase)
    variants = ["gold", "given", *(list_answer_variants(answers) if answers is not None else [])]
    with event.database.read() as transaction:
        listed = [version for version in gold_versions.list_gold_versions(transaction, phase.name) if version.variant in variants]
    return listed, is_waiting


def find_proposers(event: Event, phase: Phase, version: GoldVersion, *, named: bool) -> frozenset[str]:
    """Find the teams to mark on the board of a gold with proposed answers, as the board names them."""
    if version.variant != "proposed":
        return frozenset()
    with event.database.read() as transaction:
        answers = event.moment(transaction).definition.answers_about(phase)
        counts = count_proposers(transaction, answers.name) if answers is not None else {}
        teams = [team for team in list_accounts(transaction, "team") if counts.get(team.id)]
        names = {team.id: team.name for team in teams} if named else list_aliases(transaction, phase.name, teams)
    return frozenset(names.values())
