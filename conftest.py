"""Fixtures of all tests are found here, once, whichever distribution they are of."""

from shared_fixtures import _at_the_root, chromium, data, gold, run, systems  # noqa: F401 - pytest finds them here
