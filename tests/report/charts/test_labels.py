"""Names of systems in charts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.report.charts.parts import _ALIGNMENTS, LINE, _estimate_pixels, _place_labels, shorten_names, spread
from errata.report.writers import width

SIZE = (460.0, 360.0)


def boxes(points: list[tuple[float, float]], labels: list[str]) -> list[tuple[float, float, float, float]]:
    found = []
    for label, place in zip(labels, _place_labels(points, labels, SIZE), strict=True):
        left = place.x - _estimate_pixels(label) * _ALIGNMENTS.index(place.align) / 2
        found.append((left, place.y - LINE / 2, left + _estimate_pixels(label), place.y + LINE / 2))
    return found


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 460), st.floats(0, 360)), min_size=1, max_size=40))
def test_labels_do_not_overlap(points: list[tuple[float, float]]) -> None:
    placed = boxes(points, [f"system-{index}" for index in range(len(points))])
    for index, one in enumerate(placed):
        for other in placed[:index]:
            assert one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
    assert all(left >= 0 and right <= 460 for left, _, right, _ in placed)


def test_labels_keep_clear_of_lines() -> None:
    """Crosses through three points, as intervals are drawn."""
    points, labels = [(100.0, 100.0), (110.0, 108.0), (300.0, 200.0)], ["AMU", "CUUI", "PKU"]
    drawn = [box for x, y in points for box in ((x - 40, y, x + 40, y), (x, y - 60, x, y + 60))]
    for label, place in zip(labels, _place_labels(points, labels, SIZE, drawn), strict=True):
        left = place.x - _estimate_pixels(label) * _ALIGNMENTS.index(place.align) / 2
        right, top, bottom = left + _estimate_pixels(label), place.y - LINE / 2, place.y + LINE / 2
        assert not any(left < box[2] and box[0] < right and top < box[3] and box[1] < bottom for box in drawn), label


def test_forty_systems_at_one_point() -> None:
    """Each has its label, in the plane."""
    points, labels = [(200.0, 150.0)] * 40, [f"m{index}" for index in range(40)]
    assert len(set(boxes(points, labels))) == 40
    assert {place.is_led for place in _place_labels(points, labels, SIZE)} == {False, True}


@given(st.lists(st.floats(-100, 100), max_size=40), st.floats(0.1, 10))
def test_values_are_moved_apart_in_their_order(values: list[float], step: float) -> None:
    places = spread(values, step)
    assert all(abs(one - other) >= step - 1e-6 for index, one in enumerate(places) for other in places[:index])
    order = sorted(range(len(values)), key=lambda index: values[index])
    assert order == sorted(range(len(values)), key=lambda index: places[index])
    assert sum(places) == pytest.approx(sum(values), abs=1e-6)


def test_names_are_shortened_but_stay_different() -> None:
    long = "a-model-with-a-name-that-nobody-reads-"
    names = [f"{long}1", f"{long}2", f"1{long}9", f"{long}x{long}9", f"{long}y{long}9", "\u202eevil\x1b", "名" * 40]
    short = shorten_names(names)
    assert len(set(short)) == len(names)
    assert all(width(name.partition(" (")[0]) <= 28 for name in short)
    assert short[3].endswith(" (4)")
    assert short[5] == "\\u202eevil\\x1b"
    assert shorten_names(["AMU", "CUUI"]) == ["AMU", "CUUI"]
