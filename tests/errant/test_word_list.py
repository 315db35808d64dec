"""The word list of the package ``errant``: found without importing it, and named by its hash."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from errata.errors import FormatError, RequestError
from errata.language.types import find_word_list, read_word_list

INSTALLED = (spec := find_spec("errant")) is not None and spec.origin is not None  # this folder is found too


@pytest.fixture
def _fresh_list(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if nobody had asked for the list or imported errant yet."""
    monkeypatch.delitem(sys.modules, "errant", raising=False)
    find_word_list.cache_clear()
    yield
    find_word_list.cache_clear()


def test_a_list_is_read(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("cat\r\ncafé\r\n\r\nLondon".encode())
    words = read_word_list(path)
    assert (len(words), words.fingerprint) == (3, "d2f5e8dd")
    assert "café" in words
    assert "London" in words
    assert "london" not in words
    assert "" not in words
    path.write_bytes(b"cat\n\xff\n")
    with pytest.raises(FormatError, match=r"words.txt:2: not UTF-8"):
        read_word_list(path)


@pytest.mark.usefixtures("_fresh_list")
def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "errant", None)
    with pytest.raises(RequestError, match=r"error types need the word list of the package errant: pip install 'errata\[errant\]'"):
        find_word_list()


@pytest.mark.usefixtures("_fresh_list")
def test_a_package_without_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "errant").mkdir()
    (tmp_path / "errant" / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(RequestError, match=r"word list of the package errant 3, but there is no .*en_GB-large.txt: pip install"):
        find_word_list()
    path = tmp_path / "errant" / "en" / "resources" / "en_GB-large.txt"
    path.parent.mkdir(parents=True)
    path.write_text("one\ntwo\n")
    assert len(find_word_list()) == 2
    assert find_word_list() is find_word_list()
    assert "errant" not in sys.modules


@pytest.mark.skipif(not INSTALLED, reason="the package errant is not installed: pip install 'errata[errant]'")
@pytest.mark.usefixtures("_fresh_list")
def test_the_list_of_errant_3() -> None:
    words = find_word_list()
    assert (len(words), words.fingerprint) == (170_565, "75e18510")
    assert "errant" not in sys.modules
    assert {"the", "London", "colour"} <= words.words
