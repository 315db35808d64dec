"""What docs/stability.md says, as far as a test can show it."""

from __future__ import annotations

import re
from pathlib import Path


def test_the_page_names_the_exit_statuses() -> None:
    page = Path("docs/stability.md").read_text(encoding="utf-8")
    said = set(re.findall(r"`(\d+)`", page.partition("exit statuses")[2].partition("\n")[0]))
    assert said == {"0", "1", "2", "3", "70", "130"}
