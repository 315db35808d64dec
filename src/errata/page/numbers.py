"""Cells with numbers, which the page can show as differences to those of another system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.html import Html, element
from errata.page.html import link_to_sentences
from errata.report.table import Column, is_undefined

if TYPE_CHECKING:
    from errata.html import Child
    from errata.page.html import View
    from errata.report.table import Cell

_PERCENT = Column("", "percent")


def number_cell(
    value: Cell,
    key: str,
    system: int,
    column: Column = _PERCENT,
    *,
    classes: str = "",
    after: Child = None,
    view: View | None = None,
) -> Html:
    """Make a cell; ``key`` is the same for the cells of all systems that are compared with each other.

    ``view`` names the sentences that the number links to.
    """
    shown = column.shown(value)
    kind = f"number {classes}".rstrip()
    if is_undefined(value) or isinstance(value, str):
        return element("td", shown, after, class_=kind, data_system=system)
    percent = column.digits if column.kind == "percent" else None
    number = element("span", shown, data_system=system, data_key=key, data_value=repr(value), data_percent=percent)
    if view is not None:
        number = link_to_sentences(number, view)
    return element("td", number, after, class_=kind, data_value=repr(value))
