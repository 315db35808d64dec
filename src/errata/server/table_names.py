"""How pages name the tables of leaderboards."""

from __future__ import annotations

import re

_KINDS = {
    "metrics": "All metrics",
    "ranking": "Ranking",
    "types": "Scores by error type",
    "type-intervals": "Intervals by error type",
    "pairs": "Differences between systems",
    "set-aside": "Submissions set aside",
}
_NAME = re.compile(rf"({'|'.join(sorted(_KINDS, key=len, reverse=True))})(?:-alternatives)?(?:-(.+))?")


def label_table(name: str) -> str:
    """Say what a table has, in words.

    >>> label_table("types-alternatives-maxmatch"), label_table("type-intervals"), label_table("ranking-gleu")
    ('Scores by error type (maxmatch)', 'Intervals by error type', 'Ranking (gleu)')
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return name
    return f"{_KINDS[match[1]]} ({match[2]})" if match[2] else _KINDS[match[1]]
