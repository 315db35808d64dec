"""All metrics by name, errata's own and those of other packages, each loaded when it is used."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass

from errata.errors import UsageError
from errata.metrics.base import Metric
from errata.metrics.notation import is_name, split_notation
from errata.plugins import Plugins
from errata.settings import settings_of


def _check(name: str, offered: object) -> type[Metric]:
    if not (isinstance(offered, type) and issubclass(offered, Metric)):
        raise UsageError(f"it is no subclass of errata.Metric, but {type(offered).__name__}")
    if not is_dataclass(offered):
        raise UsageError("it is no dataclass, so its settings are not known; write @dataclass(frozen=True) above the class")
    if required := [item.name for item in fields(offered) if item.default is MISSING and item.default_factory is MISSING]:
        raise UsageError(f"its field {required[0]} has no default")
    if missing := [word for word in ("name", "summary", "columns") if not hasattr(offered, word)]:
        raise UsageError(f"it has no {missing[0]}")
    if offered.__abstractmethods__:
        raise UsageError(f"it does not say its {min(offered.__abstractmethods__)}")
    if not is_name(name):
        raise UsageError("a metric is named by small letters, digits, hyphens and underscores")
    if getattr(offered, "name", None) != name:
        raise UsageError(f"it calls itself {getattr(offered, 'name', None)!r}")
    offered()
    return offered


METRICS = Plugins("metric", _check)
"""All metrics by name."""


def parse(text: str | Metric) -> Metric:
    """The metric that a text names: ``name`` or ``name(setting=value,...)``.

    >>> parse("maxmatch(beta=1,choice=optimal)")
    MaxMatch(beta=1.0, max_unchanged=2, ignore_case_and_space=False, choice='optimal', missing='absent')
    """
    if isinstance(text, Metric):
        return text
    if not isinstance(text, str):
        raise UsageError(f"a metric is given as such or as a text, found {type(text).__name__}")
    name, written = split_notation(text)
    kind = METRICS.find(name)
    settings = settings_of(kind)
    for key in written:
        if key not in settings:
            known = f"known are {', '.join(settings)}" if settings else "it has none"
            raise UsageError(f"{name} has no setting {key!r}; {known}")
    return kind(**{key: settings[key].parse(value) for key, value in written.items()})
