"""Judgments with the sentences of a corpus: which item is about which sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from errata.corpus.texts import write_ranges
from errata.errors import MismatchError, pluralise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.judgments.items import HumanJudgments, RankingItem


@dataclass(frozen=True)
class JudgedSentences:
    """Ranking items, and the sentences of a corpus; those without an item are there too."""

    items: tuple[RankingItem, ...]
    numbers: tuple[int, ...]
    """The sentences of the corpus, counted from 1."""
    first: int
    """What judgments call the first sentence: 0 or 1."""

    @cached_property
    def places(self) -> Mapping[int, int]:
        """The index of each sentence, by the number that judgments give it."""
        return {number - 1 + self.first: index for index, number in enumerate(self.numbers)}

    @cached_property
    def judged_numbers(self) -> tuple[int, ...]:
        """The sentences with an item, counted from 1."""
        return tuple(sorted({item.sentence - self.first + 1 for item in self.items}))

    @cached_property
    def judges(self) -> tuple[str, ...]:
        """The names of the judges, sorted."""
        return tuple(sorted({item.judge for item in self.items}))

    @classmethod
    def of(cls, judgments: HumanJudgments, numbers: Sequence[int], first: int, whole: int | None = None) -> JudgedSentences:
        """Keep the items about some sentences; ``whole`` is the number of all sentences of the corpus, beyond which there is none."""
        last = max(numbers) if whole is None else whole
        for item in judgments.items:
            if not 1 <= item.sentence - first + 1 <= last:
                about = f"sentences are counted from {first}, and there are {pluralise(last, 'sentence')}"
                raise MismatchError(f"{item.path}:{item.line}: there is no sentence {item.sentence}: {about}")
        kept = set(numbers)
        items = tuple(item for item in judgments.items if item.sentence - first + 1 in kept)
        if not items:
            raise MismatchError(f"no sentence among {', '.join(write_ranges(tuple(numbers)))[:60]} was judged")
        return cls(items, tuple(numbers), first)
