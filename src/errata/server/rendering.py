"""Pages from templates: every value is escaped, and characters that could mislead a reader are shown as escapes."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from errata.event.gold_versions import TITLES
from errata.event.instants import show_everywhere, show_instant
from errata.html import printable, printable_lines
from errata.report import Column
from errata.server.table_markup import write_table
from errata.server.table_names import label_table
from errata.version import __version__

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from starlette.responses import Response

    from errata.event.accounts import Account
    from errata.event.gold_versions import GoldVariant
    from errata.server.visits import Visit

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
    content = files("errata.server").joinpath("static", name).read_bytes()
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
    """Show a text with its line ends."""
    paragraphs = [part.strip() for part in printable_lines(text.replace("\r\n", "\n")).split("\n\n")]
    return Markup("").join(Markup("<p>{}</p>").format(part) for part in paragraphs if part)


def _show_number(value: float | None, digits: int = 4) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _show_percent(value: float | None) -> str:
    return Column("", "percent").shown(value)


def _title_of(variant: GoldVariant) -> str:
    return TITLES[variant].capitalize()


def _show_count(value: int, one: str, many: str = "") -> str:
    return f"{value:,} {one if value == 1 else many or f'{one}s'}"


@cache
def environment() -> Environment:
    """The environment of all templates."""
    made = Environment(
        loader=FileSystemLoader(str(files("errata.server").joinpath("templates"))),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_make_safe,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {"time": _show_time, "lines": _show_lines, "number": _show_number, "count": _show_count}
    made.filters |= {"percent": _show_percent, "title_of": _title_of}
    made.globals |= {"style": _address("site.css"), "script": _address("site.js"), "version": __version__, "home_of": home_of}
    made.globals |= {"judging_script": _address("judging.js"), "label_table": label_table, "write_table": write_table}
    return made


def render_page(name: str, visit: Visit, status: int = 200, **values: Any) -> Response:
    """Show a page to whoever asks."""
    return HTMLResponse(render_text(name, visit.moment.definition, visit=visit, viewer=visit.viewer, **values), status)


def render_text(name: str, definition: Any, **values: Any) -> str:
    """Fill a template."""
    named = {"visit": None, "viewer": None, **values}
    return environment().get_template(name).render(event=definition, zone=definition.zone, **named)
