"""Numbers, tables and sentences of the study of metrics and people: what is written about results, from the results alone."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from errata.stats.comparison import correct_p

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ALPHA = 0.05
_LEAST_P = 0.001


class Compared(NamedTuple):
    """Two metrics compared on one data set; differences are those of the first less the second."""

    data: str
    metric: str
    other: str
    correlation: tuple[float | None, float | None, float | None]
    """The difference of Pearson's r with its interval over sentences."""
    williams: float | None
    permutation: float | None
    needed: int | None
    """Systems with which Williams' test would be significant."""
    accuracy: tuple[float | None, float | None, float | None]
    """The difference of accuracies on sentences with its interval."""
    p: float | None
    """The p-value of this difference."""


def write_number(value: float | None, digits: int = 2, *, signed: bool = False) -> str:
    """Write a number without the 0 before the point.

    >>> write_number(0.687), write_number(-0.0004), write_number(0.0123, 3, signed=True), write_number(1.0), write_number(None)
    ('.69', '.00', '+.012', '1.00', '–')
    """
    if value is None:
        return "–"
    text = f"{abs(value):.{digits}f}"
    is_zero = not text.strip("0.")
    sign = "" if is_zero else "−" if value < 0 else "+" if signed else ""
    return sign + text.removeprefix("0")


def write_interval(value: float | None, low: float | None, high: float | None, digits: int = 2, *, signed: bool = False) -> str:
    """Write a number with its interval.

    >>> write_interval(0.687, 0.568, 0.831), write_interval(0.5, None, None)
    ('.69 [.57, .83]', '.50')
    """
    ends = (
        "" if low is None or high is None else f" [{write_number(low, digits, signed=signed)}, {write_number(high, digits, signed=signed)}]"
    )
    return write_number(value, digits, signed=signed) + ends


def write_p(p: float | None) -> str:
    """Write a p-value.

    >>> write_p(0.0001), write_p(0.0371), write_p(1.0)
    ('<.001', '.037', '1')
    """
    if p is None:
        return "–"
    return "<.001" if p < _LEAST_P else "1" if p > 1 - _LEAST_P / 2 else write_number(p, 3)


def write_table(header: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> str:
    """Write a table in Markdown, whose first columns are aligned to the left."""
    rule = ["---" if index < left else "---:" for index in range(len(header))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [header, rule, *rows])


def join_names(names: Sequence[str]) -> str:
    """Join names.

    >>> join_names(["a"]), join_names(["a", "b", "c"])
    ('`a`', '`a`, `b` and `c`')
    """
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def correct_rows(rows: Sequence[Compared]) -> list[Compared]:
    """Correct the p-values of each test by Holm's method, for all comparisons of a question."""
    williams, permutation, p = (_correct(values) for values in zip(*((row.williams, row.permutation, row.p) for row in rows), strict=True))
    return [row._replace(williams=williams[index], permutation=permutation[index], p=p[index]) for index, row in enumerate(rows)]


def _correct(values: Sequence[float | None]) -> list[float | None]:
    known = iter(correct_p([value for value in values if value is not None], "holm"))
    return [None if value is None else next(known) for value in values]


def write_comparisons(rows: Sequence[Compared]) -> str:
    """Write a table of comparisons."""
    header = ("Data", "Metric", "Compared with", "Δ Pearson", "Williams p", "Permutation p", "Systems needed", "Δ accuracy", "p")
    cells = [
        (
            row.data,
            f"`{row.metric}`",
            f"`{row.other}`",
            write_interval(*row.correlation, 3, signed=True),
            write_p(row.williams),
            write_p(row.permutation),
            f"{row.needed:,}" if row.needed else "–",
            write_interval(*row.accuracy, 3, signed=True),
            write_p(row.p),
        )
        for row in rows
    ]
    return write_table(header, cells, 3)


def conclude(rows: Sequence[Compared]) -> list[str]:
    """Say in sentences what comparisons show: for other sentences, for other systems, and for single sentences."""
    return [
        "- Correlation, same systems and other sentences: the interval excludes 0 in "
        + _list_cases(rows, _excludes_zero, lambda row: row.correlation[0]),
        "- Correlation, other systems: Williams' test is significant in "
        + _list_cases(rows, lambda row: _is_small(row.williams), lambda row: row.correlation[0]),
        "- Correlation, other systems: the permutation test is significant in "
        + _list_cases(rows, lambda row: _is_small(row.permutation), lambda row: row.correlation[0]),
        "- Single sentences: the difference of accuracies is significant in "
        + _list_cases(rows, lambda row: _is_small(row.p), lambda row: row.accuracy[0]),
    ]


def _excludes_zero(row: Compared) -> bool:
    _, low, high = row.correlation
    return low is not None and high is not None and (low > 0 or high < 0)


def _is_small(p: float | None) -> bool:
    return p is not None and p < ALPHA


def _list_cases(rows: Sequence[Compared], holds: Callable[[Compared], bool], measure: Callable[[Compared], float | None]) -> str:
    """Write in how many comparisons something holds, and which metric is better in them."""
    found = [row for row in rows if holds(row)]
    if not found:
        return f"none of {len(rows)} comparisons."
    by_pair: dict[tuple[str, str], list[str]] = {}
    for row in found:
        difference = measure(row) or 0.0
        pair = (row.metric, row.other) if difference > 0 else (row.other, row.metric)
        by_pair.setdefault(pair, []).append(f"{row.data} {write_number(abs(difference), 3, signed=True)}")
    cases = [f"\n    - `{better}` is better than `{worse}`: {', '.join(where)}" for (better, worse), where in by_pair.items()]
    return f"{len(found)} of {len(rows)} comparisons:{''.join(cases)}"


def describe_best(
    measure: str, values: dict[str, float], compared: Sequence[Compared], find_p: Callable[[Compared], float | None], test: str
) -> str:
    """Say which metric has the highest value, and which others are significantly lower; ``values`` are those of all metrics."""
    best = max(values, key=values.__getitem__)
    p_values = {(row.other if row.metric == best else row.metric): find_p(row) for row in compared if best in {row.metric, row.other}}
    lower = [name for name in values if name != best and _is_small(p_values[name])]
    others = [name for name in values if name != best and name not in lower]
    sentence = f"`{best}` has the highest {measure} ({write_number(values[best])})"
    if not lower:
        return f"{sentence}, significantly higher than that of no other ({test})."
    if not others:
        return f"{sentence}, significantly higher than that of all others ({test})."
    return f"{sentence}, significantly higher than that of {join_names(lower)}, but not of {join_names(others)} ({test})."


def find_least_p(systems: int) -> float:
    """Find the smallest p-value that the permutation test can have: swapping all systems is swapping none.

    >>> find_least_p(5), find_least_p(8)
    (0.0625, 0.0078125)
    """
    return 1.0 / (1 << (systems - 1))


def describe_needed(data: str, systems: int, rows: Sequence[Compared]) -> str:
    """Say how many systems comparisons on a data set would need."""
    least = find_least_p(systems)
    possible = "so it cannot be significant" if least >= ALPHA else "before the correction for several comparisons"
    start = f"- {data}, {systems} systems: the smallest p of the permutation test is {write_number(least, 4)}, {possible}."
    needed = [row.needed for row in rows if row.needed]
    if not needed:
        return start
    from_to = f"Williams' test would need from {min(needed):,} to {max(needed):,} systems"
    return f"{start}\n  {from_to}, in half of the comparisons that are not significant {round(median(needed)):,} or more."
