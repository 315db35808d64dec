"""From scores to a report: every interval, test and edit that the page shows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from errata.errors import RequestError
from errata.metrics import ShowsEdits, registry
from errata.names import sample_evenly
from errata.page.people_evaluation import compare_with_people
from errata.page.report import JudgedSystems, RankedSystems, Report, Testing
from errata.page.watching import watch_nothing
from errata.report.charts.drawings import list_drawings
from errata.scoring import Evaluator
from errata.scoring.edits import list_chosen_edits
from errata.stats import Bootstrap, Interval, compare, compute_intervals, resample
from errata.stats.comparison import assign_letters, find_different
from errata.stats.resampling import check_units

if TYPE_CHECKING:
    from errata.page.report import Edits
    from errata.page.watching import Watch
    from errata.report.charts.drawing_process import DrawingProcess
    from errata.report.tables.types import TypedScore
    from errata.scoring import Score
    from errata.scoring.edits import KnownEdits
    from errata.stats.bootstrap import Progress
    from errata.studies.meta import JudgedSentences

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
    **more: Any,
) -> Report:
    """Make a report of the scores of all systems, for each metric; ``more`` are other fields of the report.

    ``drawer`` draws the charts meanwhile; without it the report has none.
    ``watch`` is told of the progress.
    ``people`` are judgments that the metrics are compared with.
    """
    bootstrap, testing = bootstrap or Bootstrap(), testing or Testing()
    corpus = scores[0][0].evidence.corpus
    with watch("resampling", bootstrap.replicates * sum(map(len, scores))) as progress:
        rankings = [rank(own, bootstrap, testing, progress) for own in scores]
    compared = None if people is None else compare_with_people(rankings, people, bootstrap, testing, watch)
    if drawer is not None:
        intervals = [interval for own in rankings for interval in own.intervals]
        known = intervals if all(own.has_intervals for own in rankings) else ()
        drawings = list_drawings([score for own in scores for score in own], known)
        drawer.begin([*drawings, *(compared.drawings if compared is not None else ())])
    with watch("listing edits", len(scores[0])) as progress:
        judged = judge(scores, progress)
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
        people=compared,
        drawer=drawer,
        **{"shown": sample_evenly(len(corpus)), **more},
    )


def rank(scores: Sequence[Score], bootstrap: Bootstrap, testing: Testing, progress: Progress | None = None) -> RankedSystems:
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


def judge(scores: Sequence[Sequence[Score]], progress: Progress | None = None) -> JudgedSystems | None:
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
