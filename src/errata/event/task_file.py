"""Writes the file of a task, in TOML, which the standard library only reads."""

from __future__ import annotations

import json
import re
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_toml(record: dict[str, Any]) -> str:
    """Write keys with texts, numbers, truth values, lists of texts, and tables of these.

    >>> print(write_toml({"title": "A task", "replicates": 100, "handles": {"Team 1": ["Prep"]}}), end="")
    title = "A task"
    replicates = 100
    <BLANKLINE>
    [handles]
    "Team 1" = ["Prep"]
    """
    lines = [f"{_key(key)} = {_value(value)}" for key, value in record.items() if not isinstance(value, dict)]
    for key, table in record.items():
        if isinstance(table, dict):
            lines += ["", f"[{_key(key)}]", *(f"{_key(name)} = {_value(value)}" for name, value in table.items())]
    return "".join(f"{line}\n" for line in lines)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: str | float | list[str]) -> str:
    if isinstance(value, list):
        if len(value) == 1:
            return f"[{_value(value[0])}]"
        inside = ", ".join(_value(item) for item in value)
        return f"[{inside}]" if len(inside) < _LONG else "[\n" + "".join(f"    {_value(item)},\n" for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # strings are those of JSON, but for this character
    return str(value).lower() if isinstance(value, bool) else repr(value)


_LONG = 100
"""Characters of a list from which each item has a line."""
