"""An event as its organisers run it: with ``errata serve`` and ``errata submit``, a clock that the test sets, and the example corpus.

The first half of the corpus is the development set, and the other half is the test set.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path

from errata_event.instants import parse_instant

from example_events import EXAMPLES, GOLD, OUTPUTS
from served_event import ServedEvent, write_clock

_COMMAND = str(Path(__file__).with_name("command_at_clock.py"))
_SECONDS = 60
_HALF = 36
DEFINITION = """\
title = "The example event"
description = "Correct sentences that learners wrote."
contact = "organisers@example.org"
timezone = "Europe/Berlin"
metrics = ["maxmatch(beta=0.5)", "gleu"]
replicates = 200
test = "randomisation"

[[phases]]
name = "dev"
title = "Development"
gold = "dev.m2"
opens = "2027-01-10 12:00"
closes = "2027-01-31 23:59 AoE"
gold_visible = "open"
per_day = 10

[[phases]]
name = "test"
title = "Test"
gold = "test.m2"
opens = "2027-02-10 12:00"
closes = "2027-02-14 12:00"
per_phase = 3
scores = "closed"
board = "closed"
names = "published"

[[phases]]
name = "answers"
title = "Alternative answers"
kind = "alternatives"
about = "test"
opens = "2027-02-20 12:00"
closes = "2027-02-24 12:00"
judges = 2
"""
TEAMS = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon")
ANNOTATORS = ("Ann", "Ben", "Cy")


def split_blocks(m2: bytes) -> tuple[bytes, bytes]:
    """Split M2 into its two halves."""
    blocks = m2.strip().split(b"\n\n")
    return b"\n\n".join(blocks[:_HALF]) + b"\n", b"\n\n".join(blocks[_HALF:]) + b"\n"


def split_lines(text: bytes) -> tuple[bytes, bytes]:
    """Split an output into its two halves."""
    lines = text.splitlines(keepends=True)
    return b"".join(lines[:_HALF]), b"".join(lines[_HALF:])


def _take_turns(one: list[bytes], other: list[bytes], separator: bytes) -> bytes:
    chosen = [(one, other)[index % 2][index] for index in range(len(one))]
    return separator.join(chosen) + b"\n"


def _read_m2_blocks(name: str) -> list[bytes]:
    return (EXAMPLES / "errant" / f"{name}.m2").read_bytes().strip().split(b"\n\n")


DEV_GOLD, TEST_GOLD = split_blocks(GOLD)
_MIXED = _take_turns(OUTPUTS["eager"].splitlines(), OUTPUTS["rewriter"].splitlines(), b"\n")
_MIXED_M2 = _take_turns(_read_m2_blocks("cautious"), _read_m2_blocks("eager"), b"\n\n")
ENTRIES = {
    "Alpha": split_lines(OUTPUTS["eager"]),
    "Beta": split_lines(OUTPUTS["cautious"]),
    "Gamma": split_lines(OUTPUTS["rewriter"]),
    "Delta": split_lines(_MIXED),
    "Epsilon": split_blocks(_MIXED_M2),
}
"""What each team submits to the development phase and to the test phase: texts, and M2 with edits."""


@dataclass
class WholeEvent:
    """An event in a folder, with its definition and gold beside it."""

    folder: Path
    url: str | None = None
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def clock_file(self) -> Path:
        """The clock of all processes of the event."""
        return self.folder / "clock"

    def set_clock(self, now: str) -> None:
        """Set the clock, to an instant in UTC if it names no zone."""
        write_clock(self.clock_file, parse_instant(now, UTC))

    def write(self, name: str, content: bytes | str) -> None:
        """Write a file of the organisers."""
        (self.folder / name).write_bytes(content.encode() if isinstance(content, str) else content)

    def run(self, *arguments: str, status: int = 0, token: str = "") -> str:
        """Run a command of errata in the folder; return all that it prints, or fail if it ends with another status."""
        done = subprocess.run(
            [sys.executable, _COMMAND, str(self.clock_file), *arguments],
            cwd=self.folder,
            env=self._environment(token),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        if done.returncode != status:
            raise AssertionError(f"errata {' '.join(arguments)} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def add(self, role: str, *names: str) -> None:
        """Add accounts, and keep their tokens."""
        self.keep_tokens(self.run("serve", role, "add", *names, "--data", "data", "--format", "csv"))

    def keep_tokens(self, printed: str) -> None:
        """Keep the tokens that a command prints as CSV, by name."""
        found = re.findall(r"^(?:organiser|annotator|team),([^,]+),(\S+)$", printed, re.MULTILINE)
        self.tokens |= dict(found)

    @contextmanager
    def serve(self) -> Iterator[ServedEvent]:
        """Serve the event as ``errata serve`` does; it must end without a word about errors."""
        errors = self.folder / "errors"
        with errors.open("w") as error_file:
            process = subprocess.Popen(
                [sys.executable, _COMMAND, str(self.clock_file), "serve", "--data", "data", "--port", "0"],
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=error_file,
                text=True,
                start_new_session=True,
            )
        line = process.stdout.readline() if process.stdout is not None else ""
        found = re.fullmatch(r"serving http://([0-9.]+):(\d+)/ until Ctrl-C\n", line)
        if found is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            raise AssertionError(f"the server did not start: {line}{errors.read_text()}")
        server = ServedEvent(process, found[1], int(found[2]), self.clock_file, errors)
        try:
            yield server
        finally:
            server.stop()
            server.close_clients()

    def _environment(self, token: str = "") -> dict[str, str]:
        own = {"ERRATA_DATABASE": self.url} if self.url else {}
        return {**os.environ, "PYTHONWARNINGS": "error", "NO_COLOR": "1", "ERRATA_TOKEN": token, **own}
