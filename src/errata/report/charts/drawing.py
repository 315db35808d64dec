"""Where charts are drawn: in another process, inside a page, and in notebooks."""

from __future__ import annotations

import hashlib
import json
import math
import os
import pickle
import subprocess
import sys
from functools import cached_property
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, get_args
from xml.etree import ElementTree as ET

from errata.display import Html, element, printable
from errata.errors import RequestError, UsageError, pluralise
from errata.formats.lines import check_path
from errata.metrics.registry import write_names
from errata.report.charts.coverage import ScoredSystem, interval_chart
from errata.report.charts.parts import FONT_FAMILY, Chart, Improvement, explain_missing_charts, improvement_chart
from errata.report.charts.scores import length_chart, metrics_chart, name_undefined, precision_recall_chart
from errata.scoring.scores import check_scores
from errata.stats.intervals import compute_intervals, score_by_length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from errata.metrics.base import Metric
    from errata.scoring.scores import Score
    from errata.stats.bootstrap import Bootstrap
    from errata.stats.intervals import Interval


# --- The charts of scores: each with its title and description, and drawn when it is needed.
#
# A drawing has only plain values, so that another process can draw it (:mod:`errata.report.charts.drawing`).


class Drawing(NamedTuple):
    """A chart that can be drawn."""

    title: str
    description: str
    """What it shows, for people who do not see it."""
    function: Callable[..., Chart]
    values: tuple[Any, ...]

    def draw(self) -> Chart:
        """Draw the chart."""
        return self.function(*self.values)


def list_drawings(scores: Sequence[Score], intervals: Sequence[Interval] = ()) -> list[Drawing]:
    """List all charts of scores of the same systems with one or more metrics: all scores of a metric, then those of the next.

    ``intervals`` are those of all scores, or none.  What cannot be drawn, such as precision of a metric without it, is left out.
    """
    groups = [list(group) for _, group in groupby(scores, key=lambda score: score.metric)]
    drawings = []
    first = 0
    for group in groups:
        own = intervals[first : first + len(group)]
        first += len(group)
        is_defined = any(math.isfinite(score.value) for score in group)
        drawings += [make_intervals(group, own)] if own and is_defined else []
        drawings += [make_improvement(group)] if is_defined and _has_improvement(group[0]) else []
        drawings += [make_precision_recall(group)] if is_defined and _has_precision(group[0]) else []
        drawings += [make_lengths(group)] if is_defined and len(group[0].evidence.corpus) else []
    for group in groups[1:]:
        pairs = zip(groups[0], group, strict=True)
        drawings += [make_metrics(groups[0], group)] if any(math.isfinite(one.value + other.value) for one, other in pairs) else []
    return drawings


def _has_improvement(score: Score) -> bool:
    """Whether a metric compares systems with their source, as I-measure does."""
    return score.metric.source_measure is not None and {"wacc", "baseline"} <= set(score.shown)


def _has_precision(score: Score) -> bool:
    """Whether a metric has precision, recall and F."""
    return score.metric.beta is not None and {"precision", "recall"} <= set(score.shown)


def make_improvement(scores: Sequence[Score]) -> Drawing:
    """Show systems on the scale of I-measure."""
    metric = scores[0].metric
    items = [Improvement(score.system_name, score.value, score.shown["wacc"], score.shown["baseline"]) for score in scores]
    description = f"Systems between −100 (nothing is right), 0 (the source) and 100 (a correct text). {_list_values(scores)}"
    return Drawing(f"Improvement by {metric}", description, improvement_chart, (items, describe_settings(metric)))


def make_intervals(scores: Sequence[Score], intervals: Sequence[Interval]) -> Drawing:
    """Show scores with their intervals; undefined ones are named in the axis title."""
    metric, level = scores[0].metric, f"{100 * intervals[0].bootstrap.level:g}%"
    systems = [
        ScoredSystem(score.system_name, score.value, own.low, own.high)
        for score, own in zip(scores, intervals, strict=True)
        if math.isfinite(score.value)
    ]
    if not systems:
        raise RequestError(f"{metric} of every system is undefined, so it cannot be drawn")
    lines = "; ".join(f"{printable(one.name)} {100 * one.value:.2f} ({100 * one.low:.2f} to {100 * one.high:.2f})" for one in systems)
    missing = name_undefined([score.system_name for score in scores if not math.isfinite(score.value)])
    label = f"{metric.label} times 100, with its {level} interval{missing and f' ({missing})'}"
    title = f"{_name_metric(metric)} with {level} intervals"
    return Drawing(title, f"Scores of systems with their intervals. {lines}.", interval_chart, (systems, label))


def make_precision_recall(scores: Sequence[Score]) -> Drawing:
    """Show precision against recall."""
    metric = scores[0].metric
    if not _has_precision(scores[0]):
        raise UsageError(f"precision and recall need a metric with F, such as maxmatch, found {metric}")
    shown = [(score.system_name, score.shown["precision"], score.shown["recall"]) for score in scores]
    lines = "; ".join(f"{printable(name)} precision {100 * one:.2f}, recall {100 * other:.2f}" for name, one, other in shown)
    title = f"Precision against recall by {metric}"
    return Drawing(title, f"A point for each system, with lines of equal F. {lines}.", precision_recall_chart, (shown, metric.beta))


def make_lengths(scores: Sequence[Score]) -> Drawing:
    """Show scores against sentence length."""
    metric = scores[0].metric
    groups = score_by_length(scores)
    if not groups:
        raise RequestError(f"{metric} by length needs one sentence or more, found none")
    description = f"A line for each system over {pluralise(len(groups), 'group')} of sentences, from short to long ones."
    for index, score in enumerate(scores):
        lines = ", ".join("undefined" if math.isnan(group.values[index]) else f"{100 * group.values[index]:.2f}" for group in groups)
        description += f" {printable(score.system_name)}: {lines}."
    names = [score.system_name for score in scores]
    return Drawing(f"{_name_metric(metric)} against sentence length", description, length_chart, (names, groups, metric.label))


def make_metrics(scores: Sequence[Score], others: Sequence[Score], intervals: Sequence[Interval] = ()) -> Drawing:
    """Show one metric against another; ``intervals`` are those of all scores, or none."""
    one, other = write_names([scores[0].metric, others[0].metric])
    values = [(mine.system_name, mine.value, its.value) for mine, its in zip(scores, others, strict=True)]
    lines = "; ".join(f"{printable(name)} {100 * x:.2f} and {100 * y:.2f}" for name, x, y in values)
    description = f"A point for each system. {lines}."
    ends = [(mine.low, mine.high, its.low, its.high) for mine, its in zip(intervals[: len(values)], intervals[len(values) :], strict=True)]
    level = f"{100 * intervals[0].bootstrap.level:g}%" if intervals else ""
    return Drawing(f"{other} against {one}", description, metrics_chart, (values, one, other, ends, level))


def describe_settings(metric: Metric) -> str:
    """Write a metric whose settings are not the defaults, for the title of an axis."""
    return f"— {metric}" if str(metric) != metric.name else ""


def _name_metric(metric: Metric) -> str:
    """Name a metric and its value."""
    if metric.label.lower() == metric.name:
        return metric.label if str(metric) == metric.name else str(metric)
    return f"{metric.label} by {metric}"


def _list_values(scores: Sequence[Score]) -> str:
    return "; ".join(f"{printable(score.system_name)} {100 * score.value:.2f}" for score in scores) + "."


# --- Charts drawn in another process, which starts while this one still scores.
#
# To import the libraries and to start their engine takes a second, and the engine holds the lock of the interpreter, so a thread would
# not help.  The engine also ends its process if it finds too little memory, so it is never started in this one.

_PROGRAM = "import sys; sys.path[:] = {path!r}; from errata.report.charts.drawing import _serve; _serve()"
_ENDED = "the process that draws charts ended, perhaps for want of memory"


class _DrawnChart(NamedTuple):
    """A chart as SVG, or why it could not be drawn."""

    drawing: Drawing
    svg: str
    reason: str


class DrawingProcess:
    """A process that prepares to draw charts, and draws them when it is asked, once or several times."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._asked: list[Drawing] = []
        if explain_missing_charts() or not sys.executable or getattr(sys, "frozen", False):
            return
        command = [sys.executable, "-P", "-c", _PROGRAM.format(path=sys.path)]
        try:
            self._child = subprocess.Popen(  # noqa: S603 - this interpreter
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError:
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if it still runs."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was not written yet is not needed
                    continue
        child.wait()

    def begin(self, drawings: Sequence[Drawing], prefix: str = "chart") -> None:
        """Begin to draw charts, as :func:`~errata.report.charts.drawing._render_svgs` does."""
        self._asked = list(drawings)
        if self._child is None or self._child.stdin is None:
            return
        try:
            pickle.dump((self._asked, prefix), self._child.stdin)
            self._child.stdin.flush()
        except OSError:  # it has ended
            self.close()

    def collect(self) -> list[_DrawnChart]:
        """Wait for the charts; each that cannot be drawn has a reason."""
        results = [("", _ENDED)] * len(self._asked)
        if self._child is not None and self._child.stdout is not None:
            try:
                results = pickle.load(self._child.stdout)  # noqa: S301 - from our own process
            except (EOFError, OSError, pickle.UnpicklingError):
                self.close()
            except BaseException:
                self.close()
                raise
        return [_DrawnChart(drawing, *result) for drawing, result in zip(self._asked, results, strict=True)]


def _serve() -> None:
    """Prepare, then read drawings from standard input and write charts to standard output, until the input ends."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints is taken for a drawing
    _prepare()
    while True:
        try:
            drawings, prefix = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own process
        except EOFError:
            return
        pickle.dump([_draw(drawing, prefix, number) for number, drawing in enumerate(drawings, start=1)], output)
        output.flush()


def _draw(drawing: Drawing, prefix: str, number: int) -> tuple[str, str]:
    try:
        return _render_svg(drawing, prefix, number), ""
    except (RequestError, UsageError, MemoryError) as error:
        return "", str(error) or "there is not enough memory"


def _prepare() -> None:
    """Import what charts need, and start the engine."""
    import vl_convert

    from errata.report.charts.parts import altair

    chart = altair().Chart(altair().Data(values=[{"x": 1}])).mark_point().encode(x="x:Q")
    vl_convert.vegalite_to_svg(chart.to_json())


# --- Charts as SVG inside a page.
#
# What only other readers of SVG need is left out: styles, roles of parts, invisible elements.
# Black and grey are the colour of the page's text, so charts can be read on a dark page too; a file written with
# :func:`~errata.report.charts.parts.save_chart` keeps its colours.

_NAMESPACE = "http://www.w3.org/2000/svg"
_ELEMENTS = {"g", "path", "rect", "line", "text", "tspan", "circle", "defs", "clipPath", "linearGradient", "stop"}
_ATTRIBUTES = {
    *("clip-path", "cx", "cy", "d", "dx", "dy", "fill", "fill-opacity", "font-size", "font-weight", "gradientUnits", "height"),
    *("id", "offset", "opacity", "r", "stop-color", "stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin"),
    *("stroke-miterlimit", "stroke-opacity", "stroke-width", "text-anchor", "transform", "width", "x", "x1", "x2", "y", "y1", "y2"),
}
"""Everything else is left out."""
_PAINTS = ("fill", "stroke", "stop-color")
_SHADES = {
    **dict.fromkeys(("black", "#000", "#000000", "#333333"), ""),
    **dict.fromkeys(("#666666", "#888"), "0.7"),
    "#999999": "0.45",
    **dict.fromkeys(("#ddd", "#dddddd", "#e5e5e5"), "0.15"),
}
"""The opacity of the text's colour that replaces a shade of grey; empty if it is opaque."""
_AREA = {"g", "clipPath", "defs", "linearGradient"}
"""Elements that show nothing without others inside."""


def _render_svgs(drawings: Sequence[Drawing], prefix: str = "chart") -> list[str]:
    """Draw charts as SVG elements for an HTML page: ``<svg class="chart" role="img">`` with title and description.

    They have no style, script or link; the page gives them ``max-width: 100%; height: auto``, and ``color`` for text and axes.
    ``prefix`` starts the ids of parts, which no other element of the page may have.
    """
    return [_render_svg(drawing, prefix, number) for number, drawing in enumerate(drawings, start=1)]


def _render_svg(drawing: Drawing, prefix: str, number: int) -> str:
    """Draw one of several charts."""
    import vl_convert
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):  # to check a chart against its schema takes longer than to draw it
        specification = json.dumps(drawing.draw().to_dict(validate=False))
    return _make_inline(vl_convert.vegalite_to_svg(specification), drawing.title, drawing.description, f"{prefix}{number}-")


def _make_inline(svg: str, title: str, description: str, prefix: str) -> str:
    """Make an element for an HTML page from an SVG file of the drawing library."""
    root = ET.fromstring(svg)  # noqa: S314 - our own drawing, without a document type
    width, height = (root.get(name, "0") for name in ("width", "height"))
    head = f'<svg xmlns="{_NAMESPACE}" class="chart" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    named = f"<title>{_escape(title)}</title><desc>{_escape(description)}</desc>"
    parts = [_write(child, prefix) for child in root if not _is_background(child)]
    return f'{head} font-family="{FONT_FAMILY}">{named}{"".join(parts)}</svg>'


def _is_background(element: ET.Element) -> bool:
    return _tag_name(element) == "rect" and element.get("fill") == "white"


def _tag_name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _escape(text: str) -> str:
    return escape(printable(text))


def _write(element: ET.Element, prefix: str) -> str:
    """Write an element, unless it shows nothing."""
    name = _tag_name(element)
    if name not in _ELEMENTS or element.get("display") == "none" or _is_invisible(element):
        return ""
    inside = escape(element.text or "", quote=False) if name in {"text", "tspan"} else ""
    inside += "".join(_write(child, prefix) for child in element)
    attributes = _list_attributes(element, prefix)
    if not inside and name in _AREA:
        return ""
    if name == "g" and not attributes:
        return inside
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def _is_invisible(element: ET.Element) -> bool:
    """Whether an element is the area of a group that is not painted."""
    is_area = element.get("class") in {"background", "foreground"}
    return is_area and not any(element.get(paint) for paint in _PAINTS)


def _list_attributes(element: ET.Element, prefix: str) -> dict[str, str]:
    """List the attributes that are kept, with colours and names for a page."""
    attributes: dict[str, str] = {}
    for key, value in element.items():
        if key not in _ATTRIBUTES or (key, value) in {("opacity", "1"), ("transform", "translate(0,0)")}:
            continue
        if key == "id":
            attributes[key] = f"{prefix}{value}"
        elif key == "clip-path" or value.startswith("url("):
            attributes[key] = value.replace("url(#", f"url(#{prefix}")
        elif key in _PAINTS and value in _SHADES:
            attributes[key] = "currentColor"
            if _SHADES[value]:
                attributes[f"{key.removesuffix('-color')}-opacity"] = _SHADES[value]
        else:
            attributes[key] = value
    return attributes


# --- Charts of scores for notebooks.

_ChartKind = Literal["intervals", "precision-recall", "length", "metrics", "improvement"]
_CHART_KINDS: tuple[str, ...] = get_args(_ChartKind)
"""The charts of scores, as those of ``errata chart``."""


class _ScoreChart:
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
        from errata.report.charts.parts import save_chart

        save_chart(self._drawing.draw(), check_path(path))

    @cached_property
    def svg(self) -> str:
        """The chart as an SVG element, whose text has the colour of the page around it."""
        # The parts of charts in one notebook need different ids.
        digest = hashlib.sha256(f"{self.title}\n{self.description}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return _render_svg(self._drawing, f"chart-{digest}-", 1)

    def __repr__(self) -> str:
        return f"<ScoreChart {self.title!r}>"

    def _repr_html_(self) -> str:
        return element("figure", Html(self.svg), style="margin: 0; overflow-x: auto")


def draw_chart(scores: Iterable[Score], kind: _ChartKind = "intervals", *, bootstrap: Bootstrap | None = None) -> _ScoreChart:
    """Draw the scores of several systems, as ``errata chart`` does: intervals, precision-recall, length, metrics or improvement.

    ``metrics`` needs the scores of two metrics, first all of one; the others need those of one metric.
    ``bootstrap`` has the settings of the intervals.

    >>> import errata
    >>> evaluate = errata.Evaluator(errata.read("examples/learner.m2"))
    >>> draw_chart([evaluate(errata.read_system("examples/systems/eager.txt"))], "precision-recall")
    <ScoreChart 'Precision against recall by maxmatch'>
    """
    groups = [list(group) for _, group in groupby(check_scores(scores), key=lambda score: str(score.metric))]
    if not isinstance(kind, str) or kind not in _CHART_KINDS:
        raise UsageError(f"unknown chart {kind!r:.40}; choose from {', '.join(_CHART_KINDS)}")
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
        return _ScoreChart(make_metrics(groups[0], groups[1]))
    if kind == "intervals":
        return _ScoreChart(make_intervals(groups[0], compute_intervals(groups[0], bootstrap)))
    if kind == "improvement" and not {"wacc", "baseline"} <= set(groups[0][0].shown):
        raise UsageError(f"the chart improvement draws imeasure, found {groups[0][0].metric}")
    makers = {"precision-recall": make_precision_recall, "length": make_lengths, "improvement": make_improvement}
    return _ScoreChart(makers[kind](groups[0]))
