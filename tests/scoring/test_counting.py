"""What the rows of a metric must be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest

from counting_metric import Counting
from errata import Corpus, RequestError, Sentence, System, score
from errata.corpus.texts import Tokens
from errata.metrics.base import Output
from errata.metrics.ratios import Row

CORPUS = Corpus(tuple(Sentence.of(f"Cat {number}") for number in range(5)), path="cats.m2")


class FewRows(Output):
    """As many rows as are wanted, whatever is asked for."""

    def __init__(self, hypotheses: Sequence[Tokens], given: int) -> None:
        super().__init__(hypotheses)
        self._given = given

    def rows(self, start: int, stop: int) -> list[tuple[Row, ...]]:
        del start, stop
        return [((1,),)] * self._given


@dataclass(frozen=True)
class Wrong(Counting):
    """A metric that counts other sentences than it is asked for."""

    name: ClassVar[str] = "wrong"
    given: int = 0

    def scorer(self, corpus: Corpus) -> Wrong:
        del corpus
        return self

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> Output:
        del first
        return FewRows(hypotheses, self.given)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        del index, rows
        return ("0",)


@pytest.mark.parametrize("given", [3, 6, 0])
def test_a_metric_gives_rows_for_all_sentences(given: int) -> None:
    system = System.of("copy", [sentence.text for sentence in CORPUS])
    with pytest.raises(RequestError, match=rf"wrong.* must give rows for 5 sentences, found those of {given}"):
        score(CORPUS, system, Wrong(given))
