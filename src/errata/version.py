"""The version; the build reads it from here."""

__version__ = "0.2.0"
"""The version of errata."""
