"""Ranking items: a judge ranks some outputs of one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class RankedOutput(NamedTuple):
    """An output with the systems that wrote it, and its rank; 1 is best."""

    systems: tuple[str, ...]
    rank: int


class RankingItem(NamedTuple):
    """Outputs of one sentence as one judge ranked them; outputs with the same rank are tied."""

    sentence: int
    """The number of the sentence, as the file counts."""
    judge: str
    outputs: tuple[RankedOutput, ...]
    seconds: float | None
    """How long the judge took, if the file says so."""
    path: str
    line: int


@dataclass(frozen=True)
class HumanJudgments:
    """Ranking items of one or several files; what was skipped by a judge, or has no outputs, is counted."""

    items: tuple[RankingItem, ...]
    skipped: int = 0
    """Items that judges skipped."""
    empty: int = 0
    """Items without a ranking that are not marked as skipped."""
    single: int = 0
    """Items with one output, which give no pair; they are among the items."""

    def __repr__(self) -> str:
        return f"<HumanJudgments: {len(self.items):,} items, {len(self.systems)} systems, {len(self.judges)} judges>"

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The names of all systems, sorted."""
        return tuple(sorted({name for item in self.items for output in item.outputs for name in output.systems}))

    @cached_property
    def judges(self) -> tuple[str, ...]:
        """The names of all judges, sorted."""
        return tuple(sorted({item.judge for item in self.items}))

    @cached_property
    def sentences(self) -> tuple[int, ...]:
        """The numbers of all sentences, as the files count, sorted."""
        return tuple(sorted({item.sentence for item in self.items}))
