"""Lines of styled text: in colour on a terminal, plain elsewhere."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Literal

from errata.html import printable
from errata.report.fitting import LEAST_WIDTH, fold_marked
from errata.report.streams import get_unfiltered

if TYPE_CHECKING:
    from collections.abc import Callable

Marked = list[tuple[str, str]]
"""Pieces of a line, each with a style of rich, or an empty one."""


def output_width() -> int | None:
    """Get the width of the terminal, or COLUMNS if it is set; None if the output is not a terminal."""
    return max(LEAST_WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else None


def wants_styles() -> bool:
    """Whether to use colours, bold and dim: not if NO_COLOR is set or the terminal is dumb."""
    return not os.environ.get("NO_COLOR") and not is_dumb()


def is_dumb() -> bool:
    """Whether the terminal does not support escape sequences."""
    return os.environ.get("TERM", "").lower() in {"dumb", "unknown"}


def printer(color: Literal["auto", "always", "never"] = "auto") -> Callable[..., None]:
    """Make a function that prints lines of styled pieces, folded to the width of the terminal."""
    space = output_width()

    def fitting(lines: tuple[Marked, ...]) -> list[Marked]:
        return [part for line in lines for part in (fold_marked(line, space) if space is not None and line else [line])]

    if color == "never" or (color == "auto" and not (space is not None and wants_styles())):

        def show_plain(*lines: Marked) -> None:
            for line in fitting(lines):
                print("".join(printable(text) for text, _ in line).rstrip())

        return show_plain
    from rich.console import Console
    from rich.text import Text

    file = get_unfiltered(sys.stdout)
    console = Console(file=file, force_terminal=True, color_system="standard", no_color=False, soft_wrap=True, highlight=False)

    def show_styled(*lines: Marked) -> None:
        for line in fitting(lines):
            console.print(Text.assemble(*((printable(text), style) for text, style in line)))

    return show_styled
