"""Scoring for commands: every system with every metric, with a progress bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.cli.evidence_inputs import choose_metrics, has_evidence, open_stored, require_systems, score_evidence
from errata.cli.graph_inputs import with_graphs
from errata.cli.inputs import corpus_from, split_name, systems_from
from errata.cli.long_texts import are_counted_in_parts, count_in_parts
from errata.cli.parse_inputs import with_parses
from errata.cli.printing import print_warning
from errata.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from errata.corpus.corpus import Corpus, System
    from errata.metrics import Metric
    from errata.scoring import Score


_DEFAULT = "maxmatch"


def metrics_from(options: argparse.Namespace) -> list[Metric]:
    """The metrics that are asked for, each once."""
    from errata.metrics import registry

    if not options.metric and has_evidence(options):
        return choose_metrics(options)
    metrics = [registry.metric(text) for text in options.metric or [_DEFAULT]]
    if repeated := next((metric for index, metric in enumerate(metrics) if metric in metrics[:index]), None):
        raise UsageError(f"-m {repeated} is given twice")
    return metrics


def one_metric_from(options: argparse.Namespace) -> Metric:
    """The metric that is asked for, by default maxmatch, or the one of the evidence."""
    from errata.metrics import registry

    if options.metric is None and has_evidence(options):
        known = list(open_stored(options).metrics.values())
        if len(known) != 1:
            raise UsageError(f"{options.gold}: there are {len(known)} metrics; choose one with -m from {', '.join(map(str, known))}")
        return known[0]
    return registry.metric(options.metric or _DEFAULT)


def count_systems(options: argparse.Namespace) -> int:
    """The number of systems that are asked for."""
    return len(options.systems) or (len(open_stored(options).systems) if has_evidence(options) else 0)


def score_systems(
    options: argparse.Namespace, metrics: list[Metric], prepare: Callable[[Corpus, Metric], Corpus] | None = None
) -> tuple[Corpus, list[Score]]:
    """The corpus, and the scores of all systems with the first metric, then with the second, and so on.

    ``prepare`` makes the gold of a metric from the corpus.
    """
    if not has_evidence(options):
        require_systems(options)
        if prepare is None and options.takes_evidence and are_counted_in_parts(options, metrics):
            warn_of_references(options.reference, options.systems)
            count_in_parts(options, metrics)
    if has_evidence(options):
        return score_evidence(options, metrics)
    corpus = corpus_from(options, also=list_inputs(options))
    return corpus, score_on(corpus, options, metrics, prepare)


def list_inputs(options: argparse.Namespace) -> list[str]:
    """List the files of systems and documents."""
    return [*options.systems, *([options.documents] if getattr(options, "documents", None) else [])]


def score_on(
    corpus: Corpus,
    options: argparse.Namespace,
    metrics: list[Metric],
    prepare: Callable[[Corpus, Metric], Corpus] | None = None,
    systems: list[System] | None = None,
) -> list[Score]:
    """The scores of all systems on a corpus that was read before, or of those that were read too."""
    from errata.report.progress import ProgressBar
    from errata.scoring import Evaluator, evaluate_many

    warn_of_references(options.reference, options.systems)
    _refuse_graphs(options)
    systems = systems_from(options, options.systems, corpus) if systems is None else systems
    metrics = with_parses(options, with_graphs(options, metrics, corpus, systems))
    scores: list[Score] = []
    with ProgressBar("scoring", len(metrics) * len(systems) * len(corpus), in_core=True) as bar:
        for metric in metrics:
            evaluate = Evaluator(corpus if prepare is None else prepare(corpus, metric), metric, warn=None)
            scores += evaluate_many(evaluate, systems, options.jobs, bar.advance)
    warn_of_scores(scores)
    return scores


def _refuse_graphs(options: argparse.Namespace) -> None:
    """A pattern after --graphs gives only its first file to it."""
    from errata.formats.lines import without_compression

    for path in options.systems if options.graphs else ():
        if without_compression(path.lower()).endswith((".mrp", ".conllu")):
            raise UsageError(f"{path} looks like a file of graphs, not a system; repeat --graphs for every file, or give a folder")


def group_by_metric(scores: Sequence[Score], metrics: int) -> list[Sequence[Score]]:
    """The scores of each metric, from all scores in one list."""
    size = len(scores) // metrics
    return [scores[first : first + size] for first in range(0, len(scores), size)]


def warn_of_scores(scores: list[Score]) -> None:
    """Say what metrics want to be known about their scores."""
    for score in {id(score.metric): score for score in scores}.values():
        corpus = score.evidence.corpus
        for warning in score.metric.gold_warnings(corpus):
            print_warning(f"{corpus.path or corpus.name}: {score.metric}: {warning}")
    for score in scores:
        for warning in score.metric.warnings(score.counts):
            print_warning(f"{score.metric} of {score.system_name}: {warning}")


def warn_of_references(references: list[str], systems: list[str]) -> None:
    """A pattern after -r gives only its first file to -r; the others differ from it in their number."""
    import re

    def without_digits(path: str) -> str:
        return re.sub(r"\d+", "#", path)

    known = {without_digits(path) for path in references if without_digits(path) != path}
    for path in (split_name(system)[1] for system in systems):
        if without_digits(path) in known:
            print_warning(f"{path} is scored as a system, although it is named like a reference; repeat --reference for every reference")
