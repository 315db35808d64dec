"""Settings, declared once as fields of a frozen dataclass, with allowed values and a line of help.

Parsing, checks, messages, help and the tables of the documentation are generated from the declaration:

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Coin:
...     bias: float = number(0.5, "chance of heads", least=0, most=1)
...     side: str = one_of("heads", ("heads", "tails"), "what counts as a success")
>>> list_settings(Coin)["bias"].expected, list_settings(Coin)["side"].expected
('a number from 0 to 1', 'one of heads, tails')
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from errata.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEY = "setting"
_LONGEST_SHOWN = 60
_SettingValue = TypeVar("_SettingValue", bound=str | int)


@dataclass(frozen=True)
class Setting:
    """A setting: its purpose and its allowed values."""

    help: str
    kind: Literal["number", "whole", "choice", "flag", "text"]
    default: Any
    values: tuple[str | int, ...] = ()
    """All values of a choice."""
    meanings: tuple[str, ...] = ()
    """The meaning of each value, if it needs an explanation."""
    least: float = -math.inf
    most: float = math.inf
    above: float | None = None
    """The exclusive lower limit of a number, if it has one."""
    pattern: str = ""
    """A regular expression that a text must match in full."""
    example: str = ""

    @property
    def expected(self) -> str:
        """A description of the allowed values."""
        if self.kind == "flag":
            return "true or false"
        if self.kind == "choice":
            return f"one of {', '.join(map(str, self.values))}"
        if self.kind == "text":
            return f"written such as {self.example}"
        number = "a whole number" if self.kind == "whole" else "a number"
        return (
            f"{number} above {self.above:.15g} up to {self.most:.15g}"
            if self.above is not None
            else f"{number} from {self.least:.15g} to {self.most:.15g}"
        )

    @property
    def explained(self) -> str:
        """The purpose, with the allowed values and their meanings."""
        if self.meanings:
            return f"{self.help}: {', '.join(f'{value} ({meaning})' for value, meaning in zip(self.values, self.meanings, strict=True))}"
        if self.kind == "choice":
            return f"{self.help}: {', '.join(map(str, self.values))}"
        return self.help if self.kind == "flag" else f"{self.help} ({self.expected})"

    def parse(self, text: str) -> Any:
        """Parse a value; a text that cannot be parsed is returned unchanged, and fails the check."""
        try:
            if self.kind == "flag":
                return {"true": True, "false": False}.get(text.lower(), text)
            if self.kind == "choice":
                return next((value for value in self.values if str(value) == text), text)
            return {"number": float, "whole": int, "text": str}[self.kind](text)
        except ValueError:
            return text

    def check(self, value: Any) -> Any:
        """Convert an allowed value to the type of the setting; else raise ``ValueError``."""
        if self.kind == "flag" and isinstance(value, bool):
            return value
        if self.kind == "choice" and not isinstance(value, bool) and value in self.values:
            return self.values[self.values.index(value)]
        if self.kind == "text" and isinstance(value, str) and re.fullmatch(self.pattern, value):
            return value
        kinds: dict[str, tuple[type, type]] = {"number": (Real, float), "whole": (Integral, int)}
        if self.kind in kinds and isinstance(value, kinds[self.kind][0]) and not isinstance(value, bool):
            own = kinds[self.kind][1](value)
            if self.least <= own <= self.most and (self.above is None or own > self.above):
                return own
        raise ValueError(self.expected)


def number(default: float, help: str, *, least: float = 0, most: float, above: float | None = None) -> float:  # noqa: A002 - the word users know
    """Declare a number in a range."""
    return _field(Setting(help, "number", default, least=least, most=most, above=above))  # type: ignore[no-any-return]  # a field that dataclasses know


def whole(default: int, help: str, *, least: int = 0, most: int) -> int:  # noqa: A002
    """Declare a whole number in a range."""
    return _field(Setting(help, "whole", default, least=least, most=most))  # type: ignore[no-any-return]  # a field that dataclasses know


def one_of(default: _SettingValue, values: Sequence[_SettingValue] | Mapping[_SettingValue, str], help: str) -> _SettingValue:  # noqa: A002
    """Declare a choice of values; a mapping gives the meaning of each."""
    meanings = tuple(values.values()) if isinstance(values, Mapping) else ()
    return _field(Setting(help, "choice", default, values=tuple(values), meanings=meanings))  # type: ignore[no-any-return]  # a field that dataclasses know


def flag(help: str, *, default: bool = False) -> bool:  # noqa: A002
    """Declare a flag, true or false."""
    return _field(Setting(help, "flag", default))  # type: ignore[no-any-return]  # a field that dataclasses know


def text(default: str, help: str, *, pattern: str, example: str) -> str:  # noqa: A002
    """Declare a text that matches a pattern, without commas and parentheses."""
    return _field(Setting(help, "text", default, pattern=pattern, example=example))  # type: ignore[no-any-return]  # a field that dataclasses know


def _field(setting: Setting) -> Any:
    return field(default=setting.default, metadata={_KEY: setting})


def list_settings(kind: Any) -> Mapping[str, Setting]:
    """List the settings of a dataclass by name, in order."""
    return {item.name: item.metadata[_KEY] for item in fields(kind) if _KEY in item.metadata}


def check_settings(record: Any, owner: str) -> None:
    """Check and convert all settings of a dataclass; ``owner`` is for messages."""
    for name, setting in list_settings(record).items():
        value = getattr(record, name)
        try:
            object.__setattr__(record, name, setting.check(value))
        except (ValueError, TypeError, OverflowError):
            shown = repr(value)
            shown = shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}..."
            raise UsageError(f"{owner} setting {name} must be {setting.expected}, found {shown}") from None


def write_value(value: Any) -> str:
    """Format a value as on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)
