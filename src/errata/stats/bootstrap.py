"""The settings of resampling, which intervals and tests share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import UsageError
from errata.settings import FEWEST_REPLICATES, METHODS, MOST_REPLICATES, Method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Progress = Callable[[int], None]
    """Called with the number of replicates that were just done."""

_ReferenceChoice = Literal["kept", "again"]
ResampleBy = Literal["sentence", "document"]
_CHUNK = 250
"""Replicates that are drawn together; fewer if there are very many units, because of memory."""
_CELLS = 4_000_000


def _is_whole(number: object) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool)


def check_level(level: float) -> None:
    """Raise if this is not a confidence level."""
    if not (isinstance(level, Real) and 0 < level < 1):
        raise UsageError(f"a confidence level must be a number between 0 and 1, such as 0.95, found {level}")


def format_level(level: float) -> str:
    """Format a level as a percentage.

    >>> format_level(0.95), format_level(0.99999999)
    ('95%', '99.999999%')
    """
    return f"{100 * level:.12g}%"


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are computed; the same settings give the same numbers everywhere."""

    level: float = 0.95
    method: Method = "bca"
    """Bias-corrected and accelerated (Efron 1987), percentiles of the replicates, or exact (for accuracies, without resampling)."""
    replicates: int = 10_000
    seed: int = 0
    choice: _ReferenceChoice = "kept"
    """Whether each sentence keeps its reference, or references are rechosen in every replicate."""
    by: ResampleBy = "sentence"
    """What is resampled: sentences, or whole documents, which does not assume that their sentences are independent."""

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.method not in METHODS:
            raise UsageError(f"unknown kind of interval {self.method!r}; choose from {', '.join(METHODS)}")
        if self.choice not in get_args(_ReferenceChoice):
            raise UsageError(f"choice must be 'kept' or 'again', found {self.choice!r}")
        if self.by not in get_args(ResampleBy):
            raise UsageError(f"by must be 'sentence' or 'document', found {self.by!r}")
        if not (_is_whole(self.replicates) and FEWEST_REPLICATES <= self.replicates <= MOST_REPLICATES):
            raise UsageError(
                f"replicates must be a whole number from {FEWEST_REPLICATES:,} to {MOST_REPLICATES:,}, found {self.replicates}"
            )
        if not (_is_whole(self.seed) and 0 <= self.seed < 1 << 63):
            raise UsageError(f"a seed must be a whole number from 0, found {self.seed}")
        if self.method == "exact" and (self.by == "document" or self.choice == "again"):
            raise UsageError("exact intervals do not resample, so they support neither documents nor --rechoose; use bca or percentile")
        outside = (1 - self.level) / 2
        if self.method != "exact" and outside * self.replicates < 1:
            raise UsageError(
                f"{self.replicates:,} replicates are too few for a level of {self.level}; use at least {math.ceil(1 / outside):,}"
            )
        for name, kind in (("level", float), ("replicates", int), ("seed", int)):  # numbers of other libraries, such as numpy
            object.__setattr__(self, name, kind(getattr(self, name)))

    @classmethod
    def of(cls, given: object) -> Bootstrap:
        """Return the given settings, or the default ones for None; raise if they are something else."""
        if given is None:
            return cls()
        if not isinstance(given, Bootstrap):
            raise UsageError(f"the settings of intervals must be a Bootstrap, found {type(given).__name__}")
        return given

    def __str__(self) -> str:
        return self.described(f"{self.by}s")

    def described(self, drawn: str) -> str:
        """Describe the settings; ``drawn`` is what is resampled."""
        if self.method == "exact":
            return f"{format_level(self.level)} intervals: exact (Clopper and Pearson)"
        return f"{format_level(self.level)} intervals: {self.method}, {self.describe_resampling(drawn)}"

    def describe_resampling(self, drawn: str = "") -> str:
        """Describe what is resampled, and how often."""
        again = ", references rechosen" if self.choice == "again" else ""
        return f"{self.replicates:,} replicates of {drawn or f'{self.by}s'}, seed {self.seed}{again}"


def split_into_chunks(replicates: int, units: int) -> Iterator[int]:
    """Split replicates into parts that fit into memory; this does not change the numbers."""
    largest = max(1, min(_CHUNK, _CELLS // max(1, units)))
    for first in range(0, replicates, largest):
        yield min(largest, replicates - first)
