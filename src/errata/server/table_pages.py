"""The tables of leaderboards: each on a page of its own, and as files for papers and programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.server.board_views import find_all_boards, find_public_boards
from errata.server.caching import answer_cached, answer_public, send_file
from errata.server.failures import NotFoundError
from errata.server.phase_addresses import find_phase
from errata.server.rendering import render_page
from errata.server.table_names import label_table
from errata.task.running import write_tables

if TYPE_CHECKING:
    from starlette.responses import Response

    from errata.server.board_views import BoardView
    from errata.server.visits import Visit

_KINDS = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
}


def show_board(visit: Visit) -> Response:
    """Show the board of a gold, such as one that was replaced."""
    phase = find_phase(visit.moment, visit.path("phase"))
    views = find_public_boards(visit, phase)
    view = views.get(visit.path("version"))
    return answer_public(visit, "board.html", is_in_making=not view.board.is_current, phase=phase, views=views, view=view, home=views.base)


def show_table(visit: Visit) -> Response:
    """Show a table, or send it as a file."""
    phase = find_phase(visit.moment, visit.path("phase"))
    view = find_public_boards(visit, phase).get(visit.path("version"))
    name, ending = _split(view, visit.path("table"))
    is_old = not view.board.is_current
    if not ending:
        home = f"/phases/{phase.name}"
        return answer_public(
            visit, "table.html", is_in_making=is_old, phase=phase, view=view, table_name=name, label=label_table(name), home=home
        )
    name_of_file = _name_file(view, phase.name, name, ending)
    return answer_cached(visit, _write(view, name, ending), _KINDS[ending], name_of_file, is_in_making=is_old)


def show_organisers_board(visit: Visit) -> Response:
    """Show organisers the board of a gold, whether it is public or not."""
    phase = find_phase(visit.moment, visit.path("phase"))
    views = find_all_boards(visit, phase)
    view = views.get(visit.path("version"))
    return render_page("board.html", visit, visibility=visit.moment.visibility, phase=phase, views=views, view=view, home=views.base)


def show_organisers_table(visit: Visit) -> Response:
    """Show organisers a table, or send it as a file."""
    phase = find_phase(visit.moment, visit.path("phase"))
    views = find_all_boards(visit, phase)
    view = views.get(visit.path("version"))
    name, ending = _split(view, visit.path("table"))
    if not ending:
        return render_page("table.html", visit, phase=phase, view=view, table_name=name, label=label_table(name), home=views.base)
    return send_file(_write(view, name, ending), _KINDS[ending], _name_file(view, phase.name, name, ending))


def _split(view: BoardView, part: str) -> tuple[str, str]:
    """Split the last part of an address into the name of a table and the ending of a file; that of a page has none."""
    if part in view.board.tables:
        return part, ""
    name, _, ending = part.rpartition(".")
    if name not in view.board.tables or ending not in _KINDS:
        raise NotFoundError("there is no such table")
    return name, ending


def _write(view: BoardView, name: str, ending: str) -> bytes:
    return write_tables({name: view.board.tables[name]})[f"{name}.{ending}"].encode()


def _name_file(view: BoardView, phase: str, name: str, ending: str) -> str:
    return f"{phase}-{view.version.variant}-{view.version.number}-{name}.{ending}"
