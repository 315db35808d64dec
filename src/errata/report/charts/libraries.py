"""The libraries that draw charts, which are optional."""

from __future__ import annotations

from importlib.util import find_spec

_LIBRARIES = ("vl_convert", "altair")


def explain_missing_charts() -> str:
    """Say what must be installed to draw charts; empty if nothing is missing.  Nothing is imported."""
    missing = next((name for name in _LIBRARIES if find_spec(name) is None), None)
    return f"charts need {missing}, which is not installed: pip install 'errata[charts]'" if missing else ""
