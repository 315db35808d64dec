"""What could only fail while an event runs is refused before it begins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from errata.errors import RequestError

from example_events import make_example_event

DEFINITION = """
metrics = ["maxmatch"]
resample = "document"
[[phases]]
name = "dev"
gold = "gold.m2"
opens = "2026-01-01 00:00 UTC"
closes = "2098-01-01 00:00 UTC"
"""


def test_intervals_that_this_gold_cannot_have(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=re.escape("event.toml: confidence: 72 of 72 sentences have no document")):
        make_example_event(tmp_path, DEFINITION)
    make_example_event(tmp_path, DEFINITION.replace("document", "sentence")).event.close()
