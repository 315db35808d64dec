"""Charts of scores for notebooks."""

from __future__ import annotations

import hashlib
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Literal, get_args

from errata.errors import RequestError, UsageError
from errata.formats.lines import check_path
from errata.html import Html, element
from errata.report.charts.drawings import make_improvement, make_intervals, make_lengths, make_metrics, make_precision_recall
from errata.report.charts.libraries import explain_missing_charts
from errata.scoring.scores import check_scores
from errata.stats.intervals import compute_intervals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.report.charts.drawings import Drawing
    from errata.scoring.scores import Score
    from errata.stats.bootstrap import Bootstrap

ChartKind = Literal["intervals", "precision-recall", "length", "metrics", "improvement"]
CHART_KINDS: tuple[str, ...] = get_args(ChartKind)
"""The charts of scores, as those of ``errata chart``."""


class ScoreChart:
    """A chart that a notebook shows, and that can be saved as SVG, PNG or PDF."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing

    @property
    def title(self) -> str:
        """What it shows."""
        return self._drawing.title

    @property
    def description(self) -> str:
        """What it shows, with all values, for people who do not see it."""
        return self._drawing.description

    def save(self, path: str) -> None:
        """Write the chart, as SVG, PNG or PDF by the extension of the path."""
        from errata.report.charts.scores import save_chart

        save_chart(self._drawing.draw(), check_path(path))

    @cached_property
    def svg(self) -> str:
        """The chart as an SVG element, whose text has the colour of the page around it."""
        from errata.report.charts.inline import render_svg

        # The parts of charts in one notebook need different ids.
        digest = hashlib.sha256(f"{self.title}\n{self.description}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return render_svg(self._drawing, f"chart-{digest}-", 1)

    def __repr__(self) -> str:
        return f"<ScoreChart {self.title!r}>"

    def _repr_html_(self) -> str:
        return element("figure", Html(self.svg), style="margin: 0; overflow-x: auto")


def draw_chart(scores: Iterable[Score], kind: ChartKind = "intervals", *, bootstrap: Bootstrap | None = None) -> ScoreChart:
    """Draw the scores of several systems, as ``errata chart`` does: intervals, precision-recall, length, metrics or improvement.

    ``metrics`` needs the scores of two metrics, first all of one; the others need those of one metric.
    ``bootstrap`` has the settings of the intervals.

    >>> import errata
    >>> evaluate = errata.Evaluator(errata.read("examples/learner.m2"))
    >>> draw_chart([evaluate(errata.read_system("examples/systems/eager.txt"))], "precision-recall")
    <ScoreChart 'Precision against recall by maxmatch'>
    """
    groups = [list(group) for _, group in groupby(check_scores(scores), key=lambda score: str(score.metric))]
    if not isinstance(kind, str) or kind not in CHART_KINDS:
        raise UsageError(f"unknown chart {kind!r:.40}; choose from {', '.join(CHART_KINDS)}")
    wanted = 2 if kind == "metrics" else 1
    if len(groups) != wanted:
        found = ", ".join(str(group[0].metric) for group in groups) or "no scores"
        raise UsageError(f"the chart {kind} needs scores of {'two metrics' if wanted > 1 else 'one metric'}, found {found}")
    if missing := explain_missing_charts():
        raise RequestError(missing)
    if kind == "metrics":
        names = [[score.system_name for score in group] for group in groups]
        if names[0] != names[1]:
            raise UsageError("the chart metrics needs the same systems, in the same order, with both metrics")
        return ScoreChart(make_metrics(groups[0], groups[1]))
    if kind == "intervals":
        return ScoreChart(make_intervals(groups[0], compute_intervals(groups[0], bootstrap)))
    if kind == "improvement" and not {"wacc", "baseline"} <= set(groups[0][0].shown):
        raise UsageError(f"the chart improvement draws imeasure, found {groups[0][0].metric}")
    makers = {"precision-recall": make_precision_recall, "length": make_lengths, "improvement": make_improvement}
    return ScoreChart(makers[kind](groups[0]))
