"""Texts of errors without what is private: reports of bugs are public."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

_FOLDERS = re.compile(r"(?<![\w./\\…])(?:…|[A-Za-z]:)?[\\/]+(?:[^\s'\":;,<>()\\/]+[\\/]+)+")
"""The folders of a path that begins at the root; the name of the file stays."""
_LEAST = 6
"""Shorter values of environment variables occur in any text."""


def hide_private(text: str) -> str:
    """Remove folders, the name of the user and values of environment variables.

    >>> hide_private("cannot open /srv/team/secret plans/en.txt"), hide_private("no module 'x'")
    ('cannot open …/secret plans/en.txt', "no module 'x'")
    """
    for folder in sorted(_known_folders(), key=len, reverse=True):
        text = text.replace(folder, "…")
    text = _FOLDERS.sub("…/", text)
    for name, value in sorted(os.environ.items(), key=lambda item: len(item[1]), reverse=True):
        if len(value) >= _LEAST:
            text = text.replace(value, f"${name}")
    for user in _user_names():
        text = re.sub(rf"\b{re.escape(user)}\b", "<user>", text)
    return text


def _known_folders() -> set[str]:
    """Folders that contain others of the user; their names may have spaces, at which a pattern would stop."""
    folders = {_find_home(), sys.prefix, sys.base_prefix, tempfile.gettempdir(), *sys.path}
    with suppress(OSError):
        folders.add(str(Path.cwd()))
    return {folder.rstrip("\\/") for folder in folders if len(folder.rstrip("\\/")) > 1}


def _find_home() -> str:
    return os.path.expanduser("~")  # noqa: PTH111 - it stays as it is if the user has none, where pathlib raises


def _user_names() -> set[str]:
    names = {os.environ.get(name, "") for name in ("USER", "LOGNAME", "USERNAME")} | {Path(_find_home()).name}
    return {name for name in names if len(name) > 1}
