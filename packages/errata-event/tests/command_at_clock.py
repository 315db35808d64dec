"""Runs ``errata`` as its command does, with a file for its clock: ``command_at_clock.py CLOCK ARGUMENT...``.

Every event that the command opens looks at this clock, whenever it looks at one.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path


def main() -> int:
    """Set the clock before anything that takes it is imported; then start errata."""
    from errata.__main__ import start
    from errata_event import instants

    path = Path(sys.argv[1])
    instants.system_clock = lambda: datetime.fromisoformat(path.read_text()).astimezone(UTC)
    sys.argv = ["errata", *sys.argv[2:]]
    return start()


if __name__ == "__main__":
    del sys.path[0]  # the tests, which the command does not have
    sys.exit(main())
