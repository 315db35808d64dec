"""Load the public names of a package on first use, so that imports are fast.

The stub of a package (``__init__.pyi``) lists them, for type checkers and for :func:`lazy_names`: one line per name,
``from errata.corpus.corpus import Corpus as Corpus``.

``python -m errata`` runs this module before the current folder is off the path, so it imports only what Python itself has imported.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

TYPE_CHECKING = False  # as in typing, without importing it
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _list_names(package: str) -> dict[str, str]:
    """List the names of a package with their modules."""
    spec = import_module(package).__spec__
    loader: Any = spec.loader if spec is not None else None
    if spec is None or spec.origin is None or not hasattr(loader, "get_data"):
        raise ImportError(f"cannot read __init__.pyi of {package}, which lists its names")
    stub: bytes = loader.get_data(os.path.join(os.path.dirname(spec.origin), "__init__.pyi"))  # noqa: PTH118, PTH120 - starts faster
    listed = (line.split() for line in stub.decode().splitlines())
    return {words[5]: words[1] for words in listed if words[::2] == ["from", "import", "as"] and words[3] == words[5]}


def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Make ``__getattr__``, ``__dir__`` and ``__all__`` of a package from its stub."""
    modules = _list_names(package)

    def get(name: str) -> Any:
        if name in modules:
            value = getattr(import_module(modules[name]), name)
            setattr(sys.modules[package], name, value)  # later uses bypass this function
            return value
        if name.isidentifier() and not name.startswith("_"):
            module = f"{package}.{name}"
            try:
                return import_module(module)
            except ModuleNotFoundError as error:
                if error.name != module:
                    raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get, lambda: sorted({*vars(sys.modules[package]), *modules}), list(modules)
