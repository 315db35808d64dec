"""Count sentences: a row for each sentence and reference, from texts in the core if a metric can, else from objects."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from errata.corpus.corpus import Annotation, Corpus, Part, Sentence, System, extract_edits
from errata.corpus.references import hash_blocks
from errata.corpus.texts import RAISE_LIMIT
from errata.errors import FormatError, RequestError
from errata.evidence_files.part_files import PartRows, need_pyarrow
from errata.metrics.evidence import RowArrays
from errata.names import BLOCK_SIZE
from errata.scoring.evaluator import Evaluator
from errata.scoring.scores import describe_metric, describe_system, name_package

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from errata.corpus.texts import Tokens
    from errata.metrics.base import Metric, Output, TextScorer


class About(NamedTuple):
    """What signatures and warnings say about a metric, a gold and a system."""

    metric: str
    system: str
    warnings: tuple[str, ...]


def describe_evidence(metric: Metric, corpus: Corpus, system: System) -> About:
    """Describe what evidence is of."""
    return About(describe_metric(metric, corpus), describe_system(metric, corpus, system), tuple(metric.gold_warnings(corpus)))


def fits_metric(described: str, metric: Metric) -> bool:
    """Whether what a part says about its metric may be about this one: the settings and the package are the same."""
    package = name_package(metric)
    return described == f"{metric.signature}{package}" or (described.startswith(f"{metric.signature} | ") and described.endswith(package))


class GoldPart:
    """The texts of consecutive sentences of a gold, Arrow arrays, which are prepared for metrics when they need it."""

    def __init__(self, paths: Sequence[str], first: int, source: Any, references: Sequence[Any], max_tokens: int) -> None:
        """Keep texts; ``paths`` are the files of source and references, for messages."""
        self.paths, self.first, self.source, self.references, self.max_tokens = paths, first, source, list(references), max_tokens
        self._scorers: dict[str, TextScorer | None] = {}
        self._evaluators: dict[str, Evaluator] = {}

    def count(self, metric: Metric, output: Any, path: str) -> PartRows:
        """Count the texts of an output, an Arrow array; ``path`` is its file, for messages."""
        scorer = self._find_text_scorer(metric)
        if scorer is not None:
            with self._name_file(path, output):
                counts = scorer.counts(output)
            return _arrange(counts, len(self.references), len(self.source))
        hypotheses = _split(output, path, self.first, self.max_tokens)
        evaluate = self._find_evaluator(metric)
        return count_sentences(evaluate, evaluate.prepare_from(hypotheses, 0), 0, len(hypotheses))

    def describe(self, metric: Metric, name: str) -> About:
        """Describe the evidence of a system."""
        if self._find_text_scorer(metric) is not None:
            return About(f"{metric.signature}{name_package(metric)}", "", ())
        return describe_evidence(metric, self._corpus, System(name, ()))

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """The hashes of the blocks of the gold."""
        scorer = next((scorer for scorer in self._scorers.values() if scorer is not None), None)
        if scorer is None:
            return tuple(digest.hex() for digest in hash_blocks(self._corpus.sentences))
        size = len(self.source)
        contents = (scorer.content(first, min(first + BLOCK_SIZE, size)) for first in range(0, size, BLOCK_SIZE))
        return tuple(hashlib.sha256(content).hexdigest() for content in contents)

    def _find_text_scorer(self, metric: Metric) -> TextScorer | None:
        """Find the metric prepared for texts; None if it cannot."""
        if (key := str(metric)) not in self._scorers:
            with self._name_file(self.paths[0]):
                self._scorers[key] = metric.text_scorer(self.source, self.references, self.first, self.max_tokens)
        return self._scorers[key]

    @contextmanager
    def _name_file(self, path: str, output: Any = None) -> Iterator[None]:
        """Turn what the core says about a sentence that is too large into an error with its file; that of a text that is too long first."""
        try:
            yield
        except OverflowError as error:
            texts = (self.source, *self.references) if output is None else (output,)
            for own, column in zip(self.paths if output is None else (path,), texts, strict=True):
                _split(column, own, self.first, self.max_tokens)
            raise RequestError(f"{path}: {error}") from None

    def _find_evaluator(self, metric: Metric) -> Evaluator:
        """Find the metric prepared for a corpus."""
        if (key := str(metric)) not in self._evaluators:
            self._evaluators[key] = Evaluator(self._corpus, metric, warn=None)
        return self._evaluators[key]

    @cached_property
    def _corpus(self) -> Corpus:
        columns = [
            _split(texts, path, self.first, self.max_tokens)
            for texts, path in zip((self.source, *self.references), self.paths, strict=True)
        ]
        sentences = tuple(
            Sentence(tokens, tuple(Annotation(str(number), extract_edits(tokens, target)) for number, target in enumerate(corrected)))
            for tokens, *corrected in zip(*columns, strict=True)
        )
        last = self.first + len(sentences) - 1
        return Corpus(sentences, path=self.paths[0], part=Part(tuple(range(self.first, last + 1)), last))


def count_sentences(evaluate: Evaluator, output: Output, start: int, stop: int) -> PartRows:
    """Count sentences one by one."""
    import numpy as np

    pa = need_pyarrow()
    rows, labels = evaluate.count(output, start, stop)
    listed = [row for own in rows for row in own]
    try:
        counts = np.array(listed, dtype=np.int64)
    except OverflowError:
        raise RequestError(f"the counts of {evaluate.metric} must be whole numbers below 2^63") from None
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    names = pa.array([label for own in labels for label in own], pa.string()).dictionary_encode()
    return PartRows(RowArrays(counts, starts), names)


def _arrange(counts: Any, references: int, sentences: int) -> PartRows:
    """Arrange counts of sentences that all have the same references."""
    import numpy as np

    pa = need_pyarrow()
    indices = np.tile(np.arange(references, dtype=np.int32), sentences)
    names = [str(number) for number in range(references)]
    labels = pa.DictionaryArray.from_arrays(pa.array(indices), pa.array(names, pa.string()))
    return PartRows(RowArrays(counts, np.arange(0, sentences * references + 1, references, dtype=np.int64)), labels)


def _split(texts: Any, path: str, first: int, max_tokens: int) -> list[Tokens]:
    """Split texts into tokens."""
    outputs = [tuple(text.split()) for text in texts.to_pylist()]
    for number, tokens in enumerate(outputs, first):
        if len(tokens) > max_tokens:
            raise FormatError(path, number, f"{len(tokens):,} tokens in a line, more than the limit of {max_tokens:,}; {RAISE_LIMIT}")
    return outputs
