"""Checks of a metric before it is used, so that mistakes in its class are reported."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from typing import TYPE_CHECKING

from errata.errors import UsageError
from errata.metrics.base import RatioMetric, is_data
from errata.metrics.strategy import Choose, Strategy
from errata.settings import list_settings

if TYPE_CHECKING:
    from errata.metrics.base import Metric


def check_class(kind: type[Metric]) -> None:
    """Raise a ``UsageError`` unless all fields of a class are settings with a default, or data."""
    _check_frozen(kind)
    if missing := [word for word in ("name", "summary", "columns") if not hasattr(kind, word)]:
        raise UsageError(f"it has no {missing[0]}")
    if kind.__abstractmethods__:
        raise UsageError(f"it does not define {min(kind.__abstractmethods__)}")
    settings = list_settings(kind)
    for item in fields(kind):  # type: ignore[arg-type]  # a dataclass, as was checked
        if item.init and item.default is MISSING and item.default_factory is MISSING:
            raise UsageError(f"its field {item.name} has no default")
        if item.init and item.name not in settings and not is_data(item):
            raise UsageError(
                f"its field {item.name} is not a setting; declare it with number, whole, one_of, flag or text of errata.settings"
            )


def check_contract(metric: Metric) -> None:
    """Raise a ``UsageError`` unless a metric can be used: a frozen dataclass with columns, a strategy, and ratios of all columns."""
    try:
        _check(metric)
    except UsageError as error:
        raise UsageError(f"the metric {getattr(metric, 'name', type(metric).__name__)} cannot be used: {error}") from None


def _check_frozen(kind: type[Metric]) -> None:
    if not is_dataclass(kind) or not kind.__dataclass_params__.frozen:
        raise UsageError("it is not a frozen dataclass; write @dataclass(frozen=True) above the class")


def _check(metric: Metric) -> None:
    _check_frozen(type(metric))
    if missing := [word for word in ("name", "columns") if not hasattr(metric, word)]:
        raise UsageError(f"it has no {missing[0]}")
    strategy = metric.strategy
    if not isinstance(strategy, Strategy):
        raise UsageError(f"its strategy must be a Strategy, such as SingleRow() or Choose(...), found {strategy!r:.60}")
    ratios = [metric.ratio] if isinstance(metric, RatioMetric) else []
    ratios += [strategy.ratio] if isinstance(strategy, Choose) else []
    for ratio in ratios:
        if not len(ratio.numerator) == len(ratio.denominator) == len(metric.columns):
            lengths = f"{len(ratio.numerator)} and {len(ratio.denominator)}"
            raise UsageError(
                f"a ratio must have {len(metric.columns)} weights, one for each column, in numerator and denominator, found {lengths}"
            )
