"""Metrics as text: ``name`` or ``name(setting=value,...)`` with numbers, ``true``/``false`` or bare words."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING

from errata.errors import UsageError
from errata.metrics.base import is_setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from errata.metrics.base import Metric

_METRIC = re.compile(r"\s*([A-Za-z_][\w-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)
_LONGEST = 200


def parse_metric(text: str, known: Mapping[str, type[Metric]]) -> Metric:
    """The metric that a text names; unknown names and settings are a :class:`UsageError` that lists the known ones."""
    found = _METRIC.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        raise UsageError(f"a metric is written name or name(setting=value,...), found {text[:_LONGEST]!r}")
    written, settings = found.groups()
    name = written.lower()
    if name not in known:
        raise UsageError(f"unknown metric {written!r}; known are {', '.join(sorted(known))}")
    kind = known[name]
    defaults = {field.name: field.default for field in fields(kind) if is_setting(field)}  # type: ignore[arg-type]  # every metric is a dataclass
    values: dict[str, object] = {}
    for setting in (settings or "").split(","):
        if not setting.strip() and not (settings or "").strip():
            continue
        key, equals, value = (part.strip() for part in setting.partition("="))
        if not equals or not key or not value:
            raise UsageError(f"a setting is written name=value, found {setting.strip()!r} in {text!r}")
        if key not in defaults:
            raise UsageError(f"{name} has no setting {key!r}; known are {', '.join(defaults)}")
        if key in values:
            raise UsageError(f"setting {key!r} occurs twice in {text!r}")
        values[key] = _value(value, type(defaults[key]), f"{name} setting {key}")
    return kind(**values)


def _value(text: str, kind: type, what: str) -> object:
    if kind is bool:
        if text.lower() in {"true", "false"}:
            return text.lower() == "true"
        raise UsageError(f"{what} is true or false, found {text!r}")
    if kind in {int, float}:
        try:
            return kind(text)
        except ValueError:
            raise UsageError(f"{what} is a {'whole ' if kind is int else ''}number, found {text!r}") from None
    return text
