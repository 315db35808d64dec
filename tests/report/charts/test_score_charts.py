"""Charts of scores: what they show, whatever the values and names are."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from errata import Corpus, RequestError, System, UsageError, score
from errata.report.charts import scores as drawings
from errata.report.charts.scores import _length_chart, _metrics_chart, _precision_recall_chart
from errata.stats import compute_intervals
from errata.stats.intervals import LengthGroup

if TYPE_CHECKING:
    from collections.abc import Iterator

NAN = math.nan
pytest.importorskip("altair")


def values_of(chart: Any) -> Iterator[dict[str, Any]]:
    """All data of a chart."""
    if isinstance(chart, dict):
        for key, value in chart.items():
            yield from value["values"] if key == "data" and "values" in value else values_of(value)
    elif isinstance(chart, list):
        for item in chart:
            yield from values_of(item)


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 1000.0])
def test_lines_are_of_equal_f(beta: float) -> None:
    chart = _precision_recall_chart([("one", 0.4, 0.3), ("two", 0.5, 0.2)], beta).to_dict()
    points = [value for value in values_of(chart) if "f" in value]
    assert len({value["f"] for value in points}) >= 4
    for point in points:
        p, r = point["precision"], point["recall"]
        assert (1 + beta**2) * p * r / (beta**2 * p + r) == pytest.approx(point["f"])
    labelled = {value["label"]: (value["x"], value["y"]) for value in values_of(chart) if "label" in value}
    assert labelled == {"one": (30, 40), "two": (20, 50)}
    assert f"equal F{beta:g}" in json.dumps(chart)


def test_what_is_undefined_is_named_and_not_drawn() -> None:
    names = [f"bad{index}" for index in range(5)]
    chart = json.dumps(_precision_recall_chart([("good", 0.5, 0.5), *((name, NAN, 0.1) for name in names)], 1).to_dict())
    assert "undefined, so not drawn: bad0, bad1, bad2 and 2 more" in chart
    assert "NaN" not in chart
    with pytest.raises(RequestError, match="precision and recall of every system are undefined"):
        _precision_recall_chart([("bad", NAN, NAN)], 1)
    with pytest.raises(RequestError, match="undefined"):
        _metrics_chart([("bad", NAN, 1.0)], "F", "GLEU")
    with pytest.raises(RequestError, match="F of every system is undefined"):
        _length_chart(["bad"], [LengthGroup(1, 2, 3, (NAN,))], "F")


def test_intervals_name_systems_without_a_value(gold: Corpus, systems: dict[str, System]) -> None:
    scores = [score(gold, system) for system in systems.values()]
    intervals = compute_intervals(scores)
    scores[1] = replace(scores[1], value=NAN)
    drawing = drawings._make_intervals(scores, intervals)
    assert [item.name for item in drawing.values[0]] == [scores[0].system_name, scores[2].system_name]
    assert drawing.values[1] == f"F0.5 times 100, with its 95% interval (undefined, so not drawn: {scores[1].system_name})"
    with pytest.raises(RequestError, match="maxmatch of every system is undefined"):
        drawings._make_intervals(scores[1:2], intervals[1:2])


def test_a_line_is_interrupted_where_its_value_is_undefined() -> None:
    groups = [LengthGroup(1, 2, 10, (0.5, NAN, NAN)), LengthGroup(3, 9, 10, (NAN, 0.2, NAN)), LengthGroup(10, 10, 1234, (0.5, 0.1, NAN))]
    chart = _length_chart(["a", "b", "c"], groups, "F0.5").to_dict()
    lines = [(value["system"], value["value"]) for value in values_of(chart) if set(value) == {"system", "group", "value"}]
    assert lines[:6] == [(0, 50), (0, None), (0, 50), (1, None), (1, 20), (1, 10)]
    written = json.dumps(chart, ensure_ascii=False)
    assert "undefined, so not drawn: c" in written
    assert "interrupted where undefined" in written
    assert all(text in written for text in ("1–2", "3–9", '[\\"10\\", \\"(1,234)\\"]'))


@pytest.mark.parametrize(("count", "said"), [(1, "needs 3 systems or more"), (3, "Spearman's rho \u22121.00, Pearson's r \u22121.00")])
def test_the_heading_has_the_correlation(count: int, said: str) -> None:
    chart = _metrics_chart([(f"s{index}", index / 10, 0.5 - index / 10) for index in range(count)], "F0.5", "GLEU").to_dict()
    assert said in json.dumps(chart, ensure_ascii=False)


def test_intervals_of_both_metrics() -> None:
    """The axes show the ends of all intervals; one that is undefined is not drawn."""
    systems = [("a", 0.5, 0.1), ("b", 0.6, 0.2), ("c", 0.7, 0.3)]
    intervals = [(0.4, 0.6, 0.05, 0.15), (0.5, 0.7, 0.1, 0.9), (NAN, NAN, 0.2, 0.4)]
    chart = _metrics_chart(systems, "M² F0.5", "GLEU", intervals, "99%").to_dict()
    bars = [layer for layer in chart["layer"] if "left" in json.dumps(layer["encoding"]) or "bottom" in json.dumps(layer["encoding"])]
    assert len(bars) == 2
    assert len(chart["layer"][0]["data"]["values"]) == 2
    low, high = bars[1]["encoding"]["y"]["scale"]["domain"]
    assert low < 5
    assert high > 90
    assert chart["title"]["text"][1] == "bars: 99% intervals"
    assert "bars" not in json.dumps(_metrics_chart(systems, "F", "GLEU").to_dict())


def test_equal_systems_have_no_correlation() -> None:
    assert "no correlation: all systems have the same value" in json.dumps(_metrics_chart([("a", 0.5, 0.1)] * 3, "F", "I").to_dict())


def test_drawings_of_scores(gold: Corpus, systems: dict[str, System]) -> None:
    """All that fits the metrics, with the numbers in the description."""
    scores = [score(gold, system, metric) for metric in ("maxmatch", "imeasure", "gleu") for system in systems.values()]
    intervals = [interval for first in (0, 3, 6) for interval in compute_intervals(scores[first : first + 3])]
    found = drawings.list_drawings(scores, intervals)
    assert [drawing.title for drawing in found] == [
        "F0.5 by maxmatch with 95% intervals",
        "Precision against recall by maxmatch",
        "F0.5 by maxmatch against sentence length",
        "I by imeasure with 95% intervals",
        "Improvement by imeasure",
        "Precision against recall by imeasure",
        "I by imeasure against sentence length",
        "GLEU with 95% intervals",
        "GLEU against sentence length",
        "I-measure against M² F0.5",
        "GLEU against M² F0.5",
    ]
    assert "cautious precision 95.65, recall 20.37" in found[1].description
    assert re.search(r"cautious: (\d+\.\d\d, ){4}\d+\.\d\d\.", found[2].description)
    assert len(drawings.list_drawings(scores)) == 8  # without intervals
    with pytest.raises(UsageError, match="need a metric with F, such as maxmatch, found gleu"):
        drawings._make_precision_recall(scores[6:])
