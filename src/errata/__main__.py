"""``python -m errata``."""

import sys

from errata.start import start

if __name__ == "__main__":
    sys.exit(start())
