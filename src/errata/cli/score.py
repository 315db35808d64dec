"""``errata score``: a leaderboard of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errata.cli.arguments import Parser, add_output_format, print_json, print_tables, whole_number
from errata.cli.bootstrap_arguments import add_bootstrap_arguments, intervals_wanted
from errata.cli.graph_arguments import add_graph_arguments
from errata.cli.scores import add_system_arguments, scored
from errata.errors import UsageError
from errata.version import __version__

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from errata.corpus import Corpus
    from errata.scoring import Score
    from errata.stats import Bootstrap, Interval

_EXAMPLES = """\
examples:
  errata score examples/learner.m2 examples/systems/*.txt
  errata score examples/learner.m2 examples/systems/eager.txt -m 'maxmatch(beta=1,choice=optimal)'
  errata score examples/learner.m2 examples/systems/*.txt -m maxmatch -m 'maxmatch(missing=noop)' --digits 3
  errata score examples/learner.m2 examples/systems/*.txt -m imeasure
  errata score examples/learner.m2 examples/systems/*.txt --format latex
  errata score examples/learner.m2 examples/systems/cautious.txt --per-sentence --format csv
  errata score examples/learner.m2 examples/systems/*.txt --confidence
  errata score examples/learner.m2 examples/systems/eager.txt --by-type
  errata score examples/graphs/learner.m2 examples/graphs/bold.txt -m maxmatch -m uccasim --graphs examples/graphs/*.mrp

With parallel text, every reference has its own -r: errata score dev.src -r dev.ref0 -r dev.ref1 SYSTEM...

--by-type needs types: gold edits have them, wrong edits get one from parts of speech (--tagger, --tags).

A metric is written name or name(setting=value,...).  These are the settings with their defaults; errata metrics NAME
explains them.
"""

_WIDTH = 100
"""Of what is said about metrics."""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "score", help="score systems against gold", description="Score systems against gold and print a leaderboard."
    )
    parser.make_epilog = _epilog
    add_system_arguments(parser)
    parser.add_argument(
        "-m", "--metric", action="append", metavar="METRIC", help="metric to compute; several are shown side by side (default maxmatch)"
    )
    add_output_format(parser)
    parser.add_argument("--digits", type=whole_number(0, 15), default=2, metavar="N", help="digits after the point in tables (default 2)")
    parser.add_argument("--per-sentence", action="store_true", help="print the counts of every sentence and the annotator chosen for it")
    parser.add_argument(
        "--confidence",
        nargs="?",
        type=float,
        const=0.95,
        metavar="LEVEL",
        help="add confidence intervals, of 95%% or of another level such as 0.99",
    )
    add_bootstrap_arguments(parser)
    parser.add_argument("--by-type", action="store_true", help="print scores for each error type")
    parser.add_argument(
        "--tagger",
        default="textblob",
        metavar="NAME",
        help="parts of speech that give wrong edits a type: textblob (default), spacy, spacy:MODEL, that of a plug-in, or none",
    )
    parser.add_argument(
        "--tags", nargs="+", metavar="FILE", help="parts of speech from files instead: .conll, or token, tab and tag in a line"
    )
    parser.add_argument(
        "--type-order", metavar="TYPES", help="order in which the types of wrong edits are tried (default ArtOrDet,Prep,Nn,Vform/SVA)"
    )
    add_graph_arguments(parser)
    parser.set_defaults(run=run, parser=parser)


def _epilog() -> str:
    """Examples, and every metric with the defaults of its settings."""
    from textwrap import fill

    from errata.metrics import METRICS
    from errata.settings import settings_of, write_value

    lines = []
    for name, metric in METRICS.load_all()[0].items():
        lines.append(fill(f"{name}: {metric.summary}", _WIDTH, initial_indent="  ", subsequent_indent="    "))
        settings = "  ".join(f"{key}={write_value(setting.default)}" for key, setting in settings_of(metric).items())
        lines += [fill(settings, _WIDTH, initial_indent="    ", subsequent_indent="    ")] if settings else []
    return "\n".join([_EXAMPLES.rstrip(), *lines, ""])


def run(options: argparse.Namespace) -> int:
    """Score every system with every metric."""
    from errata.metrics import parse
    from errata.report.tables.scores import flat_table, leaderboard, per_sentence_table, side_by_side

    metrics = [parse(text) for text in options.metric or ["maxmatch"]]
    if options.by_type:
        from errata.cli.score_by_type import print_by_type

        return print_by_type(options, metrics)
    bootstrap = intervals_wanted(options)
    if bootstrap is not None and options.per_sentence and options.output != "json":
        raise UsageError("--confidence gives intervals of whole corpora; with --per-sentence only JSON has both")
    corpus, scores = scored(options, metrics)
    sure = intervals_of(scores, bootstrap)
    if options.output == "json":
        _print_json(corpus, scores, sure, per_sentence=options.per_sentence)
    elif options.per_sentence:
        print_tables([per_sentence_table(scores, options.digits)], options.output)
    elif options.output == "csv":
        print_tables([flat_table(scores, sure)], options.output)
    elif len(metrics) > 1:
        print_tables([side_by_side(metrics, scores, options.digits, sure)], options.output)
    else:
        print_tables([leaderboard(scores, options.digits, sure)], options.output)
    return 0


def intervals_of(scores: list[Score], bootstrap: Bootstrap | None) -> list[Interval]:
    """The intervals of all scores, in their order; none if none are wanted."""
    if bootstrap is None:
        return []
    from errata.report.progress import ProgressBar
    from errata.stats import intervals

    with ProgressBar("resampling", bootstrap.replicates * len(scores)) as bar:
        return intervals([score.evidence for score in scores], bootstrap, progress=bar.advance)


def _print_json(corpus: Corpus, scores: list[Score], sure: Sequence[Interval], *, per_sentence: bool) -> None:
    from dataclasses import asdict

    entries = []
    for place, score in enumerate(scores):
        entry: dict[str, Any] = {
            "system": score.system,
            "metric": str(score.metric),
            "value": score.value,
            "parts": score.parts,
            "signature": score.signature,
        }
        if sure:
            entry["interval"] = {"low": sure[place].low, "high": sure[place].high, **asdict(sure[place].bootstrap)}
        if per_sentence:
            entry["per_sentence"] = [
                {"sentence": item.sentence, "annotator": item.reference, "value": item.value, "parts": item.parts}
                for item in score.sentences()
            ]
        entries.append(entry)
    print_json({"errata": __version__, "gold": corpus.name, "sentences": len(corpus), "scores": entries})
