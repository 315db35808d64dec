"""Charts of coverage and conservatism, after Figures 1 to 4 of Choshen and Abend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from errata.display import printable
from errata.errors import RequestError
from errata.report.charts.parts import PALETTE, Chart, altair, styled
from errata.studies.coverage.estimation import compute_worth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from errata.studies.conservatism import Conservatism
    from errata.studies.coverage.estimation import Coverage
    from errata.studies.coverage.perfect import Simulation

_WIDTH, _HEIGHT = 360, 240
_ROW = 24
_MOST_WORDS = 8
"""Numbers of changed words with their own column; the last column has all larger numbers."""


class _AccuracyLine(NamedTuple):
    """The accuracy of a perfect corrector by the number of references."""

    match: str
    """When two corrections are the same: exact or index."""
    references: str
    """Whether references may repeat."""
    points: list[tuple[int, float]]


_KINDS_OF_REFERENCES = {"references may repeat": False, "all different": True}


def _make_accuracy_lines(match: str, coverage: Coverage, most: int) -> list[_AccuracyLine]:
    """Compute the accuracy with 1 to so many references, which may repeat or are all different."""
    return [
        _AccuracyLine(match, references, [(number, coverage.accuracy(number, distinct=distinct)) for number in range(1, most + 1)])
        for references, distinct in _KINDS_OF_REFERENCES.items()
    ]


def accuracy_chart(coverages: Mapping[str, Coverage], most: int) -> Chart:
    """Plot the accuracy of a perfect corrector with 1 to so many references (Figure 2), with a colour for each kind of match."""
    alt = altair()
    lines = [line for match, coverage in coverages.items() for line in _make_accuracy_lines(match, coverage, most)]
    matches, kinds = (list(dict.fromkeys(own)) for own in ([line.match for line in lines], [line.references for line in lines]))
    names = {f"{line.match} match, {line.references}": line for line in lines}
    values = [{"name": name, "references": number, "accuracy": value} for name, line in names.items() for number, value in line.points]
    colours = [PALETTE[matches.index(line.match)] for line in names.values()]
    dashes = [[[1, 0], [6, 3]][kinds.index(line.references)] for line in names.values()]
    legend = alt.Legend(title=None, orient="top", columns=2, symbolSize=300, symbolType="stroke", labelLimit=300)
    return styled(
        alt.Chart(alt.Data(values=values))
        .mark_line(point=True, strokeWidth=2)
        .encode(
            x=alt.X("references:Q", title="references M", axis=alt.Axis(tickMinStep=1)),
            y=alt.Y("accuracy:Q", title="expected accuracy of a perfect corrector", scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("name:N", scale=alt.Scale(domain=list(names), range=colours), legend=legend),
            strokeDash=alt.StrokeDash("name:N", scale=alt.Scale(domain=list(names), range=dashes), legend=legend),
        )
        .properties(width=_WIDTH, height=_HEIGHT)
    )


def score_chart(simulations: Sequence[Simulation], label: str) -> Chart:
    """Plot the score of a perfect corrector against the number of references, with the central 95% of test sets (Figure 3)."""
    alt = altair()
    values = []
    for item in simulations:
        low, high = item.central()
        values.append({"references": item.references, "mean": 100 * item.mean, "low": 100 * low, "high": 100 * high})
    base = alt.Chart(alt.Data(values=values)).encode(x=alt.X("references:Q", title="references M", axis=alt.Axis(tickMinStep=1)))
    title = f"{label} of a perfect corrector, times 100"
    lowest = min(0, *(value["low"] for value in values))  # I-measure can be negative
    axis = alt.Y("mean:Q", title=title, scale=alt.Scale(domain=[lowest, 100]))
    layers = [
        base.mark_rule(strokeWidth=2, color=PALETTE[0]).encode(y=alt.Y("low:Q", title=title), y2="high:Q"),
        base.mark_line(strokeWidth=1, color=PALETTE[0]).encode(y=axis),
        base.mark_point(filled=True, size=40, opacity=1, color=PALETTE[0]).encode(y=axis),
    ]
    return styled(alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT))


def conservatism_chart(items: Sequence[Conservatism]) -> Chart:
    """Plot the number of sentences by changed words, and of sentences reordered, split and joined (Figure 1)."""
    alt = altair()
    order = [printable(item.name) for item in items]
    columns = [*map(str, range(_MOST_WORDS)), f"{_MOST_WORDS}+"]
    cells: list[dict[str, Any]] = []
    for item in items:
        histogram = item.histogram()
        more = sum(count for words, count in histogram.items() if words >= _MOST_WORDS)
        counts = [*(histogram[words] for words in range(_MOST_WORDS)), more]
        cells += [{"name": printable(item.name), "words": words, "sentences": count} for words, count in zip(columns, counts, strict=True)]
    x = alt.X("words:O", sort=columns, title="changed words in a sentence", axis=alt.Axis(labelAngle=0))
    y = alt.Y("name:N", sort=order, title=None)
    base = alt.Chart(alt.Data(values=cells)).encode(x=x, y=y)
    half = max(cell["sentences"] for cell in cells) / 2
    heat = alt.layer(
        base.mark_rect().encode(color=alt.Color("sentences:Q", scale=alt.Scale(type="sqrt", scheme="blues"), legend=None)),
        base.mark_text(fontSize=11).encode(
            text="sentences:Q", color=alt.condition(f"datum.sentences > {half}", alt.value("white"), alt.value("black"))
        ),
    ).properties(width=alt.Step(44), height=_ROW * len(items))
    kinds = ("reordered", "split", "joined")
    bar_values = [{"name": printable(item.name), "kind": kind, "sentences": getattr(item, kind)} for item in items for kind in kinds]
    bars = alt.Chart(alt.Data(values=bar_values)).encode(
        y=alt.Y(
            "name:N", sort=order, title=None, axis=alt.Axis(labels=False, ticks=False), scale=alt.Scale(paddingInner=0.3, paddingOuter=0.15)
        )
    )
    scale = alt.Scale(domain=list(kinds), range=list(PALETTE[:3]))
    legend = alt.Legend(title=None, orient="top")
    shown = (
        bars.mark_bar()
        .encode(
            x=alt.X("sentences:Q", title="sentences reordered, split, joined"),
            yOffset=alt.YOffset("kind:N", sort=list(kinds)),
            color=alt.Color("kind:N", scale=scale, legend=legend),
        )
        .properties(width=200, height=_ROW * len(items))
    )
    return styled(
        alt.vconcat(alt.hconcat(heat, shown, spacing=16).resolve_scale(color="independent"), _order_chart(items), spacing=16).resolve_scale(
            color="independent", strokeDash="independent"
        )
    )


def _order_chart(items: Sequence[Conservatism]) -> Chart:
    """Plot the share of sentences whose rho does not exceed a threshold."""
    alt = altair()
    values = []
    for item in items:
        known = [own.order for own in item.sentences if own.order is not None]
        for step in range(50):
            threshold = 0.5 + step / 100
            share = sum(order <= threshold for order in known) / len(known) if known else 0.0
            values.append({"name": printable(item.name), "rho": threshold, "share": 100 * share})
    names = [printable(item.name) for item in items]
    legend = alt.Legend(title=None, orient="right", symbolSize=300, symbolType="stroke", labelLimit=160)
    dashes = [[[1, 0], [6, 3], [2, 2]][step // len(PALETTE) % 3] for step in range(len(names))]
    return (
        alt.Chart(alt.Data(values=values))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X(
                "rho:Q", title="Spearman's rho of the order of words, up to", scale=alt.Scale(domain=[0.5, 1]), axis=alt.Axis(tickCount=5)
            ),
            y=alt.Y("share:Q", title="% of sentences"),
            color=alt.Color(
                "name:N", scale=alt.Scale(domain=names, range=[PALETTE[k % len(PALETTE)] for k in range(len(names))]), legend=legend
            ),
            strokeDash=alt.StrokeDash("name:N", scale=alt.Scale(domain=names, range=dashes), legend=legend),
        )
        .properties(width=_WIDTH, height=160)
    )


def worth_chart(coverages: Sequence[tuple[str, float]], reward: float = 1.0, penalty: float = 0.0) -> Chart:
    """Plot when correcting a phrase pays off (section 3.1), with a line for each coverage.

    A line is the minimum probability of an error, against the probability of finding a valid correction.
    """
    alt = altair()
    values = []
    for name, coverage in coverages:
        for step in range(101):
            correct = step / 100
            least = 1 - compute_worth(1.0, correct, coverage, reward, penalty)
            if 0 <= least <= 1:
                values.append({"correct": correct, "detect": least, "coverage": name})
    if not values:
        raise RequestError("with this reward and penalty correcting never pays off, so there is nothing to draw")
    settings = "" if (reward, penalty) == (1, 0) else f"; reward {reward:g}, penalty {penalty:g}"
    names = [name for name, _ in coverages]
    legend = alt.Legend(title=f"coverage{settings}", orient="right", titleFontWeight="normal", symbolSize=300, titleLimit=300)
    return styled(
        alt.Chart(alt.Data(values=values))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("correct:Q", title="probability of finding a valid correction", scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("detect:Q", title=["minimum probability of an error", "at which correcting pays off"], scale=alt.Scale(domain=[0, 1])),
            color=alt.Color(
                "coverage:N", scale=alt.Scale(domain=names, range=[PALETTE[k % len(PALETTE)] for k in range(len(names))]), legend=legend
            ),
            strokeDash=alt.StrokeDash(
                "coverage:N",
                scale=alt.Scale(domain=names, range=[[[1, 0], [6, 3], [2, 2]][k % 3] for k in range(len(names))]),
                legend=legend,
            ),
        )
        .properties(width=_WIDTH, height=_HEIGHT)
    )
