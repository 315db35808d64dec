"""``errata score --letters``: which systems are not significantly different."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.scores import count_systems, group_by_metric
from errata.cli.statistics_arguments import alpha_from, bootstrap_from

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.scoring import Score
    from errata.stats.comparison import Letters


def check_letters(options: argparse.Namespace) -> None:
    """Raise, before anything is scored, if so many systems cannot be tested with these settings."""
    if not options.letters:
        return
    from errata.errors import RequestError
    from errata.stats.comparison import check_replicates

    systems = count_systems(options)
    if systems < 2:  # noqa: PLR2004 - a pair
        raise RequestError(f"--letters needs two systems or more, found {systems}")
    check_replicates(systems, options.test, options.correction, bootstrap_from(options, 1 - alpha_from(options)), options.alpha)


def letters_of(options: argparse.Namespace, scores: Sequence[Score], metrics: int) -> Letters | None:
    """The letters of all scores, those of each metric alone; None if they are not asked for."""
    if not options.letters:
        return None
    from errata.report.progress import ProgressBar
    from errata.scoring.scores import best_first
    from errata.stats import compare
    from errata.stats.comparison import Letters, assign_letters, find_different

    settings = bootstrap_from(options, 1 - alpha_from(options))
    found: list[str] = []
    systems = len(scores) // metrics
    with ProgressBar("testing pairs", settings.replicates * metrics * systems * (systems - 1) // 2) as bar:
        for own in group_by_metric(scores, metrics):
            comparisons = compare(own, options.test, options.correction, settings, progress=bar.advance)
            ordered = [score.system_name for score in sorted(own, key=best_first)]
            letters = assign_letters(ordered, find_different(comparisons, options.alpha)) or [""] * systems
            given = dict(zip(ordered, letters, strict=True))
            found += [given[score.system_name] for score in own]
    units = settings.describe_resampling() if options.test in {"randomisation", "bootstrap"} else f"by {settings.by}"
    return Letters(found, f"{options.test} test, {options.correction} correction, alpha {options.alpha:g}; {units}")
