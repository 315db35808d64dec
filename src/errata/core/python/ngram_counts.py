"""The n-grams that a hypothesis shares with its source and its references, as GLEU counts them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.core.python.limits import MOST_NGRAMS, name_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.texts import Tokens

Ngrams = Counter[tuple[str, ...]]


class _Texts:
    """The n-grams of a source and its references, by order."""

    def __init__(self, source: Tokens, references: Sequence[Tokens], order: int, most_ngrams: int) -> None:
        _check(len(source) + sum(map(len, references)), order, most_ngrams)
        self.source = [_list_ngrams(source, length) for length in range(1, order + 1)]
        self.references = [[_list_ngrams(text, length) for length in range(1, order + 1)] for text in references]
        self.lengths = [len(text) for text in references]


class NgramCounter:
    """N-grams of hypotheses, their sources and references, as GLEU counts them; a corpus is read once."""

    def __init__(self, sentences: list[tuple[Tokens, tuple[Tokens, ...]]], order: int, *, most_ngrams: int = MOST_NGRAMS) -> None:
        if order < 1:
            raise ValueError("order must be 1 or more")
        self._order, self._most_ngrams = order, most_ngrams
        self._sentences: list[_Texts] = []
        for number, (source, references) in enumerate(sentences, start=1):
            if not references:
                raise ValueError("a sentence must have a reference")
            with name_sentence(number):
                self._sentences.append(_Texts(source, references, order, most_ngrams))

    def counts(self, first: int, hypotheses: list[Tokens], excess: bool) -> list[tuple[tuple[int, ...], ...]]:  # noqa: FBT001
        """Count consecutive sentences from `first`, a row for each reference: lengths, numerators and denominators."""
        return self._rows(first, hypotheses, lambda texts, tokens: self._count(texts, tokens, excess=excess))

    def pooled_counts(self, first: int, hypotheses: list[Tokens], excess: bool) -> list[tuple[tuple[int, ...], ...]]:  # noqa: FBT001
        """Count consecutive sentences from `first`, a row for all references: both lengths, then n-grams gained, right, lost and to gain, each for every order."""  # noqa: E501 - as the core says it
        return self._rows(first, hypotheses, lambda texts, tokens: self._count_pooled(texts, tokens, excess=excess))

    def _rows(
        self, first: int, hypotheses: list[Tokens], count: Callable[[_Texts, Tokens], Iterator[tuple[int, ...]]]
    ) -> list[tuple[tuple[int, ...], ...]]:
        if not 0 <= first <= len(self._sentences) - len(hypotheses):
            raise IndexError("more hypotheses than sentences")
        result = []
        for index, tokens in enumerate(hypotheses, start=first):
            with name_sentence(index + 1):
                _check(len(tokens), self._order, self._most_ngrams)
            result.append(tuple(count(self._sentences[index], tokens)))
        return result

    def _count(self, texts: _Texts, tokens: Tokens, *, excess: bool) -> Iterator[tuple[int, ...]]:
        own = [_list_ngrams(tokens, length) for length in range(1, self._order + 1)]
        denominators = [max(0, len(tokens) + 1 - length) for length in range(1, self._order + 1)]
        for reference, length in zip(texts.references, texts.lengths, strict=True):
            numerators = []
            for mine, source, theirs in zip(own, texts.source, reference, strict=True):
                kept = mine & source
                punished = kept - theirs if excess else {ngram: times for ngram, times in kept.items() if ngram not in theirs}
                numerators.append((mine & theirs).total() - sum(punished.values()))
            yield (len(tokens), length, *(numerators if excess else (max(0, number) for number in numerators)), *denominators)

    def _count_pooled(self, texts: _Texts, tokens: Tokens, *, excess: bool) -> Iterator[tuple[int, ...]]:
        gained, right, lost, to_gain = [], [], [], []
        for index, source in enumerate(texts.source):
            pool: Ngrams = Counter()
            for reference in texts.references:
                pool |= reference[index]
            mine, gains, losses = (
                _list_ngrams(tokens, index + 1),
                _subtract(pool, source, excess=excess),
                _subtract(source, pool, excess=excess),
            )
            gained.append((mine & gains).total())
            right.append((mine & pool).total())
            lost.append((mine & losses).total())
            to_gain.append(gains.total())
        yield len(tokens), min(texts.lengths, key=lambda length: abs(length - len(tokens))), *gained, *right, *lost, *to_gain


def _check(tokens: int, order: int, most_ngrams: int) -> None:
    if tokens and order > most_ngrams // tokens:
        raise OverflowError("its texts have too many n-grams; use a smaller order")


def _list_ngrams(tokens: Tokens, length: int) -> Ngrams:
    return Counter(zip(*(tokens[start:] for start in range(length)), strict=False))


def _subtract(one: Ngrams, other: Ngrams, *, excess: bool) -> Ngrams:
    """Keep the n-grams that the other text lacks, or as often as it lacks them."""
    return one - other if excess else Counter({ngram: times for ngram, times in one.items() if ngram not in other})
