"""What both databases refuse alike."""


class NestedWriteError(RuntimeError):
    """A thread that has begun a transaction that writes begins another, for which it would wait for itself: a mistake of ours."""

    def __init__(self) -> None:
        super().__init__("a transaction that writes is begun within another")
