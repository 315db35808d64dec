"""Metrics as text: ``name`` or ``name(setting=value,...)`` with numbers, ``true``/``false`` or bare words."""

from __future__ import annotations

import re

from errata.errors import UsageError

_METRIC = re.compile(r"\s*([A-Za-z_][\w-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)
_NAME = re.compile(r"[a-z_][a-z0-9_-]*")
_LONGEST = 1000
_SHOWN = 200
"""Characters of a wrong metric that are shown."""


def is_name(text: str) -> bool:
    """Whether a metric can have this name."""
    return _NAME.fullmatch(text) is not None


def split_notation(text: str) -> tuple[str, dict[str, str]]:
    """Split the text of a metric into its name, in lower case, and its settings.

    >>> split_notation("maxmatch(beta=1, choice=optimal)")
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
