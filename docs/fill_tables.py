"""Writes the settings of metrics into the pages that explain them, from their declarations.

A page says where: between ``<!-- settings of NAME -->`` and ``<!-- end of settings -->``.  ``make docs`` runs it.
"""

from __future__ import annotations

import re
from pathlib import Path

from errata.metrics import METRICS
from errata.report import render
from errata.report.tables.metrics import settings_table

_PLACE = re.compile(r"(<!-- settings of (\w+) -->\n).*?(<!-- end of settings -->)", re.DOTALL)
PAGES = Path(__file__).parent


def filled(text: str) -> str:
    """A page with its tables as they should be."""
    return _PLACE.sub(lambda found: f"{found[1]}{_table(found[2])}{found[3]}", text)


def _table(name: str) -> str:
    _, _, table = render(settings_table(METRICS.find(name)), "markdown").partition("\n\n")
    return f"\n{table.strip()}\n\n"


def main() -> None:
    """Fill all pages."""
    for path in sorted(PAGES.glob("*.md")):
        before = path.read_text(encoding="utf-8")
        after = filled(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"{path.name}: tables written anew")


if __name__ == "__main__":
    main()
