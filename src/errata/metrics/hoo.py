"""HOO: detection, recognition and correction of edits, as the Helping Our Own tasks scored them.

Dale and Kilgarriff 2011; Dale, Anisimoff and Narroway 2012.  A gold edit is detected if an edit of the system overlaps it,
recognised if one has the same extent, corrected if that one has one of its corrections.  With a bonus, optional edits that
a system leaves alone count as found.

The edits of a system come from its text as GNU wdiff finds them, which is the scorer of the tasks, or are those that MaxMatch
finds (Dahlmeier and Ng 2012, section 4), so that the difference is what the extraction of edits alone costs.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from errata.errors import UsageError
from errata.hoo.extraction import extract
from errata.hoo.measures import SCORES, HooCounts, HooScores
from errata.hoo.measures import Score as Aspect
from errata.hoo.scorer import Rules, count_edits
from errata.hoo.token_edits import TokenPlaces
from errata.metrics.base import Metric
from errata.metrics.choice import RULES, Ratio, Rule
from errata.metrics.maxmatch import MaxMatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.corpus import Corpus, Tokens
    from errata.hoo.edits import HooEdit
    from errata.metrics.choice import Row

Source = Literal["wdiff", "maxmatch"]


@dataclass(frozen=True)
class Hoo(Metric):
    """HOO scores with their settings.

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("feeds word", [errata.Edit(1, 2, ("a word", "words"))]),))
    >>> errata.score(gold, ["feeds a word"], "hoo").value, errata.score(gold, ["feeds a word"], "hoo(edits=maxmatch)").value
    (0.0, 1.0)
    """

    edits: Source = "wdiff"
    """Where the edits of a system come from: its text as wdiff compares it, or MaxMatch."""
    score: Aspect = "correction"
    """The score whose F is the value, and is made largest by the choice among annotators."""
    bonus: bool = False
    """Whether optional gold edits that a system leaves alone are rewarded."""
    rules: int = 2012
    """The year of the task: in 2012 case does not matter, and a space at one end of a deletion is allowed for; in 2011 neither."""
    choice: Rule = "official"
    """How an annotator is chosen for each sentence."""

    name: ClassVar[str] = "hoo"
    summary: ClassVar[str] = "detection, recognition and correction of edits (Helping Our Own 2011, 2012)"
    columns: ClassVar[tuple[str, ...]] = HooCounts._fields

    def __post_init__(self) -> None:
        for setting, value, known in (
            ("edits", self.edits, get_args(Source)),
            ("score", self.score, SCORES),
            ("choice", self.choice, RULES),
            ("rules", str(self.rules), get_args(Rules)),
        ):
            if value not in known:
                raise UsageError(f"hoo setting {setting} is one of {', '.join(known)}, found {value!r}")

    def scorer(self, corpus: Corpus) -> HooScorer:
        """Place the gold edits in the texts of their sentences."""
        return HooScorer(self, corpus)

    def ratio(self) -> Ratio:
        """F of the score, over gold, system, detected, recognised, corrected, spurious and missed optional edits."""
        bonus = int(self.bonus)
        above = {"detection": (0, 0, 2, 0, 0, 0), "recognition": (0, 0, 0, 2, 0, 0), "correction": (0, 0, 0, 0, 2, 0)}[self.score]
        below = (1, 0, 1, 0, 0, 1) if self.score == "detection" else (1, 1, 0, 0, 0, 0)
        return Ratio((*above, 2 * bonus), (*below, bonus))

    def value(self, counts: Row) -> float:
        """F of the score."""
        return float(getattr(self._scores(counts), self.score).f)

    def parts(self, counts: Row) -> dict[str, Any]:
        """The counts, and precision, recall and F of the three scores."""
        return {**HooCounts(*counts)._asdict(), **asdict(self._scores(counts))}

    def shown(self, counts: Row) -> dict[str, float]:
        """The counts, and precision and recall of the score."""
        found = getattr(self._scores(counts), self.score)
        named = HooCounts(*counts)._asdict()
        if not self.bonus:
            del named["missed_optional"]
        return {**named, "precision": found.precision, "recall": found.recall}

    @property
    def label(self) -> str:
        """F of the score."""
        return f"{self.score.capitalize()} F1"

    def _scores(self, counts: Row) -> HooScores:
        return HooScores.of(HooCounts(*counts), bonus=self.bonus)


class HooScorer:
    """HOO scores made ready for one corpus."""

    def __init__(self, metric: Hoo, corpus: Corpus) -> None:
        self.corpus = corpus
        self._metric = metric
        self._maxmatch = MaxMatch().scorer(corpus)
        self._places = [TokenPlaces(sentence.tokens) for sentence in corpus]
        self._gold = [
            tuple(tuple(places.gold(edit) for edit in annotation.edits) for annotation in annotations)
            for places, annotations in zip(self._places, self._maxmatch.annotations, strict=True)
        ]

    def labels(self, sentence: int, rows: int) -> tuple[str, ...]:
        """The annotators."""
        return self._maxmatch.labels(sentence, rows)

    def rows(self, first: int, hypotheses: list[Tokens]) -> Sequence[tuple[Row, ...]]:
        """The counts of each sentence, one row for each annotator."""
        return [self._rows(first + place, hypothesis) for place, hypothesis in enumerate(hypotheses)]

    def _rows(self, number: int, hypothesis: Tokens) -> tuple[Row, ...]:
        gold = self._gold[number]
        return tuple(
            tuple(count_edits(edits, found, self._year)) for edits, found in zip(gold, self._found(number, hypothesis), strict=True)
        )

    def gold_types(self, sentence: int, hypothesis: Tokens, row: int) -> list[tuple[str, bool]]:
        """The type of every gold edit of an annotator, and whether the system found it, as the score wants it."""
        field = {"detection": "detected", "recognition": "recognised", "correction": "corrected"}[self._metric.score]
        found = self._found(sentence, hypothesis)[row]
        return [(edit.type, bool(getattr(count_edits([edit], found, self._year), field))) for edit in self._gold[sentence][row]]

    @property
    def _year(self) -> Rules:
        return "2011" if self._metric.rules == 2011 else "2012"  # noqa: PLR2004 - the year

    def _found(self, number: int, hypothesis: Tokens) -> list[Sequence[HooEdit]]:
        """The system's edits, for each annotator."""
        if self._metric.edits == "wdiff":
            return [extract(self.corpus[number].text, " ".join(hypothesis))] * len(self._gold[number])
        places = self._places[number]
        return [
            [places.system(edit.start, edit.end, edit.corrections[0]) for edit in annotator if edit.outcome != "missed"]
            for annotator in self._maxmatch.judged_edits(number, hypothesis)
        ]
