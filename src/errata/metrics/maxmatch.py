"""MaxMatch (M²): precision, recall and F of edits; the output is cut into the edits that match gold best.

Dahlmeier and Ng 2012, *Better Evaluation for Grammatical Error Correction*; several annotators as in Ng et al. 2013, section 4.
A hypothesis can be cut into edits in many ways; the one that matches the most gold edits is used.
With c correct, p proposed and g gold edits, P = c/p, R = c/g and F = (1+b²)c / (p + b²g).
By default the counts equal those of release 3.2 of the official scorer.
With references=mix, corrections of different annotators may be combined (Felice and Briscoe 2015, section 3).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from errata import core
from errata.corpus.alternatives import group_errors, has_each_span_once
from errata.corpus.annotators import MISSING, Missing, explain_missing
from errata.corpus.corpus import FIRST_ANNOTATOR, Annotation, Corpus, Edit, Part, Sentence
from errata.errors import RequestError
from errata.metrics.base import Outcomes, Output, RatioMetric, refuse
from errata.metrics.ratios import PrecisionRecallF, Ratio, Row
from errata.metrics.strategies import RULES, Choose, Rule
from errata.metrics.views import CERTIFIED_EXPLAINED, MIXED, REFERENCES, JudgedEdit, References
from errata.settings import flag, one_of, whole
from errata.settings import number as real

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction

    from errata.core.edits import MatchedEdit
    from errata.core.python.maxmatch import GoldEdit
    from errata.corpus.alternatives import Alternative, Alternatives
    from errata.corpus.texts import Tokens
    from errata.metrics.base import TextScorer


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
        return self.references == "mix"

    @property
    def columns_explained(self) -> str:  # type: ignore[override]
        """A note on the columns of mixtures."""
        return CERTIFIED_EXPLAINED if self.references == "mix" else ""

    @property
    def strategy(self) -> Choose:
        return Choose(self.choice, self.ratio)

    def scorer(self, corpus: Corpus) -> MaxMatchScorer | _MixedScorer:
        if self.references == "mix":
            return _MixedScorer(self, corpus)

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
        return self._ratios.f

    def gold_warnings(self, corpus: Corpus) -> list[str]:
        return explain_missing(corpus, "noop") if self.missing == "noop" else []

    def parts(self, counts: Row) -> dict[str, Any]:
        precision, recall, _ = self._ratios
        return {**super().parts(counts), "precision": precision.value(counts), "recall": recall.value(counts)}

    def outcomes(self, counts: Row) -> Outcomes:
        correct, proposed, gold = counts[: len(_COUNTS)]
        return Outcomes(correct, proposed - correct, gold - correct)

    @property
    def label(self) -> str:
        return f"F{self.beta:g}"

    @cached_property
    def _ratios(self) -> PrecisionRecallF:
        correct, proposed, gold = (tuple(int(name == column) for column in self.columns) for name in _COUNTS)
        return PrecisionRecallF.over(correct, proposed, gold, self.beta)


class MaxMatchScorer:
    """MaxMatch prepared for one corpus."""

    def __init__(self, metric: MaxMatch, corpus: Corpus) -> None:
        self.corpus, self.metric = corpus, metric
        everybody = corpus.annotators if metric.missing != "absent" else (FIRST_ANNOTATOR,)
        self.annotations = [_list_candidates(sentence, everybody, metric.missing) for sentence in corpus]
        self._labels = [tuple(annotation.annotator for annotation in candidates) for candidates in self.annotations]
        _ = self.judge

    @cached_property
    def judge(self) -> core.MaxMatchJudge:
        """The gold in the core."""
        return core.MaxMatchJudge(
            [
                (sentence.tokens, tuple(tuple(_make_core_edit(edit) for edit in annotation.edits) for annotation in candidates))
                for sentence, candidates in zip(self.corpus, self.annotations, strict=True)
            ],
            self.metric.max_unchanged,
        )

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the core, which is rebuilt when needed."""
        return {name: value for name, value in vars(self).items() if name != "judge"}

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> MaxMatchOutput:
        return MaxMatchOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        del rows
        return self._labels[index]


class MaxMatchOutput(Output):
    """The output of a system, scored by MaxMatch."""

    def __init__(self, scorer: MaxMatchScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        if self._scorer.metric.ignore_case_and_space:
            return [self._rows_of_edits(index) for index in range(start, stop)]
        with _name_corpus(self._scorer.corpus):
            return self._scorer.judge.counts(start, self.between(start, stop))

    def edits(self, index: int) -> list[list[JudgedEdit]]:
        annotations = self._scorer.annotations[index]
        return [self._judge(index, *pair) for pair in zip(annotations, self._matched_edits(index), strict=True)]

    def edits_against(self, index: int, row: int) -> list[JudgedEdit]:
        return self._judge(index, self._scorer.annotations[index][row], self._matched_edits(index)[row])

    def _judge(self, index: int, annotation: Annotation, edits: list[MatchedEdit]) -> list[JudgedEdit]:
        hypothesis, source = self.hypothesis(index), self._scorer.corpus[index]
        judged = [_judge_edit(source, annotation, hypothesis, edit) for edit in edits]
        matched = {edit.gold for edit in edits}
        for edit_index, gold in enumerate(annotation.edits):
            if edit_index not in matched:
                judged.append(JudgedEdit("missed", gold.start, gold.end, source.original(gold), gold.corrections, gold.type))
        return sorted(judged, key=lambda edit: (edit.start, edit.end))

    def lattice(self, index: int) -> list[EditLattice]:
        sentence, hypothesis, scorer = self._scorer.corpus[index], self.hypothesis(index), self._scorer
        with _name_corpus(scorer.corpus):
            found = scorer.judge.edits(index, hypothesis)
        try:
            return [
                _make_edit_lattice(
                    sentence.tokens, hypothesis, [_make_core_edit(edit) for edit in annotation.edits], scorer.metric.max_unchanged, edits
                )
                for annotation, edits in zip(scorer.annotations[index], found, strict=True)
            ]
        except RequestError as error:
            raise RequestError(f"{scorer.corpus.path or scorer.corpus.name}: sentence {scorer.corpus.numbers[index]:,}: {error}") from None

    def _matched_edits(self, index: int) -> list[list[MatchedEdit]]:
        tokens, hypothesis = self._scorer.corpus[index].tokens, self.hypothesis(index)
        with _name_corpus(self._scorer.corpus):
            by_annotator = self._scorer.judge.edits(index, hypothesis)
        if not self._scorer.metric.ignore_case_and_space:
            return by_annotator
        return [
            [edit for edit in edits if _fold(tokens[edit.start : edit.end]) != _fold(hypothesis[edit.target_start : edit.target_end])]
            if edits
            else edits
            for edits in by_annotator
        ]

    def _rows_of_edits(self, index: int) -> tuple[Row, ...]:
        rows = []
        for edits, annotation in zip(self._matched_edits(index), self._scorer.annotations[index], strict=True):
            rows.append((len([edit for edit in edits if edit.gold >= 0]), len(edits), len(annotation.edits)))
        return tuple(rows)


@contextmanager
def _name_corpus(corpus: Corpus) -> Iterator[None]:
    """Add the name of the corpus to errors of the core."""
    try:
        yield
    except OverflowError as error:
        raise refuse(corpus, error) from None


def _list_candidates(sentence: Sentence, everybody: Sequence[str], missing: Missing) -> tuple[Annotation, ...]:
    """List the annotations to score against; a sentence without any is correct according to the first annotator."""
    if sentence.annotations and missing == "absent":
        return sentence.annotations
    present = {annotation.annotator for annotation in sentence.annotations}
    absent = next((name for name in everybody if name not in present), None)  # one is enough: their rows are the same
    if absent is None:
        return sentence.annotations
    edits = sentence.annotations[0].edits if sentence.annotations and missing == "same" else ()
    return (*sentence.annotations, Annotation(absent, edits))


def _make_core_edit(edit: Edit) -> tuple[int, int, tuple[Tokens, ...]]:
    """Make an edit for the core."""
    # Split at single spaces only: the official scorer compares texts, so a correction with two spaces in a row matches nothing.
    return edit.start, edit.end, tuple(tuple(text.split(" ")) if text else () for text in edit.corrections)


def _fold(tokens: Tokens) -> str:
    return "".join(tokens).lower()


def _judge_edit(sentence: Sentence, annotation: Annotation, hypothesis: Tokens, edit: MatchedEdit) -> JudgedEdit:
    start, end, target_start, target_end, gold = edit
    if gold < 0:
        # The search may pad an edit with unchanged tokens; only the change is shown.
        while start < end and target_start < target_end and sentence.tokens[start] == hypothesis[target_start]:
            start, target_start = start + 1, target_start + 1
        while start < end and target_start < target_end and sentence.tokens[end - 1] == hypothesis[target_end - 1]:
            end, target_end = end - 1, target_end - 1
    original = " ".join(sentence.tokens[start:end])
    correction = " ".join(hypothesis[target_start:target_end])
    type_ = annotation.edits[gold].type if gold >= 0 else None
    return JudgedEdit("right" if gold >= 0 else "wrong", start, end, original, (correction,), type_, target_start)


# --- The best mixtures of annotators' edits for a hypothesis, found without listing all mixtures.
#
# A mixture has one alternative of every error, chosen independently of the others (:mod:`errata.corpus.alternatives`); no span may occur
# twice in it.  MaxMatch scores a hypothesis against each mixture as if it were one annotator.
#
# Three observations make this fast:
#
# - A gold edit that equals no edit of the hypothesis only counts as gold.  So of the alternatives of an error with the same edits that
#   can match, the one with the fewest edits is the best, and most errors have one alternative left.
# - Between positions where all sequences of edits can be cut, counts are independent, so they are sums over the parts of the sentence.
#   Errors in different parts are tried separately.
# - Of the mixtures with the same number of correct edits, only the one with the fewest proposed and gold edits, weighted as in F, can be
#   chosen.
#
# Counts are sums only where the one pass of MaxMatch proves them.  If it does not, all mixtures are tried.  If there are too many, the
# best that was found is used, and it is not certified.

_MOST_TRIED_MIXTURES = 4096
"""The most mixtures of one part of a sentence, or of a whole sentence, that are all tried."""

_SEARCHED = 4
"""Where a part has too many mixtures, a search tries the limit divided by this."""

_Selection = tuple[int, ...]
"""Indices of edits in a pool, in order."""

_Count = Callable[[list[_Selection]], list[tuple[int, int, bool]]]
"""Counts correct and proposed edits for each selection, and says whether the one pass proves them."""


class _Mixture(NamedTuple):
    """A mixture and its counts."""

    correct: int
    proposed: int
    gold: int
    edits: _Selection


class _MixedSentence:
    """The alternatives of a sentence: each is a selection from the pool of all edits."""

    def __init__(self, sentence: Sentence, most: int = _MOST_TRIED_MIXTURES) -> None:
        errors = group_errors(sentence)
        entries = [
            (edit, error, alternative)
            for error, alternatives in enumerate(errors)
            for alternative, item in enumerate(alternatives)
            for edit in item.edits
        ]
        order = {id(edit): place for annotation in sentence.annotations for place, edit in enumerate(annotation.edits)}
        entries.sort(key=lambda entry: (entry[0].start, entry[0].end, order[id(entry[0])]))  # those with the same span in file order
        self.pool: tuple[Edit, ...] = tuple(edit for edit, _, _ in entries)
        chosen: dict[tuple[int, int], list[int]] = {}
        for index, (_, error, alternative) in enumerate(entries):
            chosen.setdefault((error, alternative), []).append(index)
        own = [[tuple(chosen.get((error, number), ())) for number in range(len(items))] for error, items in enumerate(errors)]
        self.certain = True
        """Whether the alternatives are all that exist."""
        self.errors: list[list[_Selection]] = []
        for group in _link_errors(errors):
            self.errors.append(own[group[0]] if len(group) == 1 else self._join(errors, own, group, most))
        numbers: dict[object, int] = {}
        self.values = [numbers.setdefault((edit.start, edit.end, edit.corrections), len(numbers)) for edit in self.pool]
        """Numbers that are the same for equal edits."""

    def _join(self, errors: list[Alternatives], own: list[list[_Selection]], group: list[int], most: int) -> list[_Selection]:
        """List the choices of several errors in which no span occurs twice; if there are none, each annotator's own choice."""
        annotators = dict.fromkeys(item.annotator for error in group for item in errors[error])
        of_annotators = [tuple(_position_of(annotator, errors[error]) for error in group) for annotator in annotators]
        choices: list[tuple[int, ...]] = of_annotators
        if prod(len(errors[error]) for error in group) <= most:
            choices = list(product(*(range(len(errors[error])) for error in group)))
        else:
            self.certain = False
        valid = [
            choice for choice in choices if has_each_span_once([errors[error][number] for error, number in zip(group, choice, strict=True)])
        ]
        return [
            tuple(sorted(index for error, number in zip(group, choice, strict=True) for index in own[error][number]))
            for choice in valid or of_annotators
        ]


def _position_of(annotator: str | None, alternatives: Alternatives) -> int:
    """Find the alternative of an annotator, or the last."""
    return next((number for number, item in enumerate(alternatives) if item.annotator == annotator), len(alternatives) - 1)


def _list_spans(alternative: Alternative) -> set[tuple[int, int]]:
    return {(edit.start, edit.end) for edit in alternative.edits}


def _link_errors(errors: list[Alternatives]) -> list[list[int]]:
    """Group errors with alternatives that have the same span, so that some of their choices exclude each other."""
    groups = _Groups(len(errors))
    first: dict[tuple[int, int], int] = {}
    for number, alternatives in enumerate(errors):
        for span in {span for alternative in alternatives for span in _list_spans(alternative)}:
            groups.join(first.setdefault(span, number), number)
    return groups.list()


class _Groups:
    """Numbers that belong together."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def find(self, number: int) -> int:
        while self._parents[number] != number:
            self._parents[number] = number = self._parents[self._parents[number]]
        return number

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.find(one), self.find(other)))
        self._parents[second] = first

    def list(self) -> list[list[int]]:
        """List the groups in the order of their first numbers."""
        result: dict[int, list[int]] = {}
        for number in range(len(self._parents)):
            result.setdefault(self.find(number), []).append(number)
        return list(result.values())


def _find_mixtures(
    sentence: _MixedSentence, probe: tuple[list[bool], list[int]], count: _Count, ratio: Ratio, most: int = _MOST_TRIED_MIXTURES
) -> tuple[list[_Mixture], bool]:
    """Find the mixtures that can be chosen, by falling number of correct edits, and whether no better ones exist.

    ``probe`` says which edits of the pool can match, and at which positions the sentence can be cut.  At most ``most`` mixtures of a
    part are all tried.
    """
    matching, cuts = probe
    errors = [_reduce(options, matching, sentence.values) for options in sentence.errors]
    parts = _find_parts(sentence.pool, errors, matching, cuts)
    trial = _Trial(errors, matching, count, ratio)
    tables = [trial.try_all(part) if trial.size(part) <= most else trial.climb(part, most // _SEARCHED or 1) for part in parts]
    certified = all(trial.size(part) <= most for part in parts) and (trial.proven or len(parts) <= 1)
    everything = [error for part in parts for error in part]
    if not certified and trial.size(everything) <= most:
        tables, certified = [trial.try_all(everything)], True
    return trial.add(tables, again=not certified), certified and sentence.certain


def _reduce(options: list[_Selection], matching: list[bool], values: list[int]) -> list[_Selection]:
    """Keep of the alternatives with the same edits that can match the first with the fewest edits."""
    best: dict[tuple[int, ...], _Selection] = {}
    for option in options:
        key = tuple(values[edit] for edit in option if matching[edit])
        if key not in best or len(option) < len(best[key]):
            best[key] = option
    return list(best.values())


def _find_parts(pool: Sequence[Edit], errors: list[list[_Selection]], matching: list[bool], cuts: list[int]) -> list[list[int]]:
    """Group the errors with several alternatives that lie between the same cuts."""
    edits = [{edit for option in options for edit in option if matching[edit]} for options in errors]
    spans = _merge_spans((pool[edit].start, pool[edit].end) for own in edits for edit in own)
    ends = [end for _, end in spans]
    free = [cut for cut in cuts if (at := bisect_right(ends, cut)) == len(spans) or cut <= spans[at][0]]
    groups = _Groups(len(errors))
    first: dict[int, int] = {}
    for number, own in enumerate(edits):
        if len(errors[number]) > 1:
            for edit in own:
                groups.join(first.setdefault(bisect_right(free, pool[edit].start), number), number)
    return [group for group in groups.list() if len(errors[group[0]]) > 1]


def _merge_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge spans that share a token; insertions are left out."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if start == end:
            continue
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


_Choice = tuple[tuple[int, int], ...]
"""Errors, each with the index of an alternative."""


class _Counted(NamedTuple):
    """A choice and its counts, or how much they differ from those of the first alternatives."""

    correct: int
    proposed: int
    gold: int
    choice: _Choice


class _Trial:
    """Counts mixtures; errors that a choice leaves out have their first alternatives."""

    def __init__(self, errors: list[list[_Selection]], matching: list[bool], count: _Count, ratio: Ratio) -> None:
        self._errors, self._ratio, self._counter = errors, ratio, count
        self._matching = [[tuple(edit for edit in option if matching[edit]) for option in options] for options in errors]
        self.proven = True
        """Whether the one pass proved all counts."""
        self._gold = sum(len(options[0]) for options in errors)
        (self._first,) = self._count([()])

    def size(self, part: Sequence[int]) -> int:
        """Count the choices of a part."""
        return prod(len(self._errors[error]) for error in part)

    def try_all(self, part: list[int]) -> list[_Counted]:
        """Count all choices of a part."""
        choices = product(*(range(len(self._errors[error])) for error in part))
        return self._differences([tuple(zip(part, choice, strict=True)) for choice in choices])

    def climb(self, part: list[int], most: int) -> list[_Counted]:
        """Count choices of a part, changing one error at a time while the score improves, at most ``most``.

        The first choice has the alternatives with the most edits that can match.
        """
        starts = [max(range(len(own)), key=lambda number: len(own[number])) for own in (self._matching[error] for error in part)]
        (best,) = self._differences([tuple(zip(part, starts, strict=True))])
        table, improved = [best], True
        while improved and len(table) < most:
            improved = False
            for at, error in enumerate(part):
                others = [number for number in range(len(self._errors[error])) if number != best.choice[at][1]]
                choices = [(*best.choice[:at], (error, number), *best.choice[at + 1 :]) for number in others]
                counted = self._differences(choices[: most - len(table)])
                table += counted
                following = max((best, *counted), key=self._quality)
                improved |= following is not best
                best = following
        return table

    def add(self, tables: list[list[_Counted]], *, again: bool) -> list[_Mixture]:
        """List the best sums of one row from each table, counted again if they may not be sums."""
        best = [self._first]
        for table in tables:
            rows = self._prune(table)
            best = self._prune([_add(one, other) for one in best for other in rows])
        if again:
            best = self._prune(self._count([row.choice for row in best]))
        return [_Mixture(row.correct, row.proposed, row.gold, self._select(row.choice)) for row in best]

    def _prune(self, table: list[_Counted]) -> list[_Counted]:
        """Keep the rows that can be chosen: none has as many correct edits and fewer others."""
        cost = [self._ratio.of(row[:3])[1] for row in table]
        kept: list[_Counted] = []
        least = None
        for index in sorted(range(len(table)), key=lambda index: (-table[index].correct, cost[index], table[index].proposed)):
            if least is None or cost[index] < least:
                kept.append(table[index])
                least = cost[index]
        return kept

    def _quality(self, row: _Counted) -> tuple[Fraction, int]:
        whole = _add(self._first, row)
        return self._ratio.exact(whole[:3]), whole.correct

    def _differences(self, choices: list[_Choice]) -> list[_Counted]:
        first = self._first
        return [
            _Counted(row.correct - first.correct, row.proposed - first.proposed, row.gold - first.gold, row.choice)
            for row in self._count(choices)
        ]

    def _count(self, choices: list[_Choice]) -> list[_Counted]:
        if not choices:
            return []
        changed = {error for error, _ in choices[0]}  # all choices are of the same errors
        others = [edit for error, options in enumerate(self._matching) if error not in changed for edit in options[0]]
        selections = [(*others, *(edit for error, number in choice for edit in self._matching[error][number])) for choice in choices]
        counted = self._counter(selections)
        self.proven &= all(proven for _, _, proven in counted)
        return [
            _Counted(correct, proposed, self._gold + self._added(choice), choice)
            for choice, (correct, proposed, _) in zip(choices, counted, strict=True)
        ]

    def _added(self, choice: _Choice) -> int:
        """Count how many more edits a choice has than the first alternatives."""
        return sum(len(self._errors[error][number]) - len(self._errors[error][0]) for error, number in choice)

    def _select(self, choice: _Choice) -> _Selection:
        numbers = dict(choice)
        return tuple(sorted(edit for error, options in enumerate(self._errors) for edit in options[numbers.get(error, 0)]))


def _add(one: _Counted, other: _Counted) -> _Counted:
    return _Counted(one.correct + other.correct, one.proposed + other.proposed, one.gold + other.gold, one.choice + other.choice)


_MOST_VERTICES = 1 << 26
"""The most vertices of the edit lattices of all mixtures of one sentence that are tried: seconds."""


class _MixedScorer:
    """All mixtures of the edits of a corpus."""

    def __init__(self, metric: MaxMatch, corpus: Corpus) -> None:
        self.metric, self.corpus = metric, corpus
        everybody = corpus.annotators if metric.missing != "absent" else ()
        self.sentences = [
            _MixedSentence(replace(sentence, annotations=_list_candidates(sentence, everybody, metric.missing))) for sentence in corpus
        ]
        _ = self.judge

    @cached_property
    def judge(self) -> core.MaxMatchJudge:
        """The edits of all annotators in the core."""
        pools = (tuple(_make_core_edit(edit) for edit in sentence.pool) for sentence in self.sentences)
        return core.MaxMatchJudge(
            [(sentence.tokens, (pool,)) for sentence, pool in zip(self.corpus, pools, strict=True)], self.metric.max_unchanged
        )

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the core, which is rebuilt when needed."""
        return {name: value for name, value in vars(self).items() if name != "judge"}

    def prepare(self, hypotheses: Sequence[Tokens], first: int = 0) -> _MixedOutput:
        return _MixedOutput(self, hypotheses, first)

    def labels(self, index: int, rows: int) -> tuple[str, ...]:
        del index
        return (MIXED,) * rows


class _MixedOutput(Output):
    """The output of a system, scored against mixtures."""

    def __init__(self, scorer: _MixedScorer, hypotheses: Sequence[Tokens], first: int = 0) -> None:
        super().__init__(hypotheses, first)
        self._scorer = scorer

    def rows(self, start: int, stop: int) -> Sequence[tuple[Row, ...]]:
        result = []
        for index in range(start, stop):
            mixtures, certified = self._find(index)
            result.append(tuple((*mixture[:3], int(certified), 1) for mixture in mixtures))
        return result

    def edits(self, index: int) -> list[list[JudgedEdit]]:
        mixtures, _ = self._find(index)
        return self._as_annotators(index, [mixture.edits for mixture in mixtures]).edits(0)

    def lattice(self, index: int) -> list[EditLattice]:
        mixtures, _ = self._find(index)
        return self._as_annotators(index, [mixture.edits for mixture in mixtures]).lattice(0)

    def _find(self, index: int) -> tuple[list[_Mixture], bool]:
        scorer, hypothesis = self._scorer, self.hypothesis(index)
        cells = (len(scorer.corpus[index].tokens) + 1) * (len(hypothesis) + 1)
        with _name_corpus(scorer.corpus):
            probe = scorer.judge.probe(index, hypothesis)
            return _find_mixtures(
                scorer.sentences[index],
                probe,
                lambda selections: self._count(index, selections),
                scorer.metric.ratio,
                max(1, min(_MOST_TRIED_MIXTURES, _MOST_VERTICES // cells)),
            )

    def _count(self, index: int, selections: list[_Selection]) -> list[tuple[int, int, bool]]:
        if not self._scorer.metric.ignore_case_and_space:
            return self._scorer.judge.counts_of(index, self.hypothesis(index), selections)
        # Which edits are left out depends on the very edits, so nothing is proved.
        (rows,) = self._as_annotators(index, selections).rows(0, 1)
        return [(correct, proposed, False) for correct, proposed, _ in rows]

    def _as_annotators(self, index: int, selections: list[_Selection]) -> MaxMatchOutput:
        """Prepare the sentence alone, with an annotator for each selection of edits."""
        pool, sentence = self._scorer.sentences[index].pool, self._scorer.corpus[index]
        annotations = tuple(Annotation(str(number), tuple(pool[edit] for edit in own)) for number, own in enumerate(selections))
        whole = self._scorer.corpus
        alone = Corpus((replace(sentence, annotations=annotations),), whole.name, whole.path, Part((whole.numbers[index],), len(whole)))
        return MaxMatchScorer(replace(self._scorer.metric, references="single"), alone).prepare([self.hypothesis(index)])


# --- The edit lattice of a sentence and its hypothesis (Dahlmeier and Ng 2012, section 2, Figures 1 and 2), to be shown.
#
# A vertex ``(i, j)`` means that i source and j hypothesis tokens are consumed.  An arc keeps, inserts, deletes or replaces a token, or is
# a phrase edit: consecutive arcs with at least one change and at most u unchanged tokens.  The lattice is that of the official scorer:
# the shortest paths with substitutions that cost 1, and those with substitutions that cost 2.

_MOST_CELLS, _MOST_ARCS = 1_000_000, 5_000
"""Cells of the matrix and arcs of the lattice that can be shown."""

_Vertex = tuple[int, int]


class LatticeArc(NamedTuple):
    """An arc of the lattice."""

    start: _Vertex
    end: _Vertex
    units: int
    """The number of its unit arcs, including kept tokens: its cost, unless it matches gold."""
    changes: bool
    """Whether it is an edit, and not a kept token."""
    gold: bool
    """Whether it matches a gold edit."""
    on_path: bool
    """Whether it is on the path that is scored."""


@dataclass(frozen=True)
class EditLattice:
    """All edits that turn a source into a hypothesis, and the path that matches gold best."""

    source: Tokens
    hypothesis: Tokens
    max_unchanged: int
    vertices: tuple[_Vertex, ...]
    arcs: tuple[LatticeArc, ...]
    path: tuple[_Vertex, ...]
    """The vertices of the path that is scored."""

    def cost(self, arc: LatticeArc) -> int:
        """Return the cost of an arc as the paper defines it: its unit arcs, or -(u + 1) times the number of arcs if it matches gold."""
        return -(self.max_unchanged + 1) * len(self.arcs) if arc.gold else arc.units

    def original(self, arc: LatticeArc) -> str:
        """Return the source text of an arc."""
        return " ".join(self.source[arc.start[0] : arc.end[0]])

    def correction(self, arc: LatticeArc) -> str:
        """Return the text of the hypothesis for an arc."""
        return " ".join(self.hypothesis[arc.start[1] : arc.end[1]])

    @cached_property
    def distances(self) -> tuple[tuple[int, ...], ...]:
        """The Levenshtein matrix (Figure 1): the distance of the first i source and the first j hypothesis tokens."""
        rows = [tuple(range(len(self.hypothesis) + 1))]
        for i, token in enumerate(self.source, start=1):
            above, here = rows[-1], [i]
            for j, other in enumerate(self.hypothesis, start=1):
                here.append(min(above[j - 1] + (token != other), above[j] + 1, here[-1] + 1))
            rows.append(tuple(here))
        return tuple(rows)


def _make_edit_lattice(
    source: Tokens, hypothesis: Tokens, gold: Sequence[GoldEdit], max_unchanged: int, edits: Sequence[MatchedEdit]
) -> EditLattice:
    """Make the lattice for the gold edits of one annotator; ``edits`` are those that MaxMatch found.

    Raise :class:`RequestError` if it is too large to be shown.
    """
    from errata.core.limits import MOST_WORK
    from errata.core.python.maxmatch import Lattice, Work

    cells = (len(source) + 1) * (len(hypothesis) + 1)
    if cells > _MOST_CELLS:
        raise RequestError(f"its lattice has {cells:,} cells, more than the {_MOST_CELLS:,} that can be shown; cut the sentence")
    lattice = Lattice(source, hypothesis)
    path = _find_path(edits, lattice.last)
    steps = set(pairwise(path))
    matching = lattice.find_gold_arcs(gold, max_unchanged, Work(MOST_WORK)).arcs
    arcs: list[LatticeArc] = []
    vertices = tuple(lattice)
    for start in vertices:
        for end, arc in lattice.list_stored_arcs(start, lattice.last, max_unchanged).items():
            is_gold = arc.changes and start in matching.get(end, ())
            arcs.append(LatticeArc(start, end, arc.units, arc.changes, is_gold, (start, end) in steps))
        if len(arcs) > _MOST_ARCS:
            fewer = ", or choose a smaller max_unchanged, such as -m 'maxmatch(max_unchanged=0)'" if max_unchanged else ""
            raise RequestError(f"its lattice has more than {_MOST_ARCS:,} arcs, too many to be shown; cut the sentence{fewer}")
    return EditLattice(source, hypothesis, max_unchanged, vertices, tuple(arcs), tuple(path))


def _find_path(edits: Sequence[MatchedEdit], last: _Vertex) -> list[_Vertex]:
    """List the vertices of a path: its edits, and kept tokens between them."""
    path = [(0, 0)]
    for start, end in (*(((edit.start, edit.target_start), (edit.end, edit.target_end)) for edit in edits), (last, last)):
        while path[-1] != start:
            path.append((path[-1][0] + 1, path[-1][1] + 1))
        if end != start:
            path.append(end)
    return path
