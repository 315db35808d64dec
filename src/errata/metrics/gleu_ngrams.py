"""The n-grams of a sentence that count in GLEU, for people to look at."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from errata.metrics.views import JudgedNgrams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.texts import Tokens


def judge_ngrams(source: Tokens, references: Sequence[Tokens], hypothesis: Tokens, length: int, *, excess: bool) -> JudgedNgrams:
    """Judge the n-grams of a length; of several references, an n-gram has those of the reference that has it most often.

    With ``excess``, n-grams are punished as often as the reference has them less often, not only if it has none.

    >>> judge_ngrams(("a", "x"), [("a", "b", "c")], ("a", "x", "b"), 1, excess=False)
    JudgedNgrams(right=(('b',),), punished=(('x',),), wrong=(), missed=(('c',),))
    """
    own, before, wanted = _count(hypothesis, length), _count(source, length), Counter[tuple[str, ...]]()
    for reference in references:
        wanted |= _count(reference, length)
    kept = own & before
    punished = kept - wanted if excess else Counter({ngram: times for ngram, times in kept.items() if ngram not in wanted})
    listed = ((own & wanted) - before, punished, own - wanted - punished, wanted - before - own)
    return JudgedNgrams(*(tuple(ngrams.elements()) for ngrams in listed))


def _count(tokens: Tokens, length: int) -> Counter[tuple[str, ...]]:
    return Counter(tokens[start : start + length] for start in range(len(tokens) - length + 1))
