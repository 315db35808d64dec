"""Puts an input into a folder, has a server run it and collects the result."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzz.inputs import Input, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
_MOST_READ = 1 << 26
"""Bytes of an output that are looked at."""


class Runner:
    """A server with one core, and folders for its inputs."""

    def __init__(self, core: str = "native", undone: Sequence[str] = ()) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
        environment = {
            **os.environ,
            "ERRATA_CORE": core,
            "OPENBLAS_NUM_THREADS": "1",  # a forked process has no other threads
            "PYTHONPATH": str(ROOT),
            "PYTHONHASHSEED": "0",
        }
        self._server = subprocess.Popen(
            [sys.executable, "-m", "fuzz.server", *undone],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        if self._line() != "ready":
            self.close()
            raise RuntimeError("the server did not start")

    def run(self, given: Input) -> Result:
        """Run one input."""
        folder = self._folder / "work"  # the same name for both cores, for messages are compared
        folder.mkdir()
        try:
            return self._run_in(folder, given)
        finally:
            shutil.rmtree(folder)
            for extension in (".out", ".err"):
                Path(f"{folder}{extension}").unlink(missing_ok=True)

    def _run_in(self, folder: Path, given: Input) -> Result:
        for name, content in given.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for name, target in given.links.items():
            (folder / name).symlink_to(target)
        before = _contents(folder)
        request: dict[str, Any] = {"folder": str(folder), "arguments": given.arguments, "terminal": given.terminal, **given.settings}
        if given.standard_input:
            request["standard_input"] = given.standard_input
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        answer = json.loads(self._line())
        shown = answer["shown"].encode("latin-1")
        stdout = shown if given.terminal else _read(Path(f"{folder}.out"))
        stderr = b"" if given.terminal else _read(Path(f"{folder}.err"))
        return Result(
            answer["status"],
            stdout.replace(str(folder).encode(), b"."),
            stderr.replace(str(folder).encode(), b"."),
            answer["seconds"],
            answer["megabytes"],
            answer["late"],
            before,
            _contents(folder),
        )

    def _line(self) -> str:
        assert self._server.stdout is not None
        return self._server.stdout.readline().rstrip("\n")

    def close(self) -> None:
        """End the server and remove its folders."""
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait()
        if self._server.stdout is not None:
            self._server.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _read(path: Path) -> bytes:
    if not path.exists():
        return b""
    with path.open("rb") as file:
        return file.read(_MOST_READ)


def _contents(folder: Path) -> dict[str, bytes]:
    """All regular files of a folder."""
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            file = Path(path, name)
            if file.is_file() and not file.is_symlink() and os.access(file, os.R_OK):
                found[str(file.relative_to(folder))] = _read(file)
    return found
