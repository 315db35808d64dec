"""What the log says of an error that nobody expected: its kind and where it happened, and nothing that was sent or stored.

The message of an error may quote what it was about, such as a row of the database or a text, so it is left out.
"""

from __future__ import annotations

import traceback

_MOST_CAUSES = 5


def describe_failure(error: BaseException) -> str:
    """Describe an error in one line.

    >>> try:
    ...     int("a secret")
    ... except ValueError as error:
    ...     print(describe_failure(error))
    ValueError at <module> (<doctest ...>:2)
    """
    described: list[str] = []
    current: BaseException | None = error
    while current is not None and len(described) < _MOST_CAUSES:
        frames = [f"{frame.name} ({frame.filename}:{frame.lineno})" for frame in traceback.extract_tb(current.__traceback__)]
        described.append(f"{type(current).__name__} at {' > '.join(frames)}")
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "; caused by ".join(described)
