"""The folder where data sets are kept on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from errata.errors import UsageError
from errata.formats.given_files import check_path

VARIABLE = "ERRATA_DATA_FOLDER"
"""The environment variable that names another folder."""


def find_data_folder(given: str | os.PathLike[str] | None = None) -> Path:
    """Find the folder of data sets: the one that is given, that of the environment, or that of the user for data of programs."""
    chosen = os.environ.get(VARIABLE, "") if given is None else check_path(given, "expected the path of a folder for data sets")
    if given is not None and not chosen:
        raise UsageError("expected the path of a folder for data sets, found an empty one")
    if chosen:
        return Path(os.path.abspath(os.path.expanduser(chosen)))  # noqa: PTH100, PTH111 - never raise
    return _find_user_folder() / "errata" / "data"


def _find_user_folder() -> Path:
    """Find where programs keep the data of this user, as the conventions of the system say."""
    if sys.platform == "darwin":
        return _find_home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or _find_home() / "AppData" / "Local")
    stated = os.environ.get("XDG_DATA_HOME", "")
    return Path(stated) if os.path.isabs(stated) else _find_home() / ".local" / "share"  # noqa: PTH117 - the standard ignores other paths


def _find_home() -> Path:
    home = os.path.expanduser("~")  # noqa: PTH111 - never raises
    if not os.path.isabs(home):  # noqa: PTH117 - as in a container whose user has no name
        raise UsageError(f"this user has no home folder, so data sets need another: --data-folder, folder= in Python, or {VARIABLE}")
    return Path(home)
