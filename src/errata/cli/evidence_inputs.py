"""Evidence instead of gold and texts: what errata evidence wrote."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, cast

from errata.cli.combinations import is_given
from errata.cli.printing import print_warning
from errata.cli.vocabulary import ESSAYS, GRAPHS, INPUT, OPTIONS, PERFECT, TYPES
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.corpus.corpus import Corpus
    from errata.metrics import Metric
    from errata.scoring import Score
    from errata.scoring.evidence_files import StoredEvidence

_TEXTS = frozenset({INPUT, TYPES, GRAPHS, PERFECT, ESSAYS})
"""Groups of options that are about texts."""
_MORE_TEXTS = frozenset({"--analyser", "--parses", "--per-document"})


def has_evidence(options: argparse.Namespace) -> bool:
    """Whether the first argument is a folder of evidence; it need not be complete."""
    if hasattr(options, "stored_evidence"):
        return True
    if not getattr(options, "takes_evidence", False) or options.gold is None or not os.path.isdir(options.gold):  # noqa: PTH112 - never raises
        return False
    from errata.scoring.evidence_files import is_evidence

    return is_evidence(options.gold)


def open_stored(options: argparse.Namespace) -> StoredEvidence:
    """Open the folder of evidence that is the first argument; refuse options that need texts."""
    from errata.scoring.evidence_files import open_evidence

    known: StoredEvidence | None = getattr(options, "stored_evidence", None)
    if known is not None:
        return known
    for name, action in options.parser.options.items():
        about_texts = name in OPTIONS and (OPTIONS[name].group in _TEXTS or name in _MORE_TEXTS)
        if about_texts and is_given(action, options):
            raise UsageError(f"{name} cannot be combined with evidence, which has no texts")
    opened: StoredEvidence
    opened = options.stored_evidence = open_evidence(options.gold)
    return opened


def choose_metrics(options: argparse.Namespace) -> list[Metric]:
    """The metrics that all systems have, or those that are named; others are told."""
    stored = open_stored(options)
    names = set(options.systems or stored.systems)
    having = {text: {entry.system for entry in stored.manifest.entries if entry.metric == text} for text in stored.metrics}
    complete = [metric for text, metric in stored.metrics.items() if names <= having[text]]
    if not complete:
        raise UsageError(f"{options.gold}: no metric has all of these systems; choose one with -m from {', '.join(having)}")
    for text, own in having.items():
        if not names <= own:
            print_warning(f"{options.gold}: {text} is left out: it has no evidence of {', '.join(sorted(names - own))}; -m shows it")
    return complete


def score_evidence(options: argparse.Namespace, metrics: Sequence[Metric]) -> tuple[Corpus, list[Score]]:
    """The gold of a folder of evidence, and the scores of the systems that are named, or of all."""
    from errata.report.progress import ProgressBar

    folder = open_stored(options)
    for warning in folder.list_warnings(metrics):
        print_warning(warning)
    with ProgressBar("reading evidence", None) as bar:
        scores = folder.score(metrics, getattr(options, "evidence_systems", options.systems), bar.advance)
    for score in scores:
        for warning in score.metric.warnings(score.counts):
            print_warning(f"{score.metric} of {score.system_name}: {warning}")
    return cast("Corpus", folder.gold), list(scores)  # the gold has what tables use of a corpus


def require_systems(options: argparse.Namespace) -> None:
    """Refuse a gold without systems."""
    if options.systems:
        return
    if os.path.isdir(options.gold) and not options.source:  # noqa: PTH112 - never raises
        from errata.scoring.evidence_files.storage import read_manifest_of

        read_manifest_of(Path(options.gold))  # says why it is no evidence
    else:
        raise UsageError("the following arguments are required: SYSTEM; only a folder that errata evidence wrote needs none")
