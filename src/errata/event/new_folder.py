"""A folder whose files appear together or never, and never over files that are there."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from errata.errors import RequestError
from errata.formats.lines import display_path
from errata.formats.writing import all_or_none, write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.formats.writing import Transaction

_OWNER_ONLY = 0o700
"""The mode of a folder that is made: it has hidden gold and the files of all teams."""


class NewFolder:
    """Takes the files of a new folder; they appear together when all have been written."""

    def __init__(self, path: str, outputs: Transaction) -> None:
        self._path, self._outputs = Path(path), outputs
        self._made: set[Path] = set()
        self.names: list[str] = []
        """What was written, by paths in the folder."""

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file; its name has ``/`` between folders, which are made."""
        path = self._path / name
        if path.parent not in self._made:
            self._outputs.make_folder(str(path.parent))
            self._made.add(path.parent)
        write_bytes(str(path), content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)
        self.names.append(name)


@contextmanager
def writing_new_folder(path: str) -> Iterator[NewFolder]:
    """Write a folder that does not exist yet, or is empty; raise if it is another."""
    refuse_used_folder(path)
    is_new = not Path(path).exists()
    with all_or_none() as outputs:
        outputs.make_folder(path)
        if is_new:
            Path(path).chmod(_OWNER_ONLY)
        yield NewFolder(path, outputs)


def refuse_used_folder(path: str) -> None:
    """Raise if a path is that of a file, or of a folder that has something in it: what is there would be taken for a part."""
    shown = display_path(path)
    try:
        with os.scandir(path) as entries:
            used = next(entries, None) is not None
    except FileNotFoundError:
        return
    except OSError as error:
        raise RequestError(f"{shown}: expected a new folder: {error.strerror or error}") from None
    if used:
        raise RequestError(f"{shown}: this folder is not empty, expected a new one")
