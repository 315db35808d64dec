"""Texts of strangers in Markdown: as code, where nothing is markup, a mention or a link."""

from __future__ import annotations

import re

from errata.html import printable

_TICKS = re.compile("`+")


def code_span(text: str) -> str:
    """Write a text as code, in one line: more backticks around it than it has inside.

    >>> code_span("@you → <b>"), code_span("a `b"), code_span("``")
    ('`@you → <b>`', '``a `b``', '``` `` ```')
    """
    shown = printable(text)
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(shown)), default=0))
    edges = shown[:1] + shown[-1:]
    padding = " " if not shown or "`" in edges or edges == "  " else ""
    return f"{fence}{padding}{shown}{padding}{fence}"
