"""Answers of a crowd from which test sets are sampled: a sentence, an output for it, and references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.errors import InputError, RequestError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus.texts import Tokens
    from errata.coverage.corrections import CorrectedSentence


class Sample:
    """Sampled sentences; for each the index of the text that is the output, and those of the texts that are references."""

    def __init__(self, sentences: Any, outputs: Any, references: Any) -> None:
        self.sentences, self.outputs, self.references = sentences, outputs, references


class AnswerPool:
    """The source of each sentence and the texts that were given for it, ready to be sampled."""

    def __init__(self, sentences: Sequence[CorrectedSentence], tokenise: Callable[[str], Sequence[str]]) -> None:
        import numpy as np

        if not sentences:
            raise InputError("there are no sentences to score")
        counted = [_count_texts(sentence, tokenise) for sentence in sentences]
        self.sources = [tuple(sentence.source.split()) for sentence in sentences]
        self.texts = [list(own) for own in counted]
        """The different texts of each sentence."""
        times = [list(own.values()) for own in counted]
        self.numbers = np.array([sum(own) for own in times])
        """The number of answers of each sentence."""
        # The answers of all sentences are concatenated, so that one search finds the text of any of them.
        self._before = np.cumsum([0, *self.numbers[:-1]])
        self._ends = np.concatenate([np.cumsum(own) + before for own, before in zip(times, self._before, strict=True)])
        self._first = np.cumsum([0, *(len(own) for own in times[:-1])])

    def sample(self, draw: Any, references: int, size: int, *, others: bool) -> Sample:
        """Sample sentences, outputs and references; with ``others`` an answer is never its own reference."""
        import numpy as np

        sentences = draw.integers(0, len(self.numbers), size=size)
        given = (draw.random(size) * self.numbers[sentences]).astype(np.int64)
        taken = (draw.random((size, references)) * (self.numbers[sentences] - others)[:, None]).astype(np.int64)
        if others:
            taken += taken >= given[:, None]
        return Sample(sentences, self._find_texts(sentences, given[:, None])[:, 0], self._find_texts(sentences, taken))

    def _find_texts(self, sentences: Any, answers: Any) -> Any:
        """Find the index of the text of each answer."""
        import numpy as np

        texts = np.searchsorted(self._ends, self._before[sentences][:, None] + answers, side="right")
        return texts - self._first[sentences][:, None]


def _count_texts(sentence: CorrectedSentence, tokenise: Callable[[str], Sequence[str]]) -> dict[Tokens, int]:
    """Count how often each token sequence was given."""
    if not sentence.source:
        raise RequestError(f"{sentence.name}: a score needs the source of the sentence")
    texts: dict[Tokens, int] = {}
    for text, times in sentence.corrections.items():
        tokens = tuple(tokenise(text))
        texts[tokens] = texts.get(tokens, 0) + times
    return texts
