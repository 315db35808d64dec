"""Settings, declared once as fields of a frozen dataclass, with allowed values and a line of help.

Parsing, checks, messages, help and the tables of the documentation are generated from the declaration:

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Coin:
...     bias: float = number(0.5, "chance of heads", least=0, most=1)
...     side: str = one_of("heads", ("heads", "tails"), "what counts as a success")
>>> list_settings(Coin)["bias"].expected, list_settings(Coin)["side"].expected
('a number from 0 to 1', 'one of heads, tails')

The names and numbers that commands offer and functions take are here too, so that a command can list them without what they are for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

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


BLOCK_SIZE = 1024
"""Sentences that are hashed together."""
DEFAULT_MAX_FILES = 1_000
"""Maximum number of files that a task names."""
PART_SIZE = 16 * BLOCK_SIZE
"""Sentences of a part, unless the user says otherwise; always whole blocks."""

Method = Literal["bca", "percentile", "exact"]
"""A kind of interval."""
METHODS: tuple[Method, ...] = get_args(Method)
Test = Literal["randomisation", "bootstrap", "t", "sign"]
"""A paired test of two systems."""
TESTS: tuple[Test, ...] = get_args(Test)
Correction = Literal["holm", "bh", "none"]
"""A correction of p-values for the number of pairs."""
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
FEWEST_REPLICATES, MOST_REPLICATES = 100, 1_000_000

RankingMethod = Literal["expected-wins", "trueskill", "bradley-terry"]
"""How systems are ranked."""
RANKING_METHODS: tuple[RankingMethod, ...] = get_args(RankingMethod)
"""All values of :data:`RankingMethod`."""
JudgedUnit = Literal["sentence", "item", "judge"]
"""What is resampled: the items of a sentence together, single items, or the items of a judge together."""
JUDGED_UNITS: tuple[JudgedUnit, ...] = get_args(JudgedUnit)
"""All values of :data:`JudgedUnit`."""
DEFAULT_RANKING_REPLICATES = 1_000
DEFAULT_RUNS = 100
"""Runs of TrueSkill."""
PairKind = Literal["collapsed", "expanded"]
"""What a judged pair is: two outputs (collapsed), or two systems, those of the same output included (expanded)."""
PAIR_KINDS: tuple[PairKind, ...] = get_args(PairKind)
"""All values of :data:`PairKind`."""

TieRule = Literal["neither", "drop", "loss", "loss-given"]
"""What a tie of a metric is, if people have a preference."""
TIE_RULES: dict[TieRule, str] = {
    "neither": "it is a pair that neither agrees nor disagrees",
    "drop": "the pair is left out, so metrics with many ties look better",
    "loss": "the system whose name is first in the alphabet loses, as in the script of SEEDA",
    "loss-given": "the system that is given first loses, as in gec-metrics",
}
"""All values of :data:`TieRule`, with what they mean."""
Coefficient = Literal["pearson", "spearman", "kendall"]
"""A coefficient of correlation."""
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)
"""All values of :data:`Coefficient`."""
IntervalMethod = Literal["hierarchical", "bca", "percentile"]
"""How intervals of correlations are computed."""
INTERVAL_METHODS: tuple[IntervalMethod, ...] = get_args(IntervalMethod)
"""All kinds of intervals."""

Fill = Literal["empty", "source"]
"""What stands for a missing line: an empty line, or the line of the source."""
FILLS: tuple[Fill, ...] = get_args(Fill)
"""All values of :data:`Fill`."""

Detail = Literal["operation", "category", "full"]
DETAILS: tuple[Detail, ...] = ("operation", "category", "full")
"""How much of a type is shown: ``M``, ``DET`` or ``M:DET``."""
PivotMeasure = Literal["f", "precision", "recall"]
"""A measure of a type."""
PIVOT_MEASURES: tuple[PivotMeasure, ...] = get_args(PivotMeasure)
"""All measures of a type."""
AUTO = "auto"
"""On the command line: F, or recall if some types have no F."""

MOST_SENTENCES = 100_000
"""Sentences that are in a page if no others are asked for; with more it would be slow to open."""
