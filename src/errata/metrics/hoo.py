"""HOO: detection, recognition and correction of edits, as in the Helping Our Own tasks.

Dale and Kilgarriff 2011; Dale, Anisimoff and Narroway 2012.  A gold edit is detected if an edit of the system overlaps it,
recognised if one has the same extent, and corrected if that edit also has one of its corrections.  With a bonus, optional edits
that a system leaves uncorrected count as found.  P is the share of the system's edits that were found, R the share of gold edits, and
F = 2PR / (P + R); for detection, P is the share of gold edits that were found among these and the system's spurious edits.

The edits of a system are extracted by GNU wdiff, as in the scorer of the tasks, or by MaxMatch (Dahlmeier and Ng 2012,
sections 3 and 4); the difference is the effect of the extraction.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from errata.errors import RequestError
from errata.formats.hoo_edits import TokenPositions, extract
from errata.metrics.base import Outcomes, Output, RatioMetric
from errata.metrics.maxmatch import MaxMatch, MaxMatchOutput, MaxMatchScorer
from errata.metrics.ratios import ONE_OF_NOTHING, PrecisionRecallF, Shares
from errata.metrics.strategies import RULES, Choose, Rule
from errata.settings import flag, one_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from errata.corpus.corpus import Corpus
    from errata.corpus.texts import Tokens
    from errata.formats.hoo_edits import HooEdit
    from errata.metrics.ratios import Ratio, Row


_HooScoreName = Literal["detection", "recognition", "correction"]
SCORES: tuple[_HooScoreName, ...] = ("detection", "recognition", "correction")


class HooCounts(NamedTuple):
    """Counts of a text, or their sum over several texts."""

    gold: int = 0
    system: int = 0
    detected: int = 0
    """Gold edits that an edit of the system overlaps."""
    recognised: int = 0
    """Gold edits with a system edit of the same span."""
    corrected: int = 0
    """Gold edits with a system edit of the same span and an accepted correction."""
    spurious: int = 0
    """Edits of the system that overlap no gold edit."""
    missed_optional: int = 0
    """Optional gold edits that the system left uncorrected; the bonus rewards them."""

    def plus(self, other: HooCounts) -> HooCounts:
        """Add other counts."""
        return HooCounts(*(one + two for one, two in zip(self, other, strict=True)))


def _make_hoo_ratios(score: _HooScoreName, *, bonus: bool) -> PrecisionRecallF:
    """Make precision, recall and F1 over the fields of :class:`HooCounts`; a bonus adds to valid and to proposed edits."""
    extra = HooCounts(missed_optional=int(bonus))
    valid = {"detection": HooCounts(detected=1), "recognition": HooCounts(recognised=1), "correction": HooCounts(corrected=1)}[score]
    proposed = HooCounts(detected=1, spurious=1) if score == "detection" else HooCounts(system=1)
    return PrecisionRecallF.over(valid.plus(extra), proposed.plus(extra), HooCounts(gold=1))


@dataclass(frozen=True, slots=True)
class HooScores:
    """The three scores."""

    detection: Shares
    recognition: Shares
    correction: Shares

    @classmethod
    def of(cls, counts: HooCounts, *, bonus: bool, of_nothing: float = ONE_OF_NOTHING) -> HooScores:
        """Compute the scores from counts; 0/0 was 1 in 2012 and 0 in 2011.

        >>> HooScores.of(HooCounts(gold=4, system=2, detected=2, recognised=1, corrected=1), bonus=False).correction
        Shares(precision=0.5, recall=0.25, f=0.3333333333333333)
        """
        return cls(*(_make_hoo_ratios(score, bonus=bonus).of(counts, of_nothing) for score in SCORES))

    @classmethod
    def mean(cls, scores: Iterable[HooScores]) -> HooScores:
        """Average the scores of texts, as in 2011."""
        listed = list(scores)

        def average(name: _HooScoreName) -> Shares:
            values = [getattr(item, name) for item in listed]
            return Shares(*(sum(getattr(item, part) for item in values) / len(values) for part in ("precision", "recall", "f")))

        return cls(*(average(name) for name in SCORES))


_Source = Literal["wdiff", "maxmatch"]
_SOURCES: dict[_Source, str] = {"wdiff": "by GNU wdiff", "maxmatch": "by MaxMatch"}
_RULES = {2011: "case matters, and so does the white space that a deletion leaves", 2012: "neither matters"}


@dataclass(frozen=True)
class Hoo(RatioMetric):
    """HOO scores with their settings.

    >>> import errata
    >>> gold = errata.Corpus((errata.Sentence.of("feeds word", [errata.Edit(1, 2, ("a word", "words"))]),))
    >>> errata.score(gold, ["feeds a word"], "hoo").value, errata.score(gold, ["feeds a word"], "hoo(edits=maxmatch)").value
    (0.0, 1.0)
    """

    edits: _Source = one_of("wdiff", _SOURCES, "how the edits of a system are extracted")
    score: _HooScoreName = one_of("correction", SCORES, "the score that is reported, and that the choice among annotators maximises")
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
        return Choose(self.choice, self.ratio)

    def scorer(self, corpus: Corpus) -> _HooScorer:
        return _HooScorer(self, corpus)

    @property
    def ratio(self) -> Ratio:
        return self._ratios.f

    def parts(self, counts: Row) -> dict[str, Any]:
        named = HooCounts(*counts)
        return {**named._asdict(), **asdict(HooScores.of(named, bonus=self.bonus))}

    def shown(self, counts: Row) -> dict[str, float]:
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
        return f"{self.score.capitalize()} F1"

    @cached_property
    def _ratios(self) -> PrecisionRecallF:
        return _make_hoo_ratios(self.score, bonus=self.bonus)


class _HooScorer:
    """HOO scores prepared for one corpus."""

    def __init__(self, metric: Hoo, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        self.maxmatch = MaxMatchScorer(MaxMatch(), corpus)
        self.positions = [TokenPositions(sentence.tokens) for sentence in corpus]
        self.gold = [
            tuple(tuple(positions.gold(edit) for edit in annotation.edits) for annotation in annotations)
            for positions, annotations in zip(self.positions, self.maxmatch.annotations, strict=True)
        ]

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> _HooOutput:
        return _HooOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        return self.maxmatch.labels(index, rows)


class _HooOutput(Output):
    """The output of a system, with its edits."""

    def __init__(self, scorer: _HooScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer
        self._maxmatch = MaxMatchOutput(scorer.maxmatch, hypotheses, first)
        self._year: Rules = "2011" if scorer.metric.rules == 2011 else "2012"  # noqa: PLR2004 - the year

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        return [self._rows(index) for index in range(start, stop)]

    def _rows(self, index: int) -> tuple[Row, ...]:
        pairs = zip(self._scorer.gold[index], self._edits(index), strict=True)
        return tuple(tuple(count_edits(gold, edits, self._year)) for gold, edits in pairs)

    def gold_types(self, index: int, row: int) -> list[tuple[str, bool]]:
        field = {"detection": "overlaps", "recognition": "matches", "correction": "corrects"}[self._scorer.metric.score]
        gold = self._scorer.gold[index][row]
        judged = _judge_edits(gold, self._edits(index)[row], self._year)
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


def count_edits(gold: Sequence[HooEdit], system: Sequence[HooEdit], rules: Rules = "2012") -> HooCounts:
    """Count edits that are detected, recognised, corrected or spurious, and missed optional edits.

    The rules of 2012, unlike 2011, disregard case and a space at one end of a deletion.
    """
    judged = _judge_edits(gold, system, rules)
    of_gold = _EditIndex(gold, rules)
    return HooCounts(
        len(gold),
        len(system),
        sum(judgment.overlaps for judgment in judged),
        sum(judgment.matches for judgment in judged),
        sum(judgment.corrects for judgment in judged),
        sum(not of_gold.judge(edit).overlaps for edit in system),
        sum(edit.optional and not judgment.overlaps for edit, judgment in zip(gold, judged, strict=True)),
    )


def _judge_edits(gold: Sequence[HooEdit], system: Sequence[HooEdit], rules: Rules = "2012") -> list[_Judgment]:
    """Judge whether each gold edit is detected, recognised and corrected."""
    by_place = _EditIndex(system, rules)
    return [by_place.judge(edit) for edit in gold]


Rules = Literal["2011", "2012"]
"""The year of the task that defines the rules."""
_MOST_COMPARED = 5_000_000
"""Texts at one position that differ only in case, and are compared one by one."""


class _Judgment(NamedTuple):
    """What the edits of the other side say about an edit."""

    overlaps: bool = False
    matches: bool = False
    corrects: bool = False
    """Whether an edit that matches has one of its corrections."""


class _EditIndex:
    """The edits of one side, by their positions.

    Edits of the same file and part overlap if

    - both insert at the same position;
    - both replace or delete, and share a character;
    - one inserts strictly inside the span of the other;
    - one inserts, the other ends or begins there, and its new text ends or begins with an inserted text.  Only insertions of the first
      side have this rule, so overlap is not symmetric.

    Edits match if their spans are equal, or, by the rules of 2012, if they are equal without a space at one end of the deletion that one of
    them is.  An insertion also matches a span of one character that it overlaps by the last rule.
    """

    def __init__(self, edits: Iterable[HooEdit], rules: Rules = "2012") -> None:
        places: dict[tuple[str, str], list[HooEdit]] = {}
        for edit in edits:
            places.setdefault((edit.file, edit.part), []).append(edit)
        self._places = {place: _Place(own, rules) for place, own in places.items()}

    def judge(self, edit: HooEdit) -> _Judgment:
        """Judge an edit of the other side.

        >>> from errata.formats import HooEdit
        >>> _EditIndex([HooEdit(0, 0, "", ("a ",))]).judge(HooEdit(0, 4, "word", ("a word",)))
        _Judgment(overlaps=False, matches=False, corrects=False)
        >>> _EditIndex([HooEdit(2, 6, "at i", ("",))]).judge(HooEdit(0, 4, "that", ("which",)))
        _Judgment(overlaps=True, matches=False, corrects=False)
        """
        place = self._places.get((edit.file, edit.part))
        return place.judge(edit) if place is not None else _Judgment()


def _new_text(edit: HooEdit) -> str | None:
    """Get the text that an edit of a system makes; None if it only marks an error."""
    return edit.corrections[0] if edit.corrections else None


class _Place:
    """The edits of one file and part."""

    def __init__(self, edits: Sequence[HooEdit], rules: Rules) -> None:
        self._edits, self._by_2012 = edits, rules == "2012"
        self._insertions = sorted(edit.start for edit in edits if edit.inserts)
        spans = sorted((edit.start, edit.end) for edit in edits if not edit.inserts)
        self._starts = [start for start, _ in spans]
        self._furthest = list(accumulate((end for _, end in spans), max))
        """The last end of a span and those before it."""
        self._texts: dict[tuple[int, int, bool], set[str | None]] = {}
        """The new texts of a span, for edits that delete and others."""
        self._trimmed: set[tuple[int, int]] = set()
        """The spans of deletions without a space at one end."""
        for edit in edits:
            text = _new_text(edit)
            self._texts.setdefault((edit.start, edit.end, edit.deletes), set()).add(text if text is None else self._folded(text))
            if edit.deletes and self._by_2012:
                self._trimmed.update(_trim(edit))

    def judge(self, edit: HooEdit) -> _Judgment:
        matching = list(self._matching(edit))
        accepted = [text for text in edit.corrections if text is not None]
        corrects = any(self._folded(text) in texts for texts in matching for text in accepted)
        matches = bool(matching)
        overlaps = matches or self._shares_characters(edit)
        if edit.inserts:
            for neighbours in self._beside(edit.start):
                overlaps = overlaps or neighbours.fit(edit, accepted)
                matches = matches or neighbours.short_fit(edit, accepted)
                corrects = corrects or neighbours.short_equal(accepted) or (self._by_2012 and neighbours.short_correct(accepted))
        return _Judgment(overlaps, matches, corrects or (matches and not edit.corrections))

    def _folded(self, text: str) -> str:
        return text.lower() if self._by_2012 else text

    def _shares_characters(self, edit: HooEdit) -> bool:
        """Tell whether a span shares characters with an edit, or one of them inserts strictly inside the other."""
        last = bisect_left(self._starts, edit.end) - 1
        if last >= 0 and self._furthest[last] > edit.start:
            return True
        return bisect_right(self._insertions, edit.start) < bisect_left(self._insertions, edit.end)

    def _matching(self, edit: HooEdit) -> Iterator[set[str | None]]:
        """Yield the new texts of the edits with the same span."""
        found = [self._texts.get((edit.start, edit.end, deletes)) for deletes in (False, True)]
        if edit.deletes and self._by_2012:
            found += [self._texts.get((*span, False)) for span in _trim(edit)]
        elif (edit.start, edit.end) in self._trimmed:  # of a deletion, so its text is empty
            found.append({""})
        yield from (texts for texts in found if texts is not None)

    def _beside(self, position: int) -> Iterator[_Neighbours]:
        for there in self._neighbours:
            if position in there:
                yield there[position]

    @cached_property
    def _neighbours(self) -> tuple[dict[int, _Neighbours], dict[int, _Neighbours]]:
        """The spans that end at each position, and those that begin there."""
        ending: dict[int, list[HooEdit]] = {}
        beginning: dict[int, list[HooEdit]] = {}
        for edit in self._edits:
            if not edit.inserts:
                ending.setdefault(edit.end, []).append(edit)
                beginning.setdefault(edit.start, []).append(edit)
        return (
            {position: _Neighbours(edits, backwards=True) for position, edits in ending.items()},
            {position: _Neighbours(edits, backwards=False) for position, edits in beginning.items()},
        )


def _trim(deletion: HooEdit) -> Iterator[tuple[int, int]]:
    """Yield the span of a deletion without a space at one of its ends, unless nothing is left."""
    if deletion.end - deletion.start == 1:
        return
    if deletion.original.startswith(" "):
        yield deletion.start + 1, deletion.end
    if deletion.original.endswith(" "):
        yield deletion.start, deletion.end - 1


class _Neighbours:
    """The spans that end (``backwards``) or begin at one position, with their new texts."""

    def __init__(self, edits: Sequence[HooEdit], *, backwards: bool) -> None:
        self._step = -1 if backwards else 1
        short = [edit for edit in edits if edit.end - edit.start == 1]
        self._any_short = bool(short)
        self._sorted, self._short = (
            sorted({text[:: self._step] for edit in own if (text := _new_text(edit)) is not None}) for own in (edits, short)
        )
        self._compared = 0

    def fit(self, insertion: HooEdit, accepted: Sequence[str]) -> bool:
        """Tell whether a new text ends or begins with an inserted text; an insertion of any text fits."""
        return not insertion.corrections or self._one_begins(self._sorted, accepted)

    def short_fit(self, insertion: HooEdit, accepted: Sequence[str]) -> bool:
        """Tell the same of spans of one character."""
        return self._any_short if not insertion.corrections else self._one_begins(self._short, accepted)

    def short_equal(self, accepted: Sequence[str]) -> bool:
        """Tell whether a span of one character becomes an inserted text."""
        return any(text in self._short_texts for text in accepted)

    def short_correct(self, accepted: Sequence[str]) -> bool:
        """Tell whether a span of one character fits, and becomes an inserted text but for case."""
        if not self._short:
            return False
        beginnings = tuple(text[:: self._step] for text in accepted)
        for lowered in dict.fromkeys(text.lower() for text in accepted):
            for text in self._by_lower.get(lowered, ()):
                self._compared += len(accepted)
                if self._compared > _MOST_COMPARED:
                    raise RequestError(
                        f"too many edits at one position have texts that differ only in case: more than {_MOST_COMPARED:,} comparisons"
                    )
                if text.startswith(beginnings):
                    return True
        return False

    def _one_begins(self, known: list[str], accepted: Sequence[str]) -> bool:
        for text in accepted:
            turned = text[:: self._step]
            place = bisect_left(known, turned)
            if place < len(known) and known[place].startswith(turned):
                return True
        return False

    @cached_property
    def _short_texts(self) -> frozenset[str]:
        return frozenset(text[:: self._step] for text in self._short)

    @cached_property
    def _by_lower(self) -> dict[str, list[str]]:
        known: dict[str, list[str]] = {}
        for turned in self._short:
            known.setdefault(turned[:: self._step].lower(), []).append(turned)
        return known
