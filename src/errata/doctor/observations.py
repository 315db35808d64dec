"""What is observed: one line each, in sections."""

from __future__ import annotations

from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Literal

from errata.errors import ErrataError

if TYPE_CHECKING:
    from collections.abc import Callable

State = Literal["info", "ok", "missing", "failed"]
"""A fact, a check that passes, something that is merely not installed, and a check that fails."""


@dataclass(frozen=True)
class Observation:
    """A fact, or the result of a check."""

    name: str
    found: str
    state: State = "info"
    is_foreign: bool = False
    """Whether the text may have words of other programs or of the machine, which can be private."""


@dataclass(frozen=True)
class Section:
    """Observations about one subject."""

    key: str
    title: str
    observations: tuple[Observation, ...]


class CheckFailedError(Exception):
    """What was expected and what was found."""


def run_check(name: str, check: Callable[[], str]) -> Observation:
    """Run a check, which returns what it found or raises; whatever it raises is a failure with its reason."""
    try:
        with redirect_stdout(StringIO()):  # what code of others prints is not our output
            return Observation(name, check(), "ok")
    except CheckFailedError as error:
        return Observation(name, str(error), "failed")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a broken installation may raise anything
        reason = str(error) if isinstance(error, ErrataError) else f"{type(error).__name__}: {error}"
        return Observation(name, reason, "failed", is_foreign=True)


def expect(what: str, expected: object, found: object) -> None:
    """Raise if something differs from what was recorded."""
    if expected != found:
        raise CheckFailedError(f"{what}: expected {expected}, found {found}")
