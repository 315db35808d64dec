"""``errata chart``: pictures of scores for papers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from errata.cli.inputs import add_system_arguments
from errata.cli.scores import score_systems
from errata.cli.vocabulary import PICTURE_ENDINGS, add_one_metric, add_option, add_options
from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.metrics.imeasure.metric import IMeasure
    from errata.scoring import Score

_EXAMPLES = """\
examples:
  errata chart improvement examples/learner.m2 examples/systems/*.txt \\
      -o improvement.svg
  errata chart wacc examples/learner.m2 examples/systems/*.txt -o weights.png
  errata chart intervals examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -o intervals.svg

improvement: I-measure of every system, from -100 (nothing is right) over 0 (as
good as the source) to 100 (a correct text).
wacc: weighted accuracy against the weight w; the source is a thin line for each
system, or a grey band if there are more than 6 systems.
intervals: the score of every system by any metric, with its 95% interval.
Scores are times 100, as in tables.
The extension of the file chooses SVG, PNG or PDF.
"""
_WEIGHTS = [Fraction(tenth, 10) for tenth in range(10, 101)]
"""From 1 to 10."""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "chart", help="draw scores of systems", description="Draw scores of systems as SVG, PNG or PDF.", epilog=_EXAMPLES
    )
    parser.add_argument("kind", choices=("improvement", "wacc", "intervals"), metavar="KIND", help="improvement, wacc or intervals")
    add_system_arguments(parser)
    add_one_metric(parser, "imeasure", "; imeasure, or any metric for intervals (default imeasure)")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses")
    add_option(parser, "--output", f": {PICTURE_ENDINGS}", required=True)
    parser.set_defaults(run=run, prints=lambda _: False)


def run(options: argparse.Namespace) -> int:
    """Score and draw."""
    from errata.metrics import registry
    from errata.metrics.imeasure.metric import IMeasure
    from errata.report.charts.scores import check_chart_path, save_chart

    check_chart_path(options.output)
    metric = registry.metric(options.metric)
    if options.kind == "intervals":
        _, scores = score_systems(options, [metric])
        save_chart(_intervals(scores), options.output)
        return 0
    if not isinstance(metric, IMeasure):
        raise UsageError(f"errata chart {options.kind} draws imeasure, found {metric.name}")
    _, scores = score_systems(options, [metric])
    settings = f"— {metric}" if str(metric) != metric.name else ""
    chart = _improvement(scores, settings) if options.kind == "improvement" else _weights(metric, scores, settings)
    save_chart(chart, options.output)
    return 0


def _improvement(scores: list[Score], settings: str) -> object:
    from errata.report.charts.scores import Improvement, improvement_chart

    items = [Improvement(score.system_name, score.value, score.shown["wacc"], score.shown["baseline"]) for score in scores]
    return improvement_chart(items, settings)


def _intervals(scores: list[Score]) -> object:
    from errata.cli.score import intervals_of
    from errata.report.charts.coverage import ScoredSystem, interval_chart
    from errata.stats import Bootstrap

    if undefined := next((score for score in scores if score.value != score.value), None):
        raise RequestError(f"{undefined.metric} of {undefined.system_name} is undefined, so it cannot be drawn")
    intervals = intervals_of(scores, Bootstrap())
    systems = [ScoredSystem(score.system_name, score.value, own.low, own.high) for score, own in zip(scores, intervals, strict=True)]
    return interval_chart(systems, f"{scores[0].metric.label} times 100, with its 95% interval")


def _weights(metric: IMeasure, scores: list[Score], settings: str) -> object:
    from errata.report.charts.scores import WeightLine, weight_chart

    lines = []
    for score in scores:
        points = [(float(w), metric.wacc_at(score.counts, w)) for w in _WEIGHTS]
        lines.append(WeightLine(score.system_name, points, score.shown["baseline"]))
    return weight_chart(lines, metric.w, settings)
