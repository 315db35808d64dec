"""HTML of the page: names of systems, and links to views of sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from errata.html import Html as Html  # noqa: PLC0414 - the sections of a page find all of it here
from errata.html import element as element  # noqa: PLC0414
from errata.html import escape_html as escape_html  # noqa: PLC0414
from errata.html import join_html as join_html  # noqa: PLC0414


def name_of(system: str) -> Html:
    """Show the name of a system, isolated, so that its direction cannot change what is around it."""
    return element("bdi", system)


View = Mapping[str, str | Sequence[str]]
"""Which sentences are shown, and how: the fields of the page's address; some have several values."""


def link_to_sentences(shown: str | Html, view: View) -> Html:
    """Make a link to the sentences of a view."""
    return element("a", shown, href=f"#sentences?{write_view(view)}")


def write_view(view: View) -> str:
    """Write a view as in the address of the page; empty fields are left out, but a list may have an empty text.

    >>> write_view({"system": "A&B", "type": ["Vform", "SVA"], "q": ""}), write_view({"type": [""]})
    ('system=A%26B&type=Vform,SVA', 'type=')
    """
    listed = {key: [value] if isinstance(value, str) else value for key, value in view.items() if value}
    return "&".join(f"{key}={','.join(quote(one, safe='') for one in values)}" for key, values in listed.items())
