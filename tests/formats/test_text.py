"""Texts with one sentence in a line: blocks in which nothing is wrong are decoded at once, with the same result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errata.errors import ErrataError
from errata.formats.lines import read_text, read_text_lines
from errata.formats.problems import Problems

from thoroughness import often

PARTS = [
    b"a\r\rb",
    b"b c",
    b" ",
    b"\t",
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\0",
    b"\xff",
    b"\xc3\xa9",
    b"\xe2\x80\xa8",
    b"A 0 1|||",
    b"A 1 b",
    b"\xef\xbb\xbf",
]


def read_all(read: Callable[[str, Problems, int], Iterable[Any]], path: Path) -> tuple[list[Any], list[str]]:
    """The sentences, or the error, and the warnings."""
    warnings: list[str] = []
    try:
        return list(read(str(path), Problems("a file", warn=lambda problem: warnings.append(str(problem))), 3)), warnings
    except ErrataError as error:
        return [str(error)], warnings


@given(st.lists(st.sampled_from(PARTS), max_size=12).map(b"".join))
@settings(max_examples=often(300, 100), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lines_are_the_same_together_and_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "system.txt"
    path.write_bytes(content)
    with patch("errata.formats.lines._decode_block", lambda _: None):
        alone = read_all(read_text_lines, path)
    assert read_all(read_text_lines, path) == alone
    assert read_all(read_text, path) == ([getattr(line, "tokens", line) for line in alone[0]], alone[1])


@pytest.mark.parametrize("content", [b"a  b\n\nA c\n", b"a b\r\n\r\nA c", b"\xef\xbb\xbfa b\n\nA c\r"])
def test_tokens_of_lines(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "system.txt").write_bytes(content)
    assert read_all(read_text, tmp_path / "system.txt")[0] == [("a", "b"), (), ("A", "c")]
