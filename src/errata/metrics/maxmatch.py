"""MaxMatch (M²): precision, recall and F of edits; the output is cut into the edits that match gold best.

Dahlmeier and Ng 2012, *Better Evaluation for Grammatical Error Correction*; several annotators as in Ng et al. 2013, section 4.
A hypothesis can be cut into edits in many ways; the one that matches the most gold edits is used.
With c correct, p proposed and g gold edits, P = c/p, R = c/g and F = (1+b²)c / (p + b²g).
By default the counts equal those of release 3.2 of the official scorer.
With references=mix, corrections of different annotators may be combined (Felice and Briscoe 2015, section 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from errata.corpus.annotators import MISSING, Missing, explain_missing
from errata.metrics.base import Outcomes, RatioMetric
from errata.metrics.choice import RULES, Rule
from errata.metrics.references import CERTIFIED_EXPLAINED, REFERENCES, References
from errata.metrics.strategy import Choose
from errata.ratios import PrecisionRecallF, Ratio, Row
from errata.settings import flag, one_of, whole
from errata.settings import number as real

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus
    from errata.metrics.base import TextScorer
    from errata.metrics.maxmatch_scorer import MaxMatchScorer
    from errata.metrics.mixed_maxmatch import MixedScorer

_COUNTS = ("correct", "proposed", "gold")
_CERTIFIED = ("certified", "sentences")


@dataclass(frozen=True)
class MaxMatch(RatioMetric):
    """MaxMatch with its settings.

    >>> import errata
    >>> gold = errata.read("examples/learner.m2")
    >>> errata.score(gold, errata.read_system("examples/systems/eager.txt"), "maxmatch(beta=1)").parts["correct"]
    94
    """

    beta: float = real(0.5, "weight of recall against precision in F", most=1000)
    max_unchanged: int = whole(2, "unchanged tokens that an edit may contain", most=1000)
    ignore_case_and_space: bool = flag("skip edits of the system that change only case or white space")
    choice: Rule = one_of("official", RULES, "how one annotator is chosen for each sentence")
    missing: Missing = one_of("absent", MISSING, "what an annotator without a line for a sentence counts as")
    references: References = one_of("single", REFERENCES, "the references of a sentence")

    in_parts: ClassVar[bool] = True
    name: ClassVar[str] = "maxmatch"
    title: ClassVar[str] = "MaxMatch"
    short_title: ClassVar[str] = "M²"
    aliases: ClassVar[tuple[str, ...]] = ("m2", "m2scorer", "f", "f0.5")
    summary: ClassVar[str] = "precision, recall and F of edits; the output is cut into the edits that match gold best"
    paper: ClassVar[str] = "Dahlmeier and Ng 2012; Ng et al. 2013"

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the counts; with mixtures also how many sentences have one that is proved to be the best."""
        return _COUNTS if self.references == "single" else (*_COUNTS, *_CERTIFIED)

    @property
    def mixes_references(self) -> bool:
        """Whether its rows are of mixtures."""
        return self.references == "mix"

    @property
    def columns_explained(self) -> str:  # type: ignore[override]
        """A note on the columns of mixtures."""
        return CERTIFIED_EXPLAINED if self.references == "mix" else ""

    @property
    def strategy(self) -> Choose:
        """One annotator is chosen for each sentence, by F."""
        return Choose(self.choice, self.ratio)

    def scorer(self, corpus: Corpus) -> MaxMatchScorer | MixedScorer:
        """Read the gold into the core."""
        if self.references == "mix":
            from errata.metrics.mixed_maxmatch import MixedScorer

            return MixedScorer(self, corpus)
        from errata.metrics.maxmatch_scorer import MaxMatchScorer

        return MaxMatchScorer(self, corpus)

    @property
    def counts_texts(self) -> bool:
        """Whether the core counts texts: one reference at a time, and all edits."""
        return self.references == "single" and not self.ignore_case_and_space

    def text_scorer(self, source: Any, references: Sequence[Any], first: int, max_tokens: int) -> TextScorer | None:
        """Read texts into the core; every reference has a text for every sentence, so none is missing."""
        if not self.counts_texts:
            return None
        from errata.core import TextGold

        return TextGold(source, list(references), self.max_unchanged, first, max_tokens=max_tokens)

    @property
    def ratio(self) -> Ratio:
        """F(beta)."""
        return self._ratios.f

    def gold_warnings(self, corpus: Corpus) -> list[str]:
        """Warn of references that nobody made."""
        return explain_missing(corpus, "noop") if self.missing == "noop" else []

    def parts(self, counts: Row) -> dict[str, Any]:
        """Return counts, precision and recall."""
        precision, recall, _ = self._ratios
        return {**super().parts(counts), "precision": precision.value(counts), "recall": recall.value(counts)}

    def outcomes(self, counts: Row) -> Outcomes:
        """Count right, wrong and missed edits."""
        correct, proposed, gold = counts[: len(_COUNTS)]
        return Outcomes(correct, proposed - correct, gold - correct)

    @property
    def label(self) -> str:
        """F with its beta."""
        return f"F{self.beta:g}"

    @cached_property
    def _ratios(self) -> PrecisionRecallF:
        correct, proposed, gold = (tuple(int(name == column) for column in self.columns) for name in _COUNTS)
        return PrecisionRecallF.over(correct, proposed, gold, self.beta)
