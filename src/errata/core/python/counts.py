"""Twin of ``native/ngram_counts.hpp``, ``native/resampling.hpp``, ``native/edit_distance.hpp`` and ``native/best_matches.hpp``."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from errata.core.limits import MOST_EDIT_STEPS, MOST_MATCHES, MOST_MEETINGS, MOST_NGRAMS, name_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from errata.corpus.texts import Tokens


_Ngrams = Counter[tuple[str, ...]]


class _Texts:
    """The n-grams of a source and its references, by order."""

    def __init__(self, source: Tokens, references: Sequence[Tokens], order: int, most_ngrams: int) -> None:
        _check_ngrams(len(source) + sum(map(len, references)), order, most_ngrams)
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
                _check_ngrams(len(tokens), self._order, self._most_ngrams)
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
            pool: _Ngrams = Counter()
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


def _check_ngrams(tokens: int, order: int, most_ngrams: int) -> None:
    if tokens and order > most_ngrams // tokens:
        raise OverflowError("its texts have too many n-grams; use a smaller order")


def _list_ngrams(tokens: Tokens, length: int) -> _Ngrams:
    return Counter(zip(*(tokens[start:] for start in range(length)), strict=False))


def _subtract(one: _Ngrams, other: _Ngrams, *, excess: bool) -> _Ngrams:
    """Keep the n-grams that the other text lacks, or as often as it lacks them."""
    return one - other if excess else Counter({ngram: times for ngram, times in one.items() if ngram not in other})


_CELLS = 4_000_000
"""Rows of all sentences and replicates that are processed together."""
_LARGEST_SUM = 1 << 62
"""As in the core, whose sums are signed 64-bit numbers."""


def rechoose(rows: Any, starts: Any, picked: Any, optimal: bool) -> Any:  # noqa: FBT001 - as in the core
    """Count how often each row is chosen in each replicate; a replicate is an ordered list of sentences, -1 is none."""
    import numpy as np

    sizes = np.diff(starts)
    if rows.shape[1:] != (2,) or len(starts) == 0 or starts[0] != 0 or starts[-1] != len(rows) or (sizes < 1).any():
        raise ValueError("starts must give one or more rows for every sentence")
    if picked.size and not -1 <= picked.min() <= picked.max() < len(sizes):
        raise ValueError("a drawn sentence must be in the corpus")
    # Rows are padded with the first row of their sentence, which changes no choice; an empty sentence is added at the end.
    most = int(sizes.max(initial=1))
    offsets = np.arange(most)
    indices = starts[:-1, None] + np.where(offsets < sizes[:, None], offsets, 0)
    indices = np.vstack([indices, np.full((1, most), len(rows), dtype=indices.dtype)])
    largest = max(int(rows.max(initial=0)), -int(rows.min(initial=0))) * max(picked.shape[1], 2)  # two, for differences of rows
    if largest > _LARGEST_SUM:
        raise OverflowError("the numbers of the rows are too large to be added up")
    exact = rows if largest**2 < 1 << 62 else rows.astype(object)
    pairs = np.vstack([exact, np.zeros((1, 2), dtype=exact.dtype)])[indices]
    step = max(1, _CELLS // max(1, picked.shape[1] * most))
    times = np.zeros((len(picked), len(rows) + 1), dtype=np.int32)
    for first in range(0, len(picked), step):
        drawn = np.ascontiguousarray(
            np.where(picked < 0, len(sizes), picked)[first : first + step].T
        )  # a row for each position in the order
        chosen = indices[drawn, (_optimal if optimal else _official)(pairs[..., 0], pairs[..., 1], drawn)]
        np.add.at(times, (np.arange(first, first + drawn.shape[1])[None, :], chosen), 1)
    return times[:, :-1]


def _official(above: Any, below: Any, drawn: Any) -> Any:
    """Choose, sentence by sentence, the row that maximises the ratio so far."""
    import numpy as np

    chosen = np.zeros(drawn.shape, dtype=np.int64)
    total_above, total_below = np.zeros(drawn.shape[1], dtype=above.dtype), np.zeros(drawn.shape[1], dtype=above.dtype)
    for step, sentences in enumerate(drawn):
        best_above, best_below = total_above + above[sentences, 0], total_below + below[sentences, 0]
        for row in range(1, above.shape[1]):
            other_above, other_below = total_above + above[sentences, row], total_below + below[sentences, row]
            better = _better(other_above, other_below, best_above, best_below)
            chosen[step][better] = row
            best_above, best_below = np.where(better, other_above, best_above), np.where(better, other_below, best_below)
        total_above, total_below = best_above, best_below
    return chosen


def _better(above: Any, below: Any, best_above: Any, best_below: Any) -> Any:
    """Whether ratios are better than others: 0/0 is 1; ties go to the larger numerator, then to the smaller denominator."""
    import numpy as np

    left = np.where(below == 0, 1, above) * np.where(best_below == 0, 1, best_below)
    right = np.where(best_below == 0, 1, best_above) * np.where(below == 0, 1, below)
    tie = (above > best_above) | ((above == best_above) & (below < best_below))
    return (left > right) | ((left == right) & tie)


def _optimal(above: Any, below: Any, drawn: Any) -> Any:
    """Choose by Dinkelbach's method, replicate by replicate; a sentence that is drawn twice has the same row."""
    import numpy as np

    chosen = np.zeros(drawn.shape, dtype=np.int64)
    nothing = (above == 0) & (below == 0)
    for number, sentences in enumerate(drawn.T):
        ratio_above, ratio_below = 0, 1
        while True:
            rows = _largest(above * ratio_below - ratio_above * below, above, -below)
            new = [int(part[sentences, rows[sentences]].sum()) for part in (above, below)]
            if new[0] * ratio_below == ratio_above * new[1]:
                break
            ratio_above, ratio_below = new
        if ratio_above < ratio_below and nothing[sentences].any(axis=1).all():
            rows = nothing.argmax(axis=1)
        chosen[:, number] = rows[sentences]
    return chosen


def _largest(*keys: Any) -> Any:
    """Find the first column of each row that is largest by the first key, then by the second, and so on."""
    import numpy as np

    left = np.ones(keys[0].shape, dtype=bool)
    for key in keys:
        masked = np.where(left, key, key.min() - 1)
        left &= masked == masked.max(axis=1, keepdims=True)
    return left.argmax(axis=1)


def compute_edit_distances(one: Sequence[str], other: Sequence[str], *, most_steps: int = MOST_EDIT_STEPS) -> Any:
    """Compute the edit distance of every word of one list to every word of the other, a row for each word of the first."""
    import numpy as np

    for word in (*one, *other):
        if not isinstance(word, str):
            raise TypeError("a word must be a str")
    if sum(-(-len(word) // 64) for word in one) * sum(map(len, other)) > most_steps:
        raise OverflowError("the words are too long to be compared in seconds")
    known: dict[tuple[str, str], int] = {}
    distances = np.zeros((len(one), len(other)), dtype=np.int32)
    for row, word in enumerate(one):
        for column, target in enumerate(other):
            if (word, target) not in known:
                known[word, target] = _compute_distance(word, target)
            distances[row, column] = known[word, target]
    return distances


def _compute_distance(one: str, other: str) -> int:
    before = list(range(len(other) + 1))
    for row, character in enumerate(one, start=1):
        current = [row]
        for column, target in enumerate(other, start=1):
            current.append(min(before[column] + 1, current[-1] + 1, before[column - 1] + (character != target)))
        before = current
    return before[-1]


_MOST_WORDS = 10_000_000


def find_best_matches(
    sets: Sequence[tuple[int, ...]],
    others: Sequence[tuple[int, ...]],
    aligned: Sequence[tuple[int, int]],
    by_share: bool,  # noqa: FBT001 - as in the core
    *,
    most_meetings: int = MOST_MEETINGS,
    most_matches: int = MOST_MATCHES,
) -> list[tuple[int, ...]]:
    """Find for each set of words all others that match it best, by F1 of the aligned words that both have, or by the share of their own."""
    _check_units(sets, others, aligned)
    holders: dict[int, list[int]] = {}
    for number, words in enumerate(others):
        for word in words:
            holders.setdefault(word, []).append(number)
    partners: dict[int, list[int]] = {}
    for one, other in aligned:
        partners.setdefault(one, []).append(other)
    result: list[tuple[int, ...]] = []
    meetings = matches = 0
    for words in sets:
        shared: Counter[int] = Counter()
        for word in words:
            for partner in partners.get(word, ()):
                shared.update(holders.get(partner, ()))
        meetings += shared.total()
        if meetings > most_meetings:
            raise OverflowError("the graphs are too deep to be aligned in seconds; cut them into sentences")
        scores = {other: Fraction(count, len(others[other]) + (0 if by_share else len(words))) for other, count in shared.items()}
        best = max(scores.values(), default=None)
        result.append(tuple(sorted(other for other, score in scores.items() if score == best)))
        matches += len(result[-1])
        if matches > most_matches:
            raise OverflowError("too many units have the same words to be aligned; cut the graphs into sentences")
    return result


def _check_units(*sequences: Sequence[tuple[int, ...]]) -> None:
    for sets in sequences:
        for words in sets:
            if not isinstance(words, tuple):
                raise TypeError("a set of words must be a tuple")
            if any(word < 0 for word in words):
                raise ValueError("a word is a position in a text and cannot be negative")
            if any(word >= _MOST_WORDS for word in words):
                raise ValueError("a word is a position in a text of at most ten million words")
