"""From a corpus and systems to a report: every score, interval, test and edit that the page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.metrics import ShowsEdits, registry
from errata.page.report import JudgedSystems, RankedSystems, Testing
from errata.scoring import Evaluator
from errata.scoring.chosen_edits import list_chosen_edits
from errata.stats import Bootstrap, compare, compute_intervals, rank_systems, resample
from errata.stats.comparison import find_different
from errata.stats.letters import assign_letters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from errata.corpus import Corpus, System
    from errata.scoring import Score

_JUDGE = "maxmatch"
"""The metric that judges edits if none of the report does."""


def rank(scores: Sequence[Score], bootstrap: Bootstrap, testing: Testing, progress: Callable[[int], None] | None = None) -> RankedSystems:
    """Compute intervals and paired tests of the scores of one metric."""
    evidence = [score.evidence for score in scores]
    resampled = resample(evidence, bootstrap, progress) if bootstrap.method != "exact" else None
    intervals = compute_intervals(evidence, bootstrap, resampled)
    several = len(scores) > 1
    comparisons = compare(evidence, testing.test, testing.correction, bootstrap, resampled) if several else []
    ranks = rank_systems([(score.system_name, score.value) for score in scores], comparisons, testing.alpha)
    ranking = RankedSystems(scores[0].metric, scores, intervals, comparisons, ranks, None, testing.describe(bootstrap))
    names = [scores[index].system_name for index in ranking.order]
    letters = assign_letters(names, find_different(comparisons, testing.alpha))
    if letters is None:
        return ranking
    given = dict(zip(ranking.order, letters, strict=True))
    return RankedSystems(ranking.metric, scores, intervals, comparisons, ranks, [given[index] for index in range(len(scores))], ranking.how)


def judge(corpus: Corpus, systems: Sequence[System], scores: Sequence[Sequence[Score]]) -> JudgedSystems | None:
    """Judge the edits of all systems: by the first metric that does, or by MaxMatch; None if gold has no references."""
    judging = next((own for own in scores if isinstance(own[0].output, ShowsEdits) and own[0].evidence.chosen is not None), None)
    if judging is not None:
        return JudgedSystems(judging, [list_chosen_edits(score) for score in judging], is_extra=False)
    if not any(sentence.annotations for sentence in corpus):
        return None
    evaluate = Evaluator(corpus, registry.metric(_JUDGE))
    extra = [evaluate(system) for system in systems]
    return JudgedSystems(extra, [list_chosen_edits(score) for score in extra], is_extra=True)
