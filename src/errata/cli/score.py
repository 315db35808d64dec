"""``errata score``: a leaderboard of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.inputs import add_system_arguments, subset_record
from errata.cli.letters import check_letters, letters_of
from errata.cli.printing import TABLE, columns_of, print_json, print_tables
from errata.cli.relative_scores import find_perfect_scores
from errata.cli.scores import metrics_from, score_systems
from errata.cli.statistics_arguments import add_bootstrap_arguments, intervals_wanted
from errata.cli.type_arguments import type_system_name
from errata.cli.vocabulary import add_format, add_option, add_options
from errata.errors import UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.cli.parser import Parser
    from errata.corpus.corpus import Corpus
    from errata.report import Table
    from errata.scoring import Score
    from errata.stats import Bootstrap, Interval
    from errata.stats.comparison import Letters
    from errata.studies.coverage.perfect import PerfectScore

_EXAMPLES = """\
examples:
  errata score examples/learner.m2 examples/systems/*.txt
  errata score examples/learner.m2 examples/systems/*.txt -m imeasure
  errata score examples/learner.m2 examples/systems/*.txt -m imeasure \\
      --parts detection
  errata score examples/learner.m2 examples/systems/*.txt \\
      -m gleu -m 'gleu(variant=expectation)'
  errata score examples/learner.m2 best=examples/systems/eager.txt \\
      -m 'maxmatch(beta=1,choice=optimal)'
  errata score examples/learner.m2 examples/systems/*.txt --confidence
  errata score examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -m 'maxmatch(missing=noop)' --digits 3
  errata score examples/learner.m2 examples/systems/eager.txt --by-type
  errata score examples/learner.m2 examples/systems/eager.txt --by-type \\
      --types errant
  errata score examples/learner.m2 examples/systems/*.txt \\
      --relative-to examples/corrections.tsv
  errata score examples/errant/gold.m2 examples/errant/eager.m2 -m errant
  errata score examples/errant/gold.m2 examples/errant/eager.m2 \\
      -m 'errant(level=ds)' --by-type --type-detail category
  errata score examples/learner.m2 examples/systems/*.txt -o table.tex \\
      --columns system,precision,recall,value --letters
  errata score examples/errant/gold.m2 examples/errant/*er.m2 -m errant \\
      --by-type --pivot
  errata score examples/learner.m2 examples/systems/cautious.txt \\
      --per-sentence --format csv
  errata score examples/graphs/learner.m2 examples/graphs/bold.txt \\
      -m maxmatch -m uccasim --graphs examples/graphs

Every reference text has its own -r:
  errata score dev.src -r dev.ref0 -r dev.ref1 SYSTEM...

A metric is written NAME or NAME(SETTING=VALUE,...).
These are the metrics with the defaults of their settings; errata metrics NAME
explains them.
"""

_WIDTH = 78
"""Of what is said about metrics."""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "score", help="score systems against gold", description="Score systems against gold and print a leaderboard."
    )
    parser.make_epilog = _epilog
    add_system_arguments(parser, or_evidence=True)
    add_option(parser, "--metric", ", such as 'maxmatch(beta=1)'; several are shown side by side (default maxmatch)", action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_option(parser, "--types", type=type_system_name)
    add_options(parser, "--by-type", "--pivot", "--type-detail", "--tagger", "--pos-tags", "--type-order", "--confidence")
    add_bootstrap_arguments(parser)
    add_options(parser, "--relative-to", "--simulations", "--scored-outputs", "--exclude-self", "--tokenise-corrections")
    add_option(parser, "--per-sentence", ": its counts and the annotator chosen for it")
    add_option(parser, "--letters", " (needs two systems or more)")
    add_option(parser, "--test", " (default randomisation)", default="randomisation")
    add_option(parser, "--correction", default="holm")
    add_option(parser, "--per-document", ", and the whole corpus")
    add_options(parser, "--alpha", "--parts", "--columns", "--bold", "--digits")
    add_format(parser, TABLE)
    parser.set_defaults(run=run)


def _epilog() -> str:
    """Examples, and every metric with the defaults of its settings."""
    from textwrap import fill

    from errata.metrics import METRICS
    from errata.settings import list_settings, write_value

    lines = []
    for name, metric in METRICS.load_all()[0].items():
        lines.append(fill(f"{name}: {metric.summary}", _WIDTH, initial_indent="  ", subsequent_indent="    "))
        settings = "  ".join(f"{key}={write_value(setting.default)}" for key, setting in list_settings(metric).items())
        lines += [fill(settings, _WIDTH, initial_indent="    ", subsequent_indent="    ")] if settings else []
    return "\n".join([_EXAMPLES.rstrip(), *lines, ""])


def run(options: argparse.Namespace) -> int:
    """Score every system with every metric."""
    from errata.report.tables.scores import flat_scores_table, flatten_parts, per_document_table, per_sentence_table, side_by_side

    if options.seed is not None and options.confidence is None and options.relative_to is None and not options.letters:
        raise UsageError(
            "--seed needs --confidence, which adds intervals, or --relative-to, which simulates test sets, or --letters, which tests pairs"
        )
    if options.bold == "always" and options.format not in {"latex", "markdown"}:
        raise UsageError(f"--bold always needs --format latex or markdown, found {options.format}")
    check_letters(options)
    metrics = metrics_from(options)
    if options.by_type:
        from errata.cli.score_by_type import print_by_type

        return print_by_type(options, metrics)
    bootstrap = intervals_wanted(options)
    corpus, scores = score_systems(options, metrics)
    intervals = intervals_of(scores, bootstrap)
    letters = letters_of(options, scores, len(metrics))
    perfect = find_perfect_scores(options, corpus, scores)
    parts = [name.strip() for name in options.parts.split(",")] if options.parts is not None else None
    if options.format == "json":
        views = {"per_sentence": options.per_sentence, "per_document": options.per_document}
        _print_json(corpus, scores, intervals, perfect, letters, **views)
        return 0
    if options.per_sentence:
        tables = [per_sentence_table(scores, options.digits, parts)]
    elif options.per_document:
        tables = [per_document_table(scores, options.digits, parts)]
    elif options.format == "csv":
        tables = [flat_scores_table(scores, intervals, perfect, parts, letters)]
    elif len(metrics) > 1 and parts is None:
        tables = [side_by_side(metrics, scores, options.digits, intervals, perfect, letters)]
    else:
        tables = _leaderboards(scores, len(metrics), options.digits, intervals, perfect, parts, letters)
    possible = [name for score in scores[:: len(scores) // len(metrics)] for name, _ in flatten_parts(score.parts)]
    print_tables(columns_of(options, tables, possible), options.format, bold=options.bold)
    return 0


def _leaderboards(
    scores: list[Score],
    metrics: int,
    digits: int,
    intervals: Sequence[Interval],
    perfect: Sequence[PerfectScore],
    parts: Sequence[str] | None,
    letters: Letters | None,
) -> list[Table]:
    """A table for each metric, with the parts that it has."""
    from errata.report.tables.scores import ALL_PARTS, PartColumns, find_parts, leaderboard

    PartColumns(scores, parts)  # raises if no metric has one of them
    size = len(scores) // metrics
    tables = []
    for first in range(0, len(scores), size):
        own = scores[first : first + size]
        known = PartColumns(own, [ALL_PARTS]).names
        having = None if parts is None else [name for name in parts if find_parts(name, known)]
        lettered = letters._replace(letters=letters.letters[first : first + size]) if letters is not None else None
        tables.append(leaderboard(own, digits, intervals[first : first + size], perfect[first : first + size], having, lettered))
    return tables


def intervals_of(scores: list[Score], bootstrap: Bootstrap | None) -> list[Interval]:
    """The intervals of all scores, in their order; none if none are wanted."""
    if bootstrap is None:
        return []
    from errata.report.progress import ProgressBar
    from errata.stats import compute_intervals

    with ProgressBar("resampling", bootstrap.replicates * len(scores)) as bar:
        return list(compute_intervals([score.evidence for score in scores], bootstrap, progress=bar.advance))


def _print_json(
    corpus: Corpus,
    scores: list[Score],
    intervals: Sequence[Interval],
    perfect: Sequence[PerfectScore],
    letters: Letters | None,
    *,
    per_sentence: bool,
    per_document: bool,
) -> None:
    from dataclasses import asdict

    entries = []
    for index, score in enumerate(scores):
        entry: dict[str, Any] = {
            "system": score.system_name,
            "metric": str(score.metric),
            "value": score.value,
            "parts": score.parts,
            "signature": score.signature,
        }
        if intervals:
            entry["interval"] = {"low": intervals[index].low, "high": intervals[index].high, **asdict(intervals[index].bootstrap)}
        if letters is not None:
            entry |= {"letters": letters.letters[index], "letters_by": letters.how}
        if perfect:
            own = perfect[index]
            entry["relative"] = {
                "value": own.relate(score.value),
                "perfect": own.value,
                **own.shape._asdict(),
                "simulations": own.simulations,
                "signature": own.signature,
            }
        if per_document:
            from errata.scoring import score_documents

            entry["per_document"] = [
                {"document": item.document, "sentences": item.sentences, "value": item.value, "parts": item.parts}
                for item in score_documents(score)
            ]
        if per_sentence:
            entry["per_sentence"] = [
                {"sentence": item.sentence, "annotator": item.reference, "value": item.value, "parts": item.parts}
                for item in score.sentences
            ]
        entries.append(entry)
    print_json({"errata": __version__, "gold": corpus.name, "sentences": len(corpus), **subset_record(corpus), "scores": entries})
