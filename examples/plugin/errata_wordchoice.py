"""A metric of another package: words that output and reference share, whatever their order."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from errata.metrics import Choose, RatioMetric
from errata.metrics.ratios import make_edit_ratios
from errata.settings import number


@dataclass(frozen=True)
class WordChoice(RatioMetric):
    """F of the words that output and reference share."""

    beta: float = number(1.0, "weight of recall against precision in F", most=1000)

    name: ClassVar[str] = "wordchoice"
    summary: ClassVar[str] = "words that output and reference share, whatever their order"
    columns: ClassVar[tuple[str, ...]] = ("shared", "output", "reference")

    @property
    def strategy(self):
        return Choose("sentence", self.ratio)

    @property
    def ratio(self):
        return make_edit_ratios(self.beta).f

    def count(self, sentence, hypothesis):
        references = [sentence.corrected(annotation) for annotation in sentence.annotations] or [sentence.tokens]
        return [((Counter(hypothesis) & Counter(text)).total(), len(hypothesis), len(text)) for text in references]
