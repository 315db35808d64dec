"""Names of the tables of a task, which become file names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNSAFE = re.compile(r"[^A-Za-z0-9._]+")
_LONGEST = 100
"""Characters of a name; a file name has 255 bytes."""


def name_metrics(metrics: Sequence[object]) -> list[str]:
    """Name metrics for files: letters, digits, points, hyphens and underscores; no two names are one file on some system.

    >>> name_metrics(["maxmatch(beta=1.0)", "imeasure", "hoo(score=detection,rules=2011)"])
    ['maxmatch-beta-1.0', 'imeasure', 'hoo-score-detection-rules-2011']
    >>> name_metrics(["a(b=1)", "A(b=1)", "a(b-1)"])
    ['a-b-1', 'A-b-1-2', 'a-b-1-3']
    """
    names: list[str] = []
    taken: set[str] = set()
    for item in metrics:
        stem = _UNSAFE.sub("-", str(item)).strip("-.")[:_LONGEST] or "metric"
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        names.append(name)
    return names
