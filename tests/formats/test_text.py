"""Texts with one sentence in a line: files in which nothing is unusual are read at once, with the same result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errata.errors import ErrataError
from errata.formats.lines import _read_plain, read_text, read_text_lines
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
def test_both_readers_agree(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "system.txt"
    path.write_bytes(content)
    with patch("errata.formats.lines.read_plain_file", lambda _: None):
        careful = read_all(read_text_lines, path)
    assert read_all(read_text_lines, path) == careful
    assert read_all(read_text, path) == ([getattr(line, "tokens", line) for line in careful[0]], careful[1])


@pytest.mark.parametrize("odd", [b"", b"a\r", b"\xef\xbb\xbfa\n", b"A 0 1|||R\n", b"a\nA 0 1|||\n", b"a b c d\n", b"\xff\n", b"\0\n"])
def test_what_is_left_to_the_careful_reader(tmp_path: Path, odd: bytes) -> None:
    path = tmp_path / "system.txt"
    path.write_bytes(odd)
    assert _read_plain(str(path), 3) is None
    for usual in (b"a  b\n\nA c\n", b"a b\r\n\r\nA c"):
        path.write_bytes(usual)
        assert _read_plain(str(path), 3) == [("a", "b"), (), ("A", "c")]
    assert _read_plain(str(tmp_path), 3) is None
