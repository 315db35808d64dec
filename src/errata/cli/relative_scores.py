"""``errata score --relative-to``: scores divided by that of a perfect corrector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.crowd_inputs import is_table, read_crowd, skip_single_answers
from errata.cli.printing import print_warning
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus
    from errata.metrics import Metric
    from errata.scoring import Score
    from errata.studies.coverage.perfect import PerfectScore


def find_perfect_scores(options: argparse.Namespace, corpus: Corpus, scores: Sequence[Score]) -> list[PerfectScore]:
    """Compute for each score the expected score of a perfect corrector by the same metric; none if none are wanted."""
    if options.relative_to is None:
        return []
    from errata.corpus.tokenisation import tokenise_as_conll
    from errata.report.progress import ProgressBar
    from errata.studies.coverage.perfect import STEPS, RelativeSettings, compute_perfect_score, find_shape

    metrics = list(dict.fromkeys(score.metric for score in scores))
    _refuse_ignored(options, metrics)
    path = options.relative_to
    sentences = skip_single_answers(read_crowd(path))
    shape = find_shape(corpus)
    given = {"simulations": options.simulations, "seed": options.seed, "scored": options.scored_outputs}
    settings = RelativeSettings(
        others=bool(options.exclude_self) or not is_table(path),
        tokenise=tokenise_as_conll if options.tokenise_corrections else None,
        **{name: value for name, value in given.items() if value is not None},
    )
    with ProgressBar("simulating test sets", STEPS * len(metrics), in_core=True) as bar:
        perfect = {metric: compute_perfect_score(metric, shape, sentences, path, settings, bar.advance) for metric in metrics}
    if shape.as_usual < shape.sentences:
        what = f"{shape.references} references, as in {shape.as_usual:,} of {shape.sentences:,} sentences"
        print_warning(f"scores are relative to a perfect corrector with {what}; the others have another number")
    return [perfect[score.metric] for score in scores]


def _refuse_ignored(options: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    """Refuse settings of simulations if nothing is simulated."""
    from errata.studies.coverage.estimation import find_sameness

    if any(find_sameness(metric) is None for metric in metrics):
        return
    for name in ("simulations", "scored_outputs", "exclude_self"):
        if getattr(options, name) is not None:
            names = " and ".join(metric.name for metric in metrics)
            raise UsageError(f"--{name.replace('_', '-')} cannot be combined with {names}: nothing is simulated")
