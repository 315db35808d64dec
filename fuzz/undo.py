"""Fixes that can be taken back, to see that the fuzzer finds what they fixed.

Each entry undoes one fix in a running server: it removes a limit, or puts back what was done before.
"""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Undo(NamedTuple):
    """How to take a fix back, and how that is found."""

    take_back: Callable[[], None]
    recipe: str
    finds: str
    """How the problem that is found begins."""


UNDO: dict[str, Undo] = {}


def take_back(name: str) -> None:
    """Take a fix back in this process."""
    UNDO[name].take_back()


def fix(recipe: str, finds: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Add a fix that can be taken back."""

    def add(undo: Callable[[], None]) -> Callable[[], None]:
        UNDO[undo.__name__.removeprefix("_")] = Undo(undo, recipe, finds)
        return undo

    return add


def _set(module: str, **values: Any) -> None:
    """Replace names of a module, here and in modules that imported them."""
    home = sys.modules[module]
    for name, value in values.items():
        old = getattr(home, name)
        for other in [loaded for key, loaded in sys.modules.items() if key.startswith("errata")]:
            if vars(other).get(name) is old:
                setattr(other, name, value)


@fix("formulas", "formula")
def _formulas_in_csv() -> None:
    _set("errata.report.csv_lines", _FORMULA=re.compile("(?!)"))


@fix("in_a_terminal", "control character")
def _printable_output() -> None:
    _set("errata.report.streams", printable_lines=lambda text: text)


@fix("task_outside", "silence")
def _task_confined() -> None:
    from errata.task.files import TaskFiles

    setattr(TaskFiles, "_confine", lambda *_: None)  # noqa: B010 - a name of its own


@fix("interrupted", "files")
def _temporary_files_removed() -> None:
    _set("errata.formats.transaction", _ENDING=())


@fix("failing_output", "files")
def _all_or_none() -> None:
    from errata.formats.transaction import Transaction

    setattr(Transaction, "_restore", lambda *_: [])  # noqa: B010 - a name of its own
    _set("errata.formats.transaction", _holding_signals=nullcontext)
