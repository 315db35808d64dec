"""An input: files and a command line, with what is known about a right answer; and the result of running it."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Input:
    """Files in a fresh folder, and the command that is run there."""

    recipe: str
    arguments: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    """Symbolic links and their targets."""
    standard_input: str = ""
    """The file that is standard input."""
    terminal: bool = False
    """Whether standard input, output and error are a terminal."""
    outputs: tuple[str, ...] = ()
    """Files and folders that the command may write."""
    noticed: str = ""
    """What a user must be told about, by an error or a warning."""
    mentions: str = ""
    """What the error must contain, such as a file and a line."""
    files_written: int = -1
    """How many files there must be in the output folder if the command succeeds; -1 if any number."""
    settings: dict[str, Any] = field(default_factory=dict)
    """How it is run: see :mod:`fuzz.server`."""
    compare_cores: bool = True
    """Whether both cores must give the same."""

    def with_file(self, name: str, content: bytes, **changes: Any) -> Input:
        """The same input with another content of a file."""
        return replace(self, files={**self.files, name: content}, **changes)

    def to_json(self) -> str:
        """Everything, as text."""
        record = asdict(self)
        record["files"] = {name: b64encode(content).decode() for name, content in self.files.items()}
        return json.dumps(record, indent=1)

    @staticmethod
    def from_json(text: str) -> Input:
        """The input that :meth:`to_json` wrote."""
        record = json.loads(text)
        record["files"] = {name: b64decode(content) for name, content in record["files"].items()}
        record["outputs"] = tuple(record["outputs"])
        return Input(**record)


@dataclass(frozen=True)
class Result:
    """What a command did."""

    status: int
    """The exit status; negative for a signal, as in :mod:`subprocess`."""
    stdout: bytes
    stderr: bytes
    seconds: float
    """Time of the processor."""
    megabytes: float
    """Most memory at a time."""
    late: bool
    """Whether it was ended because it took too long."""
    before: dict[str, bytes]
    """Files before the command."""
    after: dict[str, bytes]
    """Files after the command."""
