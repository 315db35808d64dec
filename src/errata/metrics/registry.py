"""All metrics by name, of errata and of other packages, each loaded when it is used."""

from __future__ import annotations

from errata.errors import UsageError, suggest
from errata.metrics.base import Metric
from errata.metrics.contract import check_class, check_contract
from errata.metrics.notation import is_name, split_notation
from errata.plugins import Plugins
from errata.settings import list_settings


def _check(name: str, offered: object) -> type[Metric]:
    if not (isinstance(offered, type) and issubclass(offered, Metric)):
        raise UsageError(f"it is not a subclass of errata.Metric, but {type(offered).__name__}")
    check_class(offered)
    if not is_name(name):
        raise UsageError("the name of a metric must consist of small letters, digits, hyphens and underscores")
    if getattr(offered, "name", None) != name:
        raise UsageError(f"its name is {getattr(offered, 'name', None)!r}")
    check_contract(offered())
    return offered


METRICS = Plugins("metric", _check)
"""All metrics by name."""


def metric(text: str | Metric) -> Metric:
    """Make a metric from a text: ``name`` or ``name(setting=value,...)``.

    >>> metric("maxmatch(beta=1,choice=optimal)")
    MaxMatch(beta=1.0, max_unchanged=2, ignore_case_and_space=False, choice='optimal', missing='absent', references='single')
    """
    if isinstance(text, Metric):
        return text
    if not isinstance(text, str):
        raise UsageError(f"a metric must be a Metric or a text, found {type(text).__name__}")
    name, written = split_notation(text)
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
