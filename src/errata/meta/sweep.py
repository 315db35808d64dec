"""Values of a setting, tried against people, with cross-validation over systems, so that nobody tunes on what they test.

For every pair of systems a value is chosen on all other systems, by its correlation with people, and tested on the pair: does the metric
with this value order the two as people do?  The share of pairs that it orders so is compared with that of the value of the metric as
given, and with that of the value that is best on all systems, which was chosen with a look at the test.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from errata.errors import RequestError, UsageError, suggest
from errata.meta.coefficients import COEFFICIENTS, compute_many
from errata.settings import list_settings, write_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from errata.meta.coefficients import Coefficient
    from errata.meta.human_scores import HumanScores
    from errata.meta.metric_scores import MetricScores
    from errata.meta.replicates import Replicates
    from errata.metrics import Metric

    _Array = NDArray[np.float64]

_FEWEST_SYSTEMS = 5
"""Three remain if two are left out."""
MOST_VALUES = 200
_NUMBER = r"\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER}):({_NUMBER})(?::({_NUMBER}))?", re.ASCII)


class SweptValue(NamedTuple):
    """A value of the setting with its correlations; None if they are undefined."""

    value: str
    pearson: float | None
    spearman: float | None
    kendall: float | None
    ordered: float
    """The share of all pairs of systems that it orders as people do; a tie counts half."""
    chosen: int
    """Pairs for which it was chosen on the other systems."""
    best_in: float | None
    """The share of replicates of sentences in which it is the best; None without replicates."""


class Sweep(NamedTuple):
    """All values, and what cross-validation says."""

    setting: str
    given: str
    """The metric as given."""
    coefficient: Coefficient
    values: list[SweptValue]
    best: str
    """The value with the best correlation on all systems."""
    pairs: int
    held_out: float
    """The share of pairs that are ordered as people do by the value that was chosen without them."""
    with_given: float
    """The same for the metric as given, which needs no choice."""
    with_best: float
    """The same for the value that is best on all systems."""


def parse_sweep(text: str) -> tuple[str, list[str]]:
    """Parse a setting with its values: a range with or without a step, or a list.

    >>> parse_sweep("beta=0.1:0.5"), parse_sweep("order=1:3"), parse_sweep("choice=official,optimal")
    (('beta', ['0.1', '0.2', '0.3', '0.4', '0.5']), ('order', ['1', '2', '3']), ('choice', ['official', 'optimal']))
    """
    name, equals, given = (part.strip() for part in text.partition("="))
    if not name or not equals or not given:
        raise UsageError(f"--sweep needs a setting and values, such as beta=0.1:2 or choice=official,optimal, found {text!r}")
    if ":" not in given:
        values = [value.strip() for value in given.split(",")]
        if not all(values) or len(set(values)) < max(2, len(values)):
            raise UsageError(f"--sweep needs two or more different values, found {given!r}")
    else:
        if (match := _RANGE.fullmatch(given)) is None:
            raise UsageError(f"--sweep needs a range such as 0.1:2 or 0.1:2:0.05, found {given!r}")
        whole = "." not in match[1] + match[2]
        first, last, step = Fraction(match[1]), Fraction(match[2]), Fraction(match[3] or ("1" if whole else "0.1"))
        if step <= 0 or last <= first or (last - first) / step >= MOST_VALUES:
            raise UsageError(f"--sweep needs a range that rises in 1 to {MOST_VALUES - 1} steps, found {given!r}")
        values = [_write(first + index * step) for index in range(int((last - first) / step) + 1)]
        if len(values) < 2:  # noqa: PLR2004 - a choice
            raise UsageError(f"--sweep needs two or more values, found only {values[0]} in {given!r}")
    if len(values) > MOST_VALUES:
        raise UsageError(f"--sweep takes at most {MOST_VALUES} values, found {len(values)}")
    return name, values


def _write(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.10g}"


def write_variants(metric: Metric, setting: str, values: Sequence[str]) -> list[str]:
    """Write a metric with each value of a setting."""
    known = list_settings(metric)
    if setting not in known:
        raise UsageError(f"{metric.name} has no setting {setting!r}; choose from {', '.join(known)}{suggest(setting, known)}")
    others = {name: write_value(getattr(metric, name)) for name in known if getattr(metric, name) != known[name].default}
    return [f"{metric.name}({','.join(f'{name}={own}' for name, own in {**others, setting: value}.items())})" for value in values]


def sweep_setting(  # noqa: PLR0913 - what is tried, and how
    human: HumanScores,
    variants: Sequence[MetricScores],
    values: Sequence[str],
    systems: Sequence[str],
    given: MetricScores,
    *,
    setting: str,
    coefficient: Coefficient = "pearson",
    replicates: Replicates | None = None,
) -> Sweep:
    """Compare the values of a setting, the scores of whose variants are known; ``given`` are those of the metric as given."""
    import numpy as np

    if len(systems) < _FEWEST_SYSTEMS:
        raise RequestError(f"cross-validation over systems needs {_FEWEST_SYSTEMS} systems or more, found {len(systems)}")
    by_people = human.list_values(systems)
    scores = np.array([variant.list_values(systems) for variant in variants])
    correlations = {kind: compute_many(kind, scores, by_people) for kind in COEFFICIENTS}
    ordered = _compare_orders(scores, by_people)
    best = _find_best(correlations[coefficient])
    chosen, held_out = np.zeros(len(values), dtype=int), []
    pairs = list(combinations(range(len(systems)), 2))
    for index, pair in enumerate(pairs):
        rest = [system for system in range(len(systems)) if system not in pair]
        pick = _find_best(compute_many(coefficient, scores[:, rest], by_people[rest]))
        chosen[pick] += 1
        held_out.append(ordered[pick, index])
    shares = _count_best(coefficient, replicates) if replicates is not None else [None] * len(values)
    rows = [
        SweptValue(
            value,
            **{kind: None if np.isnan(own[index]) else float(own[index]) for kind, own in correlations.items()},
            ordered=float(ordered[index].mean()),
            chosen=int(chosen[index]),
            best_in=shares[index],
        )
        for index, value in enumerate(values)
    ]
    with_given = float(_compare_orders(given.list_values(systems)[None, :], by_people).mean())
    return Sweep(
        setting, given.name, coefficient, rows, values[best], len(pairs), float(np.mean(held_out)), with_given, float(ordered[best].mean())
    )


def _find_best(correlations: _Array) -> int:
    """Find the first of the largest values; undefined ones are the worst."""
    import numpy as np

    return int(np.where(np.isnan(correlations), -np.inf, correlations).argmax())


def _compare_orders(scores: _Array, by_people: _Array) -> _Array:
    """Say for each variant (row) and pair of systems (column) whether it orders the pair as people do; a tie counts half."""
    import numpy as np

    one, other = np.triu_indices(scores.shape[1], 1)
    signs = np.sign(scores[:, one] - scores[:, other]) * np.sign(by_people[one] - by_people[other])
    compared: _Array = (signs + 1) / 2
    return compared


def _count_best(coefficient: Coefficient, replicates: Replicates) -> list[float | None]:
    import numpy as np

    found = np.array([compute_many(coefficient, own.values, replicates.human.values) for own in replicates.metrics])
    best = np.where(np.isnan(found), -np.inf, found).argmax(axis=0)
    shares = np.bincount(best, minlength=len(found)) / len(best)
    return [float(share) for share in shares]
