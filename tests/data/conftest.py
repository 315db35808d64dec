from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from errata.formats import DataSet, datasets

from served_files import Server, serving
from served_sets import make_sets


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def sets(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, DataSet]:
    """The sets of a server, instead of those that are published."""
    known = make_sets(server.address)
    for module in ("datasets", "installing"):
        monkeypatch.setattr(f"errata.formats.{module}.list_data_sets", lambda: known)
    monkeypatch.setenv("ERRATA_DATA_FOLDER", str(tmp_path / "home"))
    assert datasets.find_data_set("one") is known["one"]
    return known
