"""Others who use a server while it is attacked: what they get, how long they wait for it, and the memory that the server needs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from served_event import Answer, ServedEvent

ALLOWED_MEMORY = 64 << 20
"""Bytes that a server may need for what it refuses."""
_LONGEST = 10.0
"""Seconds that nobody waits for a small answer, even on a busy machine."""
_BETWEEN = 0.01


@dataclass
class Watched:
    """What was seen."""

    pages: list[float] = field(default_factory=list)
    """Seconds that each page took."""
    uploads: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    growth: int = 0
    """Bytes of memory more than before, at most."""

    def describe(self, name: str) -> str:
        """Describe it in a line."""
        shown = [f"{name}: {self.growth / 2**20:.0f} MB more"]
        for kind, seconds in (("page", self.pages), ("upload", self.uploads)):
            ordered = sorted(seconds)
            if ordered:
                late = ordered[int(len(ordered) * 0.95)]
                shown.append(f"{len(ordered)} {kind}s, median {1e3 * ordered[len(ordered) // 2]:.0f} ms, 95% {1e3 * late:.0f} ms")
        return "; ".join(shown)

    def check(self) -> None:
        """Fail unless all others were served, and memory was bounded."""
        assert not self.failures, self.failures[:3]
        assert self.pages
        assert self.uploads
        assert max(*self.pages, *self.uploads) < _LONGEST
        assert self.growth < ALLOWED_MEMORY


@contextmanager
def watch(server: ServedEvent, token: str, phase: str, content: bytes) -> Iterator[Watched]:
    """Ask for a page and upload the same output, again and again, while something else happens."""
    watched = Watched()
    ended = threading.Event()
    page, upload = server.client(), server.client(token)
    _take(watched.failures, [], lambda: page.get("/"), {200})  # what is prepared once is not counted
    _take(watched.failures, [], lambda: upload.submit(phase, content), {200, 201})

    def repeat(seconds: list[float], ask: Callable[[], Answer], expected: set[int]) -> None:
        while not ended.is_set() or not (seconds or watched.failures):  # at least once
            _take(watched.failures, seconds, ask, expected)
            time.sleep(_BETWEEN)

    threads = [
        threading.Thread(target=repeat, args=(watched.pages, lambda: page.get("/"), {200})),
        threading.Thread(target=repeat, args=(watched.uploads, lambda: upload.submit(phase, content), {200, 201})),
    ]
    before = server.reset_peak()
    for thread in threads:
        thread.start()
    try:
        yield watched
    finally:
        ended.set()
        for thread in threads:
            thread.join()
        watched.growth = server.peak() - before
        page.close()
        upload.close()


def _take(failures: list[str], seconds: list[float], ask: Callable[[], Answer], expected: set[int]) -> None:
    try:
        answer = ask()
    except OSError as error:
        failures.append(repr(error))
        return
    seconds.append(answer.seconds)
    if answer.status not in expected:
        failures.append(f"{answer.status}: {answer.body[:200]!r}")
