"""Which leaderboards somebody sees."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from errata.event import gold_versions
from errata.event.accounts import list_accounts
from errata.event.aliases import list_aliases
from errata.event.answers.golds import ensure_answer_golds, list_answer_variants
from errata.event.answers.proposals import count_proposers
from errata.event.possible_tests import fit_test
from errata.event.replaced_boards import find_replaced_board
from errata.event.results import find_board
from errata.server.failures import NotFoundError

if TYPE_CHECKING:
    from errata.event.boards import Board
    from errata.event.event import Event
    from errata.event.gold_versions import GoldVersion
    from errata.event.phases import Phase
    from errata.server.visits import Visit

_FIRST = "ranking"
_ANSWERED = ("proposed", "pooled")
"""Variants of the gold that are judged in a phase of alternative answers."""
_MAKING = threading.Lock()
"""At the instant of publication many ask for golds that are not made yet; one request makes them."""


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


class BoardViews(NamedTuple):
    """The boards of a phase that somebody sees."""

    event: Event
    phase: Phase
    named: bool
    base: str
    """The address of the phase."""
    versions: list[GoldVersion]
    """The golds whose boards can be seen, the oldest first."""

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
        """The board of a gold: of one that was replaced as everybody saw it then, if somebody did; None if there is nothing to show."""
        board = self._find_old(version) if version in self.older else None
        board = board or find_board(self.event, self.phase, version, named=self.named)
        if board is None:
            return None
        proposers = find_proposers(self.event, self.phase, version, named=self.named)
        note = fit_test(self.event.moment().definition.task(self.phase), len(board.teams)).why
        return BoardView(version, board, self.address(version), proposers, note)

    def _find_old(self, version: GoldVersion) -> Board | None:
        with self.event.database.read() as transaction:
            return find_replaced_board(transaction, version, named=self.named)

    def list_views(self) -> list[BoardView]:
        """The boards of the golds in force."""
        return [view for version in self.newest if (view := self.view(version)) is not None]

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
        raise NotFoundError("there is no such table")


def find_public_boards(visit: Visit, phase: Phase) -> BoardViews:
    """Find the boards that everybody sees."""
    visibility = visit.moment.visibility
    if phase.is_answers or not visibility.board(phase, None):
        return BoardViews(visit.event, phase, False, f"/phases/{phase.name}", [])
    answers = visit.moment.definition.answers_about(phase)
    published = visibility.published(answers) if answers is not None and visibility.answers(answers, None) else None
    listed = _list_versions(visit, phase)
    newest = {version.variant: version for version in listed}

    def is_public(version: GoldVersion) -> bool:
        """Whether everybody sees the board: with accepted answers not what organisers looked at while they were judged."""
        if version.variant not in _ANSWERED:
            return True
        return published is not None and (version.made_at >= published or version == newest[version.variant])

    versions = [version for version in listed if is_public(version)]
    return BoardViews(visit.event, phase, visibility.names(phase), f"/phases/{phase.name}", versions)


def find_all_boards(visit: Visit, phase: Phase) -> BoardViews:
    """Find the boards that organisers see: all, with the names of teams."""
    versions = [] if phase.is_answers else _list_versions(visit, phase)
    return BoardViews(visit.event, phase, True, f"/organiser/phases/{phase.name}", versions)


def _list_versions(visit: Visit, phase: Phase) -> list[GoldVersion]:
    with _MAKING:
        ensure_answer_golds(visit.event, phase)
    answers = visit.moment.definition.answers_about(phase)
    variants = ["gold", "given", *(list_answer_variants(answers) if answers is not None else [])]
    with visit.event.database.read() as transaction:
        return [version for version in gold_versions.list_gold_versions(transaction, phase.name) if version.variant in variants]


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
