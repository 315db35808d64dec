"""Charts inside a page: well-formed, safe, accessible, and the same every time."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree as ET

import pytest

from errata.report.charts.drawing import Drawing, DrawingProcess, _make_inline
from errata.report.charts.parts import explain_missing_charts, save_chart
from errata.report.charts.scores import (
    _Improvement,
    _improvement_chart,
    _interval_chart,
    _length_chart,
    _metrics_chart,
    _precision_recall_chart,
    _ScoredSystem,
)
from errata.stats.intervals import LengthGroup

pytest.importorskip("vl_convert")
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "<script>alert(1)</script>",
    "</text></svg><img src=x onerror=alert(1)>",
    "\u202eevil\u202c",
    "a\"b'c&d;&lt;",
    "a\x00\x1b[31m\ufffe\ud800",
    "name-" * 50,
    "]]>",
    "${datum.x}",
    "名前" * 20,
    "عربي",
)


def make_drawings(names: tuple[str, ...] | list[str]) -> list[Drawing]:
    shares = [(name, 0.3 + index / 100, 0.5 - index / 200) for index, name in enumerate(names)]
    groups = [LengthGroup(5 * index, 5 * index + 4, 20, tuple(value for _, value, _ in shares)) for index in range(3)]
    scored = [_ScoredSystem(name, value, value - 0.05, value + 0.05) for name, value, _ in shares]
    return [
        Drawing(f"intervals {names[0]}", f"of {names[0]}", _interval_chart, (scored, "F0.5")),
        Drawing(f"precision {names[0]}", f"of {names[0]}", _precision_recall_chart, (shares, 0.5)),
        Drawing("lengths", "of systems", _length_chart, (list(names), groups, "F0.5")),
        Drawing("metrics", "of systems", _metrics_chart, (shares, "F0.5", "GLEU")),
        Drawing("I", "of systems", _improvement_chart, ([_Improvement(name, value, 0.9, 0.8) for name, value, _ in shares],)),
    ]


def _render_svgs(drawings: list[Drawing]) -> list[str]:
    return [drawing.render(f"chart{number}-") for number, drawing in enumerate(drawings, start=1)]


@pytest.fixture(scope="module")
def hostile() -> list[str]:
    return _render_svgs(make_drawings(HOSTILE))


def test_pictures_have_a_title_and_a_description_and_nothing_that_runs(hostile: list[str]) -> None:
    for svg in hostile:
        assert svg.startswith("<svg ")
        root = ET.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        assert (root.get("role"), root.get("class")) == ("img", "chart")
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
        assert all(child.text for child in root[:2])
        known = {"svg", "title", "desc", "g", "path", "line", "text", "tspan", "rect", "circle"}
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= known
        for element in root.iter():
            for key in element.attrib:
                assert not re.match(r"style$|on|href|aria|id$|.*role(?!$)", key), key
            assert element is root or "role" not in element.attrib
        assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e\ufffe\ud800]", svg)


def test_names_are_shown_as_they_are(hostile: list[str]) -> None:
    for svg in hostile:
        texts = {element.text for element in ET.fromstring(svg).iter(f"{SVG}text")}
        assert {"<script>alert(1)</script>", "\\u202eevil\\u202c", "a\"b'c&d;&lt;", "]]>", "${datum.x}", "عربي"} <= texts
        assert "a\\x00\\x1b[31m\\ufffe\\ud800" in texts
    assert "<title>intervals &lt;script&gt;" in hostile[0]


def test_black_and_grey_are_the_colour_of_the_text_of_the_page(hostile: list[str]) -> None:
    for svg in hostile:
        colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg))
        assert "currentColor" in colours
        assert not colours & {"white", "black", "#000", "#000000", "#333333", "#666666", "#888", "#999999", "#ddd", "#e5e5e5"}


def test_the_same_values_give_the_same_bytes(hostile: list[str]) -> None:
    assert _render_svgs(make_drawings(HOSTILE)) == hostile
    assert _render_svgs([]) == []


@pytest.mark.slow
def test_another_process_draws_the_same() -> None:
    drawings = make_drawings(["a", "b<"])
    with DrawingProcess() as process:
        assert process._child is not None
        for _ in range(2):
            process.begin(drawings)
            assert process.collect() == [(drawing, svg, "") for drawing, svg in zip(drawings, _render_svgs(drawings), strict=True)]
    with DrawingProcess() as process:
        child = process._child
    assert child is not None
    assert child.returncode is not None  # no process is left


@pytest.mark.slow
def test_a_chart_that_cannot_be_drawn_does_not_stop_the_others() -> None:
    drawings = [Drawing("x", "y", _precision_recall_chart, ([("a", float("nan"), 0.5)], 1.0)), *make_drawings(["a"])[:1]]
    with DrawingProcess() as process:
        process.begin(drawings)
        undrawn, drawn = process.collect()
    assert "undefined" in undrawn.reason
    assert undrawn.svg == ""
    assert drawn.svg == _render_svgs(drawings[1:] * 2)[1]


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_process_that_ends_early_draws_nothing(when: str) -> None:
    with DrawingProcess() as process:
        child = process._child
        assert child is not None
        if when == "after":
            process.begin(make_drawings(["a"])[:1])
        child.kill()
        child.wait()
        if when == "before":
            process.begin(make_drawings(["a"])[:1])
        assert [drawn.reason for drawn in process.collect()] == ["the process that draws charts ended, perhaps for want of memory"]


def test_without_the_libraries_the_word_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    assert explain_missing_charts() == ""
    monkeypatch.setitem(sys.modules, "altair", None)
    assert explain_missing_charts() == "charts need altair, which is not installed: pip install 'errata[charts]'"
    assert DrawingProcess()._child is None
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert "charts need vl_convert" in explain_missing_charts()


def test_ids_differ_between_charts_and_what_is_unknown_is_left_out() -> None:
    svg = (
        f'<svg xmlns="{SVG[1:-1]}" width="10" height="5"><rect width="10" height="5" fill="white"/><defs><clipPath id="clip0">'
        '<rect width="3" height="4"/></clipPath></defs><g clip-path="url(#clip0)" style="x" onclick="y" role="graphics-object">'
        '<script>z</script><path d="M0,0" stroke="#888" opacity="1"/></g><path class="background" d="M0,0h1"/><image href="u"/></svg>'
    )
    found = _make_inline(svg, "a", "b", "chart2-")
    assert found.partition("</desc>")[2] == (
        '<defs><clipPath id="chart2-clip0"><rect width="3" height="4"/></clipPath></defs><g clip-path="url(#chart2-clip0)">'
        '<path d="M0,0" stroke="currentColor" stroke-opacity="0.7"/></g></svg>'
    )


@pytest.mark.parametrize("count", [1, 2, 40])
def test_any_number_of_systems(count: int) -> None:
    for svg in _render_svgs(make_drawings([f"system {index}" for index in range(count)])):
        texts = [element.text for element in ET.fromstring(svg).iter(f"{SVG}text")]
        assert all(texts.count(f"system {index}") == 1 for index in range(count))
        assert "NaN" not in svg


def test_a_file_keeps_its_colours(tmp_path: object) -> None:
    path = f"{tmp_path}/x.svg"
    save_chart(make_drawings(["a", "b"])[1].draw(), path)
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        written = file.read()
    assert 'fill="white"' in written
    assert "currentColor" not in written
