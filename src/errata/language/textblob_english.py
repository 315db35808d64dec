"""The English of TextBlob alone.

``import textblob`` also imports NLTK, and with it SciPy, which takes more than a second; the lexicon and the rules need neither.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_PACKAGE = "textblob"
_ENGLISH = f"{_PACKAGE}.en"


@cache
def import_english() -> Any:
    """Import ``textblob.en``, if possible without the rest of the package; a later ``import textblob`` is not affected."""
    if not _list_loaded():
        try:
            return _import_without_package()
        except Exception:  # noqa: BLE001, S110 - the package is not as expected
            pass
    return import_module(_ENGLISH)


def _import_without_package() -> Any:
    """Import it with a stand-in for the package, whose own code is not run; no trace is left in ``sys.modules``."""
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"{_PACKAGE} is not an ordinary package")
    stand_in = ModuleType(_PACKAGE)
    stand_in.__path__ = list(spec.submodule_search_locations)
    sys.modules[_PACKAGE] = stand_in
    try:
        english = import_module(_ENGLISH)
    finally:
        for name in _list_loaded():
            del sys.modules[name]
    _ = english.tag
    return english


def _list_loaded() -> list[str]:
    return [name for name in sys.modules if name == _PACKAGE or name.startswith(f"{_PACKAGE}.")]
