"""``python -m errata``."""

import sys

from errata.start import main

if __name__ == "__main__":
    sys.exit(main())
