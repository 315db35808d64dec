from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from errata.cli.diagnosis import _hide_private


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cannot open /srv/project x/file.txt: no such file", "cannot open …/project x/file.txt: no such file"),
        ("/home/jane doe/lib/x.so: undefined symbol", "…/x.so: undefined symbol"),
        ("the folder /home/jane doe has no x", "the folder … has no x"),
        ("C:\\Users\\jane\\lib\\x.dll is missing", "…/x.dll is missing"),
        ("the key s3cr3t-t0ken of jane is wrong", "the key $SOME_TOKEN of <user> is wrong"),
        ("F0.5 and/or 1/2 of en/resources", "F0.5 and/or 1/2 of en/resources"),
        ("expected NNS, found NN", "expected NNS, found NN"),
    ],
)
def test_folders_users_and_variables(monkeypatch: pytest.MonkeyPatch, text: str, expected: str) -> None:
    monkeypatch.setenv("HOME", "/home/jane doe")
    monkeypatch.setenv("USER", "jane")
    monkeypatch.setenv("SOME_TOKEN", "s3cr3t-t0ken")
    if os.name == "posix":
        assert _hide_private(text) == expected


def test_folders_of_python_and_of_the_process() -> None:
    for folder in (sys.prefix, str(Path.cwd()), str(Path.home() / "anything")):
        assert _hide_private(f"no {folder}/x.txt") == "no …/x.txt"


@pytest.mark.skipif(sys.platform == "win32", reason="users have another home there")
def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    import pwd

    def find_nobody(number: int) -> None:
        raise KeyError(number)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", find_nobody)
    assert _hide_private("cannot open /srv/team/x.txt") == "cannot open …/x.txt"
