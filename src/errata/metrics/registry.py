"""All metrics by name, written as text, and checked before they are used."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields, is_dataclass
from typing import TYPE_CHECKING

from errata.errors import UsageError, suggest
from errata.metrics.base import Metric, RatioMetric, is_data
from errata.metrics.strategies import Choose, Strategy
from errata.plugins import Plugins
from errata.settings import list_settings, write_value

if TYPE_CHECKING:
    from collections.abc import Sequence


def _check_kind(kind: type[Metric]) -> None:
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
        _check_class(metric)
    except UsageError as error:
        raise UsageError(f"the metric {getattr(metric, 'name', type(metric).__name__)} cannot be used: {error}") from None


def _check_frozen(kind: type[Metric]) -> None:
    if not is_dataclass(kind) or not kind.__dataclass_params__.frozen:
        raise UsageError("it is not a frozen dataclass; write @dataclass(frozen=True) above the class")


def _check_class(metric: Metric) -> None:
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


_METRIC = re.compile(r"\s*([A-Za-z_][\w-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)
_NAME = re.compile(r"[a-z_][a-z0-9_-]*")
_LONGEST = 1000
_SHOWN = 200
"""Characters of a wrong metric that are shown."""


def _is_name(text: str) -> bool:
    """Whether a metric can have this name."""
    return _NAME.fullmatch(text) is not None


def _split_notation(text: str) -> tuple[str, dict[str, str]]:
    """Split the text of a metric into its name, in lower case, and its settings.

    >>> _split_notation("maxmatch(beta=1, choice=optimal)")
    ('maxmatch', {'beta': '1', 'choice': 'optimal'})
    """
    match = _METRIC.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise UsageError(f"a metric must be written name or name(setting=value,...), found {text[:_SHOWN]!r}")
    name, inside = match.groups()
    settings: dict[str, str] = {}
    for setting in (inside or "").split(",") if (inside or "").strip() else ():
        key, equals, value = (part.strip() for part in setting.partition("="))
        if not equals or not key or not value:
            raise UsageError(f"a setting must be written name=value, found {setting.strip()!r:.60} in {text!r:.60}")
        if key in settings:
            raise UsageError(f"setting {key!r} occurs twice in {text!r}")
        settings[key] = value
    return name.lower(), settings


def write_names(metrics: Sequence[Metric]) -> list[str]:
    """Name metrics as papers do; those with the same name are told by the settings in which they differ from the defaults.

    >>> from errata.metrics import registry
    >>> write_names([registry.metric(text) for text in ("maxmatch", "maxmatch(beta=1)", "gleu", "gleu(order=3)", "imeasure")])
    ['M² F0.5', 'M² F1', 'GLEU', 'GLEU (order 3)', 'I-measure']
    """
    names = [metric.written_name for metric in metrics]
    groups = {name: [other for other, own in zip(metrics, names, strict=True) if own == name] for name in names}
    return [_write(metric, name, groups[name]) for metric, name in zip(metrics, names, strict=True)]


def _write(metric: Metric, name: str, same: Sequence[Metric]) -> str:
    """Add the settings that are not the defaults, if they differ between metrics with the same name."""
    shown = []
    for setting, declared in list_settings(metric).items():
        value = getattr(metric, setting)
        if value != declared.default and any(getattr(other, setting, None) != value for other in same):
            words = setting.replace("_", " ")
            shown.append(words if value is True else f"no {words}" if value is False else f"{words} {write_value(value)}")
    return f"{name} ({', '.join(shown)})" if shown else name


def _check_loaded(name: str, offered: object) -> type[Metric]:
    if not (isinstance(offered, type) and issubclass(offered, Metric)):
        raise UsageError(f"it is not a subclass of errata.Metric, but {type(offered).__name__}")
    _check_kind(offered)
    if not _is_name(name):
        raise UsageError("the name of a metric must consist of small letters, digits, hyphens and underscores")
    if getattr(offered, "name", None) != name:
        raise UsageError(f"its name is {getattr(offered, 'name', None)!r}")
    check_contract(offered())
    return offered


METRICS = Plugins("metric", _check_loaded)
"""All metrics by name, of errata and of other packages, each loaded when it is used."""


def metric(text: str | Metric) -> Metric:
    """Make a metric from a text: ``name`` or ``name(setting=value,...)``.

    >>> metric("maxmatch(beta=1,choice=optimal)")
    MaxMatch(beta=1.0, max_unchanged=2, ignore_case_and_space=False, choice='optimal', missing='absent', references='single')
    """
    if isinstance(text, Metric):
        return text
    if not isinstance(text, str):
        raise UsageError(f"a metric must be a Metric or a text, found {type(text).__name__}")
    name, written = _split_notation(text)
    _refuse_alias(name)
    kind = METRICS.find(name)
    settings = list_settings(kind)
    for key in written:
        if key not in settings:
            known = f"choose from {', '.join(settings)}" if settings else "it has none"
            raise UsageError(f"{name} has no setting {key!r}; {known}{suggest(key, settings)}")
    return kind(**{key: settings[key].parse(value) for key, value in written.items()})


def _refuse_alias(name: str) -> None:
    """Refuse a name by which people know a metric, and say which metric it is."""
    if name not in METRICS:
        for own, metric_class in METRICS.load_all()[0].items():
            if name in metric_class.aliases:
                raise UsageError(f"unknown metric {name!r}; did you mean {own}?")
