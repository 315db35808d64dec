"""``python -m errata``."""

import os
import sys


def _leave_current_folder_out() -> None:
    """Python puts the current folder first; a file there, such as gzip.py, must not be imported instead of a module."""
    try:
        here = os.getcwd()  # noqa: PTH109 - pathlib is not imported yet
    except OSError:  # it was removed
        here = ""
    if not sys.flags.safe_path and sys.path[:1] in ([""], [here]):
        del sys.path[0]


if __name__ == "__main__":
    _leave_current_folder_out()
    from errata.start import start

    sys.exit(start())
