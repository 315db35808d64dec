"""What stands for a line that an output does not have."""

from __future__ import annotations

from typing import Literal, get_args

Fill = Literal["empty", "source"]
FILLS: tuple[Fill, ...] = get_args(Fill)
"""An empty line, or the line of the source."""
