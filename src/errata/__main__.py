"""``python -m errata``."""

import sys

from errata.cli import main

if __name__ == "__main__":
    sys.exit(main())
