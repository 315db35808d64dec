"""Folders of input files, and what else may have the name of a file."""

from __future__ import annotations

import os

from errata.errors import InputError
from errata.formats.lines import display_path


def is_folder(path: str) -> bool:
    """Tell whether a path is a folder; what cannot be examined is none, and opening it says why."""
    return os.path.isdir(path)  # noqa: PTH112 - that of pathlib raises for names that are too long


def refuse_folder(path: str) -> None:
    """Raise if a path is a folder; only formats that say so are read from folders."""
    if is_folder(path):
        hint = (
            "a folder of HOO edits needs the texts that they are about: --source PATH (source= in Python), "
            "one of UA-GEC --from ua-gec (format= in Python)"
        )
        raise InputError(f"{display_path(path)}: this is a directory, expected a file; {hint}")


def is_special(path: str) -> bool:
    """Tell whether a path is neither a file nor a folder, but a pipe or a device."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)  # noqa: PTH110, PTH112, PTH113


def list_files(folder: str) -> list[str]:
    """List the files of a folder in the order of their names; raise :class:`InputError` if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if entry.is_file())
    except OSError as error:
        raise InputError(f"{display_path(folder)}: cannot be read: {error.strerror or error}") from None
