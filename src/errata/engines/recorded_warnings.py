"""Warnings of each thread alone: ``warnings.catch_warnings`` is for a process that does one thing at a time."""

from __future__ import annotations

import threading
import warnings
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

RecordedWarning = tuple[str, type[Warning], str, int]
"""Text, category, file and line."""


class _Recorder:
    """Takes the place of what shows warnings while some thread records its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lists: dict[int, list[RecordedWarning]] = {}
        self._before: warnings.catch_warnings[None] | None = None
        self._show_others = warnings.showwarning

    @contextmanager
    def record(self) -> Iterator[list[RecordedWarning]]:
        own: list[RecordedWarning] = []
        with self._lock:
            if self._before is None:
                self._before = warnings.catch_warnings()
                self._before.__enter__()
                self._show_others, warnings.showwarning = warnings.showwarning, self._show  # type: ignore[assignment]
                warnings.simplefilter("always")
            self._lists[threading.get_ident()] = own
        try:
            yield own
        finally:
            with self._lock:
                del self._lists[threading.get_ident()]
                if not self._lists and self._before is not None:
                    self._before.__exit__(None, None, None)
                    self._before = None

    def _show(self, message: Warning, category: type[Warning], filename: str, lineno: int, *rest: object) -> None:
        own = self._lists.get(threading.get_ident())
        if own is not None:
            own.append((str(message), category, filename, lineno))
        else:
            self._show_others(message, category, filename, lineno, *rest)  # type: ignore[arg-type]


_RECORDER = _Recorder()


def record_warnings() -> AbstractContextManager[list[RecordedWarning]]:
    """Record the warnings of this thread inside ``with``, all of them, in a list."""
    return _RECORDER.record()
