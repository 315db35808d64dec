"""Submissions and golds by the hash of their bytes, and folders whose files appear together."""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.errors import InputError, RequestError
from errata.formats.lines import display_path
from errata.formats.writing import all_or_none, write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errata.formats.writing import Transaction
    from errata_event.database import DatabaseTransaction


# --- Submissions and golds by the hash of their bytes: equal ones are stored once, and none is ever changed.


def put(transaction: DatabaseTransaction, content: bytes) -> str:
    """Store bytes unless they are stored; return their SHA-256."""
    sha256 = hashlib.sha256(content).hexdigest()
    transaction.run("INSERT INTO contents (sha256, content) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING", sha256, content)
    return sha256


def get(transaction: DatabaseTransaction, sha256: str) -> bytes:
    """Get bytes by their SHA-256; raise if they are missing or damaged."""
    row = transaction.row("SELECT content FROM contents WHERE sha256 = ?", sha256)
    content = bytes(row[0]) if row is not None else b""
    if hashlib.sha256(content).hexdigest() != sha256:
        raise InputError(f"the database of the event is damaged: the content with SHA-256 {sha256} is {'another' if row else 'missing'}")
    return content


# --- A folder whose files appear together or never, and never over files that are there.

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


# --- Writes the file of a task, in TOML, which the standard library only reads.

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_toml(record: dict[str, Any]) -> str:
    """Write keys with texts, numbers, truth values, lists of texts, and tables of these.

    >>> print(write_toml({"title": "A task", "replicates": 100, "handles": {"Team 1": ["Prep"]}}), end="")
    title = "A task"
    replicates = 100
    <BLANKLINE>
    [handles]
    "Team 1" = ["Prep"]
    """
    lines = [f"{_key(key)} = {_value(value)}" for key, value in record.items() if not isinstance(value, dict)]
    for key, table in record.items():
        if isinstance(table, dict):
            lines += ["", f"[{_key(key)}]", *(f"{_key(name)} = {_value(value)}" for name, value in table.items())]
    return "".join(f"{line}\n" for line in lines)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: str | float | list[str]) -> str:
    if isinstance(value, list):
        if len(value) == 1:
            return f"[{_value(value[0])}]"
        inside = ", ".join(_value(item) for item in value)
        return f"[{inside}]" if len(inside) < _LONG else "[\n" + "".join(f"    {_value(item)},\n" for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # strings are those of JSON, but for this character
    return str(value).lower() if isinstance(value, bool) else repr(value)


_LONG = 100
"""Characters of a list from which each item has a line."""
