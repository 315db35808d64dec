"""Pages from templates, and tables of leaderboards as HTML: every value is escaped, as is every character that could mislead a reader."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import Response

from errata import __version__
from errata.display import printable
from errata.report.table import Column
from errata_event.golds import TITLES
from errata_event.instants import show_everywhere, show_instant

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime, tzinfo

    from errata.report.table import Table
    from errata_event.accounts import Account


_KINDS = {
    "metrics": "All metrics",
    "ranking": "Ranking",
    "types": "Scores by error type",
    "type-intervals": "Intervals by error type",
    "pairs": "Differences between systems",
    "set-aside": "Submissions set aside",
}
_NAME = re.compile(rf"({'|'.join(sorted(_KINDS, key=len, reverse=True))})(?:-alternatives)?(?:-(.+))?")


def label_table(name: str) -> str:
    """Say what a table has, in words.

    >>> label_table("types-alternatives-maxmatch"), label_table("type-intervals"), label_table("ranking-gleu")
    ('Scores by error type (maxmatch)', 'Intervals by error type', 'Ranking (gleu)')
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return name
    return f"{_KINDS[match[1]]} ({match[2]})" if match[2] else _KINDS[match[1]]


_MANY_ROWS = 30
"""A longer table keeps its headings in view."""
_NUMBER, _BEST = ' class="number"', ' class="number best"'
_MARK = ' <abbr title="proposed alternative answers">†</abbr>'


def _write_table(table: Table, marked: Collection[str] = ()) -> Markup:
    """Write a table without its notes, in Python, because templates take too long for thousands of cells.

    The first text of a row is its heading; teams with these names are marked.

    >>> from errata.report import Column, Table
    >>> text = _write_table(Table((Column("System"), Column("F", "percent")), (("<a>", 0.5),)), ["<a>"])
    >>> print(text[text.index("<tbody>") : text.index("</tbody>")])
    <tbody>
    <tr><th scope="row"><bdi>&lt;a&gt;</bdi> <abbr title="proposed alternative answers">†</abbr></th><td class="number">50.00</td></tr>
    """
    columns, best = table.columns, table.find_best_cells()
    head = next((index for index, column in enumerate(columns) if column.is_text), None)
    headings = "".join(f'<th scope="col"{"" if column.is_text else _NUMBER}>{_escape(column.name)}</th>' for column in columns)
    lines: list[str] = []
    for number, row in enumerate(table.rows):
        cells: list[str] = []
        for index, column in enumerate(columns):
            text = _escape(column.shown(row[index]))
            if index == head:
                cells.append(f'<th scope="row"><bdi>{text}</bdi>{_MARK if row[index] in marked else ""}</th>')
            elif column.is_text:
                cells.append(f"<td><bdi>{text}</bdi></td>")
            else:
                cells.append(f"<td{_BEST if (number, index) in best else _NUMBER}>{text}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>\n")
    kind = "wide named tall" if len(table.rows) > _MANY_ROWS else "wide named"
    label = _escape(table.title or "Table")
    return Markup(  # noqa: S704 - all texts are escaped
        f'<div class="{kind}" tabindex="0" role="region" aria-label="{label}">\n<table>\n'
        f"<thead><tr>{headings}</tr></thead>\n<tbody>\n{''.join(lines)}</tbody>\n</table>\n</div>"
    )


def _escape(text: str) -> str:
    """Escape what has a meaning in HTML, and what could mislead a reader."""
    return str(escape(printable(text)))


_HASH_DIGITS = 12
STATIC = ("site.css", "site.js", "judging.js")
"""Files that pages load, with the hash of their content in the address."""
_HOMES = {"organiser": "/organiser", "annotator": "/judging", "team": "/team"}


def home_of(account: Account | None) -> str:
    """Where somebody starts after logging in."""
    return "/" if account is None else _HOMES[account.role]


@cache
def read_static(name: str) -> tuple[bytes, str]:
    """Read a file that pages load; return it with the hash in its address."""
    content = files("errata_event.server").joinpath("static", name).read_bytes()
    return content, hashlib.sha256(content).hexdigest()[:_HASH_DIGITS]


def _address(name: str) -> str:
    return f"/static/{read_static(name)[1]}/{name}"


def _make_safe(value: Any) -> Any:
    """Escape what could mislead; markup that was made here stays."""
    return printable(value) if type(value) is str else value


def _show_time(instant: datetime, zone: tzinfo, *, short: bool = False, brief: bool = False) -> Markup:
    """Show an instant everywhere, or only in the zone of the event, briefly with no more than the name of the zone."""
    text = show_instant(instant, zone) if short or brief else show_everywhere(instant, zone)
    text = text.partition(" (")[0] if brief else text
    shown = Markup(" = ").join(Markup('<span class="instant">{}</span>').format(part) for part in text.split(" = "))
    return Markup('<time datetime="{}">{}</time>').format(instant.isoformat(timespec="seconds"), shown)


def _show_lines(text: str) -> Markup:
    paragraphs = [part.strip() for part in printable(text.replace("\r\n", "\n"), lines=True).split("\n\n")]
    return Markup("").join(Markup("<p>{}</p>").format(part) for part in paragraphs if part)


def _show_number(value: float | None, digits: int = 4) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _show_count(value: int, one: str, many: str = "") -> str:
    return f"{value:,} {one if value == 1 else many or f'{one}s'}"


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(str(files("errata_event.server").joinpath("templates"))),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_make_safe,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {"time": _show_time, "lines": _show_lines, "number": _show_number, "count": _show_count}
    made.filters |= {"percent": Column("", "percent").shown, "title_of": lambda variant: TITLES[variant].capitalize()}
    made.globals |= {"style": _address("site.css"), "script": _address("site.js"), "version": __version__, "home_of": home_of}
    made.globals |= {"judging_script": _address("judging.js"), "label_table": label_table, "write_table": _write_table}
    return made


def render_text(name: str, definition: Any, **values: Any) -> str:
    """Fill a template."""
    named = {"visit": None, "viewer": None, **values}
    return _environment().get_template(name).render(event=definition, zone=definition.zone, **named)


def send_file(content: bytes, kind: str, file_name: str) -> Response:
    """Send a file to one who asks, which no cache keeps."""
    return Response(content, headers=file_headers(kind, file_name))


def file_headers(kind: str, file_name: str = "") -> dict[str, str]:
    """Make the headers of a content, which browsers save if it has the name of a file."""
    return {"Content-Type": kind, **({"Content-Disposition": f'attachment; filename="{file_name}"'} if file_name else {})}
