"""The counts of answers as outputs, against answers as references.

Most metrics give each reference a row that does not depend on the other references.  Then every output is counted against every
reference once, and a test set takes only sums.  Other metrics, such as I-measure, which mixes the corrections of all references,
count an output against all its references together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.corpus.corpus import Annotation, Corpus, Sentence, extract_edits
from errata.errors import RequestError
from errata.metrics import Metric, SingleRow, registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.corpus.corpus import Edit
    from errata.corpus.texts import Tokens
    from errata.coverage.answer_pool import AnswerPool, Sample
    from errata.metrics.ratios import Row

    Progress = Callable[[int], None]

_TRIED = 3
"""Sentences with which is found out whether rows depend on other references."""
_CHUNK = 100
"""Outputs that are counted together."""


class AnswerCounter:
    """Counts answers of a crowd against each other, by a metric."""

    def __init__(self, metric: Metric, answers: AnswerPool) -> None:
        if metric.referenceless:
            raise RequestError(f"{metric} uses no references, so it cannot be scored with a number of them")
        if metric.needs:
            raise RequestError(f"{metric} needs {' and '.join(metric.needs)} of every text, so it cannot be simulated")
        self._metric, self._answers = metric, answers
        self._edits: dict[tuple[int, int], tuple[Edit, ...]] = {}

    def counts_references_alone(self) -> bool:
        """Whether each reference has a row of its own, which is the same without the other references."""
        if isinstance(self._metric.strategy, SingleRow) or self._metric.mixes_references:
            return False
        several = [index for index, texts in enumerate(self._answers.texts) if len(texts) > 1][:_TRIED]
        for index in several:
            texts = range(len(self._answers.texts[index]))
            together = self._count([(index, 0, tuple(texts))])[0]
            if together != tuple(row for text in texts for row in self._count([(index, 0, (text,))])[0]):
                return False
        return True

    def count_all(self, index: int) -> list[Row]:
        """Count every text of a sentence as an output against every text as a reference, one output after the other."""
        texts = self._answers.texts[index]
        sentence = self._make_sentence(index, range(len(texts)))

        def count() -> list[Row]:
            scorer = self._metric.scorer(Corpus((sentence,)))
            rows = [tuple(scorer.prepare([text]).rows(0, 1)[0]) for text in texts]
            if found := next((len(own) for own in rows if len(own) != len(texts)), None):
                raise RequestError(f"{self._metric} must give each reference a row, found {found} for {len(texts)} references")
            return [tuple(row) for own in rows for row in own]

        result: list[Row] = registry.METRICS.run(self._metric.name, count)
        return result

    def count_sample(self, sample: Sample, progress: Progress | None) -> list[tuple[Row, ...]]:
        """Count sampled outputs, each against all its references together."""
        wanted = [
            (int(index), int(output), tuple(references))
            for index, output, references in zip(sample.sentences, sample.outputs, sample.references.tolist(), strict=True)
        ]
        known: dict[tuple[int, int, tuple[int, ...]], tuple[Row, ...]] = {}
        for first in range(0, len(wanted), _CHUNK):
            chunk = wanted[first : first + _CHUNK]
            new = [item for item in dict.fromkeys(chunk) if item not in known]
            known |= zip(new, self._count(new), strict=True)
            if progress is not None:
                progress(len(chunk))
        return [known[item] for item in wanted]

    def count_error_free(self, references: int) -> list[tuple[Row, ...]]:
        """Count the source of each sentence as if it had no errors: as the output, and as every reference."""
        annotations = tuple(Annotation(str(number)) for number in range(references))
        return self._rows([Sentence(source, annotations) for source in self._answers.sources], self._answers.sources)

    def _count(self, wanted: Sequence[tuple[int, int, tuple[int, ...]]]) -> list[tuple[Row, ...]]:
        """Count outputs; each is given as a sentence, a text and the texts of its references."""
        sentences = [self._make_sentence(index, references) for index, _, references in wanted]
        return self._rows(sentences, [self._answers.texts[index][output] for index, output, _ in wanted])

    def _make_sentence(self, index: int, references: Iterable[int]) -> Sentence:
        """Make a sentence with these texts as references."""
        annotations = (Annotation(str(number), self._extract(index, text)) for number, text in enumerate(references))
        return Sentence(self._answers.sources[index], tuple(annotations))

    def _rows(self, sentences: Sequence[Sentence], outputs: Sequence[Tokens]) -> list[tuple[Row, ...]]:
        def count() -> Any:
            return self._metric.scorer(Corpus(tuple(sentences))).prepare(outputs).rows(0, len(outputs))

        rows = registry.METRICS.run(self._metric.name, count) if sentences else []
        return [tuple(tuple(row) for row in own) for own in rows]

    def _extract(self, index: int, text: int) -> tuple[Edit, ...]:
        """Extract the edits of a text once."""
        key = index, text
        if key not in self._edits:
            self._edits[key] = extract_edits(self._answers.sources[index], self._answers.texts[index][text])
        return self._edits[key]
