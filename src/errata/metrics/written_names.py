"""Metrics as papers write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errata.settings import list_settings, write_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from errata.metrics.base import Metric


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
