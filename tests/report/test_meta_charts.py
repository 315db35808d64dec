"""Charts of metrics against people: what they show, whatever the values and names are."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from errata import Evaluator, RequestError, UsageError
from errata.report.charts.drawing import Drawing
from errata.report.charts.people import (
    _correlations_heatmap,
    _HeatGroup,
    _make_heatmap,
    _make_human,
    _make_windows,
    heatmap_chart,
    human_chart,
    window_chart,
)
from errata.studies.judgments import read_judgments
from errata.studies.meta import (
    ExternalScores,
    HumanScores,
    JudgedSentences,
    MetaEvaluation,
    MetaIntervals,
    MetaSettings,
    MetricScores,
    evaluate_metrics,
    score_by_people,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata import Corpus, System

pytest.importorskip("altair")
NAMES = ("a", "b", "c", "d", "e")
PEOPLE = (0.1, 0.3, 0.4, 0.7, 0.9)
EVIL = "</text><script>\x1b[31m'\"\\ ${datum} \u202e"


def _render_svgs(drawings: list[Drawing]) -> list[str]:
    return [drawing.render(f"chart{number}-") for number, drawing in enumerate(drawings, start=1)]


def values_of(chart: Any) -> Iterator[dict[str, Any]]:
    """All data of a chart."""
    if isinstance(chart, dict):
        for key, value in chart.items():
            yield from value["values"] if key == "data" and "values" in value else values_of(value)
    elif isinstance(chart, list):
        for item in chart:
            yield from values_of(item)


def evaluate(metrics: dict[str, tuple[float, ...]], names: tuple[str, ...] = NAMES, **settings: Any) -> MetaEvaluation:
    """Compare scores from elsewhere with those of people."""
    human = HumanScores("ratings", dict(zip(names, PEOPLE, strict=True)))
    scores = [
        MetricScores.from_elsewhere(ExternalScores(name, dict(zip(names, values, strict=True)), None, "scores.tsv"))
        for name, values in metrics.items()
    ]
    return evaluate_metrics(human, scores, None, MetaSettings(**settings))


@pytest.fixture(scope="module")
def learner(gold: Corpus, systems: dict[str, System]) -> MetaEvaluation:
    """The example judgments, with metrics of errata."""
    judged = JudgedSentences.of(read_judgments("examples/judgments/rankings.tsv"), gold.numbers, 0)
    metrics = [MetricScores.of([Evaluator(gold, name)(system) for system in systems.values()]) for name in ("maxmatch", "gleu")]
    settings = MetaSettings(MetaIntervals(replicates=100), windows=(3,))
    return evaluate_metrics(score_by_people(judged.items, judged.places), metrics, judged, settings)


def test_points_are_scores_of_both(learner: MetaEvaluation) -> None:
    chart = human_chart(learner, "maxmatch").to_dict()
    drawn = {value["label"]: (value["x"], value["y"]) for value in values_of(chart) if "align" in value}
    metric = learner.metrics[0]
    assert drawn == {name: (100 * metric.values[name], learner.human.values[name]) for name in learner.systems}
    bars = {(value["left"], value["right"], value["bottom"], value["top"]) for value in values_of(chart) if "left" in value}
    own, people = learner.score_intervals.metrics["maxmatch"], learner.score_intervals.human
    assert bars == {(*(100 * end for end in own[name]), *people[name]) for name in learner.systems}
    (x,), (y,) = (
        {tuple(layer["encoding"][axis]["scale"]["domain"]) for layer in chart["layer"] if "scale" in layer["encoding"].get(axis, {})}
        for axis in ("x", "y")
    )
    assert all(x[0] < left and right < x[1] and y[0] < bottom and top < y[1] for left, right, bottom, top in bars)
    (pearson,) = [row for row in learner.correlations if (row.metric, row.coefficient) == ("maxmatch", "pearson")]
    assert pearson.value is not None
    assert f"Pearson's r {pearson.value:.2f} [" in chart["title"]["text"][0].replace("\u2212", "-")
    assert chart["title"]["text"][1] == "3 systems; bars: 95% intervals"


def test_intervals_of_metrics_can_be_given(learner: MetaEvaluation) -> None:
    chart = human_chart(learner, "maxmatch", {"maxmatch": {"eager": (0.25, 0.75)}}).to_dict()
    bars = [value for value in values_of(chart) if "left" in value]
    assert [(bar["left"], bar["right"]) for bar in bars if bar["left"] < bar["right"]].count((25.0, 75.0)) == len(bars) // len(
        learner.systems
    )


def test_a_panel_for_each_metric() -> None:
    found = evaluate({f"m{index}": tuple(value * (index + 1) for value in PEOPLE) for index in range(5)})
    chart = human_chart(found).to_dict()
    assert [len(row["hconcat"]) for row in chart["vconcat"]] == [3, 2]
    assert [panel["title"]["text"][0] for row in chart["vconcat"] for panel in row["hconcat"]] == [f"m{index}" for index in range(5)]
    with pytest.raises(UsageError, match="there is no metric 'm9'; there are m0"):
        human_chart(found, "m9")


def test_scores_from_elsewhere_are_not_times_100() -> None:
    found = evaluate({"mine": (-3.0, 200.0, 1e6, 4.0, 5.0)})
    chart = human_chart(found).to_dict()
    assert [value["x"] for value in values_of(chart) if "align" in value and value["label"] == "c"] == [1e6] * 2
    written = json.dumps(chart)
    assert "times 100" not in written
    assert "bars:" not in written


@pytest.mark.parametrize("constant", [0.0, 0.5, -1e-9, 1e12])
def test_equal_scores_are_drawn_without_a_correlation(constant: float) -> None:
    found = evaluate({"same": (constant,) * 5, "other": PEOPLE}, windows=(3, 4))
    assert "no correlation: all systems have the same value" in json.dumps(human_chart(found, "same").to_dict())
    assert "undefined, so not drawn: same" in json.dumps(window_chart(found).to_dict())
    assert [value["label"] for value in values_of(heatmap_chart(found).to_dict()) if value["row"] == 1][:3] == ["–"] * 3
    assert all(svg.startswith("<svg") for svg in _render_svgs([_make_human(found), _make_windows(found), _make_heatmap(found)]))


def test_windows(learner: MetaEvaluation) -> None:
    found = evaluate({"good": PEOPLE, "mixed": (0.0, 0.0, 0.0, 0.5, 0.4)}, windows=(3, 5))
    chart = window_chart(found, "spearman").to_dict()
    assert len(chart["vconcat"][0]["hconcat"]) == 2
    for panel, size in zip(chart["vconcat"][0]["hconcat"], (3, 5), strict=True):
        points = [value for value in values_of(panel) if set(value) == {"metric", "first", "value"}]
        expected = [
            (["good", "mixed"].index(window.metric), window.first_rank, window.spearman) for window in found.windows if window.size == size
        ]
        assert sorted({(point["metric"], point["first"], point["value"]) for point in points}, key=repr) == sorted(expected, key=repr)
        assert [layer["encoding"]["y"]["scale"]["domain"] for layer in panel["layer"] if "scale" in layer["encoding"]["y"]] == [[-1, 1]] * 2
        assert panel["title"]["text"][0] == f"windows of {size} systems"
    assert "Spearman's rho with people" in json.dumps(chart)
    assert "interrupted where undefined" in json.dumps(chart)
    assert "Pearson's r with people" in json.dumps(window_chart(learner).to_dict())
    with pytest.raises(RequestError, match="there are no windows to draw"):
        window_chart(evaluate({"good": PEOPLE}))
    with pytest.raises(RequestError, match="Pearson's r with people is undefined in every window of 3 systems"):
        window_chart(evaluate({"same": (1.0,) * 5}, windows=(3,)))
    with pytest.raises(UsageError, match="coefficient must be one of pearson, spearman, kendall"):
        window_chart(found, "r")  # type: ignore[arg-type]


def test_the_heat_map_has_every_correlation(learner: MetaEvaluation) -> None:
    found = evaluate({"bad": tuple(-value for value in PEOPLE), "good": PEOPLE}, without=("e", "a"))
    chart = heatmap_chart(found).to_dict()
    assert [panel["title"]["text"] for panel in chart["hconcat"]] == [
        ["all (5 systems)"],
        ["without e (4 systems)"],
        ["without a (4 systems)"],
    ]
    assert '[\\"good\\", \\"bad\\"]' in json.dumps(chart)
    for panel in chart["hconcat"]:
        cells = {(value["row"], value["column"]): value["label"] for value in values_of(panel)}
        assert cells == {(row, column): ("1.00", "\u22121.00")[row] for row in range(2) for column in range(3)}
    cells = {(value["row"], value["column"]): value["value"] for value in values_of(heatmap_chart(learner).to_dict())}
    assert {value for (_, column), value in cells.items() if column == 3} == {row.tau for row in learner.agreements}
    with pytest.raises(RequestError, match="no correlations"):
        _correlations_heatmap([], [])


def test_long_names_of_sets_are_wrapped() -> None:
    chart = _correlations_heatmap(
        ["m"], [_HeatGroup("without " + ", ".join(["system"] * 90), ["r"], [[0.5]]), _HeatGroup("all", ["r"], [[0.1]])]
    )
    lines = [panel["title"]["text"] for panel in chart.to_dict()["hconcat"]]
    assert len(lines[0]) == 3
    assert lines[1] == ["", "", "all"]


def test_hostile_names_stay_text() -> None:
    names = (EVIL, "b", "c", "x" * 200, "")
    found = evaluate({EVIL: PEOPLE, "y" * 300: tuple(reversed(PEOPLE))}, names, windows=(3,), without=(names[1],))
    found = replace(found, human=replace(found.human, name=EVIL))
    drawings = [_make_human(found), _make_human(found, EVIL), _make_windows(found), _make_heatmap(found)]
    for drawing, svg in zip(drawings, _render_svgs(drawings), strict=True):
        written = json.dumps(drawing.draw().to_dict(), ensure_ascii=False)
        assert not {"\x1b", "\u202e"} & set(written), drawing.title
        assert "<script" not in svg
        assert not {"\x1b", "\u202e"} & set(svg)
        assert "y" * 40 not in written
