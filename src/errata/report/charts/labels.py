"""Names of systems in charts: shortened, and placed where they do not overlap."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from errata.html import printable
from errata.report.text import width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FONT_SIZE = 11
LINE = 13
"""Pixels from one label to the next below it."""
_NARROW, _WIDE = frozenset("fijlrtI.,:;|!'()[]{}-/ "), frozenset("mwMW@%…")
_LONGEST = 28
_POINT = 5
"""Pixels around the middle of a point that labels leave free."""
_GAP = 8
"""Pixels from the middle of a point to its label."""
_CORNER = 6
"""Pixels from the middle of a point to the corner of a label between lines through the point."""
_ANGLES = 24
_STEP = 5
"""Pixels between two positions of a line where it is tested what it crosses."""
_UPRIGHT = 1e-6
"""A line straight up or down would end under its label."""
_RING = 9
_FARTHEST = 40
"""Rings around a point in which a place for its label is searched."""


def shorten_names(names: Sequence[str]) -> list[str]:
    """Shorten long names in their middle, and number those that then look the same; other names are kept.

    >>> shorten_names(["a", "model-" + 4 * "very-" + "long-name-1"])
    ['a', 'model-very-ver…y-long-name-1']
    """
    short = [_shorten(printable(name)) for name in names]
    return [f"{name} ({index + 1})" if short.count(name) > 1 else name for index, name in enumerate(short)]


def _shorten(name: str) -> str:
    if width(name) <= _LONGEST:
        return name
    half = _LONGEST // 2
    while width(f"{name[:half]}…{name[len(name) - half + 1 :]}") > _LONGEST:
        half -= 1
    return f"{name[:half]}…{name[len(name) - half + 1 :]}"


def estimate_pixels(text: str) -> float:
    """Estimate how wide a label is; it is not measured, so that a chart is the same with all fonts."""
    return FONT_SIZE * sum(
        0.36 if letter in _NARROW else 0.92 if letter in _WIDE else 0.74 if letter.isupper() else 0.58 * width(letter) for letter in text
    )


def spread(values: Sequence[float], step: float) -> list[float]:
    """Move values apart until they differ by a step, as little as possible; those that would overlap stay around their mean.

    >>> spread([1.0, 5.0, 5.0], 2)
    [1.0, 4.0, 6.0]
    """
    order = sorted(range(len(values)), key=lambda index: values[index])
    groups: list[list[float]] = []  # values minus one step for each value below
    for below, index in enumerate(order):
        groups.append([values[index] - below * step])
        while len(groups) > 1 and _mean(groups[-2]) > _mean(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    places = [_mean(group) for group in groups for _ in group]
    result = [0.0] * len(values)
    for below, index in enumerate(order):
        result[index] = places[below] + below * step
    return result


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: _Box) -> bool:
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom

    def is_inside(self, frame: _Box) -> bool:
        return self.left >= frame.left and self.right <= frame.right and self.top >= frame.top and self.bottom <= frame.bottom


Align = Literal["left", "center", "right"]
ALIGNMENTS: tuple[Align, ...] = get_args(Align)


_SIDES: tuple[tuple[Align, int], ...] = (("left", 1), ("right", -1))


class Place(NamedTuple):
    """Where a label is, in pixels from the top left corner."""

    x: float
    y: float
    """Of half its height."""
    align: Align
    """Which end of the label is at x."""
    is_led: bool
    """Whether a line leads from the point to it."""


class _Candidate(NamedTuple):
    """A place with its box and the steps of the line that leads to it."""

    place: Place
    box: _Box
    line: list[_Box]


def place_labels(
    points: Sequence[tuple[float, float]],
    labels: Sequence[str],
    size: tuple[float, float],
    drawn: Sequence[tuple[float, float, float, float]] = (),
) -> list[Place]:
    """Find a place for the label of every point: next to the point, or at the end of a line to where there is space.

    ``drawn`` are the boxes of what else is drawn and must stay visible: left, top, right and bottom.
    """
    boxes = [_Box(x - _POINT, y - _POINT, x + _POINT, y + _POINT) for x, y in points]
    lines = [_Box(*box) for box in drawn]
    frame = _Box(0, -LINE / 2, size[0], size[1] + LINE / 2)
    found: dict[int, Place] = {}
    for index in sorted(range(len(points)), key=lambda index: (points[index], index)):
        x, y = points[index]
        others = [box for box in boxes if not (box.left < x < box.right and box.top < y < box.bottom)]
        wide = estimate_pixels(labels[index])
        places = chain(_list_corners(x, y, wide) if drawn else (), _list_places(x, y, wide))
        chosen = _choose_place(places, frame, [*boxes, *lines], others)
        boxes.append(chosen.box)
        lines += chosen.line
        found[index] = chosen.place
    return [found[index] for index in range(len(points))]


def _choose_place(candidates: Iterator[_Candidate], frame: _Box, taken: Sequence[_Box], others: Sequence[_Box]) -> _Candidate:
    """Choose the first place that is free, and whose line crosses no label, and no point at another place, if there is one."""
    first = free = None
    for item in candidates:
        first = first or item
        if not item.box.is_inside(frame) or any(item.box.overlaps(box) for box in taken):
            continue
        if not any(step.overlaps(box) for step in item.line for box in others):
            return item
        free = free or item
    chosen = free or first
    assert chosen is not None  # noqa: S101 - there are always places
    return chosen


def _list_corners(x: float, y: float, wide: float) -> Iterator[_Candidate]:
    """List places beside a point and beside lines that go straight through it."""
    for above in (-1, 1):
        for align, side in _SIDES:
            yield _make_candidate(x + side * _CORNER, y + above * (LINE / 2 + _CORNER), align, wide)


def _list_places(x: float, y: float, wide: float) -> Iterator[_Candidate]:
    """List places for a label, the best first."""
    yield _make_candidate(x + _GAP, y, "left", wide)
    yield _make_candidate(x - _GAP, y, "right", wide)
    yield _make_candidate(x, y - _GAP - LINE / 2, "center", wide)
    yield _make_candidate(x, y + _GAP + LINE / 2, "center", wide)
    for ring in range(1, _FARTHEST):
        distance = _GAP + ring * _RING
        for angle in range(_ANGLES):
            cosine, sine = math.cos(2 * math.pi * angle / _ANGLES), math.sin(2 * math.pi * angle / _ANGLES)
            if abs(cosine) < _UPRIGHT:
                continue
            line = [(x + step * cosine, y + step * sine) for step in range(_POINT + 3, int(distance), _STEP)]
            align: Align = "left" if cosine > 0 else "right"
            yield _make_candidate(x + distance * cosine, y + distance * sine, align, wide, line)


def _make_candidate(x: float, y: float, align: Align, wide: float, line: Sequence[tuple[float, float]] = ()) -> _Candidate:
    left = x if align == "left" else x - wide if align == "right" else x - wide / 2
    box = _Box(left, y - LINE / 2, left + wide, y + LINE / 2)
    return _Candidate(Place(x, y, align, bool(line)), box, [_Box(one - 0.5, other - 0.5, one + 0.5, other + 0.5) for one, other in line])
