"""How sentences are drawn again: the settings that intervals and tests share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import UsageError
from errata.stats.methods import FEWEST_REPLICATES, METHODS, MOST_REPLICATES, Method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Progress = Callable[[int], None]
    """Told how many more replicates are done."""

ReferenceChoice = Literal["kept", "again"]
ResampleBy = Literal["sentence", "document"]
_CHUNK = 250
"""Replicates that are drawn at once, fewer where there are very many units."""
_CELLS = 4_000_000


def _is_whole(number: object) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool)


def check_level(level: float) -> None:
    """Raise unless it can be a level of confidence."""
    if not (isinstance(level, Real) and 0 < level < 1):
        raise UsageError(f"a level of confidence lies between 0 and 1, such as 0.95, found {level}")


def format_level(level: float) -> str:
    """A level as people read it.

    >>> format_level(0.95), format_level(0.99999999)
    ('95%', '99.999999%')
    """
    return f"{100 * level:.12g}%"


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are made; the same settings give the same numbers everywhere."""

    level: float = 0.95
    method: Method = "bca"
    """Bias-corrected and accelerated (Efron 1987), or the plain percentiles of the replicates; exact, without any, for accuracies."""
    replicates: int = 10_000
    seed: int = 0
    choice: ReferenceChoice = "kept"
    """Whether each sentence keeps the reference that the whole corpus chose, or the choice is made again in every replicate."""
    by: ResampleBy = "sentence"
    """What is drawn: sentences, or whole documents, whose sentences are then not taken to be independent of each other."""

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.method not in METHODS:
            raise UsageError(f"unknown kind of interval {self.method!r}; known are {', '.join(METHODS)}")
        if self.choice not in get_args(ReferenceChoice):
            raise UsageError(f"the choice among references is {' or '.join(get_args(ReferenceChoice))}, found {self.choice!r}")
        if self.by not in get_args(ResampleBy):
            raise UsageError(f"what is drawn again is a {' or a '.join(get_args(ResampleBy))}, found {self.by!r}")
        if not (_is_whole(self.replicates) and FEWEST_REPLICATES <= self.replicates <= MOST_REPLICATES):
            raise UsageError(f"replicates are a whole number from {FEWEST_REPLICATES:,} to {MOST_REPLICATES:,}, found {self.replicates}")
        if not (_is_whole(self.seed) and 0 <= self.seed < 1 << 63):
            raise UsageError(f"a seed is a whole number from 0, found {self.seed}")
        if self.method == "exact" and (self.by == "document" or self.choice == "again"):
            raise UsageError("exact intervals draw nothing, neither documents nor references; bca and percentile do")
        outside = (1 - self.level) / 2
        if self.method != "exact" and outside * self.replicates < 1:
            raise UsageError(
                f"{self.replicates:,} replicates cannot show a level of {self.level}: none is expected outside; "
                f"take at least {math.ceil(1 / outside):,}"
            )
        for name, kind in (("level", float), ("replicates", int), ("seed", int)):  # whatever library the number is from
            object.__setattr__(self, name, kind(getattr(self, name)))

    def __str__(self) -> str:
        return self.described(f"{self.by}s")

    def described(self, drawn: str) -> str:
        """With what is drawn again."""
        if self.method == "exact":
            return f"{format_level(self.level)} intervals: exact (Clopper and Pearson)"
        again = ", choice made again" if self.choice == "again" else ""
        return f"{format_level(self.level)} intervals: {self.method}, {self.replicates:,} replicates of {drawn}, seed {self.seed}{again}"


def split_into_chunks(replicates: int, units: int) -> Iterator[int]:
    """Sizes of parts that do not take too much memory; they change no number."""
    largest = max(1, min(_CHUNK, _CELLS // max(1, units)))
    for first in range(0, replicates, largest):
        yield min(largest, replicates - first)
