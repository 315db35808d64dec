from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from errata.cli import main

Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str | Path, status: int = 0) -> str:
        assert main([str(argument) for argument in arguments]) == status
        captured = capsys.readouterr()
        return captured.err if status else captured.out

    return call
