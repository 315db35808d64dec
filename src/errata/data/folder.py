"""The folder where data sets are kept on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from errata.errors import UsageError

VARIABLE = "ERRATA_DATA_FOLDER"
"""The environment variable that names another folder."""


def find_data_folder(given: str | os.PathLike[str] | None = None) -> Path:
    """Find the folder of data sets: the one that is given, that of the environment, or that of the user for data of programs."""
    chosen = os.environ.get(VARIABLE, "") if given is None else given
    if given is not None and (not isinstance(given, (str, os.PathLike)) or not os.fspath(given) or b"\0" in os.fsencode(given)):
        raise UsageError(f"expected the path of a folder for data sets, found {given!r:.60}")
    if chosen:
        return Path(os.path.abspath(os.path.expanduser(os.fspath(chosen))))  # noqa: PTH100, PTH111 - never raise
    return _find_user_folder() / "errata" / "data"


def _find_user_folder() -> Path:
    """Find where programs keep the data of this user, as the conventions of the system say."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - never raises
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    stated = os.environ.get("XDG_DATA_HOME", "")
    return Path(stated) if os.path.isabs(stated) else home / ".local" / "share"  # noqa: PTH117 - the standard ignores other paths
