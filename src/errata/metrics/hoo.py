"""HOO: detection, recognition and correction of edits, as in the Helping Our Own tasks.

Dale and Kilgarriff 2011; Dale, Anisimoff and Narroway 2012.  A gold edit is detected if an edit of the system overlaps it,
recognised if one has the same extent, and corrected if that edit also has one of its corrections.  With a bonus, optional edits
that a system leaves uncorrected count as found.  P is the share of the system's edits that were found, R the share of gold edits, and
F = 2PR / (P + R); for detection, P is the share of gold edits that were found among these and the system's spurious edits.

The edits of a system are extracted by GNU wdiff, as in the scorer of the tasks, or by MaxMatch (Dahlmeier and Ng 2012,
sections 3 and 4); the difference is the effect of the extraction.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from errata.formats.hoo_edits import TokenPositions, extract
from errata.hoo.measures import SCORES, HooCounts, HooScoreName, HooScores, make_hoo_ratios
from errata.hoo.scorer import count_edits, judge_edits
from errata.metrics.base import Outcomes, Output, RatioMetric
from errata.metrics.choice import RULES, Rule
from errata.metrics.maxmatch import MaxMatch
from errata.metrics.maxmatch_scorer import MaxMatchOutput, MaxMatchScorer
from errata.metrics.strategy import Choose
from errata.settings import flag, one_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens
    from errata.formats.hoo_edits import HooEdit
    from errata.hoo.overlap import Rules
    from errata.ratios import PrecisionRecallF, Ratio, Row

Source = Literal["wdiff", "maxmatch"]
_SOURCES: dict[Source, str] = {"wdiff": "by GNU wdiff", "maxmatch": "by MaxMatch"}
_RULES = {2011: "case matters, and so does the white space that a deletion leaves", 2012: "neither matters"}


@dataclass(frozen=True)
class Hoo(RatioMetric):
    """HOO scores with their settings.

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("feeds word", [errata.Edit(1, 2, ("a word", "words"))]),))
    >>> errata.score(gold, ["feeds a word"], "hoo").value, errata.score(gold, ["feeds a word"], "hoo(edits=maxmatch)").value
    (0.0, 1.0)
    """

    edits: Source = one_of("wdiff", _SOURCES, "how the edits of a system are extracted")
    score: HooScoreName = one_of("correction", SCORES, "the score that is reported, and that the choice among annotators maximises")
    bonus: bool = flag("count optional gold edits that a system leaves uncorrected as found")
    rules: int = one_of(2012, _RULES, "year of the task")
    choice: Rule = one_of("official", RULES, "how one annotator is chosen for each sentence")

    in_parts: ClassVar[bool] = True
    name: ClassVar[str] = "hoo"
    title: ClassVar[str] = "HOO"
    summary: ClassVar[str] = "detection, recognition and correction of edits, extracted by GNU wdiff or MaxMatch"
    paper: ClassVar[str] = "Dale and Kilgarriff 2011; Dale et al. 2012"
    columns: ClassVar[tuple[str, ...]] = HooCounts._fields

    @property
    def beta(self) -> float:
        """Precision and recall have the same weight."""
        return 1.0

    @property
    def strategy(self) -> Choose:
        """One annotator is chosen for each sentence, by F."""
        return Choose(self.choice, self.ratio)

    def scorer(self, corpus: Corpus) -> HooScorer:
        """Find the positions of the gold edits in the texts of their sentences."""
        return HooScorer(self, corpus)

    @property
    def ratio(self) -> Ratio:
        """F of the score."""
        return self._ratios.f

    def parts(self, counts: Row) -> dict[str, Any]:
        """Return the counts, and precision, recall and F of the three scores."""
        named = HooCounts(*counts)
        return {**named._asdict(), **asdict(HooScores.of(named, bonus=self.bonus))}

    def shown(self, counts: Row) -> dict[str, float]:
        """Return the counts, and precision and recall of the score."""
        precision, recall, _ = self._ratios
        named = HooCounts(*counts)._asdict()
        if not self.bonus:
            del named["missed_optional"]
        return {**named, "precision": precision.value(counts), "recall": recall.value(counts)}

    def outcomes(self, counts: Row) -> Outcomes:
        """Count corrected edits, other edits of the system, and gold edits that are not corrected."""
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
    """HOO scores prepared for one corpus."""

    def __init__(self, metric: Hoo, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        self.maxmatch = MaxMatchScorer(MaxMatch(), corpus)
        self.positions = [TokenPositions(sentence.tokens) for sentence in corpus]
        self.gold = [
            tuple(tuple(positions.gold(edit) for edit in annotation.edits) for annotation in annotations)
            for positions, annotations in zip(self.positions, self.maxmatch.annotations, strict=True)
        ]

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> HooOutput:
        """Keep the hypotheses; edits are extracted later."""
        return HooOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        """Name the annotators."""
        return self.maxmatch.labels(index, rows)


class HooOutput(Output):
    """The output of a system, with its edits."""

    def __init__(self, scorer: HooScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer
        self._maxmatch = MaxMatchOutput(scorer.maxmatch, hypotheses, first)
        self._year: Rules = "2011" if scorer.metric.rules == 2011 else "2012"  # noqa: PLR2004 - the year

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        """Count each sentence, one row for each annotator."""
        return [self._rows(index) for index in range(start, stop)]

    def _rows(self, index: int) -> tuple[Row, ...]:
        pairs = zip(self._scorer.gold[index], self._edits(index), strict=True)
        return tuple(tuple(count_edits(gold, edits, self._year)) for gold, edits in pairs)

    def gold_types(self, index: int, row: int) -> list[tuple[str, bool]]:
        """List the types of the gold edits of an annotator, and whether each was found, by the score."""
        field = {"detection": "overlaps", "recognition": "matches", "correction": "corrects"}[self._scorer.metric.score]
        gold = self._scorer.gold[index][row]
        judged = judge_edits(gold, self._edits(index)[row], self._year)
        return [(edit.type, getattr(judgment, field)) for edit, judgment in zip(gold, judged, strict=True)]

    def _edits(self, index: int) -> list[Sequence[HooEdit]]:
        """List the system's edits for each annotator."""
        if self._scorer.metric.edits == "wdiff":
            source, hypothesis = self._scorer.corpus[index].text, " ".join(self.hypothesis(index))
            return [extract(source, hypothesis)] * len(self._scorer.gold[index])
        positions = self._scorer.positions[index]
        return [
            [positions.system(edit.start, edit.end, edit.corrections[0]) for edit in annotator if edit.outcome != "missed"]
            for annotator in self._maxmatch.edits(index)
        ]
