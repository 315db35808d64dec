"""HOO: detection, recognition and correction of edits, as the Helping Our Own tasks scored them.

Dale and Kilgarriff 2011; Dale, Anisimoff and Narroway 2012.  A gold edit is detected if an edit of the system overlaps it,
recognised if one has the same extent, corrected if that one has one of its corrections.  With a bonus, optional edits that
a system leaves alone count as found.

The edits of a system come from its text as GNU wdiff finds them, which is the scorer of the tasks, or are those that MaxMatch
finds (Dahlmeier and Ng 2012, section 4), so that the difference is what the extraction of edits alone costs.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from errata.hoo.extraction import extract
from errata.hoo.measures import SCORES, HooCounts, HooScoreName, HooScores, make_hoo_ratios
from errata.hoo.scorer import Rules, count_edits
from errata.hoo.token_edits import TokenPositions
from errata.metrics.base import Outcomes, Output, RatioMetric
from errata.metrics.choice import RULES, Rule
from errata.metrics.maxmatch import MaxMatch, MaxMatchOutput
from errata.metrics.strategy import Choose
from errata.settings import flag, one_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus import Corpus, Tokens
    from errata.hoo.edits import HooEdit
    from errata.ratios import PrecisionRecallF, Ratio, Row

Source = Literal["wdiff", "maxmatch"]
_SOURCES: dict[Source, str] = {"wdiff": "its text, compared as GNU wdiff compares it", "maxmatch": "the edits that MaxMatch finds"}
_RULES = {2011: "case matters, and so does the space of a deletion", 2012: "neither matters"}


@dataclass(frozen=True)
class Hoo(RatioMetric):
    """HOO scores with their settings.

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("feeds word", [errata.Edit(1, 2, ("a word", "words"))]),))
    >>> errata.score(gold, ["feeds a word"], "hoo").value, errata.score(gold, ["feeds a word"], "hoo(edits=maxmatch)").value
    (0.0, 1.0)
    """

    edits: Source = one_of("wdiff", _SOURCES, "where the edits of a system come from")
    score: HooScoreName = one_of("correction", SCORES, "the score whose F is the value, and is made largest by the choice among annotators")
    bonus: bool = flag("reward optional gold edits that a system leaves alone")
    rules: int = one_of(2012, _RULES, "year of the task")
    choice: Rule = one_of("official", RULES, "how one annotator is chosen for each sentence")

    name: ClassVar[str] = "hoo"
    title: ClassVar[str] = "HOO"
    summary: ClassVar[str] = "detection, recognition and correction of edits, as GNU wdiff or MaxMatch finds them"
    paper: ClassVar[str] = "Dale and Kilgarriff 2011; Dale et al. 2012"
    columns: ClassVar[tuple[str, ...]] = HooCounts._fields

    @property
    def beta(self) -> float:
        """Precision and recall weigh the same."""
        return 1.0

    @property
    def strategy(self) -> Choose:
        """One annotator is chosen by F."""
        return Choose(self.choice, self.ratio)

    def scorer(self, corpus: Corpus) -> HooScorer:
        """Place the gold edits in the texts of their sentences."""
        return HooScorer(self, corpus)

    @property
    def ratio(self) -> Ratio:
        """F of the score."""
        return self._ratios.f

    def parts(self, counts: Row) -> dict[str, Any]:
        """The counts, and precision, recall and F of the three scores."""
        named = HooCounts(*counts)
        return {**named._asdict(), **asdict(HooScores.of(named, bonus=self.bonus))}

    def shown(self, counts: Row) -> dict[str, float]:
        """The counts, and precision and recall of the score."""
        precision, recall, _ = self._ratios
        named = HooCounts(*counts)._asdict()
        if not self.bonus:
            del named["missed_optional"]
        return {**named, "precision": precision.value(counts), "recall": recall.value(counts)}

    def outcomes(self, counts: Row) -> Outcomes:
        """Edits that are corrected, others of the system, and gold edits that are not corrected."""
        named = HooCounts(*counts)
        return Outcomes(named.corrected, named.system - named.corrected, named.gold - named.corrected)

    @property
    def label(self) -> str:
        """F of the score."""
        return f"{self.score.capitalize()} F1"

    @cached_property
    def _ratios(self) -> PrecisionRecallF:
        return make_hoo_ratios(self.score, bonus=self.bonus)


class HooScorer:
    """HOO scores made ready for one corpus."""

    def __init__(self, metric: Hoo, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        self.maxmatch = MaxMatch().scorer(corpus)
        self.positions = [TokenPositions(sentence.tokens) for sentence in corpus]
        self.gold = [
            tuple(tuple(positions.gold(edit) for edit in annotation.edits) for annotation in annotations)
            for positions, annotations in zip(self.positions, self.maxmatch.annotations, strict=True)
        ]

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> HooOutput:
        """Edits of an output are extracted sentence by sentence."""
        return HooOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """The annotators."""
        return self.maxmatch.labels(index, rows)


class HooOutput(Output):
    """The edits of a system, beside those of gold."""

    def __init__(self, scorer: HooScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer
        self._maxmatch = MaxMatchOutput(scorer.maxmatch, hypotheses, first)
        self._year: Rules = "2011" if scorer.metric.rules == 2011 else "2012"  # noqa: PLR2004 - the year

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """The counts of each sentence, one row for each annotator."""
        return [self._rows(index) for index in range(start, stop)]

    def _rows(self, index: int) -> tuple[Row, ...]:
        pairs = zip(self._scorer.gold[index], self._edits(index), strict=True)
        return tuple(tuple(count_edits(gold, edits, self._year)) for gold, edits in pairs)

    def gold_types(self, index: int, row: int) -> list[tuple[str, bool]]:
        """The type of every gold edit of an annotator, and whether the system found it, as the score wants it."""
        field = {"detection": "detected", "recognition": "recognised", "correction": "corrected"}[self._scorer.metric.score]
        edits = self._edits(index)[row]
        gold = self._scorer.gold[index][row]
        return [(edit.type, bool(getattr(count_edits([edit], edits, self._year), field))) for edit in gold]

    def _edits(self, index: int) -> list[Sequence[HooEdit]]:
        """The system's edits, for each annotator."""
        if self._scorer.metric.edits == "wdiff":
            source, hypothesis = self._scorer.corpus[index].text, " ".join(self.hypothesis(index))
            return [extract(source, hypothesis)] * len(self._scorer.gold[index])
        positions = self._scorer.positions[index]
        return [
            [positions.system(edit.start, edit.end, edit.corrections[0]) for edit in annotator if edit.outcome != "missed"]
            for annotator in self._maxmatch.edits(index)
        ]
