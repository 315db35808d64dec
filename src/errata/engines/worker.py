"""A worker process: it reads tasks from standard input and writes their outcomes to standard output.

A message is bytes in a pickle: they arrive whole, whatever they contain.
"""

from __future__ import annotations

import os
import pickle
from queue import SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING

from errata.engines.outcomes import Job

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDED = (EOFError, OSError, pickle.UnpicklingError)
"""What is raised if the process at the other end of a pipe has ended, also in the middle of a message."""


def send_message(stream: IO[bytes], content: bytes) -> None:
    """Write one message."""
    pickle.dump(content, stream, protocol=pickle.HIGHEST_PROTOCOL)
    stream.flush()


def receive_message(stream: IO[bytes]) -> bytes:
    """Read one message."""
    content: bytes = pickle.load(stream)  # noqa: S301 - from our own process
    return content


def serve_tasks() -> None:
    """Do tasks until standard input ends.  The first message is the work."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # nothing that a library prints is taken for an outcome
    messages = _receive_all(requests)
    job = Job(next(messages))
    for task in messages:
        send_message(replies, job.do(task))


def _receive_all(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield messages.  A thread waits for them, so that this process ends as soon as the other one does, also inside of a task."""
    received: SimpleQueue[bytes] = SimpleQueue()

    def receive() -> None:
        while True:
            try:
                received.put(receive_message(stream))
            except ENDED:
                os._exit(0)

    Thread(target=receive, daemon=True).start()
    while True:
        yield received.get()
