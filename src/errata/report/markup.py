"""Lines of styled text: in colour on a terminal, plain elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

from errata.report.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable

Marked = list[tuple[str, str]]
"""Pieces of a line, each with a style of rich or none."""


def printer(color: Literal["auto", "always", "never"]) -> Callable[..., None]:
    """A function that prints lines of styled pieces."""
    if color == "never" or (color == "auto" and not sys.stdout.isatty()):

        def show_plain(*lines: Marked) -> None:
            for line in lines:
                print("".join(printable(text) for text, _ in line).rstrip())

        return show_plain
    from rich.console import Console
    from rich.text import Text

    console = Console(force_terminal=color == "always" or None, soft_wrap=True, highlight=False)

    def show_styled(*lines: Marked) -> None:
        for line in lines:
            console.print(Text.assemble(*((printable(text), style) for text, style in line)))

    return show_styled
