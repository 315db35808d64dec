"""``errata chart``: pictures of scores for papers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from errata.cli.inputs import add_system_arguments
from errata.cli.scores import score_systems
from errata.cli.vocabulary import PICTURE_ENDINGS, add_option, add_options
from errata.errors import RequestError, UsageError

if TYPE_CHECKING:
    import argparse

    from errata.cli.parser import Parser
    from errata.scoring import Score
    from errata.stats import Bootstrap, Interval

_EXAMPLES = """\
examples:
  errata chart precision-recall examples/learner.m2 examples/systems/*.txt \\
      -o precision-recall.svg
  errata chart length examples/learner.m2 examples/systems/*.txt -o length.svg
  errata chart metrics examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -m gleu -o metrics.svg
  errata chart improvement examples/learner.m2 examples/systems/*.txt \\
      -o improvement.svg
  errata chart wacc examples/learner.m2 examples/systems/*.txt -o weights.png
  errata chart intervals examples/learner.m2 examples/systems/*.txt \\
      -m maxmatch -o intervals.svg

precision-recall: precision against recall, with lines of equal F.
length: the score against sentence length: sentences in groups by the tokens of
the source, with about as many in each; the value is that of the whole group.
metrics: one metric against another, with a point for each system, and lines for
its intervals if --confidence asks for them.
improvement: I-measure of every system, from -100 (nothing is right) over 0 (as
good as the source) to 100 (a correct text).
wacc: weighted accuracy against the weight w; the source is a thin line for each
system, or a grey band if there are more than 6 systems.
intervals: the score of every system by any metric, with its interval (95%, or
another level by --confidence).
Scores are times 100, as in tables.
The extension of the file chooses SVG, PNG or PDF.
"""
_KINDS = ("improvement", "wacc", "intervals", "precision-recall", "length", "metrics")
_IMPROVEMENT, _WACC, _INTERVALS, _PRECISION, _LENGTH, _METRICS = _KINDS
_WEIGHTS = [Fraction(tenth, 10) for tenth in range(10, 101)]
"""From 1 to 10."""


def register(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "chart", help="draw scores of systems", description="Draw scores of systems as SVG, PNG or PDF.", epilog=_EXAMPLES
    )
    parser.add_argument("kind", choices=_KINDS, metavar="KIND", help=f"{', '.join(_KINDS[:-1])} or {_KINDS[-1]}")
    add_system_arguments(parser)
    note = "; imeasure for improvement and wacc, two for metrics (default imeasure; maxmatch for precision-recall and length)"
    add_option(parser, "--metric", note, action="append")
    add_options(parser, "--graphs", "--parser", "--analyser", "--parses", "--jobs")
    add_option(parser, "--confidence", "; for intervals, where they are always drawn, and metrics")
    add_option(parser, "--output", f": {PICTURE_ENDINGS}", required=True)
    parser.set_defaults(run=run, prints=lambda _: False)


def run(options: argparse.Namespace) -> int:
    """Score and draw."""
    from errata.metrics import registry
    from errata.metrics.imeasure import IMeasure
    from errata.report.charts.parts import check_chart_path, save_chart

    check_chart_path(options.output)
    if options.confidence is not None and options.kind not in {_INTERVALS, _METRICS}:
        raise UsageError(f"--confidence needs errata chart intervals or metrics, found {options.kind}")
    metrics = [registry.metric(name) for name in _names_of_metrics(options.kind, options.metric)]
    if options.kind in {_IMPROVEMENT, _WACC} and not isinstance(metrics[0], IMeasure):
        raise UsageError(f"errata chart {options.kind} draws imeasure, found {metrics[0].name}")
    _, scores = score_systems(options, metrics)
    save_chart(_draw(options.kind, scores, options.confidence), options.output)
    return 0


def _names_of_metrics(kind: str, given: list[str] | None) -> list[str]:
    """The metrics that are drawn; the default depends on the kind."""
    default = [] if kind == _METRICS else ["maxmatch" if kind in {_PRECISION, _LENGTH} else "imeasure"]
    names = given or default
    if kind != _METRICS and len(names) > 1:
        raise UsageError("-m is given twice, but only one is used here")
    if kind == _METRICS and len(names) != 2:  # noqa: PLR2004 - two axes
        raise UsageError(f"errata chart metrics needs two metrics, such as -m maxmatch -m imeasure, found {len(names)}")
    if len(set(names)) < len(names):
        raise UsageError(f"{names[0]} is given twice; a metric is drawn against another")
    return names


def _draw(kind: str, scores: list[Score], level: float | None) -> object:
    from errata.report.charts import drawing
    from errata.stats import Bootstrap

    if kind == _WACC:
        return _weights(scores)
    if kind == _INTERVALS:
        return _intervals(scores, Bootstrap() if level is None else Bootstrap(level))
    if kind == _METRICS:
        half = len(scores) // 2
        return drawing.make_metrics(scores[:half], scores[half:], _find_intervals(scores, level)).draw()
    makers = {_IMPROVEMENT: drawing.make_improvement, _PRECISION: drawing.make_precision_recall, _LENGTH: drawing.make_lengths}
    return makers[kind](scores).draw()


def _find_intervals(scores: list[Score], level: float | None) -> list[Interval]:
    """The intervals of all scores, if they are asked for."""
    from errata.cli.score import intervals_of
    from errata.stats import Bootstrap

    return intervals_of(scores, None if level is None else Bootstrap(level))


def _intervals(scores: list[Score], bootstrap: Bootstrap) -> object:
    from errata.cli.score import intervals_of
    from errata.report.charts.drawing import make_intervals

    if undefined := next((score for score in scores if score.value != score.value), None):
        raise RequestError(f"{undefined.metric} of {undefined.system_name} is undefined, so it cannot be drawn")
    return make_intervals(scores, intervals_of(scores, bootstrap)).draw()


def _weights(scores: list[Score]) -> object:
    from errata.metrics.imeasure import IMeasure
    from errata.report.charts.drawing import describe_settings
    from errata.report.charts.parts import WeightLine, weight_chart

    metric = scores[0].metric
    assert isinstance(metric, IMeasure)  # noqa: S101 - checked before
    lines = []
    for score in scores:
        points = [(float(w), metric.wacc_at(score.counts, w)) for w in _WEIGHTS]
        lines.append(WeightLine(score.system_name, points, score.shown["baseline"]))
    return weight_chart(lines, metric.w, describe_settings(metric))
