"""What stands for a line that an output does not have."""

from __future__ import annotations

from typing import Literal, get_args

Fill = Literal["empty", "source"]
"""What stands for a missing line: an empty line, or the line of the source."""
FILLS: tuple[Fill, ...] = get_args(Fill)
"""All values of :data:`Fill`."""
