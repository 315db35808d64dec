"""What a report shows: every interval, test and edit, computed before anything is written, and the page from Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import MismatchError, RequestError
from errata.language.tagging import SourceTagger
from errata.language.types import shorten_type
from errata.metrics import registry
from errata.metrics.views import ShowsEdits
from errata.report.charts.people import list_drawings as list_drawings_of_people
from errata.report.charts.scores import list_drawings
from errata.report.page.data import sample_evenly, watch_nothing
from errata.report.tables.scores import type_scores
from errata.scoring.by_type import find_wrong_types
from errata.scoring.edits import list_chosen_edits
from errata.scoring.evaluator import Evaluator
from errata.scoring.scores import best_first
from errata.stats.bootstrap import Bootstrap
from errata.stats.comparison import assign_letters, compare, find_different
from errata.stats.correlation import FEWEST
from errata.stats.intervals import Interval, compute_intervals
from errata.stats.resampling import check_units, resample
from errata.studies.meta.evaluation import MetaSettings, evaluate_metrics, find_common_systems
from errata.studies.meta.scores import MetricScores, score_by_people
from errata.studies.meta.systems import OUTLIERS, MetaIntervals

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from errata.corpus.corpus import Corpus, System
    from errata.language.tagging import Tagger
    from errata.metrics.base import Metric
    from errata.metrics.views import JudgedEdit
    from errata.report.charts.drawing import Drawing, DrawingProcess
    from errata.report.page.data import Watch
    from errata.report.tables.scores import TypedScore
    from errata.scoring.edits import KnownEdits
    from errata.scoring.scores import Score
    from errata.settings import Correction, Detail, Test
    from errata.stats.bootstrap import Progress
    from errata.stats.comparison import Comparison
    from errata.studies.meta.evaluation import MetaEvaluation
    from errata.studies.meta.scores import HumanScores, JudgedSentences, ScoreEnds


class Testing(NamedTuple):
    """How systems are compared."""

    test: Test = "bootstrap"
    """By default that which takes the replicates of the intervals, so that nothing is resampled twice."""
    correction: Correction = "holm"
    alpha: float = 0.05

    def describe(self, bootstrap: Bootstrap) -> str:
        """Say how intervals and tests were made."""
        return f"{self.test} test, {self.correction} correction, alpha {self.alpha:g}; {bootstrap}"


@dataclass(frozen=True)
class RankedSystems:
    """The scores of all systems with one metric, with intervals and paired tests."""

    metric: Metric
    scores: Sequence[Score]
    """In the order in which systems were given, as everything here."""
    intervals: Sequence[Interval]
    comparisons: Sequence[Comparison]
    ranks: Sequence[int]
    """By score; equal scores share a rank, and undefined ones are last."""
    letters: Sequence[str] | None
    """Two systems share a letter if they are not significantly different; None if there are too many groups."""
    how: str
    """How intervals and tests were made."""

    @property
    def has_intervals(self) -> bool:
        """Whether there are enough sentences for intervals and tests."""
        return not all(math.isnan(interval.low) for interval in self.intervals)

    @cached_property
    def order(self) -> list[int]:
        """The indices of systems, the best first."""
        return sorted(range(len(self.scores)), key=lambda index: best_first(self.scores[index]))


Edits = list["JudgedEdit"]
"""The edits of a sentence, judged by the chosen reference."""


@dataclass(frozen=True)
class JudgedSystems:
    """The edits of every system in every sentence, judged by one metric."""

    scores: Sequence[Score]
    edits: Sequence[Sequence[Edits]]
    """For each system and sentence."""
    is_extra: bool
    """Whether the metric was not asked for, and only judges edits, because no other does."""

    @property
    def metric(self) -> Metric:
        """The metric that judges the edits."""
        return self.scores[0].metric

    def with_types(self, wrong_types: Sequence[Sequence[str] | None], detail: Detail) -> JudgedSystems:
        """Give wrong edits the types that were found for each system, and keep of all types what ``detail`` says."""
        edits = [
            _type_edits(own, types, detail) if types is not None or detail != "full" else own
            for own, types in zip(self.edits, wrong_types, strict=True)
        ]
        return replace(self, edits=edits)


def _type_edits(sentences: Sequence[Edits], wrong_types: Sequence[str] | None, detail: Detail) -> list[Edits]:
    found = iter(wrong_types or ())
    return [
        [
            replace(edit, type=shorten_type((next(found, "") if edit.outcome == "wrong" else edit.type) or "", detail) or None)
            if edit.outcome == "wrong" or detail != "full"
            else edit
            for edit in edits
        ]
        for edits in sentences
    ]


@dataclass(frozen=True)
class ComparedWithPeople:
    """The metrics of a report, judged against people."""

    judged: JudgedSentences
    evaluation: MetaEvaluation | None
    """None if there is a reason why they cannot be compared."""
    drawings: Sequence[Drawing] = ()
    reason: str = ""


@dataclass(frozen=True)
class Report:
    """Everything that a page shows."""

    corpus: Corpus
    systems: Sequence[System]
    rankings: Sequence[RankedSystems]
    """One for each metric."""
    judged: JudgedSystems | None
    """None if edits cannot be judged, because the gold has no references."""
    typed: Sequence[TypedScore]
    """Scores by error type, one for each system; empty if there are none."""
    bootstrap: Bootstrap
    testing: Testing
    shown: Sequence[int]
    """The indices of the sentences that are in the page."""
    people: ComparedWithPeople | None = None
    """None without judgments of people."""
    drawer: DrawingProcess | None = None
    """What draws the charts; None for no charts."""
    sampled: str = ""
    """Why not all sentences are in the page; empty if they are."""
    title: str = ""
    """What the page is about; by default the name of the gold."""
    command: str = ""
    warnings: Sequence[str] = ()
    handles: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The error types that systems handle, as their teams say; a system that is not named handles all."""
    signed: str = ""
    """What belongs to every signature beside what the scores have."""
    start: str = ""
    """The view that the page opens, as in a fragment of its address."""

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [system.name for system in self.systems]

    @property
    def main(self) -> RankedSystems:
        """The scores by the first metric."""
        return self.rankings[0]

    @property
    def types_are_inferred(self) -> bool:
        """Whether types of wrong edits are guessed from parts of speech."""
        return bool(self.typed) and self.typed[0].tagger != "none"


def type_by_tagger(tagger: Tagger | None, order: Sequence[str], detail: Detail) -> TypeEdits:
    """Give wrong edits the types that parts of speech give them, if there is a tagger."""

    def type_edits(judged: JudgedSystems) -> tuple[JudgedSystems, list[TypedScore]]:
        known = SourceTagger(tagger, judged.scores[0].evidence.corpus) if tagger is not None else None
        wrong = [find_wrong_types(score, own, known, order) for score, own in zip(judged.scores, judged.edits, strict=True)]
        return judged.with_types(wrong, detail), type_scores(judged.scores, tagger, order, detail, judged.edits, wrong)

    return type_edits


_MOST_REPLICATES = 1_000
"""Intervals of correlations need no more; those of scores may have more."""


def _compare_with_people(
    rankings: Sequence[RankedSystems], judged: JudgedSentences, bootstrap: Bootstrap, testing: Testing, watch: Watch
) -> ComparedWithPeople:
    """Compare all metrics with people; if that is impossible, say why, because the page has everything else."""
    metrics = [MetricScores.of(ranking.scores) for ranking in rankings]
    intervals = None
    if len(judged.places) > 1:
        intervals = MetaIntervals(
            bootstrap.level, min(bootstrap.replicates, max(_MOST_REPLICATES, math.ceil(2 / (1 - bootstrap.level)))), bootstrap.seed
        )
    try:
        human = score_by_people(judged.items, judged.places)
        without = _choose_sets(human, metrics)
        settings = MetaSettings(intervals, correction=testing.correction, alpha=testing.alpha, without=without)
        with watch("comparing with people", len(metrics) * (intervals.replicates if intervals is not None else 0)) as progress:
            evaluation = evaluate_metrics(human, metrics, judged, settings, progress)
    except (RequestError, MismatchError) as error:
        return ComparedWithPeople(judged, None, reason=str(error))
    ends = {str(ranking.metric): _list_ends(ranking) for ranking in rankings}
    return ComparedWithPeople(judged, evaluation, list_drawings_of_people(evaluation, ends))


def _choose_sets(human: HumanScores, metrics: Sequence[MetricScores]) -> tuple[str, ...]:
    """Compare metrics without outliers too, if there are some and enough other systems."""
    systems, _ = find_common_systems(human, metrics)
    outliers = human.find_outliers(systems)
    return (OUTLIERS,) if outliers and len(systems) - len(outliers) >= FEWEST else ()


def _list_ends(ranking: RankedSystems) -> Mapping[str, ScoreEnds]:
    pairs = zip(ranking.scores, ranking.intervals, strict=True)
    return {score.system_name: (own.low, own.high) for score, own in pairs if math.isfinite(own.low + own.high)}


_JUDGE = "maxmatch"
"""The metric that judges edits if none of the report does."""

TypeEdits = Callable[[JudgedSystems], tuple[JudgedSystems, list["TypedScore"]]]
"""Gives wrong edits their types, and counts the edits of every system by type."""


def build_report(
    scores: Sequence[Sequence[Score]],
    type_edits: TypeEdits,
    bootstrap: Bootstrap | None = None,
    testing: Testing | None = None,
    drawer: DrawingProcess | None = None,
    watch: Watch = watch_nothing,
    people: JudgedSentences | None = None,
) -> Report:
    """Make a report of the scores of all systems, for each metric, with an even sample of the sentences.

    The other fields of the report, such as its title, are added with :func:`dataclasses.replace`.
    ``drawer`` draws the charts meanwhile; without it the report has none.
    ``watch`` is told of the progress.
    ``people`` are judgments that the metrics are compared with.
    """
    bootstrap, testing = bootstrap or Bootstrap(), testing or Testing()
    corpus = scores[0][0].evidence.corpus
    with watch("resampling", bootstrap.replicates * sum(map(len, scores))) as progress:
        rankings = [_rank(own, bootstrap, testing, progress) for own in scores]
    compared = None if people is None else _compare_with_people(rankings, people, bootstrap, testing, watch)
    if drawer is not None:
        intervals = [interval for own in rankings for interval in own.intervals]
        known = intervals if all(own.has_intervals for own in rankings) else ()
        drawings = list_drawings([score for own in scores for score in own], known)
        drawer.begin([*drawings, *(compared.drawings if compared is not None else ())])
    with watch("listing edits", len(scores[0])) as progress:
        judged = _judge(scores, progress)
    typed: list[TypedScore] = []
    if judged is not None:
        judged, typed = type_edits(judged)
    return Report(
        corpus=corpus,
        systems=[score.system for score in scores[0]],
        rankings=rankings,
        judged=judged,
        typed=typed,
        bootstrap=bootstrap,
        testing=testing,
        shown=sample_evenly(len(corpus)),
        people=compared,
        drawer=drawer,
    )


def _rank(scores: Sequence[Score], bootstrap: Bootstrap, testing: Testing, progress: Progress | None = None) -> RankedSystems:
    """Compute intervals and paired tests of the scores of one metric."""
    evidence = [score.evidence for score in scores]
    ranks = [_count_better(score, scores) for score in scores]
    try:
        check_units(evidence, bootstrap.by, "an interval")
    except RequestError as error:  # the page of a single sentence has everything else
        unknown = [Interval(math.nan, math.nan, bootstrap)] * len(scores)
        return RankedSystems(scores[0].metric, scores, unknown, [], ranks, None, f"No intervals and no tests: {error}.")
    resampled = resample(evidence, bootstrap, progress) if bootstrap.method != "exact" else None
    intervals = compute_intervals(evidence, bootstrap, resampled)
    several = len(scores) > 1
    comparisons = compare(evidence, testing.test, testing.correction, bootstrap, resampled) if several else []
    ranking = RankedSystems(scores[0].metric, scores, intervals, comparisons, ranks, None, testing.describe(bootstrap))
    letters = assign_letters([scores[index].system_name for index in ranking.order], find_different(comparisons, testing.alpha))
    if letters is None:
        return ranking
    given = dict(zip(ranking.order, letters, strict=True))
    return replace(ranking, letters=[given[index] for index in range(len(scores))])


def _count_better(score: Score, scores: Sequence[Score]) -> int:
    """The rank of a score: 1 and the number of better ones; an undefined one comes after all others."""
    if math.isnan(score.value):
        return 1 + sum(not math.isnan(other.value) for other in scores)
    return 1 + sum(other.value > score.value for other in scores)


def _judge(scores: Sequence[Sequence[Score]], progress: Progress | None = None) -> JudgedSystems | None:
    """Judge the edits of all systems: by the first metric that does, or by MaxMatch; None if gold has no references."""
    judging = next((own for own in scores if isinstance(own[0].output, ShowsEdits) and own[0].evidence.chosen is not None), None)
    if judging is not None:
        return JudgedSystems(judging, _list_edits(judging, progress), is_extra=False)
    corpus = scores[0][0].evidence.corpus
    if not any(sentence.annotations for sentence in corpus):
        return None
    evaluate = Evaluator(corpus, registry.metric(_JUDGE), warn=None)
    extra = [evaluate(score.system) for score in scores[0]]
    return JudgedSystems(extra, _list_edits(extra, progress), is_extra=True)


def _list_edits(scores: Sequence[Score], progress: Progress | None) -> list[list[Edits]]:
    edits = []
    known: KnownEdits = {}
    for score in scores:
        edits.append(list_chosen_edits(score, known=known))
        if progress is not None:
            progress(1)
    return edits
